"""The look at everything a database holds, and the repair of what is derived in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from langgraph_memory.domain.findings import Check
from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import from_path
from langgraph_memory.ports import Heard, Vectors
from langgraph_memory.storage.sqlite import checks, full_text, namespaces, tables
from langgraph_memory.storage.sqlite.announcing import mend_announcements
from langgraph_memory.storage.sqlite.chains import mend_chains
from langgraph_memory.storage.sqlite.codec import vector_blob
from langgraph_memory.storage.sqlite.flags import mend_flags
from langgraph_memory.storage.sqlite.hashes import known_texts, speaks_apart
from langgraph_memory.storage.sqlite.hearing import heard_after
from langgraph_memory.storage.sqlite.model import mend_model, model
from langgraph_memory.storage.sqlite.places import mend_addresses
from langgraph_memory.storage.sqlite.problems import is_damage, sensible
from langgraph_memory.storage.sqlite.sealing import seal, sealed_texts
from langgraph_memory.storage.sqlite.settings import mend_settings


def _reindex(sql: sqlite3.Connection) -> None:
    """Make all indexes anew, unless pages of tables are damaged: no write may touch those."""
    if all(fault.sort == "derived" for fault in checks.pages(sql).faults):
        sql.execute("REINDEX")


_MENDING: tuple[Callable[[sqlite3.Connection], object], ...] = (
    tables.mend_tables, mend_settings, mend_model, tables.mend_indexes, _reindex, mend_chains,
    mend_addresses, full_text.rebuild, mend_flags, checks.mend_leftovers,
    checks.mend_tombstones, mend_announcements,
)  # fmt: skip
"""From what says what there is, by the truth and its notes, to what was made from them."""


class SqliteAudit:
    """``ports.Audit`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def tables(self) -> Check:
        return tables.tables(self._sql)

    def truths(self) -> list[Check]:
        return checks.truths(self._sql)

    def model(self) -> Check:
        return model(self._sql)

    def derivations(self) -> list[Check]:
        return checks.derivations(self._sql)

    def heard(self, *, after: int, limit: int) -> list[Heard]:
        return heard_after(self._sql, after, limit)

    def full_text(self) -> Check:
        return full_text.full_text(self._sql)

    def mend(self) -> None:
        for step in _MENDING:
            self._try(step)

    def remake_full_text(self) -> None:
        for step in (tables.mend_indexes, _reindex, full_text.rebuild):
            self._try(step)

    def _try(self, step: Callable[[sqlite3.Connection], object]) -> None:
        """Do a step of a repair; one that damage to the truth stops leaves the others alone."""
        self._sql.execute("SAVEPOINT step")
        try:
            sensible(step)(self._sql)
        except sqlite3.DatabaseError as exc:
            if not is_damage(exc):
                raise
            self._sql.execute("ROLLBACK TO step")
        self._sql.execute("RELEASE step")

    def tell_texts(
        self, row: int, head: int, candidates: Sequence[str],
        otherwise: tuple[tuple[str, ...], str | None],
    ) -> bool:  # fmt: skip
        if self._stands(row, head) is None:
            return False
        told = sealed_texts(self._sql, row)
        known = None if told is None else known_texts(told, candidates)
        if told is None or known is None:
            embedded, spoken = otherwise
        elif speaks_apart(told):
            embedded, spoken = tuple(known[:-1]), known[-1]
        else:
            embedded, spoken = tuple(known), None
        self._sql.execute("DELETE FROM texts WHERE row = ?", (row,))
        if embedded or spoken:
            self._sql.execute(
                "INSERT INTO texts (row, embedded, words) VALUES (?, ?, ?)",
                (row, dumps(embedded), spoken),
            )
        if known is None:
            seal(self._sql, row, vectors=False)
        return True

    def tell_words(self, row: int, head: int, tokens: Sequence[str]) -> bool:
        if (path := self._stands(row, head)) is None:
            return False
        circles = namespaces.circles(self._sql, from_path(path))
        self._sql.execute("DELETE FROM words WHERE rowid = ?", (row,))
        if tokens:
            self._sql.execute(
                "INSERT INTO words (rowid, circles, body) VALUES (?, ?, ?)",
                (row, " ".join(map(str, circles)), " ".join(tokens)),
            )
        self._sql.execute("UPDATE records SET tokens = ? WHERE row = ?", (len(tokens), row))
        self._announce(row)
        return True

    def tell_vectors(self, row: int, head: int, vectors: Vectors | None) -> bool:
        if self._stands(row, head) is None:
            return False
        given = () if vectors is None else vectors
        self._sql.execute("DELETE FROM vectors WHERE row = ?", (row,))
        self._sql.executemany(
            "INSERT INTO vectors (row, part, vector) VALUES (?, ?, ?)",
            [(row, part, vector_blob(each)) for part, each in enumerate(given)],
        )
        self._announce(row)
        seal(self._sql, row, announced=True, texts=False)
        return True

    def seal(self, row: int, head: int, *, vectors: bool) -> bool:
        if self._stands(row, head) is None:
            return False
        seal(self._sql, row, texts=False, vectors=vectors)
        return True

    def _stands(self, row: int, head: int) -> str | None:
        """Return the path of a live record that still has this head."""
        found = self._sql.execute(
            "SELECT path FROM records WHERE row = ? AND head = ? AND live = 1", (row, head)
        ).fetchone()
        return str(found[0]) if found else None

    def _announce(self, row: int) -> None:
        self._sql.execute("INSERT INTO outbox (row) VALUES (?)", (row,))
