"""The look at the settings of a home, but for the embedding model: see ``model``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.legible import as_bytes, text_of
from langgraph_memory.storage.sqlite.outbox import FLOOR
from langgraph_memory.storage.sqlite.reindexing import GOAL, SPACE, space_from

_READERS: dict[str, Callable[[Any], Any]] = {
    GOAL: space_from,
    FLOOR: int,
    filter_index.SETTING: filter_index.statements_for,
}


def settings(sql: sqlite3.Connection) -> Check:
    """Check that each setting can be read."""
    findings = Findings("settings", len(_READERS))
    for name in _unreadable(sql):
        shown = text_of(name) or "without a name"
        findings.add("derived", f"setting {shown}", "cannot be read")
    return findings.check()


def mend_settings(sql: sqlite3.Connection) -> int:
    """Remove settings that cannot be read: they are made again as they are needed."""
    names = _unreadable(sql)
    sql.executemany(
        "DELETE FROM settings WHERE CAST(name AS BLOB) = ?", [(name,) for name in names]
    )
    return len(names)


def _unreadable(sql: sqlite3.Connection) -> list[bytes]:
    found: list[bytes] = []
    for raw, value in sql.execute(
        f"SELECT CAST(name AS BLOB), {as_bytes('value')} FROM settings"
    ).fetchall():
        if (name := text_of(raw)) == SPACE:
            continue  # told by the check of the model
        try:
            _READERS.get(name or "", str)(value.decode())
        except (sqlite3.DatabaseError, InvalidInputError, ValueError, TypeError):
            found.append(raw)
    return found
