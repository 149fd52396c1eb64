"""The half of the checkpointer that counts, copies, checks and removes."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import (
    ConflictError,
    InvalidSettingError,
    RefusedError,
    StorageDamagedError,
)
from langgraph_memory.storage.checkpoints import rows
from langgraph_memory.storage.checkpoints.door import in_thread
from langgraph_memory.storage.checkpoints.file import CheckpointFile
from langgraph_memory.storage.checkpoints.lineage import Lineage
from langgraph_memory.storage.checkpoints.pruning import Pruning
from langgraph_memory.storage.checkpoints.search import checked
from langgraph_memory.storage.checkpoints.serializer import StrictSerializer


class ShrinkingSaver(SqliteSaver):
    """LangGraph's saver on a :class:`CheckpointFile`, with all that makes a file smaller."""

    def __init__(self, file: CheckpointFile, serde: StrictSerializer) -> None:
        super().__init__(file.connection, serde=serde)
        self.jsonplus_serde = serde
        self.is_setup = True
        self._file = file
        self._heir: Callable[[str, str], None] | None = None

    def on_copy(self, heir: Callable[[str, str], None]) -> None:
        """Call ``heir(source, target)`` before a thread is copied; what it raises prevents it."""
        self._heir = heir

    @property
    def strict_serde(self) -> StrictSerializer:
        """The serializer; a clone that allows more types has another one."""
        assert isinstance(self.serde, StrictSerializer)
        return self.serde

    def _check_id(self, what: str, name: str) -> None:
        """Refuse an id to write under that holds a credential, unless those are kept.

        Raises:
            RefusedError: It does.
        """
        redactor = self.strict_serde.redactor
        if redactor is not None and redactor.text(name) != name:
            raise RefusedError(
                "no credentials", f"the id of the {what} holds what looks like a credential"
            )

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Lend a cursor inside a write transaction, or inside a snapshot to read."""
        lent = self._file.writing() if transaction else self._file.reading()
        with lent as connection, closing(connection.cursor()) as cursor:
            yield cursor

    def count(self, thread_id: str) -> int:
        """Return how many rows, checkpoints and writes together, a thread has."""
        with self.cursor(transaction=False) as cursor:
            return rows.count(cursor, str(thread_id))

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything kept for a thread, down to its bytes in the files.

        While another program reads, the bytes stay in the write-ahead log until it is done.
        """
        super().delete_thread(thread_id)
        if redactor := self.strict_serde.redactor:
            redactor.forget()
        self._file.fold()

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints that these runs made, and their writes.

        One that a later run's delta channel is rebuilt from stays: without it that run's
        state would be lost silently. ``delete_thread`` removes it.
        """
        with self.cursor() as cursor:
            for (thread_id, namespace), doomed in rows.made_by(cursor, run_ids).items():
                lineage = Lineage.read(cursor, thread_id, namespace)
                survivors = set(lineage.parents) - doomed
                kept = lineage.with_ancestors(survivors, cursor, self.serde)
                rows.delete(cursor, thread_id, namespace, doomed - kept)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything kept for a thread to another, which must be empty.

        Raises:
            ConflictError: The target has checkpoints; two histories are never mixed.
            ThreadOwnershipError: In a home, the target is somebody else's.
            RefusedError: The target's id holds a credential.
        """
        source, target = str(source_thread_id), checked(str(target_thread_id))
        self._check_id("thread", target)
        with self.cursor() as cursor:
            if rows.count(cursor, target):
                raise ConflictError(
                    f"Thread {target!r} is not empty. Copy to a new thread id.", thread_id=target
                )
            if self._heir is not None:
                self._heir(source, target)
            rows.copy(cursor, source, target)

    def prune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", keep: int = 1
    ) -> None:
        """Remove old checkpoints, and the namespaces of subgraph tasks that are over.

        Args:
            thread_ids: The threads; one transaction each.
            strategy: ``keep_latest``, or ``delete`` to remove the threads altogether.
            keep: How many checkpoints of each namespace ``keep_latest`` keeps, from 1.

        Raises:
            InvalidSettingError: The strategy is unknown or ``keep`` is below 1.
        """
        match strategy:
            case "keep_latest":
                for thread_id in thread_ids:
                    self.prune_thread(str(thread_id), keep=keep)
            case "delete" | "delete_all":  # LangGraph's name, and its server's
                for thread_id in thread_ids:
                    self.delete_thread(thread_id)
            case _:
                raise InvalidSettingError("strategy", 'must be "keep_latest" or "delete".')

    def prune_thread(self, thread_id: str, *, keep: int) -> int:
        """Remove all but the newest checkpoints of a thread; meant to be called after each turn.

        Whatever can still be resumed stays, and so does what the rest is rebuilt from. Where
        there is nothing to do, no lock is taken and nothing is written.

        Args:
            thread_id: The thread.
            keep: How many checkpoints of each namespace stay, from 1. A turn makes as many as
                the graph has steps, and one.

        Returns:
            How many checkpoints were removed.

        Raises:
            InvalidSettingError: ``keep`` is below 1.
        """
        if keep < 1:
            raise InvalidSettingError("keep", "must be at least 1.")
        with self.cursor(transaction=False) as cursor:
            if Pruning(cursor, thread_id, keep, self.serde).needless:
                return 0
        with self.cursor() as cursor:
            pruning = Pruning(cursor, thread_id, keep, self.serde)
            pruning.carry_out()
            return pruning.count

    def check(self) -> Check:
        """Let SQLite check the pages of the file. Damage is a finding, never an exception."""
        findings = Findings("checkpoints file")
        try:
            with self.cursor(transaction=False) as cursor:
                found = cursor.execute("SELECT count(*) FROM checkpoints").fetchone()
                findings.counted = found[0]
                problems = [text for (text,) in cursor.execute("PRAGMA quick_check(20)")]
        except StorageDamagedError:
            problems = ["cannot be read to the end"]
        for problem in problems:
            if problem != "ok":
                findings.add("truth", "checkpoints file", problem)
        return findings.check()

    acount = in_thread(count)
    adelete_thread = in_thread(delete_thread)
    adelete_for_runs = in_thread(delete_for_runs)
    acopy_thread = in_thread(copy_thread)
    aprune_thread = in_thread(prune_thread)

    # In full: a type checker would take an assigned twin's arguments from LangGraph's class.
    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", keep: int = 1
    ) -> None:
        """Prune without blocking the event loop; see :meth:`prune`."""
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy, keep=keep)
