"""What may become a memory: kept word for word, with a purpose and a lifetime, or refused."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError, InvalidValueError
from langgraph_memory.policy.admission import (
    MAX_CHARACTERS,
    MAX_KEY_LENGTH,
    MAX_TTL_MINUTES,
    RESERVED,
    admit,
    check_key,
)
from langgraph_memory.wiring import Settings, write_policy

POLICY = write_policy(Settings())

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)


@pytest.mark.parametrize(
    "content",
    ["用户喜欢寿司", "Пользователь любит чай", "المستخدم يحب الشاي", "❤️🍣", "-", "don't", "a\nb"],
)
def test_a_statement_in_any_language_is_kept_word_for_word(content: str) -> None:
    """B33, B34."""
    assert admit(POLICY, content, Kind.SEMANTIC).value == {"content": content}


@given(TEXT.filter(lambda text: bool(text.strip())))
def test_only_the_space_around_a_statement_is_taken_away(content: str) -> None:
    assert admit(POLICY, content, Kind.EPISODIC).value == {"content": content.strip()}


@pytest.mark.parametrize("content", ["", " ", "\n\t", "\u3000\u2003", None, 7, b"tea", ["tea"]])
def test_nothing_is_not_remembered(content: Any) -> None:
    with pytest.raises(InvalidInputError, match="nothing to remember: the content is empty"):
        admit(POLICY, content, Kind.SEMANTIC)


def test_the_longest_statement_is_kept_and_one_character_more_is_refused() -> None:
    """B36."""
    longest = "x" * MAX_CHARACTERS
    assert admit(POLICY, longest, Kind.SEMANTIC).value == {"content": longest}
    with pytest.raises(InvalidInputError, match=r"4,000,001 characters; 4,000,000 fit.*as a file"):
        admit(POLICY, longest + "x", Kind.SEMANTIC)


@pytest.mark.parametrize("content", ["a\x00b", "\x00", "tea\x00"])
def test_a_nul_character_is_refused(content: str) -> None:
    with pytest.raises(InvalidValueError, match=r"\$\.content holds a NUL"):
        admit(POLICY, content, Kind.SEMANTIC)


def test_a_lone_surrogate_is_refused() -> None:
    """B16."""
    with pytest.raises(InvalidValueError, match=r"\$\.content holds a lone surrogate"):
        admit(POLICY, "tea \ud83d", Kind.SEMANTIC)


# --- Lifetimes --------------------------------------------------------------------------------


def test_every_kind_has_a_lifetime_and_a_purpose_of_its_own() -> None:
    """R19, R23: nothing is permanent by omission."""
    kept = {kind: admit(POLICY, "tea", kind) for kind in Kind}
    assert {kind: each.ttl_minutes for kind, each in kept.items()} == {
        Kind.SEMANTIC: None, Kind.EPISODIC: 730 * 24 * 60, Kind.PROCEDURAL: None
    }  # fmt: skip
    assert len({each.purpose for each in kept.values()}) == len(Kind)
    assert {each.policy for each in kept.values()} == {"write-2"}


@pytest.mark.parametrize(
    ("content", "circle", "days"),
    [
        ("The blue tent is on sale for $99", "personal", 14),
        ("蓝色帐篷打折，现价99元", "personal", 14),
        ("The tent's estimated delivery is May 5", "personal", 30),
        ("I prefer window seats", "personal", None),
        ("I prefer window seats", "project", None),
        ("The API is written in Go", "project", 730),
        ("The API is written in Go", "personal", None),
        ("The wholesale department is in Berlin", "personal", None),
        ("He sails on Sales Street", "organization", None),
    ],
)
def test_a_domain_of_facts_has_a_lifetime_of_its_own(
    content: str, circle: str, days: float | None
) -> None:
    """R23: a sale price, a delivery estimate, a project fact, a stable preference."""
    kept = admit(POLICY, content, Kind.SEMANTIC, circle=circle).ttl_minutes
    assert kept == (None if days is None else days * 24 * 60)


def test_a_statement_names_its_domain_and_only_facts_have_one() -> None:
    named = {"domain": "sale_price"}
    admission = admit(POLICY, "The tent costs $99", Kind.SEMANTIC, metadata=named)
    assert admission.ttl_minutes == 14 * 24 * 60
    assert admission.purpose == "say what an offer costs while it lasts"
    assert admit(POLICY, "on sale", Kind.EPISODIC, metadata=named).ttl_minutes == 730 * 24 * 60
    assert admit(POLICY, "x", Kind.SEMANTIC, metadata={"domain": "finance"}).ttl_minutes is None
    assert admit(POLICY, "x", Kind.SEMANTIC, ttl_minutes=5, metadata=named).ttl_minutes == 5


@pytest.mark.parametrize("minutes", [0.01, 1, 60, 1e6, MAX_TTL_MINUTES])
def test_a_lifetime_of_the_callers_choice_counts(minutes: float) -> None:
    for kind in Kind:
        assert admit(POLICY, "tea", kind, ttl_minutes=minutes).ttl_minutes == minutes
    end = datetime(2999, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    assert end.year < 9999  # it can be written as a date


@pytest.mark.parametrize(
    "minutes",
    [0, -1, -0.0, math.nan, math.inf, -math.inf, 1e300, MAX_TTL_MINUTES + 1, "5", True, [1]],
)
def test_an_impossible_lifetime_is_refused(minutes: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"ttl_minutes is .*above 0 .*or None"):
        admit(POLICY, "tea", Kind.EPISODIC, ttl_minutes=minutes)


def test_a_purpose_of_the_callers_choice_counts() -> None:
    """R19."""
    assert admit(POLICY, "tea", Kind.SEMANTIC, purpose="order lunch").purpose == "order lunch"


# --- Metadata ---------------------------------------------------------------------------------


def test_metadata_is_kept_beside_the_statement_as_a_copy() -> None:
    tags = ["hot"]
    value = admit(POLICY, "tea", Kind.SEMANTIC, metadata={"tags": tags, "n": 1}).value
    tags.append("cold")
    assert value == {"content": "tea", "tags": ["hot"], "n": 1}


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_metadata_cannot_say_whose_a_memory_is_or_what_it_says(name: str) -> None:
    """B6."""
    with pytest.raises(InvalidInputError, match=rf"may not contain {name}: .*Rename the field"):
        admit(POLICY, "tea", Kind.SEMANTIC, metadata={"ok": 1, name: "victim"})


@pytest.mark.parametrize(
    "name",
    ["tenant", "user", "namespace", "scope", "tenant_id", "user_id", "agent_id", "session_id"],
)
def test_the_names_that_other_stores_route_by_are_reserved(name: str) -> None:
    """B6: `metadata={"user_id": "victim"}` moved a record elsewhere."""
    assert name in RESERVED


def test_every_claimed_name_is_listed_at_once() -> None:
    with pytest.raises(InvalidInputError, match="may not contain tenant, user:"):
        admit(POLICY, "tea", Kind.SEMANTIC, metadata={"user": 1, "a": 2, "tenant": 3})


def test_reserved_names_deeper_inside_are_only_data() -> None:
    metadata = {"about": {"user": "x", "content": "y"}}
    assert admit(POLICY, "tea", Kind.SEMANTIC, metadata=metadata).value == {
        "content": "tea",
        **metadata,
    }


@pytest.mark.parametrize("metadata", [[("a", 1)], 5, "a", "", {1}, [], 0, False])
def test_metadata_that_is_no_dictionary_is_refused(metadata: Any) -> None:
    with pytest.raises(InvalidInputError, match="not a dictionary"):
        admit(POLICY, "tea", Kind.SEMANTIC, metadata=metadata)


@pytest.mark.parametrize("bad", [datetime(2026, 1, 1, tzinfo=UTC), (1,), math.nan, {1: 2}, b"x"])
def test_metadata_that_json_cannot_hold_is_refused_with_its_place(bad: Any) -> None:
    with pytest.raises(InvalidValueError, match=r"metadata\.when"):
        admit(POLICY, "tea", Kind.SEMANTIC, metadata={"when": bad})


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=3))
def test_what_is_let_in_can_be_stored_and_says_what_was_said(metadata: dict[str, Any]) -> None:
    try:
        value = admit(POLICY, "tea", Kind.SEMANTIC, metadata=metadata).value
    except InvalidInputError:
        return
    assert value == {"content": "tea", **metadata}
    dumps(value).encode()


# --- Keys -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["launch_date", " a ", "a.b/c", "寿司", "x" * MAX_KEY_LENGTH, "%"])
def test_a_key_is_kept_as_it_is(key: str) -> None:
    assert check_key(key) == key


@pytest.mark.parametrize("key", ["", " ", "\n", None, 3, b"k"])
def test_an_empty_key_is_refused(key: Any) -> None:
    with pytest.raises(InvalidInputError, match="The key is empty"):
        check_key(key)


def test_a_key_that_is_too_long_or_no_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="longer than 512 characters"):
        check_key("x" * (MAX_KEY_LENGTH + 1))
    with pytest.raises(InvalidValueError, match="at key holds a lone surrogate"):
        check_key("\udc80")
