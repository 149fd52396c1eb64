"""A namespace that is full makes room (R24)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import PutOp

from langgraph_memory import Kind, MemoryStore, Scope, Settings, open_memory
from langgraph_memory.domain.provenance import Verification
from langgraph_memory.errors import InvalidInputError, InvalidSettingError, NamespaceFullError
from langgraph_memory.testing import HashingEmbedder
from langgraph_memory.testing.store_contract.door import Door

PLACE = ("notes",)
three_fit = pytest.mark.opened_with(max_items=3)


def keys(ours: Door) -> set[str]:
    """Return what is left, without using any of it."""
    with ours.through("sync").store.memory._engine.database.read() as tx:  # type: ignore[attr-defined]
        return {each.key for each in tx.records.live(PLACE, now=None)}


@three_fit
def test_the_least_recently_used_gives_way(ours: Door) -> None:
    """R24."""
    for key in "abc":
        ours.put(PLACE, key, {"text": key})
    assert ours.get(PLACE, "a") is not None
    ours.search(PLACE, filter={"text": "b"})
    ours.put(PLACE, "d", {"text": "d"})
    assert keys(ours) == {"a", "b", "d"}
    assert ours.get(PLACE, "c") is None
    assert ours._call("history", PLACE, "c") == []


@three_fit
def test_what_has_expired_gives_way_first(ours: Door) -> None:
    """R24."""
    ours.put(PLACE, "a", {"n": 1})
    ours.put(PLACE, "b", {"n": 1})
    ours.put(PLACE, "short", {"n": 1}, ttl=0.0005)
    time.sleep(0.05)
    ours.put(PLACE, "c", {"n": 1})
    assert keys(ours) == {"a", "b", "c"}


@three_fit
def test_what_is_protected_never_gives_way(ours: Door) -> None:
    """R24."""
    ours.put(PLACE, "kept", {"n": 1}, protected=True)
    for key in "abcdef":
        ours.put(PLACE, key, {"n": 1})
    assert keys(ours) == {"kept", "e", "f"}


@three_fit
def test_a_namespace_full_of_protected_items_refuses_a_new_one(ours: Door) -> None:
    for key in "abc":
        ours.put(PLACE, key, {"n": 1}, protected=True)
    with pytest.raises(NamespaceFullError, match="more room by max_items"):
        ours.put(PLACE, "d", {"n": 1})
    assert keys(ours) == {"a", "b", "c"}
    ours.put(PLACE, "a", {"n": 2}, protected=True)
    ours.put(PLACE, "a", {"n": 3})
    ours.put(PLACE, "d", {"n": 1})
    assert keys(ours) == {"b", "c", "d"}


@three_fit
def test_an_update_needs_no_room_and_a_deleted_item_takes_none(ours: Door) -> None:
    for key in "abc":
        ours.put(PLACE, key, {"n": 1})
    ours.put(PLACE, "a", {"n": 2})
    assert keys(ours) == {"a", "b", "c"}
    ours.delete(PLACE, "b")
    ours.put(PLACE, "d", {"n": 1})
    assert keys(ours) == {"a", "c", "d"}


@three_fit
def test_a_batch_larger_than_the_room_keeps_its_last_items(ours: Door) -> None:
    ours.batch([PutOp(PLACE, key, {"n": 1}) for key in "abcdefg"])
    assert keys(ours) == {"e", "f", "g"}


@three_fit
def test_each_namespace_has_a_room_of_its_own(ours: Door) -> None:
    for key in "abc":
        ours.put(PLACE, key, {"n": 1})
        ours.put((*PLACE, "below"), key, {"n": 1})
    assert len(ours.search(PLACE)) == 6


@three_fit
def test_what_gave_way_is_gone_from_every_search(ours: Door) -> None:
    """B76."""
    for key in ("apple", "pear", "plum", "cherry"):
        ours.put(PLACE, key, {"text": f"I like {key}"})
    assert "apple" not in ours.keys(PLACE, query="I like apple")


@pytest.mark.parametrize("bound", [0, -1, 1.5, True, "3"])
def test_an_impossible_bound_is_refused(tmp_path: Path, bound: Any) -> None:
    with pytest.raises(InvalidInputError, match="max_items"):
        MemoryStore.from_path(tmp_path, max_items=bound, embedder=HashingEmbedder())


def test_bounds_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_MAX_ITEMS", "2")
    monkeypatch.setenv("MEMORY_KEEP_VERSIONS", "1")
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder()) as store:
        for key in "aabbcc":
            store.put(PLACE, key, {"n": 1})
        assert [item.key for item in store.search(PLACE)] == ["c", "b"]
        assert len(store.history(PLACE, "c")) == 1
    monkeypatch.setenv("MEMORY_MAX_ITEMS", "0")
    with pytest.raises(InvalidSettingError, match="MEMORY_MAX_ITEMS"):
        Settings.load()


def test_memories_make_room_too_but_never_what_is_verified(tmp_path: Path) -> None:
    """R24: the bound holds for remembered statements as for plain items."""
    bounded = Settings(max_items=3)
    with open_memory(tmp_path, settings=bounded, embedder=HashingEmbedder()) as home:
        me = home.memory.scope(tenant="acme", user="jane")
        me.remember("The contract ends in May", key="contract", verification=Verification.VERIFIED)
        for number in range(5):
            me.remember(f"Note number {number}", key=f"note-{number}")
        kept = {each.record.key for each in me.contents().records}
        assert kept == {"contract", "note-3", "note-4"}


def test_an_update_is_never_refused_for_want_of_room(tmp_path: Path) -> None:
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder()) as store:
        for key in "abcd":
            store.put(PLACE, key, {"n": 1}, protected=True)
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder(), max_items=2) as store:
        store.put(PLACE, "a", {"n": 2}, protected=True)
        with pytest.raises(NamespaceFullError):
            store.put(PLACE, "e", {"n": 1})


@pytest.mark.opened_with(max_items=2, keep_versions=1)
def test_the_bounds_of_a_store_hold_in_the_memory_root_too(ours: Door) -> None:
    place = Scope("acme", "jane").namespace(Kind.SEMANTIC)
    ours.put(place, "kept", {"content": "kept"}, protected=True)
    for number in range(4):
        ours.put(place, "k", {"content": f"said {number}"})
        ours.put(place, f"k{number}", {"content": f"note {number}"})
    assert {item.key for item in ours.search(place, limit=10)} == {"kept", "k3"}


@pytest.mark.opened_with(max_items=3)
@pytest.mark.parametrize("first", ["put", "delete"])
def test_what_a_batch_deletes_makes_room_for_what_it_puts(ours: Door, first: str) -> None:
    """R24: a batch is one write; it is never past a bound that it keeps."""
    for key in "abc":
        ours.put(PLACE, key, {"key": key})
    ops = [PutOp(PLACE, "d", {"key": "d"}), PutOp(PLACE, "c", None)]
    ours.batch(ops if first == "put" else ops[::-1])
    assert sorted(ours.keys(PLACE)) == ["a", "b", "d"]
