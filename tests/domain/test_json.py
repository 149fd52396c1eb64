"""JSON values: kept exactly, or refused with the place; never changed in silence."""

from __future__ import annotations

import copy
import math
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.json import (
    MAX_DEPTH,
    check_text,
    checked_copy,
    dumps,
    loads,
    same,
)
from langgraph_memory.errors import InvalidInputError, InvalidValueError

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FINITE | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=5)
ANYTHING = st.recursive(
    SCALARS
    | st.floats()
    | st.text()
    | st.binary(max_size=3)
    | st.datetimes()
    | st.decimals()
    | st.uuids(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.none(), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=2)
    ),
    max_leaves=8,
)


class Mood(StrEnum):
    CALM = "calm"


class Level(IntEnum):
    LOW = 1


class Word(str):
    __slots__ = ()


class Pair(NamedTuple):
    a: int
    b: int


def exactly(value: Any) -> Any:
    """Return a form in which True, 1 and 1.0 differ, and so do 0.0 and -0.0."""
    match value:
        case dict():
            return {name: exactly(part) for name, part in value.items()}
        case list():
            return [exactly(part) for part in value]
        case float():
            return ("float", value, math.copysign(1, value))
        case _:
            return (type(value).__name__, value)


@given(OBJECTS)
@example({"n": 2**64, "m": -(2**63), "f": 5e-324, "z": -0.0, "b": [True, 1, 1.0], "": {"": None}})
@example({"text": '\x00\x1f\u2028\u2029\ufeff\U0001f363寿司"\\/'})
@example({"deep": [[[[[{"a": [{}]}]]]]]})
def test_what_is_accepted_comes_back_exactly(value: dict[str, Any]) -> None:
    copied = checked_copy(value)
    assert exactly(loads(dumps(copied))) == exactly(copied) == exactly(value)


@given(st.dictionaries(st.text(max_size=3) | st.integers(), ANYTHING, max_size=3))
def test_anything_is_either_kept_exactly_or_refused_with_its_path(value: dict[Any, Any]) -> None:
    try:
        copied = checked_copy(value)
    except InvalidValueError as exc:
        assert exc.path.startswith("$")
        assert exc.path in str(exc)
        str(exc).encode()  # the message itself can be printed
        return
    assert exactly(loads(dumps(copied))) == exactly(copied) == exactly(value)


@given(OBJECTS)
def test_a_copy_shares_no_part_with_its_original(value: dict[str, Any]) -> None:
    before = copy.deepcopy(value)
    copied = checked_copy(value)
    _scribble(copied)
    assert value == before


def _scribble(value: Any) -> None:
    parts = list(value.values() if isinstance(value, dict) else value)
    for part in parts:
        if isinstance(part, dict | list):
            _scribble(part)
    if isinstance(value, dict):
        value["scribbled"] = True
    else:
        value.append("scribbled")


@pytest.mark.parametrize("kind", [Mood.CALM, Level.LOW, Word("x"), np.float64(0.1)])
def test_a_kind_of_text_or_number_comes_back_as_the_plain_one_it_equals(kind: Any) -> None:
    kept = checked_copy({"x": kind})["x"]
    assert kept == kind
    assert type(kept) in (str, int, float)


def test_a_later_change_of_the_original_does_not_reach_the_copy() -> None:
    inner: list[int] = [1]
    copied = checked_copy({"a": {"b": inner}})
    inner.append(2)
    assert copied == {"a": {"b": [1]}}


def test_any_mapping_becomes_a_plain_dictionary_in_the_same_order() -> None:
    value = MappingProxyType({"b": OrderedDict(z=1, a=2), "a": 1})
    copied = checked_copy(value)
    assert dumps(copied) == '{"b":{"z":1,"a":2},"a":1}'
    assert type(copied) is dict
    assert type(copied["b"]) is dict


