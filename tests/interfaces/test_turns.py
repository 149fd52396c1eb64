"""Asynchronous calls keep their order, share the work, and wait for nobody else's threads (B84)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import GetOp, PutOp

from langgraph_memory import MemoryStore, VersionedPut
from langgraph_memory.errors import (
    ClosedError,
    EmbeddingError,
    InvalidValueError,
    VersionConflictError,
)
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
DIMS = 64
hashing = HashingEmbedder(DIMS)


def vectors(texts: Sequence[str]) -> list[list[float]]:
    return [list(map(float, row)) for row in hashing.embed_documents(list(texts))]


def opened(path: Path, embed: Any = None) -> MemoryStore:
    if embed is None:
        return MemoryStore.from_path(path, embedder=hashing)
    return MemoryStore.from_path(path, index={"dims": DIMS, "embed": embed, "fields": ["text"]})


async def test_the_last_of_several_writes_of_a_key_wins(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        for key in map(str, range(40)):
            await asyncio.gather(*(store.aput(PLACE, key, {"n": n}) for n in range(5)))
            await asyncio.gather(store.aput(PLACE, f"gone{key}", {"n": 1}),
                                 store.adelete(PLACE, f"gone{key}"))  # fmt: skip
        found = await store.asearch(PLACE, limit=100)
        assert [item.value for item in found] == [{"n": 4}] * 40


async def test_reads_and_writes_together_keep_the_order_of_the_writes(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        for n in range(20):
            mixed: list[Any] = [PutOp(PLACE, "k", {"n": n}), GetOp(PLACE, "k")]
            await asyncio.gather(
                store.aput(PLACE, "k", {"n": -1}), store.abatch(mixed), store.aput(PLACE, "x", {})
            )
            item = await store.aget(PLACE, "k")
            assert item is not None
            assert item.value == {"n": n}


async def test_one_that_is_refused_takes_nobody_along(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.aput(PLACE, "taken", {"n": 0})
        stale = VersionedPut.of(PutOp(PLACE, "taken", {"n": 1}), expected_version=7)
        outcomes = await asyncio.gather(
            store.aput(PLACE, "a", {"n": 1}),
            store.abatch([PutOp(PLACE, "half", {"n": 1}), stale]),
            store.aput(PLACE, "b", {"n": object()}),
            store.aput(PLACE, "c", {"n": 1}),
            return_exceptions=True,
        )
        assert isinstance(outcomes[1], VersionConflictError)
        assert isinstance(outcomes[2], InvalidValueError)
        found = await store.asearch(PLACE)
        assert {item.key for item in found} == {"taken", "a", "c"}
        assert (await store.aget(PLACE, "taken")).value == {"n": 0}  # type: ignore[union-attr]


async def test_an_embedder_that_is_down_stops_only_what_needs_it(tmp_path: Path) -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        raise ConnectionError("nobody listens there")

    async with opened(tmp_path, embed) as store:
        said, silent = await asyncio.gather(
            store.aput(PLACE, "said", {"text": "tea"}),
            store.aput(PLACE, "silent", {"n": 1}),
            return_exceptions=True,
        )
        assert isinstance(said, EmbeddingError)
        assert silent is None
        assert [item.key for item in await store.asearch(PLACE)] == ["silent"]


async def test_texts_of_writes_made_together_are_embedded_together(tmp_path: Path) -> None:
    calls: list[Sequence[str]] = []

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        calls.append(texts)
        return vectors(texts)

    async with opened(tmp_path, embed) as store:
        await asyncio.gather(*(store.aput(PLACE, str(n), {"text": f"t{n % 7}"}) for n in range(50)))
        assert [len(texts) for texts in calls] == [7]


async def test_many_writes_with_an_embedder_that_needs_the_loops_own_threads(
    tmp_path: Path,
) -> None:
    """An HTTP client resolves names on the loop's default threads: not all may wait for it."""

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        await asyncio.get_running_loop().getaddrinfo("localhost", 80)
        return vectors(texts)

    async with opened(tmp_path, embed) as store, asyncio.timeout(30):
        await asyncio.gather(*(store.aput(PLACE, str(n), {"text": f"t{n}"}) for n in range(40)))
        await asyncio.gather(*(store.asearch(PLACE, query=f"t{n}") for n in range(40)))


