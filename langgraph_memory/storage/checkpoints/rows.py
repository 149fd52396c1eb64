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


def namespaces(cursor: sqlite3.Cursor, thread_id: str) -> dict[str, int]:
    """Return the namespaces of a thread, each after the one it runs in, and their checkpoints."""
    found = cursor.execute(
        """
        SELECT checkpoint_ns, count(*)
        FROM checkpoints
        WHERE thread_id = ?
        GROUP BY checkpoint_ns
        """,
        (thread_id,),
    ).fetchall()
    return dict(sorted(found, key=lambda row: (row[0].count("|"), row[0])))


def newest(cursor: sqlite3.Cursor, thread_id: str, namespace: str, count: int) -> Sequence[str]:
    """Return the ids of the newest checkpoints, newest first."""
    found = cursor.execute(
        """
        SELECT checkpoint_id
        FROM checkpoints
        WHERE thread_id = ? AND checkpoint_ns = ?
        ORDER BY checkpoint_id DESC
        LIMIT ?
        """,
        (thread_id, namespace, count),
    )
    return [checkpoint_id for (checkpoint_id,) in found]


def with_writes(
    cursor: sqlite3.Cursor, thread_id: str, namespace: str, channels: Sequence[str]
) -> set[str]:
    """Return the ids of the checkpoints that have a write to one of the channels."""
    found = cursor.execute(
        f"""
        SELECT DISTINCT checkpoint_id
        FROM writes
        WHERE thread_id = ? AND checkpoint_ns = ?
          AND channel IN ({", ".join("?" * len(channels))})
        """,
        (thread_id, namespace, *channels),
    )
    return {checkpoint_id for (checkpoint_id,) in found}


_STRAYS = """
    FROM writes
    WHERE thread_id = :thread AND checkpoint_id < :before
      AND NOT EXISTS (
        SELECT 1
        FROM checkpoints AS owner
        WHERE owner.thread_id = writes.thread_id
          AND owner.checkpoint_ns = writes.checkpoint_ns
          AND owner.checkpoint_id = writes.checkpoint_id
      )
"""


def has_strays(cursor: sqlite3.Cursor, thread_id: str, before: str) -> bool:
    """Return whether writes older than an id belong to no checkpoint."""
    values = {"thread": thread_id, "before": before}
    return cursor.execute(f"SELECT 1 {_STRAYS} LIMIT 1", values).fetchone() is not None


def delete_strays(cursor: sqlite3.Cursor, thread_id: str, before: str) -> None:
    """Remove the writes older than an id that belong to no checkpoint."""
    cursor.execute(f"DELETE {_STRAYS}", {"thread": thread_id, "before": before})


def insert_writes(
    cursor: sqlite3.Cursor, address: Sequence[str], task: tuple[str, str],
    writes: Iterable[tuple[int, str, str, bytes]], *, replace: bool,
) -> None:  # fmt: skip
    """Add writes to a checkpoint: index, channel, format and bytes of each.

    Args:
        cursor: In a write transaction.
        address: The checkpoint's thread, namespace and id.
        task: The id and the path of the task that made them.
        writes: What to add.
        replace: Whether one with the same index gives way; else the first stays.
    """
    cursor.executemany(
        f"""
        INSERT OR {"REPLACE" if replace else "IGNORE"} INTO writes
            (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [(*address, *task, *write) for write in writes],
    )


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
