"""Which version a writer must expect of an item that has expired and was not swept yet (R23, R25).

The one that a read of the same store shows: its number where expired items are shown, 0 where
they are hidden. 0 is true of an expired item in any store, as it is of a deleted one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import MemoryStore
from langgraph_memory.errors import VersionConflictError
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
MEMORIES = ("memory", "t=acme", "u=jane", "semantic")
SHORT = 0.0005


def opened(path: Path, *, omit: bool) -> MemoryStore:
    ttl: Any = {"omit_expired": omit}
    return MemoryStore.from_path(path, embedder=HashingEmbedder(), ttl=ttl)


@pytest.fixture
def showing(tmp_path: Path) -> Iterator[MemoryStore]:
    """A store that shows what has expired until it is swept."""
    with opened(tmp_path, omit=False) as store:
        yield store


@pytest.fixture
def hiding(tmp_path: Path) -> Iterator[MemoryStore]:
    """A store of the same home that hides it at once."""
    with opened(tmp_path, omit=True) as store:
        yield store


def expire(store: MemoryStore, place: tuple[str, ...] = PLACE) -> None:
    for number in (1, 2):
        store.put(place, "k", {"content": f"statement number {number}"}, ttl=SHORT)
    time.sleep(0.05)


def numbers(store: MemoryStore, place: tuple[str, ...] = PLACE) -> list[int]:
    return [each.number for each in store.history(place, "k")]


@pytest.mark.parametrize("place", [PLACE, MEMORIES])
@pytest.mark.parametrize("expected", [2, 0, None])
def test_what_is_shown_is_written_on_its_version_and_keeps_its_chain(
    showing: MemoryStore, expected: int | None, place: tuple[str, ...]
) -> None:
    expire(showing, place)
    item: Any = showing.get(place, "k", refresh_ttl=False)
    assert (item.version, numbers(showing, place)) == (2, [1, 2])
    with pytest.raises(VersionConflictError, match="version 2, not 1"):
        showing.put(place, "k", {"content": "of an older reading"}, expected_version=1)
    showing.put(place, "k", {"content": "of today"}, expected_version=expected)
    assert numbers(showing, place) == [1, 2, 3]


@pytest.mark.parametrize("expected", [0, None])
def test_what_is_hidden_is_not_there_and_is_written_as_new(
    hiding: MemoryStore, expected: int | None
) -> None:
    expire(hiding)
    assert hiding.get(PLACE, "k") is None
    assert numbers(hiding) == []
    with pytest.raises(VersionConflictError, match="version 0, not 2"):
        hiding.put(PLACE, "k", {"n": 3}, expected_version=2)
    hiding.put(PLACE, "k", {"n": 3}, expected_version=expected)
    assert numbers(hiding) == [1]


def test_a_sweep_changes_nothing_for_who_could_not_see_it(hiding: MemoryStore) -> None:
    expire(hiding)
    assert hiding.sweep_ttl() == 1
    with pytest.raises(VersionConflictError, match="version 0, not 2"):
        hiding.put(PLACE, "k", {"n": 3}, expected_version=2)
    hiding.put(PLACE, "k", {"n": 3}, expected_version=0)
    assert numbers(hiding) == [1]


def test_an_update_goes_on_from_what_it_is_shown(showing: MemoryStore) -> None:
    expire(showing)
    assert showing.update(PLACE, "k", {"more": 1}) == {"content": "statement number 2", "more": 1}
    assert numbers(showing) == [1, 2, 3]


def test_an_update_begins_anew_where_it_is_shown_nothing(hiding: MemoryStore) -> None:
    expire(hiding)
    assert hiding.update(PLACE, "k", {"more": 1}) == {"more": 1}
    assert numbers(hiding) == [1]


def test_a_deletion_on_the_version_shown_leaves_a_tombstone(showing: MemoryStore) -> None:
    """As of any item; the tombstone has no number to expect, in any store."""
    expire(showing)
    showing.delete(PLACE, "k", expected_version=2)
    assert numbers(showing) == [1, 2, 3]
    with pytest.raises(VersionConflictError, match="version 0, not 3"):
        showing.put(PLACE, "k", {"n": 3}, expected_version=3)
    showing.put(PLACE, "k", {"n": 3}, expected_version=0)
    assert numbers(showing) == [1, 2, 3, 4]


def test_a_version_that_is_shown_can_be_restored(showing: MemoryStore) -> None:
    expire(showing)
    showing.restore(PLACE, "k", 1, expected_version=2)
    item = showing.get(PLACE, "k")
    assert item is not None
    assert item.value == {"content": "statement number 1"}


async def test_the_asynchronous_door_says_the_same(tmp_path: Path) -> None:
    with opened(tmp_path, omit=False) as store:
        expire(store)
        await store.aput(PLACE, "k", {"n": 3}, expected_version=2)
        assert numbers(store) == [1, 2, 3]
    with opened(tmp_path, omit=True) as store:
        store.put(PLACE, "k", {"n": 4}, ttl=SHORT)
        await asyncio.sleep(0.05)
        with pytest.raises(VersionConflictError, match="version 0, not 4"):
            await store.aput(PLACE, "k", {"n": 5}, expected_version=4)
        await store.aput(PLACE, "k", {"n": 5}, expected_version=0)
        assert numbers(store) == [1]
