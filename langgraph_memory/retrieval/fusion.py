"""One score from several channels, with its parts kept visible.

Both channels give absolute strengths in [0, 1]: the cosine of the best vector, and lexical
coverage. A weighted sum of them beats rank fusion, which gives the best lexical row full
weight whatever it matched, and so ruins questions that share no word with their answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from langgraph_memory.ports import Vectors
from langgraph_memory.retrieval.lexical import LexicalScore

RANKING = "ranking-2"
"""The version of weights and thresholds; recorded with every recall."""

SEMANTIC_WEIGHT = 0.6
LEXICAL_WEIGHT = 0.4

IDENTICAL = 0.995
"""Cosine from which two texts are the same text."""


class Candidate(NamedTuple):
    """A row proposed by at least one channel.

    Attributes:
        row: The record.
        semantic: Cosine of its best vector with the question, in [-1, 1]; None where meaning
            was not asked, and words must do alone.
        lexical: Coverage, in [0, 1].
        structured: 1.0 when the question names its key or id, else 0.
        matched: The question's terms found in it.
        late: How well its word pieces match, as a cosine; None where that was not compared.
        rank: Its place in the order by all of this (``ranking``); None where the fused
            strength is all that is known.
    """

    row: int
    semantic: float | None = 0.0
    lexical: float = 0.0
    structured: float = 0.0
    matched: tuple[str, ...] = ()
    late: float | None = None
    rank: float | None = None

    @property
    def score(self) -> float:
        """Return the fused strength, in [0, 1]."""
        return max(0.0, self.strength)

    @property
    def strength(self) -> float:
        """Return the same, below 0 for what means the opposite: still an order."""
        if self.structured:
            return 1.0
        if self.semantic is None:
            return self.lexical
        if self.semantic >= IDENTICAL:
            return 1.0
        return SEMANTIC_WEIGHT * self.semantic + LEXICAL_WEIGHT * self.lexical

    @property
    def parts(self) -> dict[str, float]:
        """Return the score by part, rounded for people."""
        parts = {
            "semantic": round(self.semantic or 0.0, 3),
            "lexical": round(self.lexical, 3),
            "structured": self.structured,
        }
        if self.late is not None and self.rank is not None:
            parts |= {"late": round(self.late, 3), "rank": round(self.rank, 3)}
        return parts

    @property
    def reason(self) -> str:
        """Return why it was retrieved, as what is said of it: "shares 'tea'"."""
        if self.structured:
            return "is named by its key"
        parts = []
        if self.matched:
            parts.append("shares " + ", ".join(f"'{term}'" for term in self.matched[:4]))
        if self.semantic is not None and self.semantic >= 0.3:
            parts.append(f"is similar in meaning ({self.semantic:.2f})")
        return " and ".join(parts) or "is the nearest of what is stored"


def strengths(cosines: Vectors | None, words: Vectors) -> Vectors:
    """Return ``(n,)``: ``Candidate.strength`` of many rows at once, none of them named."""
    if cosines is None:
        return words.astype(np.float32, copy=True)
    fused = np.float32(SEMANTIC_WEIGHT) * cosines + np.float32(LEXICAL_WEIGHT) * words
    return np.where(cosines >= IDENTICAL, np.float32(1.0), fused)


def fuse(
    words: Mapping[int, LexicalScore], meanings: Mapping[int, float] | None, named: frozenset[int]
) -> list[Candidate]:
    """Return every proposed row once, strongest first, ties by row, newest first.

    ``meanings`` is None where the question has no vector.
    """
    candidates = [
        Candidate(
            row,
            semantic=None if meanings is None else meanings.get(row, 0.0),
            lexical=words[row].coverage if row in words else 0.0,
            structured=float(row in named),
            matched=words[row].matched if row in words else (),
        )
        for row in {*words, *(meanings or ()), *named}
    ]
    return sorted(candidates, key=lambda each: (-each.strength, -each.row))
