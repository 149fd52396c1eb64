"""The checkpointer of a home: LangGraph's SQLite saver, made safe for threads and processes.

Tables and formats are LangGraph's, so its files open here and ours open there. What differs:

* Every write is one ``BEGIN IMMEDIATE`` transaction, every read one snapshot. Two programs on
  one file wait for each other instead of failing, and a reader never sees half a prune.
* ``list`` holds no lock while its caller works with an item.
* ``delete_for_runs``, ``copy_thread``, ``prune`` and ``prune_thread`` exist, and spare what a
  delta channel of a checkpoint that stays is rebuilt from (see :mod:`.lineage`).
* Credentials are taken out of every text on its way into the file, and a class that could not
  be read back is refused before anything is written (see :mod:`.serializer`).
* Every method has an async twin that needs no event loop of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory.storage.checkpoints import rows, search
from langgraph_memory.storage.checkpoints.door import in_thread, streamed_in_thread
from langgraph_memory.storage.checkpoints.file import CheckpointFile
from langgraph_memory.storage.checkpoints.redaction import Redactor
from langgraph_memory.storage.checkpoints.search import Config, thread_of
from langgraph_memory.storage.checkpoints.serializer import StrictSerializer
from langgraph_memory.storage.checkpoints.shrinking import ShrinkingSaver
from langgraph_memory.storage.sqlite.connection import Durability

_ADDRESS = ("thread_id", "checkpoint_ns", "checkpoint_id")
_NOTED = ("configurable", "metadata")  # LangGraph copies their texts into a checkpoint's metadata
PRIVATE = frozenset(
    {"tenant", "user", "project", "agent", "instructions", "user_id", "langgraph_auth_user_id"}
)
"""Fields of a run's context that no checkpoint's metadata repeats: who asked, and how they wish
to be answered. A thread's owner is known elsewhere."""

_IDS = frozenset({*_ADDRESS, "run_id", "checkpoint_map", "parents"})


class CheckpointSaver(ShrinkingSaver):
    """Keeps what runs have in progress, by thread. Made by :meth:`open`.

    One object serves any number of threads and event loops; use ``with`` or ``async with``,
    or call :meth:`close`.
    """

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        timeout_seconds: float = 30.0,
        durability: Durability = "normal",
        allowed_types: Collection[type] = (),
        redact: bool = True,
    ) -> Self:
        """Open the checkpoint file at ``path``, making it if absent.

        Args:
            path: The file. Its folder must exist. A file of LangGraph's own saver will do.
            timeout_seconds: How long to wait for another program before giving up.
            durability: ``normal`` survives the death of the process; ``full`` also a power
                cut, for one disk sync a write.
            allowed_types: Classes of the application that may be part of run state, besides
                LangChain's messages and documents and the standard library's plain types.
            redact: Whether credentials in texts are replaced by ``[redacted: kind]``.

        Raises:
            HomeNotFoundError, NotAHomeError, HomeReadOnlyError, StorageBusyError,
            StorageDamagedError: As their names say; the file is as it was.
            InvalidSettingError: A class in ``allowed_types`` could not be imported again.
        """
        path = Path(path)
        redactor = Redactor() if redact else None
        serde = StrictSerializer(path, allowed_types=allowed_types, redactor=redactor)
        file = CheckpointFile(path, timeout_seconds=timeout_seconds, durability=durability)
        return cls(file, serde)

    def allowing(self, *types: type) -> Self:
        """Return a saver on the same open file that also takes these classes.

        Raises:
            InvalidSettingError: A class could not be imported again.
        """
        clone = copy(self)
        clone.serde = self.strict_serde.allowing(*types)
        return clone

    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        """Return the checkpoint that a config names, or the newest of its thread."""
        thread_of(config)
        return super().get_tuple(config)

    def list(
        self,
        config: Config,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002  LangGraph's name
        before: Config = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield the matching checkpoints, newest first, each as it is when it is yielded.

        See :func:`.search.addresses` for what matches.
        """
        with self.cursor(transaction=False) as cursor:
            found = search.addresses(cursor, config, metadata=filter, before=before, limit=limit)
        for address in found:
            where = {"configurable": dict(zip(_ADDRESS, address, strict=False))}
            if checkpoint := self.get_tuple(where):
                yield checkpoint

    def put(
        self, config: Config, checkpoint: Checkpoint, metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> Config:  # fmt: skip
        """Write a checkpoint. Raises as the serializer; nothing is written then."""
        self._thread_of(config)
        config = {
            name: self._noted(_without_private(config[name])) for name in _NOTED if config.get(name)
        }
        noted: Any = self._noted(_without_private(metadata))
        return super().put(config, checkpoint, noted, new_versions)

    def put_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a task made of a checkpoint. Raises as the serializer; all or nothing."""
        configurable = config["configurable"]
        address = (
            self._thread_of(config),
            str(configurable["checkpoint_ns"]),
            str(configurable["checkpoint_id"]),
        )
        dumps = self.strict_serde.dumps_named
        stored = [
            (WRITES_IDX_MAP.get(channel, index), channel, *dumps(channel, value))
            for index, (channel, value) in enumerate(writes)
        ]
        replace = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        with self.cursor() as cursor:
            rows.insert_writes(cursor, address, (task_id, task_path), stored, replace=replace)

    def _thread_of(self, config: Config) -> str:
        """Return the thread that something is to be written to.

        Raises:
            RefusedError: Its id, or that of the run, holds a credential.
        """
        given = config.get("configurable") or {}
        for name in ("thread_id", "run_id"):
            self._check_id(name.replace("_id", ""), str(given.get(name, "")))
        return thread_of(config)

    def _noted(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields without credentials; LangGraph's own are not looked at."""
        redactor = self.strict_serde.redactor
        if redactor is None:
            return dict(fields)
        return {
            (name if name in _IDS else redactor.text(name)): (
                value if name in _IDS or name.startswith("__") else redactor.named(name, value)
            )
            for name, value in fields.items()
        }

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
    aclose = in_thread(close)


def _without_private(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in fields.items()
        if name not in PRIVATE or not isinstance(value, str)
    }
