"""How good an order is: each function takes what was found, best first, and what was to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

Found = Sequence[str]
Gold = AbstractSet[str]


def fraction_at(k: int, found: Found, gold: Gold) -> float:
    """Return the share of ``gold`` in the first ``k``; 0 where there is no gold."""
    return len(gold & set(found[:k])) / len(gold) if gold else 0.0


def any_at(k: int, found: Found, gold: Gold) -> float:
    """Return 1.0 if one of ``gold`` is in the first ``k``, else 0."""
    return float(bool(gold & set(found[:k])))


def all_at(k: int, found: Found, gold: Gold) -> float:
    """Return 1.0 if all of ``gold`` is in the first ``k``, else 0."""
    return float(bool(gold) and gold <= set(found[:k]))


def reciprocal_rank(found: Found, gold: Gold) -> float:
    """Return 1 over the place of the first of ``gold``, 0 if there is none."""
    return next((1 / place for place, each in enumerate(found, start=1) if each in gold), 0.0)


def contamination_at(k: int, found: Found, stale: Gold) -> float:
    """Return the share of ``stale`` in the first ``k``."""
    return fraction_at(k, found, stale)


def forgetting_aware(k: int, found: Found, gold: Gold, stale: Gold) -> float:
    """Return presence less what stale items take from it, in [0, 1].

    ``max(0, presence - share * (1 - forgetting))``: presence is the share of gold, forgetting
    the share of stale that stays out, share the part of stale among both. After the
    forgetting-aware memory accuracy of "From Recall to Forgetting" (2026), without a judge.
    """
    presence = fraction_at(k, found, gold)
    if not stale:
        return presence
    share = len(stale) / (len(stale) + len(gold))
    return max(0.0, presence - share * contamination_at(k, found, stale))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive scores above a negative, ties half; 0.5 tells nothing apart."""
    if not positive or not negative:
        return float("nan")
    wins = sum((one > other) + 0.5 * (one == other) for one in positive for other in negative)
    return wins / (len(positive) * len(negative))


def mean(values: Iterable[float]) -> float:
    """Return the mean, NaN of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else float("nan")
