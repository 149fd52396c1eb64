"""A LangGraph ``BaseStore`` on a memory home: durable, versioned, searched by words and meaning.

Outside ``("memory", ...)`` an item is kept exactly as it is put. Inside, a put is a
statement: it passes the same write policy as ``remember``.

Where LangGraph leaves a choice, this store takes these:

* expired items are hidden at once (``omit_expired`` defaults to True; an explicit False is
  honoured), and removed by a sweep;
* ``delete`` leaves a tombstone: no reader sees the item any more, its history stays for an
  administrator, and a later put continues the chain with the next version;
* filters know more operators than the documented six, and refuse what they do not know.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from langgraph_memory.interfaces import embedding, namespaces, translate
from langgraph_memory.interfaces.closing import Closing
from langgraph_memory.memory import Memory
from langgraph_memory.operations.item_search import ItemHit
from langgraph_memory.operations.items import ItemResult
from langgraph_memory.ports import Embedder
from langgraph_memory.wiring import Parts, Settings, acquire, release

_SWEEP_MINUTES = 5.0


class MemoryStore(Closing, BaseStore):
    """A drop-in ``store=`` for any LangGraph agent.

    Make one with :meth:`from_path`, or take ``home.store``. Any thread and any event loop
    may use it; several instances, also in several processes, may share one path.

    Example:
        >>> with MemoryStore.from_path("memory") as store:  # doctest: +SKIP
        ...     store.put(("users", "jane"), "food", {"text": "likes sushi"})
        ...     store.search(("users",), query="what does she like to eat?")
    """

    supports_ttl = True
    __slots__ = ("_fields", "_parts", "_shares", "_stop", "_sweeper", "ttl_config")

    def __init__(
        self, parts: Parts, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None,
        shares: bool = False,
    ) -> None:  # fmt: skip
        self._parts = parts
        self._shares = shares
        self._fields = embedding.fields_of(index)
        self._sweeper: threading.Thread | None = None
        self._stop = threading.Event()
        self.ttl_config: TTLConfig | None = ttl

    @classmethod
    def from_path(
        cls, path: str | Path, *, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None, embedder: Embedder | None = None,
        settings: Settings | None = None,
    ) -> Self:  # fmt: skip
        """Open the store of the home at ``path``, made if absent.

        Args:
            path: The home's folder.
            index: LangGraph's index configuration, to bring another embedding model or
                choose fields; the shipped model and the whole value otherwise.
            ttl: LangGraph's TTL configuration.
            embedder: An embedder of our own port instead of ``index["embed"]``.
            settings: Instead of those of the environment.

        Raises:
            NotAHomeError, HomeReadOnlyError, EmbedderMismatchError: As their names say.
        """
        chosen = embedder or embedding.embedder_of(index)
        parts = acquire(Path(path), settings or Settings.load(), embedder=chosen)
        return cls(parts, index=index, ttl=ttl)

    @classmethod
    @contextmanager
    def from_conn_string(
        cls, conn_string: str | Path, *, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> Iterator[Self]:  # fmt: skip
        """Open the store for a ``with`` block, in the shape of LangGraph's own stores."""
        with cls.from_path(conn_string, index=index, ttl=ttl) as store:
            yield store

    @classmethod
    @asynccontextmanager
    async def from_conn_string_async(
        cls, conn_string: str | Path, *, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> AsyncIterator[Self]:  # fmt: skip
        """Open the store for an ``async with`` block."""
        store = await asyncio.to_thread(cls.from_path, conn_string, index=index, ttl=ttl)
        async with store:
            yield store

    @property
    def memory(self) -> Memory:
        """Return the memory this store is a door to."""
        return self._parts.memory

    def setup(self) -> None:
        """Do nothing: the tables are there once the store is open."""

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as one atomic batch.

        Raises:
            InvalidNamespaceError, InvalidInputError, NotImplementedError: An operation is
                malformed; nothing of the batch was done.
        """
        todo = [translate.checked(op) for op in ops]
        requests = [translate.request(op, self._fields) for op in todo]
        results = self.memory.items(requests, hide_expired=self._hides_expired())
        return [_result(op, each) for op, each in zip(todo, results, strict=True)]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run :meth:`batch` without blocking the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Remove expired items for good and return how many there were."""
        return self.memory.sweep()

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> threading.Thread:
        """Sweep in a background thread until :meth:`stop_ttl_sweeper` or close."""
        if self._sweeper is not None and self._sweeper.is_alive():
            return self._sweeper
        every = sweep_interval_minutes or (self.ttl_config or {}).get("sweep_interval_minutes")
        self._stop.clear()
        self._sweeper = threading.Thread(
            target=self._sweep_until_stopped,
            args=(60 * float(every or _SWEEP_MINUTES),),
            name="memory-sweeper",
            daemon=True,
        )
        self._sweeper.start()
        return self._sweeper

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """End the sweeper; tell whether it has ended within ``timeout`` seconds."""
        sweeper, self._sweeper = self._sweeper, None
        self._stop.set()
        if sweeper is None:
            return True
        sweeper.join(timeout)
        return not sweeper.is_alive()

    def close(self) -> None:
        """Give the home back; a second call does nothing."""
        self.stop_ttl_sweeper()
        if not self._shares:
            self._shares = True
            release(self._parts)

    def _hides_expired(self) -> bool:
        return bool((self.ttl_config or {}).get("omit_expired", True))

    def _sweep_until_stopped(self, seconds: float) -> None:
        while not self._stop.wait(seconds):
            self.sweep_ttl()


def _result(op: Op, found: ItemResult) -> Result:
    match op:
        case GetOp():
            assert found is None or isinstance(found, ItemHit)
            return translate.item(found) if found else None
        case SearchOp():
            assert isinstance(found, list)
            return [_search_item(each) for each in found]
        case ListNamespacesOp():
            assert isinstance(found, list)
            return namespaces.page([each for each in found if isinstance(each, tuple)], op)
        case PutOp():
            return None
    raise AssertionError(op)


def _search_item(hit: Any) -> SearchItem:
    assert isinstance(hit, ItemHit)
    return translate.search_item(hit)
