"""Search among items: filter, rank, page. The database decides what is visible.

A filter comes before the ranking: the rows that may meet it are named first, and only they
are ranked. "May", because it asks of the statement that holds now, which in a record whose
head has not begun, or waits for review, is an older one; such a record is judged when it is
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Status, check_limits
from langgraph_memory.operations.engine import Engine
from langgraph_memory.ports import Stored, Transaction, Vectors
from langgraph_memory.retrieval.candidates import Search
from langgraph_memory.retrieval.fusion import Candidate

WIDTH = 2_000
"""The most rows that a filter may leave to be compared one by one."""

READ_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class SearchItems:
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


@dataclass(frozen=True, slots=True)
class ItemHit:
    """An item, and how well it fits: in [0, 1], None where nothing was compared."""

    stored: Stored
    value: JsonObject
    score: float | None = None


def search(
    engine: Engine, tx: Transaction, asked: SearchItems, vector: Vectors | None, *,
    now: datetime, deciding: datetime | None,
) -> list[ItemHit]:  # fmt: skip
    """Return one page of items: ranked ones first, then, if the page is not full, the rest."""
    check_limits(asked.limit, asked.offset)
    if asked.limit == 0:
        return []
    view = _View(tx, asked, now, deciding)
    if not asked.query or not asked.query.strip():
        return _listed(view)
    few = _few(view)
    ranked = _ranked(engine, view, vector) if few is None else _compared(engine, view, vector, few)
    page = ranked[asked.offset : asked.offset + asked.limit]
    if len(page) == asked.limit:
        return page
    known = {hit.stored.row for hit in ranked}
    others = [row for row in (view.rows() if few is None else few) if row not in known]
    start = max(0, asked.offset - len(ranked))
    return page + list(islice(view.hits(others), start, start + asked.limit - len(page)))


def visible(
    tx: Transaction, stored: Stored, *, now: datetime, deciding: datetime | None
) -> ItemHit | None:
    """Return the item as it holds now, None if it is deleted, expired or does not hold."""
    ends = stored.lifetime.expires_at
    if deciding is not None and ends is not None and ends <= deciding:
        return None
    head = stored.head
    if head.status is Status.ACTIVE and now in head.valid and head.value is not None:
        return ItemHit(stored, head.value)
    record = tx.records.load_row(stored.row)
    current = record.current(now) if record else None
    if current is None or current.value is None:
        return None
    return ItemHit(replace(stored, head=current), current.value)


@dataclass(frozen=True, slots=True)
class _View:
    """One search's view of the truth: what it may return, and in which order unranked."""

    tx: Transaction
    asked: SearchItems
    now: datetime
    deciding: datetime | None

    def rows(self, limit: int | None = None) -> list[int]:
        """Return the rows that may be visible and meet the filter, latest write first."""
        return self.tx.records.matching(
            self.asked.prefix, now=self.deciding, limit=limit, wanted=self.asked.wanted,
            holding=self.now,
        )  # fmt: skip

    def page(self, *, limit: int, offset: int, holding: datetime | None) -> list[Stored]:
        """Return a page of the records at :meth:`rows`."""
        return self.tx.records.live(
            self.asked.prefix, now=self.deciding, limit=limit, offset=offset,
            wanted=self.asked.wanted, holding=holding,
        )  # fmt: skip

    def hits(self, rows: Sequence[int]) -> Iterator[ItemHit]:
        """Read rows, in the order given, as far as they are asked for."""
        step = max(READ_AT_ONCE, self.asked.offset + self.asked.limit)
        for start in range(0, len(rows), step):
            yield from self.shown(self.tx.records.heads(rows[start : start + step]))

    def shown(self, found: Iterable[Stored]) -> Iterator[ItemHit]:
        """Yield those that are visible and meet the filter, as they hold now."""
        for each in found:
            hit = visible(self.tx, each, now=self.now, deciding=self.deciding)
            if hit is not None and matches(hit.value, self.asked.wanted or {}):
                yield hit


def _listed(view: _View) -> list[ItemHit]:
    """Return one page, latest write first."""
    limit, offset = view.asked.limit, view.asked.offset
    if not view.tx.records.unsettled(view.asked.prefix):
        page = view.page(limit=limit, offset=offset, holding=None)
        return [ItemHit(each, each.head.value or {}) for each in page]
    # Some records that may be visible are not: they count for no page.
    hits: list[ItemHit] = []
    seen, step = 0, offset + limit
    while True:
        found = view.page(limit=step, offset=seen, holding=view.now)
        hits += view.shown(found)
        if len(hits) >= offset + limit or len(found) < step:
            return hits[offset : offset + limit]
        seen, step = seen + step, 4 * step


def _few(view: _View) -> list[int] | None:
    """Return the rows that the filter leaves; None without one, and for too many."""
    if not view.asked.wanted:
        return None
    rows = view.rows(limit=WIDTH + 1)
    return rows if len(rows) <= WIDTH else None


def _compared(
    engine: Engine, view: _View, vector: Vectors | None, rows: Sequence[int]
) -> list[ItemHit]:
    """Return all of few rows that have words or meaning in common with the query, ranked."""
    if not rows:
        return []
    found = _search(engine, view, vector).among(rows).found
    return list(islice(_scored(view, found), view.asked.offset + view.asked.limit))


def _ranked(engine: Engine, view: _View, vector: Vectors | None) -> list[ItemHit]:
    """Return the best hits up to the page's end.

    The order is that of all there are, so that no page changes it. If a filter leaves too
    little of the best, only what it lets through is ranked from there on.
    """
    needed = wide = view.asked.offset + view.asked.limit
    search = _search(engine, view, vector)
    allowed: frozenset[int] | None = None
    while True:
        proposed = search.best(wide, among=allowed)
        hits = list(islice(_scored(view, proposed.found), needed))
        if len(hits) >= needed or (proposed.complete and len(proposed.found) < wide):
            return hits
        if view.asked.wanted and allowed is None and wide >= WIDTH:
            allowed = frozenset(view.rows())
        else:
            wide *= 4


def _search(engine: Engine, view: _View, vector: Vectors | None) -> Search:
    assert view.asked.query is not None
    return Search(
        engine.index,
        engine.word_index,
        view.tx,
        view.asked.query,
        vector,
        [view.asked.prefix],
        explain=False,
    )


def _scored(view: _View, proposed: Sequence[Candidate]) -> Iterator[ItemHit]:
    """Yield the candidates that are visible and meet the filter, in their order."""
    scores = {each.row: each.score for each in proposed}
    for hit in view.hits(list(scores)):
        yield replace(hit, score=scores[hit.stored.row])
