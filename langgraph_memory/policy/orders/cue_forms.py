"""What the words of an order in one language are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's patterns.

    Attributes:
        keep: To keep something.
        stop: To keep something no more.
        drop: To forget.
        told: That somebody forgot, or forgets: no order. Read with accents.
        spare: Not to forget.
        change: That something is wrong, or has changed.
        again: To keep again; ``keep`` must stand beside it.
        polite: How a question is put that is a request.
    """

    keep: str
    stop: str
    drop: str
    told: str
    spare: str
    change: str
    again: str
    polite: str


def some(words: int) -> str:
    """Return the pattern of a few words between two."""
    return rf"(?:\s+\S+){{0,{words}}}?\s+"


def negated(before: str, keep: str, words: int) -> str:
    """Return a negation with a verb of keeping some words behind it."""
    return rf"\b(?:{before}){some(words)}\b(?:{keep})"
