"""Who might answer: the channels asked, their proposals fused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Transaction, VectorIndex, Vectors
from langgraph_memory.retrieval.fusion import Candidate, fuse
from langgraph_memory.retrieval.lexical import LexicalScore, score
from langgraph_memory.text.tokens import query_terms

WIDTH = 50
"""Proposals taken from each channel before fusion, at least."""


def meanings(
    index: VectorIndex, query: Vectors | None, prefixes: Sequence[Namespace], *, width: int
) -> dict[int, float]:
    """Return the rows nearest in meaning under any of the prefixes, with their cosines."""
    if query is None:
        return {}
    found = [near for prefix in prefixes for near in index.nearest(query, prefix, limit=width)]
    return {near.row: near.cosine for near in found}


def propose(
    tx: Transaction, question: str, query: Vectors | None, near: dict[int, float],
    prefixes: Sequence[Namespace], *, width: int, named_in: Sequence[Namespace] = (),
) -> list[Candidate]:  # fmt: skip
    """Return the fused candidates, strongest first.

    A row that only its words proposed is given its cosine from the stored vectors, so that
    both parts of every score are real.

    Args:
        tx: The view that decides.
        question: The question's text.
        query: The question's vector, or None where the home has no vectors.
        near: What :func:`meanings` found.
        prefixes: Where to look.
        width: How many lexical proposals to take, at least.
        named_in: Namespaces in which the whole question may be a key.
    """
    terms = query_terms(question)
    words: dict[int, LexicalScore] = {}
    named: set[int] = set()
    for prefix in prefixes:
        words |= score(terms, tx.words.match(prefix, terms))
    for namespace in named_in:
        if stored := tx.records.head(namespace, question.strip()):
            named.add(stored.row)
    best = sorted(words, key=lambda row: (-words[row].coverage, -row))[:width]
    kept = {row: words[row] for row in {*best, *(near.keys() & words.keys())}}
    if query is None:
        return fuse(kept, None, frozenset(named))
    return fuse(kept, near | _cosines(tx, query, kept.keys() - near.keys()), frozenset(named))


def _cosines(tx: Transaction, query: Vectors, rows: set[int]) -> dict[int, float]:
    if not rows:
        return {}
    return {
        row: float(np.clip((vectors @ query).max(), -1.0, 1.0))
        for row, vectors in tx.records.vectors(sorted(rows)).items()
    }
