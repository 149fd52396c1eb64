"""What of an item is indexed, and that the index follows the item."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import PutOp

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.embedding import text_index
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness

NS = ("docs",)
PIE = "apple pie recipe"
QUIZ = "zebra quiz marathon"
BOOK: dict[str, Any] = {
    "title": "rivers of mongolia",
    "meta": {"author": {"name": "lina petrova"}},
    "chapters": [
        {"head": "glacier snow", "notes": ["first blue bird"]},
        {"head": "desert wind", "notes": ["second red fox", "third green frog"]},
    ],
    "tags": ["geography", "travel", "atlas"],
}


class IndexPathContract(StoreHarness):
    """Which texts of a value become vectors. Documented at ``PutOp.index``."""

    @pytest.mark.parametrize(
        ("path", "inside", "outside"),
        [
            ("title", "rivers of mongolia", "lina petrova"),
            ("meta.author.name", "lina petrova", "rivers of mongolia"),
            ("tags[0]", "geography", "travel"),
            ("tags[-1]", "atlas", "geography"),
            ("tags[*]", "travel", "rivers of mongolia"),
            ("chapters[1].head", "desert wind", "glacier snow"),
            ("chapters[-1].head", "desert wind", "glacier snow"),
            ("chapters[*].head", "glacier snow", "lina petrova"),
            ("chapters[*].notes[*]", "third green frog", "desert wind"),
        ],
    )
    @pytest.mark.parametrize("by", ["put", "config"])
    def test_a_path_indexes_what_it_names_and_nothing_else(
        self, open_door: OpenDoor, by: str, path: str, inside: str, outside: str
    ) -> None:
        door = open_door(index=text_index(path if by == "config" else "other"))
        door.put(NS, "book", BOOK, index=None if by == "config" else [path])
        assert _score(door, inside) >= 0.99
        assert _score(door, outside) < 0.7

    def test_several_paths_are_all_indexed(self, indexed: Door) -> None:
        indexed.put(NS, "book", BOOK, index=["title", "tags[*]"])
        assert _score(indexed, "rivers of mongolia") >= 0.99
        assert _score(indexed, "atlas") >= 0.99
        assert _score(indexed, "desert wind") < 0.7

    def test_without_fields_the_whole_value_is_indexed(self, open_door: OpenDoor) -> None:
        """Documented: ``["$"]`` is the default."""
        door = open_door(index=text_index())
        door.put(NS, "book", BOOK)
        door.put(NS, "bike", {"frame": {"made": "aluminium"}, "wheels": ["spokes", "tyres"]})
        for query, expected in [("lina petrova", "book"), ("aluminium spokes", "bike")]:
            assert door.keys(NS, query=query)[0] == expected

    def test_a_field_that_is_missing_or_none_is_passed_over(self, indexed: Door) -> None:
        """Documented: "Fields missing from a document are skipped"."""
        indexed.put(NS, "a", {"other": PIE})
        indexed.put(NS, "b", {"text": None})
        indexed.put(NS, "c", {"text": PIE}, index=["no.such[*].path", "text"])
        assert indexed.value(NS, "a") == {"other": PIE}
        assert indexed.keys(NS, query=PIE)[0] == "c"

    def test_values_that_are_no_text_are_indexed_as_text(self, open_door: OpenDoor) -> None:
        door = open_door(index=text_index("n"))
        door.put(NS, "a", {"n": 4711})
        door.put(NS, "b", {"n": ["x", "y"]})
        assert door.keys(NS, query="4711")[0] == "a"

    def test_an_item_with_several_vectors_is_one_hit_scored_by_its_best(
        self, indexed: Door
    ) -> None:
        indexed.put(NS, "many", {"parts": [QUIZ, PIE, "lemon cake"]}, index=["parts[*]"])
        indexed.put(NS, "one", {"parts": ["apple tree"]}, index=["parts[*]"])
        found = indexed.search(NS, query=PIE)
        assert [item.key for item in found] == ["many", "one"]
        assert found[0].score is not None
        assert found[0].score >= 0.99

    def test_many_vectors_of_one_item_do_not_crowd_out_others(self, indexed: Door) -> None:
        parts = [f"{PIE} number {n}" for n in range(30)]
        indexed.put(NS, "many", {"parts": parts}, index=["parts[*]"])
        indexed.put(NS, "other", {"text": "apple tree"})
        assert indexed.keys(NS, query=PIE, limit=2) == ["many", "other"]

    def test_equal_texts_in_one_batch_are_indexed_each(self, indexed: Door) -> None:
        indexed.batch([PutOp(NS, key, {"text": PIE}) for key in "abc"])
        scores = {item.key: item.score for item in indexed.search(NS, query=PIE)}
        assert set(scores) == set("abc")
        assert all(score is not None and score >= 0.99 for score in scores.values())


class UnindexedContract(StoreHarness):
    """Items without a vector: findable, but never in the way of those that have one."""

    def test_an_item_put_with_index_false_has_no_score(self, indexed: Door) -> None:
        """Documented: "Still accessible through get() and search()"."""
        indexed.put(NS, "quiet", {"text": PIE}, index=False)
        assert indexed.value(NS, "quiet") == {"text": PIE}
        assert indexed.keys(NS) == ["quiet"]
        assert [(item.key, item.score) for item in indexed.search(NS, query=PIE)] == [
            ("quiet", None)
        ]

    def test_items_without_a_score_fill_only_what_is_left_of_a_page(self, indexed: Door) -> None:
        _fill(indexed)
        pages = {n: indexed.search(NS, query=PIE, limit=n) for n in (2, 3, 4, 10)}
        unscored = {
            n: [item.key for item in page if item.score is None] for n, page in pages.items()
        }
        assert {n: len(page) for n, page in pages.items()} == {2: 2, 3: 3, 4: 4, 10: 5}
        assert {n: len(keys) for n, keys in unscored.items()} == {2: 0, 3: 0, 4: 1, 10: 2}
        assert all(item.score is None for item in pages[10][3:])

    def test_pages_with_items_without_a_score_neither_overlap_nor_miss(self, indexed: Door) -> None:
        _fill(indexed)
        pages = [indexed.keys(NS, query=PIE, limit=2, offset=o) for o in (0, 2, 4, 6)]
        assert [len(page) for page in pages] == [2, 2, 1, 0]
        assert sorted(key for page in pages for key in page) == ["a", "b", "c", "x", "y"]

    def test_a_filter_holds_for_items_without_a_score(self, indexed: Door) -> None:
        _fill(indexed)
        found = indexed.keys(NS, query=PIE, filter={"quiet": True})
        assert sorted(found) == ["x", "y"]


class IndexUpdateContract(StoreHarness):
    """The index never says what the item no longer says (B47)."""

    def test_a_new_text_takes_the_place_of_the_old(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"text": QUIZ})
        indexed.put(NS, "k", {"text": PIE})
        assert _score(indexed, PIE) >= 0.99
        assert _score(indexed, QUIZ) < 0.5

    def test_a_list_that_shrank_leaves_no_vector_behind(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"tags": ["zebra", QUIZ, "lemon"]}, index=["tags[*]"])
        indexed.put(NS, "k", {"tags": [PIE]}, index=["tags[*]"])
        assert _score(indexed, PIE) >= 0.99
        assert _score(indexed, QUIZ) < 0.5

    def test_another_path_takes_the_place_of_the_old(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"a": QUIZ, "b": PIE}, index=["a"])
        indexed.put(NS, "k", {"a": QUIZ, "b": PIE}, index=["b"])
        assert _score(indexed, PIE) >= 0.99
        assert _score(indexed, QUIZ) < 0.5

    def test_an_update_with_index_false_takes_the_vector_away(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"text": QUIZ})
        indexed.put(NS, "k", {"text": PIE}, index=False)
        assert [item.score for item in indexed.search(NS, query=QUIZ)] == [None]

    def test_an_update_without_the_field_takes_the_vector_away(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"text": QUIZ})
        indexed.put(NS, "k", {"other": PIE})
        assert [item.score for item in indexed.search(NS, query=QUIZ)] == [None]

    def test_a_deleted_item_is_not_found(self, indexed: Door) -> None:
        """B76. Nor does its ghost take a place on the page."""
        indexed.put(NS, "k", {"text": QUIZ})
        indexed.put(NS, "alive", {"text": "zebra crossing"})
        indexed.delete(NS, "k")
        assert indexed.keys(NS, query=QUIZ, limit=1) == ["alive"]

    def test_the_vector_of_a_deleted_item_does_not_return_with_its_key(self, indexed: Door) -> None:
        indexed.put(NS, "k", {"text": QUIZ})
        indexed.delete(NS, "k")
        indexed.put(NS, "k", {"text": PIE}, index=False)
        assert [item.score for item in indexed.search(NS, query=QUIZ)] == [None]

    def test_the_last_put_of_a_batch_is_the_one_indexed(self, indexed: Door) -> None:
        indexed.batch([PutOp(NS, "k", {"text": QUIZ}), PutOp(NS, "k", {"text": PIE})])
        assert _score(indexed, PIE) >= 0.99
        assert _score(indexed, QUIZ) < 0.5


def _score(door: Door, query: str) -> float:
    """Return the score of the only item there is."""
    (item,) = door.search(NS, query=query)
    assert item.score is not None, "the item has no vector"
    return item.score


def _fill(door: Door) -> None:
    for key in "xy":
        door.put(NS, key, {"text": PIE, "quiet": True}, index=False)
    for key in "abc":
        door.put(NS, key, {"text": f"{PIE} {key}", "quiet": False})
