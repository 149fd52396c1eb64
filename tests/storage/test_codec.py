"""How the value of a version is read: exactly, whoever wrote the JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.json import MAX_DEPTH, dumps, same
from langgraph_memory.storage.sqlite.codec import object_from

numbers = st.integers() | st.integers(min_value=2**52).map(lambda n: -n) | st.floats(
    allow_nan=False, allow_infinity=False
)  # fmt: skip
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)


def deep(levels: int) -> str:
    return '{"a":' + "[" * levels + "]" * levels + "}"


class TestWhatWeWrote:
    """R20: a value comes back equal to what went in, kinds of numbers included."""

    @given(st.dictionaries(texts, values, max_size=4))
    @example({"n": 2**64, "m": -(2**63) - 1, "huge": 10**3_900})
    @example({"n": -(10**4_299)})
    @example({"f": 0.1, "g": 1e22, "h": 5e-324, "i": 1.7976931348623157e308, "j": 1.0, "k": -0.0})
    @example({"": "", "é\x00": "\x7f\u2028", "😀": "😀"})
    def test_is_read_as_it_was(self, value: dict[str, Any]) -> None:
        assert same(object_from(dumps(value)), value)

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_a_decimal_is_read_to_its_last_bit(self, number: float) -> None:
        read = object_from(dumps({"f": number}))["f"]
        assert math.copysign(1.0, read) == math.copysign(1.0, number)
        assert read.hex() == number.hex()

    def test_as_deep_as_values_may_be(self) -> None:
        assert object_from(deep(MAX_DEPTH)) == json.loads(deep(MAX_DEPTH))


class TestForeignJson:
    """What another program wrote is read as Python reads it, or refused as damage."""

    @pytest.mark.parametrize(
        "text", ['{"a":"\\ud800"}', deep(250), ' {"a": 1e400}\n', '{"a":1,"a":2}', '{"a":1E5}']
    )
    def test_is_read_as_python_reads_it(self, text: str) -> None:
        assert object_from(text) == json.loads(text)

    def test_nan_is_read_as_nan(self) -> None:
        assert math.isnan(object_from('{"a":NaN}')["a"])

    @pytest.mark.parametrize("text", ["", '{"a":1}{', '{"a":01}', "{'a':1}", '{"a":"\x01"}'])
    def test_what_is_no_json_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError):
            object_from(text)

    @pytest.mark.parametrize("text", ["[1]", "1", "null", '"text"'])
    def test_what_is_no_dictionary_is_refused(self, text: str) -> None:
        with pytest.raises(TypeError):
            object_from(text)
