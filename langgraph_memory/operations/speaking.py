"""Whose words an event is, among the participants of its conversation."""

from __future__ import annotations

from langgraph_memory.domain.events import Event
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.speakers import is_users
from langgraph_memory.ports import Transaction

LOOKED_AT = 200
"""Messages of a conversation whose names are looked at, the first ones."""


def is_own(engine: Engine, event: Event) -> bool:
    """Tell whether the user said it, rather than somebody else who takes part."""
    if not event.speaker:
        return True
    with engine.database.read() as tx:
        return spoken_by_user(tx, event)


def spoken_by_user(tx: Transaction, event: Event) -> bool:
    """Tell the same inside a transaction."""
    if not event.speaker:
        return True
    said = [each for each in tx.events.thread(event.thread_id, limit=LOOKED_AT)
            if each.role == event.role]  # fmt: skip
    return is_users(event.speaker, event.scope.user, [each.speaker for each in said])
