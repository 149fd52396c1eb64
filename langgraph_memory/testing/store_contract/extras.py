"""What this package's own store promises beyond LangGraph's contract.

Kept apart on purpose: another store may well decide these points differently.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from langgraph.store.base import ListNamespacesOp, PutOp, SearchOp

from langgraph_memory.testing.store_contract.cases import filter_cases, filter_name
from langgraph_memory.testing.store_contract.door import Door, Namespace
from langgraph_memory.testing.store_contract.embedding import text_index
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness
from langgraph_memory.testing.store_contract.ttl import OpenTtl, TtlHarness

NS = ("docs",)
ROWS: dict[str, dict[str, Any]] = {
    "one": {"x": 1, "tags": ["a", "b"], "meta": {"lang": "en", "n": 1}},
    "two": {"x": 2.5, "tags": ["b"], "meta": {"lang": "de"}},
    "text": {"x": "banana", "tags": "a text"},
    "digits": {"x": "2"},
    "true": {"x": True, "tags": []},
    "none": {"x": None},
    "list": {"x": [1]},
    "missing": {"y": 1, "a.b": 1, "a": {"b": 2}},
}
TRUTH: list[tuple[dict[str, Any], str]] = [
    ({"x": None}, "none"),
    ({"x": {"$eq": None}}, "none"),
    ({"x": {"$ne": None}}, "one two text digits true list missing"),
    ({"x": {"$ne": 1}}, "two text digits true none list missing"),
    ({"x": {"$lt": 100}}, "one two"),
    ({"x": {"$gte": 1}}, "one two"),
    ({"x": {"$gt": "a"}}, "text"),
    ({"x": {"$lte": "2"}}, "digits"),
    ({"x": {"$gt": None}}, ""),
    ({"x": {"$in": [1, "banana"]}}, "one text"),
    ({"x": {"$in": []}}, ""),
    ({"x": {"$nin": [1, "banana"]}}, "two digits true none list missing"),
    ({"x": {"$exists": True}}, "one two text digits true none list"),
    ({"x": {"$exists": False}}, "missing"),
    ({"tags": {"$contains": "a"}}, "one text"),
    ({"tags": {"$contains": "text"}}, "text"),
    ({"x": {"$contains": 1}}, "list"),
    ({"meta": {"lang": "en"}}, "one"),
    ({"meta": {"lang": {"$in": ["en", "de"]}}}, "one two"),
    ({"meta.lang": "de"}, "two"),
    ({"a.b": 1}, "missing"),
    ({"$and": [{"x": {"$gte": 1}}, {"tags": {"$contains": "a"}}]}, "one"),
    ({"$or": [{"x": 1}, {"x": "banana"}]}, "one text"),
    ({"$not": {"x": {"$exists": True}}}, "missing"),
    ({"x": {"$not": {"$in": [1, 2.5]}}}, "text digits true none list missing"),
    ({"$or": [{"x": 1}, {"$and": [{"y": 1}, {"$not": {"x": 1}}]}]}, "one missing"),
]
BAD_FILTERS: list[dict[str, Any]] = [
    {"x": {"$regex": "a"}},
    {"x": {"$in": 1}},
    {"x": {"$exists": 1}},
    {"x": {"$eq": 1, "y": 2}},
    {"m": {"n": {"$no": 1}}},
    {"$nor": []},
    {"$and": {"x": 1}},
    {"$or": [1]},
    {"$not": [1]},
]


class ExtraFilterContract(StoreHarness):
    """One truth table, with and without a question; what it does not know is refused (B45)."""

    @pytest.mark.parametrize(("wanted", "expected"), filter_cases(*TRUTH))
    def test_filters_follow_the_truth_table(
        self, door: Door, wanted: dict[str, Any], expected: set[str]
    ) -> None:
        _fill(door)
        assert set(door.keys(NS, filter=wanted, limit=100)) == expected

    def test_a_question_changes_nothing_in_the_truth_table(self, indexed: Door) -> None:
        _fill(indexed)
        for wanted, expected in TRUTH:
            found = indexed.keys(NS, query="apple pie", filter=wanted, limit=100)
            assert set(found) == set(expected.split()), wanted

    @pytest.mark.parametrize("wanted", BAD_FILTERS, ids=filter_name)
    def test_a_filter_that_makes_no_sense_is_refused_in_an_empty_store_too(
        self, door: Door, wanted: dict[str, Any]
    ) -> None:
        with pytest.raises(ValueError, match=r"\S"):
            door.search(NS, filter=wanted)


class ExtraInputContract(StoreHarness):
    """What is accepted, and what is refused rather than changed."""

    def test_a_list_is_taken_as_a_namespace(self, door: Door) -> None:
        """As JSON over HTTP brings it."""
        listed = cast("Namespace", ["docs", "d1"])
        door.put(listed, "k", {"n": 1})
        item = door.get(listed, "k")
        assert item is not None
        assert item.namespace == ("docs", "d1")
        assert door.keys(cast("Namespace", ["docs"])) == ["k"]
        assert door.list_namespaces(prefix=["docs"]) == [("docs", "d1")]
        door.batch([PutOp(listed, "k", None)])
        assert door.get(("docs", "d1"), "k") is None

    @pytest.mark.parametrize(("limit", "offset"), [(-1, 0), (1, -1), (-5, -5)])
    def test_negative_limits_and_offsets_are_refused(
        self, door: Door, limit: int, offset: int
    ) -> None:
        door.put(NS, "k", {"n": 1})
        for op in (
            SearchOp(NS, limit=limit, offset=offset),
            SearchOp(NS, limit=limit, offset=offset, query="x"),
            ListNamespacesOp(limit=limit, offset=offset),
        ):
            with pytest.raises(ValueError, match=r"\S"):
                door.batch([op])

    @pytest.mark.parametrize(
        "part",
        [
            *[math.nan, math.inf, (1, 2), {1, 2}, b"bytes", datetime(2024, 1, 1, tzinfo=UTC)],
            *[{1: "a"}, "\ud83d", {"\ud83d": 1}, object()],
        ],
        ids=[
            *["nan", "infinity", "tuple", "set", "bytes", "datetime"],
            *["number as name", "lone surrogate", "lone surrogate as name", "object"],
        ],
    )
    def test_a_value_that_cannot_be_kept_exactly_is_refused(self, door: Door, part: Any) -> None:
        door.put(NS, "k", {"n": 1})
        with pytest.raises(ValueError, match=r"\S"):
            door.batch([PutOp(NS, "x", {"n": 2}), PutOp(NS, "k", {"a": [{"b": part}]})])
        assert door.get(NS, "x") is None
        assert door.value(NS, "k") == {"n": 1}


class ExtraLifetimeContract(TtlHarness):
    """Expired is gone, unless the user asks to see it until the sweep."""

    def test_expired_items_vanish_before_the_sweeper_runs(self, open_ttl: OpenTtl) -> None:
        """B48. LangGraph's default is the other way round."""
        door = open_ttl(default_ttl=self.minutes)
        door.put(NS, "k", {"n": 1})
        self.wait(2)
        assert door.get(NS, "k") is None
        assert door.search(()) == []
        assert door.list_namespaces() == []

    def test_expired_items_are_shown_until_the_sweep_if_asked_for(self, open_ttl: OpenTtl) -> None:
        door = open_ttl(default_ttl=self.minutes, omit_expired=False)
        door.put(NS, "k", {"n": 1})
        self.wait(2)
        assert door.get(NS, "k", refresh_ttl=False) is not None
        assert door.keys(NS, refresh_ttl=False) == ["k"]
        assert door.list_namespaces() == [NS]

    def test_created_at_starts_anew_with_a_new_life(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        door.put(NS, "k", {"n": 1})
        first = door.get(NS, "k")
        self.wait(0.1)
        door.delete(NS, "k")
        door.put(NS, "k", {"n": 2})
        second = door.get(NS, "k")
        assert first is not None
        assert second is not None
        assert second.created_at > first.updated_at


class ExtraSearchContract(StoreHarness):
    """Words count beside vectors, in every script."""

    def test_a_rare_word_outweighs_a_long_resemblance(self, indexed: Door) -> None:
        common = "the invoice for the office in berlin was paid by the finance team last week"
        for n in range(10):
            indexed.put(NS, f"common{n}", {"text": f"{common} number {n}"})
        indexed.put(NS, "rare", {"text": f"{common} QX-4471"})
        assert indexed.keys(NS, query="what about QX-4471", limit=1) == ["rare"]

    def test_part_of_a_sentence_without_blanks_is_found(self, indexed: Door) -> None:
        """B53."""
        indexed.put(NS, "sushi", {"text": "用户喜欢寿司"})
        indexed.put(NS, "tea", {"text": "用户每天喝茶"})
        assert indexed.keys(NS, query="寿司", limit=1) == ["sushi"]
        assert indexed.keys(NS, query="喝茶", limit=1) == ["tea"]

    def test_other_namespaces_change_no_score(self, indexed: Door) -> None:
        """Statistics of words are of one scope; another's writes must not show through."""
        indexed.put(("t", "a"), "k", {"text": "checkout failures block the launch"})
        indexed.put(("t", "a"), "l", {"text": "the launch is on friday"})
        before = [(i.key, i.score) for i in indexed.search(("t", "a"), query="checkout launch")]
        for n in range(20):
            indexed.put(("t", "b"), str(n), {"text": "checkout checkout launch failures"})
        after = [(i.key, i.score) for i in indexed.search(("t", "a"), query="checkout launch")]
        assert after == before

    def test_a_word_deep_inside_the_whole_value_is_found(self, open_door: OpenDoor) -> None:
        door = open_door(index=text_index())
        door.put(NS, "k", {"title": "kubernetes upgrade", "body": {"who": "Lina"}})
        door.put(NS, "x", {"title": "cafeteria menu", "body": {"who": "Omar"}})
        assert door.keys(NS, query="Lina", limit=1) == ["k"]


class MemoryStoreExtras(
    ExtraFilterContract, ExtraInputContract, ExtraLifetimeContract, ExtraSearchContract
):
    """Everything beyond LangGraph's contract."""


def _fill(door: Door) -> None:
    door.batch([PutOp(NS, key, {**row, "text": f"apple {key}"}) for key, row in ROWS.items()])
