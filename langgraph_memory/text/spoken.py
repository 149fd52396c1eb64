"""A JSON value as text: what a value without a text of its own is searched by."""

from __future__ import annotations

from typing import Any

_NEUTRAL = frozenset({"content", "text", "memory", "value", "data"})


def spoken(value: Any, name: str = "") -> str:
    """Return a JSON value as plain lines, ``field: text``, without its punctuation."""
    if isinstance(value, dict):
        alone = len(value) == 1
        lines = [
            spoken(part, "" if alone and key in _NEUTRAL else key) for key, part in value.items()
        ]
        return "\n".join(line for line in lines if line)
    if isinstance(value, list):
        return "\n".join(filter(None, (spoken(part, name) for part in value)))
    if value is None or value == "":
        return ""
    return f"{name}: {value}" if name and name not in _NEUTRAL else str(value)
