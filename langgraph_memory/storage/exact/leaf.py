"""The vectors of one namespace, kept together so that scanning them is one sweep."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from langgraph_memory.ports import Vectors

BLOCK = 1024
"""Rows scanned at a time: larger products wake the BLAS threads, which costs more than it saves."""

_FIRST_CAPACITY = 16


class Leaf:
    """A growing ``(n, dims)`` matrix; each line belongs to a record's row.

    A record may have several lines. Removing swaps the last line into the gap, so the
    order of lines means nothing.
    """

    def __init__(self, dims: int) -> None:
        self._matrix: Vectors = np.empty((_FIRST_CAPACITY, dims), dtype=np.float32)
        self._rows: npt.NDArray[np.int64] = np.empty(_FIRST_CAPACITY, dtype=np.int64)
        self._lines: dict[int, list[int]] = {}
        self._size = 0
        self._kept: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return self._size

    def kept_rows(self) -> npt.NDArray[np.int64]:
        """Return ``(n,)``: the record each line belongs to, as it is now.

        The same array as long as the lines are the same; nobody may change it.
        """
        if self._kept is None:
            self._kept = self._rows[: self._size].copy()
            self._kept.flags.writeable = False
        return self._kept

    @property
    def single(self) -> bool:
        """Whether no record has several lines."""
        return self._size == len(self._lines)

    def put(self, row: int, vectors: Vectors) -> None:
        """Replace a record's lines."""
        self.remove(row)
        self._kept = None
        for vector in vectors:
            if self._size == len(self._rows):
                self._grow()
            self._matrix[self._size] = vector
            self._rows[self._size] = row
            self._lines.setdefault(row, []).append(self._size)
            self._size += 1

    def remove(self, row: int) -> None:
        """Drop a record's lines; a row that has none is no error."""
        self._kept = None
        for line in sorted(self._lines.pop(row, ()), reverse=True):
            self._size -= 1
            if line == self._size:
                continue
            moved = int(self._rows[self._size])
            self._matrix[line] = self._matrix[self._size]
            self._rows[line] = moved
            lines = self._lines[moved]
            lines[lines.index(self._size)] = line

    def vectors(self, row: int) -> Vectors:
        """Return ``(n, dims)``: a record's lines, in the order they were put."""
        return self._matrix[self._lines.get(row, [])]

    def cosines(self, query: Vectors) -> Vectors:
        """Return ``(n,)``: the cosine of each line with a unit ``query``."""
        out = np.empty(self._size, dtype=np.float32)
        for start in range(0, self._size, BLOCK):
            stop = min(start + BLOCK, self._size)
            np.dot(self._matrix[start:stop], query, out=out[start:stop])
        return out

    def lines(self, row: int) -> list[int]:
        """Return the lines of a record."""
        return self._lines.get(row, [])

    def cosines_at(self, query: Vectors, lines: list[int]) -> Vectors:
        """Return ``(len(lines),)``: the cosines of these lines with a unit ``query``."""
        found: Vectors = self._matrix[lines] @ query
        return found

    def _grow(self) -> None:
        self._matrix = np.concatenate([self._matrix, np.empty_like(self._matrix)])
        self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
