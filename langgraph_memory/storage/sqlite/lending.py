"""A reader that is lent for a ``with`` block, inside one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.storage.sqlite.standing import Reader

V = TypeVar("V")


class Lender(Protocol):
    """Who has readers to lend."""

    def take(self) -> Reader:
        """Lend a reader, until :meth:`give`."""

    def give(self, connection: Reader, *, sound: bool = True) -> None:
        """Take a reader back; one that is not sound is closed."""

    def fault(self, exc: sqlite3.Error) -> MemoryLayerError:
        """Return our error for one of SQLite's that a reader met."""


class Lent(Generic[V]):
    """The context manager. It is a class because it stands in every read: a generator is slower.

    Args:
        lender: Whose reader it is.
        view: Makes of the reader what the block is given.
    """

    __slots__ = ("_lender", "_reader", "_view")

    def __init__(self, lender: Lender, view: Callable[[Reader], V]) -> None:
        self._lender = lender
        self._view = view
        self._reader: Reader | None = None

    def __enter__(self) -> V:
        try:
            reader = self._reader = self._lender.take()
            reader.begin()
            return self._view(reader)
        except BaseException as exc:
            self._give_up(exc)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        assert self._reader is not None
        if exc is not None:
            self._give_up(exc)
            return
        try:
            self._reader.execute("COMMIT")
        except BaseException as failure:
            self._give_up(failure)
            raise
        self._lender.give(self._reader)

    def _give_up(self, exc: BaseException) -> None:
        """Give the reader back after a problem, and raise SQLite's as ours."""
        if self._reader is not None:
            self._lender.give(self._reader, sound=_rolled_back(self._reader, exc))
        if isinstance(exc, sqlite3.Error):
            raise self._lender.fault(exc) from exc


def _rolled_back(connection: sqlite3.Connection, problem: BaseException) -> bool:
    """End a read that stopped in the middle; tell whether its connection may be used again."""
    if isinstance(problem, sqlite3.Error) or not isinstance(problem, Exception):
        return False
    with suppress(sqlite3.Error):
        connection.execute("ROLLBACK")
        return not connection.in_transaction
    return False
