"""The move to another embedding space: vectors are prepared beside the present ones.

A prepared record carries the number of the version its vectors were made from. A write
removes them in its own transaction, and the number is compared once more at the switch: what
was made from an older version never counts. A record that the new embedder cannot read is
prepared by an empty vector, so that it is not asked for again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from langgraph_memory.domain.json import dumps, loads
from langgraph_memory.domain.namespace import from_path
from langgraph_memory.ports import Space, Told, Vectors
from langgraph_memory.storage.sqlite.codec import vector_blob
from langgraph_memory.storage.sqlite.legible import setting
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.problems import SenselessRowError, sensible
from langgraph_memory.storage.sqlite.sealing import drop_misprepared, seal, seal_prepared

SPACE = "space"
GOAL = "next_space"
_NOTHING = b""

TOLD_COLUMNS = """
    records.row, records.id, records.path, records.key, records.head, value, embedded, texts.words
"""
TOLD_TABLES = """
    records
    JOIN versions ON versions.row = records.row AND versions.number = records.head
    LEFT JOIN texts ON texts.row = records.row
"""

_TO_PREPARE = """
    live = 1 AND (
        EXISTS (SELECT 1 FROM texts WHERE texts.row = records.row AND embedded != '[]')
        OR EXISTS (SELECT 1 FROM vectors WHERE vectors.row = records.row)
    )
"""
_PREPARED = """
    EXISTS (
        SELECT 1 FROM next_vectors
        WHERE next_vectors.row = records.row AND next_vectors.head = records.head
    )
"""


class SqliteReindexing:
    """``ports.Reindexing`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def goal(self) -> Space | None:
        noted = setting(self._sql, GOAL)
        with suppress(SenselessRowError):
            return None if noted is None else space_from(noted)
        return None

    def begin(self, space: Space) -> None:
        if self.goal() != space:
            self.abandon()
            self._set(GOAL, space)

    def abandon(self) -> None:
        self._sql.execute("DELETE FROM next_vectors")
        self._sql.execute("UPDATE seals SET next = NULL WHERE next IS NOT NULL")
        self._sql.execute("DELETE FROM settings WHERE name = ?", (GOAL,))

    def count(self) -> tuple[int, int]:
        prepared, total = self._sql.execute(
            f"SELECT coalesce(sum({_PREPARED}), 0), count(*) FROM records WHERE {_TO_PREPARE}"
        ).fetchone()
        return prepared, total

    def owed(self, *, after: int, limit: int) -> list[Told]:
        found = self._sql.execute(
            f"""
            SELECT {TOLD_COLUMNS}
            FROM {TOLD_TABLES}
            WHERE records.row > ? AND {_TO_PREPARE} AND NOT {_PREPARED}
            ORDER BY records.row
            LIMIT ?
            """,
            (after, limit),
        )
        return [told_from(each) for each in found]

    def prepare(self, row: int, head: int, vectors: Vectors | None) -> None:
        self._sql.execute("DELETE FROM next_vectors WHERE row = ?", (row,))
        blobs = [_NOTHING] if vectors is None else [vector_blob(each) for each in vectors]
        self._sql.executemany(
            """
            INSERT INTO next_vectors (row, part, head, vector)
            SELECT row, ?, head, ? FROM records WHERE row = ? AND head = ? AND live = 1
            """,
            [(part, blob, row, head) for part, blob in enumerate(blobs)],
        )
        seal_prepared(self._sql, row)

    def switch(self) -> bool:
        goal = self.goal()
        drop_misprepared(self._sql)
        if goal is None or self.owed(after=0, limit=1):
            return False
        self._sql.execute("DELETE FROM vectors")
        self._sql.execute("DELETE FROM pieces")
        self._sql.execute(
            """
            INSERT INTO vectors (row, part, vector)
            SELECT next_vectors.row, part, vector
            FROM next_vectors JOIN records ON records.row = next_vectors.row
            WHERE length(vector) > 0 AND next_vectors.head = records.head AND live = 1
            ORDER BY next_vectors.row, part
            """
        )
        self.abandon()
        self._set(SPACE, goal)
        seal(self._sql, None, texts=False)
        SqliteOutbox(self._sql).restart()
        return True

    def _set(self, name: str, space: Space) -> None:
        self._sql.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
            (name, dumps([space.model_id, space.dims])),
        )


@lru_cache(maxsize=16)
@sensible
def space_from(text: str) -> Space:
    """Return the space of a stored setting."""
    model_id, dims = loads(text)
    if not isinstance(model_id, str) or type(dims) is not int or dims < 1:
        raise ValueError("no space")
    return Space(model_id, dims)


@sensible
def told_from(row: Sequence[Any]) -> Told:
    """Return what search was told, of a row in the order of ``TOLD_COLUMNS``."""
    number, record_id, path, key, head, value, embedded, spoken = row
    said: Any = loads(value)
    texts = None if embedded is None else tuple(loads(embedded))
    if not isinstance(said, dict) or not all(isinstance(each, str) for each in texts or ()):
        raise TypeError("a value that is no dictionary, or a text that is none")
    return Told(number, record_id, from_path(path), key, head, said, texts, spoken)
