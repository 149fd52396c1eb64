"""Records that leave their seals with each write: see ``sealing`` for what those are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import to_path
from langgraph_memory.domain.record import Record, Version
from langgraph_memory.ports import IndexEntry, Lifetime, Stored
from langgraph_memory.storage.sqlite.codec import to_micros, vector_blob
from langgraph_memory.storage.sqlite.hashes import digest, together, told
from langgraph_memory.storage.sqlite.legible import text_of
from langgraph_memory.storage.sqlite.records import SqliteRecords
from langgraph_memory.storage.sqlite.sealing import INTACT, SEAL_VERSIONS, SEALED


class SealedRecords(SqliteRecords):
    """``ports.Records``, each write of which leaves a seal in the same transaction."""

    def save(self, record: Record, *, known: int, entry: IndexEntry, lifetime: Lifetime) -> Stored:
        stored = super().save(record, known=known, entry=entry, lifetime=lifetime)
        self._seal(stored, IndexEntry() if record.head.value is None else entry)
        return stored

    def erase(self, rows: Sequence[int]) -> None:
        super().erase(rows)
        self._sql.executemany("DELETE FROM seals WHERE row = ?", [(row,) for row in rows])

    def amend(self, stored: Stored, version: Version, lifetime: Lifetime) -> None:
        super().amend(stored, version, lifetime)
        self._reseal(stored.row, papers=papers(stored, lifetime))

    def trim(self, row: int, *, keep: int) -> None:
        super().trim(row, keep=keep)
        self._reseal(row, keep=keep)

    def _seal(self, stored: Stored, entry: IndexEntry) -> None:
        """Do what :func:`seal` does, of what is at hand: a write is half as long again without."""
        row, head, noted = stored.row, stored.head, bool(entry.texts or entry.spoken)
        announced, named, oldest, first = self._sql.execute(_NEEDED, (row, row)).fetchone()
        if head.number == 1:
            oldest = 1
        elif oldest != first:
            oldest = self._oldest(row, first)
        if not noted and (entry.tokens or entry.vectors is not None):
            values: tuple[Any, ...] = (row, head.number, *[None] * 8)
        else:
            texts = told(entry.texts, entry.spoken if noted else None)
            vectors = [] if entry.vectors is None else [vector_blob(each) for each in entry.vectors]
            address = to_path(stored.namespace).encode(), stored.key.encode()
            values = (
                row,
                head.number,
                announced,
                digest(*address, None if head.value is None else dumps(head.value).encode()),
                texts,
                together(texts, vectors),
                text_of(named) if vectors else None,
                oldest,
                papers(stored, stored.lifetime),
            )
            values = (*values, digest(*values))
        self._sql.execute(
            "INSERT OR REPLACE INTO seals "
            "(row, head, announced, truth, told, vectors, space, oldest, papers, own) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )

    def _oldest(self, row: int, first: int) -> int:
        """Return which version of a chain is the oldest, where its seal does not say the first."""
        if first == 1:
            self._sql.execute(f"{SEAL_VERSIONS} AND versions.row = ?", (row,))
            return 1
        known = self._sql.execute(
            f"SELECT oldest FROM seals WHERE row = ? AND oldest IS NOT NULL AND {INTACT}", (row,)
        ).fetchone()
        if known is None:
            self._sql.execute(f"{SEAL_VERSIONS} AND versions.row = ?", (row,))
        return int(known[0]) if known else first

    def _reseal(self, row: int, *, papers: bytes | None = None, keep: int | None = None) -> None:
        """Let a whole seal say what was changed without a new version."""
        changed = """
            max(oldest, coalesce(head - :keep + 1, oldest)) AS oldest,
            coalesce(:papers, papers) AS papers
        """
        self._sql.execute(
            f"""
            UPDATE seals SET oldest = new.oldest, papers = new.papers,
                own = digest({SEALED}, new.oldest, new.papers)
            FROM (SELECT row, {changed} FROM seals WHERE row = :row) AS new
            WHERE seals.row = new.row AND seals.oldest IS NOT NULL AND {INTACT}
            """,
            {"row": row, "papers": papers, "keep": keep},
        )


def papers(stored: Stored, lifetime: Lifetime) -> bytes:
    """Return the hash of what ``PAPERS`` names."""
    minutes = lifetime.ttl_minutes
    return digest(
        stored.id,
        to_micros(stored.created_at),
        None if minutes is None else float(minutes),
        int(lifetime.protected),
    )


_NEEDED = """
    SELECT
        (SELECT max(sequence) FROM outbox),
        (SELECT CAST(value AS BLOB) FROM settings WHERE name = 'space'),
        (SELECT oldest FROM seals WHERE row = ?),
        (SELECT min(number) FROM versions WHERE row = ?)
"""
