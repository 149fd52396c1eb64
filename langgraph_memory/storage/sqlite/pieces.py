"""What is kept of the word pieces of statements: one row a record, derived from its texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np

from langgraph_memory.domain.namespace import path_range
from langgraph_memory.domain.scope import ROOT
from langgraph_memory.ports import Signs, Told
from langgraph_memory.storage.sqlite.reindexing import TOLD_COLUMNS, TOLD_TABLES, told_from

_INSERT = "INSERT OR REPLACE INTO pieces (row, width, signs)"
_CHUNK = 500


class SqlitePieces:
    """``ports.Pieces`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def of(self, rows: Sequence[int]) -> dict[int, Signs]:
        return {
            row: np.frombuffer(signs, dtype=np.uint8).reshape(-1, width)
            for row, width, signs in self._found(rows)
            if signs and width > 0 and len(signs) % width == 0
        }

    def keep(self, row: int, head: int, signs: Signs) -> None:
        self._sql.execute(
            f"{_INSERT} SELECT row, ?, ? FROM records WHERE row = ? AND head = ? AND live = 1",
            (*_cells(signs), row, head),
        )

    def owed(self, *, limit: int) -> list[Told]:
        found = self._sql.execute(
            f"""
            SELECT {TOLD_COLUMNS}
            FROM {TOLD_TABLES}
            WHERE live = 1 AND path >= ? AND path < ? AND embedded != '[]'
                AND NOT EXISTS (SELECT 1 FROM pieces WHERE pieces.row = records.row)
            ORDER BY records.row
            LIMIT ?
            """,
            (*(path_range((ROOT,)) or ()), limit),
        )
        return [told_from(each) for each in found]

    def _found(self, rows: Sequence[int]) -> Iterator[tuple[int, int, bytes]]:
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            yield from self._sql.execute(
                f"SELECT row, width, signs FROM pieces WHERE row IN ({marks})", chunk
            )


def save_pieces(sql: sqlite3.Connection, row: int, signs: Signs) -> None:
    """Write the pieces of a record that has none."""
    sql.execute(f"{_INSERT} VALUES (?, ?, ?)", (row, *_cells(signs)))


def _cells(signs: Signs) -> tuple[int, bytes]:
    return signs.shape[1], signs.tobytes()
