"""Support: what of the question a record leaves unanswered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.record import Record
from langgraph_memory.retrieval.support import missing_words, said_by, support, unanswered
from langgraph_memory.text.tokens import query_terms

T0 = datetime(2026, 5, 1, tzinfo=UTC)
TEXT = st.text(st.sampled_from("abc BA.,?!-'寿司 \n\u0301") | st.characters(), max_size=40)


def record(value: dict[str, object], key: str = "k") -> Record:
    return Record.first("id-1", ("memory",), key, value, now=T0)


def said(text: str) -> frozenset[str]:
    found = record({"content": text})
    return said_by(found, found.head)


def test_the_words_a_record_does_not_contain_are_left() -> None:
    """B56."""
    lina = said("Lina owns deployment")
    assert missing_words("What is Lina's blood type?", lina) == ("blood", "type")
    assert unanswered("What is Lina's blood type?", lina) == "blood type"
    assert missing_words("Who owns deployment?", lina) == ()


def test_other_forms_of_a_word_answer_it() -> None:
    assert missing_words("Which agents moved?", said("the agent moves")) == ()


def test_a_compound_that_is_said_in_part_is_not_missing() -> None:
    assert missing_words("Which multi-agent system?", said("agent")) == ("system",)


def test_small_words_are_not_asked_for() -> None:
    assert missing_words("what is the budget", said("nothing")) == ("budget",)


def test_each_word_is_told_once_as_the_asker_wrote_it() -> None:
    asked = "Budget? “Budget” (GB/s), C++! budget 寿司。"
    assert missing_words(asked, frozenset()) == ("Budget", "GB/s", "C++", "budget", "寿司")


def test_a_records_fields_and_its_key_speak_too() -> None:
    found = record({"content": "$150", "team": "infra", "n": 7, "tags": ["x"]}, "monthly_budget")
    assert missing_words("monthly infra budget", said_by(found, found.head)) == ()


def test_a_tombstone_says_no_more_than_its_key() -> None:
    gone = record({"content": "tea"}, "drink").delete(now=T0)
    assert said_by(gone, gone.head) == said("drink") - said("") | frozenset(query_terms("drink"))


@given(TEXT, TEXT)
def test_what_is_missing_stands_in_the_question_and_not_in_the_record(
    question: str, text: str
) -> None:
    found = record({"content": text})
    tokens = said_by(found, found.head)
    for word in missing_words(question, tokens):
        assert word in question
    assert missing_words(question, tokens | frozenset(query_terms(question))) == ()


@given(TEXT)
def test_a_record_that_repeats_the_question_leaves_nothing_open(question: str) -> None:
    found = record({"content": question})
    assert unanswered(question, said_by(found, found.head)) == ""


@given(st.floats(0, 1), st.floats(-1, 1))
def test_support_is_the_mean_of_both_and_a_strength(fit: float, rest: float) -> None:
    assert 0.0 <= support(fit, rest) <= 1.0
    assert support(fit, rest) == pytest.approx(max(0.0, (fit + rest) / 2))
