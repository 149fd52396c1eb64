"""Search with a question: order, scores, pages."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import PutOp, SearchItem, SearchOp

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.embedding import (
    BrokenEmbeddings,
    HashingEmbeddings,
    aembed,
    embed,
    text_index,
)
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness

NS = ("docs",)
IDENTICAL = "the monthly infrastructure budget is 150 dollars"
CLOSE = "we approved the infrastructure budget"
DISTANT = "seagulls follow the old ferry north"
TEXTS = {"distant": DISTANT, "close": CLOSE, "identical": IDENTICAL}


class SearchContract(StoreHarness):
    """``search(query=…)`` on a store with an index. The embedder scores shared words."""

    def test_the_nearest_comes_first(self, indexed: Door) -> None:
        _fill(indexed)
        assert indexed.keys(NS, query=IDENTICAL) == ["identical", "close", "distant"]
        assert indexed.keys(NS, query="which ferry do seagulls follow")[0] == "distant"

    def test_scores_fall_from_near_to_far_between_one_and_zero(self, indexed: Door) -> None:
        """B43. A score is a similarity; a distance would rise."""
        _fill(indexed)
        scores = [item.score for item in indexed.search(NS, query=IDENTICAL)]
        assert all(isinstance(score, float) and -1e-6 <= score <= 1 + 1e-6 for score in scores)
        assert scores == sorted(scores, reverse=True, key=float)  # type: ignore[arg-type]
        assert len(set(scores)) == 3

    def test_an_identical_text_scores_one(self, indexed: Door) -> None:
        """B43."""
        _fill(indexed)
        assert _score(indexed.search(NS, query=IDENTICAL)[0]) >= 0.99

    def test_what_is_found_is_the_item_got(self, indexed: Door) -> None:
        _fill(indexed)
        found = indexed.search(NS, query=CLOSE)[0]
        got = indexed.get(NS, "close")
        assert got is not None
        assert (found.namespace, found.key, found.value) == (NS, "close", {"text": CLOSE})
        assert (found.created_at, found.updated_at) == (got.created_at, got.updated_at)

    def test_a_query_stays_below_its_prefix(self, indexed: Door) -> None:
        """B1."""
        for namespace in [("t", "acme"), ("t", "acme", "x"), ("t", "acme-corp"), ("T", "acme")]:
            indexed.put(namespace, "k", {"text": IDENTICAL})
        found = {item.namespace for item in indexed.search(("t", "acme"), query=IDENTICAL)}
        assert found == {("t", "acme"), ("t", "acme", "x")}
        assert len(indexed.search((), query=IDENTICAL)) == 4

    def test_a_filter_reaches_past_nearer_items_that_do_not_match(self, indexed: Door) -> None:
        for n in range(40):
            indexed.put(NS, f"near{n}", {"text": IDENTICAL, "kind": "near"})
        indexed.put(NS, "far", {"text": DISTANT, "kind": "far"})
        assert indexed.keys(NS, query=IDENTICAL, filter={"kind": "far"}, limit=1) == ["far"]

    def test_a_prefix_reaches_past_nearer_items_elsewhere(self, indexed: Door) -> None:
        for n in range(40):
            indexed.put(("elsewhere",), f"near{n}", {"text": IDENTICAL})
        indexed.put(NS, "far", {"text": DISTANT})
        assert indexed.keys(NS, query=IDENTICAL, limit=1) == ["far"]

    def test_limit_and_offset_cut_the_ranking(self, indexed: Door) -> None:
        _fill(indexed)
        ranked = indexed.keys(NS, query=IDENTICAL)
        assert indexed.keys(NS, query=IDENTICAL, limit=1) == ranked[:1]
        assert indexed.keys(NS, query=IDENTICAL, limit=2, offset=1) == ranked[1:]
        assert indexed.keys(NS, query=IDENTICAL, offset=3) == []
        assert indexed.keys(NS, query=IDENTICAL, limit=0) == []

    def test_pages_of_a_ranking_neither_overlap_nor_miss(self, indexed: Door) -> None:
        for n in range(17):
            indexed.put(NS, f"{n:02}", {"text": f"{IDENTICAL} " * (n % 3) + f"number {n}"})
        pages = [indexed.keys(NS, query=IDENTICAL, limit=5, offset=o) for o in range(0, 20, 5)]
        assert [len(page) for page in pages] == [5, 5, 5, 2]
        assert len({key for page in pages for key in page}) == 17

    def test_two_questions_in_one_batch_are_answered_apart(self, indexed: Door) -> None:
        _fill(indexed)
        plain, first, second = indexed.batch(
            [
                SearchOp(NS, limit=3),
                SearchOp(NS, query=IDENTICAL, limit=1),
                SearchOp(NS, query=DISTANT, limit=1),
            ]
        )
        assert [item.score for item in plain] == [None] * 3
        assert [first[0].key, second[0].key] == ["identical", "distant"]

    def test_any_question_is_a_question(self, indexed: Door) -> None:
        """B52. None of it is query syntax."""
        _fill(indexed)
        for query in [
            '"',
            "AND",
            "a:b",
            "NEAR(",
            "C++",
            "Bob's",
            "50%",
            "*",
            "?",
            "-",
            "寿司",
            "\x00",
        ]:
            assert len(indexed.search(NS, query=query)) == 3, query
        assert len(indexed.search(NS, query="word " * 5000)) == 3

    @pytest.mark.parametrize("form", ["instance", "function", "async function"])
    def test_the_embedder_may_be_given_in_each_form(self, open_door: OpenDoor, form: str) -> None:
        """Documented at ``IndexConfig.embed``; an async function serves the async door."""
        forms: dict[str, Any] = {
            "instance": HashingEmbeddings(),
            "function": embed,
            "async function": aembed,
        }
        door = open_door(index=text_index("text", embeddings=forms[form]))
        if form == "async function" and door.way == "sync":
            pytest.skip("documented: with an async function, sync calls may raise")
        _fill(door)
        assert door.keys(NS, query=IDENTICAL)[0] == "identical"

    def test_nothing_is_written_when_the_embedder_fails(self, open_door: OpenDoor) -> None:
        door = open_door(index=text_index("text", embeddings=BrokenEmbeddings()))
        with pytest.raises(Exception):  # noqa: B017, PT011 - the class is the store's
            door.batch([PutOp(NS, "k", {"text": "a"}), PutOp(NS, "x", {"n": 1}, False)])
        assert door.get(NS, "k") is None
        assert door.get(NS, "x") is None
        door.put(NS, "x", {"n": 1}, index=False)
        assert door.keys(NS) == ["x"]

    def test_vectors_are_there_when_the_store_is_opened_again(self, indexed: Door) -> None:
        if not self.persistent:
            pytest.skip("persistent is False")
        _fill(indexed)
        before = [(item.key, item.score) for item in indexed.search(NS, query=CLOSE)]
        indexed.reopen()
        after = [(item.key, item.score) for item in indexed.search(NS, query=CLOSE)]
        assert after == before


def _score(item: SearchItem) -> float:
    assert item.score is not None
    return item.score


def _fill(door: Door) -> None:
    door.batch([PutOp(NS, key, {"text": text}) for key, text in TEXTS.items()])
