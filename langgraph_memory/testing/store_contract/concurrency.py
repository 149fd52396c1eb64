"""Many callers at once: threads, tasks, and one event loop after another.

Only outcomes that hold under every interleaving are asserted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.embedding import text_index
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness

NS = ("shared",)
THREADS = 8
EACH = 20
PATIENCE_SECONDS = 20.0


class ConcurrencyContract(StoreHarness):
    """One store, many callers."""

    def test_eight_threads_lose_no_write(self, door: Door) -> None:
        """B81."""

        def write(mine: Door, number: int) -> None:
            for n in range(EACH):
                mine.put(("thread", str(number)), f"{n}", {"n": n})
                mine.put(NS, f"{number}-{n}", {"n": n})

        self._in_threads(door, write)
        assert len(door.search(NS, limit=1000)) == THREADS * EACH
        assert len(door.list_namespaces(prefix=("thread",))) == THREADS
        for number in range(THREADS):
            assert len(door.search(("thread", str(number)), limit=1000)) == EACH

    def test_threads_that_write_one_key_leave_one_whole_value(self, door: Door) -> None:
        def write(mine: Door, number: int) -> None:
            for n in range(EACH):
                mine.put(NS, "k", {"by": [number] * 50, "n": n})

        self._in_threads(door, write)
        (item,) = door.search(NS)
        assert item.value["n"] == EACH - 1
        assert len(set(item.value["by"])) == 1

    def test_threads_read_their_own_writes(self, door: Door) -> None:
        def write_and_read(mine: Door, number: int) -> None:
            for n in range(EACH):
                mine.put((f"own-{number}",), "k", {"n": n})
                assert mine.value((f"own-{number}",), "k") == {"n": n}

        self._in_threads(door, write_and_read)

    def test_fifty_puts_gathered_are_all_there(self, async_door: Door) -> None:
        store = async_door.store

        async def put_all() -> None:
            await asyncio.gather(*(store.aput(NS, str(n), {"n": n}) for n in range(50)))

        async_door.run(put_all())
        assert {item.value["n"] for item in async_door.search(NS, limit=100)} == set(range(50))

    def test_reads_gathered_with_writes_are_answered(self, async_door: Door) -> None:
        store = async_door.store

        async def mixed() -> list[Any]:
            await store.aput(NS, "k", {"n": 0})
            reads = [store.aget(NS, "k") for _ in range(20)]
            searches = [store.asearch(NS, limit=1) for _ in range(20)]
            puts = [store.aput(NS, f"w{n}", {"n": n}) for n in range(20)]
            return await asyncio.gather(*reads, *searches, *puts)

        results = async_door.run(mixed())
        assert [item.value for item in results[:20]] == [{"n": 0}] * 20
        assert all(len(page) == 1 for page in results[20:40])

    def test_a_put_that_fails_does_not_take_its_neighbours_along(self, async_door: Door) -> None:
        store = async_door.store

        async def gather() -> list[Any]:
            puts = [store.aput(NS, str(n), {"n": object() if n == 5 else n}) for n in range(10)]
            return await asyncio.gather(*puts, return_exceptions=True)

        results = async_door.run(gather())
        assert [result for n, result in enumerate(results) if n != 5] == [None] * 9
        async_door.delete(NS, "5")
        assert set(async_door.keys(NS)) == {str(n) for n in range(10)} - {"5"}

    def test_a_cancelled_call_leaves_the_store_usable(self, async_door: Door) -> None:
        store = async_door.store

        async def cancel() -> None:
            tasks = [asyncio.create_task(store.aput(NS, str(n), {"n": n})) for n in range(5)]
            await asyncio.sleep(0)
            for task in tasks[1:]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.wait_for(store.aput(NS, "after", {"n": 9}), PATIENCE_SECONDS)

        async_door.run(cancel())
        assert async_door.value(NS, "0") == {"n": 0}
        assert async_door.value(NS, "after") == {"n": 9}

    def test_one_event_loop_after_another_may_use_the_store(self, async_door: Door) -> None:
        """B84. As scripts and notebooks do, each with its own ``asyncio.run``."""
        self._needs_any_loop()
        store = async_door.store

        async def put(n: int) -> Any:
            await asyncio.wait_for(store.aput(NS, str(n), {"n": n}), PATIENCE_SECONDS)
            return await asyncio.wait_for(store.aget(NS, "0"), PATIENCE_SECONDS)

        first, second = asyncio.run(put(0)), asyncio.run(put(1))
        assert first.value == second.value == {"n": 0}

    def test_a_sync_call_inside_a_running_loop_is_answered(self, sync_door: Door) -> None:
        """B84. As in a notebook cell, or a tool that is no coroutine."""
        store = sync_door.store

        async def cell() -> Any:
            store.put(NS, "k", {"n": 1})
            return store.get(NS, "k")

        assert sync_door.run(cell()).value == {"n": 1}

    def test_threads_search_while_others_write(self, open_door: OpenDoor) -> None:
        door = open_door(index=text_index("text"))
        door.put(("calm",), "k", {"text": "apple pie"})

        def work(mine: Door, number: int) -> None:
            for n in range(5):
                if number % 2:
                    mine.put((f"busy-{number}",), str(n), {"text": f"apple number {n}"})
                else:
                    assert mine.keys(("calm",), query="apple") == ["k"]

        self._in_threads(door, work)
        assert len(door.search((), query="apple", limit=100)) == 1 + 5 * THREADS // 2

    def _in_threads(self, door: Door, work: Callable[[Door, int], None]) -> None:
        """Run ``work`` in threads, each with a door (and an event loop) of its own."""
        if door.way == "async":
            self._needs_any_loop()
        failures: list[BaseException] = []

        def in_thread(number: int) -> None:
            mine = door.through(door.way)
            try:
                work(mine, number)
            except BaseException as failure:  # noqa: BLE001 - carried to the test's own thread
                failures.append(failure)
            finally:
                mine.close()

        threads = [Thread(target=in_thread, args=[n], daemon=True) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive(), "a thread still waits for the store"
        if failures:
            raise failures[0]

    def _needs_any_loop(self) -> None:
        if self.loop_bound:
            pytest.skip("loop_bound is True")
