"""The look at the settings of a home, but for the embedding model: see ``model``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.outbox import FLOOR
from langgraph_memory.storage.sqlite.reindexing import GOAL, space_from

_READERS: dict[str, Callable[[Any], Any]] = {
    GOAL: space_from,
    FLOOR: int,
    filter_index.SETTING: filter_index.statements_for,
}


def settings(sql: sqlite3.Connection) -> Check:
    """Check that each setting can be read."""
    findings = Findings("settings", len(_READERS))
    for name in _unreadable(sql):
        findings.add("derived", f"setting {name}", "cannot be read")
    return findings.check()


def mend_settings(sql: sqlite3.Connection) -> int:
    """Remove settings that cannot be read: they are made again as they are needed."""
    names = _unreadable(sql)
    sql.executemany("DELETE FROM settings WHERE name = ?", [(name,) for name in names])
    return len(names)


def _unreadable(sql: sqlite3.Connection) -> list[str]:
    found = []
    for name, value in sql.execute("SELECT name, value FROM settings").fetchall():
        try:
            _READERS.get(name, str)(value)
        except (sqlite3.DatabaseError, InvalidInputError, ValueError, TypeError):
            found.append(name)
    return found
