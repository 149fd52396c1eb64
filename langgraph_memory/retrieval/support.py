"""Does a record answer the question, or only share its subject?

"What is Lina's blood type?" is near to "Lina owns deployment" by name alone. What gives it
away is the part of the question that the record leaves unanswered: "blood type" means
nothing to it. So a record's support is the mean of how well it fits the whole question, and
how well it fits the words it does not contain. Figures: ARCHITECTURE, decision 9.
"""

from __future__ import annotations

from langgraph_memory.domain.record import Record, Version
from langgraph_memory.domain.scope import Kind, locate
from langgraph_memory.text.tokens import query_terms, tokens

ENOUGH = 0.28
"""Support from which a fact answers."""

ENOUGH_FOR_EPISODE = 0.22
"""The same for an episode: what people say to each other leaves more to be understood."""

CHECKED = 3
"""Candidates whose support is measured, strongest first: each costs one embedding."""

_EDGES = ".,;:!?'\"“”‘’()[]{}¿¡？。，！"


def enough_for(record: Record) -> float:
    """Return the support from which this record answers."""
    place = locate(record.namespace)
    return ENOUGH_FOR_EPISODE if place and place[1] is Kind.EPISODIC else ENOUGH


def unanswered(question: str, said: frozenset[str]) -> str:
    """Return the question's weighty words that are not among the tokens ``said``."""
    return " ".join(_missing_words(question, said))


def missing_words(question: str, said: frozenset[str]) -> tuple[str, ...]:
    """Return the same words as the asker wrote them, each once."""
    return tuple(dict.fromkeys(_missing_words(question, said)))


def said_by(record: Record, version: Version) -> frozenset[str]:
    """Return the tokens of everything a record says: its text, its fields, its key."""
    value = version.value or {}
    fields = [part for part in value.values() if isinstance(part, str)]
    return frozenset(tokens(" ".join([*fields, record.key.replace("_", " ")])))


def support(fit: float, rest: float) -> float:
    """Return the support in [0, 1].

    Args:
        fit: The fused strength for the whole question, in [0, 1].
        rest: The cosine of the record with the unanswered words; 1.0 where none is left.
    """
    return max(0.0, (fit + rest) / 2)


def _missing_words(question: str, said: frozenset[str]) -> list[str]:
    weighty = frozenset(query_terms(question))
    words = []
    for word in question.split():
        terms = weighty.intersection(tokens(word))
        if terms and not terms & said:
            words.append(word.strip(_EDGES))
    return words
