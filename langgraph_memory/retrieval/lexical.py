"""Lexical strength from the scope's own statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langgraph_memory.ports import WordMatches

K1 = 1.2
B = 0.75

UNSEEN = 10
"""Records imagined beside the scope's own: in a scope of three, a word that two of them hold
is not yet a common word."""


@dataclass(frozen=True, slots=True)
class LexicalScore:
    """How well a row's words fit.

    Attributes:
        coverage: In [0, 1]: the share of the question's weight that the row answers, a rare
            word weighing more than a common one. Comparable between questions.
        matched: The terms found, the weightiest first.
    """

    coverage: float
    matched: tuple[str, ...]


def score(terms: Sequence[str], matches: WordMatches) -> dict[int, LexicalScore]:
    """Return the lexical score of every matching row.

    BM25 (Robertson & Zaragoza 2009) over the summed idf of the question's terms, so that
    the best row of a question that fits nothing still gets a low score.
    """
    weights = _idf(terms, matches)
    total = sum(weights.values())
    if not total:
        return {}
    scores = {}
    for row, (length, counts) in matches.counts.items():
        bm25 = sum(
            weights[term] * _saturation(count, length, matches.average_length)
            for term, count in counts.items()
        )
        matched = tuple(sorted(counts, key=lambda term: -weights[term]))
        scores[row] = LexicalScore(min(1.0, bm25 / total), matched)
    return scores


def _idf(terms: Sequence[str], matches: WordMatches) -> Mapping[str, float]:
    frequency = dict.fromkeys(terms, 0)
    for _, counts in matches.counts.values():
        for term in counts:
            frequency[term] += 1
    documents = matches.documents + UNSEEN
    return {
        term: math.log(1 + (documents - count + 0.5) / (count + 0.5))
        for term, count in frequency.items()
    }


def _saturation(count: int, length: int, average: float) -> float:
    norm = 1 - B + B * (length / average if average else 1.0)
    return count * (K1 + 1) / (count + K1 * norm)
