"""Does a record answer the question, or only share its subject?

"What is Lina's blood type?" is near to "Lina owns deployment" by name alone. What gives it
away is the part of the question that the record leaves unanswered: "blood type" means
nothing to it. So a record's support is the mean of how well it fits the whole question, and
how well it fits the words it does not contain. Figures: ARCHITECTURE, decision 9.
"""

from __future__ import annotations

from langgraph_memory.domain.record import Record, Version
from langgraph_memory.domain.scope import Kind, locate
from langgraph_memory.policy.keys import spoken_key
from langgraph_memory.policy.updates.update import asked_by
from langgraph_memory.ports import Vectors
from langgraph_memory.text.tokens import query_terms, tokens

ENOUGH = 0.35
"""Support from which a fact answers."""

ENOUGH_FOR_EPISODE = 0.22
"""The same for an episode: what people say to each other leaves more to be understood."""

MOST_WORDS = 24
"""Words of a statement that are compared one by one with the unanswered ones."""

CHECKED = 3
"""Candidates whose support is measured, strongest first: each costs one embedding."""

_EDGES = ".,;:!?'\"“”‘’()[]{}¿¡？。，！"


def enough_for(record: Record) -> float:
    """Return the support from which this record answers."""
    return ENOUGH if is_fact(record) else ENOUGH_FOR_EPISODE


def is_fact(record: Record) -> bool:
    """Tell whether a record states something briefly, rather than being part of a talk."""
    place = locate(record.namespace)
    return place is None or place[1] is not Kind.EPISODIC


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
    asked = asked_by(str(value.get("content", ""))) if is_fact(record) else ""
    return frozenset(tokens(" ".join([*fields, spoken_key(record.key), asked])))


def support(fit: float, rest: float, word: float | None = None) -> float:
    """Return the support in [0, 1].

    Args:
        fit: The fused strength for the whole question, in [0, 1].
        rest: The cosine of the record with the unanswered words; 1.0 where none is left.
        word: How near the record's words come to the unanswered word that is furthest from
            all of them, as a cosine; None where that was not measured.
    """
    mean = (fit + rest) / 2
    return max(0.0, mean if word is None else (mean + word) / 2)


def words_of(version: Version, key: str) -> list[str]:
    """Return the weighty words of a statement and its key, each once; none for a long one."""
    return weighty_words(" ".join([str((version.value or {}).get("content", "")), spoken_key(key)]))


def weighty_words(said: str) -> list[str]:
    """Return the weighty words of a text, each once; none for a long one."""
    words = [word.strip(_EDGES) for word in said.split()]
    weighty = list(dict.fromkeys(word for word in words if word and query_terms(word)))
    return weighty if len(weighty) <= MOST_WORDS else []


def nearest_words(asked: Vectors, said: Vectors) -> float:
    """Return how near ``said`` comes to the furthest of ``asked``: ``(n, dims)`` unit rows."""
    return float((asked @ said.T).max(axis=1).min())


def _missing_words(question: str, said: frozenset[str]) -> list[str]:
    weighty = frozenset(query_terms(question))
    words = []
    for word in question.split():
        terms = weighty.intersection(tokens(word))
        if terms and not terms & said:
            words.append(word.strip(_EDGES))
    return words
