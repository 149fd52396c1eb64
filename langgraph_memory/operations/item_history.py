"""The versions of a plain item: an administrator's view, what was deleted included."""

from __future__ import annotations

from langgraph_memory.domain.diff import Difference, differences
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Version
from langgraph_memory.errors import NotFoundError
from langgraph_memory.operations.engine import Engine


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
    engine: Engine, namespace: Namespace, key: str, older: int, newer: int | None = None
) -> list[Difference]:
    """Return what changed from one version to another, the last one if not said.

    Raises:
        NotFoundError: There is no such version.
    """
    versions = {each.number: each for each in history(engine, namespace, key)}
    last = max(versions, default=0)
    chosen = [_chosen(versions, key, each) for each in (older, newer or last)]
    return differences(chosen[0].value, chosen[1].value)


def version_to_restore(engine: Engine, namespace: Namespace, key: str, number: int) -> Version:
    """Return an older version whose value can be said again.

    Raises:
        NotFoundError: There is no such version, or it is a tombstone.
    """
    versions = {each.number: each for each in history(engine, namespace, key)}
    found = _chosen(versions, key, number)
    if found.value is None:
        raise NotFoundError("version with a value", f"{key} v{number}")
    return found


def _chosen(versions: dict[int, Version], key: str, number: int) -> Version:
    if number not in versions:
        raise NotFoundError("version", f"{key} v{number}")
    return versions[number]
