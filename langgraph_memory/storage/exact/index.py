"""A mirror of the vectors in SQLite, as fresh as the last commit of any process.

Before each search the mirror reads what the outbox announced since it last looked. If the
outbox was pruned past that point, the mirror starts anew from a snapshot.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left, insort
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import Namespace, path_range, to_path
from langgraph_memory.errors import EmbedderMovedError, StorageDamagedError
from langgraph_memory.ports import (
    Database,
    Neighbours,
    OutboxRow,
    PassedError,
    Rows,
    Space,
    Transaction,
    Vectors,
)
from langgraph_memory.storage.exact.leaf import Leaf

_BATCH = 5_000
_WIDER = 4
_NOBODY = Neighbours(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))


class ExactIndex:
    """``ports.VectorIndex``: complete and exact, for any thread.

    Args:
        database: The truth.
        dims: Length of a vector.
        space: The space of the vectors that will be asked for; where it is given, a home
            that was moved to another one meanwhile is refused.
    """

    def __init__(self, database: Database, dims: int, *, space: Space | None = None) -> None:
        self._database = database
        self._dims = dims
        self._space = space
        self._lock = threading.Lock()
        self._sequence = -1
        self._leaves: dict[str, Leaf] = {}
        self._paths: list[str] = []
        self._home: dict[int, str] = {}
        _alive.add(self)

    def nearest(
        self, query: Vectors, prefix: Namespace, *, limit: int, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours:  # fmt: skip
        """Return up to ``limit`` rows under the prefix, best cosine first."""
        if limit <= 0:
            return _NOBODY
        rows, cosines, _ = self._scanned(query, prefix, view, only)
        return _best(rows, cosines, limit) if len(rows) else _NOBODY

    def scan(
        self, query: Vectors, prefix: Namespace, *, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours:  # fmt: skip
        """Return every row under the prefix that has a vector, each once, in no order."""
        rows, cosines, single = self._scanned(query, prefix, view, only)
        if not single:
            order = np.argsort(rows, kind="stable")
            rows, first = np.unique(rows[order], return_index=True)
            cosines = np.maximum.reduceat(cosines[order], first)
        return Neighbours(rows, _bounded(cosines))

    def _scanned(
        self, query: Vectors, prefix: Namespace, view: Transaction | None,
        only: Collection[Namespace] | None,
    ) -> tuple[Rows, Vectors, bool]:  # fmt: skip
        """Return the row and cosine of every line, and whether no row has several."""
        with self._lock:
            with nullcontext(view) if view else self._database.read() as tx:
                self._catch_up(tx, exactly=view is not None)
            leaves = [self._leaves[path] for path in self._among(prefix, only)]
            scored = [(leaf.kept_rows(), leaf.cosines(query)) for leaf in leaves if len(leaf)]
            single = all(leaf.single for leaf in leaves)
        if not scored:
            return _NOBODY.rows, _NOBODY.cosines, True
        if len(scored) == 1:
            return (*scored[0], single)
        rows = np.concatenate([rows for rows, _ in scored])
        return rows, np.concatenate([cosines for _, cosines in scored]), single

    def cosines(self, query: Vectors, rows: Rows, *, view: Transaction | None = None) -> Vectors:
        """Return ``(n,)`` cosines of these rows, NaN without a vector."""
        best = np.full(len(rows), np.nan, dtype=np.float32)
        with self._lock:
            with nullcontext(view) if view else self._database.read() as tx:
                self._catch_up(tx, exactly=view is not None)
            for path, (places, lines) in self._lines(rows.tolist()).items():
                np.fmax.at(best, places, self._leaves[path].cosines_at(query, lines))
        return _bounded(best)

    def size(self, prefix: Namespace) -> int:
        """Return how many vectors stand under the prefix, as of the last search."""
        with self._lock:
            return sum(len(self._leaves[path]) for path in self._under(prefix))

    def scrub(self) -> bool:
        """Do nothing: no file is kept."""
        return True

    def check(self) -> list[Check]:
        """Compare every vector held with the one in the database; forget all if one differs."""
        findings = Findings("exact index")
        try:
            with self._lock, self._database.read() as tx:
                if tx.outbox.last() < self._sequence:
                    self._begin_anew()  # the database was restored from an older copy
                self._catch_up(tx)
                self._compare(tx, findings)
                if findings.found:
                    self._begin_anew()
        except StorageDamagedError:
            findings.add("derived", "exact index", "the stored vectors do not fit together")
        return [findings.check()]

    def rebuild(self) -> bool:
        """Drop all that is held; the next search reads it anew."""
        self.close()
        return True

    def forget(self) -> None:
        """Drop all that is held; it is read anew when it is asked for."""
        self.close()

    def close(self) -> None:
        """Free the matrices."""
        with self._lock:
            self._begin_anew()

    def begin_anew_after_fork(self) -> None:
        """Drop a lock that another thread of the parent held, and what it was changing."""
        if self._lock.locked():
            self._begin_anew()
        self._lock = threading.Lock()

    def _catch_up(self, tx: Transaction, *, exactly: bool = False) -> None:
        last = tx.outbox.last()
        if exactly and last < self._sequence:
            raise PassedError
        if last <= self._sequence:
            return
        self._check_space(tx)
        if self._sequence < tx.outbox.floor():
            self._clear()
            for announced in tx.outbox.snapshot():
                self._apply(announced)
        else:
            self._replay(tx, last)
        self._sequence = last

    def _check_space(self, tx: Transaction) -> None:
        ours, bound = self._space, tx.space()
        if ours is not None and bound not in (None, ours):
            assert bound is not None
            raise EmbedderMovedError(bound.model_id, bound.dims, ours.model_id, ours.dims)

    def _compare(self, tx: Transaction, findings: Findings) -> None:
        held = set(self._home)
        for each in tx.outbox.snapshot():
            assert each.vectors is not None
            findings.counted += len(each.vectors)
            if each.row not in held:
                findings.add("derived", f"record row {each.row}", "its vectors are not held")
                continue
            held.discard(each.row)
            ours = self._leaves[self._home[each.row]].vectors(each.row)
            if ours.tobytes() != each.vectors.tobytes():  # bytes: NaN is not even itself
                findings.add("derived", f"record row {each.row}", "other vectors are held")
        for row in held:
            findings.add("derived", f"record row {row}", "is held and has no vectors")

    def _replay(self, tx: Transaction, last: int) -> None:
        while self._sequence < last:
            batch = tx.outbox.after(self._sequence, limit=_BATCH)
            for announced in batch:
                self._apply(announced)
            self._sequence = batch[-1].sequence if batch else last

    def _apply(self, announced: OutboxRow) -> None:
        known = self._home.pop(announced.row, None)
        if known is not None:
            self._leaves[known].remove(announced.row)
            if not len(self._leaves[known]):
                del self._leaves[known]  # its name is somebody's
                self._paths.remove(known)
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

    def _among(self, prefix: Namespace, only: Collection[Namespace] | None) -> list[str]:
        """Return the paths under the prefix; with ``only``, those of these namespaces alone."""
        paths = self._under(prefix)
        if only is None:
            return paths
        wanted = {to_path(each) for each in only}
        return [path for path in paths if path in wanted]

    def _begin_anew(self) -> None:
        self._clear()
        self._sequence = -1

    def _lines(self, rows: Sequence[int]) -> dict[str, tuple[list[int], list[int]]]:
        """Return by leaf the places of these rows in the list, each beside one of their lines."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        for place, row in enumerate(rows):
            if (path := self._home.get(row)) is None:
                continue
            places, lines = found.setdefault(path, ([], []))
            for line in self._leaves[path].lines(row):
                places.append(place)
                lines.append(line)
        return found

    def _clear(self) -> None:
        self._leaves.clear()
        self._paths.clear()
        self._home.clear()


def _best(rows: Rows, cosines: Vectors, limit: int) -> Neighbours:
    """Return the best line of each row, best row first, ties by row, newest first."""
    width = limit
    while True:
        lines = _strongest(cosines, width)
        order = lines[np.lexsort((-rows[lines], -cosines[lines]))]
        _, first = np.unique(rows[order], return_index=True)  # a record may have several lines
        if len(first) >= limit or len(lines) == len(cosines):
            best = order[np.sort(first)[:limit]]
            return Neighbours(rows[best], _bounded(cosines[best]))
        width *= _WIDER


def _bounded(cosines: Vectors) -> Vectors:
    """Return them within [-1, 1]; unit vectors of 32 bits may give a little more."""
    within: Vectors = np.maximum(np.minimum(cosines, np.float32(1)), np.float32(-1))
    return within


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
