"""Numbers for namespaces, so that full text can carry a record's circles as short tokens."""

from __future__ import annotations

import sqlite3

from langgraph_memory.domain.namespace import Namespace, ancestors, to_path


def ensure(connection: sqlite3.Connection, namespace: Namespace) -> int:
    """Return the number of a namespace; it and its ancestors get one where they lack it."""
    known = number(connection, namespace)
    if known is not None:
        return known
    connection.executemany(
        "INSERT OR IGNORE INTO namespaces (path) VALUES (?)",
        [(to_path(each),) for each in ancestors(namespace)],
    )
    made = number(connection, namespace)
    assert made is not None
    return made


def number(connection: sqlite3.Connection, namespace: Namespace) -> int | None:
    """Return the number of a namespace, None if it never held anything."""
    found = connection.execute(
        "SELECT id FROM namespaces WHERE path = ?", (to_path(namespace),)
    ).fetchone()
    return int(found[0]) if found else None


def circles(connection: sqlite3.Connection, namespace: Namespace) -> list[int]:
    """Return the numbers of a known namespace and its ancestors."""
    paths = [to_path(each) for each in ancestors(namespace)]
    marks = ",".join("?" * len(paths))
    found = connection.execute(f"SELECT id FROM namespaces WHERE path IN ({marks})", paths)
    return [row for (row,) in found]


def forget_empty(connection: sqlite3.Connection) -> None:
    """Remove namespaces under which no record is left: their labels are personal."""
    connection.execute(
        """
        DELETE FROM namespaces
        WHERE NOT EXISTS (
            SELECT 1 FROM records
            WHERE records.path >= namespaces.path
              -- the end of the path's range: its closing '.' raised to '/'
              AND records.path < substr(namespaces.path, 1, length(namespaces.path) - 1) || '/'
        )
        """
    )
