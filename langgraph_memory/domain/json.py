"""JSON values: copied at the border, checked before anything is written.

A stored value comes back equal to what went in, or is refused with the path of the part
that could not be kept; kinds of text and number (``StrEnum``, ``numpy.float64``) come back as
plain ones, which they equal. Silent change (tuples to lists, NaN to null, integer keys to text)
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
MAX_INTEGER_BITS = 13_000
"""About 3,900 digits; Python refuses to read or write integers past 4,300 of them."""


def checked_copy(value: Mapping[str, Any], *, path: str = "$", finite: bool = True) -> JsonObject:
    """Return a deep copy made of plain JSON types.

    Args:
        value: What to copy.
        path: What to call it in an error.
        finite: Refuse NaN and infinities, which JSON does not have.

    Raises:
        InvalidValueError: Something in ``value`` has no exact JSON form.
    """
    if not isinstance(value, Mapping):
        raise InvalidValueError(path, f"is a {type(value).__name__}, not a dictionary")
    copied = _copy(value, path, 0, finite)
    assert isinstance(copied, dict)
    return copied


def dumps(value: JsonValue) -> str:
    """Return the stored form: UTF-8 text, no escapes of readable characters."""
    return _encode(value)


_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=True, separators=(",", ":")
).encode
_scan: Any = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


def loads(text: str) -> JsonValue:
    """Return the value of a stored form."""
    try:
        value, end = _scan(text, 0)  # as json.loads, but for what only foreign JSON has
    except StopIteration:
        return json.loads(text)
    return value if end == len(text) else json.loads(text)


def same(a: JsonValue, b: JsonValue) -> bool:
    """Tell whether two values are stored alike: ``1``, ``1.0`` and ``True`` are three."""
    return bool(a == b) and json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


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


def as_text(text: str) -> str:
    """Return ``text`` without what no database can hold: lone surrogates and NUL."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", " ")


def _copy(value: Any, path: str, depth: int, finite: bool) -> JsonValue:
    if depth > MAX_DEPTH:
        raise InvalidValueError(path, f"is nested deeper than {MAX_DEPTH} levels")
    match value:
        case None | bool():
            return value
        case int():
            if value.bit_length() > MAX_INTEGER_BITS:
                raise InvalidValueError(path, "is an integer of more than 3,900 digits")
            return int(value)
        case str():
            return check_text(str.__str__(value), path)
        case float():
            if finite and not math.isfinite(value):
                raise InvalidValueError(path, f"is {value}, which JSON does not have")
            return float(value)
        case list():
            return [_copy(each, f"{path}[{i}]", depth + 1, finite) for i, each in enumerate(value)]
        case Mapping():
            return {
                _key(key, path): _copy(each, f"{path}.{key}", depth + 1, finite)
                for key, each in value.items()
            }
        case _:
            raise InvalidValueError(path, f"is a {type(value).__name__}")


def _key(key: Any, path: str) -> str:
    if type(key) is not str:
        raise InvalidValueError(path, f"has a key of type {type(key).__name__}")
    return check_text(key, path)
