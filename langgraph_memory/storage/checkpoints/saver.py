"""The checkpointer of a home: LangGraph's SQLite saver, made safe for threads and processes.

Tables and formats are LangGraph's, so its files open here and ours open there. What differs:

* Every write is one ``BEGIN IMMEDIATE`` transaction, every read one snapshot. Two programs on
  one file wait for each other instead of failing, and a reader never sees half a prune.
* ``list`` holds no lock while its caller works with an item.
* ``delete_for_runs``, ``copy_thread`` and ``prune`` exist, and spare what a delta channel of
  a checkpoint that stays is rebuilt from (see :mod:`.lineage`).
* Every method has an async twin that needs no event loop of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.utils import search_where

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import ConflictError, InvalidSettingError, StorageDamagedError
from langgraph_memory.storage.checkpoints import rows
from langgraph_memory.storage.checkpoints.door import in_thread, streamed_in_thread
from langgraph_memory.storage.checkpoints.file import CheckpointFile
from langgraph_memory.storage.checkpoints.lineage import Lineage
from langgraph_memory.storage.checkpoints.serializer import StrictSerializer
from langgraph_memory.storage.sqlite.connection import Durability

Config = Any  # LangGraph's RunnableConfig: a class of LangChain's core, which stays above storage


class CheckpointSaver(SqliteSaver):
    """Keeps what runs have in progress, by thread. Made by :meth:`open`.

    One object serves any number of threads and event loops; use ``with`` or ``async with``,
    or call :meth:`close`.
    """

    def __init__(self, file: CheckpointFile, serde: StrictSerializer) -> None:
        super().__init__(file.connection, serde=serde)
        self.jsonplus_serde = serde
        self.is_setup = True
        self._file = file

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        timeout_seconds: float = 30.0,
        durability: Durability = "normal",
        allowed_types: Collection[type] = (),
    ) -> Self:
        """Open the checkpoint file at ``path``, making it if absent.

        Args:
            path: The file. Its folder must exist. A file of LangGraph's own saver will do.
            timeout_seconds: How long to wait for another program before giving up.
            durability: ``normal`` survives the death of the process; ``full`` also a power
                cut, for one disk sync a write.
            allowed_types: Classes of the application that may be part of run state, besides
                LangChain's messages and documents and the standard library's plain types.

        Raises:
            HomeNotFoundError, NotAHomeError, HomeReadOnlyError, StorageBusyError,
            StorageDamagedError: As their names say; the file is as it was.
        """
        path = Path(path)
        file = CheckpointFile(path, timeout_seconds=timeout_seconds, durability=durability)
        return cls(file, StrictSerializer(path, allowed_types=allowed_types))

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Lend a cursor inside a write transaction, or inside a snapshot to read."""
        lent = self._file.writing() if transaction else self._file.reading()
        with lent as connection, closing(connection.cursor()) as cursor:
            yield cursor

    def list(
        self,
        config: Config,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002  LangGraph's name
        before: Config = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the matching checkpoints, newest first, each as it is when it is yielded."""
        where, values = search_where(config, filter, before)
        with self.cursor(transaction=False) as cursor:
            addresses = cursor.execute(
                f"""
                SELECT thread_id, checkpoint_ns, checkpoint_id
                FROM checkpoints
                {where}
                ORDER BY checkpoint_id DESC
                LIMIT ?
                """,
                (*values, -1 if limit is None else limit),
            ).fetchall()
        names = ("thread_id", "checkpoint_ns", "checkpoint_id")
        for address in addresses:
            if found := self.get_tuple({"configurable": dict(zip(names, address, strict=True))}):
                yield found

    def count(self, thread_id: str) -> int:
        """Return how many rows, checkpoints and writes together, a thread has."""
        with self.cursor(transaction=False) as cursor:
            return rows.count(cursor, str(thread_id))

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything kept for a thread, down to its bytes in the files.

        While another program reads, the bytes stay in the write-ahead log until it is done.
        """
        super().delete_thread(thread_id)
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
        """
        source, target = str(source_thread_id), str(target_thread_id)
        with self.cursor() as cursor:
            if rows.count(cursor, target):
                raise ConflictError(
                    f"Thread {target!r} is not empty. Copy to a new thread id.", thread_id=target
                )
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
                if keep < 1:
                    raise InvalidSettingError("keep", "must be at least 1.")
                for thread_id in thread_ids:
                    with self.cursor() as cursor:
                        self._keep_latest(cursor, str(thread_id), keep)
            case "delete" | "delete_all":  # LangGraph's name, and its server's
                for thread_id in thread_ids:
                    self.delete_thread(thread_id)
            case _:
                raise InvalidSettingError("strategy", 'must be "keep_latest" or "delete".')

    def _keep_latest(self, cursor: sqlite3.Cursor, thread_id: str, keep: int) -> None:
        retained: dict[str, set[str]] = {}
        for namespace in rows.namespaces(cursor, thread_id):
            lineage = Lineage.read(cursor, thread_id, namespace)
            newest = lineage.newest(keep) if lineage.outlives(retained) else ()
            retained[namespace] = lineage.with_ancestors(newest, cursor, self.serde)
            doomed = set(lineage.parents) - retained[namespace]
            rows.delete(cursor, thread_id, namespace, doomed)

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

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it. Closing twice is fine."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    aget_tuple = in_thread(SqliteSaver.get_tuple)
    alist = streamed_in_thread(SqliteSaver.list)
    aput = in_thread(SqliteSaver.put)
    aput_writes = in_thread(SqliteSaver.put_writes)
    aget_delta_channel_history = in_thread(SqliteSaver.get_delta_channel_history)
    acount = in_thread(count)
    adelete_thread = in_thread(delete_thread)
    adelete_for_runs = in_thread(delete_for_runs)
    acopy_thread = in_thread(copy_thread)
    aclose = in_thread(close)

    # In full: a type checker would take an assigned twin's arguments from LangGraph's class.
    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", keep: int = 1
    ) -> None:
        """Prune without blocking the event loop; see :meth:`prune`."""
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy, keep=keep)
