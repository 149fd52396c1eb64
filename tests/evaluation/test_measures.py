"""R81: the measures, against cases small enough to be seen through."""

from __future__ import annotations

import math

import pytest

from langgraph_memory.evaluation.measures import (
    all_at,
    any_at,
    auroc,
    contamination_at,
    forgetting_aware,
    fraction_at,
    mean,
    reciprocal_rank,
)

FOUND = ["a", "b", "c", "d"]


def test_shares_of_the_first_k() -> None:
    assert fraction_at(2, FOUND, {"a", "d"}) == 0.5
    assert (any_at(2, FOUND, {"d"}), any_at(4, FOUND, {"d"})) == (0.0, 1.0)
    assert (all_at(3, FOUND, {"a", "d"}), all_at(4, FOUND, {"a", "d"})) == (0.0, 1.0)
    assert fraction_at(2, FOUND, set()) == all_at(2, FOUND, set()) == 0.0


def test_the_place_of_the_first() -> None:
    assert reciprocal_rank(FOUND, {"c", "d"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(FOUND, {"x"}) == 0.0


def test_stale_items_take_from_presence() -> None:
    """All gold and all stale in the first k: as bad as their share among both."""
    assert contamination_at(4, FOUND, {"b"}) == 1.0
    assert forgetting_aware(4, FOUND, {"a"}, {"b"}) == pytest.approx(0.5)
    assert forgetting_aware(1, FOUND, {"a"}, {"b"}) == 1.0
    assert forgetting_aware(4, FOUND, {"x"}, {"a", "b", "c"}) == 0.0
    assert forgetting_aware(4, FOUND, {"a"}, set()) == 1.0


def test_area_under_the_curve() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.5], [0.5]) == 0.5
    assert auroc([0.1], [0.9]) == 0.0
    assert math.isnan(auroc([], [0.1]))
    assert math.isnan(mean([]))
