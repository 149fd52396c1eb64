"""Remove everything an owner has, everywhere in the home, and say what was removed where."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.text.compounds import forget as forget_words

BATCH = 500
OUTSIDE = (
    "backups and exports made earlier",
    "what was sent to a model provider",
    "the development server's own files (.langgraph_api)",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a purge removed.

    Attributes:
        owner: Whose data.
        at: When it was complete, UTC.
        removed: Counts by place.
        remaining: Counts found by looking again; all zero.
        outside: Places this home cannot reach.
    """

    owner: Scope
    at: datetime
    removed: dict[str, int] = field(default_factory=dict)
    remaining: dict[str, int] = field(default_factory=dict)
    outside: tuple[str, ...] = OUTSIDE


def purge(engine: Engine, scope: Scope) -> Receipt:
    """Remove an owner's records, versions, words, vectors, events, jobs and checkpoints.

    Safe to repeat: each step removes what it finds, and threads lose their owner last, so
    that a purge that was interrupted finds them again.
    """
    owner = scope.owner
    checkpoints = _purge_checkpoints(engine, owner)
    records = _purge_records(engine, owner)
    with engine.database.write() as tx:
        rest = tx.events.erase(owner)
        tx.words.tidy()
    engine.database.fold()
    forget_words()
    engine.words.forget()
    removed = {"records": records, "checkpoints": checkpoints, **rest}
    return Receipt(owner, engine.clock(), removed, _remaining(engine, owner))


def _purge_checkpoints(engine: Engine, owner: Scope) -> int:
    if engine.run_state is None:
        return 0
    with engine.database.read() as tx:
        threads = tx.events.threads(owner)
    count = 0
    for thread_id in threads:
        count += engine.run_state.count(thread_id)
        engine.run_state.delete_thread(thread_id)
    return count


def _purge_records(engine: Engine, owner: Scope) -> int:
    count = 0
    while True:
        with engine.database.write() as tx:
            rows = tx.records.rows(owner.root, limit=BATCH)
            if not rows:
                return count
            tx.records.erase(rows)
            count += len(rows)


def _remaining(engine: Engine, owner: Scope) -> dict[str, int]:
    with engine.database.read() as tx:
        threads = tx.events.threads(owner)
        return {
            "records": tx.records.count(owner.root),
            "events": tx.events.count(owner),
            "jobs": len(tx.jobs.waiting(owner)),
            "threads": len(threads),
        }
