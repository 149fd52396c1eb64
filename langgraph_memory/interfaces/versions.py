"""The store's doors to time: reads at another moment, history, restoring."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from langgraph.store.base import (
    NOT_PROVIDED,
    Item,
    PutOp,
    SearchItem,
    SearchOp,
)

from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Version
from langgraph_memory.interfaces import loops, translate
from langgraph_memory.interfaces.embedding import Fields, texts_of
from langgraph_memory.interfaces.translate import Labels, as_labels
from langgraph_memory.interfaces.writes import Writes
from langgraph_memory.operations.item_history import Restorable


class Versions(Writes):
    """What a store adds to LangGraph's: every method has an asynchronous twin.

    A version is a number that grows by one with each write of an item. ``get`` and
    ``search`` return items that carry theirs as ``item.version``.
    """

    __slots__ = ("_fields",)
    _fields: Fields

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
            return super().get(as_labels(namespace), key, refresh_ttl=refresh_ttl)
        place, name = translate.address(namespace, key)
        hit = self.memory.past_item(place, name, at, hide_expired=self._hides_expired())
        return translate.item(hit) if hit else None

    async def aget(
        self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None,
        as_of: datetime | None = None, valid_at: datetime | None = None,
    ) -> Item | None:  # fmt: skip
        """Do what :meth:`get` does without blocking the event loop."""
        if as_of is None and valid_at is None:
            return await super().aget(as_labels(namespace), key, refresh_ttl=refresh_ttl)
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
        prefix = as_labels(namespace_prefix)
        at = Moment.of(as_of, valid_at)
        if at is None:
            refresh = self._refreshes() if refresh_ttl is None else refresh_ttl
            (found,) = self.batch([SearchOp(prefix, filter, limit, offset, query, refresh)])
            return cast("list[SearchItem]", found)
        past = translate.past(SearchOp(prefix, filter, limit, offset, query), at, self._spoken)
        hits = self.memory.search_past(past, hide_expired=self._hides_expired())
        return translate.search_items(hits)

    async def asearch(
        self, namespace_prefix: Labels, /, *, query: str | None = None,
        filter: dict[str, Any] | None = None, limit: int = 10, offset: int = 0,  # noqa: A002
        refresh_ttl: bool | None = None, as_of: datetime | None = None,
        valid_at: datetime | None = None,
    ) -> list[SearchItem]:  # fmt: skip
        """Do what :meth:`search` does without blocking the event loop."""
        if as_of is None and valid_at is None:
            return await super().asearch(
                as_labels(namespace_prefix), query=query, filter=filter, limit=limit, offset=offset,
                refresh_ttl=refresh_ttl,
            )  # fmt: skip
        with loops.on_this_loop():
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
        place, name = translate.address(namespace, key)
        return self.memory.diff(place, name, older, newer, hide_expired=self._hides_expired())

    async def adiff(
        self, namespace: Labels, key: str, older: int, newer: int | None = None
    ) -> list[Difference]:
        """Do what :meth:`diff` does without blocking the event loop."""
        return await self._turns.in_thread(self.diff, namespace, key, older, newer)

    def restore(
        self,
        namespace: Labels,
        key: str,
        version: int,
        *,
        expected_version: int | None = None,
    ) -> None:
        """Say an older version again, as a new version; a deleted item comes back.

        Its time to live is the store's default. An item that is there stays protected, and out
        of search, if it was.

        Raises:
            NotFoundError: The version is not kept, or is a tombstone.
            VersionConflictError: The item is at another version; nothing was written.
        """
        place, name = translate.address(namespace, key)
        old = self._version_to_restore(place, name, version)
        self.batch([self._restoring(place, name, old, expected_version)])

    async def arestore(
        self,
        namespace: Labels,
        key: str,
        version: int,
        *,
        expected_version: int | None = None,
    ) -> None:
        """Do what :meth:`restore` does without blocking the event loop."""
        place, name = translate.address(namespace, key)
        old = await self._turns.in_thread(self._version_to_restore, place, name, version)
        await self.abatch([self._restoring(place, name, old, expected_version)])

    def _version_to_restore(self, place: Namespace, name: str, version: int) -> Restorable:
        return self.memory.version_to_restore(
            place, name, version, hide_expired=self._hides_expired()
        )

    def _restoring(
        self, place: Namespace, name: str, old: Restorable, expected_version: int | None
    ) -> PutOp:
        assert old.version.value is not None
        return self._put(
            place, name, old.version.value, None if old.searched else False, NOT_PROVIDED,
            expected_version, old.version.valid.start, old.version.valid.end, old.protected,
        )  # fmt: skip

    def _spoken(self, value: JsonObject) -> tuple[str, ...]:
        return texts_of(value, None, self._fields)
