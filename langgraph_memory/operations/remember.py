"""Write one statement into long-term memory: the only way in."""

from __future__ import annotations

from langgraph_memory.domain.events import Event
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Remembered, Statement, prepare
from langgraph_memory.operations.writing import write


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
    prepared = prepare(engine, statements)
    with engine.database.write() as tx:
        if read is not None and not tx.events.get([read.id]):
            return []  # purged while the texts were embedded: nothing of it comes back
        engine.check_space(tx)
        results = [write(engine, tx, each) for each in prepared]
        if read is not None:
            tx.events.consolidated(read)
    return results
