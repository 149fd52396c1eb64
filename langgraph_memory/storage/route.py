"""Chooses between exact search and Chroma, search by search.

The crossing is where the two cost the same. Exact search reads only the rows of the scope,
which lie together. Chroma's price hardly grows with its size, but it knows nothing of scopes,
and filtering by namespace inside it costs more than searching exactly at any size. So a
narrow scope is always searched exactly; Chroma serves a prefix that holds more vectors than
the crossing and most of all there are, which is the whole root of a large home.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from langgraph_memory.domain.findings import Check
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Neighbours, Rows, Transaction, VectorIndex, Vectors
from langgraph_memory.storage.chroma.index import ChromaIndex

Mode = Literal["auto", "exact", "chroma"]
CROSSING = 50_000
"""Vectors. Exact search of 50,000 with 384 dimensions takes about what Chroma takes."""


class SizedIndex(VectorIndex, Protocol):
    """An index that can say how much it holds."""

    def size(self, prefix: Namespace) -> int:
        """Return how many vectors stand under the prefix, as of the last search."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How a home's index is doing, for whoever asks.

    Attributes:
        mode: What chooses: ``auto``, or one way for all searches.
        phase: What the follower is doing; see ``FollowerState``.
        owner: Whether this process owns the Chroma index.
        in_step: Whether it holds everything written so far.
        behind: How many changes it has not had.
        generation: Which copy it is, None while none is open here.
        folder: Where it is kept.
        problem: What stands in the way; empty if nothing does. Searches are right all the same.
    """

    mode: Mode
    phase: str
    owner: bool
    in_step: bool
    behind: int
    generation: int | None
    folder: Path
    problem: str


class RoutedIndex:
    """``ports.VectorIndex`` of a home.

    Args:
        exact: Answers exactly; closed together with this.
        chroma: Answers through the mirror, or exactly when that is in doubt.
        mode: ``auto`` chooses for each search; ``exact`` never asks Chroma, ``chroma`` always.
        crossing: From how many vectors on Chroma is the cheaper one.
    """

    def __init__(
        self, exact: SizedIndex, chroma: ChromaIndex, *, mode: Mode = "auto",
        crossing: int = CROSSING,
    ) -> None:  # fmt: skip
        self._exact = exact
        self._chroma = chroma
        self._mode = mode
        self._crossing = crossing

    def nearest(
        self, query: Vectors, prefix: Namespace, *, limit: int, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours:  # fmt: skip
        """Return up to ``limit`` rows under the prefix, best cosine first, each row once."""
        chosen = self._chosen(prefix, only)
        return chosen.nearest(query, prefix, limit=limit, view=view, only=only)

    def scan(
        self, query: Vectors, prefix: Namespace, *, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours | None:  # fmt: skip
        """Return every row under the prefix, where that is the way chosen; else None."""
        chosen = self._chosen(prefix, only)
        return chosen.scan(query, prefix, view=view, only=only)

    def cosines(self, query: Vectors, rows: Rows, *, view: Transaction | None = None) -> Vectors:
        """Return ``(n,)``: the cosine of the best vector of each row, NaN where it has none."""
        chosen: VectorIndex = self._chroma if self._mode == "chroma" else self._exact
        return chosen.cosines(query, rows, view=view)

    def status(self) -> IndexStatus:
        """Return how the index is doing."""
        state, behind = self._chroma.follower.state, self._chroma.behind()
        return IndexStatus(
            mode=self._mode,
            phase=state.phase,
            owner=state.generation is not None,
            in_step=behind == 0 and state.phase in ("following", "held", "idle"),
            behind=behind,
            generation=state.generation,
            folder=self._chroma.follower.folder,
            problem=state.problem,
        )

    def scrub(self) -> bool:
        """Rewrite the Chroma folder; tell whether it is done."""
        return self._chroma.scrub()

    def check(self) -> list[Check]:
        """Compare both with the database."""
        return [*self._exact.check(), *self._chroma.check()]

    def rebuild(self) -> bool:
        """Make both anew; tell whether it is done."""
        return self._exact.rebuild() and self._chroma.rebuild()

    def forget(self) -> None:
        """Drop what is held in memory."""
        self._exact.forget()

    def close(self) -> None:
        """Free what is held; a second call does nothing."""
        self._chroma.close()
        self._exact.close()

    def _chosen(self, prefix: Namespace, only: Collection[Namespace] | None) -> VectorIndex:
        """Return who answers; Chroma knows no namespaces, so a choice of them is made exactly."""
        return self._chroma if only is None and self._prefers_chroma(prefix) else self._exact

    def _prefers_chroma(self, prefix: Namespace) -> bool:
        if self._mode != "auto":
            return self._mode == "chroma"
        size = self._exact.size(prefix)
        return size >= max(1, self._crossing) and 2 * size >= self._exact.size(())
