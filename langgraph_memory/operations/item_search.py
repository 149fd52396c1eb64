"""Search among items: filter, rank, page. The database decides what is visible.

A query with a filter has one order, that of all that meet the filter. Where that costs least
the filter is asked first, and only what it leaves is ranked: in small scopes, and for fields
with an index, in the database or in memory. Elsewhere it is asked of the best candidates, then
of more. An index and SQL only say which rows may meet it; each is judged when it is read, by the
statement that holds now, which need not be the head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Version, check_limits
from langgraph_memory.operations.engine import Engine
from langgraph_memory.ports import FieldIndex, Meeting, Rows, Shown, Transaction, Vectors
from langgraph_memory.retrieval.candidates import Search

WIDTH = 2_000
"""Records of a scope, or rows left by a filter, up to which the filter is asked of all first."""

READ_AT_ONCE = 10
FEW = 200
"""Records of a scope up to which a filter is asked of all at once."""

FIRST_ASKED = 32
"""Candidates that a filter is asked of at first, at least."""

NO_SCORES: Mapping[int, float] = MappingProxyType({})


class SearchItems(NamedTuple):
    """Find items under a prefix.

    Attributes:
        wanted: A checked filter on the value; empty wants everything.
        query: Text to rank by; None lists, latest write first.
        refresh: Whether the retention of what is returned runs anew.
    """

    prefix: Namespace
    query: str | None = None
    wanted: Mapping[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    refresh: bool = False


class ItemHit(NamedTuple):
    """An item, and how well it fits.

    Attributes:
        item: The record, with the statement that was found in the place of its head.
        score: In [0, 1]; None where nothing was compared.
        version: The number a compare-and-set has to expect, where it is not the statement's: a
            later one may have been announced, or wait for review.
    """

    item: Shown
    score: float | None = None
    version: int | None = None

    @property
    def value(self) -> JsonObject:
        """What it says."""
        return self.item.value or {}


def search(
    engine: Engine, tx: Transaction, asked: SearchItems, vector: Vectors | None, *,
    now: datetime, deciding: datetime | None,
) -> list[ItemHit]:  # fmt: skip
    """Return one page of items: ranked ones first, then, if the page is not full, the rest."""
    check_limits(asked.limit, asked.offset)
    if asked.limit == 0:
        return []
    view = _View(engine.field_index, tx, asked, now, deciding)
    if not asked.query or not asked.query.strip():
        return _listed(view)
    ranked = _ranked(view, _search(engine, view, vector))
    page = ranked[asked.offset : asked.offset + asked.limit]
    if len(page) == asked.limit:
        return page
    others = view.others({hit.item.row for hit in ranked})
    start = max(0, asked.offset - len(ranked))
    return page + list(islice(view.hits(others), start, start + asked.limit - len(page)))


def visible(
    tx: Transaction, item: Shown, now: datetime, deciding: datetime | None, score: float | None
) -> ItemHit | None:  # fmt: skip
    """Return the item as it holds now, None if it is deleted, expired or does not hold."""
    ends = item.expires_at
    if deciding is not None and ends is not None and ends <= deciding:
        return None
    if item.settled:
        return None if item.value is None else ItemHit(item, score)
    record = tx.records.load_row(item.row)
    current = record.current(now) if record else None
    if current is None or current.value is None:
        return None
    return ItemHit(as_said(item, current), score, item.number)


def as_said(item: Shown, version: Version) -> Shown:
    """Return the item with one of its statements in the place of the head's."""
    return item._replace(updated_at=version.recorded_at, number=version.number, value=version.value)


