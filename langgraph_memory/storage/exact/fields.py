"""The fields of values by which namespaces are filtered, in memory.

A filter on a field without an index of its own has the database look at every value under the
prefix. A field that is asked again is held here instead, for the namespaces it is asked in:
equality is one look-up then; any other condition is asked of each thing the field says, if
these are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from langgraph_memory.domain.filters import conjuncts
from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import Namespace, from_path, to_path
from langgraph_memory.ports import Meeting, Transaction
from langgraph_memory.storage.exact.columns import Column, is_equality
from langgraph_memory.storage.exact.mirror import Mirror

MOST_NAMESPACES = 32
"""Namespaces under a prefix up to which they are held: one that holds more is nobody's own."""

MOST_VALUES = 10_000
"""Values under a prefix that are read to hold a field of them: 70 ms, once."""

MOST_CELLS = 2_000_000
"""Values, times fields, held at most; past that all are dropped, and read anew when asked for."""

MOST_FIELDS = 64
"""Fields held of one namespace."""

MOST_ASKED = 100_000
"""Fields that are remembered as asked once; past that all are forgotten."""

_Leaf = dict[str, Column]


class ExactFields(Mirror):
    """``ports.FieldIndex``: exact, for any thread."""

    def __init__(self, *, most_cells: int = MOST_CELLS) -> None:
        self._most = most_cells
        super().__init__()

    def meeting(
        self, tx: Transaction, prefix: Namespace, wanted: Mapping[str, Any]
    ) -> Meeting | None:
        """Return the live rows under a prefix whose heads meet a checked filter, None if unknown.

        Raises as the port.
        """
        asked = list(conjuncts(wanted))
        if not asked or any(name.startswith("$") for name, _ in asked):
            return None
        with self._lock:
            self._catch_up(tx)
            places = {to_path(each): each for each in tx.words.namespaces(prefix)}
            if len(places) > MOST_NAMESPACES or not self._loaded(tx, places, asked):
                return None
            found: list[frozenset[int]] = []
            looked_at = 0
            for path in places:
                looked_at += len(self._leaves[path][asked[0][0]])
                met = _meeting(self._leaves[path], asked)
                if met is None:
                    return None
                found.append(met)
        rows = found[0] if len(found) == 1 else frozenset().union(*found)
        return Meeting(rows, looked_at)

    def size(self) -> int:
        """Return how many values, times fields, are held."""
        with self._lock:
            return sum(len(column) for leaf in self._leaves.values() for column in leaf.values())

    def check(self, tx: Transaction) -> Check:
        """Compare all fields held with those in the database; forget all if one differs."""
        findings = Findings("fields in memory")
        with self._lock:
            for path, held in self._leaves.items() if self._caught_up(tx) else ():
                right = _read(tx, {path: from_path(path)}, {path: list(held)}, limit=None) or {}
                for name, column in held.items():
                    findings.counted += len(column)
                    if column.contents() != right[path][name].contents():
                        findings.add("derived", "fields in memory", "those of a namespace differ")
            if findings.found:
                self._clear()
        return findings.check()

    def _drop(self) -> None:
        self._leaves: dict[str, _Leaf] = {}
        self._home: dict[int, str] = {}
        self._asked: set[int] = set()  # hashes, which are salted: they name nobody
        self._diverse: set[int] = set()
        self._cells = 0

    @property
    def _holds(self) -> bool:
        return bool(self._leaves)

    def _apply(self, tx: Transaction, changed: Mapping[int, Namespace | None]) -> None:
        now = {row: to_path(place) for row, place in changed.items() if place is not None}
        values = tx.records.values([row for row, path in now.items() if path in self._leaves])
        for row in changed:
            self._remove(row)
            if row in values:
                self._home[row] = now[row]
                for column in self._leaves[now[row]].values():
                    column.put(row, values[row])
                    self._cells += 1
        for path in [path for path, leaf in self._leaves.items() if not any(leaf.values())]:
            if not tx.words.namespaces(from_path(path)):  # it was erased; its name is somebody's
                del self._leaves[path]

    def _remove(self, row: int) -> None:
        leaf = self._leaves.get(self._home.pop(row, ""), {})
        for column in leaf.values():
            column.remove(row)
        self._cells -= len(leaf)

    def _loaded(
        self, tx: Transaction, places: Mapping[str, Namespace], asked: list[tuple[str, Any]]
    ) -> bool:
        """Load what was asked for before; tell whether all of it is in memory."""
        missing = {
            (path, name)
            for path in places
            for name, _ in asked
            if name not in self._leaves.get(path, ())
        }
        if not missing:
            return True
        unequal = {name for name, wish in asked if not is_equality(wish)}
        if any(each[1] in unequal and hash(each) in self._diverse for each in missing):
            return False  # it was read before, and said too many things
        hashes = set(map(hash, missing))
        if not self._asked.issuperset(hashes):
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
                self._diverse.clear()
            self._asked.update(hashes)
            return False
        names: dict[str, list[str]] = {}
        for path, name in missing:
            names.setdefault(path, []).append(name)
        fresh = _read(tx, places, names, limit=MOST_VALUES)
        if fresh is None:
            return False
        for path, leaf in fresh.items():
            self._keep(path, leaf, unequal)
        if self._cells > self._most:
            self._clear()
            return False
        return all(name in self._leaves.get(path, {}) for path, name in missing)

    def _keep(self, path: str, leaf: _Leaf, unequal: Set[str]) -> None:
        diverse = {name for name in unequal if name in leaf and leaf[name].is_diverse}
        self._diverse.update(hash((path, name)) for name in diverse)
        kept = {name: column for name, column in leaf.items() if name not in diverse}
        held = self._leaves.get(path, {})
        if not kept or len(held) + len(kept) > MOST_FIELDS:
            return
        self._leaves[path] = {**held, **kept}
        self._home.update((row, path) for row in next(iter(kept.values())).contents())
        self._cells += sum(map(len, kept.values()))


def _meeting(leaf: _Leaf, asked: list[tuple[str, Any]]) -> frozenset[int] | None:
    """Return the rows of one namespace that meet every condition."""
    parts: list[frozenset[int]] = []
    for name, wish in asked:
        met = leaf[name].meeting(wish)
        if met is None:
            return None
        parts.append(met)
    first, *others = sorted(parts, key=len)
    return first.intersection(*others) if others else first


def _read(
    tx: Transaction, places: Mapping[str, Namespace], names: Mapping[str, Iterable[str]], *,
    limit: int | None,
) -> dict[str, _Leaf] | None:  # fmt: skip
    """Return columns of namespaces as the database has them, None past a limit of values."""
    leaves: dict[str, _Leaf] = {}
    left = limit
    for path, asked in names.items():
        rows = tx.records.live_rows(places[path], limit=None if left is None else left + 1)
        if left is not None:
            left -= len(rows)
            if left < 0:
                return None
        leaf = leaves[path] = {name: Column(name) for name in asked}
        for row, value in tx.records.values(rows).items():
            for column in leaf.values():
                column.put(row, value)
    return leaves
