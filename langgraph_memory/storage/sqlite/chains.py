"""The look at the truth of records: each chain against its record, its seals and itself.

Each version carries a seal of all that never changes in it, each record's seal the number of
the oldest version that is kept. What a record notes of its chain for speed (whether it lives,
when it changed and began) follows from versions that are what was written, and is made again
from those alone. Where a version contradicts its seal, nothing is derived from it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from langgraph_memory.domain.findings import Check, Findings, Sort
from langgraph_memory.domain.record import Status, Version
from langgraph_memory.storage.sqlite.codec import VERSION_COLUMNS, to_micros, version_from
from langgraph_memory.storage.sqlite.hashes import digest
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.sealing import (
    HEADS,
    INTACT,
    TRUTH,
    VERSION_SAYS,
    seal_versions,
)
from langgraph_memory.storage.sqlite.senses import senseless

_CELLS = (
    "id", "path", "key", "head", "live", "created_at", "updated_at", "ttl_minutes", "expires_at",
    "protected",
)  # fmt: skip
_SEALS = f"""
    SELECT records.row, oldest, papers, truth IS NOT {TRUTH}
    FROM {HEADS}
    JOIN seals ON seals.row = records.row AND seals.head = records.head
    WHERE {INTACT}
"""
_VERSIONS = f"""
    SELECT {VERSION_COLUMNS}, {VERSION_SAYS} FROM versions WHERE row = ? ORDER BY number
"""
_DERIVED = {
    "live": "its flag does not say whether it is deleted",
    "updated_at": "its time of change is not its last version's",
    "created_at": "its time of creation is not its first version's",
}

Problem = tuple[Sort, str]
Seals = dict[int, tuple[int | None, bytes | None, bool]]


@dataclass(frozen=True, slots=True)
class _Chain:
    """A record's cells, its versions, and what their seals say of each."""

    cells: dict[str, Any]
    versions: list[Version]
    says: list[bool | None]


def chains(sql: sqlite3.Connection) -> Check:
    """Read every version of every record, and compare each chain with its record."""
    findings = Findings("records")
    seals, unknown = _seals(sql), 0
    for row in _rows(sql):
        findings.counted += 1
        place = f"record row {row}"
        problems: list[Problem] = [("truth", "holds what cannot be read")]
        with suppress(sqlite3.DatabaseError):
            cells = _cells(sql, row)
            place = f"record {cells['id']}" if senseless(cells) == [] else place
            problems = [("truth", each) for each in senseless(cells)]
            problems += _problems_of(sql, row, cells, seals.get(row))
            unknown += _unknown(sql, row, seals.get(row))
        for sort, problem in dict.fromkeys(problems):
            findings.add(sort, place, problem)
    for (row,) in sql.execute(
        "SELECT DISTINCT row FROM versions WHERE row NOT IN (SELECT row FROM records)"
    ).fetchall():
        findings.add("truth", f"versions of row {row}", "belong to no record")
    if unknown:
        note = f"{unknown} records have versions older than their seals: a repair seals them"
        findings.notes.append(note)
    return findings.check()


def mend_chains(sql: sqlite3.Connection) -> None:
    """Note anew what follows from sealed versions; seal those of which nothing is known."""
    for row in _rows(sql):
        with suppress(sqlite3.DatabaseError):
            cells = _cells(sql, row)
            for name, right in _right_cells(_chain(sql, row, cells)).items():
                if _differs(cells[name], right):
                    sql.execute(f"UPDATE records SET {name} = ? WHERE row = ?", (right, row))
    seal_versions(sql)


def _rows(sql: sqlite3.Connection) -> list[int]:
    return [row for (row,) in sql.execute("SELECT row FROM records ORDER BY row").fetchall()]


def _seals(sql: sqlite3.Connection) -> Seals:
    with suppress(sqlite3.OperationalError):  # the seals are gone
        found = sql.execute(_SEALS).fetchall()
        return {row: (oldest, papers, changed) for row, oldest, papers, changed in found}
    return {}


def _cells(sql: sqlite3.Connection, row: int) -> dict[str, Any]:
    found = sql.execute(f"SELECT {', '.join(_CELLS)} FROM records WHERE row = ?", (row,)).fetchone()
    return dict(zip(_CELLS, found, strict=True))


@sensible
def _chain(sql: sqlite3.Connection, row: int, cells: dict[str, Any]) -> _Chain:
    found = sql.execute(_VERSIONS, (row,)).fetchall()
    says = [None if each[-1] is None else bool(each[-1]) for each in found]
    return _Chain(cells, [version_from(each[:-1]) for each in found], says)


