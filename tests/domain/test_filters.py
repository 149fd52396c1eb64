"""The truth table of filters, row by row, and against an evaluator written from its words."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.filters import check, matches
from langgraph_memory.domain.json import checked_copy, dumps, loads
from langgraph_memory.errors import InvalidFilterError

BIG = 2**53

# --- The table: one row holds all values, one filter asks for one field ------------------------

ROW: dict[str, Any] = {
    "int": 1,
    "float": 1.0,
    "half": 1.5,
    "zero": 0,
    "minus": -0.0,
    "big": BIG + 1,
    "huge": 10**30,
    "true": True,
    "false": False,
    "none": None,
    "text": "b",
    "digits": "1",
    "empty": "",
    "list": ["a", 1, None],
    "nothing": [],
    "mixed": [True, [1], {"k": 1}],
    "dict": {"k": 1, "m": {"n": "x"}},
    "blank": {},
    "a.b": "literal",
    "a": {"b": "path", "c": {"d": 4}, "c.d": 5, "list": [1]},
    "x": {"y.z": 6},
}

TABLE: list[tuple[str, Any, bool]] = [
    # a bare value or $eq: same type and equal
    ("int", 1, True), ("int", 2, False), ("int", 1.0, True), ("float", 1, True), ("half", 1, False),
    ("int", True, False), ("true", 1, False), ("true", True, True), ("false", 0, False),
    ("zero", False, False), ("zero", -0.0, True), ("minus", 0, True), ("false", False, True),
    ("int", "1", False), ("digits", 1, False), ("digits", "1", True), ("text", "B", False),
    ("none", None, True), ("zero", None, False), ("empty", None, False), ("blank", None, False),
    ("none", "None", False), ("none", 0, False), ("none", "", False), ("none", False, False),
    ("big", BIG + 1, True), ("big", BIG, False), ("big", float(BIG), False),
    ("huge", 10**30 + 1, False),
    ("huge", 1e30, False), ("list", ["a", 1, None], True), ("list", ["a", True, None], False),
    ("list", ["a", 1.0, None], True), ("list", ["a", None, 1], False), ("list", ["a"], False),
    ("list", "a", False), ("text", ["b"], False), ("nothing", [], True), ("blank", [], False),
    ("mixed", [True, [1], {"k": 1}], True), ("mixed", [1, [1], {"k": 1}], False),
    ("mixed", [True, [True], {"k": 1}], False), ("mixed", [True, [1], {"k": True}], False),
    ("list", ("a", 1, None), True),
    # a dictionary without operators asks for each of its parts, deeper
    ("dict", {"k": 1}, True), ("dict", {"k": 2}, False), ("dict", {"k": True}, False),
    ("dict", {"m": {"n": "x"}}, True), ("dict", {"m": {"n": "y"}}, False),
    ("dict", {"z": 1}, False),
    ("dict", {"k": 1, "m": {"n": "x"}}, True), ("dict", {"k": {"$gt": 0}}, True),
    ("dict", {"m": {"n": {"$in": ["x"]}}}, True), ("dict", {"m.n": "x"}, True),
    ("text", {"k": 1}, False),
    ("list", {"k": 1}, False), ("none", {"k": {"$exists": False}}, False),
    ("blank", {}, True), ("dict", {}, False), ("none", {}, False), ("nothing", {}, False),
    # $eq compares whole values
    ("int", {"$eq": 1.0}, True), ("true", {"$eq": 1}, False), ("none", {"$eq": None}, True),
    ("dict", {"$eq": {"k": 1}}, False), ("dict", {"$eq": {"k": 1, "m": {"n": "x"}}}, True),
    ("blank", {"$eq": {}}, True), ("list", {"$eq": ["a", 1, None]}, True),
    ("dict", {"$eq": {"k": {"$gt": 0}}}, False),
    # $ne is not $eq
    ("int", {"$ne": 1}, False), ("int", {"$ne": True}, True), ("int", {"$ne": "1"}, True),
    ("none", {"$ne": None}, False), ("none", {"$ne": 1}, True), ("dict", {"$ne": {"k": 1}}, True),
    # order: numbers with numbers, text with text, anything else is false
    ("int", {"$gt": 0}, True), ("int", {"$gt": 1}, False), ("int", {"$gt": 0.5}, True),
    ("int", {"$gte": 1.0}, True), ("int", {"$lt": 1.5}, True), ("int", {"$lt": 1}, False),
    ("int", {"$lte": 1}, True), ("int", {"$lte": 0}, False), ("int", {"$gte": 2}, False),
    ("big", {"$gt": BIG}, True), ("big", {"$gt": float(BIG)}, True), ("big", {"$lte": BIG}, False),
    ("huge", {"$gt": BIG}, True), ("half", {"$lt": 2}, True), ("text", {"$gt": "a"}, True),
    ("text", {"$lt": "a"}, False), ("text", {"$gte": "b"}, True), ("text", {"$lte": "B"}, False),
    ("digits", {"$gt": 0}, False), ("digits", {"$lt": 2}, False), ("int", {"$gt": "0"}, False),
    ("int", {"$lt": "2"}, False), ("true", {"$gt": 0}, False), ("true", {"$gte": True}, False),
    ("int", {"$lt": True}, False), ("int", {"$gte": True}, False), ("none", {"$gt": 0}, False),
    ("none", {"$lt": 0}, False), ("none", {"$gte": None}, False), ("none", {"$lte": None}, False),
    ("list", {"$gt": []}, False), ("list", {"$gte": ["a", 1, None]}, False),
    ("dict", {"$lt": {}}, False),
    ("int", {"$gt": None}, False), ("int", {"$gt": [0]}, False),
    ("int", {"$gt": float("nan")}, False),
    ("int", {"$lte": float("nan")}, False), ("int", {"$lt": float("inf")}, True),
    # $in, $nin
    ("int", {"$in": [0, 1]}, True), ("int", {"$in": [1.0]}, True),
    ("int", {"$in": [True, "1"]}, False),
    ("int", {"$in": []}, False), ("none", {"$in": [None]}, True),
    ("list", {"$in": [["a", 1, None]]}, True),
    ("list", {"$in": ["a"]}, False), ("int", {"$in": (1,)}, True),
    ("dict", {"$in": [{"k": 1}]}, False),
    ("int", {"$nin": [0, 2]}, True), ("int", {"$nin": [1]}, False), ("int", {"$nin": []}, True),
    ("int", {"$nin": [True]}, True), ("none", {"$nin": [None]}, False),
    ("none", {"$nin": [0]}, True),
    # $contains: an equal element, or a part of a text
    ("list", {"$contains": "a"}, True), ("list", {"$contains": 1.0}, True),
    ("list", {"$contains": True}, False),
    ("list", {"$contains": None}, True), ("list", {"$contains": ["a"]}, False),
    ("mixed", {"$contains": [1]}, True),
    ("mixed", {"$contains": {"k": 1}}, True), ("mixed", {"$contains": 1}, False),
    ("nothing", {"$contains": None}, False),
    ("text", {"$contains": ""}, True), ("text", {"$contains": "b"}, True),
    ("text", {"$contains": "bb"}, False),
    ("digits", {"$contains": 1}, False), ("int", {"$contains": 1}, False),
    ("dict", {"$contains": "k"}, False),
    ("none", {"$contains": None}, False),
    # $exists: None is a value, and present
    ("int", {"$exists": True}, True), ("int", {"$exists": False}, False),
    ("none", {"$exists": True}, True),
    ("false", {"$exists": True}, True), ("empty", {"$exists": False}, False),
    # operators of one field must all hold; $not is true where its operand is false
    ("int", {"$gte": 1, "$lte": 1}, True), ("int", {"$gte": 1, "$ne": 1}, False),
    ("int", {"$not": {"$gt": 0}}, False), ("int", {"$not": {"$gt": 5}}, True),
    ("int", {"$not": 1}, False),
    ("int", {"$not": 2}, True), ("int", {"$not": {"$not": {"$eq": 1}}}, True),
    ("text", {"$not": {"$gt": 1}}, True),
    ("dict", {"$not": {"k": 1}}, False), ("dict", {"$not": {"k": 2}}, True),
    # a missing field
    ("gone", None, False), ("gone", 0, False), ("gone", "", False), ("gone", {}, False),
    ("gone", [], False),
    ("gone", {"k": {"$exists": False}}, False), ("gone", {"$eq": None}, False),
    ("gone", {"$exists": False}, True),
    ("gone", {"$exists": True}, False), ("gone", {"$ne": None}, True), ("gone", {"$ne": 1}, True),
    ("gone", {"$nin": [1]}, True), ("gone", {"$nin": []}, True), ("gone", {"$in": [None]}, False),
    ("gone", {"$in": []}, False), ("gone", {"$gt": 0}, False), ("gone", {"$gte": 0}, False),
    ("gone", {"$lt": 0}, False), ("gone", {"$lte": "x"}, False), ("gone", {"$contains": ""}, False),
    ("gone", {"$not": {"$eq": 1}}, True), ("gone", {"$not": {"$exists": False}}, False),
    # a key as it is spelled, then as a path
    ("a.b", "literal", True), ("a.b", "path", False), ("a.c.d", 5, True), ("a.c.d", 4, False),
    ("x.y.z", 6, True), ("dict.m.n", "x", True), ("dict.m.n.o", {"$exists": False}, True),
    ("dict.gone", None, False),
    ("text.b", {"$exists": False}, True), ("a.list.0", {"$exists": False}, True),
    ("none.k", {"$exists": False}, True),
    (".", {"$exists": False}, True), ("a.", {"$exists": False}, True),
    (".a", {"$exists": False}, True),
    ("", {"$exists": False}, True),
]  # fmt: skip


NAMES_OF_ROWS = [f"{field}-{wanted!r}"[:60] for field, wanted, _ in TABLE]


@pytest.mark.parametrize(("field", "wanted", "met"), TABLE, ids=NAMES_OF_ROWS)
def test_truth_table(field: str, wanted: Any, met: bool) -> None:
    """B45. Both of the value and of its stored form."""
    check({field: wanted})
    assert matches(ROW, {field: wanted}) is met
    assert matches(loads(dumps(checked_copy(ROW))), {field: wanted}) is met


YES, NO = {"int": 1}, {"int": 2}


@pytest.mark.parametrize(
    ("wanted", "met"),
    [
        ({}, True),
        ({"int": 1, "text": "b"}, True),
        ({"int": 1, "text": "c"}, False),
        ({"$and": []}, True),
        ({"$and": [YES, {}]}, True),
        ({"$and": [YES, NO]}, False),
        ({"$or": []}, False),
        ({"$or": [NO, YES]}, True),
        ({"$or": [NO, NO]}, False),
        ({"$not": {}}, False),
        ({"$not": NO}, True),
        ({"$not": YES}, False),
        ({"$not": {"gone": 1}}, True),
        ({"$or": [YES], "text": "c"}, False),
        ({"$and": [{"$or": [NO, {"$not": NO}]}, {"$not": {"$and": [YES, NO]}}]}, True),
        ({"$or": (NO, YES)}, True),
    ],
    ids=str,
)
def test_logic(wanted: dict[str, Any], met: bool) -> None:
    check(wanted)
    assert matches(ROW, wanted) is met


# --- Refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        {"$regex": "x"},
        {"$GT": 1},
        {"$": 1},
        {"$and": []},
        {"$or": [{}]},
        {"$gt": 1, "$foo": 2},
        {"$gt": 1, "b": 2},
        {"$not": {"$foo": 1}},
        {"$not": {"$not": {"$foo": 1}}},
        {"k": {"$foo": 1}},
        {"k": {"l": {"$foo": 1}}},
        {"$in": 1},
        {"$in": "abc"},
        {"$nin": None},
        {"$nin": {"a": 1}},
        {"$exists": 1},
        {"$exists": "yes"},
        {"$exists": None},
        {1: 2},
        {"k": {None: 2}},
        {"$gt": 1, 2: 3},
        {"$not": {"$in": 1}},
        {"$where": "1=1"},
        {"$elemMatch": {}},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "around",
    [
        lambda bad: {"a": bad},
        lambda bad: {"ok": 1, "a.b": bad},
        lambda bad: {"$not": {"a": bad}},
        lambda bad: {"$and": [{}, {"a": bad}]},
        lambda bad: {"$or": [{"ok": 1}, {"$not": {"$and": [{"a": bad}]}}]},
        lambda bad: {"a": {"b": bad}},
    ],
    ids=["field", "dotted", "not", "and", "deep", "part"],
)
def test_what_the_table_does_not_know_is_refused_at_any_depth(condition: Any, around: Any) -> None:
    """B45: fail closed."""
    with pytest.raises(InvalidFilterError, match=r"Known operators: \$eq"):
        check(around(condition))


@pytest.mark.parametrize(
    "wanted",
    [
        None, [], "x", 1, [("a", 1)], {"$regex": 1}, {"$eq": 1}, {"$and": {}}, {"$and": None},
        {"$and": [1]}, {"$or": "ab"}, {"$or": [None]}, {"$not": []}, {"$not": None}, {"$not": 1},
        {1: 1}, {None: 1}, {("a",): 1}, {"$and": [{"$nor": []}]},
    ],
    ids=str,
)  # fmt: skip
def test_a_malformed_filter_is_refused(wanted: Any) -> None:
    with pytest.raises(InvalidFilterError):
        check(wanted)


def test_the_unknown_operator_is_named() -> None:
    with pytest.raises(InvalidFilterError, match=r"Unknown operator \$regex\.") as caught:
        check({"a": {"b": {"$regex": "x"}}})
    assert caught.value.operator == "$regex"


def test_values_that_look_like_operators_are_only_values() -> None:
    row = {"a": {"$foo": 1}, "b": [{"$foo": 1}]}
    for wanted in (
        {"a": {"$eq": {"$foo": 1}}},
        {"b": [{"$foo": 1}]},
        {"a": {"$in": [{"$foo": 1}]}},
    ):
        check(wanted)
        assert matches(row, wanted)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda inner: {"$not": inner},
        lambda inner: {"$and": [inner]},
        lambda inner: {"$or": [{}, inner]},
        lambda inner: {"a": inner},
        lambda inner: {"a": {"$not": inner}},
    ],
    ids=["not", "and", "or", "part", "field-not"],
)
def test_a_filter_bomb_is_refused_and_not_a_recursion_error(wrap: Any) -> None:
    bomb: Any = {"a": 1}
    for _ in range(20_000):
        bomb = wrap(bomb)
    with pytest.raises(InvalidFilterError, match="nested deeper than 100 levels"):
        check(bomb)


def test_a_filter_that_holds_itself_is_refused() -> None:
    ring: dict[str, Any] = {}
    ring["$and"] = [ring]
    part: dict[str, Any] = {}
    part["a"] = part
    for wanted in (ring, part):
        with pytest.raises(InvalidFilterError, match="nested deeper"):
            check(wanted)


def test_the_deepest_filter_that_is_accepted_can_be_asked() -> None:
    wanted: dict[str, Any] = {"a": 1}
    for _ in range(99):
        wanted = {"$and": [wanted]}
    check(wanted)
    assert matches({"a": 1}, wanted)


# --- Against a second evaluator ---------------------------------------------------------------

NUMBERS = st.sampled_from([0, 1, 1.0, 2, -1, BIG, BIG + 1, float(BIG)])
SCALARS = NUMBERS | st.sampled_from([None, True, False, "", "a", "b", "ab", "1"])
NAMES = st.sampled_from(["a", "b", "c", "a.b", "b.c"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
ROWS = st.dictionaries(NAMES, VALUES, max_size=4)
PLAIN_CONDITIONS = SCALARS | st.lists(SCALARS, max_size=3)
OPERATORS = st.dictionaries(
    st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$contains"]), VALUES, max_size=2
).flatmap(
    lambda some: st.fixed_dictionaries(
        {name: st.just(operand) for name, operand in some.items()},
        optional={
            "$in": st.lists(VALUES, max_size=3),
            "$nin": st.lists(VALUES, max_size=3),
            "$exists": st.booleans(),
        },
    )
)
CONDITIONS = st.recursive(
    PLAIN_CONDITIONS | OPERATORS,
    lambda inner: (
        st.dictionaries(NAMES, inner, max_size=2) | st.fixed_dictionaries({"$not": inner})
    ),
    max_leaves=3,
)
FILTERS = st.recursive(
    st.dictionaries(NAMES, CONDITIONS, max_size=3),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "$and": st.lists(inner, max_size=2),
            "$or": st.lists(inner, max_size=2),
            "$not": inner,
        },
    ),
    max_leaves=4,
)

GONE = "a value that no test holds"


def told(row: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Evaluate a filter as the module's table reads, slowly."""
    answers = []
    for name, condition in wanted.items():
        if name == "$and":
            answers.append(all(told(row, each) for each in condition))
        elif name == "$or":
            answers.append(any(told(row, each) for each in condition))
        elif name == "$not":
            answers.append(not told(row, condition))
        else:
            answers.append(_told_field(_found(row, name), condition))
    return all(answers)