@dataclass
class _View:
    """One search's view of the truth: what it may return, and in which order unranked."""

    fields: FieldIndex
    tx: Transaction
    asked: SearchItems
    now: datetime
    deciding: datetime | None

    @property
    def unsettled(self) -> bool:
        """Whether what holds may be another statement than the head: judged when it is read."""
        return self.tx.records.unsettled(self.asked.prefix)

    @cached_property
    def named(self) -> Meeting | None:
        """The rows that meet the filter, where memory knows them."""
        wanted = self.asked.wanted
        if not wanted or self.unsettled or self.tx.records.indexed(wanted):
            return None
        return self.fields.meeting(self.tx, self.asked.prefix, wanted)

    def rows(self, limit: int | None = None) -> list[int]:
        """Return the rows that may be visible and meet the filter, latest write first."""
        return self.tx.records.matching(
            self.asked.prefix, now=self.deciding, limit=limit, wanted=self.asked.wanted,
            holding=self.now if self.unsettled else None, judged=False,
        )  # fmt: skip

    def few(self, most: int) -> list[int] | None:
        """Return the same rows in any order, None if there are more than so many."""
        rows = self.rows(limit=most + 1) if self.named is None else list(self.named.rows)
        return None if len(rows) > most else rows

    def others(self, known: Set[int]) -> list[int]:
        """Return the rows that are not known yet, latest write first."""
        if self.named is not None and self.named.rows <= known:
            return []
        return [row for row in self.rows() if row not in known]

    def meeting(self, rows: Rows) -> list[int]:
        """Return those of some rows that may meet the filter, in no order."""
        if self.unsettled:
            return [int(row) for row in rows]
        if self.named is not None:
            return [row for row in rows.tolist() if row in self.named.rows]
        return self.tx.records.meeting(rows.tolist(), self.asked.wanted or {})

    @cached_property
    def among(self) -> list[int] | None:
        """The rows that alone are listed; None where a page is full before so many are read.

        Decided once a search: what is listed must not change between its pages.
        """
        named = self.named if self.asked.wanted else None
        asked = self.asked.offset + self.asked.limit
        if named is None or len(named.rows) ** 2 > named.of * asked:
            return None
        return list(named.rows)

    def page(self, *, limit: int, offset: int) -> list[Shown]:
        """Return a page of the records at :meth:`rows`."""
        return self.tx.records.page(
            self.asked.prefix, now=self.deciding, limit=limit, offset=offset, among=self.among,
            wanted=self.asked.wanted, holding=self.now if self.unsettled else None, judged=False,
        )  # fmt: skip

    def hits(
        self, rows: Sequence[int], scores: Mapping[int, float] = NO_SCORES
    ) -> Iterator[ItemHit]:
        """Read rows, in the order given, as far as they are asked for."""
        step = max(READ_AT_ONCE, self.asked.offset + self.asked.limit)
        for start in range(0, len(rows), step):
            yield from self.judged(self.tx.records.shown(rows[start : start + step]), scores)

    def scored(self, rows: Rows, scores: Vectors) -> Iterator[ItemHit]:
        """Yield the rows that are visible and meet the filter, in their order."""
        score = dict(zip(rows.tolist(), np.maximum(scores, 0.0).tolist(), strict=True))
        return self.hits(list(score), score)

    def judged(
        self, found: Iterable[Shown], scores: Mapping[int, float] = NO_SCORES
    ) -> Iterator[ItemHit]:
        """Yield those that are visible and meet the filter, as they hold now."""
        tx, now, deciding, wanted = self.tx, self.now, self.deciding, self.asked.wanted
        for each in found:
            score = scores.get(each.row) if scores else None
            hit = visible(tx, each, now, deciding, score)
            if hit is not None and (not wanted or matches(hit.value, wanted)):
                yield hit


def _listed(view: _View) -> list[ItemHit]:
    """Return one page, latest write first.

    Some of what may be visible is not, and some does not meet the filter: it counts for no page.
    """
    end = view.asked.offset + view.asked.limit
    hits: list[ItemHit] = []
    seen, step = 0, end
    while True:
        found = view.page(limit=step, offset=seen)
        hits += view.judged(found)
        if len(hits) >= end or len(found) < step:
            return hits[view.asked.offset : end]
        seen, step = seen + step, 4 * step


def _ranked(view: _View, search: Search) -> list[ItemHit]:
    """Return the best hits up to the page's end.

    The order is that of all there are, so that no page changes it.
    """
    needed = view.asked.offset + view.asked.limit
    wanted = view.asked.wanted
    if not wanted:
        return _unfiltered(view, search, needed)
    if view.named is None and search.size > FEW and not view.tx.records.indexed(wanted):
        hits, complete = _filtered(view, search, needed, most=FIRST_ASKED)
        if len(hits) >= needed or complete:
            return hits
        if search.size > WIDTH:
            hits, complete = _filtered(view, search, needed, most=WIDTH)
            if len(hits) >= needed or complete:
                return hits
    rows = view.few(WIDTH)
    if rows is None:
        return _filtered(view, search, needed)[0]
    alone = search.size <= FEW or view.named is not None
    found = search.among(rows, only=alone)
    return list(islice(view.scored(found.rows, found.scores), needed))


def _unfiltered(view: _View, search: Search, needed: int) -> list[ItemHit]:
    """Return the best that are visible."""
    wide = needed
    while True:
        order = search.order(wide)
        hits = list(islice(view.scored(order.rows, order.scores), needed))
        if len(hits) >= needed or order.complete:
            return hits
        wide *= 4


def _filtered(
    view: _View, search: Search, needed: int, *, most: int | None = None
) -> tuple[list[ItemHit], bool]:
    """Return the best that meet the filter, and whether none is left.

    The filter is asked of the best first, then of more, but of no more than ``most``.
    """
    wide, seen = max(FIRST_ASKED, 2 * needed), 0
    hits: list[ItemHit] = []
    while True:
        order = search.order(wide)
        rows, scores = order.rows[seen:], order.scores[seen:]
        met = np.isin(rows, view.meeting(rows))
        hits += islice(view.scored(rows[met], scores[met]), needed - len(hits))
        if len(hits) >= needed or order.complete or (most is not None and wide >= most):
            return hits, order.complete
        seen, wide = len(order.rows), 8 * wide


def _search(engine: Engine, view: _View, vector: Vectors | None) -> Search:
    assert view.asked.query is not None
    return Search(
        engine.index,
        engine.word_index,
        view.tx,
        view.asked.query,
        vector,
        [view.asked.prefix],
    )
