"""The stages of a recall that can be left out, to see what each is worth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stages:
    """Which stages take part; all of them, unless somebody measures.

    Attributes:
        words: Full text proposes candidates and counts in their order.
        meaning: Vectors do.
        late: The second stage compares sentences and word pieces.
        authority: What a model said stands behind what people said; what was vouched for, before.
    """

    words: bool = True
    meaning: bool = True
    late: bool = True
    authority: bool = True


EVERY = Stages()
