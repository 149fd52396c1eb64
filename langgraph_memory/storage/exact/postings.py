"""The words of one namespace, in memory: for each term, the records that hold it."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from langgraph_memory.ports import Holders

_TIMES = 16  # bits for how often a term stands in a record
_MOST = (1 << _TIMES) - 1
_FIRST_CAPACITY = 16
_WASTE = 64
"""Places of removed records that are put up with before all are numbered anew."""


class Columns:
    """The rows and lengths of one state of the words, ``(n,)`` each; nobody's to change.

    Attributes:
        aligned: Rows that were looked for among these, and where they were found: those of
            the vectors of the same records are looked for again with every search.
    """

    __slots__ = ("aligned", "lengths", "rows")

    def __init__(self, rows: npt.NDArray[np.int64], lengths: npt.NDArray[np.float32]) -> None:
        self.rows = rows
        self.lengths = lengths
        self.aligned: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None


class Postings:
    """Records by the terms they hold. Each record has a place; places of removed ones stay empty.

    A place and a count share one number, so that a term costs 8 bytes a record.

    Attributes:
        total: Tokens of all records.
        numbering: Grows when the places of all records have changed.
    """

    def __init__(self) -> None:
        self._places: dict[int, int] = {}
        self._rows: npt.NDArray[np.int64] = np.zeros(_FIRST_CAPACITY, dtype=np.int64)
        self._lengths: npt.NDArray[np.float32] = np.zeros(_FIRST_CAPACITY, dtype=np.float32)
        self._used = 0
        self._terms: dict[str, array[int]] = {}
        self._read: dict[str, Holders] = {}  # terms as they were asked last
        self._table: Columns | None = None
        self.total = 0
        self.numbering = 0

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> int:
        """How many places there are, empty ones included."""
        return self._used

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """Return ``(n,)``: the record at each place; what an empty place says means nothing."""
        return self._rows[: self._used]

    def put(self, row: int, tokens: Sequence[str]) -> int:
        """Replace a record's words; return its place, -1 if it has no words."""
        self.remove(row)
        if not tokens:
            return -1
        if self._used == len(self._rows):
            self._grow()
        self._changed()
        place = self._used
        self._used += 1
        self._places[row] = place
        self._rows[place] = row
        self._lengths[place] = len(tokens)
        self.total += len(tokens)
        for term, times in Counter(tokens).items():
            known = self._terms.get(term)
            if known is None:
                self._terms[term] = known = array("Q")
            known.append(place << _TIMES | min(times, _MOST))
        return place

    def remove(self, row: int) -> None:
        """Drop a record's words; a row that has none is no error."""
        place = self._places.pop(row, None)
        if place is None:
            return
        self._changed()
        self.total -= int(self._lengths[place])
        self._lengths[place] = 0
        if self._used > 2 * len(self._places) + _WASTE:
            self._renumber()

    def table(self) -> Columns:
        """Return the rows and lengths by place, as they are now; an empty place has length 0.

        The same object as long as the words are the same.
        """
        if self._table is None:
            self._table = Columns(
                self._rows[: self._used].copy(), self._lengths[: self._used].copy()
            )
        return self._table

    def holders(self, terms: Iterable[str]) -> Mapping[str, Holders]:
        """Return the places that hold each term, and how often; terms nobody holds left out."""
        found = {}
        for term in terms:
            held = self._read.get(term) or self._holders(term)
            if held is not None:
                found[term] = self._read[term] = held
        return found

    def _holders(self, term: str) -> Holders | None:
        if (packed := self._terms.get(term)) is None:
            return None
        numbers = np.array(packed, dtype=np.uint64)
        places = (numbers >> np.uint64(_TIMES)).astype(np.int64)
        there = self._lengths[places] > 0
        if not there.any():
            return None
        times = (numbers & np.uint64(_MOST)).astype(np.float32)
        return Holders(places[there], times[there])

    def _changed(self) -> None:
        self._read.clear()
        self._table = None

    def contents(self) -> dict[int, dict[str, int]]:
        """Return how often each term stands in each record."""
        found: dict[int, dict[str, int]] = {row: {} for row in self._places}
        for term in self._terms:
            if (held := self._holders(term)) is None:
                continue
            for row, times in zip(self._rows[held.places], held.times, strict=True):
                found[int(row)][term] = int(times)
        return found

    def _grow(self) -> None:
        self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])

    def _renumber(self) -> None:
        """Close the gaps, keeping the order of the places."""
        kept = np.flatnonzero(self._lengths[: self._used] > 0)
        fresh = np.zeros(self._used, dtype=np.uint64)
        fresh[kept] = np.arange(len(kept), dtype=np.uint64)
        for term in list(self._terms):
            numbers = np.array(self._terms[term], dtype=np.uint64)
            places = (numbers >> np.uint64(_TIMES)).astype(np.int64)
            there = self._lengths[places] > 0
            if not there.any():
                del self._terms[term]
                continue
            moved = fresh[places[there]] << np.uint64(_TIMES) | numbers[there] & np.uint64(_MOST)
            self._terms[term] = array("Q", moved.tobytes())
        self._rows[: len(kept)] = self._rows[kept]
        self._lengths[: len(kept)] = self._lengths[kept]
        self._lengths[len(kept) :] = 0
        self._used = len(kept)
        self.numbering += 1
        self._places = {int(row): place for place, row in enumerate(self._rows[: self._used])}
