"""Late interaction: each word piece of a question looks for its best match in a statement.

One vector says what a text is about; "three" in one of its sentences hardly moves it. Here the
pieces are compared one by one (MaxSim: Khattab & Zaharia 2020), each in its context, so that a
name, a number or a synonym counts where it stands. Of a statement's pieces only the signs are
kept; of the question's, all. Figures: ARCHITECTURE, decision 40.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from langgraph_memory.ports import AskedPieces, Signs, Vectors

MOST_PIECES = 8_000
"""Pieces compared in one search, the strongest candidates' first: a few milliseconds."""

_TELLS_NOTHING = 0.6
"""The mean match among the candidates from which a piece of the question tells none apart."""

_LEAST = 0.05
_BLOCK = 512  # rows of a product: larger ones are shared out to threads, which a busy machine lacks


def late_interaction(asked: AskedPieces, kept: Sequence[Signs | None]) -> Vectors:
    """Return ``(len(kept),)``: how well each text answers the question's pieces, in [-1, 1].

    The mean over the question's pieces of their best match, a piece weighing more the rarer it
    is in the language, and less the more all the texts match it.

    Args:
        asked: The question's pieces.
        kept: The texts' pieces, the strongest candidate first; NaN is returned where there are
            none, and beyond :data:`MOST_PIECES`.
    """
    found = np.full(len(kept), np.nan, dtype=np.float32)
    compared = _within_reach(kept)
    if not compared or not len(asked.vectors):
        return found
    best = _best_matches(asked.vectors, [kept[place] for place in compared])
    weights = asked.weights * np.maximum(_LEAST, 1 - best.mean(axis=0) / _TELLS_NOTHING)
    total = float(weights.sum())
    if total > 0:
        found[compared] = best @ weights / total
    return found


def _within_reach(kept: Sequence[Signs | None]) -> list[int]:
    places: list[int] = []
    pieces = 0
    for place, signs in enumerate(kept):
        if signs is not None and len(signs):
            pieces += len(signs)
            if pieces > MOST_PIECES and places:
                break
            places.append(place)
    return places


def _best_matches(asked: Vectors, kept: Sequence[Signs | None]) -> Vectors:
    """Return ``(len(kept), len(asked))``: for each text the best cosine with each piece."""
    known = [signs for signs in kept if signs is not None]
    dims = asked.shape[1]
    ones = np.unpackbits(np.concatenate(known), axis=1, count=dims).astype(np.float32)
    products = np.concatenate(
        [asked @ ones[start : start + _BLOCK].T for start in range(0, len(ones), _BLOCK)], axis=1
    )
    starts = np.cumsum([0, *(len(signs) for signs in known[:-1])])
    best = np.maximum.reduceat(products, starts, axis=1).T
    # With signs s = 2 b - 1 of length sqrt(dims): a . s = (2 a . b - sum(a)) / sqrt(dims).
    matches: Vectors = (2 * best - asked.sum(axis=1)) / np.sqrt(np.float32(dims))
    return matches
