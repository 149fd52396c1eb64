"""Keep what was deleted or invalidated from coming back by being said again in passing.

Under its own name ``policy.conflict`` sees to it. Here it is looked for under every other name of
the same owner. Only who says it on purpose brings it back: the user, or the program itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from langgraph_memory.domain.json import same
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Prepared, Remembered, Statement
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.refuting import Again, meant
from langgraph_memory.ports import Transaction

_NARROWER = ("project", "agent", "session")


def kept_away(
    engine: Engine, tx: Transaction, said: Statement, each: Prepared
) -> Remembered | None:
    """Return the record that a statement would bring back; None where it may be written.

    Args:
        engine: The ports.
        tx: The write.
        said: As it was made.
        each: As it is to be written: under the name whose place it takes, if any.
    """
    statement = each.statement
    if meant(statement.provenance.source.kind, explicit=statement.explicit):
        return None
    if statement.kind is Kind.PROCEDURAL or (said.key is not None and not statement.explicit):
        return None  # a turn of a conversation is told by its place in it, not by its words
    there = tx.records.load(each.namespace, each.key)
    holds = there.current(engine.clock()) if there else None
    if holds is not None and same(holds.value, each.admission.value):
        return None  # somebody said it anew: this is one more witness
    record = _revived(tx, Again(statement.content, statement.valid), statement.scope)
    if record is None:
        return None
    number = record.head.number
    return Remembered(record.id, record.key, record.namespace, number, Effect.NOTHING)


def _revived(tx: Transaction, again: Again, scope: Scope) -> Record | None:
    for namespace in _places(scope):
        for chain in tx.records.chains(tx.records.refuted(namespace)).values():
            if again.revives(chain.record):
                return chain.record
    return None


def _places(scope: Scope) -> Iterator[Namespace]:
    """Yield where the owner may have taken back what is said in a scope: there, or wider."""
    narrowed = [each for each in _NARROWER if getattr(scope, each) is not None]
    for kept in product((True, False), repeat=len(narrowed)):
        gone: dict[str, Any] = {
            name: None for name, keep in zip(narrowed, kept, strict=True) if not keep
        }
        if scope.acting is not None and "project" in gone:
            continue
        for kind in (Kind.SEMANTIC, Kind.EPISODIC):
            yield replace(scope, **gone).namespace(kind)
