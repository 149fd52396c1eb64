"""Lexical strength from the scope's own statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from langgraph_memory.ports import Rows, Vectors, WordMatches, WordTable

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


@dataclass(frozen=True, slots=True)
class Coverage:
    """The lexical score of every place of a table: ``score`` for a whole scope at once.

    Attributes:
        table: Of what.
        weights: How much each of the question's terms weighs there.
        of: ``(n,)`` coverage in [0, 1], 0 where nothing matches.
    """

    table: WordTable
    weights: Mapping[str, float]
    of: Vectors

    @property
    def any(self) -> bool:
        """Whether any term is held at all."""
        return bool(self.table.holders)

    def matched(self, places: Sequence[int] | Rows) -> list[tuple[str, ...]]:
        """Return the terms found at each of some places, the weightiest first."""
        found: list[list[str]] = [[] for _ in places]
        for term in sorted(self.weights, key=lambda term: -self.weights[term]):
            if (holders := self.table.holders.get(term)) is not None:
                for at in np.flatnonzero(np.isin(places, holders.places)):
                    found[at].append(term)
        return [tuple(each) for each in found]


def coverage(terms: Sequence[str], table: WordTable) -> Coverage:
    """Return the lexical score of every place. The same figures as :func:`score`."""
    found = {term: len(each.places) for term, each in table.holders.items()}
    weights = _weights(dict.fromkeys(terms, 0) | found, table.documents)
    if not table.holders:
        return Coverage(table, weights, np.zeros(len(table.rows), dtype=np.float32))
    total = sum(weights.values())
    summed = np.zeros(len(table.rows), dtype=np.float32)
    for term, holders in table.holders.items():
        lengths = table.lengths[holders.places] / (table.average_length or 1.0)
        norm = K1 * (1 - B + B * lengths)
        summed[holders.places] += weights[term] * (K1 + 1) * holders.times / (holders.times + norm)
    if total:
        summed /= total
    return Coverage(table, weights, np.minimum(summed, 1.0))


def _idf(terms: Sequence[str], matches: WordMatches) -> Mapping[str, float]:
    frequency = dict.fromkeys(terms, 0)
    for _, counts in matches.counts.values():
        for term in counts:
            frequency[term] += 1
    return _weights(frequency, matches.documents)


def _weights(frequency: Mapping[str, int], documents: int) -> dict[str, float]:
    known = documents + UNSEEN
    return {
        term: math.log(1 + (known - count + 0.5) / (count + 0.5))
        for term, count in frequency.items()
    }


def _saturation(count: int, length: int, average: float) -> float:
    norm = 1 - B + B * (length / average if average else 1.0)
    return count * (K1 + 1) / (count + K1 * norm)
