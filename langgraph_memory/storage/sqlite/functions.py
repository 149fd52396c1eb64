"""Python functions that our SQL calls.

A filter is lent to SQL by number and never becomes text, so that it means there exactly
what it means in ``domain.filters``: infinities, dates and tuples have no JSON form.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from itertools import count
from typing import Any

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.json import loads
from langgraph_memory.storage.sqlite import hashes, legible

_lent: dict[int, Mapping[str, Any]] = {}
_numbers = count(1)


def register(connection: sqlite3.Connection) -> None:
    """Make the functions known to a connection."""
    connection.create_function("meets_filter", 2, _meets_filter, deterministic=True)
    hashes.register(connection)
    legible.register(connection)


class Loan:
    """A filter lent to ``meets_filter`` for a ``with`` block, which gets the number it goes by."""

    __slots__ = ("_number", "_wanted")

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        self._wanted = wanted
        self._number = next(_numbers)

    def __enter__(self) -> int:
        _lent[self._number] = self._wanted
        return self._number

    def __exit__(self, *_: object) -> None:
        del _lent[self._number]


def _meets_filter(value: str | None, number: int) -> bool:
    return value is not None and matches(loads(value), _lent[number])
