"""Which index answers which search, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from chroma_home import IndexHome, eventually, vectors

from langgraph_memory.storage.route import Mode, RoutedIndex

QUERY = vectors(0)[0]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[IndexHome]:
    """A home with 40 records in one scope and 10 in another."""
    with IndexHome(tmp_path) as opened:
        opened.put_many(40, namespace=("large",))
        opened.put_many(10, seed=1, namespace=("small",))
        yield opened


def routed(home: IndexHome, mode: Mode = "auto", crossing: int = 30) -> RoutedIndex:
    return RoutedIndex(home.exact, home.chroma, mode=mode, crossing=crossing)


def asks_chroma(home: IndexHome, index: RoutedIndex, *prefix: str) -> bool:
    """Tell whether a search goes to Chroma: the first one that does starts the follower."""
    assert home.follower.state.phase == "idle"
    index.nearest(QUERY, prefix, limit=3)
    index.nearest(QUERY, prefix, limit=3)  # sizes are known as of the last search
    return eventually(lambda: home.follower.state.phase != "idle", seconds=0.2)


def test_the_whole_root_past_the_crossing_is_searched_through_chroma(home: IndexHome) -> None:
    assert asks_chroma(home, routed(home))


def test_a_prefix_that_holds_most_of_all_is_searched_through_chroma(home: IndexHome) -> None:
    assert asks_chroma(home, routed(home), "large")


def test_a_small_home_is_searched_exactly(home: IndexHome) -> None:
    assert not asks_chroma(home, routed(home, crossing=51))


@pytest.mark.parametrize("crossing", [0, 30])
def test_a_narrow_scope_is_always_searched_exactly(home: IndexHome, crossing: int) -> None:
    assert not asks_chroma(home, routed(home, crossing=crossing), "small")


def test_the_mode_can_be_forced(home: IndexHome) -> None:
    assert not asks_chroma(home, routed(home, "exact", crossing=0))
    assert asks_chroma(home, routed(home, "chroma", crossing=1000), "small")


def test_an_answer_says_which_index_gave_it(home: IndexHome) -> None:
    """R85: the exact one stands in until the mirror is there."""
    index = routed(home, "chroma")
    assert index.nearest(QUERY, ("large",), limit=3).by == "exact"
    home.drain()
    assert index.nearest(QUERY, ("large",), limit=3).by == "chroma, generation 1"
    assert routed(home, "exact").nearest(QUERY, ("large",), limit=3).by == "exact"


def test_every_way_gives_the_same_answer(home: IndexHome) -> None:
    home.drain()
    modes: tuple[Mode, ...] = ("auto", "exact", "chroma")
    for mode, prefix in product(modes, ((), ("large",), ("small",), ("none",))):
        right = [each.row for each in home.exact.nearest(QUERY, prefix, limit=7)]
        found = routed(home, mode).nearest(QUERY, prefix, limit=7)
        assert [each.row for each in found] == right


def test_the_status_tells_what_is_owed_and_who_owns_it(home: IndexHome) -> None:
    index = routed(home)
    before = index.status()
    assert (before.phase, before.owner, before.in_step, before.behind) == ("idle", False, False, 50)
    home.drain()
    after = index.status()
    assert (after.phase, after.owner, after.in_step, after.behind) == ("following", True, True, 0)
    assert (after.mode, after.generation, after.problem) == ("auto", 1, "")
    assert after.folder == home.path.resolve() / "chroma"
    index.close()