def _found(value: Any, name: str) -> Any:
    if not isinstance(value, dict):
        return GONE
    if name in value:
        return value[name]
    if "." not in name:
        return GONE
    first, rest = name.split(".", 1)
    return _found(value.get(first, GONE), rest)


def _told_field(found: Any, condition: Any) -> bool:
    if not isinstance(condition, dict):
        return found is not GONE and _identical(found, condition)
    if not condition:
        return bool(found == {})
    if not any(name[0:1] == "$" for name in condition):
        return isinstance(found, dict) and told(found, condition)
    return all(_told_operator(found, name, operand) for name, operand in condition.items())


def _told_operator(found: Any, name: str, operand: Any) -> bool:
    if name == "$not":
        return not _told_field(found, operand)
    if found is GONE:
        return name in ("$ne", "$nin") or (name == "$exists" and operand is False)
    kinds = [_kind(found), _kind(operand)]
    ordered = kinds in (["number", "number"], ["text", "text"])
    match name:
        case "$eq":
            return _identical(found, operand)
        case "$ne":
            return not _identical(found, operand)
        case "$gt":
            return ordered and found > operand
        case "$gte":
            return ordered and found >= operand
        case "$lt":
            return ordered and found < operand
        case "$lte":
            return ordered and found <= operand
        case "$in":
            return any(_identical(found, each) for each in operand)
        case "$nin":
            return not any(_identical(found, each) for each in operand)
        case "$exists":
            return operand is True
        case "$contains" if isinstance(found, list):
            return any(_identical(each, operand) for each in found)
        case "$contains":
            return kinds == ["text", "text"] and operand in found
    raise AssertionError(name)


