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
    LIFETIME_MINUTES,
    MAX_CHARACTERS,
    MAX_KEY_LENGTH,
    MAX_TTL_MINUTES,
    PURPOSE,
    RESERVED,
    WRITE_POLICY,
    admit,
    check_key,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)


@pytest.mark.parametrize(
    "content",
    ["用户喜欢寿司", "Пользователь любит чай", "المستخدم يحب الشاي", "❤️🍣", "-", "don't", "a\nb"],
)
def test_a_statement_in_any_language_is_kept_word_for_word(content: str) -> None:
    """B33, B34."""
    assert admit(content, Kind.SEMANTIC).value == {"content": content}


@given(TEXT.filter(lambda text: bool(text.strip())))
def test_only_the_space_around_a_statement_is_taken_away(content: str) -> None:
    assert admit(content, Kind.EPISODIC).value == {"content": content.strip()}


@pytest.mark.parametrize("content", ["", " ", "\n\t", "\u3000\u2003", None, 7, b"tea", ["tea"]])
def test_nothing_is_not_remembered(content: Any) -> None:
    with pytest.raises(InvalidInputError, match="nothing to remember: the content is empty"):
        admit(content, Kind.SEMANTIC)


def test_the_longest_statement_is_kept_and_one_character_more_is_refused() -> None:
    """B36."""
    longest = "x" * MAX_CHARACTERS
    assert admit(longest, Kind.SEMANTIC).value == {"content": longest}
    with pytest.raises(InvalidInputError, match=r"4,000,001 characters; 4,000,000 fit.*as a file"):
        admit(longest + "x", Kind.SEMANTIC)


@pytest.mark.parametrize("content", ["a\x00b", "\x00", "tea\x00"])
def test_a_nul_character_is_refused(content: str) -> None:
    with pytest.raises(InvalidValueError, match=r"\$\.content holds a NUL"):
        admit(content, Kind.SEMANTIC)


def test_a_lone_surrogate_is_refused() -> None:
    """B16."""
    with pytest.raises(InvalidValueError, match=r"\$\.content holds a lone surrogate"):
        admit("tea \ud83d", Kind.SEMANTIC)


# --- Lifetimes --------------------------------------------------------------------------------


def test_every_kind_has_a_lifetime_and_a_purpose_of_its_own() -> None:
    """R19, R23: nothing is permanent by omission."""
    assert set(LIFETIME_MINUTES) == set(PURPOSE) == set(Kind)
    for kind in Kind:
        admission = admit("tea", kind)
        assert admission.ttl_minutes == LIFETIME_MINUTES[kind]
        assert admission.purpose == PURPOSE[kind] != ""
        assert admission.policy == WRITE_POLICY
    assert admit("tea", Kind.EPISODIC).ttl_minutes == 730 * 24 * 60


@pytest.mark.parametrize("minutes", [0.01, 1, 60, 1e6, MAX_TTL_MINUTES])
def test_a_lifetime_of_the_callers_choice_counts(minutes: float) -> None:
    for kind in Kind:
        assert admit("tea", kind, ttl_minutes=minutes).ttl_minutes == minutes
    end = datetime(2999, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    assert end.year < 9999  # it can be written as a date


@pytest.mark.parametrize(
    "minutes",
    [0, -1, -0.0, math.nan, math.inf, -math.inf, 1e300, MAX_TTL_MINUTES + 1, "5", True, [1]],
)
def test_an_impossible_lifetime_is_refused(minutes: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"ttl_minutes is .*above 0 .*or None"):
        admit("tea", Kind.EPISODIC, ttl_minutes=minutes)


def test_a_purpose_of_the_callers_choice_counts() -> None:
    """R19."""
    assert admit("tea", Kind.SEMANTIC, purpose="order lunch").purpose == "order lunch"


# --- Metadata ---------------------------------------------------------------------------------


def test_metadata_is_kept_beside_the_statement_as_a_copy() -> None:
    tags = ["hot"]
    value = admit("tea", Kind.SEMANTIC, metadata={"tags": tags, "n": 1}).value
    tags.append("cold")
    assert value == {"content": "tea", "tags": ["hot"], "n": 1}


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_metadata_cannot_say_whose_a_memory_is_or_what_it_says(name: str) -> None:
    """B6."""
    with pytest.raises(InvalidInputError, match=rf"may not contain {name}: .*Rename the field"):
        admit("tea", Kind.SEMANTIC, metadata={"ok": 1, name: "victim"})


@pytest.mark.parametrize(
    "name",
    ["tenant", "user", "namespace", "scope", "tenant_id", "user_id", "agent_id", "session_id"],
)
def test_the_names_that_other_stores_route_by_are_reserved(name: str) -> None:
    """B6: `metadata={"user_id": "victim"}` moved a record elsewhere."""
    assert name in RESERVED


def test_every_claimed_name_is_listed_at_once() -> None:
    with pytest.raises(InvalidInputError, match="may not contain tenant, user:"):
        admit("tea", Kind.SEMANTIC, metadata={"user": 1, "a": 2, "tenant": 3})


def test_reserved_names_deeper_inside_are_only_data() -> None:
    metadata = {"about": {"user": "x", "content": "y"}}
    assert admit("tea", Kind.SEMANTIC, metadata=metadata).value == {"content": "tea", **metadata}


@pytest.mark.parametrize("metadata", [[("a", 1)], 5, "a", "", {1}, [], 0, False])
def test_metadata_that_is_no_dictionary_is_refused(metadata: Any) -> None:
    with pytest.raises(InvalidInputError, match="not a dictionary"):
        admit("tea", Kind.SEMANTIC, metadata=metadata)


@pytest.mark.parametrize("bad", [datetime(2026, 1, 1, tzinfo=UTC), (1,), math.nan, {1: 2}, b"x"])
def test_metadata_that_json_cannot_hold_is_refused_with_its_place(bad: Any) -> None:
    with pytest.raises(InvalidValueError, match=r"metadata\.when"):
        admit("tea", Kind.SEMANTIC, metadata={"when": bad})


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=3))
def test_what_is_let_in_can_be_stored_and_says_what_was_said(metadata: dict[str, Any]) -> None:
    try:
        value = admit("tea", Kind.SEMANTIC, metadata=metadata).value
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
