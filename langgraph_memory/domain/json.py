"""JSON values: copied at the border, checked before anything is written.

A stored value comes back equal to what went in, or is refused with the path of the part
that could not be kept. Silent change (tuples to lists, NaN to null, integer keys to text)
is the failure this module exists to prevent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from langgraph_memory.errors import InvalidValueError

JsonValue = Any
JsonObject = dict[str, Any]

MAX_DEPTH = 100


def checked_copy(value: Mapping[str, Any], *, path: str = "$") -> JsonObject:
    """Return a deep copy made of plain JSON types.

    Raises:
        InvalidValueError: Something in ``value`` has no exact JSON form.
    """
    if not isinstance(value, Mapping):
        raise InvalidValueError(path, f"is a {type(value).__name__}, not a dictionary")
    copied = _copy(value, path, 0)
    assert isinstance(copied, dict)
    return copied


def dumps(value: JsonValue) -> str:
    """Return the stored form: UTF-8 text, no escapes of readable characters."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> JsonValue:
    """Return the value of a stored form."""
    return json.loads(text)


def check_text(text: str, path: str) -> str:
    """Return ``text`` if it can be stored as UTF-8; a lone surrogate cannot.

    Raises:
        InvalidValueError: The text holds a lone surrogate.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidValueError(path, "holds a lone surrogate, which is not text") from None
    return text


def _copy(value: Any, path: str, depth: int) -> JsonValue:
    if depth > MAX_DEPTH:
        raise InvalidValueError(path, f"is nested deeper than {MAX_DEPTH} levels")
    match value:
        case None | bool() | int() if type(value) in (type(None), bool, int):
            return value
        case str() if type(value) is str:
            return check_text(value, path)
        case float() if type(value) is float:
            if not math.isfinite(value):
                raise InvalidValueError(path, f"is {value}, which JSON does not have")
            return value
        case list():
            return [_copy(each, f"{path}[{i}]", depth + 1) for i, each in enumerate(value)]
        case Mapping():
            return {
                _key(key, path): _copy(each, f"{path}.{key}", depth + 1)
                for key, each in value.items()
            }
        case _:
            raise InvalidValueError(path, f"is a {type(value).__name__}")


def _key(key: Any, path: str) -> str:
    if type(key) is not str:
        raise InvalidValueError(path, f"has a key of type {type(key).__name__}")
    return check_text(key, path)
