"""A search is answered from one state, whoever writes meanwhile, and whatever was restored."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import PutOp, SearchOp

from langgraph_memory import MemoryStore, Settings
from langgraph_memory.testing.hashing import HashingEmbedder

PLACE = ("n",)


@pytest.fixture
def store(tmp_path: Path, settings: Settings) -> Iterator[MemoryStore]:
    with MemoryStore.from_path(
        tmp_path / "home", embedder=HashingEmbedder(), settings=settings
    ) as opened:
        yield opened


def test_no_search_joins_two_states(store: MemoryStore) -> None:
    """Two items change places in every commit: each state has one red one, and one about tea."""
    ends = time.monotonic() + 1.5
    wrong: list[object] = []
    failed: list[BaseException] = []

    def swap() -> None:
        for turn in range(10**6):
            if time.monotonic() > ends:
                return
            first, second = ("tea", "gone") if turn % 2 else ("gone", "tea")
            store.batch([
                PutOp(PLACE, "x", {"t": first, "kind": "ab"[turn % 2]}),
                PutOp(PLACE, "y", {"t": second, "kind": "ba"[turn % 2]}),
            ])  # fmt: skip

    def look() -> None:
        while time.monotonic() < ends:
            found: list[Any] = store.batch([
                SearchOp(PLACE, filter={"kind": "a"}), SearchOp(PLACE, query="tea", limit=1),
            ])  # fmt: skip
            red, tea = found
            if len(red) != 1 or tea[0].value["t"] != "tea":
                wrong.append((red, tea))

    def guarded(work: object) -> None:
        try:
            work()  # type: ignore[operator]
        except BaseException as exc:  # noqa: BLE001 - told below
            failed.append(exc)

    store.put(PLACE, "x", {"t": "tea", "kind": "a"})
    store.put(PLACE, "y", {"t": "gone", "kind": "b"})
    threads = [threading.Thread(target=guarded, args=(each,)) for each in (swap, look, look, look)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (wrong, failed) == ([], [])


def test_a_backup_that_is_restored_is_what_every_open_store_searches(store: MemoryStore) -> None:
    for number in range(10):
        store.put(PLACE, f"k{number}", {"t": f"green tea {number}", "kind": "ab"[number % 2]})
    path = store._parts.database.path
    with closing(sqlite3.connect(":memory:")) as copy:
        with closing(sqlite3.connect(path)) as now:
            now.backup(copy)
        for number in range(10):
            store.put(PLACE, f"k{number}", {"t": "something else", "kind": "c"})
        for _ in range(3):
            assert store.search(PLACE, filter={"kind": "a"}) == []
            assert store.search(PLACE, query="green tea")
        with closing(sqlite3.connect(path)) as now:
            copy.backup(now)
    assert len(store.search(PLACE, filter={"kind": "a"})) == 5
    assert "green" in store.search(PLACE, query="green tea 3")[0].value["t"]
    store.put(PLACE, "late", {"t": "green tea 77", "kind": "a"})
    assert store.search(PLACE, query="green tea 77")[0].key == "late"
    assert len(store.search(PLACE, filter={"kind": "a"})) == 6
    assert store.memory.verify().whole
