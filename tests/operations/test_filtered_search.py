"""Filters of searches: before the ranking, with and without a query, of what holds now."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Kind, MemoryStore, Scope, Settings
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations import item_search
from langgraph_memory.storage.exact.fields import ExactFields
from langgraph_memory.storage.sqlite import narrowing
from langgraph_memory.testing.hashing import HashingEmbedder


@pytest.fixture
def store(tmp_path: Path, settings: Settings) -> Iterator[MemoryStore]:
    with MemoryStore.from_path(
        tmp_path / "home", embedder=HashingEmbedder(), settings=settings
    ) as opened:
        yield opened


def keys(store: MemoryStore, prefix: tuple[str, ...] = ("n",), **asked: Any) -> list[str]:
    return [each.key for each in store.search(prefix, **{"limit": 100, **asked})]


@pytest.mark.parametrize("width", [1, 4, 8, 1_000])
def test_the_pages_of_a_filtered_query_follow_one_order(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """R22. Every page ranks only what the filter lets through, however wide it has to look."""
    words = ("red", "blue", "green apple", "red apple", "apple pie", "pie")
    for n in range(60):
        value = {"text": f"{words[n % 6]} {words[n % 5]} {n}", "kind": "ab"[n % 2]}
        store.put(("n",), str(n), value, index=False if n % 10 == 7 else None)
    asked: dict[str, Any] = {"query": "red apple pie", "filter": {"kind": "b"}}
    monkeypatch.setattr(item_search, "WIDTH", width)
    whole = keys(store, **asked)
    pages = [keys(store, **asked, limit=7, offset=offset) for offset in range(0, 35, 7)]
    assert [key for page in pages for key in page] == whole
    assert sorted(map(int, whole)) == list(range(1, 60, 2))
    if width == 1_000:
        scores = [each.score or -1.0 for each in store.search(("n",), **asked, limit=100)]
        assert scores == sorted(scores, reverse=True)


def test_the_nearest_items_do_not_hide_those_that_meet_the_filter(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R22."""
    for n in range(40):
        store.put(("n",), f"near{n}", {"text": "red apple pie", "kind": "near"})
    for n in range(3):
        store.put(("n",), f"far{n}", {"text": f"something else {n}", "kind": "far"})
    asked: dict[str, Any] = {"query": "red apple pie", "limit": 2, "filter": {"kind": "far"}}
    monkeypatch.setattr(item_search, "WIDTH", 2)
    assert len(set(keys(store, **asked)) | set(keys(store, **asked, offset=2))) == 3
    assert keys(store, **asked, offset=3) == []


@pytest.mark.parametrize("query", [None, "what colour"])
@pytest.mark.parametrize("declared", [False, True], ids=["looked through", "indexed"])
def test_a_filter_asks_of_the_statement_that_holds_now(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, declared: bool, query: str | None
) -> None:
    monkeypatch.setattr(narrowing, "NARROW", 0)
    if declared:
        store._parts.database.declare_filter_fields(["colour"])
    root = Scope("acme", "jane").namespace(Kind.SEMANTIC)
    now = datetime.now(UTC)
    for place in (root, ("n",)):
        for key, starts, ends in (
            ("next", now + timedelta(days=1), None), ("now", None, now + timedelta(days=1)),
            ("over", None, now - timedelta(days=1)),
        ):  # fmt: skip
            old, new = ({"content": f"the colour {key}", "colour": c} for c in ("red", "blue"))
            store.put(place, key, old)
            store.put(place, key, new, valid_from=starts, valid_until=ends)
    for prefix in (root, ("n",), ()):
        both = 2 if prefix == () else 1
        assert keys(store, prefix, query=query, filter={"colour": "red"}) == ["next"] * both
        assert keys(store, prefix, query=query, filter={"colour": "blue"}) == ["now"] * both
        assert keys(store, prefix, query=query, filter={"colour": "blue"}, offset=both) == []


def test_every_way_to_open_a_home_declares_fields(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fields(**how: Any) -> tuple[str, ...]:
        with MemoryStore.from_path(tmp_path / "h", embedder=HashingEmbedder(), **how) as opened:
            return opened._parts.database.filter_fields()

    assert fields(settings=settings, filter_fields=["b", "a.b"]) == ("b", "a.b")
    monkeypatch.setenv("MEMORY_FILTER_FIELDS", " c, a.b ,")
    assert fields(filter_fields="d") == ("b", "a.b", "c", "d")
    monkeypatch.delenv("MEMORY_FILTER_FIELDS")
    with MemoryStore.from_path(tmp_path / "h", embedder=HashingEmbedder()):
        assert fields(filter_fields=("e",)) == ("b", "a.b", "c", "d", "e")
        with pytest.raises(InvalidInputError, match="can have no index"):
            fields(filter_fields=["f", 'f"'])
    assert fields() == ("b", "a.b", "c", "d", "e")


@pytest.mark.parametrize("query", [None, "red apple pie"])
@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "b"},
        {"kind": {"$ne": "a"}},
        {"n": {"$gte": 30}},
        {"text": {"$contains": "pie"}},
        {"kind": "b", "n": {"$lt": 20}},
    ],
)
def test_a_filter_that_is_asked_again_finds_the_same(
    store: MemoryStore, query: str | None, wanted: dict[str, Any]
) -> None:
    """Asked in the database first, then in memory, unless the field says too many things."""
    words = ("red", "blue", "green apple", "red apple", "apple pie", "pie")
    for n in range(60):
        value = {"text": f"{words[n % 6]} {words[n % 5]} {n}", "kind": "ab"[n % 2], "n": n}
        store.put(("n",), str(n), value, index=False if n % 10 == 7 else None)
    asked: dict[str, Any] = {"query": query, "filter": wanted}
    first = keys(store, **asked)
    held = store._parts.engine.field_index
    for _ in range(2):
        assert keys(store, **asked) == first
    with store._parts.database.read() as tx:
        assert (held.meeting(tx, ("n",), wanted) is None) == (
            "kind" not in wanted or len(wanted) > 1
        )
    pages = [keys(store, **asked, limit=7, offset=offset) for offset in range(0, 63, 7)]
    assert [key for page in pages for key in page] == first
    store.delete(("n",), first[0])
    store.put(("n",), "late", {"text": "red apple pie", "kind": "b", "n": 7})
    store.put(("n",), first[1], {"text": "nothing of it", "kind": "a", "n": 25})
    later = set(keys(store, **asked))
    assert first[0] not in later
    assert first[1] not in later
    assert ("late" in later) == (wanted != {"n": {"$gte": 30}})


def test_what_expires_is_not_found_by_a_field_in_memory(store: MemoryStore) -> None:
    store.put(("n",), "brief", {"kind": "b"}, ttl=0.0003)
    store.put(("n",), "long", {"kind": "b"})
    for _ in range(3):
        keys(store, filter={"kind": "b"})
    time.sleep(0.05)
    assert keys(store, filter={"kind": "b"}) == ["long"]
    assert keys(store, filter={"kind": "b"}, query="anything") == ["long"]


def test_a_purge_leaves_no_field_in_memory(store: MemoryStore) -> None:
    place = Scope("acme", "jane").namespace(Kind.SEMANTIC)
    store.put(place, "k", {"content": "likes pie", "mood": "hungry"})
    for _ in range(3):
        assert keys(store, place, filter={"mood": "hungry"}) == ["k"]
    held = store._parts.engine.field_index
    assert isinstance(held, ExactFields)
    assert held.size()
    store.memory.scope(tenant="acme", user="jane").purge()
    assert held.size() == 0
