"""What background work kept of a message before it turned out to be an order."""

from __future__ import annotations

from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.record import Version
from langgraph_memory.operations.consolidate import IN_PASSING
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import bury
from langgraph_memory.operations.reference import owned

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


def _only_said_in(event_id: str, version: Version) -> bool:
    papers = version.provenance
    return papers.event_ids == (event_id,) and papers.reason == IN_PASSING
