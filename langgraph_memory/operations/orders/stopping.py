"""The orders to keep no more, and to keep again."""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import bury
from langgraph_memory.operations.orders.keeping import keep, user_said
from langgraph_memory.operations.orders.outcomes import Ordered, settle, settled
from langgraph_memory.operations.orders.reference import similar
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.stops import stops
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.policy.stops import PURPOSE, Stop


def stop(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Keep nothing more unasked of a subject, or of the conversation; tell what is kept already."""
    rule = Stop(command.argument, "" if command.argument else _thread_of(engine, ordered))
    there = similar(engine, scope, command.argument) if command.argument else []
    said = Statement(
        rule.content, scope, replace(user_said(scope, ordered), purpose=PURPOSE), key=rule.key,
        metadata=rule.fields, protected=True, hidden=True,
    )  # fmt: skip
    return keep(engine, said, ordered, {"record_ids": there, "effect": "stopped"})


def skip(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Keep nothing of the message itself, which being an order sees to; make no rule."""
    there = similar(engine, scope, command.argument) if command.argument else []
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        return settle(tx, ordered, {"record_ids": there, "effect": "skipped"})


def resume(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """End every rule that keeps things out of memory."""
    papers = Provenance(Source(SourceKind.USER, scope.speaker), reason="lifted")
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        ended = 0
        for row, _ in stops(engine, tx, scope):
            if record := tx.records.load_row(row):
                bury(engine, tx, record, papers)
                ended += 1
        return settle(tx, ordered, {"effect": "resumed", "total": ended})


def _thread_of(engine: Engine, ordered: Ordered) -> str:
    with engine.database.read() as tx:
        [event] = tx.events.get([ordered.event_id])
    return event.thread_id
