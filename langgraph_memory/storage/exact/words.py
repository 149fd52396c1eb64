"""The words of the namespaces that are searched, in memory.

There, scoring all records of a namespace is a few array operations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import Namespace, from_path, to_path
from langgraph_memory.ports import Holders, Rows, Transaction, WordTable
from langgraph_memory.storage.exact.mirror import Mirror
from langgraph_memory.storage.exact.postings import Columns, Postings

MOST_RECORDS = 2_000_000
"""Records held in memory at most; past that, further namespaces are asked in the database."""


class ExactWords(Mirror):
    """``ports.WordIndex``: complete and exact, for any thread."""

    def __init__(self, *, most_records: int = MOST_RECORDS) -> None:
        self._most = most_records
        super().__init__()

    def match(
        self, tx: Transaction, prefix: Namespace, terms: Sequence[str], *,
        only: Collection[Namespace] | None = None,
    ) -> WordTable:  # fmt: skip
        """Return the table of a scope's words. Raises as the port."""
        with self._lock:
            self._catch_up(tx)
            places = {
                to_path(each): each
                for each in tx.words.namespaces(prefix)
                if only is None or each in only
            }
            if not self._loaded(tx, places):
                return from_matches(tx, prefix, terms, only=only)
            return _joined([self._leaves[path] for path in places], terms, self._seats)

    def size(self) -> int:
        """Return how many records' words are held."""
        with self._lock:
            return sum(map(len, self._leaves.values()))

    def check(self, tx: Transaction) -> Check:
        """Compare all words held with those in the database; forget all if one differs."""
        findings = Findings("words in memory")
        with self._lock:
            for path, held in self._leaves.items() if self._caught_up(tx) else ():
                right = Postings()
                for row, tokens in tx.words.under(from_path(path)).items():
                    right.put(row, tokens)
                findings.counted += len(right)
                if held.contents() != right.contents():
                    findings.add("derived", "words in memory", "those of a namespace differ")
            if findings.found:
                self._clear()
        return findings.check()

    def _drop(self) -> None:
        self._leaves: dict[str, Postings] = {}
        self._home: dict[int, str] = {}
        self._seats = Seats()
        self._asked: set[str] = set()

    @property
    def _holds(self) -> bool:
        return bool(self._leaves)

    def _apply(self, tx: Transaction, changed: Mapping[int, Namespace | None]) -> None:
        now = {row: to_path(place) for row, place in changed.items() if place is not None}
        bodies = tx.words.bodies([row for row, path in now.items() if path in self._leaves])
        for row in changed:
            known = self._home.pop(row, None)
            if known is not None:
                self._remove(known, row)
            if row in bodies:
                self._put(now[row], row, bodies[row])

    def _loaded(self, tx: Transaction, places: Mapping[str, Namespace]) -> bool:
        """Load what was asked for before; tell whether all of it is in memory."""
        missing = [path for path in places if path not in self._leaves]
        if not missing:
            return True
        again = self._asked.issuperset(missing)
        self._asked.update(missing)
        full = sum(map(len, self._leaves.values())) >= self._most
        if not again or full:
            return False
        for path in missing:
            self._leaves[path] = Postings()
            for row, tokens in tx.words.under(places[path]).items():
                self._put(path, row, tokens)
        return True

    def _put(self, path: str, row: int, tokens: Sequence[str]) -> None:
        self._seats.take(row, self._leaves[path].put(row, tokens))
        self._home[row] = path

    def _remove(self, path: str, row: int) -> None:
        leaf = self._leaves[path]
        before = leaf.numbering
        leaf.remove(row)
        self._seats.take(row, -1)
        if leaf.numbering != before:
            self._seats.renumber(leaf.rows)


