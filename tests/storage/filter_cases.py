"""Random filters and values, with all that JSON, SQLite and Python read differently."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from database_cases import NOW
from hypothesis import HealthCheck, example
from hypothesis import settings as told
from hypothesis import strategies as st

# --- What may stand in a value, and what may be asked of it -------------------------------------

PLAIN_NAMES = ("a", "b", "c", "a.b", "b.c", "a.b.c")
ODD_NAMES = ('q"t', "it's", "sl\\ash", "nul\0", "", "a.", ".b", "名", "a b", "[0]", "0", "{}", "%s")
NAMES = st.sampled_from(PLAIN_NAMES * 3 + ODD_NAMES)
KEYS = st.sampled_from((*("a", "b", "c") * 4, *PLAIN_NAMES, *ODD_NAMES))

WHOLES = (0, 1, 2, -1, 10, 100)
EDGES = (2**53, 2**63, 10**15, 10**22, 10**30)
FLOATS = (0.0, -0.0, 0.1, 0.5, 1.5, -0.1, 2.5, 1e-5, 1e15, 1e16, 1e22, 5e-324, 1e-310, 1.7e308)
HARD = (5.0e-142, 9007199254740993e-15, 1.2345678901234567e200, 8.41e-300, 123456789012345.67)
TEXTS = (
    "", "a", "ab", "abc", "b", "B", "1", "true", "null", "a\0b", "a\0", "\0", "ab\0c", 'a"b', "a'b",
    "a\\b", "\\u0000", "\n", "\x1f", "é", "e\u0301", "会议", "会", "\uffff", "\U0001f44d", "[]",
    "{}", "%", "_", "*",
)  # fmt: skip

integers = st.one_of(
    st.sampled_from(WHOLES), st.integers(),
    st.builds(lambda edge, step, sign: sign * (edge + step), st.sampled_from(EDGES),
              st.integers(-2, 2), st.sampled_from((1, -1))),
)  # fmt: skip
floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.builds(
        lambda near, toward: math.nextafter(near, toward),
        st.sampled_from((*FLOATS, *HARD)), st.sampled_from((math.inf, -math.inf)),
    ),
    st.sampled_from((*FLOATS, *HARD)),
    integers.filter(lambda whole: abs(whole) < 10**300).map(float),
).filter(math.isfinite)  # fmt: skip
texts = st.sampled_from(TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
scalars = st.one_of(integers, floats, texts, st.booleans(), st.none())
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
rows = st.dictionaries(KEYS, values, max_size=4)

foreign = st.sampled_from((math.inf, -math.inf, math.nan, NOW, b"a", "\ud800", ("a", 1), 10**400))
OPERATORS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$contains", "$in", "$nin", "$exists")


@st.composite
def operands(draw: st.DrawFn) -> Any:
    return draw(foreign if draw(st.integers(0, 9)) == 0 else values)


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> Any:
    """Draw what may be asked of one field."""
    sort = draw(st.integers(0, 9)) if depth else draw(st.integers(0, 6))
    if sort < 2:
        return draw(operands())
    if sort < 7:
        names = draw(st.lists(st.sampled_from(OPERATORS), min_size=1, max_size=3))
        return {name: draw(_operand(name)) for name in names}
    if sort < 9:
        return draw(st.dictionaries(NAMES, conditions(depth - 1), max_size=2))
    return {"$not": draw(conditions(depth - 1))}


def _operand(operator: str) -> st.SearchStrategy[Any]:
    if operator == "$exists":
        return st.booleans()
    return st.lists(operands(), max_size=3) if operator in ("$in", "$nin") else operands()


@st.composite
def filters(draw: st.DrawFn, depth: int = 4) -> dict[str, Any]:
    sort = draw(st.integers(0, 6)) if depth else 0
    if sort < 3:
        return draw(st.dictionaries(NAMES, conditions(), max_size=2))
    inner = filters(depth - 1)
    if sort == 3:
        return {"$not": draw(inner)}
    if sort == 4:
        return {"$or": draw(st.lists(inner, max_size=3))}
    return {"$and": draw(st.lists(inner, max_size=3)), **(draw(inner) if sort == 5 else {})}


@st.composite
def aimed(draw: st.DrawFn) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Draw values, and a filter that asks one of them about what stands in it, or near."""
    found = draw(st.lists(rows, min_size=1, max_size=6))
    chosen = draw(st.sampled_from(found))
    if not chosen or draw(st.booleans()):
        return found, draw(filters())
    key = draw(st.sampled_from(sorted(chosen)))
    operator = draw(st.sampled_from(("$eq", "$gt", "$gte", "$lt", "$lte", "$contains", "$in")))
    operand = draw(st.just(chosen[key]) | st.builds(_near, st.just(chosen[key])))
    asked = {key: {operator: [operand, 7] if operator == "$in" else operand}}
    return found, asked if not key.startswith("$") else {}


def _near(value: Any) -> Any:
    match value:
        case bool() | None:
            return value
        case int():
            return value + 1
        case float():
            return math.nextafter(value, -math.inf)
        case str():
            return value[:-1]
        case list():
            return value[0] if value else value
        case _:
            return value


TRAPS = [
    ([{"a": "x\0b"}], {"a": {"$gt": "x"}}),
    ([{"a": "x\0b"}], {"a": {"$contains": "b"}}),
    ([{"a": ["\0"]}], {"a": {"$contains": "\0"}}),
    ([{"a": 2**63 + 1}], {"a": {"$lt": 2**63 + 2}}),
    ([{"a": 2**63 + 1}, {"a": 2.0**63}], {"a": {"$in": [2**63 + 1, 2**63]}}),
    ([{"a": 9.2e18}], {"a": {"$lt": 10**19}}),
    ([{"a": -0.5}, {"a": 0.5}], {"a": {"$lt": -0.1}}),
    ([{"a": -0.5}, {"a": 0.5}], {"a": {"$gt": 0.4}}),
    ([{"a": 1e-202}], {"a": {"$eq": 1e-202}}),  # read an ulp too high by SQLite 3.51
    ([{"a.b": 1, "a": {"b": 2}}, {"a": {"b": 2}}], {"a.b": {"$in": [1, 2]}}),
    ([{"a.b": None, "a": {"b": 2}}], {"a.b": None}),
    ([{"a": {"b.c": 1}}, {"a": {"b": {"c": 1}}}], {"a": {"b.c": {"$exists": True}}}),
    ([{"a": 1.0}, {"a": 1}, {"a": True}], {"a": {"$in": [1, None]}}),
    ([{"a": [1]}, {"a": {}}, {"a": "[1]"}], {"a": [1]}),
]


def hard(test: Callable[..., None]) -> Callable[..., None]:
    for trap in TRAPS:
        test = example(asked=trap)(test)
    return test


few = told(
    max_examples=80, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # fmt: skip
many = told(max_examples=250, derandomize=True)
deep = told(max_examples=10_000)
