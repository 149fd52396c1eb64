"""Lifetimes that a read lets run anew while somebody else writes (R23): it waits for nobody."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import MemoryStore
from langgraph_memory.operations.engine import READS_WAIT_SECONDS
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
PATIENCE_SECONDS = 20
PROMPT_SECONDS = 1.0
"""The promise is 50 ms; a busy machine may take longer, but never the 30 s of a write."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder()) as opened:
        yield opened


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the database for writing, as another program would."""
    with closing(sqlite3.connect(path / "memory.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def ends(path: Path) -> int:
    with closing(sqlite3.connect(path / "memory.sqlite")) as raw:
        return int(raw.execute("SELECT expires_at FROM records").fetchone()[0])


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


READS: list[Callable[[MemoryStore], Any]] = [
    lambda store: store.get(PLACE, "k"),
    lambda store: store.search(PLACE),
    lambda store: store.search(PLACE, query="sushi"),
]


@pytest.mark.parametrize("read", READS)
def test_a_read_answers_at_once_and_its_renewal_comes_later(
    tmp_path: Path, store: MemoryStore, read: Callable[[MemoryStore], Any]
) -> None:
    store.put(PLACE, "k", {"text": "sushi"}, ttl=60)
    before = ends(tmp_path)
    with held(tmp_path):
        began = time.monotonic()
        assert read(store)
        assert time.monotonic() - began < PROMPT_SECONDS
        assert ends(tmp_path) == before
    until(lambda: ends(tmp_path) > before)


def test_a_read_that_finds_nobody_writing_renews_before_it_returns(
    tmp_path: Path, store: MemoryStore
) -> None:
    store.put(PLACE, "k", {"text": "sushi"}, ttl=60)
    before = ends(tmp_path)
    store.get(PLACE, "k")
    assert ends(tmp_path) > before


def test_a_late_renewal_never_shortens_what_was_written_since(
    tmp_path: Path, store: MemoryStore
) -> None:
    engine = store._parts.engine
    store.put(PLACE, "k", {"text": "sushi"}, ttl=60)
    engine.usage.owe({1: engine.clock() - timedelta(hours=1)})
    before = ends(tmp_path)
    engine.flush_usage()
    assert ends(tmp_path) == before


def test_what_is_owed_outlasts_a_failed_attempt_and_not_its_record(
    tmp_path: Path, store: MemoryStore
) -> None:
    engine = store._parts.engine
    store.put(PLACE, "k", {"text": "sushi"}, ttl=60)
    before = ends(tmp_path)
    with held(tmp_path):
        began = time.monotonic()
        engine.renew([1, 2], engine.clock())
        assert READS_WAIT_SECONDS / 2 < time.monotonic() - began < PROMPT_SECONDS
    until(lambda: ends(tmp_path) > before)


def test_closing_does_not_wait_long_for_a_renewal(tmp_path: Path) -> None:
    store = MemoryStore.from_path(tmp_path, embedder=HashingEmbedder())
    store.put(PLACE, "k", {"text": "sushi"}, ttl=60)
    with held(tmp_path):
        store.get(PLACE, "k")
        began = time.monotonic()
        store.close()
        assert time.monotonic() - began < PATIENCE_SECONDS
