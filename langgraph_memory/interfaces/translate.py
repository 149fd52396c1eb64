"""Between LangGraph's operations and ours: everything is checked here, before any is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from langgraph_memory.domain import filters
from langgraph_memory.domain.json import JsonObject, as_text, check_text, checked_copy
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.namespace import Namespace, as_namespace
from langgraph_memory.domain.record import check_limits
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.interfaces import namespaces
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.interfaces.embedding import Fields, texts_of
from langgraph_memory.operations.item_past import SearchPast
from langgraph_memory.operations.item_search import ItemHit, SearchItems
from langgraph_memory.operations.item_writes import PutItem
from langgraph_memory.operations.items import GetItem, ItemRequest, ListNamespaces
from langgraph_memory.policy.admission import MAX_TTL_MINUTES

_MOST = 2**40  # items; no store has so many, and SQLite counts no further than 2**63
MAX_QUERY_CHARACTERS = 20_000
"""A longer query is cut: no model reads more of it, and no reader types it."""


Labels = Sequence[str]
"""A namespace as callers may give it."""


class VersionedItem(Item):
    """LangGraph's item, and which version of it this is."""

    __slots__ = ("version",)
    version: int


class VersionedSearchItem(SearchItem):
    """LangGraph's search item, and which version of it this is."""

    __slots__ = ("version",)
    version: int


T = TypeVar("T", VersionedItem, VersionedSearchItem)


def checked(op: Op) -> Op:
    """Return a well-formed operation.

    Raises:
        InvalidNamespaceError: A label is empty, no text, or holds a dot or NUL.
        InvalidInputError: Anything else is malformed.
    """
    given: Any
    if isinstance(op, SearchOp):
        given = op.namespace_prefix
    elif isinstance(op, GetOp | PutOp):
        given = op.namespace
    elif isinstance(op, ListNamespacesOp):
        given = ()
        namespaces.check(op)
    else:
        raise InvalidInputError(
            f"Unknown operation {type(op).__name__}. Use GetOp, PutOp, SearchOp or "
            "ListNamespacesOp."
        )
    _check_labels(given)
    validate_op_namespace(op)
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
            return ListNamespaces()
    raise AssertionError(op)


def item(hit: ItemHit) -> Item:
    """Return LangGraph's item."""
    (found,) = _filled(VersionedItem, [hit])
    return found


def search_items(hits: Sequence[ItemHit]) -> list[SearchItem]:
    """Return LangGraph's search items."""
    items = _filled(VersionedSearchItem, hits)
    for found, hit in zip(items, hits, strict=True):
        found.score = hit.score
    return cast("list[SearchItem]", items)


def _filled(kind: type[T], hits: Sequence[ItemHit]) -> list[T]:
    """Return items, every slot filled: LangGraph's own constructors check types, which costs."""
    new = kind.__new__
    items: list[T] = []
    for said, _, version in hits:
        found = new(kind)
        (
            _, found.namespace, found.key, found.created_at, found.updated_at, number, value,
            _, _, _,
        ) = said  # fmt: skip
        found.value = value or {}
        found.version = version or number
        items.append(found)
    return items


def as_labels(namespace: Labels) -> tuple[str, ...]:
    """Return a namespace under LangGraph's type; what is wrong with it is told by the checks."""
    return cast("tuple[str, ...]", namespace)


def address(namespace: Sequence[str], key: str) -> tuple[Namespace, str]:
    """Return where an item stands. Raises as :func:`checked`."""
    op = checked(GetOp(as_labels(namespace), key))
    assert isinstance(op, GetOp)
    return as_namespace(op.namespace), _key(op.key)


def past(op: SearchOp, at: Moment, texts: Callable[[JsonObject], tuple[str, ...]]) -> SearchPast:
    """Return our request for a search at another moment. Raises as :func:`checked`."""
    checked(op)
    asked = _search(op)
    return SearchPast(asked.prefix, at, texts, asked.query, asked.wanted, asked.limit, asked.offset)


def _search(op: SearchOp) -> SearchItems:
    check_limits(op.limit, op.offset)
    wanted: dict[str, Any] | None = None
    if op.filter:
        filters.check(op.filter)
        wanted = checked_copy(_lists(op.filter), path="filter", finite=False)
    query = op.query
    if query is not None:
        if not isinstance(query, str):
            raise InvalidInputError(f"A query is text, not {type(query).__name__}.")
        query = as_text(query[:MAX_QUERY_CHARACTERS])
    return SearchItems(
        prefix=as_namespace(op.namespace_prefix),
        query=query,
        wanted=wanted,
        limit=min(op.limit, _MOST),
        offset=min(op.offset, _MOST),
        refresh=op.refresh_ttl,
    )


def _put(op: PutOp, fields: Fields) -> PutItem:
    namespace = as_namespace(op.namespace)
    if not namespace:
        raise InvalidNamespaceError("An item needs a namespace of at least one label.")
    _check_ttl(op.ttl)
    more = op if isinstance(op, VersionedPut) else VersionedPut.of(op)
    expected = _version(more.expected_version)
    if op.value is None:
        return PutItem(namespace, _key(op.key), None, expected=expected)
    value = checked_copy(op.value)
    return PutItem(
        namespace, _key(op.key), value, texts_of(value, op.index, fields), ttl_minutes=op.ttl,
        valid=more.valid, expected=expected, protected=more.protected,
    )  # fmt: skip


def _check_ttl(minutes: float | None) -> None:
    number = minutes if isinstance(minutes, int | float) and minutes is not True else 0
    if minutes is not None and not 0 < number <= MAX_TTL_MINUTES:
        raise InvalidInputError(
            f"ttl is {minutes!r} minutes; give more than 0 and up to {MAX_TTL_MINUTES:,}, or None."
        )


def _version(number: int | None) -> int | None:
    if number is None or (type(number) is int and number >= 0):
        return number
    raise InvalidInputError(
        f"expected_version is {number!r}; give the version that was read (item.version), 0 for "
        "an item that must not be there, or leave it out."
    )


def _check_labels(given: Any) -> None:
    """Refuse what is no sequence of labels; the letters of a text would be taken for labels."""
    if type(given) is tuple:
        return
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidNamespaceError(
            f'The namespace is {given!r}. Give a tuple of labels: ("users", "jane").'
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
