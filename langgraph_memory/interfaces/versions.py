"""The store's doors to time: conditions on a write, reads at another moment, history."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    InvalidNamespaceError,
    Item,
    NotProvided,
    PutOp,
    SearchItem,
    SearchOp,
)

from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.record import Version
from langgraph_memory.interfaces import translate
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.interfaces.embedding import Fields, texts_of
from langgraph_memory.interfaces.turns import Turns
from langgraph_memory.memory import Memory

RESERVED = "langgraph"
Labels = Sequence[str]


class Versions(BaseStore):
    """What a store adds to LangGraph's: every method has an asynchronous twin.

    A version is a number that grows by one with each write of an item. ``get`` and
    ``search`` return items that carry theirs as ``item.version``.
    """

    __slots__ = ("_fields",)
    _fields: Fields
    _turns: Turns

    @property
    @abstractmethod
    def memory(self) -> Memory:
        """Return the memory this store is a door to."""

    @abstractmethod
    def _hides_expired(self) -> bool:
        """Tell whether expired items are hidden before a sweep."""

    def put(
        self, namespace: Labels, key: str, value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None, *,
        ttl: float | NotProvided | None = NOT_PROVIDED, expected_version: int | None = None,
        valid_from: datetime | None = None, valid_until: datetime | None = None,
        protected: bool = False,
    ) -> None:  # fmt: skip
        """Write an item; what was there before becomes history.

        Args:
            namespace: Its place, at least one label.
            key: Its name there.
            value: JSON; what cannot be kept exactly is refused with its path.
            index: Fields to search by, False for none; the store's own if omitted.
            ttl: Minutes to live after the last write or refreshing read; None is for ever.
            expected_version: Write only if the item is at this version; 0 if it must not be
                there.
            valid_from: Holds from this instant in the world; an aware datetime.
            valid_until: No longer holds from this instant; an aware datetime.
            protected: Never evicted to make room.

        Raises:
            InvalidNamespaceError, InvalidInputError: The call is wrong; nothing was written.
            VersionConflictError: The item is at another version; nothing was written.
            NamespaceFullError: ``max_items`` is reached, and all items are protected.
        """
        self.batch([
            self._put(namespace, key, value, index, ttl, expected_version, valid_from,
                      valid_until, protected)
        ])  # fmt: skip

    async def aput(
        self, namespace: Labels, key: str, value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None, *,
        ttl: float | NotProvided | None = NOT_PROVIDED, expected_version: int | None = None,
        valid_from: datetime | None = None, valid_until: datetime | None = None,
        protected: bool = False,
    ) -> None:  # fmt: skip
        """Do what :meth:`put` does without blocking the event loop."""
        await self.abatch([
            self._put(namespace, key, value, index, ttl, expected_version, valid_from,
                      valid_until, protected)
        ])  # fmt: skip

    def delete(self, namespace: Labels, key: str, *, expected_version: int | None = None) -> None:
        """Delete an item: no read finds it, its history stays until it is erased.

        Raises:
            VersionConflictError: The item is at another version; nothing was deleted.
        """
        self.batch([_deletion(namespace, key, expected_version)])

    async def adelete(
        self, namespace: Labels, key: str, *, expected_version: int | None = None
    ) -> None:
        """Do what :meth:`delete` does without blocking the event loop."""
        await self.abatch([_deletion(namespace, key, expected_version)])

    def get(
        self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None,
        as_of: datetime | None = None, valid_at: datetime | None = None,
    ) -> Item | None:  # fmt: skip
        """Return an item, None if there is none.

        Args:
            namespace: Its place.
            key: Its name there.
            refresh_ttl: Whether its time to live runs anew; the store's default if omitted.
            as_of: Read what was believed at this instant, what was deleted since included;
                an aware datetime. Refreshes nothing.
            valid_at: Read what held at this instant in the world, as far as is known (today,
                or ``as_of`` then).
        """
        at = Moment.of(as_of, valid_at)
        if at is None:
            return super().get(_labels(namespace), key, refresh_ttl=refresh_ttl)
        place, name = translate.address(namespace, key)
        hit = self.memory.past_item(place, name, at, hide_expired=self._hides_expired())
        return translate.item(hit) if hit else None

    async def aget(
        self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None,
        as_of: datetime | None = None, valid_at: datetime | None = None,
    ) -> Item | None:  # fmt: skip
        """Do what :meth:`get` does without blocking the event loop."""
        if as_of is None and valid_at is None:
            return await super().aget(_labels(namespace), key, refresh_ttl=refresh_ttl)
        return await self._turns.in_thread(
            self.get, namespace, key, refresh_ttl=refresh_ttl, as_of=as_of, valid_at=valid_at
        )

    def search(
        self, namespace_prefix: Labels, /, *, query: str | None = None,
        filter: dict[str, Any] | None = None, limit: int = 10, offset: int = 0,  # noqa: A002
        refresh_ttl: bool | None = None, as_of: datetime | None = None,
        valid_at: datetime | None = None,
    ) -> list[SearchItem]:  # fmt: skip
        """Return items under a prefix, ranked by a query or latest first.

        Args:
            namespace_prefix: Where to look; empty is everywhere.
            query: Text to rank by.
            filter: Conditions on the value; docs/filters.md has the truth table.
            limit: At most so many.
            offset: How many to pass over first.
            refresh_ttl: Whether the time to live of what is returned runs anew.
            as_of: Search what was believed at this instant; an aware datetime.
            valid_at: Search what held at this instant in the world.
        """
        prefix = _labels(namespace_prefix)
        at = Moment.of(as_of, valid_at)
        if at is None:
            return super().search(
                prefix, query=query, filter=filter, limit=limit, offset=offset,
                refresh_ttl=refresh_ttl,
            )  # fmt: skip
        past = translate.past(SearchOp(prefix, filter, limit, offset, query), at, self._spoken)
        hits = self.memory.search_past(past, hide_expired=self._hides_expired())
        return [translate.search_item(hit) for hit in hits]

    async def asearch(
        self, namespace_prefix: Labels, /, *, query: str | None = None,
        filter: dict[str, Any] | None = None, limit: int = 10, offset: int = 0,  # noqa: A002
        refresh_ttl: bool | None = None, as_of: datetime | None = None,
        valid_at: datetime | None = None,
    ) -> list[SearchItem]:  # fmt: skip
        """Do what :meth:`search` does without blocking the event loop."""
        if as_of is None and valid_at is None:
            return await super().asearch(
                _labels(namespace_prefix), query=query, filter=filter, limit=limit, offset=offset,
                refresh_ttl=refresh_ttl,
            )  # fmt: skip
        return await self._turns.in_thread(
            self.search, namespace_prefix, query=query, filter=filter, limit=limit,
            offset=offset, refresh_ttl=refresh_ttl, as_of=as_of, valid_at=valid_at,
        )  # fmt: skip

    def history(self, namespace: Labels, key: str) -> list[Version]:
        """Return every version kept of an item, oldest first, tombstones included."""
        place, name = translate.address(namespace, key)
        return self.memory.history(place, name, hide_expired=self._hides_expired())

    async def ahistory(self, namespace: Labels, key: str) -> list[Version]:
        """Do what :meth:`history` does without blocking the event loop."""
        return await self._turns.in_thread(self.history, namespace, key)

    def get_version(self, namespace: Labels, key: str, version: int) -> Version | None:
        """Return one version of an item, None if it is not kept."""
        kept = {each.number: each for each in self.history(namespace, key)}
        return kept.get(version)

    async def aget_version(self, namespace: Labels, key: str, version: int) -> Version | None:
        """Do what :meth:`get_version` does without blocking the event loop."""
        return await self._turns.in_thread(self.get_version, namespace, key, version)

    def diff(
        self, namespace: Labels, key: str, older: int, newer: int | None = None
    ) -> list[Difference]:
        """Return what changed between two versions, field by field; ``newer`` is the last.

        Raises:
            NotFoundError: A version is not kept.
        """
        return self.memory.diff(*translate.address(namespace, key), older, newer)

    async def adiff(
        self, namespace: Labels, key: str, older: int, newer: int | None = None
    ) -> list[Difference]:
        """Do what :meth:`diff` does without blocking the event loop."""
        return await self._turns.in_thread(self.diff, namespace, key, older, newer)

    def restore(
        self, namespace: Labels, key: str, version: int, *, expected_version: int | None = None
    ) -> None:
        """Say an older version again, as a new version; a deleted item comes back.

        The item lives on as if it had been put: with the store's default time to live.

        Raises:
            NotFoundError: The version is not kept, or is a tombstone.
            VersionConflictError: The item is at another version; nothing was written.
        """
        place, name = translate.address(namespace, key)
        old = self.memory.version_to_restore(place, name, version)
        assert old.value is not None
        self.put(
            place, name, old.value, expected_version=expected_version,
            valid_from=old.valid.start, valid_until=old.valid.end,
        )  # fmt: skip

    async def arestore(
        self, namespace: Labels, key: str, version: int, *, expected_version: int | None = None
    ) -> None:
        """Do what :meth:`restore` does without blocking the event loop."""
        await self._turns.in_thread(
            self.restore, namespace, key, version, expected_version=expected_version
        )

    def _spoken(self, value: JsonObject) -> tuple[str, ...]:
        return texts_of(value, None, self._fields)

    def _put(
        self, namespace: Labels, key: str, value: Mapping[str, Any],
        index: Literal[False] | list[str] | None, ttl: float | NotProvided | None,
        expected_version: int | None, valid_from: datetime | None,
        valid_until: datetime | None, protected: bool,
    ) -> PutOp:  # fmt: skip
        if namespace and namespace[0] == RESERVED:
            raise InvalidNamespaceError(
                f'"{RESERVED}" is LangGraph\'s own. Begin the namespace with another label.'
            )
        minutes = (self.ttl_config or {}).get("default_ttl") if ttl is NOT_PROVIDED else ttl
        assert not isinstance(minutes, NotProvided)
        op = PutOp(_labels(namespace), str(key), cast("dict[str, Any]", value), index, minutes)
        return VersionedPut.of(
            op, expected_version=expected_version, valid_from=valid_from,
            valid_until=valid_until, protected=protected,
        )  # fmt: skip


def _labels(namespace: Labels) -> tuple[str, ...]:
    """Return a namespace under LangGraph's type; what is wrong with it is told further in."""
    return cast("tuple[str, ...]", namespace)


def _deletion(namespace: Labels, key: str, expected_version: int | None) -> PutOp:
    op = PutOp(_labels(namespace), str(key), None)
    return VersionedPut.of(op, expected_version=expected_version)
