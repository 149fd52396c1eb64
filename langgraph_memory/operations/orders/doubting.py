"""Whether an order that may mean something else is one to memory."""

from __future__ import annotations

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.correcting import meant
from langgraph_memory.operations.orders.outcomes import Ordered, settled
from langgraph_memory.operations.orders.reference import naming
from langgraph_memory.operations.reference import resolve
from langgraph_memory.policy.orders.commands import Command, Order


def is_meant(
    engine: Engine, scope: Scope, command: Command, event_id: str, *, number: int = 0
) -> bool:
    """Tell whether an order counts: it is sure, was settled before, or memory holds what it names.

    Arguments as of ``obey``.
    """
    if not command.doubtful:
        return True
    with engine.database.read() as tx:
        if settled(tx, Ordered(event_id, number)) is not None:
            return True
    if command.order is Order.CORRECT:
        return bool(meant(engine, scope, command))
    return _holds(engine, scope, command.argument)


def _holds(engine: Engine, scope: Scope, subject: str) -> bool:
    try:
        with engine.database.read() as tx:
            resolve(engine, tx, scope, subject)
    except AmbiguousReferenceError:
        return True
    except NotFoundError:
        return bool(naming(engine, scope, subject))
    return True