REFUSED: list[tuple[str, Any, str]] = [
    ("datetime", datetime(2026, 1, 1, tzinfo=UTC), "is a datetime"),
    ("date", date(2026, 1, 1), "is a date"),
    ("UUID", UUID(int=1), "is a UUID"),
    ("Decimal", Decimal("1.5"), "is a Decimal"),
    ("set", {1}, "is a set"),
    ("frozenset", frozenset(), "is a frozenset"),
    ("bytes", b"x", "is a bytes"),
    ("tuple", (1, 2), "is a tuple"),
    ("named tuple", Pair(1, 2), "is a Pair"),
    ("range", range(3), "is a range"),
    ("NaN", math.nan, "is nan, which JSON does not have"),
    ("infinity", math.inf, "is inf, which JSON does not have"),
    ("minus infinity", -math.inf, "is -inf, which JSON does not have"),
    ("complex", 1j, "is a complex"),
    ("function", len, "is a builtin_function_or_method"),
    ("object", object(), "is a object"),
    ("lone surrogate", "a\ud83d", "holds a lone surrogate, which is not text"),
    ("huge integer", 10**4400, "is an integer of more than 3,900 digits"),
    ("huge negative integer", -(10**5000), "is an integer of more than 3,900 digits"),
    ("integer key", {1: "x"}, "has a key of type int"),
    ("None as key", {None: "x"}, "has a key of type NoneType"),
    ("truth as key", {True: "x"}, "has a key of type bool"),
    ("tuple key", {("a",): "x"}, "has a key of type tuple"),
    ("kind of text as key", {Mood.CALM: "x"}, "has a key of type Mood"),
    ("lone surrogate in key", {"\udc00": "x"}, "holds a lone surrogate, which is not text"),
]
PLACES: list[tuple[str, Callable[[Any], dict[str, Any]]]] = [
    ("$.x", lambda bad: {"ok": 1, "x": bad}),
    ("$.x.y", lambda bad: {"x": {"ok": [], "y": bad}}),
    ("$.x[2]", lambda bad: {"x": [0, "", bad]}),
    ("$.x[1].y[0]", lambda bad: {"x": [{}, {"y": [bad]}]}),
    ("$.寿司 [0]", lambda bad: {"寿司 ": [bad]}),
]


@pytest.mark.parametrize(("path", "around"), PLACES, ids=[path for path, _ in PLACES])
@pytest.mark.parametrize(
    ("bad", "problem"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED]
)
def test_what_json_cannot_hold_is_refused_with_its_exact_path(
    bad: Any, problem: str, path: str, around: Callable[[Any], dict[str, Any]]
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_copy(around(bad))
    assert (caught.value.path, caught.value.problem) == (path, problem)


@pytest.mark.parametrize("value", [None, [], [("a", 1)], "{}", 1, {("a", 1)}], ids=repr)
def test_a_value_that_is_no_dictionary_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInputError, match="not a dictionary"):
        checked_copy(value)


def test_the_callers_name_for_the_value_starts_the_path() -> None:
    with pytest.raises(InvalidValueError, match=r"The value at metadata\.a\[0\] is a set"):
        checked_copy({"a": [{1}]}, path="metadata")


@pytest.mark.parametrize(
    "wrap", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["list", "dictionary"]
)
def test_depth_is_kept_up_to_the_limit_and_refused_beyond(wrap: Callable[[Any], Any]) -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH - 1):
        value = wrap(value)
    assert loads(dumps(checked_copy({"a": value}))) == {"a": value}
    with pytest.raises(InvalidValueError, match="nested deeper than 100 levels"):
        checked_copy({"a": wrap(value)})


def test_a_depth_bomb_is_a_clear_error() -> None:
    bomb: Any = 1
    for _ in range(100_000):
        bomb = [bomb]
    with pytest.raises(InvalidValueError, match="nested deeper"):
        checked_copy({"a": bomb})


def test_a_value_that_holds_itself_is_a_clear_error() -> None:
    loop: list[Any] = []
    loop.append(loop)
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    for value in ({"a": loop}, ring):
        with pytest.raises(InvalidValueError, match="nested deeper"):
            checked_copy(value)


def test_the_largest_integer_that_is_accepted_can_be_stored() -> None:
    edge = 2**13_000 - 1
    for number in (edge, -edge):
        assert loads(dumps(checked_copy({"n": number}))) == {"n": number}
    with pytest.raises(InvalidValueError):
        checked_copy({"n": edge + 1})


def test_the_stored_form_keeps_readable_characters_readable() -> None:
    """B34."""
    assert dumps({"a": "用户喜欢寿司 ❤️"}) == '{"a":"用户喜欢寿司 ❤️"}'


def test_the_stored_form_never_holds_what_is_no_json() -> None:
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError):
            dumps({"a": bad})


@given(TEXT)
def test_any_real_text_passes_the_text_check_unchanged(text: str) -> None:
    assert check_text(text, "here") == text


def test_a_lone_surrogate_is_refused_by_name() -> None:
    """B16."""
    for text in ("\ud800", "a\udfffb", "\udc80"):
        with pytest.raises(InvalidValueError, match="at here holds a lone surrogate") as caught:
            check_text(text, "here")
        assert caught.value.__cause__ is None


@given(VALUES, VALUES)
@example(True, 1)
@example(1, 1.0)
@example({"a": False}, {"a": 0})
@example([1.0], [1])
@example({"a": 1, "b": 2}, {"b": 2, "a": 1})
@example(0.0, -0.0)
def test_same_means_stored_alike_whatever_the_order_of_keys(a: Any, b: Any) -> None:
    assert same(a, b) == (exactly(a) == exactly(b))
    assert same(a, copy.deepcopy(a))
