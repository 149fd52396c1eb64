"""Search among items: filter, rank, page. The database decides what is visible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Status, check_limits
from langgraph_memory.domain.scope import in_memory_root
from langgraph_memory.operations.engine import Engine
from langgraph_memory.ports import Stored, Transaction, Vectors
from langgraph_memory.retrieval.candidates import meanings, propose
from langgraph_memory.retrieval.fusion import Candidate

WIDTH = 2_000
"""Proposals of each channel that are ranked together."""

READ_AT_ONCE = 50


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
    if not asked.query or not asked.query.strip():
        return _listed(tx, asked, now, deciding)
    ranked = _ranked(engine, tx, asked, vector, now, deciding)
    page = ranked[asked.offset : asked.offset + asked.limit]
    if len(page) == asked.limit:
        return page
    rows = {hit.stored.row for hit in ranked}
    rest = [hit for hit in _all(tx, asked, now, deciding) if hit.stored.row not in rows]
    start = max(0, asked.offset - len(ranked))
    return page + rest[start : start + asked.limit - len(page)]


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


def _listed(
    tx: Transaction, asked: SearchItems, now: datetime, deciding: datetime | None
) -> list[ItemHit]:
    if asked.prefix and not in_memory_root(asked.prefix):
        page = tx.records.live(
            asked.prefix, now=deciding, limit=asked.limit, offset=asked.offset,
            wanted=asked.wanted,
        )  # fmt: skip
        return [ItemHit(each, each.head.value or {}) for each in page]
    # Under the memory root some live records do not hold now: they count for no page.
    return _all(tx, asked, now, deciding)[asked.offset : asked.offset + asked.limit]


def _all(
    tx: Transaction, asked: SearchItems, now: datetime, deciding: datetime | None
) -> list[ItemHit]:
    """Return every visible item that meets the filter, as it holds now."""
    found = tx.records.live(asked.prefix, now=deciding)
    hits = (visible(tx, each, now=now, deciding=deciding) for each in found)
    return [hit for hit in hits if hit is not None and matches(hit.value, asked.wanted or {})]


def _ranked(
    engine: Engine, tx: Transaction, asked: SearchItems, vector: Vectors | None,
    now: datetime, deciding: datetime | None,
) -> list[ItemHit]:  # fmt: skip
    """Return the best hits up to the page's end.

    The order does not depend on the page: everything within a fixed width is ranked first,
    and only then read, best first, until enough has passed the filter. A page beyond that
    width is ranked within a larger one.
    """
    assert asked.query is not None
    needed = asked.offset + asked.limit
    width = WIDTH
    while True:
        near = meanings(engine.index, vector, [asked.prefix], width=width)
        proposed = propose(tx, asked.query, vector, near, [asked.prefix], width=width)
        hits = _first(tx, asked, proposed, needed, now, deciding)
        if len(hits) >= needed or len(proposed) < width:
            return hits
        width *= 4


def _first(
    tx: Transaction, asked: SearchItems, proposed: list[Candidate], needed: int,
    now: datetime, deciding: datetime | None,
) -> list[ItemHit]:  # fmt: skip
    """Return the first ``needed`` candidates that are visible and meet the filter."""
    hits: list[ItemHit] = []
    step = max(READ_AT_ONCE, needed)
    for start in range(0, len(proposed), step):
        scores = {each.row: each.score for each in proposed[start : start + step]}
        hits += [
            replace(hit, score=scores[each.row])
            for each in tx.records.heads(list(scores))
            if (hit := visible(tx, each, now=now, deciding=deciding))
            and matches(hit.value, asked.wanted or {})
        ]
        if len(hits) >= needed:
            return hits[:needed]
    return hits
