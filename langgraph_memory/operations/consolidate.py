"""Background work on a thread: keep what the user stated, once, with its papers.

Reading and writing share one transaction with the cursor, so that a crash repeats the work
or finds it done. A statement that was forgotten since stays forgotten (policy.conflict).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.admitting import examined
from langgraph_memory.operations.capture import REVIEW
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.heard import heard, is_gone, stated
from langgraph_memory.operations.orders.withdrawing import withdraw
from langgraph_memory.operations.remember import remember_all
from langgraph_memory.operations.statements import Statement
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.ports import Job, Transaction

BATCH = 100


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What one pass over a thread did.

    Attributes:
        read: Events looked at.
        kept: New memories.
        known: Statements that were there already.
        held: Statements that wait for a review.
        refused: Statements that the write policy does not keep.
    """

    read: int = 0
    kept: int = 0
    known: int = 0
    held: int = 0
    refused: int = 0


def consolidate(engine: Engine, job: Job, *, without: str = "") -> Consolidated:
    """Read a thread's new events and keep what its user stated.

    Args:
        engine: The ports.
        job: The thread, and whose it is.
        without: The event of a message that is an order, and is not settled yet.
    """
    done = Consolidated()
    while True:
        with engine.database.read() as tx:
            events = tx.events.fresh(job.thread_id, limit=BATCH)
            said = heard(engine, tx, events)
            review = engine.policy.review.in_passing or _reviewed(tx, job)
        if not events:
            return done
        for each in said.unkept - {event.id for event in events}:
            withdraw(engine, each)
        chosen = [
            replace(each, review=review)
            for event in events
            if event.id != without
            for each in stated(engine, said, event)
        ]
        with engine.database.read() as tx:
            left = [each for each in chosen if not is_gone(tx, each)]
        kept = [each for each in left if _is_kept(engine, each)]
        results = remember_all(engine, kept, read=events[-1])
        new = sum(each.effect in (Effect.BEGIN, Effect.SUPERSEDE) for each in results)
        held = sum(each.effect is Effect.HOLD for each in results)
        done = Consolidated(
            done.read + len(events), done.kept + new, done.known + len(results) - new - held,
            done.held + held, done.refused + len(left) - len(kept),
        )  # fmt: skip


def _is_kept(engine: Engine, said: Statement) -> bool:
    """Tell whether the write policy keeps what was said in passing."""
    try:
        examined(engine.policy, said)
    except RefusedError:
        return False
    return True


def _reviewed(tx: Transaction, job: Job) -> bool:
    """Tell whether a run that wanted a review is among those that asked for this work."""
    waiting = tx.jobs.waiting(job.scope.owner)
    return any(each.thread_id == job.thread_id and each.kind == REVIEW for each in (job, *waiting))