def _problems_of(
    sql: sqlite3.Connection, row: int, cells: dict[str, Any],
    seal: tuple[int | None, bytes | None, bool] | None,
) -> list[Problem]:  # fmt: skip
    oldest, papers, changed = seal or (None, None, False)
    try:
        chain = _chain(sql, row, cells)
        right = _right_cells(chain)
        problems = _chain_problems(chain, right)
    except sqlite3.DatabaseError:
        return [("truth", "holds what cannot be read")]
    if False in chain.says or changed:
        problems.append(("truth", "does not say what was written"))
    if oldest is not None:
        if chain.versions and chain.versions[0].number != oldest:
            problems.append(("truth", "versions are missing in its chain"))
        if None in chain.says:
            problems.append(("derived", "the seal of a version is missing or broken"))
        created_at = right.get("created_at", cells["created_at"])
        if papers != digest(cells["id"], created_at, cells["ttl_minutes"], cells["protected"]):
            problems.append(("truth", "its lifetime, id or birth is not what was written"))
    return problems


def _unknown(
    sql: sqlite3.Connection, row: int, seal: tuple[int | None, bytes | None, bool] | None
) -> bool:
    """Tell whether nobody knows if versions of a record are what was written."""
    if seal is not None:
        return seal[0] is None
    found = sql.execute(
        f"SELECT 1 FROM versions WHERE row = ? AND {VERSION_SAYS} IS NULL LIMIT 1", (row,)
    )
    return found.fetchone() is not None


@sensible
def _chain_problems(chain: _Chain, right: dict[str, int]) -> list[Problem]:
    """Return what is wrong with a record and its chain."""
    cells = chain.cells
    wrong = [name for name in right if _differs(cells[name], right[name])]
    problems: list[Problem] = [("derived", _DERIVED[name]) for name in wrong]
    problems += [("truth", each) for each in _problems(cells["head"], chain.versions)]
    if chain.versions:
        problems += [("truth", each) for each in _misnoted(cells, chain.versions, right)]
    return problems


def _problems(head: int, versions: Sequence[Version]) -> Iterator[str]:
    """Yield what is wrong with the number of a head and a chain."""
    if not versions:
        yield "has no version"
        return
    numbers = [each.number for each in versions]
    last = versions[-1]
    if numbers[0] < 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        yield "versions are missing in its chain"
    if last.number != head:
        yield "its head is not its last version"
    if last.superseded_at is not None or last.status is Status.SUPERSEDED:
        yield "its last version is closed"
    if any(_badly_closed(before, after) for before, after in pairwise(versions)):
        yield "a version does not end where the next begins"
    if any((each.value is None) != (each.status is Status.DELETED) for each in versions):
        yield "a version's status does not fit its value"


def _misnoted(
    cells: dict[str, Any], versions: Sequence[Version], right: dict[str, int]
) -> Iterator[str]:
    """Yield what a record notes of a chain that no seal speaks for, and does not fit it."""
    last, born = versions[-1], _born(versions)
    if "live" not in right and bool(cells["live"]) != (last.value is not None):
        yield _DERIVED["live"]
    if "updated_at" not in right and cells["updated_at"] != to_micros(last.recorded_at):
        yield _DERIVED["updated_at"]
    if "created_at" not in right and (
        cells["created_at"] > to_micros(versions[0].recorded_at)
        if born is None
        else cells["created_at"] != born
    ):
        yield _DERIVED["created_at"]


@sensible
def _right_cells(chain: _Chain) -> dict[str, int]:
    """Return what a record should note of its chain, as far as seals speak for that."""
    if not chain.versions or chain.versions[-1].number != chain.cells["head"]:
        return {}
    head, right = chain.versions[-1], dict[str, int]()
    if chain.says[-1] or chain.cells["live"] not in (0, 1):
        right["live"] = int(head.value is not None)
    if chain.says[-1]:
        right["updated_at"] = to_micros(head.recorded_at)
    if all(chain.says) and (born := _born(chain.versions)) is not None:
        right["created_at"] = born
    return right


def _differs(stored: Any, right: int) -> bool:
    return type(stored) is not int or stored != right


def _badly_closed(before: Version, after: Version) -> bool:
    return (
        before.superseded_at != after.recorded_at
        or before.status is Status.ACTIVE
        or after.recorded_at < before.recorded_at
    )


def _born(versions: Sequence[Version]) -> int | None:
    """Return when a record's present life began; None where that version was pruned."""
    lives = [after for before, after in pairwise(versions) if before.status is Status.DELETED]
    if lives or versions[0].number == 1:
        return to_micros((lives or [versions[0]])[-1].recorded_at)
    return None