class Seats:
    """The place of every row in its own leaf, as one array: looked up for many rows at once."""

    def __init__(self) -> None:
        self._places = np.full(1024, -1, dtype=np.int64)

    def take(self, row: int, place: int) -> None:
        """Note a row's place; -1 for none."""
        if row >= len(self._places):
            larger = np.full(max(row + 1, 2 * len(self._places)), -1, dtype=np.int64)
            larger[: len(self._places)] = self._places
            self._places = larger
        self._places[row] = place

    def renumber(self, rows: Rows) -> None:
        """Note that these rows have the places 0, 1, 2, ..."""
        self._places[rows] = np.arange(len(rows))

    def of(self, rows: Rows) -> Rows:
        """Return the places of rows, -1 where they have none."""
        known = self._places
        inside = rows < len(known)
        found: Rows = np.where(inside, known[np.where(inside, rows, 0)], -1)
        return found


def from_matches(
    tx: Transaction, prefix: Namespace, terms: Sequence[str], *,
    only: Collection[Namespace] | None = None,
) -> WordTable:  # fmt: skip
    """Return the table of the records that the database matches."""
    found = tx.words.match(prefix, terms, only=only)
    rows = list(found.counts)
    places = {row: place for place, row in enumerate(rows)}

    def find(asked: Rows) -> Rows:
        return np.array([places.get(row, -1) for row in asked.tolist()], dtype=np.int64)

    holders = {}
    for term in dict.fromkeys(terms):
        times = {places[row]: counts[term] for row, (_, counts) in found.counts.items()
                 if term in counts}  # fmt: skip
        if times:
            holders[term] = Holders(
                np.fromiter(times, dtype=np.int64), np.fromiter(times.values(), dtype=np.float32)
            )
    lengths = [length for length, _ in found.counts.values()]
    return WordTable(
        documents=found.documents,
        average_length=found.average_length,
        rows=np.array(rows, dtype=np.int64),
        lengths=np.array(lengths, dtype=np.float32),
        holders=holders,
        find=find,
    )


def _joined(leaves: Sequence[Postings], terms: Sequence[str], seats: Seats) -> WordTable:
    """Return one table of several namespaces: their places, one after another."""
    asked = list(dict.fromkeys(terms))
    starts = [0, *accumulate(leaf.places for leaf in leaves)]
    parts: dict[str, list[Holders]] = {}
    for start, leaf in zip(starts, leaves, strict=False):
        for term, each in leaf.holders(asked).items():
            moved = each.places + start if start else each.places
            parts.setdefault(term, []).append(Holders(moved, each.times))
    documents = sum(map(len, leaves))
    columns = _together_columns([leaf.table() for leaf in leaves])
    rows = columns.rows

    def find(wanted: Rows) -> Rows:
        """Return places; of a row that has moved since the table was made, none."""
        if columns.aligned and columns.aligned[0] is wanted:
            return columns.aligned[1]
        seat = seats.of(wanted)
        found = np.full(len(wanted), -1, dtype=np.int64)
        for start, end in pairwise(starts):
            at = np.where((seat >= 0) & (start + seat < end), start + seat, 0)
            if end > start:
                ours = (seat >= 0) & (start + seat < end) & (rows[at] == wanted)
                found[ours] = at[ours]
        if not wanted.flags.writeable:
            columns.aligned = (wanted, found)
        return found

    return WordTable(
        documents=documents,
        average_length=sum(leaf.total for leaf in leaves) / documents if documents else 0.0,
        rows=rows,
        lengths=columns.lengths,
        holders={term: _together(each) for term, each in parts.items()},
        find=find,
    )


def _together_columns(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    none = Postings().table()
    return Columns(
        np.concatenate([none.rows, *(each.rows for each in parts)]),
        np.concatenate([none.lengths, *(each.lengths for each in parts)]),
    )


def _together(parts: Sequence[Holders]) -> Holders:
    if len(parts) == 1:
        return parts[0]
    return Holders(
        np.concatenate([each.places for each in parts]),
        np.concatenate([each.times for each in parts]),
    )
