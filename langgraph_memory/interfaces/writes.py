"""The store's writes: with conditions on the version, by a merge rule, dated, protected."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, cast

from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    InvalidNamespaceError,
    NotProvided,
    PutOp,
)

from langgraph_memory.domain import merge as merging
from langgraph_memory.domain.merge import MergeRule
from langgraph_memory.errors import InvalidInputError, VersionConflictError
from langgraph_memory.interfaces import loops, translate
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.interfaces.translate import Labels, as_labels
from langgraph_memory.interfaces.turns import Turns
from langgraph_memory.memory import Memory

RESERVED = "langgraph"
MOST_MERGES = 2_000
"""Tries of a merge against others who write the same item: of each round one is done."""


class Writes(BaseStore):
    """What a store can be asked to write. Every method has an asynchronous twin."""

    __slots__ = ("_turns",)
    _turns: Turns

    @property
    @abstractmethod
    def memory(self) -> Memory:
        """Return the memory this store is a door to."""

    @abstractmethod
    def _hides_expired(self) -> bool:
        """Tell whether expired items are hidden before a sweep."""

    def _refreshes(self) -> bool:
        """Tell whether reads let lifetimes run anew where the caller does not say."""
        return bool((self.ttl_config or {}).get("refresh_on_read", True))

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

    def update(
        self, namespace: Labels, key: str, change: Mapping[str, Any], *,
        merge: Literal["patch", "replace", "keep"] | MergeRule = "patch",
        index: Literal[False] | list[str] | None = None,
        ttl: float | NotProvided | None = NOT_PROVIDED, protected: bool | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Merge a change into an item, so that nobody's write in between is lost.

        Args:
            namespace: Its place.
            key: Its name there; what is not there is made.
            change: The fields to change.
            merge: ``patch`` replaces the fields named and keeps the others, None removes one
                (RFC 7396); ``replace`` puts the change in the place of all; ``keep`` writes only
                where nothing is; or a function of what is there and the change.
            index: As for :meth:`put`; what was kept out of search stays out if omitted.
            ttl: As for :meth:`put`.
            protected: As for :meth:`put`; as it was if omitted.

        Returns:
            The value that was written.

        Raises:
            InvalidInputError: An unknown rule, or an impossible value; nothing was written.
            VersionConflictError: Others changed the item again and again meanwhile.
        """
        rule = _rule(merge)
        for attempt in range(MOST_MERGES):
            place, name = translate.address(namespace, key)
            base = self.memory.mergeable(place, name, hide_expired=self._hides_expired())
            merged = dict(rule(base.value, change))
            keeps_out = index is None and not base.searched
            try:
                self.put(
                    namespace, key, merged, False if keeps_out else index, ttl=ttl,
                    expected_version=base.expected,
                    protected=base.protected if protected is None else protected,
                )  # fmt: skip
            except VersionConflictError:
                if attempt + 1 == MOST_MERGES:
                    raise
            else:
                return merged
        raise AssertionError

    async def aupdate(
        self, namespace: Labels, key: str, change: Mapping[str, Any], *,
        merge: Literal["patch", "replace", "keep"] | MergeRule = "patch",
        index: Literal[False] | list[str] | None = None,
        ttl: float | NotProvided | None = NOT_PROVIDED, protected: bool | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Do what :meth:`update` does without blocking the event loop."""
        with loops.on_this_loop():
            return await self._turns.in_thread(
                self.update, namespace, key, change, merge=merge, index=index, ttl=ttl,
                protected=protected,
            )  # fmt: skip

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

    def _put(
        self, namespace: Labels, key: str, value: Mapping[str, Any],
        index: Literal[False] | list[str] | None, ttl: float | NotProvided | None,
        expected_version: int | None, valid_from: datetime | None,
        valid_until: datetime | None, protected: bool,
    ) -> PutOp:  # fmt: skip
        if isinstance(namespace, list | tuple) and namespace and namespace[0] == RESERVED:
            raise InvalidNamespaceError(
                f'"{RESERVED}" is LangGraph\'s own. Begin the namespace with another label.'
            )
        minutes = (self.ttl_config or {}).get("default_ttl") if ttl is NOT_PROVIDED else ttl
        assert not isinstance(minutes, NotProvided)
        op = PutOp(as_labels(namespace), str(key), cast("dict[str, Any]", value), index, minutes)
        return VersionedPut.of(
            op, expected_version=expected_version, valid_from=valid_from,
            valid_until=valid_until, protected=protected,
        )  # fmt: skip


def _rule(merge: str | MergeRule) -> MergeRule:
    if callable(merge):
        return merge
    rules: dict[str, MergeRule] = {
        "patch": merging.patch, "replace": merging.replace, "keep": merging.keep
    }  # fmt: skip
    if merge not in rules:
        raise InvalidInputError(f"merge is {merge!r}; give patch, replace, keep or a function.")
    return rules[merge]


def _deletion(namespace: Labels, key: str, expected_version: int | None) -> PutOp:
    op = PutOp(as_labels(namespace), str(key), None)
    return VersionedPut.of(op, expected_version=expected_version)
