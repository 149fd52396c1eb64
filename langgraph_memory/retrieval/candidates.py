"""Who might answer: the channels asked, their proposals fused, the best of all first.

Where the index compares a whole scope anyhow, the whole scope is fused. Where it only names
the nearest, the best of both channels are put together: what neither proposed is weaker than
the last proposals of both, so what is stronger than those two fused is in its final place;
if that is too little, more is asked for (Fagin, Lotem & Naor 2003).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Neighbours, Rows, Transaction, VectorIndex, Vectors, WordIndex
from langgraph_memory.retrieval.fusion import IDENTICAL, Candidate, strengths
from langgraph_memory.retrieval.lexical import coverage
from langgraph_memory.retrieval.pool import NO_STRENGTH, Places, Pool, joined, without_nan
from langgraph_memory.text.tokens import query_terms

WORDS_ALONE = "words alone"
"""What :attr:`Search.index` says where no meaning was compared."""

MARGIN = 2
"""Proposals taken from each channel at first, for each one needed."""

MANY_WORDS = 512
"""Matching records from which a whole scope is fused, rather than the best of both channels."""

SMALL_SCOPE = 2_000
"""Records up to which a whole scope is fused anyhow: less work than putting two lists together."""

_SPARSE = 8
"""Rows are compared alone where they are fewer than one in so many of their scope."""

_SHARE = 8
"""A scope of which one record in so many is wanted is fused whole."""

_WIDER = 4
_DIGITS = 6

NO_CHOICE: Mapping[Namespace, Collection[Namespace]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Proposals:
    """The strongest candidates, in their final order, ties by row, newest first.

    Attributes:
        found: At least as many as were needed, if there are so many.
        complete: Whether these are all that any channel proposes.
    """

    found: list[Candidate]
    complete: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The strongest rows, as :class:`Proposals` has them.

    Attributes:
        rows, scores: ``(n,)`` each; a score below 0 means the opposite.
        complete: Whether these are all that any channel proposes.
    """

    rows: Rows
    scores: Vectors
    complete: bool


