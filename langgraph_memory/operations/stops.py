"""Which rules of an owner's keep things out of memory, and what they leave."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.stops import RULE, STOP, Stop, permitted, stop_in
from langgraph_memory.ports import Transaction


def stops(engine: Engine, tx: Transaction, scope: Scope) -> list[tuple[int, Stop]]:
    """Return the rules in force for a scope, each with its record's row."""
    found = []
    for each in tx.records.page(scope.root, now=engine.clock(), wanted={RULE: STOP}):
        rule = stop_in(each.value)
        if rule is not None and scope.owns(each.namespace):
            found.append((each.row, rule))
    return found


def kept_of(
    engine: Engine, event: Event, sentences: Sequence[str], rules: Sequence[Stop]
) -> list[str]:
    """Return those of an event's sentences that may be kept unasked. May embed."""
    if any(rule.thread_id == event.thread_id for rule in rules):
        return []
    subjects = [rule.subject for rule in rules if rule.subject]
    reads = engine.embedder.reads if engine.embedder else _reads_nothing
    return permitted(sentences, subjects, vectors_of=engine.text_vectors, reads=reads)


def _reads_nothing(text: str) -> bool:
    return False
