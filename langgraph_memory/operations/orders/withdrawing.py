"""What background work kept of a message before it turned out that it should not have."""

from __future__ import annotations

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.record import Version
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import bury
from langgraph_memory.operations.reference import owned
from langgraph_memory.policy.orders.discretion import means_before
from langgraph_memory.ports import Transaction

IN_PASSING = "kept from the conversation by rule"
"""Why background work wrote a version."""

MOST_WAITING = 1_000
"""Events of a thread that wait to be read, as far as is looked."""


def withdraw(engine: Engine, event_id: str) -> None:
    """Delete the memories that were made of a message alone, in passing.

    A model takes its time to see an order in a message; the work on the thread does not wait for
    it. Words that were said before in other messages stay.
    """
    with engine.database.read() as tx:
        said = tx.events.get([event_id])
        waiting = tx.events.fresh(said[0].thread_id, limit=MOST_WAITING) if said else []
    if not said or any(each.id == event_id for each in waiting):
        return
    scope = said[0].scope
    papers = Provenance(Source(SourceKind.USER, scope.user or scope.tenant), reason="an order")
    with engine.database.write() as tx:
        for stored in owned(engine, tx, scope):
            if not _only_said_in(event_id, stored.head):
                continue
            record = tx.records.load_row(stored.row)
            if record and all(_only_said_in(event_id, each) for each in record.versions):
                bury(engine, tx, record, papers)


def withdraw_before(engine: Engine, event_id: str) -> None:
    """Delete what was made, in passing, of the message that one asks not to keep."""
    with engine.database.read() as tx:
        meant = [earlier for each in tx.events.get([event_id]) if (earlier := meant_by(tx, each))]
    for each in meant:
        withdraw(engine, each.id)


def meant_by(tx: Transaction, event: Event) -> Event | None:
    """Return the message before one, if this asks that it is not kept."""
    before = tx.events.before(event) if event.role == "user" else None
    return before if before and means_before(event.content, before.content) else None


def _only_said_in(event_id: str, version: Version) -> bool:
    papers = version.provenance
    return papers.event_ids == (event_id,) and papers.reason == IN_PASSING
