"""Which rules of an owner's keep things out of memory, and what they leave."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.stops import RULE, STOP, Stop, closing, stop_in
from langgraph_memory.ports import Closed, Transaction


def stops(engine: Engine, tx: Transaction, scope: Scope) -> list[tuple[int, Stop]]:
    """Return the rules in force for a scope, each with its record's row."""
    found = []
    for each in tx.records.page(scope.root, now=engine.clock(), wanted={RULE: STOP}):
        rule = stop_in(each.value)
        if rule is not None and scope.owns(each.namespace):
            found.append((each.row, rule))
    return found


def closed_by(
    engine: Engine, thread_id: str, sentences: Sequence[str], rules: Sequence[Stop]
) -> list[Stop | None]:
    """Return for each sentence of a thread the rule that keeps it out of memory. May embed."""
    for rule in rules:
        if rule.thread_id == thread_id:
            return [rule] * len(sentences)
    about = {rule.subject: rule for rule in rules if rule.subject}
    reads = engine.embedder.reads if engine.embedder else _reads_nothing
    found = closing(
        sentences, list(about), sorts=engine.policy.sensitive.phrases,
        vectors_of=engine.text_vectors, reads=reads,
    )  # fmt: skip
    return [about.get(each) for each in found]


def kept_of(
    engine: Engine, event: Event, sentences: Sequence[str], rules: Sequence[Stop]
) -> list[str]:
    """Return those of an event's sentences that may be kept unasked. May embed."""
    closed = closed_by(engine, event.thread_id, sentences, rules)
    return [each for each, rule in zip(sentences, closed, strict=True) if rule is None]


def closed(engine: Engine, scope: Scope, thread_id: str, sentences: Sequence[str]) -> list[Closed]:
    """Return those of a thread's sentences that a rule keeps out of memory. May embed."""
    if not sentences:
        return []
    with engine.database.read() as tx:
        rules = [rule for _, rule in stops(engine, tx, scope)]
    by = closed_by(engine, thread_id, sentences, rules)
    return [Closed(each, rule.content) for each, rule in zip(sentences, by, strict=True) if rule]


def _reads_nothing(text: str) -> bool:
    return False
