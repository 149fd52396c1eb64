"""Search without a question: pages over everything below a prefix."""

from __future__ import annotations

from langgraph.store.base import SearchItem

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.harness import StoreHarness

NS = ("docs", "d1")


class ListingContract(StoreHarness):
    """``search`` as a way to list."""

    def test_an_item_found_is_the_item_got_and_has_no_score(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        (found,) = door.search(NS)
        got = door.get(NS, "k")
        assert got is not None
        assert isinstance(found, SearchItem)
        assert found.score is None
        assert (found.namespace, found.key, found.value) == (got.namespace, got.key, got.value)
        assert (found.created_at, found.updated_at) == (got.created_at, got.updated_at)

    def test_an_empty_store_finds_nothing(self, door: Door) -> None:
        assert door.search(()) == []
        assert door.search(NS, query="anything", filter={"a": 1}) == []

    def test_an_empty_prefix_is_the_whole_store(self, door: Door) -> None:
        """Documented: ``()`` searches the entire store."""
        for namespace in [("a",), ("a", "b"), ("c", "d", "e")]:
            door.put(namespace, "k", {"n": 1})
        assert {item.namespace for item in door.search(())} == {
            ("a",),
            ("a", "b"),
            ("c", "d", "e"),
        }

    def test_a_second_put_of_a_key_is_one_hit(self, door: Door) -> None:
        """B27."""
        door.put(NS, "k", {"n": 1})
        door.put(NS, "k", {"n": 2})
        assert [item.value for item in door.search(NS)] == [{"n": 2}]

    def test_ten_items_are_a_page_unless_told_otherwise(self, door: Door) -> None:
        """Documented: ``limit: int = 10``."""
        _fill(door, 12)
        assert len(door.search(NS)) == 10

    def test_a_large_limit_gives_everything(self, door: Door) -> None:
        """B54."""
        _fill(door, 30)
        assert len(door.search(NS, limit=1000)) == 30

    def test_pages_neither_overlap_nor_miss(self, door: Door) -> None:
        """B54."""
        _fill(door, 23)
        pages = [door.keys(NS, limit=7, offset=start) for start in range(0, 28, 7)]
        assert [len(page) for page in pages] == [7, 7, 7, 2]
        assert sorted(key for page in pages for key in page) == [f"{n:02}" for n in range(23)]

    def test_pages_follow_the_order_of_one_large_page(self, door: Door) -> None:
        _fill(door, 9)
        pages = [door.keys(NS, limit=4, offset=start) for start in (0, 4, 8)]
        assert [key for page in pages for key in page] == door.keys(NS, limit=100)

    def test_a_limit_of_zero_is_an_empty_page(self, door: Door) -> None:
        _fill(door, 2)
        assert door.search(NS, limit=0) == []

    def test_an_offset_beyond_the_end_is_an_empty_page(self, door: Door) -> None:
        _fill(door, 2)
        assert door.search(NS, offset=2) == []
        assert door.search(NS, offset=200) == []

    def test_the_latest_written_comes_first(self, door: Door) -> None:
        """LangGraph's database stores agree: ``ORDER BY updated_at DESC``."""
        for key in "abcde":
            door.put(NS, key, {"n": 1})
        assert door.keys(NS) == list("edcba")
        door.put(NS, "b", {"n": 2})
        assert door.keys(NS) == list("bedca")

    def test_an_empty_query_is_no_query(self, door: Door) -> None:
        _fill(door, 3)
        found = door.search(NS, query="")
        assert [item.key for item in found] == door.keys(NS)
        assert [item.score for item in found] == [None] * 3

    def test_a_query_without_an_index_is_no_error(self, door: Door) -> None:
        """Documented: without an index "semantic search is disabled"; what it finds is free."""
        door.put(NS, "k", {"text": "apple pie"}, index=["text"])
        door.put(("other",), "x", {"text": "apple pie"}, index=False)
        assert set(door.keys(NS, query="apple pie")) <= {"k"}


def _fill(door: Door, count: int) -> None:
    for number in range(count):
        door.put(NS, f"{number:02}", {"n": number})
