"""A mirror of the vectors in SQLite, as fresh as the last commit of any process.

Before each search the mirror reads what the outbox announced since it last looked. If the
outbox was pruned past that point, the mirror starts anew from a snapshot.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left, insort
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from langgraph_memory.domain.namespace import Namespace, path_range, to_path
from langgraph_memory.errors import StorageDamagedError
from langgraph_memory.ports import Database, Neighbour, OutboxRow, Transaction, Vectors
from langgraph_memory.storage.exact.leaf import Leaf

_BATCH = 5_000
_WIDTH = 4
"""Lines looked at first, for each row asked: a record may have several."""


class ExactIndex:
    """``ports.VectorIndex``: complete and exact, for any thread."""

    def __init__(self, database: Database, dims: int) -> None:
        self._database = database
        self._dims = dims
        self._lock = threading.Lock()
        self._sequence = -1
        self._leaves: dict[str, Leaf] = {}
        self._paths: list[str] = []
        self._home: dict[int, str] = {}
        _alive.add(self)

    def nearest(self, query: Vectors, prefix: Namespace, *, limit: int) -> list[Neighbour]:
        """Return up to ``limit`` rows under the prefix, best cosine first."""
        if limit <= 0:
            return []
        with self._lock:
            self._catch_up()
            leaves = [self._leaves[path] for path in self._under(prefix)]
            scored = [(leaf.rows.copy(), leaf.cosines(query)) for leaf in leaves if len(leaf)]
        if not scored:
            return []
        rows = np.concatenate([rows for rows, _ in scored])
        cosines = np.concatenate([cosines for _, cosines in scored])
        return _best(rows, cosines, limit)

    def size(self, prefix: Namespace) -> int:
        """Return how many vectors stand under the prefix, as of the last search."""
        with self._lock:
            return sum(len(self._leaves[path]) for path in self._under(prefix))

    def scrub(self) -> bool:
        """Do nothing: no file is kept."""
        return True

    def close(self) -> None:
        """Free the matrices."""
        with self._lock:
            self._clear()
            self._sequence = -1

    def begin_anew_after_fork(self) -> None:
        """Drop a lock that another thread of the parent held, and what it was changing."""
        if self._lock.locked():
            self._clear()
            self._sequence = -1
        self._lock = threading.Lock()

    def _catch_up(self) -> None:
        with self._database.read() as tx:
            last = tx.outbox.last()
            if last == self._sequence:
                return
            if self._sequence < tx.outbox.floor():
                self._clear()
                for announced in tx.outbox.snapshot():
                    self._apply(announced)
            else:
                self._replay(tx)
            self._sequence = last

    def _replay(self, tx: Transaction) -> None:
        while batch := tx.outbox.after(self._sequence, limit=_BATCH):
            for announced in batch:
                self._apply(announced)
            self._sequence = batch[-1].sequence

    def _apply(self, announced: OutboxRow) -> None:
        known = self._home.pop(announced.row, None)
        if known is not None:
            self._leaves[known].remove(announced.row)
        if announced.vectors is None or announced.namespace is None:
            return
        if announced.vectors.shape[1] != self._dims:
            raise StorageDamagedError(self._database.path, "a vector has an impossible length")
        path = to_path(announced.namespace)
        if path not in self._leaves:
            self._leaves[path] = Leaf(self._dims)
            insort(self._paths, path)
        self._leaves[path].put(announced.row, announced.vectors)
        self._home[announced.row] = path

    def _under(self, prefix: Namespace) -> list[str]:
        span = path_range(prefix)
        if span is None:
            return self._paths
        return self._paths[bisect_left(self._paths, span[0]) : bisect_left(self._paths, span[1])]

    def _clear(self) -> None:
        self._leaves.clear()
        self._paths.clear()
        self._home.clear()


def _best(rows: npt.NDArray[np.int64], cosines: Vectors, limit: int) -> list[Neighbour]:
    """Return the best line of each row, best row first, ties by row, newest first."""
    width = _WIDTH * limit
    while True:
        lines = _strongest(cosines, width)
        best: dict[int, float] = {}
        for line in lines[np.lexsort((-rows[lines], -cosines[lines]))]:
            best.setdefault(int(rows[line]), float(np.clip(cosines[line], -1.0, 1.0)))
            if len(best) == limit:
                break
        if len(best) == limit or len(lines) == len(cosines):
            return [Neighbour(row, cosine) for row, cosine in best.items()]
        width *= _WIDTH


def _strongest(cosines: Vectors, width: int) -> npt.NDArray[np.int64]:
    """Return at least ``width`` lines, if there are so many: all that no other line beats."""
    if width >= len(cosines):
        return np.arange(len(cosines))
    least = np.partition(cosines, -width)[-width]
    return np.flatnonzero(cosines >= least)


_alive: WeakSet[ExactIndex] = WeakSet()


def _after_fork_in_child() -> None:
    for index in list(_alive):
        index.begin_anew_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
