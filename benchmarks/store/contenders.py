"""The stores under test, each opened the way its documentation shows.

Imports are made on opening: SQLite's stand-in has to be in place before the store that
needs it is imported, and no contender pays for another's packages.
"""

from __future__ import annotations

import importlib
import sqlite3
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol

from langgraph.store.base import BaseStore, PutOp

from benchmarks.store.corpus import NEW, Corpus, Given, Namespace, Value, namespace
from benchmarks.store.rows import BATCH, LIMIT, Row, Sync

STAND_IN = "pysqlite3-binary"
_FILLED_AT_ONCE = 1_000

Calls = Generator[Callable[[], Any], None, None]


class Contender(Protocol):
    """What a worker steps through the rows."""

    def fill(self, start: int, stop: int, *, seconds: float) -> bool:
        """Put the items of a range; False when that takes longer than allowed."""

    def calls(self, row: Row) -> Calls:
        """Yield the calls of a row without end. What happens between two is not timed."""

    def close(self) -> None: ...


class StoreContender:
    """Any ``BaseStore``: the calls are the same for all."""

    can_search = True

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.filled = 0
        self._serial = 0
        self._new_keys: list[str] = []
        self._chance = Random(1)
        self._stack = ExitStack()
        self.store: BaseStore = self._opened(self._stack)

    def fill(self, start: int, stop: int, *, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        for first in range(start, stop, _FILLED_AT_ONCE):
            if time.monotonic() > deadline:
                return False
            items = range(first, min(stop, first + _FILLED_AT_ONCE))
            self.store.batch(
                [PutOp(namespace(item), key(item), self.corpus.value(item)) for item in items]
            )
        self.filled = stop
        return True

    def calls(self, row: Row) -> Calls:
        self.set_sync(row.sync)
        makes: dict[str, Callable[[], Callable[[], Any]]] = {
            "put": self._put,
            "update": self._update,
            "batch": self._batch,
            "get": self._get,
            "search": partial(self._search, row),
            "search after put": partial(self._search, row),
        }
        make = makes[row.act]
        try:
            while True:
                if row.act == "search after put":
                    self._put()()
                yield make()
        finally:
            self._delete_new()  # or the fastest would search the largest store

    def set_sync(self, sync: Sync) -> None:
        """Choose SQLite's ``synchronous``, where that can be chosen."""

    def close(self) -> None:
        self._stack.close()

    def _opened(self, stack: ExitStack) -> BaseStore:
        raise NotImplementedError

    def _index(self) -> Any:
        """Return an index configuration; SqliteStore calls the fields ``text_fields``."""
        return {
            "dims": self.corpus.vectors.shape[1],
            "embed": Given(self.corpus),
            "fields": ["text"],
            "text_fields": ["text"],
        }

    def _put(self) -> Callable[[], Any]:
        return partial(self.store.put, *self._new())

    def _update(self) -> Callable[[], Any]:
        item = self._chance.randrange(self.filled)
        self._serial += 1
        value = self.corpus.value(item, revision=self._serial)
        return partial(self.store.put, namespace(item), key(item), value)

    def _batch(self) -> Callable[[], Any]:
        return partial(self.store.batch, [PutOp(*self._new()) for _ in range(BATCH)])

    def _get(self) -> Callable[[], Any]:
        item = self._chance.randrange(self.filled)
        return partial(self.store.get, namespace(item), key(item))

    def _search(self, row: Row) -> Callable[[], Any]:
        self._serial += 1
        query = self.corpus.question(self._serial, words=row.asks == "words") if row.asks else None
        return partial(self.store.search, row.prefix, query=query, filter=row.wanted, limit=LIMIT)

    def _new(self) -> tuple[Namespace, str, Value]:
        self._serial += 1
        self._new_keys.append(f"new-{self._serial}")
        return NEW, self._new_keys[-1], self.corpus.fresh(self._serial)

    def _delete_new(self) -> None:
        self.store.batch([PutOp(NEW, each, None) for each in self._new_keys])
        self._new_keys.clear()


class Ours(StoreContender):
    """``MemoryStore`` on a home that another process of the run may have open as well."""

    sync: Sync = "NORMAL"

    def __init__(self, corpus: Corpus, home: Path) -> None:
        self._home = home
        super().__init__(corpus)
        self._serial = 0 if self.sync == "NORMAL" else 10_000_000  # keys of its own

    def _opened(self, stack: ExitStack) -> BaseStore:
        from langgraph_memory import MemoryStore
        from langgraph_memory.wiring import Settings

        settings = Settings(durability="full" if self.sync == "FULL" else "normal")
        return stack.enter_context(
            MemoryStore.from_path(self._home, index=self._index(), settings=settings)
        )


class OursFull(Ours):
    """The same home, opened with ``durability="full"``; already filled by :class:`Ours`."""

    sync: Sync = "FULL"

    def fill(self, start: int, stop: int, *, seconds: float) -> bool:
        self.filled = stop
        return True


class InMemory(StoreContender):
    """LangGraph's ``InMemoryStore``."""

    def _opened(self, stack: ExitStack) -> BaseStore:
        from langgraph.store.memory import InMemoryStore

        return InMemoryStore(index=self._index())


class Sqlite(StoreContender):
    """LangGraph's ``SqliteStore``, as shipped."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self._file = folder / f"{type(self).__name__}.sqlite".lower()
        self.can_search = _extensions_load()
        super().__init__(corpus)

    def _opened(self, stack: ExitStack) -> BaseStore:
        from langgraph.store.sqlite import SqliteStore

        index = self._index() if self.can_search else None
        store = stack.enter_context(SqliteStore.from_conn_string(str(self._file), index=index))
        store.setup()
        return store


class SqliteWal(Sqlite):
    """The same with a write-ahead log, and ``synchronous`` as the row says."""

    def _opened(self, stack: ExitStack) -> BaseStore:
        store: Any = super()._opened(stack)
        store.conn.execute("PRAGMA journal_mode = WAL")
        opened: BaseStore = store
        return opened

    def set_sync(self, sync: Sync) -> None:
        store: Any = self.store
        store.conn.execute(f"PRAGMA synchronous = {sync}")


def key(item: int) -> str:
    return f"item-{item}"


def _extensions_load() -> bool:
    """Tell whether SQLite loads extensions, if need be by a stand-in for Python's own."""
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        return True
    try:
        sys.modules["sqlite3"] = importlib.import_module("pysqlite3")
    except ImportError:
        return False
    return True
