"""The table for people, the same figures as JSON, and the one bar."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.store.contenders import STAND_IN
from benchmarks.store.driver import FLOOR, OURS, PEERS, Measured
from benchmarks.store.rows import Row

_PACKAGES = (
    "langgraph-memory-plugin", "langgraph-checkpoint", "langgraph-checkpoint-sqlite", "numpy",
    "sqlite-vec", STAND_IN,
)  # fmt: skip
_NAME = 42
_COLUMN = 18

READING = """\
Medians in ms over all rounds. `x floor` is ours as a multiple of the floor: the bare SQLite
transaction (the statement, for reads without a query), or the bare scan plus decoding ten items.
`x ours` is a peer as a multiple of ours: above 1 we are faster. NORMAL and FULL are SQLite's
`synchronous`; SqliteStore as shipped is always FULL with a rollback journal. `words match` asks
in words that items hold, which only ours looks at; other questions share no word with an item.
A search row in which a SqliteStore is as fast as ours, or faster, is marked `behind`."""


def render(measured: Measured, peers: Sequence[str] = PEERS) -> str:
    """Return the table of one size."""
    heads = [f"{'floor':>9}", f"{OURS:>{_COLUMN}}", *[f"{name:>{_COLUMN}}" for name in peers]]
    units = [f"{'ms':>9}", _pair("ms", "x floor"), *[_pair("ms", "x ours")] * len(peers)]
    lines = [f"{f'{measured.size:,} items':{_NAME}}" + "".join(heads)]
    lines.append(" " * _NAME + "".join(units))
    lines += [_line(measured, row, peers) for row in measured.rows]
    if measured.agreement:
        shares = ", ".join(f"{name} {share:.2f}" for name, share in measured.agreement.items())
        lines.append(f"Share of our answers found by others: {shares}")
    return "\n".join(lines + measured.notes)


def is_behind(measured: Measured, row: Row) -> bool:
    """Tell whether a SqliteStore, as shipped or not, is as fast as ours or faster."""
    ours = measured.median(row, OURS)
    theirs = [measured.median(row, peer) for peer in PEERS if peer.startswith("SqliteStore")]
    return ours is not None and any(each is not None and ours >= each for each in theirs)


def verdict(results: Sequence[Measured]) -> tuple[int, int]:
    """Return in how many search rows a SqliteStore was met, and in how many ours is behind it."""
    rows = [
        (measured, row)
        for measured in results
        for row in measured.rows
        if row.searches and measured.ms[row.name].keys() & {"SqliteStore", "SqliteStore, WAL"}
    ]
    return len(rows), sum(is_behind(*each) for each in rows)


def as_json(results: Sequence[Measured]) -> dict[str, Any]:
    """Return machine, versions and medians with the number of calls behind each."""
    met, behind = verdict(results)
    return {
        "machine": machine(),
        "sizes": [
            {
                "items": measured.size,
                "rows": {row.name: _samples(measured, row) for row in measured.rows},
                "answers_shared_with_ours": measured.agreement,
                "fill_seconds": measured.fill_seconds,
                "notes": measured.notes,
            }
            for measured in results
        ],
        "search_rows_with_sqlite_store": met,
        "search_rows_behind_sqlite_store": behind,
    }


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "processors": os.cpu_count(),
        "system": platform.platform(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
    }


def _line(measured: Measured, row: Row, peers: Sequence[str]) -> str:
    floor, ours = measured.median(row, FLOOR), measured.median(row, OURS)
    cells = [f"{_number(floor):>9}", _pair(_number(ours), _ratio(ours, floor))]
    for peer in peers:
        theirs = measured.median(row, peer)
        cells.append(_pair(_number(theirs), _ratio(theirs, ours)))
    mark = "  behind" if row.searches and is_behind(measured, row) else ""
    return f"{row.name:{_NAME}}" + "".join(cells) + mark


def _samples(measured: Measured, row: Row) -> dict[str, dict[str, float | int]]:
    return {
        name: {"median_ms": round(measured.median(row, name) or 0.0, 5), "calls": len(samples)}
        for name, samples in measured.ms.get(row.name, {}).items()
    }


def _pair(left: str, right: str) -> str:
    return f"{left:>{_COLUMN - 8}}{right:>8}"


def _number(ms: float | None) -> str:
    return "-" if ms is None else f"{ms:.3f}"


def _ratio(part: float | None, whole: float | None) -> str:
    if part is None or not whole:
        return "-"
    return f"{part / whole:.1f}" if part > 10 * whole else f"{part / whole:.2f}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
