"""The database: transactions over all of its rooms."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from langgraph_memory.ports.access import Counts, Grants
from langgraph_memory.ports.basics import Space
from langgraph_memory.ports.pieces import Pieces
from langgraph_memory.ports.queue import Outbox
from langgraph_memory.ports.records import Records
from langgraph_memory.ports.transcript import Events, Jobs
from langgraph_memory.ports.trials import Trials
from langgraph_memory.ports.upkeep import Audit, Reindexing
from langgraph_memory.ports.words import Words


class Transaction(Protocol):
    """One consistent view of the truth; in a write, everything or nothing."""

    @property
    def records(self) -> Records:
        """Records and their chains."""

    @property
    def words(self) -> Words:
        """Full text."""

    @property
    def pieces(self) -> Pieces:
        """Word pieces, for late interaction."""

    @property
    def outbox(self) -> Outbox:
        """The queue to the indexes."""

    @property
    def events(self) -> Events:
        """The transcript."""

    @property
    def jobs(self) -> Jobs:
        """Background work."""

    @property
    def trials(self) -> Trials:
        """Results of tests of procedures."""

    @property
    def grants(self) -> Grants:
        """Roles in shared scopes."""

    @property
    def counts(self) -> Counts:
        """What was refused and noticed."""

    @property
    def reindexing(self) -> Reindexing:
        """The move to another embedder."""

    @property
    def audit(self) -> Audit:
        """The look at everything."""

    def attempt(self) -> AbstractContextManager[None]:
        """Open a part of the write that is undone alone if it raises."""

    def space(self) -> Space | None:
        """Return the embedding space this home is bound to; None before the first bind."""

    def bind_space(self, space: Space) -> None:
        """Bind a home to its embedding space, once."""


class Database(Protocol):
    """The truth. Any thread may use it; several processes may open it at once.

    A write that returned survives the death of the process. A read sees every write that
    returned before it began, in whichever process.

    Raises (from either method):
        StorageBusyError, StorageFullError, HomeReadOnlyError, StorageDamagedError,
        ClosedError: As their names say; the transaction left no trace.
    """

    @property
    def path(self) -> Path:
        """Return where the truth is kept."""

    def read(self) -> AbstractContextManager[Transaction]:
        """Open a view that later writes do not change."""

    def write(self, *, wait_seconds: float | None = None) -> AbstractContextManager[Transaction]:
        """Open a write; commit on leaving, roll back on an exception. One at a time.

        Never embed text, call a model or wait for anything inside.

        Args:
            wait_seconds: How long to wait for other writers, where that is to be shorter
                than usual.
        """

    def filter_fields(self) -> tuple[str, ...]:
        """Return the fields of values that filters find by an index."""

    def declare_filter_fields(self, fields: Sequence[str]) -> None:
        """Give fields an index, beside those that have one; nothing is searched differently.

        Raises:
            InvalidInputError: A field that can have no index; none was given one.
        """

    def fold(self) -> bool:
        """Write the file anew without what was erased, and empty the log; tell whether it is done.

        A reader or writer of another process may keep it from happening.
        """

    def close(self) -> None:
        """Close all connections; a second call does nothing."""
