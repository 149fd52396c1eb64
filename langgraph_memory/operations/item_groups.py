"""Several batches of puts in one transaction, each refused or done by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from langgraph_memory.errors import EmbeddingError, MemoryLayerError, StorageError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.item_writes import (
    ItemWrite,
    PutItem,
    last_puts,
    planned,
    write_all,
)
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import IndexEntry, Transaction


@dataclass(slots=True)
class _Batch:
    """One batch on its way, and why it came to nothing, if it did."""

    writes: list[ItemWrite] = field(default_factory=list)
    entries: list[IndexEntry] = field(default_factory=list)
    failure: MemoryLayerError | None = None


def write_group(
    engine: Engine, batches: Sequence[Sequence[PutItem]], *, retention: Retention | None = None
) -> list[MemoryLayerError | None]:
    """Write batches in order, in one transaction; return for each why it was refused, if it was.

    Raises:
        StorageError: Nothing of any batch was written.
    """
    group = [_planned(engine, puts) for puts in batches]
    _embed(engine, group)
    ready = [each for each in group if each.failure is None and each.writes]
    if ready:
        with engine.database.write() as tx:
            if any(entry.vectors is not None for each in ready for entry in each.entries):
                engine.check_space(tx)
            for each in ready:
                _write(engine, tx, each, retention or engine.retention)
    return [each.failure for each in group]


def _planned(engine: Engine, puts: Sequence[PutItem]) -> _Batch:
    try:
        return _Batch([planned(engine, put) for put in last_puts(puts)])
    except MemoryLayerError as exc:
        return _Batch(failure=exc)


def _embed(engine: Engine, group: Sequence[_Batch]) -> None:
    """Embed the texts of the group together; if the embedder is down, what has texts fails."""
    wordings = [write.wording for each in group for write in each.writes]
    try:
        entries = iter(engine.entries(wordings))
    except EmbeddingError as exc:
        for each in group:
            if any(write.wording.texts for write in each.writes):
                each.failure = each.failure or exc
        entries = iter([IndexEntry()] * len(wordings))
    for each in group:
        each.entries = [next(entries) for _ in each.writes]


def _write(engine: Engine, tx: Transaction, batch: _Batch, retention: Retention) -> None:
    try:
        with tx.attempt():
            write_all(engine, tx, batch.writes, batch.entries, retention)
    except StorageError:
        raise
    except MemoryLayerError as exc:
        batch.failure = exc
