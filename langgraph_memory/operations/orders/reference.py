"""Which memory the words of an order mean, where they do not name one."""

from __future__ import annotations

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.recall import recall
from langgraph_memory.policy.orders.doubtful import subject_terms
from langgraph_memory.policy.validity import Verdict
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit
from langgraph_memory.text.tokens import tokens

SUGGESTED = 3

_AHEAD = 0.85
"""A second memory that is nearly as near leaves it open which one is meant."""


def similar(engine: Engine, scope: Scope, words: str) -> list[str]:
    """Return the ids of what may be meant: about the subject is enough for a suggestion."""
    return [hit.record.id for hit in _near(engine, scope, words)]


def told_of(engine: Engine, scope: Scope, words: str) -> list[str]:
    """Return the ids of the own memories that speak of a subject: one if it is clear which."""
    near = [hit for hit in _near(engine, scope, words) if scope.owns(hit.record.namespace)]
    if len(near) > 1 and near[1].score < _AHEAD * near[0].score:
        near = near[:1]
    return [hit.record.id for hit in near]


def naming(engine: Engine, scope: Scope, subject: str) -> list[str]:
    """Return the ids of the own memories that have every word by which a subject is known."""
    terms = subject_terms(subject)
    return [
        hit.record.id
        for hit in _near(engine, scope, subject)
        if scope.owns(hit.record.namespace) and terms and terms <= set(tokens(hit.content))
    ]


def _near(engine: Engine, scope: Scope, words: str) -> list[Hit]:
    found = recall(engine, scope, words, limit=SUGGESTED)
    weak = [hit for hit in found.rejected if hit.judgement.verdict is Verdict.WEAK]
    hits = found.evidence or [hit for hit in weak if hit.score >= STRONG_ENOUGH]
    return list(hits[:SUGGESTED])
