"""The statements over LangGraph's two tables that its own saver lacks."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

# Metadata is JSON in a blob, but LangGraph writes NaN where it meets one, which is no JSON to
# SQLite. Hence runs are looked for in Python, and a copied NaN keeps its old thread's name.
_METADATA = "CASE WHEN json_valid(CAST(metadata AS TEXT)) THEN CAST(metadata AS TEXT) END"


def count(cursor: sqlite3.Cursor, thread_id: str) -> int:
    """Return how many rows a thread has in both tables."""
    found: int = cursor.execute(
        """
        SELECT (SELECT count(*) FROM checkpoints WHERE thread_id = :thread)
             + (SELECT count(*) FROM writes WHERE thread_id = :thread)
        """,
        {"thread": thread_id},
    ).fetchone()[0]
    return found


def namespaces(cursor: sqlite3.Cursor, thread_id: str) -> Sequence[str]:
    """Return the namespaces of a thread, each after the one it runs in."""
    found = cursor.execute(
        "SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = ?", (thread_id,)
    )
    return sorted((name for (name,) in found), key=lambda name: (name.count("|"), name))


def made_by(cursor: sqlite3.Cursor, run_ids: Iterable[str]) -> dict[tuple[str, str], set[str]]:
    """Return the ids of the checkpoints that the runs made, by thread and namespace."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run_id in map(str, run_ids):
        rows = cursor.execute(
            """
            SELECT thread_id, checkpoint_ns, checkpoint_id, metadata
            FROM checkpoints
            WHERE instr(metadata, ?)
            """,
            (json.dumps(run_id, ensure_ascii=False).encode("utf-8", "ignore"),),
        )
        for thread_id, namespace, checkpoint_id, metadata in rows:
            if json.loads(metadata).get("run_id") == run_id:
                found[thread_id, namespace].add(checkpoint_id)
    return found


def delete(
    cursor: sqlite3.Cursor, thread_id: str, namespace: str, checkpoint_ids: Iterable[str]
) -> None:
    """Remove checkpoints and their writes."""
    addresses = [(thread_id, namespace, checkpoint_id) for checkpoint_id in checkpoint_ids]
    for table in ("checkpoints", "writes"):
        cursor.executemany(
            f"""
            DELETE FROM {table}
            WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
            """,
            addresses,
        )


def copy(cursor: sqlite3.Cursor, source: str, target: str) -> None:
    """Copy all rows of a thread; where metadata names the thread, it names the new one."""
    metadata = f"""
        CASE
            WHEN json_type({_METADATA}, '$.thread_id') IS NULL THEN metadata
            ELSE CAST(json_set({_METADATA}, '$.thread_id', :target) AS BLOB)
        END
    """
    for table in ("checkpoints", "writes"):
        names = cursor.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        columns = [name for (name,) in names]  # LangGraph adds to them
        values = (
            {"thread_id": ":target", "metadata": metadata}.get(name, name) for name in columns
        )
        cursor.execute(
            f"""
            INSERT INTO {table} ({", ".join(columns)})
            SELECT {", ".join(values)}
            FROM {table}
            WHERE thread_id = :source
            """,
            {"source": source, "target": target},
        )