def _kind(value: Any) -> str:
    names = {bool: "truth", int: "number", float: "number", str: "text", list: "list", dict: "dict"}
    return names.get(type(value), "none")


def _identical(a: Any, b: Any) -> bool:
    if _kind(a) != _kind(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(_identical(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return sorted(a) == sorted(b) and all(_identical(a[name], b[name]) for name in a)
    return bool(a == b)


@given(ROWS, FILTERS)
@example({"a": None}, {"a": {"$not": {"$gt": 1}}})
@example({"a": {"b": 1}, "a.b": 2}, {"a.b": {"$gt": 1}})
@example({"a": []}, {"a": {}})
def test_any_filter_gives_what_the_table_says_of_any_row(
    row: dict[str, Any], wanted: dict[str, Any]
) -> None:
    """B45: never raises on mixed rows."""
    check(wanted)
    before = copy.deepcopy((row, wanted))
    assert matches(row, wanted) is told(row, wanted)
    assert (row, wanted) == before


@given(ROWS, FILTERS)
def test_a_filter_means_the_same_after_a_journey_through_json(
    row: dict[str, Any], wanted: dict[str, Any]
) -> None:
    """B45: the database evaluates the stored form of both."""
    assert matches(row, wanted) == matches(loads(dumps(row)), loads(dumps(wanted)))


KEYS = st.sampled_from(["$and", "$or", "$not", "$in", "$exists", "$gt", "$foo", "a", "b.c"])
JUMBLES = st.recursive(VALUES, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)


@given(ROWS, JUMBLES)
def test_whatever_passes_the_check_can_be_asked(row: dict[str, Any], wanted: Any) -> None:
    try:
        check(wanted)
    except InvalidFilterError:
        return
    assert matches(row, wanted) is told(row, wanted)
