"""B54: pages of a filtered list follow one order, however often it was asked before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from langgraph_memory import MemoryStore

ITEMS, PAGE = 700, 10


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    path: Path = tmp_path_factory.mktemp("pages") / "home"
    with MemoryStore.from_path(path) as opened:
        for number in range(ITEMS):
            stars = 5 if number % 7 == 0 else 3
            value = {"stars": stars, "by": {"name": "ana" if stars == 5 else "bob"}}
            opened.put(("n",), str(number), value, index=False)
        yield opened


@pytest.mark.parametrize(
    "wanted",
    [
        {"stars": {"$gt": 3}}, {"stars": {"$gte": 5}}, {"stars": {"$ne": 3}},
        {"by": {"name": {"$ne": "bob"}}}, {"by": {"name": {"$lt": "b"}}},
        {"stars": {"$in": [5, 6]}},
    ],
    ids=str,
)  # fmt: skip
def test_every_page_follows_one_order(store: MemoryStore, wanted: dict[str, object]) -> None:
    expected = [str(number) for number in reversed(range(0, ITEMS, 7))]
    for _ in range(4):
        found = []
        for offset in range(0, len(expected) + PAGE, PAGE):
            page = store.search(("n",), filter=wanted, limit=PAGE, offset=offset)
            found += [item.key for item in page]
        assert found == expected


def test_a_write_that_was_interrupted_ends_before_the_next(tmp_path: Path) -> None:
    """B81: Ctrl-C between two steps leaves no transaction open for ever."""
    with MemoryStore.from_path(tmp_path / "home") as store:
        store.put(("n",), "before", {"text": "x"})
        database = store._parts.database
        database._connections._writer.execute("BEGIN IMMEDIATE")
        store.put(("n",), "after", {"text": "y"})
        assert {item.key for item in store.search(("n",))} == {"before", "after"}
