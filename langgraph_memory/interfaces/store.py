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

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from langgraph.store.base import (
    GetOp,
    IndexConfig,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchOp,
    TTLConfig,
)

from langgraph_memory.errors import ClosedError
from langgraph_memory.interfaces import embedding, loops, namespaces, translate
from langgraph_memory.interfaces.answers import Done
from langgraph_memory.interfaces.closing import Closing
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.interfaces.opening import Opening
from langgraph_memory.interfaces.sweeping import SWEEP_MINUTES, Sweeper
from langgraph_memory.interfaces.turns import Outcome, Turns
from langgraph_memory.interfaces.versions import Versions
from langgraph_memory.memory import Memory
from langgraph_memory.operations.item_writes import PutItem
from langgraph_memory.operations.items import ItemRequest
from langgraph_memory.ports import Embedder
from langgraph_memory.wiring import Parts, Settings, acquire, release


class MemoryStore(Closing, Versions):
    """A drop-in ``store=`` for any LangGraph agent.

    Make one with :meth:`from_path`, or take ``home.store``. Any thread and any event loop
    may use it; several instances, also in several processes, may share one path.

    Example:
        >>> with MemoryStore.from_path("memory") as store:  # doctest: +SKIP
        ...     store.put(("users", "jane"), "food", {"text": "likes sushi"})
        ...     store.search(("users",), query="what does she like to eat?")
    """

    supports_ttl = True
    __slots__ = (
        "_closed",
        "_index",
        "_none_is_default",
        "_parts",
        "_retention",
        "_shares",
        "_sweeper",
        "_turns",
        "ttl_config",
    )

    def __init__(
        self, parts: Parts, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None,
        shares: bool = False, max_items: int | None = None, keep_versions: int | None = None,
        none_is_default: bool = False,
    ) -> None:  # fmt: skip
        self._parts = parts
        self._shares = shares
        self._retention = parts.engine.retention.but(max_items, keep_versions)
        self._none_is_default = none_is_default
        self._fields = embedding.fields_of(index)
        self._index = index
        self._closed = False
        self._turns = Turns(self.batch, self._batches)
        self._sweeper: Sweeper | None = None
        self.ttl_config: TTLConfig | None = ttl
        if ttl and ttl.get("sweep_interval_minutes"):
            self.start_ttl_sweeper()

    @classmethod
    def from_path(
        cls, path: str | Path, *, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None, embedder: Embedder | None = None,
        settings: Settings | None = None, max_items: int | None = None,
        keep_versions: int | None = None, none_is_default: bool = False,
        filter_fields: Sequence[str] = (),
    ) -> Self:  # fmt: skip
        """Open the store of the home at ``path``, made if absent.

        Args:
            path: The home's folder.
            index: LangGraph's index configuration, to bring another embedding model or
                choose fields; the shipped model and the whole value otherwise.
            ttl: LangGraph's TTL configuration.
            embedder: An embedder of our own port instead of ``index["embed"]``.
            settings: Instead of those of the environment.
            max_items: Live items in one namespace; past it the least recently used give way.
            keep_versions: The newest versions kept of an item; 0 keeps all.
            none_is_default: Take ``ttl=None`` for the default time to live; LangGraph's
                server sends None for "not said".
            filter_fields: Fields of values by which you filter much, such as ``["kind",
                "meta.lang"]``: each gets an index, which the home keeps.

        Raises:
            NotAHomeError, HomeReadOnlyError, EmbedderMismatchError: As their names say.
            InvalidInputError: A filter field that can have no index.
        """
        chosen = embedder or embedding.embedder_of(index)
        told = (settings or Settings.load()).declaring(filter_fields)
        parts = acquire(Path(path), told, embedder=chosen)
        return cls(
            parts, index=index, ttl=ttl, max_items=max_items, keep_versions=keep_versions,
            none_is_default=none_is_default,
        )  # fmt: skip

    @classmethod
    def from_conn_string(
        cls, conn_string: str | Path, *, index: IndexConfig | None = None,
        ttl: TTLConfig | None = None, **options: Any,
    ) -> Opening[Self]:  # fmt: skip
        """Open the store for a ``with`` or an ``async with`` block, in the shape of LangGraph's.

        Args:
            conn_string: A folder; ``":memory:"`` is a folder that is gone after the block.
            index: As for :meth:`from_path`.
            ttl: As for :meth:`from_path`.
            **options: As for :meth:`from_path`.

        Raises:
            InvalidInputError: An address of something that is no folder.
        """
        return Opening(
            conn_string, lambda path: cls.from_path(path, index=index, ttl=ttl, **options)
        )

    @property
    def memory(self) -> Memory:
        """Return the memory this store is a door to.

        Raises:
            ClosedError: This store was closed, whoever else has the home open.
        """
        if self._closed:
            raise ClosedError(self._parts.path)
        return self._parts.memory

    @property
    def index_config(self) -> dict[str, Any] | None:
        """Return the index configuration this store was opened with."""
        return dict(self._index) if self._index else None

    def setup(self) -> int:
        """Do nothing: the tables are there once the store is open. May be awaited."""
        return Done.of(0)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as one atomic batch.

        Raises:
            InvalidNamespaceError, InvalidInputError, NotImplementedError: An operation is
                malformed; nothing of the batch was done.
        """
        todo = list(ops)
        requests = [self._request(op) for op in todo]
        results = self.memory.items(
            requests, hide_expired=self._hides_expired(), retention=self._retention
        )
        return [_result(op, each) for op, each in zip(todo, results, strict=True)]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run :meth:`batch` without blocking the event loop, in the order of the calls.

        An asynchronous embedding function runs on the caller's loop.
        """
        with loops.on_this_loop():
            return await self._turns.run(list(ops))

    def _batches(self, calls: Sequence[list[Op]]) -> list[Outcome]:
        """Do several calls that only put; each is refused or done by itself."""
        outcomes: list[Outcome] = []
        batches: list[list[PutItem]] = []
        for ops in calls:
            try:
                puts = [self._request(op) for op in ops]
                batches.append([each for each in puts if isinstance(each, PutItem)])
                outcomes.append([None] * len(ops))
            except Exception as exc:  # noqa: BLE001 - it is the caller's, who gets it
                batches.append([])
                outcomes.append(exc)
        refused = self.memory.write_group(
            batches, hide_expired=self._hides_expired(), retention=self._retention
        )
        return [why or outcome for why, outcome in zip(refused, outcomes, strict=True)]

    def _request(self, op: Op) -> ItemRequest:
        return translate.request(self._with_default_ttl(translate.checked(op)), self._fields)

    def sweep_ttl(self) -> int:
        """Remove expired items for good and return how many there were. May be awaited."""
        return Done.of(self.memory.sweep())

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> Sweeper:
        """Sweep in a background thread until :meth:`stop_ttl_sweeper` or close."""
        if self._sweeper is None or self._sweeper.done():
            every = sweep_interval_minutes or (self.ttl_config or {}).get("sweep_interval_minutes")
            self._sweeper = Sweeper(self.memory.sweep, minutes=float(every or SWEEP_MINUTES))
        return self._sweeper

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool | Done[bool]:
        """End the sweeper; tell whether it has ended within ``timeout`` seconds. May be awaited."""
        sweeper, self._sweeper = self._sweeper, None
        return Done.of(sweeper is None or sweeper.stop(timeout))

    def close(self) -> None:
        """Give the home back; a second call does nothing."""
        self.stop_ttl_sweeper()
        self._turns.close()
        self._closed = True
        if not self._shares:
            self._shares = True
            release(self._parts)

    def _with_default_ttl(self, op: Op) -> Op:
        if not self._none_is_default or not isinstance(op, PutOp):
            return op
        default = (self.ttl_config or {}).get("default_ttl")
        if default is None or op.value is None or op.ttl is not None:
            return op
        put = VersionedPut(*op._replace(ttl=default))
        put.__dict__.update(vars(op) if isinstance(op, VersionedPut) else {})
        return put

    def _hides_expired(self) -> bool:
        return bool((self.ttl_config or {}).get("omit_expired", True))


def _result(op: Op, found: Any) -> Result:
    """Return what LangGraph's operation gives for what ours found."""
    match op:
        case SearchOp():
            return translate.search_items(found)
        case GetOp():
            return translate.item(found) if found else None
        case ListNamespacesOp():
            return namespaces.page(found, op)
        case PutOp():
            return None
    raise AssertionError(op)
