"""The word pieces of statements, kept for late interaction. Lost ones cost order, not answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from langgraph_memory.ports.embedders import Signs
from langgraph_memory.ports.upkeep import Told


class Pieces(Protocol):
    """What is kept of the word pieces of live records, for the model the home is bound to.

    Those of a statement are written with it (``IndexEntry.pieces``) and go with it.
    """

    def of(self, rows: Sequence[int]) -> dict[int, Signs]:
        """Return the signs of each row's head, ``(n, dims / 8)``, where any are kept."""

    def keep(self, row: int, head: int, signs: Signs) -> None:
        """Keep the signs of a version, none of them too; nothing if it is the head no longer."""

    def owed(self, *, limit: int) -> list[Told]:
        """Return live statements of whose pieces nothing is kept, the oldest first.

        They are of an older release, or of a home that was moved to another model.
        """
