"""The plain store's operations, as one atomic batch.

All reads of a batch see the state before it; then all writes happen together, the last one
for each address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.item_search import ItemHit, SearchItems, search, visible
from langgraph_memory.operations.item_writes import PutItem, last_puts, planned, write_all
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import Transaction, Vectors


@dataclass(frozen=True, slots=True)
class GetItem:
    """Read one item; ``refresh`` lets its retention run anew."""

    namespace: Namespace
    key: str
    refresh: bool = False


@dataclass(frozen=True, slots=True)
class ListNamespaces:
    """Read the namespaces that hold live items."""


ItemRequest = GetItem | SearchItems | PutItem | ListNamespaces
ItemResult = ItemHit | list[ItemHit] | list[Namespace] | None


def run_batch(
    engine: Engine, requests: Sequence[ItemRequest], *, hide_expired: bool = True,
    retention: Retention | None = None,
) -> list[ItemResult]:  # fmt: skip
    """Run requests as one batch and return one result each, in order.

    Args:
        engine: The ports.
        requests: What to do.
        hide_expired: Whether expired items are gone before a sweep removes them.
        retention: Bounds for plain items instead of the home's own.

    Raises:
        InvalidInputError: A write was refused; nothing of the batch was written.
        VersionConflictError: An item is not at the expected version; the same.
        NamespaceFullError: There is no room and nothing may give way; the same.
        EmbeddingError: The embedder does not work; the same.
    """
    now = engine.clock()
    deciding = now if hide_expired else None
    puts = [each for each in requests if isinstance(each, PutItem)]
    writes = [planned(engine, put) for put in last_puts(puts)] if puts else []
    entries = engine.entries([each.wording for each in writes]) if writes else []
    queries = _query_vectors(engine, requests)
    results: list[ItemResult] = [None] * len(requests)
    used: list[int] = []
    refreshed: list[int] = []
    if len(puts) < len(requests):
        results = engine.viewed(lambda tx: _read_all(engine, tx, requests, queries, now, deciding))
        used, refreshed = _used(requests, results)
    if writes:
        with engine.database.write() as tx:
            if any(each.vectors is not None for each in entries):
                engine.check_space(tx)
            tx.records.refresh(refreshed, now=now)
            bounds = (retention or engine.retention).showing(hide_expired=hide_expired)
            write_all(engine, tx, writes, entries, bounds)
    elif refreshed:
        engine.renew(refreshed, now)
    if used:
        engine.usage.note(used, now)
    return results


def _query_vectors(engine: Engine, requests: Sequence[ItemRequest]) -> dict[str, Vectors | None]:
    asked = [each.query for each in requests if isinstance(each, SearchItems) and each.query]
    return {query: engine.query_vector(query) for query in dict.fromkeys(asked)} if asked else {}


def _read_all(
    engine: Engine, tx: Transaction, requests: Sequence[ItemRequest],
    queries: dict[str, Vectors | None], now: datetime, deciding: datetime | None,
) -> list[ItemResult]:  # fmt: skip
    if queries and any(vector is not None for vector in queries.values()):
        engine.check_space(tx)
    return [_read(engine, tx, each, queries, now, deciding) for each in requests]


def _read(
    engine: Engine, tx: Transaction, request: ItemRequest, queries: dict[str, Vectors | None],
    now: datetime, deciding: datetime | None,
) -> ItemResult:  # fmt: skip
    match request:
        case GetItem():
            item = tx.records.shown_at(request.namespace, request.key)
            return visible(tx, item, now, deciding, None) if item else None
        case SearchItems():
            vector = queries.get(request.query or "")
            return search(engine, tx, request, vector, now=now, deciding=deciding)
        case ListNamespaces():
            return tx.records.namespaces(now=deciding)
        case PutItem():
            return None


def _used(
    requests: Sequence[ItemRequest], results: Sequence[ItemResult]
) -> tuple[list[int], list[int]]:
    """Return the rows that were found, and those of them whose lifetimes run anew."""
    used: list[int] = []
    refreshed: list[int] = []
    for request, result in zip(requests, results, strict=True):
        refresh = isinstance(request, GetItem | SearchItems) and request.refresh
        for hit in _hits(result):
            item = hit.item
            used.append(item.row)
            if refresh and item.ttl_minutes is not None:
                refreshed.append(item.row)
    return used, refreshed


def _hits(result: ItemResult) -> Sequence[ItemHit]:
    if isinstance(result, ItemHit):
        return [result]
    if not result or not isinstance(result[0], ItemHit):
        return ()  # nothing, or namespaces
    return result
