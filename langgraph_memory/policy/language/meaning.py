"""How near texts are in meaning, where somebody can embed them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langgraph_memory.ports import Vectors

Embed = Callable[[Sequence[str]], Vectors]
"""Returns ``(n, dims)`` unit rows for n texts."""


class Meaning:
    """Cosines, each text embedded once."""

    def __init__(self, embed: Embed | None) -> None:
        self._embed = embed
        self._rows: dict[str, Vectors] = {}

    def near(self, one: str, others: Sequence[str]) -> float:
        """Return the cosine of the nearest; 0 without an embedder."""
        if self._embed is None:
            return 0.0
        new = [each for each in dict.fromkeys([one, *others]) if each not in self._rows]
        if new:
            self._rows.update(zip(new, self._embed(new), strict=True))
        return max((float(self._rows[one] @ self._rows[each]) for each in others), default=0.0)
