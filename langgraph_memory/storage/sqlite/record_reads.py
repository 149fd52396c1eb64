"""What can be read of records: chains, heads, pages, and what search was told of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import numpy as np

from langgraph_memory.domain.json import JsonObject, dumps, loads
from langgraph_memory.domain.namespace import Namespace, from_path, path_range, to_path
from langgraph_memory.domain.record import Record
from langgraph_memory.ports import Chain, Shown, Stored, Use, Vectors
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.codec import (
    SHOWN_COLUMNS,
    STORED_COLUMNS,
    VERSION_COLUMNS,
    from_micros,
    lifetime_from,
    object_from,
    record_from,
    shown_from,
    stored_from,
    to_micros,
    vectors_from,
)
from langgraph_memory.storage.sqlite.functions import Loan
from langgraph_memory.storage.sqlite.legible import as_bytes
from langgraph_memory.storage.sqlite.narrowing import Conditions, is_alone, met, narrowed
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.standing import once

_HEADS = """
    FROM records
    JOIN versions ON versions.row = records.row AND versions.number = records.head
"""
_STORED = f"SELECT {STORED_COLUMNS} {_HEADS}"
_SHOWN = f"SELECT {SHOWN_COLUMNS} {_HEADS}"
_SHOWN_ALONE = f"SELECT {SHOWN_COLUMNS.replace('path', 'NULL')} {_HEADS}"
_CHAINS = "SELECT row, id, path, key, created_at, ttl_minutes, expires_at, protected FROM records"
_AT = "WHERE namespace = (SELECT id FROM namespaces WHERE path = ?) AND key = ?"
_LATEST_FIRST = "ORDER BY updated_at DESC, records.row DESC"
_CHUNK = 500


class RecordReads:
    """The reading half of ``ports.Records``, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def load(self, namespace: Namespace, key: str) -> Record | None:
        found = self._sql.execute(
            """
            SELECT records.row
            FROM records JOIN namespaces ON namespaces.id = records.namespace
            WHERE namespaces.path = ? AND key = ?
            """,
            (to_path(namespace), key),
        ).fetchone()
        return self.load_row(found[0]) if found else None

    def load_row(self, row: int) -> Record | None:
        found = self._sql.execute(
            "SELECT id, path, key, created_at FROM records WHERE row = ?", (row,)
        ).fetchone()
        if found is None:
            return None
        chain = self._sql.execute(
            f"SELECT {VERSION_COLUMNS} FROM versions WHERE row = ? ORDER BY number", (row,)
        )
        return record_from(found, chain)

    def chains(self, rows: Sequence[int]) -> dict[int, Chain]:
        said: dict[int, list[Any]] = {}
        for found in self._in_chunks(
            f"SELECT row, {VERSION_COLUMNS} FROM versions WHERE row IN ({{}}) ORDER BY row, number",
            rows,
        ):
            for row, *version in found:
                said.setdefault(row, []).append(version)
        return {
            row: Chain(record_from(head, said.get(row, ())), lifetime_from(*lifetime))
            for found in self._in_chunks(f"{_CHAINS} WHERE row IN ({{}})", rows)
            for row, head, lifetime in ((each[0], each[1:5], each[5:]) for each in found)
        }

    def places(self, rows: Sequence[int]) -> dict[int, Namespace]:
        found = self._in_chunks("SELECT row, path FROM records WHERE row IN ({})", rows)
        return _places(pair for read in found for pair in read)

    def find(self, record_id: str) -> Stored | None:
        return self._one("WHERE records.id = ?", (record_id,))

    def head(self, namespace: Namespace, key: str) -> Stored | None:
        return self._one(_AT, (to_path(namespace), key))

    def heads(self, rows: Sequence[int]) -> list[Stored]:
        found = {
            each.row: each for read in self._by_row(_STORED, rows) for each in stored_from(read)
        }
        return [found[row] for row in rows if row in found]

    def shown(self, rows: Sequence[int]) -> list[Shown]:
        found = {each.row: each for read in self._by_row(_SHOWN, rows) for each in shown_from(read)}
        return [found[row] for row in rows if row in found]

    def shown_at(self, namespace: Namespace, key: str) -> Shown | None:
        found = self._sql.execute(_SHOWN + _AT, (to_path(namespace), key)).fetchone()
        return shown_from([found])[0] if found else None

    def vectors(self, rows: Sequence[int]) -> dict[int, Vectors]:
        blobs: dict[int, list[bytes]] = {}
        for read in self._in_chunks(
            "SELECT row, vector FROM vectors WHERE row IN ({}) ORDER BY row, part", rows
        ):
            for row, blob in read:
                blobs.setdefault(row, []).append(blob)
        found = {row: vectors_from(parts) for row, parts in blobs.items()}
        return {row: vectors for row, vectors in found.items() if vectors is not None}

    def first_vectors(self, rows: Sequence[int]) -> tuple[list[int], Vectors]:
        select = "SELECT row, vector FROM vectors WHERE row IN ({}) AND part = 0"
        found = [pair for read in self._in_chunks(select, rows) for pair in read]
        vectors = vectors_from([blob for _, blob in found])
        if vectors is None:
            return [], np.zeros((0, 0), dtype=np.float32)
        return [row for row, _ in found], vectors

    def texts(self, rows: Sequence[int]) -> dict[int, tuple[str, ...]]:
        return {
            row: tuple(loads(embedded))
            for read in self._in_chunks("SELECT row, embedded FROM texts WHERE row IN ({})", rows)
            for row, embedded in read
        }

    def told(self, row: int) -> tuple[tuple[str, ...], str | None]:
        query = "SELECT embedded, words FROM texts WHERE row = ?"
        found = self._sql.execute(query, (row,)).fetchone()
        return (tuple(loads(found[0])), found[1]) if found else ((), None)

    def use(self, row: int) -> Use | None:
        query = "SELECT hits, last_access FROM records WHERE row = ? AND last_access IS NOT NULL"
        found = self._sql.execute(query, (row,)).fetchone()
        return Use(found[0], from_micros(found[1])) if found else None

    def live(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        offset: int = 0, wanted: Mapping[str, Any] | None = None,
        holding: datetime | None = None,
    ) -> list[Stored]:  # fmt: skip
        return stored_from(self._listed(_STORED, prefix, now, limit, offset, wanted, holding))

    def page(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        offset: int = 0, wanted: Mapping[str, Any] | None = None,
        holding: datetime | None = None, judged: bool = True, among: Sequence[int] | None = None,
    ) -> list[Shown]:  # fmt: skip
        alone = is_alone(self._sql, prefix)
        found = self._listed(
            _SHOWN_ALONE if alone else _SHOWN, prefix, now, limit, offset, wanted, holding,
            judged=judged, among=among,
        )  # fmt: skip
        return shown_from(found, to_path(prefix) if alone else None)

    def live_rows(self, namespace: Namespace, *, limit: int | None = None) -> list[int]:
        found = self._sql.execute(
            "SELECT row FROM records WHERE path = ? AND live = 1 LIMIT ?",
            (to_path(namespace), -1 if limit is None else limit),
        )
        return [row for (row,) in found]

    def values(self, rows: Sequence[int]) -> dict[int, JsonObject]:
        found = self._in_chunks(
            f"SELECT row, {as_bytes('value')} FROM versions "
            "WHERE row IN ({}) AND superseded_at IS NULL AND value IS NOT NULL",
            rows,
        )
        return dict(_legible_values(pair for read in found for pair in read))

    def matching(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        wanted: Mapping[str, Any] | None = None, holding: datetime | None = None,
        judged: bool = True,
    ) -> list[int]:  # fmt: skip
        rows = f"SELECT records.row {_HEADS}"
        found = self._listed(rows, prefix, now, limit, 0, wanted, holding, judged=judged)
        return [row for (row,) in found]

    def meeting(self, rows: Sequence[int], wanted: Mapping[str, Any]) -> list[int]:
        with Loan(wanted) as number:
            where, values = met(wanted, number)
            found = self._sql.execute(
                f"""
                SELECT row FROM versions
                WHERE row IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL
                    AND {" AND ".join(where)}
                """,
                (dumps(list(rows)), *values),
            )
            return [row for (row,) in found]

    def indexed(self, wanted: Mapping[str, Any]) -> bool:
        return filter_index.answers(self._sql, wanted)

    def unsettled(self, prefix: Namespace) -> bool:
        return once(self._sql, ("unsettled", prefix), self._unsettled, prefix)

    def _unsettled(self, prefix: Namespace) -> bool:
        where, values = _under(prefix)
        where += ["live = 1", "unsettled = 1"]
        found = self._sql.execute(
            "SELECT 1 FROM records INDEXED BY records_unsettled "
            f"WHERE {' AND '.join(where)} LIMIT 1",
            values,
        )
        return found.fetchone() is not None

    def refuted(self, namespace: Namespace) -> list[int]:
        found = self._sql.execute(
            """
            SELECT row FROM records WHERE path = ?1 AND live = 0
            UNION ALL
            SELECT records.row FROM records INDEXED BY records_unsettled
            JOIN versions ON versions.row = records.row AND versions.number = records.head
            WHERE path = ?1 AND live = 1 AND unsettled = 1
                AND status IN ('invalidated', 'pending review')
            """,
            (to_path(namespace),),
        )
        return [row for (row,) in found]

    def namespaces(self, *, now: datetime | None) -> list[Namespace]:
        where, values = _live(now)
        found = self._sql.execute(
            f"SELECT DISTINCT path FROM records WHERE {' AND '.join(where)}", values
        )
        return _namespaces([path for (path,) in found])

    def count(self, prefix: Namespace, *, living: bool = False) -> int:
        where, values = _under(prefix)
        if living:
            where.append("live = 1")
        found = self._sql.execute(
            f"SELECT count(*) FROM records WHERE {' AND '.join(where) or '1'}", values
        )
        return int(found.fetchone()[0])

    def rows(self, prefix: Namespace, *, limit: int) -> list[int]:
        where, values = _under(prefix)
        found = self._sql.execute(
            f"SELECT row FROM records WHERE {' AND '.join(where) or '1'} LIMIT ?",
            (*values, limit),
        )
        return [row for (row,) in found]

    def crowd(self, namespace: Namespace, *, most: int) -> int:
        found = self._sql.execute(
            "SELECT count(*) FROM records WHERE path = ? AND live = 1", (to_path(namespace),)
        )
        return max(0, int(found.fetchone()[0]) - most)

    def idlest(self, namespace: Namespace, *, now: datetime, limit: int) -> list[int]:
        found = self._sql.execute(
            """
            SELECT row FROM records
            WHERE path = ? AND live = 1 AND NOT protected
            ORDER BY coalesce(expires_at <= ?, 0) DESC,
                max(updated_at, coalesce(last_access, 0)), row
            LIMIT ?
            """,
            (to_path(namespace), to_micros(now), limit),
        )
        return [row for (row,) in found]

    def expired(self, *, now: datetime, limit: int) -> list[int]:
        found = self._sql.execute(
            "SELECT row FROM records WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
            (to_micros(now), limit),
        )
        return [row for (row,) in found]

    def _listed(
        self, select: str, prefix: Namespace, now: datetime | None, limit: int | None,
        offset: int, wanted: Mapping[str, Any] | None, holding: datetime | None, *,
        judged: bool = True, among: Sequence[int] | None = None,
    ) -> list[Any]:  # fmt: skip
        """Return what is live, latest write first."""
        where, values = _live(now)
        with Loan(wanted or {}) as number:
            further, known = narrowed(
                self._sql, prefix, wanted, holding, number=number, judged=judged, among=among
            )
            return self._sql.execute(
                f"{select} WHERE {' AND '.join([*where, *further])} {_LATEST_FIRST} "
                "LIMIT ? OFFSET ?",
                (*values, *known, -1 if limit is None else limit, offset),
            ).fetchall()

    def _by_row(self, select: str, rows: Sequence[int]) -> Iterator[sqlite3.Cursor]:
        return self._in_chunks(f"{select} WHERE records.row IN ({{}})", rows)

    def _in_chunks(self, select: str, rows: Sequence[int]) -> Iterator[sqlite3.Cursor]:
        """Run a statement for rows, as many at a time as SQLite takes; ``{}`` stands for them."""
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            yield self._sql.execute(select.format(",".join("?" * len(chunk))), chunk)

    def _one(self, where: str, values: tuple[Any, ...]) -> Stored | None:
        found = self._sql.execute(_STORED + where, values).fetchone()
        return stored_from([found])[0] if found else None


def _legible_values(found: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, JsonObject]]:
    for row, value in found:
        with suppress(ValueError, TypeError):
            yield row, object_from(value.decode())


@sensible
def _places(found: Iterable[tuple[int, str]]) -> dict[int, Namespace]:
    return {row: from_path(path) for row, path in found}


@sensible
def _namespaces(paths: Sequence[str]) -> list[Namespace]:
    return sorted(map(from_path, paths))


def _under(prefix: Namespace) -> tuple[list[str], list[Any]]:
    span = path_range(prefix)
    return (["path >= ? AND path < ?"], list(span)) if span else ([], [])


def _live(now: datetime | None) -> Conditions:
    if now is None:
        return ["live = 1"], []
    return ["live = 1", "(expires_at IS NULL OR expires_at > ?)"], [to_micros(now)]
