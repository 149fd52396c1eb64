"""The look at the truth of records: each chain against its record, each head against its seal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.record import Status, Version
from langgraph_memory.storage.sqlite.codec import VERSION_COLUMNS, to_micros, version_from
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.sealing import HEADS, INTACT, TRUTH

_CHANGED = f"""
    SELECT records.id
    FROM {HEADS}
    JOIN seals ON seals.row = records.row AND seals.head = records.head
    WHERE {INTACT} AND truth IS NOT {TRUTH}
    ORDER BY records.row
"""


def chains(sql: sqlite3.Connection) -> Check:
    """Read every version of every record, and compare each chain with its record."""
    findings = Findings("records")
    rows = [row for (row,) in sql.execute("SELECT row FROM records ORDER BY row").fetchall()]
    for row in rows:
        findings.counted += 1
        place = f"record row {row}"
        try:
            record_id, *record = sql.execute(
                "SELECT id, head, live, created_at, updated_at FROM records WHERE row = ?", (row,)
            ).fetchone()
            place = f"record {record_id}"
            chain = sql.execute(
                f"SELECT {VERSION_COLUMNS} FROM versions WHERE row = ? ORDER BY number", (row,)
            ).fetchall()
            problems = _chain_problems(record, [version_from(each) for each in chain])
        except sqlite3.DatabaseError:
            problems = ["holds what cannot be read"]
        for problem in problems:
            findings.add("truth", place, problem)
    for (row,) in sql.execute(
        "SELECT DISTINCT row FROM versions WHERE row NOT IN (SELECT row FROM records)"
    ).fetchall():
        findings.add("truth", f"versions of row {row}", "belong to no record")
    with suppress(sqlite3.OperationalError):  # the seals are gone
        for (record_id,) in sql.execute(_CHANGED).fetchall():
            findings.add("truth", f"record {record_id}", "does not say what was written")
    return findings.check()


@sensible
def _chain_problems(record: Sequence[Any], versions: Sequence[Version]) -> list[str]:
    """Return what is wrong with a record and its chain."""
    return list(_problems(record, versions))


def _problems(record: Sequence[Any], versions: Sequence[Version]) -> Iterator[str]:
    """Yield what is wrong with ``(head, live, created_at, updated_at)`` and a chain."""
    head, live, created_at, updated_at = record
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
    if bool(live) != (last.value is not None):
        yield "its flag does not say whether it is deleted"
    if updated_at != to_micros(last.recorded_at):
        yield "its time of change is not its last version's"
    if not _born_right(created_at, versions):
        yield "its time of creation is not its first version's"


def _badly_closed(before: Version, after: Version) -> bool:
    return (
        before.superseded_at != after.recorded_at
        or before.status is Status.ACTIVE
        or after.recorded_at < before.recorded_at
    )


def _born_right(created_at: int, versions: Sequence[Version]) -> bool:
    """Tell whether a record's present life began when it says; pruned chains may not know."""
    lives = [after for before, after in pairwise(versions) if before.status is Status.DELETED]
    if lives or versions[0].number == 1:
        return created_at == to_micros((lives or [versions[0]])[-1].recorded_at)
    return created_at <= to_micros(versions[0].recorded_at)
