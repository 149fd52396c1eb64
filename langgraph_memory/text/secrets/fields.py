"""Credentials in JSON: in names of fields, in values, and by the name a value stands under."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from langgraph_memory.text.secrets.assigned import is_name, kind_of

Redact = Callable[[str], str]


def redacted(fields: Mapping[Any, Any], redact: Redact) -> dict[Any, Any]:
    """Return fields without credentials, at any depth; what is no text stays as it is.

    Args:
        fields: JSON; anything else in it is handed on.
        redact: Takes the credentials out of a text.
    """
    found: dict[Any, Any] = {}
    for name, value in fields.items():
        plain = redact(name) if isinstance(name, str) else name
        while plain != name and plain in found:
            plain += "*"  # two credentials of one kind are still two fields
        found[plain] = _named(str(name), redact)(value)
    return found


def _named(name: str, redact: Redact) -> Callable[[Any], Any]:
    if not is_name(name):
        return partial(_value, redact=redact)

    def under(text: str) -> str:
        kind = kind_of(name, text)
        return redact(text) if kind is None else f"[redacted: {kind}]"

    return partial(_value, redact=under)


def _value(value: Any, *, redact: Redact) -> Any:
    match value:
        case str():
            return redact(value)
        case Mapping():
            return redacted(value, redact)
        case list() | tuple():
            return [_value(each, redact=redact) for each in value]
        case _:
            return value
