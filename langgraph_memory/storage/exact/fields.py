"""The fields of values by which namespaces are filtered, in memory.

A filter on a field without an index of its own has the database look at every value under the
prefix. A field that is asked again is held here instead, for the namespaces it is asked in:
equality is one look-up then; any other condition is asked of each thing the field says, if
these are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langgraph_memory.domain.filters import conjuncts
from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import Namespace, from_path, to_path
from langgraph_memory.ports import Meeting, Transaction
from langgraph_memory.storage.exact.columns import Column, is_equality
from langgraph_memory.storage.exact.mirror import Mirror

MOST_NAMESPACES = 32
"""Namespaces under a prefix up to which they are held: one that holds more is nobody's own."""

MOST_VALUES = 20_000
"""Values of a namespace that are read to hold a field of them."""

MOST_CELLS = 2_000_000
"""Values, times fields, held at most; past that, further ones are asked in the database."""

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

        As of ``tx`` or later.
        """
        asked = list(conjuncts(wanted))
        if not asked or any(name.startswith("$") for name, _ in asked):
            return None
        with self._lock:
            self._catch_up(tx)
            places = {to_path(each): each for each in tx.words.namespaces(prefix)}
            if len(places) > MOST_NAMESPACES or not self._loaded(tx, places, asked):
                return None
            found: set[int] = set()
            looked_at = 0
            for path in places:
                looked_at += len(self._leaves[path][asked[0][0]])
                met = _meeting(self._leaves[path], asked)
                if met is None:
                    return None
                found |= met
        return Meeting(frozenset(found), looked_at)

    def size(self) -> int:
        """Return how many values, times fields, are held."""
        with self._lock:
            return self._cells()

    def check(self, tx: Transaction) -> Check:
        """Compare all fields held with those in the database; forget all if one differs."""
        findings = Findings("fields in memory")
        with self._lock:
            self._catch_up(tx)
            for path, held in self._leaves.items() if tx.outbox.last() == self._sequence else ():
                right = _read(tx, from_path(path), held, limit=None) or {}
                for name, column in held.items():
                    findings.counted += len(column)
                    if column.contents() != right[name].contents():
                        findings.add("derived", "fields in memory", "those of a namespace differ")
            if findings.found:
                self._clear()
        return findings.check()

    def _drop(self) -> None:
        self._leaves: dict[str, _Leaf] = {}
        self._home: dict[int, str] = {}
        self._asked: set[tuple[str, str]] = set()
        self._diverse: set[tuple[str, str]] = set()

    @property
    def _holds(self) -> bool:
        return bool(self._leaves)

    def _apply(self, tx: Transaction, changed: Mapping[int, Namespace | None]) -> None:
        now = {row: to_path(place) for row, place in changed.items() if place is not None}
        held = [row for row, path in now.items() if path in self._leaves]
        values = {each.row: each.value for each in tx.records.shown(held)}
        for row in changed:
            for column in self._leaves.get(self._home.pop(row, ""), {}).values():
                column.remove(row)
            if (value := values.get(row)) is not None:
                self._home[row] = now[row]
                for column in self._leaves[now[row]].values():
                    column.put(row, value)

    def _loaded(
        self, tx: Transaction, places: Mapping[str, Namespace], asked: list[tuple[str, Any]]
    ) -> bool:
        """Load what was asked for before; tell whether all of it is in memory."""
        needed = {(path, name) for path in places for name, _ in asked}
        missing = {each for each in needed if each[1] not in self._leaves.get(each[0], {})}
        if not missing:
            return True
        unequal = {name for name, wish in asked if not is_equality(wish)}
        if any(name in unequal for _, name in missing & self._diverse):
            return False  # it was read before, and said too many things
        again = self._asked.issuperset(missing)
        self._asked.update(missing)
        if not again or self._cells() >= self._most or not self._is_fresh(tx):
            return False
        for path in {path for path, _ in missing}:
            names = [name for where, name in missing if where == path]
            fresh = _read(tx, places[path], names, limit=MOST_VALUES)
            if fresh is None:
                return False
            diverse = {name for name in unequal if name in fresh and fresh[name].is_diverse}
            self._diverse.update((path, name) for name in diverse)
            kept = {name: column for name, column in fresh.items() if name not in diverse}
            if kept:
                self._leaves.setdefault(path, {}).update(kept)
                self._home.update((row, path) for row in next(iter(kept.values())).contents())
        return all(name in self._leaves.get(path, {}) for path, name in missing)

    def _cells(self) -> int:
        return sum(len(column) for leaf in self._leaves.values() for column in leaf.values())


def _meeting(leaf: _Leaf, asked: list[tuple[str, Any]]) -> set[int] | None:
    """Return the rows of one namespace that meet every condition."""
    parts: list[set[int]] = []
    for name, wish in asked:
        met = leaf[name].meeting(wish)
        if met is None:
            return None
        parts.append(met)
    first, *others = sorted(parts, key=len)
    return first.intersection(*others) if others else first


def _read(
    tx: Transaction, namespace: Namespace, names: Iterable[str], *, limit: int | None
) -> _Leaf | None:
    """Return columns of a namespace as the database has it, None past a limit of values."""
    values = tx.records.values(namespace, limit=None if limit is None else limit + 1)
    if limit is not None and len(values) > limit:
        return None
    leaf = {name: Column(name) for name in names}
    for row, value in values.items():
        for column in leaf.values():
            column.put(row, value)
    return leaf
