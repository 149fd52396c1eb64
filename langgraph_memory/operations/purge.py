"""Remove everything an owner has, everywhere in the home, and say what was removed where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.text.compounds import forget as forget_words

BATCH = 500
ROUNDS = 3
INDEX_OPEN = (
    "the erased vectors, numbers that name nothing any more, in the folder chroma: delete it "
    "while the home is closed, it is built anew by itself"
)
LOG_OPEN = (
    "erased text in unused parts of the database file or its log, while another program holds "
    "them: purge once more when it is closed"
)
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
    that a purge that was interrupted finds them again. What a run that was under way wrote
    meanwhile is found by looking again, and removed in a further round.
    """
    owner = scope.owner
    removed: Counter[str] = Counter(dict.fromkeys(("records", "checkpoints"), 0))
    seen: set[str] = set()
    remaining: dict[str, int] = {}
    for _ in range(ROUNDS):
        removed.update(_round(engine, owner, seen))
        remaining = _remaining(engine, owner, seen)
        if not any(remaining.values()):
            break
    folded = engine.database.fold()
    forget_words()
    engine.words.forget()
    engine.forget_mirrors()
    # The rows are gone; an index that cannot be rewritten now keeps numbers that name nothing.
    outside = OUTSIDE if engine.index.scrub() else (INDEX_OPEN, *OUTSIDE)
    outside = outside if folded else (LOG_OPEN, *outside)
    return Receipt(owner, engine.clock(), dict(removed), remaining, outside)


def _round(engine: Engine, owner: Scope, seen: set[str]) -> dict[str, int]:
    """Remove what is there now; add the owner's threads to ``seen``."""
    with engine.database.read() as tx:
        seen.update(tx.events.threads(owner))
    checkpoints = _purge_checkpoints(engine, seen)
    records = _purge_records(engine, owner)
    with engine.database.write() as tx:
        seen.update(tx.events.threads(owner))
        engine.tally.forget(owner)
        rest = {
            **tx.events.erase(owner),
            "grants": tx.grants.erase(owner),
            "counts": tx.counts.erase(owner),
        }
        tx.words.tidy()
    return {"records": records, "checkpoints": checkpoints, **rest}


def _purge_checkpoints(engine: Engine, threads: set[str]) -> int:
    if engine.run_state is None:
        return 0
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


def _remaining(engine: Engine, owner: Scope, seen: set[str]) -> dict[str, int]:
    state = engine.run_state
    with engine.database.read() as tx:
        found = {
            "records": tx.records.count(owner.root),
            "events": tx.events.count(owner),
            "jobs": len(tx.jobs.waiting(owner)),
            "threads": len(tx.events.threads(owner)),
            "grants": tx.grants.count(owner),
            "counts": tx.counts.count(owner),
        }
    return {**found, "checkpoints": sum(state.count(each) for each in seen) if state else 0}
