"""Values: what goes in comes out, and nobody else's hand is on it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.harness import StoreHarness

NS = ("docs",)
JSON_VALUES: dict[str, Any] = {
    "text": "plain",
    "empty": "",
    "blank": "  \t\n ",
    "scripts": ["用户喜欢寿司", "Пользователь любит чай", "المستخدم يحب الشاي", "ผู้ใช้ชอบชา"],
    "emoji": "❤️🍣 👩‍👩‍👧 \U0001f1eb\U0001f1f7",
    "marks": "\"quoted\" 'single' \\back /slash $1 %s {x} <b>&amp;</b> ; --",
    "controls": "\x01\x1f\x7f\u2028\u2029\ufeff",
    "unnormalized": ["caf\u00e9", "cafe\u0301"],
    "integers": [0, -1, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)],
    "floats": [0.1, -1.5, 1e-7, 5e-324, 3.141592653589793, 2.5e9 + 0.125],
    "truth": [True, False, None],
    "nothing": None,
    "empties": [{}, [], "", [[]], {"a": {}}, {"": ""}],
    "nested": {"a": [{"b": {"c": [1, [2, [3, {"d": None}]]]}}]},
    "names": {"": 1, " ": 2, "a.b": 3, "$eq": 4, "键": 5, "__proto__": 6, "a'b": 7, '"': 8},
    "deep": json.loads("[" * 60 + "]" * 60),
    "long": "word " * 50_000,
}


class ValueContract(StoreHarness):
    """The payload of an item."""

    @pytest.mark.parametrize("name", JSON_VALUES)
    def test_a_json_value_comes_back_exactly(self, door: Door, name: str) -> None:
        value = {"v": JSON_VALUES[name]}
        door.put(NS, "k", value)
        (found,) = door.search(NS)
        assert _exact(door.value(NS, "k")) == _exact(found.value) == _exact(value)

    def test_whole_floats_stay_floats(self, door: Door) -> None:
        """Not every database tells 1.0 from 1."""
        value = {"v": [1.0, 1, -0.0, 0, 100.0, 1e22, 1.7976931348623157e308]}
        door.put(NS, "k", value)
        assert repr(door.value(NS, "k")) == repr(value)

    def test_integers_beyond_64_bits_come_back_exactly(self, door: Door) -> None:
        value = {"v": [2**63, 2**64, -(10**30)]}
        door.put(NS, "k", value)
        assert door.value(NS, "k") == value

    def test_a_nul_inside_text_comes_back(self, door: Door) -> None:
        door.put(NS, "k", {"v": "before\x00after"})
        assert door.value(NS, "k") == {"v": "before\x00after"}

    def test_changing_what_was_put_changes_nothing_stored(self, door: Door) -> None:
        value = {"list": [1], "deep": {"a": [1]}}
        door.put(NS, "k", value)
        value["list"].append(2)  # type: ignore[attr-defined]
        value["deep"]["a"].append(2)  # type: ignore[index]
        value["new"] = [1]
        assert door.value(NS, "k") == {"list": [1], "deep": {"a": [1]}}

    def test_changing_what_was_got_changes_nothing_stored(self, door: Door) -> None:
        door.put(NS, "k", {"list": [1]})
        item = door.get(NS, "k")
        assert item is not None
        item.value["list"].append(2)
        item.value["new"] = 1
        assert door.value(NS, "k") == {"list": [1]}

    def test_changing_what_was_found_changes_nothing_stored(self, door: Door) -> None:
        door.put(NS, "k", {"list": [1]})
        (found,) = door.search(NS)
        found.value["list"].append(2)
        assert door.value(NS, "k") == {"list": [1]}
        assert door.search(NS)[0].value == {"list": [1]}

    def test_putting_does_not_change_the_callers_value(self, door: Door) -> None:
        value = {"b": [2, {"c": 1}], "a": None}
        door.put(NS, "k", value, index=["b[*]"])
        assert value == {"b": [2, {"c": 1}], "a": None}


def _exact(value: Any) -> str:
    """Return a form in which True and 1, or 1.0 and 1, differ and the order of names does not."""
    return json.dumps(value, sort_keys=True)
