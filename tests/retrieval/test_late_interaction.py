"""R22: piece by piece, the best match counts; what all texts share tells none apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.ports import AskedPieces, Signs, Vectors
from langgraph_memory.retrieval import late_interaction as late
from langgraph_memory.retrieval.late_interaction import late_interaction

DIMS = 64


def pieces(*seeds: int) -> Vectors:
    rows = [np.random.default_rng(seed).choice([-1.0, 1.0], DIMS) for seed in seeds]
    found: Vectors = np.array(rows, dtype=np.float32).reshape(-1, DIMS) / np.sqrt(DIMS)
    return found


def signs(*seeds: int) -> Signs:
    return np.packbits(pieces(*seeds) > 0, axis=1).reshape(len(seeds), DIMS // 8)


def asked(*seeds: int, weights: list[float] | None = None) -> AskedPieces:
    return AskedPieces(pieces(*seeds), np.array(weights or [1.0] * len(seeds), np.float32))


def test_a_text_with_the_very_pieces_scores_one() -> None:
    same, other = late_interaction(asked(1, 2), [signs(9, 2, 1), signs(7)])
    assert same == pytest.approx(1.0, abs=1e-6)
    assert other < 0.5


def test_the_score_is_the_mean_of_the_best_matches() -> None:
    """Against the definition, piece by piece: one candidate, so that no weight moves."""
    question, text = pieces(1, 2, 3), pieces(4, 5, 6, 7)
    best = np.array([max(float(each @ other) for other in text) for each in question])
    found = late_interaction(AskedPieces(question, np.ones(3, np.float32)), [signs(4, 5, 6, 7)])
    assert found[0] == pytest.approx(np.average(best, weights=1 - best / 0.6), abs=1e-5)


def test_a_rare_piece_weighs_more() -> None:
    common, rare = [signs(1, 9), signs(2, 9)], [0.1, 5.0]
    first, second = late_interaction(asked(1, 2, weights=rare), common)
    assert second > first


def test_a_piece_that_every_text_has_tells_none_apart() -> None:
    """The name of who speaks stands in every turn."""
    texts = [signs(1, 10), signs(1, 2), signs(1, 11)]
    found = late_interaction(asked(1, 2), texts)
    assert int(np.argmax(found)) == 1
    assert found[1] - found[0] > 0.7


def test_texts_without_pieces_are_not_compared() -> None:
    found = late_interaction(asked(1), [None, signs(1), signs()])
    assert np.isnan(found).tolist() == [True, False, True]
    assert np.isnan(late_interaction(asked(), [signs(1)])).all()
    assert late_interaction(asked(1), []).shape == (0,)


def test_very_long_texts_end_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest is always compared; what comes after the bound is not."""
    monkeypatch.setattr(late, "MOST_PIECES", 3)
    found = late_interaction(asked(1), [signs(1, 2, 3, 4), signs(1)])
    assert np.isnan(found).tolist() == [False, True]
    found = late_interaction(asked(1), [signs(1), signs(2, 3), signs(4)])
    assert np.isnan(found).tolist() == [False, False, True]


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=5),
    st.lists(st.lists(st.integers(0, 99), max_size=5), max_size=5),
)
def test_scores_are_cosines(question: list[int], texts: list[list[int]]) -> None:
    found = late_interaction(asked(*question), [signs(*each) for each in texts])
    known = found[~np.isnan(found)]
    assert np.all(np.abs(known) <= 1 + 1e-5)
    assert len(known) == sum(1 for each in texts if each)
