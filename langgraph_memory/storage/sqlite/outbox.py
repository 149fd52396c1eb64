"""The queue from the truth to its indexes: one row a change, read in order, pruned behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from langgraph_memory.domain.namespace import from_path
from langgraph_memory.ports import OutboxRow
from langgraph_memory.storage.sqlite.codec import vectors_from
from langgraph_memory.storage.sqlite.problems import sensible

KEPT = 10_000
"""Announcements kept for mirrors in other processes; who is further behind reloads."""

_FLOOR = "outbox_floor"
_CHUNK = 500


class SqliteOutbox:
    """``ports.Outbox`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def last(self) -> int:
        found = self._sql.execute(
            "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'"
        ).fetchone()
        return int(found[0]) if found else 0

    @sensible
    def floor(self) -> int:
        found = self._sql.execute("SELECT value FROM settings WHERE name = ?", (_FLOOR,)).fetchone()
        return int(found[0]) if found else 0

    def after(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        return [self._with_vectors(*each) for each in self._announced(sequence, limit)]

    def changed(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        return [
            OutboxRow(number, row, None if path is None else from_path(path), None)
            for number, row, path in self._announced(sequence, limit)
        ]

    def _announced(self, sequence: int, limit: int) -> list[Any]:
        return self._sql.execute(
            """
            SELECT max(taken.sequence), taken.row, records.path
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
                """
                SELECT vectors.row, path, vector
                FROM vectors JOIN records ON records.row = vectors.row
                WHERE vectors.row BETWEEN ? AND ?
                ORDER BY vectors.row, part
                """,
                (rows[start], rows[start : start + _CHUNK][-1]),
            ).fetchall()
            for (row, path), parts in groupby(found, itemgetter(0, 1)):
                blobs = [blob for _, _, blob in parts]
                yield OutboxRow(last, row, from_path(path), vectors_from(blobs))

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
                "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (_FLOOR, floor)
            )

    def restart(self) -> None:
        (highest,) = self._sql.execute(
            """
            SELECT max(
                coalesce((SELECT max(sequence) FROM outbox), 0),
                coalesce((SELECT max(sequence) FROM followers), 0)
            )
            """
        ).fetchone()
        floor = max(self.last(), self.floor(), highest) + 1
        self._sql.execute("INSERT INTO outbox (sequence, row) VALUES (?, 0)", (floor,))
        self._sql.execute("DELETE FROM outbox")  # the number stays taken
        self._sql.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (_FLOOR, floor)
        )

    @sensible
    def _with_vectors(self, sequence: int, row: int, path: str | None) -> OutboxRow:
        blobs = self._sql.execute(
            "SELECT vector FROM vectors WHERE row = ? ORDER BY part", (row,)
        ).fetchall()
        namespace = None if path is None else from_path(path)
        return OutboxRow(sequence, row, namespace, vectors_from([blob for (blob,) in blobs]))
