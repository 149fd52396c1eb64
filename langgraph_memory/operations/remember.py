"""Write one statement into long-term memory: the only way in."""

from __future__ import annotations

from langgraph_memory.domain.events import Event
from langgraph_memory.operations.admitting import prepare
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.reviving import kept_away
from langgraph_memory.operations.statements import Prepared, Remembered, Statement
from langgraph_memory.operations.superseding import end, placed
from langgraph_memory.operations.writing import write
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.ports import Transaction


def remember(engine: Engine, statement: Statement) -> Remembered:
    """Write a statement, or strengthen what already says it.

    Raises:
        InvalidInputError: The write policy cannot take it as it is.
        VersionConflictError: ``expected`` is not the head any more.
    """
    return remember_all(engine, [statement])[0]


def remember_all(
    engine: Engine, statements: list[Statement], *, read: Event | None = None
) -> list[Remembered]:
    """Write statements in one transaction: all or none. Raises as :func:`remember`.

    Args:
        engine: The ports.
        statements: What to write, in order.
        read: The last event they were taken from; noted in the same transaction.
    """
    prepared = prepare(engine, placed(engine, statements))
    with engine.database.write() as tx:
        if read is not None and not tx.events.get([read.id]):
            return []  # purged while the texts were embedded: nothing of it comes back
        engine.check_space(tx)
        results = [
            kept_away(engine, tx, said, each) or written(engine, tx, each)
            for said, each in zip(statements, prepared, strict=True)
        ]
        if read is not None:
            tx.events.consolidated(read)
    return results


def written(engine: Engine, tx: Transaction, each: Prepared) -> Remembered:
    """Write a placed statement, and end what else it contradicts. Raises as :func:`remember`."""
    done = write(engine, tx, each)
    if done.effect in (Effect.BEGIN, Effect.SUPERSEDE):
        end(engine, tx, each.statement, done.id)
    return done
