"""Delete one memory: a tombstone for everybody, history for an administrator."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.reference import resolve
from langgraph_memory.ports import IndexEntry, Lifetime, Transaction
from langgraph_memory.text.secrets import redact


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted: the record's address and what it said."""

    id: str
    key: str
    content: str


def forget(engine: Engine, scope: Scope, reference: str, *, reason: str = "") -> Forgotten:
    """Delete the record a reference names; its words and vectors go in the same transaction.

    Raises:
        NotFoundError, AmbiguousReferenceError: Nothing was deleted.
    """
    with engine.database.write() as tx:
        return forget_in(engine, tx, scope, reference, reason=reason)


def forget_in(
    engine: Engine, tx: Transaction, scope: Scope, reference: str, *, reason: str
) -> Forgotten:
    """Do the same inside the caller's transaction. Raises as :func:`forget`."""
    stored = resolve(engine, tx, scope, reference)
    record = tx.records.load_row(stored.row)
    assert record is not None
    papers = Provenance(Source(SourceKind.USER, scope.speaker), reason=redact(reason))
    said = record.stated(engine.clock()).value or {}
    bury(engine, tx, record, papers)
    return Forgotten(record.id, record.key, str(said.get("content", "")))


def bury(engine: Engine, tx: Transaction, record: Record, papers: Provenance) -> None:
    """End a record with a tombstone that stays until its namespace is erased."""
    grown = record.delete(now=engine.clock(), provenance=papers)
    if grown is not record:
        tx.records.save(grown, known=record.head.number, entry=IndexEntry(), lifetime=Lifetime())
