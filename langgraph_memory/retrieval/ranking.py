"""The order of what was proposed: the second stage, over a few candidates read in full.

The first stage asks which rows are near, in one number each. Here the parts are told apart:
how near the text is as a whole, how near its nearest sentence is, how much of the question's
words it covers, and how its word pieces match. The weights were chosen on all sets at once:
ARCHITECTURE, decision 40.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from langgraph_memory.domain.provenance import SourceKind, Verification
from langgraph_memory.ports import AskedPieces, Signs
from langgraph_memory.retrieval.evidence import Hit
from langgraph_memory.retrieval.fusion import IDENTICAL, Candidate
from langgraph_memory.retrieval.late_interaction import late_interaction

RANKED = 64
"""Candidates that the second stage puts in order."""

WHOLE, NEAREST, WORDS, LATE = 0.4, 0.6, 0.5, 0.7
"""Weights: the text's cosine, its nearest sentence's, its words' coverage, late interaction."""

BEHIND, VOUCHED = 0.03, 0.02
"""How far what a model said ranks behind what people said, and what is verified before it."""

STEEP = 2.0
"""Exponent of coverage: one shared word out of four is next to nothing, all four are much."""


def ranked(
    candidates: Sequence[Candidate], asked: AskedPieces, wholes: Mapping[int, float],
    pieces: Mapping[int, Signs],
) -> list[Candidate]:  # fmt: skip
    """Return candidates in their order, each with its rank; ties by row, newest first.

    Args:
        candidates: As the first stage has them, strongest first, each with the cosine of its
            nearest vector: the whole text's, a sentence's or a window's.
        asked: The question's word pieces.
        wholes: The cosine of each row's whole text, or its first window, where it has one.
        pieces: Of each row, where they are kept; without any, the order stays as it is.
    """
    late = late_interaction(asked, [pieces.get(each.row) for each in candidates])
    if not len(late) or np.isnan(late).all():
        return list(candidates)
    placed = [
        _ranked(each, wholes.get(each.row, 0.0), float(found))
        for each, found in zip(candidates, late, strict=True)
    ]
    return sorted(placed, key=lambda each: (-(each.rank or 0.0), -each.row))


def in_order(hits: Sequence[Hit]) -> list[Hit]:
    """Return ranked hits with the authority of their sources counted; others as they are.

    What a model said stands a little behind what people said of the same, and what somebody
    vouched for a little before: less than any clear difference in what is said.
    """
    if any(hit.candidate.rank is None for hit in hits):
        return list(hits)
    return sorted(hits, key=lambda hit: (-_standing(hit), -hit.candidate.row))


def _standing(hit: Hit) -> float:
    papers = hit.version.provenance
    standing = hit.candidate.rank or 0.0
    if papers.source.kind is SourceKind.MODEL:
        standing -= BEHIND
    if papers.verification is Verification.VERIFIED:
        standing += VOUCHED
    return standing


def _ranked(each: Candidate, whole: float, late: float) -> Candidate:
    nearest = each.semantic or 0.0
    if math.isnan(late):
        late = nearest  # of an older release: as near as its nearest sentence
    rank = WHOLE * whole + NEAREST * nearest + WORDS * each.lexical**STEEP + LATE * late
    rank /= WHOLE + NEAREST + WORDS + LATE
    if each.structured or nearest >= IDENTICAL:
        rank = 1.0
    return each._replace(late=late, rank=rank)
