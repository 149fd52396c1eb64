"""Text that may be none: read as bytes, so that one bad byte stops nobody.

SQLite keeps whatever stands in a column, text or not, and Python's module raises for a whole
statement where one text is no UTF-8. What is derived is therefore read as bytes.
"""

from __future__ import annotations

import sqlite3

from langgraph_memory.domain.namespace import Namespace, from_path
from langgraph_memory.storage.sqlite.standing import once

NO_TEXT = b"\xff"
"""Bytes that are no text, for what is of another type."""


def as_bytes(column: str) -> str:
    """Return SQL for the bytes of a text: NULL for NULL, ``NO_TEXT`` for another type."""
    return (
        f"CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) "
        f"WHEN 'null' THEN NULL ELSE x'{NO_TEXT.hex()}' END"
    )


def text_of(stored: bytes | None) -> str | None:
    """Return the text of bytes, None where they are none."""
    try:
        return None if stored is None else stored.decode()
    except UnicodeDecodeError:
        return None


def place_of(stored: bytes | None) -> Namespace | None:
    """Return the namespace of a path that was read as bytes, None where it is none."""
    path = text_of(stored)
    return None if path is None else from_path(path)


def setting(sql: sqlite3.Connection, name: str) -> str | None:
    """Return a setting, None where there is none, the empty text where it is no text."""
    return once(sql, "settings", _settings, sql).get(name)


def _settings(sql: sqlite3.Connection) -> dict[str | None, str]:
    """Return all settings: they are few, and after each write several are asked for."""
    found = sql.execute(f"SELECT {as_bytes('name')}, {as_bytes('value')} FROM settings")
    return {text_of(name): text_of(value) or "" for name, value in found}


def register(connection: sqlite3.Connection) -> None:
    """Make ``legible`` known to a connection."""
    connection.create_function("legible", 1, _legible, deterministic=True)


def legible(column: str) -> str:
    """Return SQL that tells whether a column holds text."""
    return f"(typeof({column}) = 'text' AND legible(CAST({column} AS BLOB)))"


def _legible(stored: bytes) -> bool:
    return text_of(stored) is not None
