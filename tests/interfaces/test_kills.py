"""Killed at random instants during mixed writes: what was acknowledged is there, whole (R21)."""

from __future__ import annotations

import random
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from store_workers import JANE, PATIENCE_SECONDS, PROCESSES, opened, steps, write_until_killed

from langgraph_memory import MemoryStore

PLACES = [("a",), ("b", "0"), ("b", "1"), ("b", "2"), ("c",), ("d",)]


def killed(path: Path, seed: int, seconds: float) -> int:
    """Run a writer, kill it so long after its first write; return how many it acknowledged."""
    reader, told = PROCESSES.Pipe(duplex=False)
    child = PROCESSES.Process(target=write_until_killed, args=(path, seed, told))
    child.start()
    told.close()
    acknowledged = 0
    assert reader.poll(PATIENCE_SECONDS)
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if reader.poll(left):
            acknowledged = int.from_bytes(reader.recv_bytes()) + 1
    child.kill()
    child.join(PATIENCE_SECONDS)
    try:
        while reader.poll():
            acknowledged = int.from_bytes(reader.recv_bytes()) + 1
    except EOFError:
        pass
    return acknowledged


def contents(store: MemoryStore) -> dict[str, Any]:
    """Return all that a store holds, as its readers and an administrator see it."""
    found: dict[str, Any] = {}
    for place in PLACES:
        for number in range(12):
            for key in (f"k{number}", "pair"):
                item = store.get(place, key, refresh_ttl=False)
                found[f"{place}/{key}"] = (
                    item and item.value,
                    [(each.number, each.value, each.status) for each in store.history(place, key)],
                )
    me = store.memory.scope(**JANE)
    found["memories"] = {
        each.record.key: each.record.head.value for each in me.contents(limit=100).records
    }
    for word in ("word1", "word4"):
        hits = store.search((), query=f"{word} said", limit=500)
        found[word] = sorted((hit.namespace, hit.key, round(hit.score or 0, 4)) for hit in hits)
    return found


def check(folder: Path, seed: int, acknowledged: int) -> None:
    """The home must equal one where exactly the acknowledged writes were done, or one more."""
    with opened(folder / "home") as survivor, opened(folder / "model") as model:
        for work, key, said in islice(steps(seed), acknowledged):
            work(model, key, said)
        there = contents(survivor)
        if there != contents(model):
            work, key, said = next(islice(steps(seed), acknowledged, None))
            work(model, key, said)
        assert there == contents(model)
        report = survivor.memory.verify()
        assert not report.faults, report


@pytest.mark.parametrize("seed", range(3))
def test_a_store_killed_amid_its_writes_keeps_what_it_acknowledged(
    tmp_path: Path, seed: int
) -> None:
    acknowledged = killed(tmp_path / "home", seed, random.Random(seed).uniform(0.01, 0.2))
    check(tmp_path, seed, acknowledged)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(200))
def test_two_hundred_kills(tmp_path: Path, seed: int) -> None:
    acknowledged = killed(tmp_path / "home", seed, random.Random(seed).uniform(0.0, 1.0))
    check(tmp_path, seed, acknowledged)
