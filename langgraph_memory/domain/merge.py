"""How a change and what is there become one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph_memory.domain.json import JsonObject

MergeRule = Callable[[JsonObject | None, Mapping[str, Any]], Mapping[str, Any]]
"""Takes what is there, None for nothing, and the change; returns what shall be there."""


def patch(present: JsonObject | None, change: Mapping[str, Any]) -> JsonObject:
    """Return the value with the fields of the change in place (JSON Merge Patch, RFC 7396).

    Dictionaries are merged, all else is replaced, None removes a field.
    """
    merged = dict(present or {})
    for name, part in change.items():
        if part is None:
            merged.pop(name, None)
        elif isinstance(part, Mapping):
            inner = merged.get(name)
            merged[name] = patch(inner if isinstance(inner, dict) else None, part)
        else:
            merged[name] = part
    return merged


def replace(present: JsonObject | None, change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the change: what was there goes."""
    return change


def keep(present: JsonObject | None, change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is there, and the change only where nothing is."""
    return change if present is None else present
