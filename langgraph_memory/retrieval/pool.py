"""What has been put together of the channels' proposals, each row with its strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from langgraph_memory.ports import Rows, Vectors

Places = npt.NDArray[np.int64]
NO_ROWS: Rows = np.zeros(0, dtype=np.int64)
NO_STRENGTH: Vectors = np.zeros(0, dtype=np.float32)
_FEW = 64


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows, each once.

    Attributes:
        rows, cosines, words, strength: ``(n,)``: how strong each is in both channels, and both
            fused; 0 where it has no vector, or no word.
        beyond: The strength that nothing outside exceeds; below 0 if nothing is outside.
    """

    rows: Rows
    cosines: Vectors
    words: Vectors
    strength: Vectors
    beyond: float

    def only(self, rows: Rows) -> Pool:
        """Return what of these rows is in the pool."""
        kept = np.flatnonzero(np.isin(self.rows, rows))
        return Pool(
            self.rows[kept], self.cosines[kept], self.words[kept], self.strength[kept], self.beyond
        )

    def strongest(self, needed: int) -> Places:
        """Return at least the ``needed`` strongest, best first, ties by row, newest first."""
        if len(self.rows) <= 4 * needed + _FEW:
            return np.lexsort((-self.rows, -self.strength))
        least = np.partition(self.strength, -(needed + 1))[-(needed + 1)]
        chosen = np.flatnonzero(self.strength >= least)
        ordered: Places = chosen[np.lexsort((-self.rows[chosen], -self.strength[chosen]))]
        return ordered


def joined(parts: Sequence[npt.NDArray[Any]], none: npt.NDArray[Any] = NO_ROWS) -> npt.NDArray[Any]:
    """Return arrays one after another; ``none`` where there are none."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else none


def without_nan(numbers: Vectors) -> Vectors:
    """Return 0 in the place of what is unknown."""
    known: Vectors = np.where(np.isnan(numbers), np.float32(0), numbers)
    return known
