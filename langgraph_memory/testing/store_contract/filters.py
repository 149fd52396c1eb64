"""Filters: what the documented operators find, whatever stands in the other rows.

Tested here is what the documentation says (exact matches, six operators, conditions that
must all hold) and what follows from it. Not tested, since it is silent and stores differ:
text compared with ``$gt``, operators on missing fields, parts of dictionaries, dotted names.
"""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import PutOp

from langgraph_memory.testing.store_contract.cases import filter_cases, filter_name
from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.embedding import text_index
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness

NS = ("docs",)
BIG = 2**53
Rows = dict[str, dict[str, Any]]
FRUIT: Rows = {
    "apple": {"color": "red", "n": 9, "price": 1.5, "fresh": True, "text": "apple pie"},
    "cherry": {"color": "red", "n": 10, "price": 4.99, "fresh": False, "text": "cherry pie"},
    "lemon": {"color": "yellow", "n": -2, "price": 5.0, "fresh": True, "text": "lemon cake"},
    "plum": {"color": "blue", "n": 100, "price": 12.25, "fresh": False, "text": "plum cake"},
}


class FilterContract(StoreHarness):
    """``search(filter=…)``."""

    @pytest.mark.parametrize("wanted", [None, {}], ids=["none", "empty"])
    def test_no_filter_matches_everything(self, door: Door, wanted: dict[str, Any] | None) -> None:
        assert _find(door, FRUIT, wanted) == set(FRUIT)

    @pytest.mark.parametrize(
        ("wanted", "expected"),
        filter_cases(
            ({"color": "red"}, "apple cherry"),
            ({"n": 9}, "apple"),
            ({"n": 9.0}, "apple"),
            ({"price": 5}, "lemon"),
            ({"price": 1.5}, "apple"),
            ({"fresh": True}, "apple lemon"),
            ({"fresh": False}, "cherry plum"),
            ({"color": "green"}, ""),
            ({"color": "re"}, ""),
            ({"color": "RED"}, ""),
            ({"nothing": "red"}, ""),
        ),
    )
    def test_a_bare_value_asks_for_equality(
        self, door: Door, wanted: dict[str, Any], expected: set[str]
    ) -> None:
        assert _find(door, FRUIT, wanted) == expected

    @pytest.mark.parametrize(
        ("field", "value"),
        [("color", "red"), ("n", 9), ("price", 5.0), ("fresh", True), ("x", None)],
        ids=["text", "integer", "float", "truth", "none"],
    )
    def test_eq_is_the_same_as_a_bare_value(self, door: Door, field: str, value: Any) -> None:
        """Documented: "same as direct value comparison"."""
        row = {"color": "blue", "n": 0, "price": 0.0, "fresh": False, "x": 1}
        rows: Rows = {"other": row, "wanted": {**row, field: value}}
        assert _find(door, rows, {field: value}) == {"wanted"}
        assert _find(door, rows, {field: {"$eq": value}}) == {"wanted"}

    @pytest.mark.parametrize("field", ["color", "n", "price", "fresh"])
    def test_ne_finds_the_present_values_that_eq_does_not(self, door: Door, field: str) -> None:
        value = FRUIT["apple"][field]
        equal = _find(door, FRUIT, {field: value})
        assert _find(door, FRUIT, {field: {"$ne": value}}) == set(FRUIT) - equal

    @pytest.mark.parametrize(
        ("wanted", "expected"),
        filter_cases(
            ({"price": {"$gt": 4.99}}, "lemon plum"),
            ({"price": {"$gte": 4.99}}, "cherry lemon plum"),
            ({"price": {"$lt": 5}}, "apple cherry"),
            ({"price": {"$lte": 5}}, "apple cherry lemon"),
            ({"n": {"$gt": 9}}, "cherry plum"),
            ({"n": {"$gte": 9}}, "apple cherry plum"),
            ({"n": {"$lt": 10}}, "apple lemon"),
            ({"n": {"$lte": 10}}, "apple cherry lemon"),
            ({"n": {"$lt": 0}}, "lemon"),
            ({"n": {"$gt": -2.5}}, "apple cherry lemon plum"),
            ({"n": {"$gt": 100}}, ""),
        ),
    )
    def test_numbers_are_compared_as_numbers(
        self, door: Door, wanted: dict[str, Any], expected: set[str]
    ) -> None:
        """9 is less than 10, though ``"9"`` is not less than ``"10"``."""
        assert _find(door, FRUIT, wanted) == expected

    def test_conditions_on_several_fields_must_all_hold(self, door: Door) -> None:
        """B44."""
        wanted = {"color": "red", "fresh": False, "price": {"$gt": 3.0}}
        assert _find(door, FRUIT, wanted) == {"cherry"}

    def test_several_operators_on_one_field_must_all_hold(self, door: Door) -> None:
        assert _find(door, FRUIT, {"n": {"$gte": 9, "$lt": 100}}) == {"apple", "cherry"}
        assert _find(door, FRUIT, {"n": {"$gt": 9, "$ne": 10}}) == {"plum"}

    def test_text_is_matched_literally(self, door: Door) -> None:
        texts = [
            "a%",
            "a_",
            "a*",
            "ab",
            "it's",
            'say "hi"',
            "a\\b",
            "寿司",
            "e\u0301",
            "\u00e9",
            "",
        ]
        rows: Rows = {str(n): {"t": text} for n, text in enumerate(texts)}
        for key, row in rows.items():
            assert _find(door, rows, row) == {key}, row

    def test_none_is_found_by_none_and_by_no_value(self, door: Door) -> None:
        """B45."""
        rows: Rows = {
            "none": {"x": None},
            "text": {"x": "None"},
            "zero": {"x": 0},
            "empty": {"x": ""},
        }
        assert _find(door, rows, {"x": None}) == {"none"}
        assert _find(door, rows, {"x": 0}) == {"zero"}
        assert _find(door, rows, {"x": ""}) == {"empty"}

    def test_a_missing_field_equals_no_value(self, door: Door) -> None:
        rows: Rows = {"there": {"x": 0}, "missing": {"y": 1}}
        for value in (0, "", False, "x", [1]):
            assert "missing" not in _find(door, rows, {"x": value})

    def test_digits_in_text_are_not_a_number(self, door: Door) -> None:
        """B45. Documented: "exact matches"."""
        rows: Rows = {"text": {"x": "1"}, "number": {"x": 1}}
        assert _find(door, rows, {"x": 1}) == {"number"}
        assert _find(door, rows, {"x": "1"}) == {"text"}

    def test_true_is_not_one_and_false_is_not_zero(self, door: Door) -> None:
        """B45. Documented: "exact matches", and JSON tells them apart."""
        rows: Rows = {"true": {"x": True}, "one": {"x": 1}, "false": {"x": False}, "zero": {"x": 0}}
        found = [_find(door, rows, {"x": value}) for value in (True, 1, False, 0)]
        assert found == [{"true"}, {"one"}, {"false"}, {"zero"}]

    def test_a_list_equals_the_same_list(self, door: Door) -> None:
        rows: Rows = {
            "ab": {"x": ["a", "b"]},
            "ba": {"x": ["b", "a"]},
            "a": {"x": ["a"]},
            "text": {"x": "a"},
            "none": {"x": []},
        }
        assert _find(door, rows, {"x": ["a", "b"]}) == {"ab"}
        assert _find(door, rows, {"x": []}) == {"none"}

    def test_eq_compares_a_list_as_a_bare_value_does(self, door: Door) -> None:
        rows: Rows = {"ab": {"x": ["a", "b"]}, "a": {"x": ["a"]}}
        assert _find(door, rows, {"x": {"$eq": ["a", "b"]}}) == {"ab"}

    def test_a_dictionary_equals_the_same_dictionary(self, door: Door) -> None:
        rows: Rows = {
            "en": {"meta": {"lang": "en"}},
            "de": {"meta": {"lang": "de"}},
            "flat": {"lang": "en"},
            "text": {"meta": "en"},
        }
        assert _find(door, rows, {"meta": {"lang": "en"}}) == {"en"}

    def test_integers_beyond_2_53_are_told_apart(self, door: Door) -> None:
        """B45. Two of them are one and the same float."""
        rows: Rows = {"below": {"x": BIG}, "above": {"x": BIG + 1}}
        assert _find(door, rows, {"x": BIG + 1}) == {"above"}
        assert _find(door, rows, {"x": BIG}) == {"below"}

    def test_integers_beyond_2_53_are_put_in_order(self, door: Door) -> None:
        """B45."""
        rows: Rows = {"below": {"x": BIG}, "above": {"x": BIG + 1}}
        assert _find(door, rows, {"x": {"$gt": BIG}}) == {"above"}
        assert _find(door, rows, {"x": {"$lte": BIG}}) == {"below"}

    @pytest.mark.parametrize("other", ["abc", "", None, [1], {"a": 1}], ids=repr)
    def test_another_type_in_the_field_does_not_break_a_comparison(
        self, door: Door, other: Any
    ) -> None:
        """B45. A search must not fail for what somebody else stored."""
        rows: Rows = {"number": {"x": 5}, "other": {"x": other}, "missing": {"y": 5}}
        assert _find(door, rows, {"x": {"$gt": 4}}) == {"number"}

    def test_an_unknown_operator_is_refused(self, door: Door) -> None:
        """LangGraph's stores agree on ``ValueError``."""
        for operator in ("$regex", "$GT", "$"):
            with pytest.raises(ValueError, match=r"\S"):
                _find(door, FRUIT, {"color": {operator: "red"}})

    def test_a_field_name_is_never_code(self, door: Door) -> None:
        """An odd name may be refused or match nothing; it must not match everything."""
        for name in ["a') OR 1=1 --", "a' OR '1'='1", 'a"', "$", "a') = 1 OR ('1", "*"]:
            try:
                assert _find(door, FRUIT, {name: "x"}) == set()
            except ValueError:
                continue
        assert set(door.keys(NS)) == set(FRUIT)

    def test_a_filter_is_applied_before_the_page_is_cut(self, door: Door) -> None:
        """B54."""
        for n in range(30):
            door.put(NS, f"{n:02}", {"even": n % 2 == 0, "n": n})
        assert door.keys(NS, filter={"n": 0}, limit=1) == ["00"]
        assert door.keys(NS, filter={"n": 29}, limit=1) == ["29"]
        pages = [door.keys(NS, filter={"even": True}, limit=6, offset=o) for o in (0, 6, 12, 18)]
        assert [len(page) for page in pages] == [6, 6, 3, 0]
        assert {key for page in pages for key in page} == {f"{n:02}" for n in range(0, 30, 2)}

    @pytest.mark.parametrize(
        "wanted",
        [
            {"color": "red"},
            {"n": {"$gte": 9, "$lt": 100}},
            {"fresh": True},
            {"color": {"$ne": "red"}},
            {"price": {"$lte": 5}, "color": "yellow"},
            {"color": "green"},
        ],
        ids=filter_name,
    )
    def test_a_query_changes_the_order_and_not_the_matches(
        self, open_door: OpenDoor, wanted: dict[str, Any]
    ) -> None:
        """B45."""
        door = open_door(index=text_index("text"))
        expected = _find(door, FRUIT, wanted)
        assert set(door.keys(NS, query="apple cake", filter=wanted)) == expected


def _find(door: Door, rows: Rows, wanted: dict[str, Any] | None) -> set[str]:
    if not door.search(NS, limit=1):
        door.batch([PutOp(NS, key, value) for key, value in rows.items()])
    return set(door.keys(NS, filter=wanted, limit=100))
