"""Do what a message asks of memory itself, once, whatever is retried.

The deed and its outcome, kept beside the message's event, share one transaction. Whoever
comes again with the same message, after a crash or out of impatience, is told that outcome;
nothing is done twice, and nothing that was forgotten since is brought back.
"""

from __future__ import annotations

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import (
    AmbiguousReferenceError,
    InvalidInputError,
    NotFoundError,
    RefusedError,
)
from langgraph_memory.operations.consolidate import consolidate
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import forget_in
from langgraph_memory.operations.inspect import contents
from langgraph_memory.operations.recall import recall
from langgraph_memory.operations.statements import Statement, prepare
from langgraph_memory.operations.writing import write
from langgraph_memory.policy.commands import Command, Order
from langgraph_memory.policy.validity import Verdict
from langgraph_memory.ports import Transaction
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH

LISTED = 20
MOST = 10_000
SUGGESTED = 3


def obey(engine: Engine, scope: Scope, command: Command, event_id: str) -> JsonObject:
    """Carry out an order, or return what came of it before.

    Args:
        engine: The ports.
        scope: Who asks.
        command: What is asked.
        event_id: The event of the message; the order's identity.

    Returns:
        The outcome as plain JSON: ``effect``, the ids it concerns, and why if it was refused.
    """
    with engine.database.read() as tx:
        if (before := tx.events.outcome(event_id)) is not None:
            return before
    match command.order:
        case Order.REMEMBER:
            return _remember(engine, scope, command.argument, event_id)
        case Order.FORGET:
            return _forget(engine, scope, command.argument, event_id)
        case Order.LIST:
            return _list(engine, scope)


def _list(engine: Engine, scope: Scope) -> JsonObject:
    """Return what holds now: what ended, waits or starts later is not known to be so."""
    now = engine.clock()
    page = contents(engine, scope, limit=MOST)
    ids = [each.record.id for each in page.records if each.record.current(now)]
    return {"record_ids": ids[:LISTED], "total": len(ids)}


def _remember(engine: Engine, scope: Scope, said: str, event_id: str) -> JsonObject:
    speaker = Source(SourceKind.USER, scope.user or scope.tenant)
    papers = Provenance(speaker, (event_id,), verification=Verification.USER_STATED)
    try:
        prepared = prepare(engine, [Statement(said, scope, papers)])[0]
    except (InvalidInputError, RefusedError) as exc:
        with engine.database.write() as tx:
            return _settled(tx, event_id, {"effect": "refused", "why": exc.message})
    with engine.database.write() as tx:
        if (before := tx.events.outcome(event_id)) is not None:
            return before
        engine.check_space(tx)
        done = write(engine, tx, prepared)
        return _settled(tx, event_id, {"record_id": done.id, "effect": done.effect.value})


def _forget(engine: Engine, scope: Scope, reference: str, event_id: str) -> JsonObject:
    """Forget what is meant; what was said a moment ago may still wait to become a memory."""
    try:
        try:
            return _delete(engine, scope, reference, event_id)
        except AmbiguousReferenceError:
            raise
        except NotFoundError:
            _consolidate_now(engine, scope)
            return _delete(engine, scope, reference, event_id)
    except AmbiguousReferenceError as exc:
        outcome: JsonObject = {"effect": "ambiguous", "record_ids": list(exc.matches)}
    except NotFoundError:
        outcome = {"effect": "not found", "record_ids": _similar(engine, scope, reference)}
    with engine.database.write() as tx:
        return _settled(tx, event_id, outcome)


def _delete(engine: Engine, scope: Scope, reference: str, event_id: str) -> JsonObject:
    with engine.database.write() as tx:
        if (before := tx.events.outcome(event_id)) is not None:
            return before
        gone = forget_in(engine, tx, scope, reference, reason="asked in conversation")
        return _settled(tx, event_id, {"record_id": gone.id, "effect": "deleted"})


def _similar(engine: Engine, scope: Scope, reference: str) -> list[str]:
    """Return the ids of what may be meant: about the subject is enough for a suggestion."""
    found = recall(engine, scope, reference, limit=SUGGESTED)
    near = [hit for hit in found.rejected if hit.judgement.verdict is Verdict.WEAK]
    hits = found.evidence or [hit for hit in near if hit.score >= STRONG_ENOUGH]
    return [hit.record.id for hit in hits[:SUGGESTED]]


def _consolidate_now(engine: Engine, scope: Scope) -> None:
    """Do the owner's waiting consolidation, so that what is to be forgotten can be found."""
    with engine.database.read() as tx:
        jobs = tx.jobs.waiting(scope.owner)
    for job in jobs:
        consolidate(engine, job)


def _settled(tx: Transaction, event_id: str, outcome: JsonObject) -> JsonObject:
    tx.events.settle(event_id, outcome)
    return outcome