async def test_calls_do_not_wait_for_other_blocking_work(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.aput(PLACE, "k", {"n": 1})
        busy = [asyncio.create_task(asyncio.to_thread(time.sleep, 1.0)) for _ in range(64)]
        await asyncio.sleep(0.05)
        before = time.perf_counter()
        assert await store.aget(PLACE, "k") is not None
        assert time.perf_counter() - before < 0.5
        for each in busy:
            each.cancel()


async def test_a_caller_that_goes_away_leaves_the_others_served(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        tasks = [asyncio.create_task(store.aput(PLACE, str(n), {"n": n})) for n in range(10)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert {item.key for item in await store.asearch(PLACE, limit=20)} >= {
            str(n) for n in range(10) if n != 3
        }


async def test_a_store_that_is_closed_says_so_to_all_who_wait(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.close()
    outcomes = await asyncio.gather(
        *(store.aput(PLACE, str(n), {"n": n}) for n in range(5)),
        store.aget(PLACE, "1"),
        return_exceptions=True,
    )
    assert [type(each) for each in outcomes] == [ClosedError] * 6


class OnlyAsync(Embeddings):
    """Embeddings with an asynchronous way only."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise NotImplementedError

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return vectors(texts)

    async def aembed_query(self, text: str) -> list[float]:
        return vectors([text])[0]


def test_embeddings_that_are_only_asynchronous_serve_both_doors(tmp_path: Path) -> None:
    with opened(tmp_path, OnlyAsync()) as store:
        store.put(PLACE, "tea", {"text": "tea"})
        asyncio.run(store.aput(PLACE, "cake", {"text": "cake"}))
        assert store.search(PLACE, query="cake")[0].key == "cake"
        assert asyncio.run(store.asearch(PLACE, query="tea"))[0].key == "tea"


def test_a_client_that_belongs_to_one_loop_serves_plain_code(tmp_path: Path) -> None:
    """B84: each call would fail if it ran on a loop of its own that is closed by the next."""
    loops: set[asyncio.AbstractEventLoop] = set()

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        loops.add(asyncio.get_running_loop())
        return vectors(texts)

    with opened(tmp_path, embed) as store:
        for n in range(3):
            store.put(PLACE, str(n), {"text": f"t{n}"})
        assert store.search(PLACE, query="t1")[0].key == "1"
        assert len(loops) == 1
        assert not loops.pop().is_closed()


@pytest.mark.parametrize("calls", [1, 30])
def test_two_loops_at_once_and_one_after_another(tmp_path: Path, calls: int) -> None:
    """B84."""

    async def work(store: MemoryStore, name: str) -> None:
        await asyncio.gather(
            *(store.aput(PLACE, f"{name}{n}", {"text": name}) for n in range(calls))
        )

    async def in_threads(store: MemoryStore) -> None:
        names = ("a", "b", "c")
        runs = (asyncio.to_thread(asyncio.run, work(store, name)) for name in names)
        await asyncio.gather(*runs)

    with opened(tmp_path) as store:
        asyncio.run(in_threads(store))
        asyncio.run(work(store, "d"))
        assert len(store.search(PLACE, limit=1000)) == 4 * calls


def test_a_loop_that_ends_while_its_embedder_works_leaves_the_store_usable(tmp_path: Path) -> None:
    """B84: a web server that gives up on a request must not wear out the store."""

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        await asyncio.sleep(0.05)
        return vectors(texts)

    async def impatient(store: MemoryStore, number: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(store.aput(PLACE, str(number), {"text": f"t{number}"}), 0.01)

    with opened(tmp_path, embed) as store:
        for number in range(12):
            asyncio.run(impatient(store, number))
        stopped = [asyncio.new_event_loop() for _ in range(12)]
        for number, loop in enumerate(stopped):  # which stop, and end nothing that they began
            loop.run_until_complete(impatient(store, 100 + number))
        asyncio.run(asyncio.wait_for(store.aput(PLACE, "last", {"text": "last"}), 20))
        found = asyncio.run(asyncio.wait_for(store.asearch(PLACE, query="last"), 20))
        assert found[0].key == "last"
        for loop in stopped:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.run_until_complete(asyncio.sleep(0.01))
            loop.close()
        whole = store.search(PLACE, query="t1", limit=100)
        assert all(item.score is not None for item in whole), "embedded, although callers left"


def test_a_closed_store_is_closed_whoever_else_has_its_home_open(tmp_path: Path) -> None:
    with opened(tmp_path) as other:
        store = opened(tmp_path)
        store.close()
        store.close()
        for call in (lambda: store.get(PLACE, "k"), lambda: store.put(PLACE, "k", {}),
                     lambda: store.history(PLACE, "k"), lambda: store.search(())):  # fmt: skip
            with pytest.raises(ClosedError):
                call()
        other.put(PLACE, "k", {"n": 1})
