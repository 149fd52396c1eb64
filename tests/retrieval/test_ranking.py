"""R40: the second stage puts a few candidates in order, each with its parts."""

from __future__ import annotations

import numpy as np
import pytest

from langgraph_memory.ports import AskedPieces, Signs
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.retrieval.ranking import ranked

DIMS = 8
ASKED = AskedPieces(np.ones((1, DIMS), np.float32) / np.sqrt(DIMS), np.ones(1, np.float32))
ALL = np.array([[0xFF]], dtype=np.uint8)
HALF = np.array([[0xF0]], dtype=np.uint8)


def order(
    candidates: list[Candidate], wholes: dict[int, float], pieces: dict[int, Signs]
) -> list[int]:
    return [each.row for each in ranked(candidates, ASKED, wholes, pieces)]


def test_pieces_decide_between_texts_of_one_meaning() -> None:
    """Two turns about the same; one has the number that is asked for."""
    same = [Candidate(2, 0.5), Candidate(1, 0.5)]
    found = order(same, {1: 0.5, 2: 0.5}, {1: ALL, 2: HALF})
    assert found == [1, 2]


def test_a_near_sentence_counts_more_than_the_whole() -> None:
    found = order([Candidate(2, 0.5), Candidate(1, 0.8)], {1: 0.4, 2: 0.5}, {1: ALL, 2: ALL})
    assert found == [1, 2]


def test_one_shared_word_does_not_outweigh_meaning() -> None:
    """A paraphrase without a shared word stays before a chance match of one word in three."""
    near, pieces = {1: 0.5, 2: 0.36}, {1: ALL, 2: ALL}
    chance = [Candidate(2, 0.36, lexical=0.33), Candidate(1, 0.5)]
    assert order(chance, near, pieces) == [1, 2]
    sure = [Candidate(1, 0.5), Candidate(2, 0.36, lexical=0.9)]
    assert order(sure, near, pieces) == [2, 1]


def test_what_is_named_or_identical_comes_first() -> None:
    near = {1: 0.1, 2: 0.9, 3: 0.1}
    candidates = [Candidate(2, 0.9, 1.0), Candidate(1, 0.1, structured=1.0), Candidate(3, 0.999)]
    found = order(candidates, near, {1: HALF, 2: ALL, 3: HALF})
    assert found == [3, 1, 2]


def test_without_pieces_the_order_stays() -> None:
    """Another embedder has none: nothing is made up."""
    candidates = [Candidate(2, 0.1), Candidate(1, 0.9)]
    found = ranked(candidates, ASKED, {1: 0.9, 2: 0.1}, {})
    assert found == candidates
    assert found[0].rank is None
    assert "late" not in found[0].parts
    assert ranked([], ASKED, {}, {}) == []


def test_one_without_pieces_is_taken_by_its_nearest_sentence() -> None:
    """Statements of an older release stand among new ones."""
    found = ranked([Candidate(2, 0.2), Candidate(1, 0.9)], ASKED, {1: 0.9, 2: 0.2}, {2: HALF})
    assert [each.row for each in found] == [1, 2]
    assert found[0].late == pytest.approx(0.9)
    assert found[0].rank is not None
    assert 0 < found[0].rank < 1
    assert set(found[0].parts) == {"semantic", "lexical", "structured", "late", "rank"}
