"""The queue from the truth to its indexes: one row a change, read in order, pruned behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any

from langgraph_memory.ports import OutboxRow
from langgraph_memory.storage.sqlite.codec import vectors_from
from langgraph_memory.storage.sqlite.legible import as_bytes, place_of, setting
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.sealing import INTACT
from langgraph_memory.storage.sqlite.standing import once

KEPT = 10_000
"""Announcements kept for mirrors in other processes; who is further behind reloads."""

FLOOR = "outbox_floor"
_NEVER = 2**62
"""No outbox has come so far: a number past it is damage."""
_CHUNK = 500
_PATH = as_bytes("records.path")


class SqliteOutbox:
    """``ports.Outbox`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection
        self._heard: tuple[tuple[int, int, int], list[Any]] | None = None

    def last(self) -> int:
        return once(self._sql, "last", self._last)

    def _last(self) -> int:
        found = self._sql.execute(
            "SELECT CAST(coalesce(seq, 0) AS INTEGER) FROM sqlite_sequence WHERE name = 'outbox'"
        ).fetchone()
        return int(found[0]) if found else 0

    def floor(self) -> int:
        return once(self._sql, "floor", self._floor)

    def _floor(self) -> int:
        noted = setting(self._sql, FLOOR)
        with suppress(ValueError):
            return 0 if noted is None else int(noted)
        return self.last()  # nobody knows what was pruned: every mirror reloads

    def after(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        return [self._with_vectors(*each) for each in self._announced(sequence, limit)]

    def changed(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        return [
            OutboxRow(number, row, place_of(path), None)
            for number, row, path in self._announced(sequence, limit)
        ]

    def _announced(self, sequence: int, limit: int) -> list[Any]:
        """Return what was announced; after a write both mirrors ask the same, in turn."""
        asked = (sequence, limit, self._sql.total_changes)
        if self._heard is None or self._heard[0] != asked:
            self._heard = (asked, self._read_announced(sequence, limit))
        return self._heard[1]

    def _read_announced(self, sequence: int, limit: int) -> list[Any]:
        return self._sql.execute(
            f"""
            SELECT max(taken.sequence), taken.row, {_PATH}
            FROM (SELECT sequence, row FROM outbox WHERE sequence > ? ORDER BY sequence LIMIT ?)
                AS taken
            LEFT JOIN records ON records.row = taken.row
            GROUP BY taken.row
            ORDER BY max(taken.sequence)
            """,
            (sequence, limit),
        ).fetchall()

    def snapshot(self) -> Iterator[OutboxRow]:
        last = self.last()
        rows = [
            row for (row,) in self._sql.execute("SELECT DISTINCT row FROM vectors ORDER BY row")
        ]
        # Chunk by chunk: a statement that is left half read would keep its connection at this
        # view, and the next reader of the connection would see old times.
        for start in range(0, len(rows), _CHUNK):
            found = self._sql.execute(
                f"""
                SELECT vectors.row, {_PATH}, vector
                FROM vectors JOIN records ON records.row = vectors.row
                WHERE vectors.row BETWEEN ? AND ?
                ORDER BY vectors.row, part
                """,
                (rows[start], rows[start : start + _CHUNK][-1]),
            ).fetchall()
            for (row, path), parts in groupby(found, itemgetter(0, 1)):
                blobs = [blob for _, _, blob in parts]
                if (place := place_of(path)) is not None:
                    yield OutboxRow(last, row, place, vectors_from(blobs))

    def followed(self, follower: str) -> int:
        found = self._sql.execute(
            "SELECT sequence FROM followers WHERE name = ?", (follower,)
        ).fetchone()
        return int(found[0]) if found else 0

    def follow(self, follower: str, sequence: int) -> None:
        self._sql.execute(
            "INSERT OR REPLACE INTO followers (name, sequence) VALUES (?, ?)",
            (follower, sequence),
        )
        slowest = self._sql.execute("SELECT min(sequence) FROM followers").fetchone()[0]
        floor = min(slowest, self.last() - KEPT)
        if floor > self.floor():
            self._sql.execute("DELETE FROM outbox WHERE sequence <= ?", (floor,))
            self._sql.execute(
                "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (FLOOR, floor)
            )

    def restart(self) -> None:
        floor = self.newest_known() + 1
        self._sql.execute("UPDATE sqlite_sequence SET seq = 0 WHERE typeof(seq) != 'integer'")
        self._sql.execute("INSERT INTO outbox (sequence, row) VALUES (?, 0)", (floor,))
        self._sql.execute("DELETE FROM outbox")  # the number stays taken
        self._sql.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (FLOOR, floor)
        )

    def newest_known(self) -> int:
        """Return the highest number that anything here speaks of, whatever else is lost."""
        found = self._sql.execute(
            f"""
            SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'outbox'
            UNION ALL SELECT max(sequence) FROM outbox
            UNION ALL SELECT max(sequence) FROM followers WHERE typeof(sequence) = 'integer'
            UNION ALL SELECT CAST(value AS INTEGER) FROM settings WHERE name = '{FLOOR}'
            UNION ALL SELECT max(announced) FROM seals WHERE {INTACT}
            """
        )
        numbers = [int(each) for (each,) in found if str(each).isdecimal()]
        return max((each for each in numbers if each < _NEVER), default=0)

    @sensible
    def _with_vectors(self, sequence: int, row: int, path: bytes | None) -> OutboxRow:
        blobs = self._sql.execute(
            "SELECT vector FROM vectors WHERE row = ? ORDER BY part", (row,)
        ).fetchall()
        vectors = vectors_from([blob for (blob,) in blobs])
        return OutboxRow(sequence, row, place_of(path), vectors)
