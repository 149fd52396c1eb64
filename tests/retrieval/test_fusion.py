"""Fusion: one score in [0, 1] whose parts stay visible, in an order that never changes."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.retrieval.fusion import (
    IDENTICAL,
    LEXICAL_WEIGHT,
    SEMANTIC_WEIGHT,
    Candidate,
    fuse,
)
from langgraph_memory.retrieval.lexical import LexicalScore

COSINES = st.floats(-1.0000002, 1.0000002) | st.sampled_from([0.0, 0.3, 0.995, 1.0, -1.0])
SHARES = st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0])
ROWS = st.integers(1, 30)
WORDS = st.dictionaries(ROWS, st.builds(LexicalScore, SHARES, st.just(("tea",))), max_size=8)
MEANINGS = st.dictionaries(ROWS, COSINES, max_size=8)
NAMED = st.frozensets(ROWS, max_size=2)


@given(COSINES, SHARES, st.sampled_from([0.0, 1.0]))
def test_the_score_is_a_strength(semantic: float, lexical: float, structured: float) -> None:
    """B43: in [0, 1], and 1 for what is identical or named."""
    candidate = Candidate(1, semantic, lexical, structured)
    assert 0.0 <= candidate.score <= 1.0
    if structured or semantic >= IDENTICAL:
        assert candidate.score == 1.0


@given(COSINES, COSINES, SHARES, SHARES)
def test_more_of_either_part_is_never_less(a: float, b: float, x: float, y: float) -> None:
    low, high = Candidate(1, min(a, b), min(x, y)), Candidate(1, max(a, b), max(x, y))
    assert low.score <= high.score


def test_close_is_between_identical_and_unrelated() -> None:
    """B43: strictly falling."""
    scores = [Candidate(1, cosine).score for cosine in (0.999, 0.9, 0.6, 0.3, 0.0, -0.4)]
    assert scores[0] >= 0.99
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores[:5])) == 5
    assert scores[-1] == 0.0


def test_a_paraphrase_without_a_shared_word_beats_a_shared_word_without_the_meaning() -> None:
    """R22."""
    assert Candidate(1, semantic=0.6).score > Candidate(2, semantic=0.05, lexical=0.5).score


def test_the_two_channels_share_the_weight() -> None:
    expected = 0.5 * SEMANTIC_WEIGHT + 0.25 * LEXICAL_WEIGHT
    assert Candidate(1, semantic=0.5, lexical=0.25).score == pytest.approx(expected)
    assert pytest.approx(1.0) == SEMANTIC_WEIGHT + LEXICAL_WEIGHT


def test_a_cosine_that_is_no_number_is_no_strength() -> None:
    assert Candidate(1, semantic=math.nan).score == 0.0


@given(WORDS, MEANINGS, NAMED)
def test_every_proposed_row_comes_once_with_its_own_parts(
    words: dict[int, LexicalScore], meanings: dict[int, float], named: frozenset[int]
) -> None:
    found = fuse(words, meanings, named)
    assert sorted(each.row for each in found) == sorted({*words, *meanings, *named})
    for each in found:
        assert each.semantic == meanings.get(each.row, 0.0)
        assert each.lexical == (words[each.row].coverage if each.row in words else 0.0)
        assert each.structured == (1.0 if each.row in named else 0.0)
        assert each.matched == (("tea",) if each.row in words else ())


@given(WORDS, MEANINGS, NAMED, st.randoms(use_true_random=False))
def test_the_order_is_the_same_however_the_proposals_came(
    words: dict[int, LexicalScore],
    meanings: dict[int, float],
    named: frozenset[int],
    chance: random.Random,
) -> None:
    found = fuse(words, meanings, named)
    assert found == sorted(found, key=lambda each: (-each.strength, -each.row))
    for _ in range(3):
        shuffled_words, shuffled_meanings = [*words.items()], [*meanings.items()]
        chance.shuffle(shuffled_words)
        chance.shuffle(shuffled_meanings)
        assert fuse(dict(shuffled_words), dict(shuffled_meanings), named) == found


def test_of_equals_the_newest_row_comes_first() -> None:
    found = fuse({}, {3: 0.5, 9: 0.5, 5: 0.5, 7: 0.6}, frozenset())
    assert [each.row for each in found] == [7, 9, 5, 3]


def test_nothing_proposed_gives_nothing() -> None:
    assert fuse({}, {}, frozenset()) == []


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (Candidate(1, 0.9, 0.9, 1.0, ("tea",)), "is named by its key"),
        (Candidate(1, 0.1, 0.5, 0.0, ("tea", "寿司")), "shares 'tea', '寿司'"),
        (Candidate(1, 0.75), "is similar in meaning (0.75)"),
        (
            Candidate(1, 0.75, 0.5, 0.0, ("a", "b", "c", "d", "e")),
            "shares 'a', 'b', 'c', 'd' and is similar in meaning (0.75)",
        ),
        (Candidate(1, 0.1), "is the nearest of what is stored"),
        (Candidate(1), "is the nearest of what is stored"),
    ],
)
def test_each_candidate_says_why_it_was_retrieved(candidate: Candidate, reason: str) -> None:
    """R16."""
    assert candidate.reason == reason


def test_the_parts_are_rounded_for_people() -> None:
    """R16."""
    assert Candidate(1, 0.123456, 0.98765, 1.0).parts == {
        "semantic": 0.123, "lexical": 0.988, "structured": 1.0,
    }  # fmt: skip