class Search:
    """One question, asked in one view of the truth.

    Args:
        index: Proposes by meaning.
        words: Proposes by words.
        tx: The view.
        question: The question's text.
        query: Its vector; None where words alone must do.
        prefixes: Where to look; none may lie within another.
        named_in: Namespaces in which the whole question may be a key.
        only: By prefix, the very namespaces of it that are looked at; where it is silent, all.
        terms: The words to look for; those of the question if omitted.
    """

    def __init__(
        self, index: VectorIndex, words: WordIndex, tx: Transaction, question: str,
        query: Vectors | None, prefixes: Sequence[Namespace], *,
        named_in: Sequence[Namespace] = (),
        only: Mapping[Namespace, Collection[Namespace]] = NO_CHOICE,
        terms: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        terms = query_terms(question) if terms is None else terms
        self._index = index
        self._tx = tx
        self._query = query
        self._prefixes = prefixes
        self._asked: set[str] = set()
        self._only = only
        self._scored = [
            coverage(terms, words.match(tx, prefix, terms, only=only.get(prefix)))
            for prefix in prefixes
        ]
        heads = (tx.records.head(namespace, question.strip()) for namespace in named_in)
        self._named = [stored.row for stored in heads if stored]

    @property
    def size(self) -> int:
        """How many records with words are looked at."""
        return sum(each.table.documents for each in self._scored)

    @property
    def index(self) -> str:
        """Return which index was asked for meanings so far; words alone where none was."""
        return " and ".join(sorted(self._asked)) or WORDS_ALONE

    def best(self, needed: int) -> Proposals:
        """Return the strongest candidates, or all if there are no more."""
        pool, chosen, complete = self._chosen(needed)
        return Proposals(self._candidates(pool, chosen), complete)

    def order(self, needed: int) -> Order:
        """Return the same as rows and scores alone, which costs less."""
        nearest = self._nearest_only(needed)
        if nearest is not None:
            return nearest
        pool, chosen, complete = self._chosen(needed)
        return Order(pool.rows[chosen], pool.strength[chosen], complete)

    def among(self, rows: Sequence[int], *, only: bool = False) -> Order:
        """Return all of a few rows that have words or meaning in common with the question.

        Args:
            rows: Which.
            only: Nothing else is asked of this search, whichever page it is for. Then these
                rows may be compared alone, which can change the last digit of a score.
        """
        few = np.array(rows, dtype=np.int64)
        if only and _SPARSE * len(rows) < self.size:
            pool = self._few(few, self._compared(few))
        elif self.size <= SMALL_SCOPE and (whole := self._whole):
            pool = whole.only(few)
        else:
            pool = self._few(few, self._cosines(few))
        chosen = pool.strongest(len(rows))
        return Order(pool.rows[chosen], pool.strength[chosen], complete=True)

    def _chosen(self, needed: int) -> tuple[Pool, Places, bool]:
        """Return a pool, the places of the strongest in their order, and if these are all."""
        width = MARGIN * max(1, needed)
        while True:
            pool = (self._whole if self._is_cheap(width) else None) or self._pooled(width)
            complete = pool.beyond < 0
            order = pool.strongest(needed)
            certain = order if complete else order[pool.strength[order] > pool.beyond]
            if complete or len(certain) >= needed:
                return pool, certain[:needed], complete and len(certain) <= needed
            width *= _WIDER

    def _nearest_only(self, needed: int) -> Order | None:
        """Return the strongest where no word matches: the nearest. None where that is not so."""
        if self._query is None or self._named or any(each.any for each in self._scored):
            return None
        near, cosines, last = self._nearest(needed)
        if last is not None and last >= IDENTICAL:
            return None  # more than these may be as strong as the strongest
        strength = strengths(cosines, np.zeros(len(near), dtype=np.float32))
        order = np.lexsort((-near, -strength))[:needed]
        return Order(near[order], strength[order], last is None and len(near) <= needed)

    def _is_cheap(self, width: int) -> bool:
        """Tell whether fusing the whole scope costs less than putting two lists together."""
        return self._matching > MANY_WORDS or self.size <= SMALL_SCOPE or width * _SHARE > self.size

    @cached_property
    def _matching(self) -> int:
        return sum(int(np.count_nonzero(each.of)) for each in self._scored)

    @cached_property
    def _whole(self) -> Pool | None:
        """Everything that any channel proposes; None where the index names only the nearest."""
        scans = [] if self._query is None else self._scans
        if scans is None:
            return None
        rows = joined([each.rows for each in scans])
        pool = self._filled(rows, joined([each.cosines for each in scans], NO_STRENGTH))
        if not self._named and np.count_nonzero(pool.words) == self._matching:
            return pool
        return self._with_silent(pool)

    def _with_silent(self, pool: Pool) -> Pool:
        """Return the pool with what is named, or matches, and has no vector."""
        others = [pool.rows]
        for each in self._scored:
            silent = each.of.copy()
            known = each.table.find(pool.rows)
            silent[known[known >= 0]] = 0
            others.append(each.table.rows[np.flatnonzero(silent)])
        if self._named:
            others.append(np.setdiff1d(self._named, joined(others)))
        every = joined(others)
        cosines = np.zeros(len(every), dtype=np.float32)
        cosines[: len(pool.cosines)] = pool.cosines
        return self._filled(every, cosines)

    def _few(self, rows: Rows, cosines: Vectors) -> Pool:
        """Return those of some rows that have words or meaning in common with the question."""
        known = ~np.isnan(cosines) | (self._words(rows) > 0)
        return self._filled(rows[known], without_nan(cosines[known]))

    def _compared(self, rows: Rows) -> Vectors:
        """Return the cosines of rows that are compared alone, NaN where they have no vector."""
        if self._query is None:
            return np.full(len(rows), np.nan, dtype=np.float32)
        return np.round(self._index.cosines(self._query, rows, view=self._tx), _DIGITS)

    @cached_property
    def _scans(self) -> list[Neighbours] | None:
        """Every row that has a vector, by prefix; None where the index names only the nearest.

        One scan serves the whole search: the same product computed in another place may differ
        in its last bits, and so in the order.
        """
        assert self._query is not None
        found = []
        for prefix in self._prefixes:
            only = self._only.get(prefix)
            scan = self._index.scan(self._query, prefix, view=self._tx, only=only)
            if scan is None:
                return None
            self._asked.add(scan.by)
            found.append(Neighbours(scan.rows, np.round(scan.cosines, _DIGITS)))
        return found

    @cached_property
    def _by_row(self) -> Vectors | None:
        """The cosine of every row by its number, NaN where it has no vector."""
        if self._scans is None:
            return None
        rows = joined([each.rows for each in self._scans])
        table = np.full(int(rows.max(initial=0)) + 1, np.nan, dtype=np.float32)
        for each in self._scans:
            table[each.rows] = each.cosines
        return table

    def _cosines(self, rows: Rows) -> Vectors:
        """Return the cosines of rows, NaN where they have no vector."""
        table = None if self._query is None else self._by_row
        if table is None:
            return self._compared(rows)
        inside = rows < len(table)
        cosines: Vectors = np.where(inside, table[np.where(inside, rows, 0)], np.float32(np.nan))
        return cosines

    def _pooled(self, width: int) -> Pool:
        near, cosines, last_cosine = self._nearest(width)
        lexical, last_word = self._strongest_words(width)
        others = joined([lexical, np.array(self._named, dtype=np.int64)])
        if len(others):
            others = np.unique(others)
            others = others[~np.isin(others, near)]
        more = NO_STRENGTH if self._query is None else without_nan(self._cosines(others))
        beyond = -1.0
        if last_cosine is not None or last_word is not None:
            # What no channel has proposed yet may still have the strength of its last proposal,
            # and a cosine of 0 if it has no vector.
            silent = self._query is None
            cosine = None if silent else np.full(1, max(0.0, last_cosine or 0.0), np.float32)
            word = np.full(1, last_word or 0.0, np.float32)
            beyond = float(strengths(cosine, word)[0])
        return self._filled(joined([near, others]), joined([cosines, more]), beyond=beyond)

    def _nearest(self, width: int) -> tuple[Rows, Vectors, float | None]:
        """Return rows, their cosines, and the weakest of a channel that may have more."""
        found: list[Neighbours] = []
        last: float | None = None
        for number, prefix in enumerate(self._prefixes if self._query is not None else ()):
            assert self._query is not None
            if self._scans is not None:
                near = _nearest_of(self._scans[number], width)
            else:
                near = self._index.nearest(
                    self._query, prefix, limit=width, view=self._tx, only=self._only.get(prefix)
                )
                self._asked.add(near.by)
                near = Neighbours(near.rows, np.round(near.cosines, _DIGITS))
            found.append(near)
            if len(near) == width:
                last = max(last if last is not None else -1.0, float(near.cosines[-1]))
        rows = joined([each.rows for each in found])
        return rows, joined([each.cosines for each in found], NO_STRENGTH), last

    def _strongest_words(self, width: int) -> tuple[Rows, float | None]:
        found: list[Rows] = []
        last: float | None = None
        for each in self._scored:
            places = np.flatnonzero(each.of)
            if len(places) > max(width, MANY_WORDS):
                places = places[np.argpartition(each.of[places], -width)[-width:]]
                last = max(last or 0.0, float(each.of[places].min()))
            found.append(each.table.rows[places])
        return joined(found), last

    def _filled(self, rows: Rows, cosines: Vectors, *, beyond: float = -1.0) -> Pool:
        """Give every row its strength in both channels, whichever proposed it."""
        words = self._words(rows)
        if self._query is None:
            cosines = np.zeros(len(rows), dtype=np.float32)
        strength = strengths(None if self._query is None else cosines, words)
        if self._named:
            strength[np.isin(rows, self._named)] = 1.0
        return Pool(rows, cosines, words, strength, beyond)

    def _words(self, rows: Rows) -> Vectors:
        """Return ``(n,)`` coverage."""
        words = np.zeros(len(rows), dtype=np.float32)
        for each in self._scored:
            if each.any:
                at = each.table.find(rows)
                words = np.where(at >= 0, each.of[at], words)
        return words

    def _candidates(self, pool: Pool, order: Places) -> list[Candidate]:
        rows = pool.rows[order]
        matched = self._matched(rows)
        silent = self._query is None
        return [
            Candidate(
                row=row,
                semantic=None if silent else cosine,
                lexical=words,
                structured=float(row in self._named),
                matched=matched.get(row, ()),
            )
            for row, cosine, words in zip(
                rows.tolist(), pool.cosines[order].tolist(), pool.words[order].tolist(), strict=True
            )
        ]

    def _matched(self, rows: Rows) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for each in self._scored:
            places = each.table.find(rows)
            held = places >= 0
            held[held] = each.of[places[held]] > 0
            terms = each.matched(places[held])
            found.update(zip(rows[held].tolist(), terms, strict=True))
        return found


def _nearest_of(scan: Neighbours, width: int) -> Neighbours:
    """Return the ``width`` nearest of a scan, ties by row, newest row first."""
    rows, cosines = scan.rows, scan.cosines
    if len(rows) > width:
        least = np.partition(cosines, -width)[-width]
        near = np.flatnonzero(cosines >= least)
        rows, cosines = rows[near], cosines[near]
    order = np.lexsort((-rows, -cosines))[:width]
    return Neighbours(rows[order], cosines[order])
