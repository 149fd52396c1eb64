"""What is not to be kept: a conversation, or a subject, that its owner has closed to memory.

A rule is a record like any other, so that it can be seen, forgotten and purged. It holds for
work that keeps things unasked; what its owner asks to remember afterwards is remembered. It only
takes away, and is no way of working: it holds at once, without a review.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.topics import sorts_named
from langgraph_memory.ports import Vectors
from langgraph_memory.text.phrases import Phrases
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


def closing(
    sentences: Sequence[str], subjects: Sequence[str], *, sorts: Mapping[str, Phrases],
    vectors_of: Callable[[Sequence[str]], Vectors | None], reads: Callable[[str], bool],
) -> list[str]:  # fmt: skip
    """Return for each sentence the subject that closes it to memory; empty where none does.

    What nobody can tell, because no model reads it, is closed by the first that may.

    Args:
        sentences: What might be kept.
        subjects: What is not to be.
        sorts: The words of each sort of claim that may harm somebody: a subject that names a
            sort covers them.
        vectors_of: Embeds texts, ``(n, dims)`` unit rows; None where there is no model.
        reads: Whether the model reads the script of a text.
    """
    if not subjects or not sentences:
        return [""] * len(sentences)
    if unread := next((each for each in subjects if not reads(each)), ""):
        return [unread] * len(sentences)
    asked = [_Subject.of(each, sorts) for each in subjects]
    by = [_told_by_words(each, asked) if reads(each) else subjects[0] for each in sentences]
    left = [each for each, subject in zip(sentences, by, strict=True) if not subject]
    if not left:
        return by
    near = iter(_told_by_meaning(left, subjects, vectors_of))
    return [subject or next(near) for subject in by]


@dataclass(frozen=True, slots=True)
class _Subject:
    """A subject, its words, and those of the sorts of claims that it names."""

    name: str
    terms: frozenset[str]
    covers: tuple[Phrases, ...]

    @classmethod
    def of(cls, name: str, sorts: Mapping[str, Phrases]) -> _Subject:
        covers = tuple(sorts[each] for each in sorts_named(name, sorts))
        return cls(name, frozenset(query_terms(name)), covers)

    def holds(self, sentence: str) -> bool:
        """Tell whether a sentence is about it by its words."""
        shared = self.terms & set(tokens(sentence))
        if self.terms and len(shared) >= _SHARE * len(self.terms):
            return True
        return any(each.first(sentence) for each in self.covers)


def _told_by_words(sentence: str, subjects: Sequence[_Subject]) -> str:
    return next((each.name for each in subjects if each.holds(sentence)), "")


def _told_by_meaning(
    sentences: Sequence[str], subjects: Sequence[str],
    vectors_of: Callable[[Sequence[str]], Vectors | None],
) -> list[str]:  # fmt: skip
    vectors = vectors_of([*(_SPELLED.format(each) for each in subjects), *sentences])
    if vectors is None:
        return [subjects[0]] * len(sentences)
    cosines = (vectors[len(subjects) :] @ vectors[: len(subjects)].T).tolist()
    best = (max(zip(each, subjects, strict=True)) for each in cosines)
    return [subject if cosine >= ABOUT else "" for cosine, subject in best]
