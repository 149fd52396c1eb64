"""One interface in front of both ways into a store, so that each test is written once.

The async door runs each call in an event loop of its own, as a program would; a test is
ordinary synchronous code and needs no plugin. Context managers are entered and left through
the same loop, since some stores belong to the loop they were made in.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    ExitStack,
    contextmanager,
)
from typing import Any, Literal

import pytest
from langgraph.store.base import BaseStore, Item, Op, SearchItem

Way = Literal["sync", "async"]
Namespace = tuple[str, ...]
Opened = BaseStore | AbstractContextManager[BaseStore] | AbstractAsyncContextManager[BaseStore]
"""A store, or what yields one."""


class Door:
    """A store seen through one of its doors. Methods are those of ``BaseStore``."""

    def __init__(self, opened: Callable[[], Opened], way: Way) -> None:
        self.way = way
        self._opened = opened
        self._runner = asyncio.Runner()
        self._stack = ExitStack()
        self._enter()

    def put(self, namespace: Namespace, key: Any, value: Any, **options: Any) -> None:
        self._call("put", namespace, key, value, **options)

    def get(self, namespace: Namespace, key: Any, **options: Any) -> Item | None:
        item: Item | None = self._call("get", namespace, key, **options)
        return item

    def delete(self, namespace: Namespace, key: Any) -> None:
        self._call("delete", namespace, key)

    def search(self, prefix: Namespace, **options: Any) -> list[SearchItem]:
        items: list[SearchItem] = self._call("search", prefix, **options)
        return items

    def list_namespaces(self, **options: Any) -> list[Namespace]:
        namespaces: list[Namespace] = self._call("list_namespaces", **options)
        return namespaces

    def batch(self, ops: Iterable[Op]) -> list[Any]:
        results: list[Any] = self._call("batch", ops)
        return results

    def value(self, namespace: Namespace, key: Any) -> dict[str, Any] | None:
        """Return the value of an item, None if there is none."""
        item = self.get(namespace, key)
        return None if item is None else item.value

    def keys(self, prefix: Namespace, **options: Any) -> list[str]:
        """Return the keys of what a search finds, in its order."""
        return [item.key for item in self.search(prefix, **options)]

    def has(self, method: str) -> bool:
        """Tell whether the store has a method that not every store has."""
        return hasattr(self.store, method)

    def call(self, method: str, *args: Any, **options: Any) -> Any:
        """Call a method that has one name for both doors, such as ``sweep_ttl``."""
        return self._settle(getattr(self.store, method)(*args, **options))

    def run(self, work: Any) -> Any:
        """Run a coroutine in the door's event loop."""
        return self._runner.run(work)

    def through(self, way: Way) -> Door:
        """Return the same, still open store seen through ``way``, with an event loop of its own.

        Close it when done; the store stays open.
        """
        store = self.store
        return Door(lambda: _kept_open(store), way)

    def reopen(self) -> None:
        """Close the store and open it again in the same place."""
        self._stack.close()
        self._enter()

    def close(self) -> None:
        """Leave the store's context, then end the event loop."""
        try:
            self._stack.close()
        finally:
            self._runner.close()

    def _enter(self) -> None:
        opened: Any = self._opened()
        in_loop = hasattr(opened, "__aenter__")
        if in_loop and (self.way == "async" or not hasattr(opened, "__enter__")):
            self.store: BaseStore = self.run(opened.__aenter__())
            self._stack.callback(lambda: self.run(opened.__aexit__(None, None, None)))
        elif hasattr(opened, "__enter__"):
            self.store = self._stack.enter_context(opened)
        else:
            self.store = opened
        if not isinstance(self.store, BaseStore):
            pytest.fail(f"make_store() gave a {type(self.store).__name__}, which is no BaseStore")

    def _call(self, method: str, *args: Any, **options: Any) -> Any:
        name = f"a{method}" if self.way == "async" else method
        return self._settle(getattr(self.store, name)(*args, **options))

    def _settle(self, result: Any) -> Any:
        return self.run(_wait_for(result)) if inspect.isawaitable(result) else result


async def _wait_for(awaitable: Any) -> Any:
    return await awaitable


@contextmanager
def _kept_open(store: BaseStore) -> Iterator[BaseStore]:
    yield store
