"""The plain store's operations, as one atomic batch.

All reads of a batch see the state before it; then all writes happen together, the last one
for each address. Inside the memory root a write is a statement like any other and passes
the write policy; outside it an item is kept as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import PLAIN, Provenance, Source, SourceKind
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import in_memory_root, locate
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import bury
from langgraph_memory.operations.item_search import ItemHit, SearchItems, search, visible
from langgraph_memory.operations.remember import (
    Prepared,
    Statement,
    lifetime,
    prepare,
    write,
)
from langgraph_memory.policy.admission import CONTENT, check_key
from langgraph_memory.ports import IndexEntry, Transaction, Vectors


@dataclass(frozen=True, slots=True)
class GetItem:
    """Read one item; ``refresh`` lets its retention run anew."""

    namespace: Namespace
    key: str
    refresh: bool = False


@dataclass(frozen=True, slots=True)
class PutItem:
    """Write one item, or delete it where ``value`` is None.

    Attributes:
        texts: What search is told of it; empty keeps it out of search by query.
        ttl_minutes: Its retention; None is permanent.
    """

    namespace: Namespace
    key: str
    value: JsonObject | None
    texts: tuple[str, ...] = ()
    ttl_minutes: float | None = None


@dataclass(frozen=True, slots=True)
class ListNamespaces:
    """Read the namespaces that hold live items."""


ItemRequest = GetItem | SearchItems | PutItem | ListNamespaces
ItemResult = ItemHit | list[ItemHit] | list[Namespace] | None


@dataclass(frozen=True, slots=True)
class _PlainWrite:
    put: PutItem
    entry: IndexEntry


def run_batch(
    engine: Engine, requests: Sequence[ItemRequest], *, hide_expired: bool = True
) -> list[ItemResult]:
    """Run requests as one batch and return one result each, in order.

    Raises:
        InvalidInputError: A write was refused; nothing of the batch was written.
    """
    now = engine.clock()
    deciding = now if hide_expired else None
    writes = [_prepared(engine, put) for put in _last_puts(requests)]
    queries = _query_vectors(engine, requests)
    results: list[ItemResult] = [None] * len(requests)
    refreshed: list[int] = []
    with engine.database.read() as tx:
        for position, request in enumerate(requests):
            results[position] = _read(engine, tx, request, queries, now, deciding)
            refreshed += _to_refresh(request, results[position])
    if writes or refreshed:
        with engine.database.write() as tx:
            tx.records.refresh(refreshed, now=now)
            for each in writes:
                _write(engine, tx, each)
    return results


def _last_puts(requests: Sequence[ItemRequest]) -> list[PutItem]:
    """Return the last put of each address."""
    puts = {(each.namespace, each.key): each for each in requests if isinstance(each, PutItem)}
    return list(puts.values())


def _prepared(engine: Engine, put: PutItem) -> Prepared | _PlainWrite:
    if in_memory_root(put.namespace) and put.value is not None:
        return prepare(engine, _as_statement(put))
    return _PlainWrite(put, engine.entry(put.texts) if put.texts else IndexEntry())


def _as_statement(put: PutItem) -> Statement:
    place = locate(put.namespace)
    if place is None:
        raise InvalidInputError(
            f"{put.namespace} is no memory namespace. Make one with scope(...).namespace(kind), "
            'or keep plain items outside ("memory", ...).'
        )
    scope, kind = place
    content = (put.value or {}).get(CONTENT)
    if not isinstance(content, str):
        raise InvalidInputError(
            f'A memory under {put.namespace} is a value with its text under "{CONTENT}".'
        )
    return Statement(
        content=content,
        scope=scope,
        provenance=Provenance(Source(SourceKind.APPLICATION)),
        kind=kind,
        key=check_key(put.key),
        ttl_minutes=put.ttl_minutes,
        metadata={name: part for name, part in (put.value or {}).items() if name != CONTENT},
    )


def _query_vectors(engine: Engine, requests: Sequence[ItemRequest]) -> dict[str, Vectors | None]:
    asked = {each.query for each in requests if isinstance(each, SearchItems) and each.query}
    return {query: engine.query_vector(query) for query in asked}


def _read(
    engine: Engine, tx: Transaction, request: ItemRequest, queries: dict[str, Vectors | None],
    now: datetime, deciding: datetime | None,
) -> ItemResult:  # fmt: skip
    match request:
        case GetItem():
            stored = tx.records.head(request.namespace, request.key)
            return visible(tx, stored, now=now, deciding=deciding) if stored else None
        case SearchItems():
            vector = queries.get(request.query or "")
            return search(engine, tx, request, vector, now=now, deciding=deciding)
        case ListNamespaces():
            return tx.records.namespaces(now=deciding)
        case PutItem():
            return None


def _to_refresh(request: ItemRequest, result: ItemResult) -> list[int]:
    if not isinstance(request, GetItem | SearchItems) or not request.refresh:
        return []
    hits = result if isinstance(result, list) else [result]
    return [
        hit.stored.row
        for hit in hits
        if isinstance(hit, ItemHit) and hit.stored.lifetime.ttl_minutes is not None
    ]


def _write(engine: Engine, tx: Transaction, each: Prepared | _PlainWrite) -> None:
    if isinstance(each, Prepared):
        write(engine, tx, each)
        return
    put, now = each.put, engine.clock()
    stored = tx.records.head(put.namespace, put.key)
    record = tx.records.load_row(stored.row) if stored else None
    if put.value is None:
        if record is not None:
            bury(engine, tx, record, PLAIN)
        return
    kept = lifetime(put.ttl_minutes, now)
    if stored is None or record is None:
        born = Record.first(engine.new_id(), put.namespace, put.key, put.value, now=now)
        tx.records.save(born, known=0, entry=each.entry, lifetime=kept)
        return
    # What has expired is gone for its readers: what is put now begins a new life.
    before = record.delete(now=now) if stored.lifetime.over(now) else record
    grown = before.supersede(put.value, now=now)
    tx.records.save(grown, known=record.head.number, entry=each.entry, lifetime=kept)
