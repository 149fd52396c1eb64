"""What is held in memory of the namespaces that are asked, as fresh as the last commit.

Each asking first reads what the outbox announced since the one before, of whichever process.
Nothing is read ahead: a namespace is asked in the database the first time, which costs a
one-time caller least, and read into memory the second time.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from weakref import WeakSet

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import PassedError, Transaction

_BATCH = 5_000


class Mirror(ABC):
    """A part of the database in memory, for any thread; everything is done under ``lock``."""

    def __init__(self) -> None:
        self._start()
        _alive.add(self)

    def forget(self) -> None:
        """Drop everything; it is read anew when it is asked for."""
        with self._lock:
            self._clear()

    def begin_anew_after_fork(self) -> None:
        """Drop a lock that another thread of the parent held, and what it was changing."""
        self._start()

    @abstractmethod
    def _drop(self) -> None:
        """Drop all that is held."""

    @property
    @abstractmethod
    def _holds(self) -> bool:
        """Whether anything is held that has to be kept fresh."""

    @abstractmethod
    def _apply(self, tx: Transaction, changed: Mapping[int, Namespace | None]) -> None:
        """Bring what is held up to what the database has of these rows; None is nowhere."""

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._sequence = -1
        self._drop()

    def _catch_up(self, tx: Transaction) -> None:
        """Bring what is held to the state of a view.

        Raises:
            PassedError: It is past it, since another thread looked later; or the database is an
                older one than it was, restored from a copy.
        """
        last = tx.outbox.last()
        if last < self._sequence:
            raise PassedError
        if last == self._sequence:
            return
        if not self._holds:
            self._sequence = last
        elif self._sequence < tx.outbox.floor():
            self._clear()
            self._sequence = last
        while self._sequence < last:
            changed = tx.outbox.changed(self._sequence, limit=_BATCH)
            self._apply(tx, {each.row: each.namespace for each in changed})
            self._sequence = changed[-1].sequence if changed else last

    def _caught_up(self, tx: Transaction) -> bool:
        """Do the same; what is past the view is dropped. Tell whether anything is left."""
        try:
            self._catch_up(tx)
        except PassedError:
            self._clear()
        return self._holds


_alive: WeakSet[Mirror] = WeakSet()


def _after_fork_in_child() -> None:
    for each in list(_alive):
        each.begin_anew_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
