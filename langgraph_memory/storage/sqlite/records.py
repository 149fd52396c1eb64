"""Records and their chains as they are written, with the words and vectors of their heads."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import Namespace, to_path
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.errors import VersionConflictError
from langgraph_memory.ports import IndexEntry, Lifetime, Stored, Use
from langgraph_memory.storage.sqlite import namespaces
from langgraph_memory.storage.sqlite.codec import (
    LAST_MICROS,
    VERSION_COLUMNS,
    maybe_micros,
    sealed,
    to_micros,
    vector_blob,
    version_row,
)
from langgraph_memory.storage.sqlite.pieces import save_pieces
from langgraph_memory.storage.sqlite.record_reads import RecordReads


class SqliteRecords(RecordReads):
    """``ports.Records`` inside one transaction."""

    def save(self, record: Record, *, known: int, entry: IndexEntry, lifetime: Lifetime) -> Stored:
        if record.head.value is None:
            entry = IndexEntry()
        row = self._save_head(record, known, entry, lifetime)
        if record.head.value is None:
            self._sql.execute("DELETE FROM trials WHERE row = ?", (row,))
        self._save_versions(row, record, known)
        self._save_entry(row, record.namespace, entry, fresh=known == 0)
        self._announce([row])
        return Stored(
            row, record.id, record.namespace, record.key, record.created_at, record.head, lifetime
        )

    def amend(self, stored: Stored, version: Version, lifetime: Lifetime) -> None:
        cells = (stored.row, *version_row(version))
        self._sql.execute(
            "UPDATE versions SET provenance = ?, own = ? WHERE row = ? AND number = ?",
            (cells[-1], sealed(cells), stored.row, version.number),
        )
        self._sql.execute(
            "UPDATE records SET ttl_minutes = ?, expires_at = ?, protected = ? WHERE row = ?",
            (
                lifetime.ttl_minutes,
                maybe_micros(lifetime.expires_at),
                lifetime.protected,
                stored.row,
            ),
        )

    def trim(self, row: int, *, keep: int) -> None:
        self._sql.execute(
            "DELETE FROM versions WHERE row = ?1 AND number <= "
            "(SELECT head FROM records WHERE row = ?1) - ?2",
            (row, keep),
        )

    def refresh(self, rows: Sequence[int], *, now: datetime) -> None:
        self._sql.executemany(
            """
            UPDATE records
            SET expires_at = CAST(min(? + round(ttl_minutes * 60000000), ?) AS INTEGER)
            WHERE row = ? AND ttl_minutes IS NOT NULL
            """,
            [(to_micros(now), LAST_MICROS, row) for row in rows],
        )

    def touch(self, used: Mapping[int, Use]) -> None:
        self._sql.executemany(
            """
            UPDATE records
            SET hits = hits + ?, last_access = max(coalesce(last_access, 0), ?)
            WHERE row = ?
            """,
            [(use.hits, to_micros(use.last), row) for row, use in used.items()],
        )

    def erase(self, rows: Sequence[int]) -> None:
        each = [(row,) for row in rows]
        for table, column in _PARTS:
            self._sql.executemany(f"DELETE FROM {table} WHERE {column} = ?", each)
        namespaces.forget_empty(self._sql)
        self._announce(rows)

    def _save_head(self, record: Record, known: int, entry: IndexEntry, lifetime: Lifetime) -> int:
        mutable = {
            "head": record.head.number,
            "live": record.head.value is not None,
            "created_at": to_micros(record.created_at),
            "updated_at": to_micros(record.head.recorded_at),
            "tokens": len(entry.tokens),
            "ttl_minutes": lifetime.ttl_minutes,
            "expires_at": maybe_micros(lifetime.expires_at),
            "protected": lifetime.protected,
            "unsettled": _unsettled(record.head),
        }
        if known == 0:
            return self._insert_head(record, mutable)
        return self._update_head(record, known, mutable)

    def _insert_head(self, record: Record, mutable: dict[str, Any]) -> int:
        columns = {
            "id": record.id,
            "namespace": namespaces.ensure(self._sql, record.namespace),
            "path": to_path(record.namespace),
            "key": record.key,
            **mutable,
        }
        marks = ",".join("?" * len(columns))
        try:
            cursor = self._sql.execute(
                f"INSERT INTO records ({','.join(columns)}) VALUES ({marks})",
                tuple(columns.values()),
            )
        except sqlite3.IntegrityError:
            if stored := self.head(record.namespace, record.key):
                raise VersionConflictError(
                    record.namespace, record.key, 0, stored.head.number
                ) from None
            raise
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _update_head(self, record: Record, known: int, mutable: dict[str, Any]) -> int:
        found = self._sql.execute(
            "SELECT row, head FROM records WHERE id = ?", (record.id,)
        ).fetchone()
        if found is None or found[1] != known:
            actual = found[1] if found else 0
            raise VersionConflictError(record.namespace, record.key, known, actual)
        assignments = ", ".join(f"{column} = ?" for column in mutable)
        self._sql.execute(
            f"UPDATE records SET {assignments} WHERE row = ?", (*mutable.values(), found[0])
        )
        return int(found[0])

    def _save_versions(self, row: int, record: Record, known: int) -> None:
        for version in record.versions:
            if version.number == known:
                self._sql.execute(
                    """
                    UPDATE versions SET superseded_at = ?, status = ?
                    WHERE row = ? AND number = ?
                    """,
                    (maybe_micros(version.superseded_at), version.status.value, row, known),
                )
            elif version.number > known:
                cells = (row, *version_row(version))
                self._sql.execute(_INSERT_VERSION, (*cells, sealed(cells)))

    def _save_entry(
        self, row: int, namespace: Namespace, entry: IndexEntry, *, fresh: bool
    ) -> None:
        if not fresh:
            for table, column in _ENTRY_PARTS:
                self._sql.execute(f"DELETE FROM {table} WHERE {column} = ?", (row,))
        if entry.texts or entry.spoken:
            self._sql.execute(
                "INSERT INTO texts (row, embedded, words) VALUES (?, ?, ?)",
                (row, dumps(entry.texts), entry.spoken),
            )
        if entry.tokens:
            circles = namespaces.circles(self._sql, namespace)
            self._sql.execute(
                "INSERT INTO words (rowid, circles, body) VALUES (?, ?, ?)",
                (row, " ".join(map(str, circles)), " ".join(entry.tokens)),
            )
        if entry.vectors is not None:
            self._sql.executemany(
                "INSERT INTO vectors (row, part, vector) VALUES (?, ?, ?)",
                [(row, part, vector_blob(each)) for part, each in enumerate(entry.vectors)],
            )
        if entry.pieces is not None:
            save_pieces(self._sql, row, entry.pieces)

    def _announce(self, rows: Sequence[int]) -> None:
        self._sql.executemany("INSERT INTO outbox (row) VALUES (?)", [(row,) for row in rows])


_INSERT_VERSION = f"INSERT INTO versions (row, {VERSION_COLUMNS}, own) VALUES (?,?,?,?,?,?,?,?,?,?)"
_ENTRY_PARTS = (
    ("words", "rowid"), ("vectors", "row"), ("pieces", "row"), ("texts", "row"),
    ("next_vectors", "row"),
)  # fmt: skip
_PARTS = (*_ENTRY_PARTS, ("trials", "row"), ("versions", "row"), ("records", "row"))


def _unsettled(head: Version) -> bool:
    simple = head.valid == Interval() and head.status in (Status.ACTIVE, Status.DELETED)
    return not simple
