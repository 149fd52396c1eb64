"""Background work on a thread: keep what the user stated, once, with its papers.

Reading and writing share one transaction with the cursor, so that a crash repeats the work
or finds it done. A statement that was forgotten since stays forgotten (policy.conflict).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.admitting import examined
from langgraph_memory.operations.capture import REVIEW
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.outcomes import gives_orders
from langgraph_memory.operations.orders.withdrawing import IN_PASSING, meant_by, withdraw
from langgraph_memory.operations.remember import remember_all
from langgraph_memory.operations.speaking import spoken_by_user
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.stops import kept_of, stops
from langgraph_memory.operations.zones import zone_of
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.language.happening import happened, is_visit
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.orders.discretion import asks_discretion
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.paraphrases.paraphrase import forms
from langgraph_memory.policy.selection import statements
from langgraph_memory.policy.sensitive import claim
from langgraph_memory.policy.updates.update import Update
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
            scopes = dict.fromkeys(event.scope for event in events)
            rules = {each: [rule for _, rule in stops(engine, tx, each)] for each in scopes}
            others = {event.id for event in events if not spoken_by_user(tx, event)}
            ordered = {event.id for event in events if gives_orders(tx, event.id)} | {without}
            unkept = _unkept(tx, events)
            review = engine.policy.review.in_passing or _reviewed(tx, job)
        if not events:
            return done
        for each in unkept - {event.id for event in events}:
            withdraw(engine, each)
        chosen = [
            replace(made(event, text, zone_of(engine, event)), review=review)
            for event in events
            for made in (_quoted if event.id in others else _statement,)
            if event.id not in ordered | unkept and not read(event.content).orders  # done at once
            for text in kept_of(engine, event, _stated(engine, event), rules[event.scope])
        ]
        kept = [each for each in chosen if _is_kept(engine, each)]
        results = remember_all(engine, kept, read=events[-1])
        new = sum(each.effect in (Effect.BEGIN, Effect.SUPERSEDE) for each in results)
        held = sum(each.effect is Effect.HOLD for each in results)
        done = Consolidated(
            done.read + len(events), done.kept + new, done.known + len(results) - new - held,
            done.held + held, done.refused + len(chosen) - len(kept),
        )  # fmt: skip


def _stated(engine: Engine, event: Event) -> list[str]:
    """Return what a message states; a claim that may harm somebody is one in any length."""
    phrases = engine.policy.sensitive.phrases
    return statements(event, claims=lambda sentence: claim(sentence, phrases) is not None)


def _unkept(tx: Transaction, events: Sequence[Event]) -> set[str]:
    """Return the messages that were said on condition that they are not kept."""
    asking = [each for each in events if each.role == "user" and asks_discretion(each.content)]
    meant = [meant_by(tx, each) for each in asking]
    return {each.id for each in (*asking, *meant) if each is not None}


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


def _statement(event: Event, text: str, zone: tzinfo) -> Statement:
    """Return what the user said of how things are, or of what happened."""
    fact = any(Update(each).is_fact for each in (text, *forms(text)))
    dated = happened(text, event.at, zone)
    fact = fact and not is_visit(text, dated)
    return Statement(
        content=text,
        scope=event.scope,
        provenance=_papers(event, event.scope.user or "user", Verification.USER_STATED),
        kind=Kind.SEMANTIC if fact else Kind.EPISODIC,
        valid=validity(text, event.at, zone) if fact else dated,
        explicit=False,
        said_at=event.at,
    )


def _quoted(event: Event, text: str, zone: tzinfo) -> Statement:
    """Return what another participant said, under their name: nothing the user says of things."""
    return Statement(
        content=f"{event.speaker}: {text}",
        scope=event.scope,
        provenance=_papers(event, event.speaker, Verification.UNVERIFIED),
        kind=Kind.EPISODIC,
        valid=happened(text, event.at, zone),
        explicit=False,
        supersedes=False,
        said_at=event.at,
    )


def _papers(event: Event, speaker: str, verification: Verification) -> Provenance:
    return Provenance(
        Source(SourceKind.USER, speaker), event_ids=(event.id,), verification=verification,
        reason=IN_PASSING,
    )  # fmt: skip
