"""The order to remember."""

from __future__ import annotations

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import InvalidInputError, RefusedError
from langgraph_memory.operations.admitting import prepare
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.outcomes import Ordered, settle, settled
from langgraph_memory.operations.remember import written
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.superseding import placed
from langgraph_memory.operations.zones import zone_of
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.policy.orders.unclear import holds_order


def remember(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Keep what was said, in its own words; ``unclear`` where they may hold another order."""
    if holds_order(command.argument):
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "unclear"})
    valid = holding(engine, command.argument, ordered)
    said = Statement(command.argument, scope, user_said(scope, ordered), valid=valid)
    return keep(engine, said, ordered, {})


def holding(engine: Engine, content: str, ordered: Ordered) -> Interval:
    """Return when a statement holds by its words, counted from the message that gave the order."""
    with engine.database.read() as tx:
        said = tx.events.get([ordered.event_id])
    at, zone = (said[0].at, zone_of(engine, said[0])) if said else (engine.clock(), engine.zone)
    return validity(content, at, zone)


def user_said(scope: Scope, ordered: Ordered) -> Provenance:
    """Return the papers of what a user said in the message of an order."""
    speaker = Source(SourceKind.USER, scope.speaker)
    return Provenance(speaker, (ordered.event_id,), verification=Verification.USER_STATED)


def keep(engine: Engine, said: Statement, ordered: Ordered, story: JsonObject) -> JsonObject:
    """Write a statement and settle the order, with ``story`` beside the effect."""
    try:
        prepared = prepare(engine, placed(engine, [said]))[0]
    except (InvalidInputError, RefusedError) as exc:
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "refused", "why": exc.said})
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        engine.check_space(tx)
        done = written(engine, tx, prepared)
        effect = done.effect.value
        told = {"record_id": done.id, "version": done.version, "effect": effect, **story}
        return settle(tx, ordered, told)
