"""The look at everything a database holds, and the repair of what is derived in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import ancestors, from_path, to_path
from langgraph_memory.ports import Heard, Vectors
from langgraph_memory.storage.sqlite import checks, namespaces
from langgraph_memory.storage.sqlite.codec import vector_blob
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.reindexing import (
    SPACE,
    TOLD_COLUMNS,
    TOLD_TABLES,
    space_from,
    told_from,
)

UNIT = 1e-3
"""How far from 1 a vector's length may be: float32 in another program's rounding."""


class SqliteAudit:
    """``ports.Audit`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def checks(self) -> list[Check]:
        return checks.all_checks(self._sql)

    def heard(self, *, after: int, limit: int) -> list[Heard]:
        found: list[Heard] = []
        while not found and (rows := self._live_after(after, limit)):
            for row in rows:
                with suppress(sqlite3.DatabaseError):  # told by the check of the records
                    found.append(self._heard(row))
            after = rows[-1]
        return found

    def full_text(self) -> Check:
        findings = Findings("full-text index", 1)
        try:
            self._sql.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        except sqlite3.DatabaseError:
            findings.add("derived", "words", "the index does not fit its own rows")
        return findings.check()

    def remake_full_text(self) -> None:
        there = {name for (name,) in self._sql.execute("SELECT name FROM sqlite_master")}
        for name, statement in checks.expected_indexes().items():
            if name not in there:
                self._sql.execute(statement)
        self._sql.execute("REINDEX")
        self._sql.execute("INSERT INTO words (words) VALUES ('rebuild')")

    def tell_words(self, row: int, head: int, tokens: Sequence[str]) -> bool:
        found = self._sql.execute(
            "SELECT path FROM records WHERE row = ? AND head = ? AND live = 1", (row, head)
        ).fetchone()
        if found is None:
            return False
        circles = namespaces.circles(self._sql, from_path(found[0]))
        self._sql.execute("DELETE FROM words WHERE rowid = ?", (row,))
        if tokens:
            self._sql.execute(
                "INSERT INTO words (rowid, circles, body) VALUES (?, ?, ?)",
                (row, " ".join(map(str, circles)), " ".join(tokens)),
            )
        self._sql.execute("UPDATE records SET tokens = ? WHERE row = ?", (len(tokens), row))
        self._sql.execute("INSERT INTO outbox (row) VALUES (?)", (row,))
        return True

    def tell_vectors(self, row: int, head: int, vectors: Vectors | None) -> bool:
        if not self._sql.execute(
            "SELECT 1 FROM records WHERE row = ? AND head = ? AND live = 1", (row, head)
        ).fetchone():
            return False
        given = () if vectors is None else vectors
        self._sql.execute("DELETE FROM vectors WHERE row = ?", (row,))
        self._sql.executemany(
            "INSERT INTO vectors (row, part, vector) VALUES (?, ?, ?)",
            [(row, part, vector_blob(each)) for part, each in enumerate(given)],
        )
        self._sql.execute("INSERT INTO outbox (row) VALUES (?)", (row,))
        return True

    def tidy(self) -> int:
        changed = self._add_namespaces()
        for table, column in checks.DERIVED:
            rows = checks.leftover(self._sql, table, column)
            self._sql.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)
            if table == "vectors":
                self._sql.executemany("INSERT INTO outbox (row) VALUES (?)", rows)
            changed += len(rows)
        changed += self._sql.execute(
            "UPDATE records SET tokens = 0 WHERE live = 0 AND tokens != 0"
        ).rowcount
        changed += self._sql.execute(
            f"UPDATE records SET unsettled = {checks.UNSETTLED} "
            f"WHERE unsettled != {checks.UNSETTLED}"
        ).rowcount
        if not checks.announcements(self._sql).well:
            SqliteOutbox(self._sql).restart()
            changed += 1
        return changed

    def _live_after(self, after: int, limit: int) -> list[int]:
        found = self._sql.execute(
            "SELECT row FROM records WHERE row > ? AND live = 1 ORDER BY row LIMIT ?",
            (after, limit),
        )
        return [row for (row,) in found]

    @sensible
    def _heard(self, row: int) -> Heard:
        *told, length, circles, body = self._sql.execute(
            f"""
            SELECT {TOLD_COLUMNS}, records.tokens, words.circles, words.body
            FROM {TOLD_TABLES}
            LEFT JOIN words ON words.rowid = records.row
            WHERE records.row = ?
            """,
            (row,),
        ).fetchone() or checks.missing(row)
        known = told_from(told)
        expected = namespaces.circles(self._sql, known.namespace)
        parts = self._sql.execute(
            "SELECT part, vector FROM vectors WHERE row = ? ORDER BY part", (row,)
        ).fetchall()
        return Heard(
            told=known,
            words=None if body is None else tuple(body.split(" ")),
            length=length,
            placed=body is None or sorted(circles.split(" ")) == sorted(map(str, expected)),
            vectors=len(parts),
            sound=self._sound(parts),
        )

    def _sound(self, parts: Sequence[tuple[int, Any]]) -> bool:
        if [part for part, _ in parts] != list(range(len(parts))):
            return False
        bound = self._sql.execute("SELECT value FROM settings WHERE name = ?", (SPACE,)).fetchone()
        size = 4 * space_from(bound[0]).dims if bound else -1
        return all(isinstance(blob, bytes) and _is_unit(blob, size) for _, blob in parts)

    def _add_namespaces(self) -> int:
        """Give every record's namespace its number back, and each above it one."""
        changed = self._sql.execute(
            """
            INSERT OR IGNORE INTO namespaces (id, path)
            SELECT DISTINCT namespace, path FROM records
            WHERE namespace NOT IN (SELECT id FROM namespaces)
            """
        ).rowcount
        paths = [path for (path,) in self._sql.execute("SELECT DISTINCT path FROM records")]
        wanted = {to_path(each) for path in paths for each in ancestors(from_path(path))}
        changed += self._sql.executemany(
            "INSERT OR IGNORE INTO namespaces (path) VALUES (?)", [(each,) for each in wanted]
        ).rowcount
        changed += self._sql.execute(
            """
            UPDATE OR IGNORE records
            SET namespace = (SELECT id FROM namespaces WHERE namespaces.path = records.path)
            WHERE namespace NOT IN (SELECT id FROM namespaces)
            """
        ).rowcount
        empty = len(checks.empty_namespaces(self._sql))
        namespaces.forget_empty(self._sql)
        return changed + empty


def _is_unit(blob: bytes, size: int) -> bool:
    if len(blob) != size:
        return False
    norm = float(np.linalg.norm(np.frombuffer(blob, dtype="<f4")))
    return norm == 0.0 or abs(norm - 1.0) <= UNIT  # NaN is neither
