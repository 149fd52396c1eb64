"""What an order would change, for a reviewer to see before it is done."""

from __future__ import annotations

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import InvalidInputError, RefusedError
from langgraph_memory.operations.admitting import admitted
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.correcting import meant, said_anew
from langgraph_memory.operations.orders.forgetting import meant as meant_to_go
from langgraph_memory.operations.orders.keeping import user_said
from langgraph_memory.operations.orders.outcomes import Ordered, settled
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.stops import stops
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.righting import statement
from langgraph_memory.policy.orders.unclear import holds_order, says_no_value
from langgraph_memory.policy.rulebook import WritePolicy
from langgraph_memory.text.secrets import redact


def propose(
    engine: Engine, scope: Scope, command: Command, event_id: str, *, number: int = 0
) -> JsonObject | None:
    """Return the change as plain JSON: what would be kept, and which record would go or change.

    Ids and the asker's own words only, and which version of the record they were read on: what
    memory holds is not copied into run state, ``inspect`` shows it to the reviewer. None
    where nothing would be changed: it was settled before, is refused, or does not say which
    record it means.
    """
    with engine.database.read() as tx:
        if settled(tx, Ordered(event_id, number)) is not None:
            return None
    match command.order:
        case Order.REMEMBER | Order.CORRECT if holds_order(command.argument):
            return None
        case Order.CORRECT if says_no_value(command.argument):
            return None
        case Order.REMEMBER:
            return _kept(engine.policy, scope, command.argument, [])
        case Order.CORRECT:
            ids = meant(engine, scope, command)
            said = statement(command.about, command.argument)
            if command.doubtful:
                said = said_anew(engine, ids[0], command) if ids else ""
            change = _kept(engine.policy, scope, said, ids) if len(ids) <= 1 else None
            return change and _shown(engine, change, _words(command))
        case Order.FORGET if not command.doubtful:
            gone = meant_to_go(engine, scope, command.argument, event_id)
            going: JsonObject = {"order": Order.FORGET.value, "record_id": gone}
            return _shown(engine, going, _words(command)) if gone else None
        case Order.RESUME:
            with engine.database.read() as tx:
                stopped = bool(stops(engine, tx, scope))
            return {"order": Order.RESUME.value} if stopped else None
    return None


def _words(command: Command) -> str:
    """Return an order's own words, without credentials."""
    return redact(": ".join(filter(None, (command.about, command.argument))))


def _shown(engine: Engine, change: JsonObject, asked: str) -> JsonObject:
    """Return a change with the words that ask for it, and the version that it is about."""
    if "record_id" not in change:
        return change
    with engine.database.read() as tx:
        stored = tx.records.find(change["record_id"])
    return {**change, "asked": asked, "version": stored.head.number if stored else 0}


def _kept(
    policy: WritePolicy, scope: Scope, content: str, replaced: list[str]
) -> JsonObject | None:
    try:
        admitted(policy, Statement(content, scope, user_said(scope, Ordered(""))))
    except (InvalidInputError, RefusedError):
        return None
    if not replaced:
        return {"order": Order.REMEMBER.value, "content": content}
    return {"order": Order.CORRECT.value, "content": content, "record_id": replaced[0]}
