"""What is not to be kept: a conversation, or a subject, that its owner has closed to memory.

A rule is a record like any other, so that it can be seen, forgotten and purged. It holds for
work that keeps things unasked; what its owner asks to remember afterwards is remembered. It only
takes away, and is no way of working: it holds at once, without a review.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.ports import Vectors
from langgraph_memory.text.tokens import query_terms, tokens

RULE = "rule"
STOP = "stop"
PURPOSE = "keep out of memory what its owner closed to it"
_SUBJECT, _THREAD = "subject", "thread"

ABOUT = 0.15
"""Cosine, by the shipped model, from which a sentence is about a subject that is spelled out as
in ``_SPELLED``. ``tests/policy/test_stops.py`` has the sentences it was chosen on, and others."""

_SPELLED = "Personal information about {}"
_SHARE = 0.5
"""The share of a subject's words that a sentence about it has."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One rule: a subject, or all of a thread.

    Attributes:
        subject: In the owner's words; empty where the thread is meant.
        thread_id: The conversation; empty where a subject is meant.
    """

    subject: str = ""
    thread_id: str = ""

    @property
    def key(self) -> str:
        """The name of the rule's record."""
        return f"stop: {self.subject or self.thread_id}"[:500]

    @property
    def content(self) -> str:
        """The rule in words."""
        if self.subject:
            return f"Do not remember anything about: {self.subject}"
        return "Do not remember what is said in this conversation"

    @property
    def fields(self) -> JsonObject:
        """The rule in its record's metadata."""
        return {RULE: STOP, _SUBJECT: self.subject, _THREAD: self.thread_id}


def stop_in(value: JsonObject | None) -> Stop | None:
    """Return the rule that a record's value states; None for any other record."""
    if value is None or value.get(RULE) != STOP or CONTENT not in value:
        return None
    return Stop(str(value.get(_SUBJECT, "")), str(value.get(_THREAD, "")))


def permitted(
    sentences: Sequence[str], subjects: Sequence[str], *,
    vectors_of: Callable[[Sequence[str]], Vectors | None], reads: Callable[[str], bool],
) -> list[str]:  # fmt: skip
    """Return the sentences that are about none of the subjects.

    What nobody can tell, because no model reads it, is not kept either.

    Args:
        sentences: What might be kept.
        subjects: What is not to be.
        vectors_of: Embeds texts, ``(n, dims)`` unit rows; None where there is no model.
        reads: Whether the model reads the script of a text.
    """
    if not subjects or not sentences:
        return list(sentences)
    if not all(map(reads, subjects)):
        return []
    asked = [set(query_terms(subject)) for subject in subjects]
    left = [
        each
        for each in sentences
        if reads(each) and not any(_shares(each, terms) for terms in asked)
    ]
    spelled = [_SPELLED.format(subject) for subject in subjects]
    vectors = vectors_of([*spelled, *left]) if left else None
    if vectors is None:
        return []
    near = (vectors[len(spelled) :] @ vectors[: len(spelled)].T).max(axis=1)
    return [each for each, cosine in zip(left, near.tolist(), strict=True) if cosine < ABOUT]


def _shares(sentence: str, terms: set[str]) -> bool:
    return bool(terms) and len(terms & set(tokens(sentence))) >= _SHARE * len(terms)
