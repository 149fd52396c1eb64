"""Lexical strength: an absolute share of the question, from one scope's statistics alone."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.ports import WordMatches
from langgraph_memory.retrieval.lexical import score

TERMS = ["tea", "launch", "budget", "寿司"]
COUNTS = st.dictionaries(st.sampled_from(TERMS), st.integers(1, 50), min_size=1)
ROWS = st.dictionaries(st.integers(1, 99), st.tuples(st.integers(0, 500), COUNTS), max_size=8)


def matches(
    rows: dict[int, tuple[int, dict[str, int]]], documents: int | None = None, average: float = 10.0
) -> WordMatches:
    """Return matches in which each row is as long as its words at least."""
    long_enough = {
        row: (max(length, sum(counts.values())), counts) for row, (length, counts) in rows.items()
    }
    return WordMatches(len(rows) if documents is None else documents, average, long_enough)


def row(*terms: str, length: int = 10) -> tuple[int, dict[str, int]]:
    return length, {term: terms.count(term) for term in dict.fromkeys(terms)}


@given(ROWS, st.integers(0, 10**7), st.just(0.0) | st.floats(1, 1000))
def test_coverage_is_a_share_of_the_question(
    rows: dict[int, tuple[int, dict[str, int]]], others: int, average: float
) -> None:
    """B43."""
    found = score(TERMS, matches(rows, len(rows) + others, average))
    assert found.keys() == rows.keys()
    for number, each in found.items():
        assert 0.0 < each.coverage <= 1.0
        assert sorted(each.matched) == sorted(rows[number][1])


@given(ROWS, st.integers(0, 1000))
def test_the_score_depends_neither_on_the_order_of_rows_nor_of_terms(
    rows: dict[int, tuple[int, dict[str, int]]], others: int
) -> None:
    turned = {number: rows[number] for number in reversed(rows)}
    one = score(TERMS, matches(rows, len(rows) + others))
    other = score([*reversed(TERMS), *TERMS], matches(turned, len(rows) + others))
    assert {n: each.coverage for n, each in one.items()} == pytest.approx(
        {n: each.coverage for n, each in other.items()}
    )


def test_the_formula_is_bm25_over_the_weight_of_the_question() -> None:
    """Worked by hand: 10 records and 10 imagined, "tea" in 1 of them, "launch" in 2."""
    rows = {1: row("tea", "tea", "launch", length=20), 2: row("launch", length=5)}
    found = score(["tea", "launch"], matches(rows, 10))
    tea, launch = math.log(1 + 19.5 / 1.5), math.log(1 + 18.5 / 2.5)
    long, short = 1.2 * (0.25 + 0.75 * 2), 1.2 * (0.25 + 0.75 * 0.5)
    first = (tea * 2 * 2.2 / (2 + long) + launch * 2.2 / (1 + long)) / (tea + launch)
    assert found[1].coverage == pytest.approx(first)
    assert found[2].coverage == pytest.approx(launch * 2.2 / (1 + short) / (tea + launch))


def test_a_row_that_answers_more_of_the_question_is_stronger() -> None:
    rows = {1: row("tea"), 2: row("tea", "launch"), 3: row("tea", "launch", "budget")}
    found = score(["tea", "launch", "budget"], matches(rows, 50))
    assert found[1].coverage < found[2].coverage < found[3].coverage


def test_a_rare_word_weighs_more_than_a_common_one_and_is_named_first() -> None:
    rows = {n: row("tea") for n in range(1, 20)} | {20: row("launch"), 21: row("tea", "launch")}
    found = score(["tea", "launch"], matches(rows, 40))
    assert found[20].coverage > 2 * found[1].coverage
    assert found[21].matched == ("launch", "tea")


def test_one_common_word_of_a_long_question_is_a_weak_match() -> None:
    """R44: the best row of a question that fits nothing still gets a low score."""
    rows = {n: row("launch") for n in range(1, 10)}
    question = ["launch", "blood", "type", "lina"]
    best = max(each.coverage for each in score(question, matches(rows, 20)).values())
    assert best < 0.2


def test_in_a_scope_of_one_record_an_exact_match_is_full() -> None:
    assert score(["tea"], matches({1: row("tea")}, 1))[1].coverage == pytest.approx(1.0)


def test_a_longer_text_needs_the_word_more_often() -> None:
    rows = {1: row("tea", length=5), 2: row("tea", length=500), 3: row(*["tea"] * 9, length=500)}
    found = score(["tea"], matches(rows, 50))
    assert found[2].coverage < found[3].coverage
    assert found[2].coverage < found[1].coverage


def test_no_terms_or_no_matches_give_nothing() -> None:
    assert score([], matches({}, 0, 0.0)) == {}
    assert score(["tea"], matches({}, 100)) == {}
    assert score(["tea"], WordMatches(0, 0.0, {})) == {}


def test_an_average_of_nothing_divides_by_nothing() -> None:
    assert score(["tea"], matches({1: row("tea")}, 1, 0.0))[1].coverage == pytest.approx(1.0)
