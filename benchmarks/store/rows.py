"""What is timed: the rows of the table for a store of a given size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.store.corpus import Namespace, scope_namespace, scopes_within

Act = Literal["put", "update", "batch", "get", "search", "search after put"]
Sync = Literal["NORMAL", "FULL"]

BATCH = 100
LIMIT = 10

_RARE = {"hundredth": 7}
_HALF = {"even": True}


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of call.

    Attributes:
        name: What the table calls it.
        act: What is done.
        scope: Size of the scope searched; 0 is the whole store.
        asks: How a question is put: in words of the items, in words of none, or not at all.
        wanted: The filter.
        sync: SQLite's ``synchronous``, where the contender lets us choose.
    """

    name: str
    act: Act
    scope: int = 0
    asks: Literal["words", "meaning"] | None = None
    wanted: dict[str, Any] | None = None
    sync: Sync = "NORMAL"

    @property
    def prefix(self) -> Namespace:
        return scope_namespace(self.scope) if self.scope else ()

    @property
    def writes(self) -> bool:
        return self.act in ("put", "update", "batch")

    @property
    def needs_vectors(self) -> bool:
        return self.writes or self.asks is not None

    @property
    def searches(self) -> bool:
        return self.act in ("search", "search after put")


def rows_for(size: int) -> list[Row]:
    """Return the rows for a store of ``size`` items."""
    scopes = scopes_within(size)
    rows = [*_writing("NORMAL"), *_writing("FULL"), Row("get", "get")]
    for scope in (*scopes, 0):
        rows += _asking(scope)
    widest = scopes[-1] if scopes else 0
    near = min(scopes[-1], 1_000) if scopes else 0
    rows += [
        Row(f"search {_place(near)}, after a put", "search after put", near, "meaning"),
        Row(f"search {_place(widest)}, filter 1 %", "search", widest, "meaning", _RARE),
        Row(f"search {_place(widest)}, filter 50 %", "search", widest, "meaning", _HALF),
        Row(f"list {_place(widest)}", "search", widest),
        Row(f"list {_place(widest)}, filter 1 %", "search", widest, None, _RARE),
        Row(f"list {_place(widest)}, filter 50 %", "search", widest, None, _HALF),
    ]
    return rows


def _writing(sync: Sync) -> list[Row]:
    return [
        Row(f"put, new, {sync}", "put", sync=sync),
        Row(f"put, update, {sync}", "update", sync=sync),
        Row(f"put, batch of {BATCH}, per item, {sync}", "batch", sync=sync),
    ]


def _asking(scope: int) -> list[Row]:
    return [
        Row(f"search {_place(scope)}", "search", scope, "meaning"),
        Row(f"search {_place(scope)}, words match", "search", scope, "words"),
    ]


def _place(scope: int) -> str:
    return f"{scope:,}" if scope else "whole store"
