"""The versions of a plain item: an administrator's view, what was deleted included."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.domain.diff import Difference, differences
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Version
from langgraph_memory.errors import NotFoundError, Way, read_versions
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.item_search import visible


def history(
    engine: Engine, namespace: Namespace, key: str, *, hide_expired: bool = True
) -> list[Version]:
    """Return every version kept of an item, oldest first; none if it was never written.

    Tombstones are among them. An item whose retention is over has no history either.
    """
    with engine.database.read() as tx:
        stored = tx.records.head(namespace, key)
        if stored is None or (hide_expired and stored.lifetime.over(engine.clock())):
            return []
        record = tx.records.load_row(stored.row)
    return list(record.versions) if record else []


def diff(
    engine: Engine, namespace: Namespace, key: str, older: int, newer: int | None = None, *,
    hide_expired: bool = True,
) -> list[Difference]:  # fmt: skip
    """Return what changed from one version to another, the last one if not said.

    Raises:
        NotFoundError: There is no such version.
    """
    kept = history(engine, namespace, key, hide_expired=hide_expired)
    versions = {each.number: each for each in kept}
    last = max(versions, default=0) if newer is None else newer
    chosen = [_chosen(versions, key, each) for each in (older, last)]
    return differences(chosen[0].value, chosen[1].value)


@dataclass(frozen=True, slots=True)
class Restorable:
    """An older version, and how the item is kept now.

    Attributes:
        searched: Whether search by query is told of it.
        protected: Whether it is never evicted.
    """

    version: Version
    searched: bool = True
    protected: bool = False


def version_to_restore(
    engine: Engine, namespace: Namespace, key: str, number: int, *, hide_expired: bool = True
) -> Restorable:
    """Return an older version whose value can be said again.

    Raises:
        NotFoundError: There is no such version, or it is a tombstone.
    """
    kept = history(engine, namespace, key, hide_expired=hide_expired)
    versions = {each.number: each for each in kept}
    found = _chosen(versions, key, number)
    if found.value is None:
        raise NotFoundError("version with a value", f"{key} v{number}", way=_versions(key))
    with engine.database.read() as tx:
        stored = tx.records.head(namespace, key)
        if stored is None or stored.head.value is None:
            return Restorable(found)
        told = tx.records.texts([stored.row])
        return Restorable(found, stored.row in told, stored.lifetime.protected)


@dataclass(frozen=True, slots=True)
class Mergeable:
    """What a change is merged into, and how the item is kept.

    Attributes:
        value: What the item says now; None where a reader finds nothing.
        expected: The version that a write decided on this has to expect.
        searched: Whether search by query is told of it.
        protected: Whether it is never evicted.
    """

    value: JsonObject | None = None
    expected: int = 0
    searched: bool = True
    protected: bool = False


def mergeable(
    engine: Engine, namespace: Namespace, key: str, *, hide_expired: bool = True
) -> Mergeable:
    """Return what a change of an item is merged into.

    Where its only value starts later, a reader finds nothing, and a writer expects its number.
    """
    now = engine.clock()
    with engine.database.read() as tx:
        stored = tx.records.head(namespace, key)
        item = tx.records.shown_at(namespace, key)
        if stored is None or item is None or stored.head.value is None:
            return Mergeable()
        if (hide_expired and stored.lifetime.over(now)) or stored.head.valid.ended(now):
            return Mergeable()
        hit = visible(tx, item, now, now if hide_expired else None, None)
        return Mergeable(
            hit.value if hit else None, stored.head.number,
            stored.row in tx.records.texts([stored.row]), stored.lifetime.protected,
        )  # fmt: skip


def _chosen(versions: dict[int, Version], key: str, number: int) -> Version:
    if number not in versions:
        raise NotFoundError("version", f"{key} v{number}", way=_versions(key))
    return versions[number]


def _versions(key: str) -> Way:
    return read_versions(key, f"history(namespace, {key!r})")
