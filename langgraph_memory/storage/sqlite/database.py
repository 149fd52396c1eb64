"""The Database port over SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from langgraph_memory.domain.json import dumps
from langgraph_memory.errors import EmbedderMismatchError
from langgraph_memory.ports import Space
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.auditing import SqliteAudit
from langgraph_memory.storage.sqlite.connection import Connections, Durability
from langgraph_memory.storage.sqlite.counts import SqliteCounts
from langgraph_memory.storage.sqlite.events import SqliteEvents
from langgraph_memory.storage.sqlite.grants import SqliteGrants
from langgraph_memory.storage.sqlite.jobs import SqliteJobs
from langgraph_memory.storage.sqlite.lending import Lent
from langgraph_memory.storage.sqlite.model import bound_space
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.pieces import SqlitePieces
from langgraph_memory.storage.sqlite.reindexing import SPACE, SqliteReindexing
from langgraph_memory.storage.sqlite.sealed_records import SealedRecords
from langgraph_memory.storage.sqlite.trials import SqliteTrials
from langgraph_memory.storage.sqlite.words import SqliteWords


def engine_version() -> str:
    """Return the version of the SQLite library in use."""
    return sqlite3.sqlite_version


class SqliteTransaction:
    """``ports.Transaction`` on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection
        self.records = SealedRecords(connection)
        self.words = SqliteWords(connection)
        self.outbox = SqliteOutbox(connection)

    @cached_property
    def events(self) -> SqliteEvents:
        """The transcript."""
        return SqliteEvents(self._sql)

    @cached_property
    def jobs(self) -> SqliteJobs:
        """Background work."""
        return SqliteJobs(self._sql)

    @cached_property
    def pieces(self) -> SqlitePieces:
        """Word pieces, for late interaction."""
        return SqlitePieces(self._sql)

    @cached_property
    def trials(self) -> SqliteTrials:
        """Results of tests of procedures."""
        return SqliteTrials(self._sql)

    @cached_property
    def grants(self) -> SqliteGrants:
        """Roles in shared scopes."""
        return SqliteGrants(self._sql)

    @cached_property
    def counts(self) -> SqliteCounts:
        """What was refused and noticed."""
        return SqliteCounts(self._sql)

    @cached_property
    def reindexing(self) -> SqliteReindexing:
        """The move to another embedder."""
        return SqliteReindexing(self._sql)

    @cached_property
    def audit(self) -> SqliteAudit:
        """The look at everything."""
        return SqliteAudit(self._sql)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Open a part of the write that is undone alone if it raises."""
        self._sql.execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            if self._sql.in_transaction:
                self._sql.execute("ROLLBACK TO attempt")
                self._sql.execute("RELEASE attempt")
            raise
        self._sql.execute("RELEASE attempt")

    def space(self) -> Space | None:
        """Return the embedding space this home is bound to."""
        return bound_space(self._sql)

    def bind_space(self, space: Space) -> None:
        """Bind the home to its embedding space, once."""
        bound = self.space()
        if bound in (None, space):
            self._sql.execute(
                "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
                (SPACE, dumps([space.model_id, space.dims])),
            )
        elif bound is not None:
            raise EmbedderMismatchError(bound.model_id, bound.dims, space.model_id, space.dims)


class SqliteDatabase:
    """The truth of one home in one SQLite file."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @classmethod
    def open(
        cls, path: Path, *, timeout_seconds: float = 30.0, durability: Durability = "normal"
    ) -> SqliteDatabase:
        """Open the file, or make it. Raises as :class:`Connections`."""
        return cls(Connections(path, timeout_seconds=timeout_seconds, durability=durability))

    @property
    def path(self) -> Path:
        """Return the file."""
        return self._connections.path

    def read(self) -> Lent[SqliteTransaction]:
        """Open a view that later writes do not change."""
        return Lent(self._connections, SqliteTransaction)

    @contextmanager
    def write(self, *, wait_seconds: float | None = None) -> Iterator[SqliteTransaction]:
        """Open a write; commit on leaving, roll back on an exception."""
        with self._connections.writing(wait_seconds=wait_seconds) as connection:
            yield SqliteTransaction(connection)

    def filter_fields(self) -> tuple[str, ...]:
        """Return the fields of values that filters find by an index."""
        with self._connections.reading() as connection:
            return filter_index.declared(connection)

    def declare_filter_fields(self, fields: Sequence[str]) -> None:
        """Give fields an index, beside those that have one."""
        filter_index.check(fields)
        if not set(fields) <= set(self.filter_fields()):
            with self._connections.writing() as connection:
                filter_index.declare(connection, fields)

    def fold(self) -> bool:
        """Write the file anew without what was erased, and empty the log."""
        return self._connections.fold_log()

    def close(self) -> None:
        """Close all connections; a second call does nothing."""
        self._connections.close()
