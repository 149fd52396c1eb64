"""Carry out an order, or return what came of it before."""

from __future__ import annotations

from collections.abc import Callable

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.inspect import contents
from langgraph_memory.operations.orders.correcting import correct
from langgraph_memory.operations.orders.forgetting import forget
from langgraph_memory.operations.orders.keeping import remember
from langgraph_memory.operations.orders.outcomes import Ordered, note_look, settle, settled
from langgraph_memory.operations.orders.reference import similar
from langgraph_memory.operations.orders.stopping import resume, skip, stop
from langgraph_memory.operations.orders.withdrawing import withdraw, withdraw_before
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.text.secrets import redact

LISTED = 20
MOST = 10_000

Deed = Callable[[Engine, Scope, Command, Ordered], JsonObject]


def obey(
    engine: Engine, scope: Scope, command: Command, event_id: str, *, number: int = 0
) -> JsonObject:
    """Carry out an order, or return what came of it before.

    Args:
        engine: The ports.
        scope: Who asks.
        command: What is asked.
        event_id: The event of the message.
        number: Which of the message's orders it is.

    Returns:
        The outcome as plain JSON: ``effect``, the ids it concerns, and why if it was refused.
    """
    ordered = Ordered(event_id, number)
    with engine.database.read() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
    if command.doubtful and command.order is Order.FORGET:
        return ask_back(engine, scope, command, event_id, number=number)
    withdraw(engine, event_id)
    if command.order in (Order.STOP, Order.SKIP):
        withdraw_before(engine, event_id)
    return _DEEDS[command.order](engine, scope, command, ordered)


def decline(
    engine: Engine, event_id: str, *, number: int = 0, effect: str = "rejected", why: str = ""
) -> JsonObject:
    """Settle an order that is not carried out; return what came of it before, if anything."""
    ordered = Ordered(event_id, number)
    withdraw(engine, event_id)
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        return settle(tx, ordered, {"effect": redact(effect), "why": redact(why)})


def ask_back(
    engine: Engine, scope: Scope, command: Command, event_id: str, *, number: int = 0
) -> JsonObject:
    """Settle an order to forget or correct that may be none: nothing changes.

    What may be meant is shown.
    """
    ordered = Ordered(event_id, number)
    withdraw(engine, event_id)
    there = similar(engine, scope, command.about or command.argument)
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        return settle(tx, ordered, {"effect": "unsure", "record_ids": there})


def _list(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Return what holds now: what ended, waits or starts later is not known to be so."""
    with engine.database.write() as tx:
        note_look(tx, ordered.event_id)
    now = engine.clock()
    page = contents(engine, scope, limit=MOST)
    ids = [each.record.id for each in page.records if each.record.current(now)]
    return {"record_ids": ids[:LISTED], "total": len(ids)}


_DEEDS: dict[Order, Deed] = {
    Order.REMEMBER: remember,
    Order.CORRECT: correct,
    Order.FORGET: forget,
    Order.STOP: stop,
    Order.SKIP: skip,
    Order.RESUME: resume,
    Order.LIST: _list,
}
