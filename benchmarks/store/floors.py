"""The least that each row could cost on this machine.

Writes: one transaction in WAL, on a copy of our own file, that writes the rows one of our puts
writes, with SQLite's other settings as they come. Searches: a scan of the vectors in blocks of
at most 1,024 rows, then decoding ten items that are in memory already. Reads without a query:
the statement that finds the items, then decoding them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.store.contenders import Calls, key
from benchmarks.store.corpus import Corpus, namespace, span
from benchmarks.store.rows import BATCH, LIMIT, Row

BLOCK = 1_024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PARTS = (("versions", "row"), ("vectors", "row"), ("texts", "row"), ("words", "rowid"))
_SEARCHED = ("vectors", "texts", "words")
"""What is written anew when a record gets another version."""

_HEAD = """
    SELECT value, created_at, recorded_at
    FROM records
    JOIN versions ON versions.row = records.row AND versions.number = records.head
"""

Found = tuple[Any, datetime, datetime]


class Floor:
    """Plain SQL and plain numpy, stepped through the rows like a store."""

    _sql: sqlite3.Connection

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self._corpus = corpus
        self._home = folder / "home" / "memory.sqlite"
        self._file = folder / "floor.sqlite"
        self._chance = Random(1)
        self._serial = 0
        self._filled = 0

    def fill(self, start: int, stop: int, *, seconds: float) -> bool:
        """Copy the file that our store has just filled."""
        self.close()
        for path in self._file.parent.glob(self._file.name + "*"):
            path.unlink()
        self._sql = sqlite3.connect(self._file, isolation_level=None)
        source = sqlite3.connect(self._home)
        source.backup(self._sql)
        source.close()
        self._sql.execute("PRAGMA journal_mode = WAL")
        self._filled = stop
        self._matrix = np.array(self._corpus.vectors[:stop])
        self._kept = [
            (json.dumps(self._corpus.value(item)), 1_700_000_000_000_000 + item)
            for item in range(stop)
        ]
        self._template = self._rows_of_a_put()
        return True

    def calls(self, row: Row) -> Calls:
        if row.writes:
            self._sql.execute(f"PRAGMA synchronous = {row.sync}")
        while True:
            yield self._call(row)

    def close(self) -> None:
        if self._filled:
            self._sql.close()

    def _call(self, row: Row) -> Callable[[], Any]:
        match row.act:
            case "put":
                return partial(self._commit, self._put_statements(1))
            case "batch":
                return partial(self._commit, self._put_statements(BATCH))
            case "update":
                return partial(self._commit, self._update_statements())
            case "get":
                item = self._chance.randrange(self._filled)
                where = "WHERE namespace = (SELECT id FROM namespaces WHERE path = ?) AND key = ?"
                return partial(self._read, where, (_path(namespace(item)), key(item)))
            case _ if row.asks is None:
                where = "path = ? AND live = 1" if row.prefix else "live = 1"
                values = (_path(row.prefix),) if row.prefix else ()
                where = f"WHERE {where} ORDER BY updated_at DESC LIMIT {LIMIT}"
                return partial(self._read, where, values)
            case _:
                return self._search(row)

    # --- Writing --------------------------------------------------------------------------

    def _commit(self, statements: list[tuple[str, tuple[Any, ...]]]) -> None:
        execute = self._sql.execute
        execute("BEGIN IMMEDIATE")
        for statement, values in statements:
            execute(statement, values)
        execute("COMMIT")

    def _rows_of_a_put(self) -> dict[str, list[dict[str, Any]]]:
        """Return, for each table, the rows that stand for one item."""
        self._sql.row_factory = sqlite3.Row
        where = "row = (SELECT max(row) FROM records)"
        rows = {"records": self._sql.execute(f"SELECT * FROM records WHERE {where}").fetchall()}
        number = rows["records"][0]["row"]
        for table, column in _PARTS:
            rows[table] = self._sql.execute(
                f"SELECT {column}, * FROM {table} WHERE {column} = ?", (number,)
            ).fetchall()
        self._sql.row_factory = None
        return {table: [dict(each) for each in found] for table, found in rows.items()}

    def _put_statements(self, count: int) -> list[tuple[str, tuple[Any, ...]]]:
        highest = self._sql.execute("SELECT max(row) FROM records").fetchone()[0]
        statements = []
        for number in range(highest + 1, highest + 1 + count):
            self._serial += 1
            named = {"row": number, "id": f"{self._serial:020x}", "key": f"new-{self._serial}"}
            statements += [_insert("records", self._template["records"][0] | named)]
            statements += self._parts(number, [table for table, _ in _PARTS])
            statements += [("INSERT INTO outbox (row) VALUES (?)", (number,))]
        return statements

    def _update_statements(self) -> list[tuple[str, tuple[Any, ...]]]:
        number = 1 + self._chance.randrange(self._filled)
        head = self._sql.execute("SELECT head FROM records WHERE row = ?", (number,)).fetchone()[0]
        now = 1_800_000_000_000_000 + self._serial
        grown = self._template["versions"][0] | {"row": number, "number": head + 1}
        return [
            ("UPDATE records SET head = ?, updated_at = ? WHERE row = ?", (head + 1, now, number)),
            (
                "UPDATE versions SET superseded_at = ?, status = ? WHERE row = ? AND number = ?",
                (now, "superseded", number, head),
            ),
            _insert("versions", grown),
            *[
                (f"DELETE FROM {table} WHERE {column} = ?", (number,))
                for table, column in _PARTS
                if table in _SEARCHED
            ],
            *self._parts(number, _SEARCHED),
            ("INSERT INTO outbox (row) VALUES (?)", (number,)),
        ]

    def _parts(self, number: int, tables: Any) -> list[tuple[str, tuple[Any, ...]]]:
        columns = dict(_PARTS)
        return [
            _insert(table, each | {columns[table]: number})
            for table in tables
            for each in self._template[table]
        ]

    # --- Reading --------------------------------------------------------------------------

    def _read(self, where: str, values: tuple[Any, ...]) -> list[Found]:
        return [_decoded(*each) for each in self._sql.execute(_HEAD + where, values)]

    def _search(self, row: Row) -> Callable[[], Any]:
        self._serial += 1
        query = self._corpus.vector(self._corpus.question(self._serial, words=False))
        items = span(row.scope) if row.scope else range(self._filled)
        matrix = self._matrix[items.start : items.stop]
        return partial(self._nearest, matrix, np.array(query), items.start)

    def _nearest(
        self, matrix: npt.NDArray[np.float32], query: npt.NDArray[np.float32], first: int
    ) -> list[Found]:
        return [
            _decoded(*self._kept[first + line], self._kept[first + line][1])
            for line in scan(matrix, query)
        ]


def scan(matrix: npt.NDArray[np.float32], query: npt.NDArray[np.float32]) -> list[int]:
    """Return the lines with the highest cosines, best first."""
    cosines = np.empty(len(matrix), dtype=np.float32)
    for start in range(0, len(matrix), BLOCK):
        np.dot(matrix[start : start + BLOCK], query, out=cosines[start : start + BLOCK])
    best = np.argpartition(cosines, -LIMIT)[-LIMIT:]
    lines: list[int] = best[np.argsort(-cosines[best])].tolist()
    return lines


def _insert(table: str, row: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    marks = ",".join("?" * len(row))
    return f"INSERT INTO {table} ({','.join(row)}) VALUES ({marks})", tuple(row.values())


def _decoded(value: str, created: int, updated: int) -> Found:
    return json.loads(value), _instant(created), _instant(updated)


def _instant(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def _path(prefix: tuple[str, ...]) -> str:
    return "".join(label + "." for label in prefix)
