"""What changed between two values, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from langgraph_memory.domain.json import JsonObject, same


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs.

    Attributes:
        path: Where, from ``$``: ``$.address.city``. Lists are compared whole.
        kind: What happened to it.
        before, after: The two values; None where there is none.
    """

    path: str
    kind: Literal["added", "removed", "changed"]
    before: Any = None
    after: Any = None


def differences(before: JsonObject | None, after: JsonObject | None) -> list[Difference]:
    """Return what changed, in the order of the fields; a tombstone has none."""
    return list(_within(before or {}, after or {}, "$"))


def _within(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[Difference]:
    for name in dict.fromkeys([*before, *after]):
        where = f"{path}.{name}"
        if name not in before:
            yield Difference(where, "added", after=after[name])
        elif name not in after:
            yield Difference(where, "removed", before=before[name])
        elif isinstance(before[name], Mapping) and isinstance(after[name], Mapping):
            yield from _within(before[name], after[name], where)
        elif not same(before[name], after[name]):
            yield Difference(where, "changed", before[name], after[name])
