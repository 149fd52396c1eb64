"""Between LangGraph's operations and ours: everything is checked here, before any is done."""

from __future__ import annotations

from typing import Any

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from langgraph_memory.domain import filters
from langgraph_memory.domain.json import as_text, check_text, checked_copy
from langgraph_memory.domain.namespace import as_namespace
from langgraph_memory.domain.record import check_limits
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.interfaces.embedding import Fields, texts_of
from langgraph_memory.operations.item_search import ItemHit, SearchItems
from langgraph_memory.operations.items import GetItem, ItemRequest, ListNamespaces, PutItem
from langgraph_memory.policy.admission import MAX_TTL_MINUTES

MAX_QUERY_CHARACTERS = 20_000
"""A longer query is cut: no model reads more of it, and no reader types it."""


def checked(op: Op) -> Op:
    """Return a well-formed operation.

    Raises:
        InvalidNamespaceError: A label is empty, no text, or holds a dot or NUL.
        InvalidInputError: Anything else is malformed.
    """
    match op:
        case GetOp() | PutOp() | SearchOp() | ListNamespacesOp():
            validate_op_namespace(op)
        case _:
            raise InvalidInputError(
                f"Unknown operation {type(op).__name__}. Use GetOp, PutOp, SearchOp or "
                "ListNamespacesOp."
            )
    return op


def request(op: Op, fields: Fields) -> ItemRequest:
    """Return our request for a checked operation. Raises as :func:`checked`."""
    match op:
        case GetOp():
            return GetItem(as_namespace(op.namespace), _key(op.key), op.refresh_ttl)
        case SearchOp():
            return _search(op)
        case PutOp():
            return _put(op, fields)
        case ListNamespacesOp():
            check_limits(op.limit, op.offset)
            return ListNamespaces()
    raise AssertionError(op)


def item(hit: ItemHit) -> Item:
    """Return LangGraph's item."""
    return Item(
        value=hit.value,
        key=hit.stored.key,
        namespace=hit.stored.namespace,
        created_at=hit.stored.created_at,
        updated_at=hit.stored.head.recorded_at,
    )


def search_item(hit: ItemHit) -> SearchItem:
    """Return LangGraph's search item."""
    return SearchItem(
        namespace=hit.stored.namespace,
        key=hit.stored.key,
        value=hit.value,
        created_at=hit.stored.created_at,
        updated_at=hit.stored.head.recorded_at,
        score=hit.score,
    )


def _search(op: SearchOp) -> SearchItems:
    check_limits(op.limit, op.offset)
    wanted: dict[str, Any] | None = None
    if op.filter:
        filters.check(op.filter)
        wanted = checked_copy(_lists(op.filter), path="filter")
    query = op.query
    if query is not None:
        if not isinstance(query, str):
            raise InvalidInputError(f"A query is text, not {type(query).__name__}.")
        query = as_text(query[:MAX_QUERY_CHARACTERS])
    return SearchItems(
        prefix=as_namespace(op.namespace_prefix),
        query=query,
        wanted=wanted,
        limit=op.limit,
        offset=op.offset,
        refresh=op.refresh_ttl,
    )


def _put(op: PutOp, fields: Fields) -> PutItem:
    namespace = as_namespace(op.namespace)
    if not namespace:
        raise InvalidInputError("An item needs a namespace of at least one label.")
    if op.ttl is not None and not 0 < op.ttl <= MAX_TTL_MINUTES:
        raise InvalidInputError(
            f"ttl is {op.ttl} minutes; give more than 0 and up to {MAX_TTL_MINUTES:,}, or None."
        )
    if op.value is None:
        return PutItem(namespace, _key(op.key), None)
    value = checked_copy(op.value)
    return PutItem(
        namespace, _key(op.key), value, texts_of(value, op.index, fields), ttl_minutes=op.ttl
    )


def _key(key: Any) -> str:
    return check_text(str(key), "key")


def _lists(condition: Any) -> Any:
    """Return a filter with tuples as lists: they mean the same to a filter."""
    if isinstance(condition, dict):
        return {name: _lists(part) for name, part in condition.items()}
    if isinstance(condition, list | tuple):
        return [_lists(each) for each in condition]
    return condition
