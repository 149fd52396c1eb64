"""What the cells of a record may hold at all: SQLite itself would keep anything in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from langgraph_memory.domain.namespace import SEPARATOR
from langgraph_memory.storage.sqlite.codec import LAST_MICROS

_FIRST_MICROS = -62_135_596_800_000_000  # the year 1


def senseless(cells: Mapping[str, Any]) -> list[str]:
    """Return what in the cells of a record was never written, of what cannot be made again."""
    return list(_problems(cells))


def is_instant(stored: Any) -> bool:
    """Tell whether this is a number that stands for an instant."""
    return type(stored) is int and _FIRST_MICROS <= stored <= LAST_MICROS


def _problems(cells: Mapping[str, Any]) -> Iterator[str]:
    path, minutes, ends = cells["path"], cells["ttl_minutes"], cells["expires_at"]
    if not isinstance(cells["id"], str) or not cells["id"]:
        yield "its id is none"
    if not isinstance(path, str) or not (path.endswith(SEPARATOR) or not path):
        yield "its namespace is none"
    if not isinstance(cells["key"], str):
        yield "its key is none"
    if type(cells["head"]) is not int:
        yield "the number of its head is none"
    if type(cells["protected"]) is not int or cells["protected"] not in (0, 1):
        yield "its protection is neither on nor off"
    if minutes is not None and not (
        isinstance(minutes, int | float) and isfinite(minutes) and minutes >= 0
    ):
        yield "its lifetime is none"
    if ends is not None and not is_instant(ends):
        yield "its end is no instant"
    elif (minutes is None) != (ends is None):
        yield "its lifetime and its end do not fit together"
