"""Which checkpoints a caller means: by thread, by what metadata says, by age.

LangGraph's saver compares metadata in SQL. That finds no dictionary whose keys stand in
another order, none with letters beyond ASCII, and fails for all where one row holds NaN.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from langgraph_memory.errors import InvalidInputError

Config = Any  # LangGraph's RunnableConfig: a class of LangChain's core, which stays above storage


def thread_of(config: Config) -> str:
    """Return the thread that a config names.

    Raises:
        InvalidInputError: It names none, or one that cannot be kept.
    """
    given = (config.get("configurable") or {}).get("thread_id")
    if given is None:
        raise InvalidInputError(
            'The run has no thread id. Give one: config={"configurable": {"thread_id": "..."}}.'
        )
    return checked(str(given))


def checked(thread_id: str) -> str:
    """Return a thread id that can be kept.

    Raises:
        InvalidInputError: It holds a NUL character or half of a character.
    """
    if "\x00" in thread_id:
        problem = "a NUL character"
    elif any("\ud800" <= sign <= "\udfff" for sign in thread_id):
        problem = "half of a character (a lone surrogate)"
    else:
        return thread_id
    raise InvalidInputError(f"The thread id {thread_id!r} holds {problem}. Choose another one.")


def addresses(
    cursor: sqlite3.Cursor, config: Config, *, metadata: Mapping[str, Any] | None = None,
    before: Config = None, limit: int | None = None,
) -> list[tuple[str, str, str]]:  # fmt: skip
    """Return thread, namespace and id of the matching checkpoints, newest first.

    Args:
        cursor: In a snapshot.
        config: The thread, and if named the namespace and the checkpoint; None for all threads.
        metadata: What a checkpoint's metadata must say. A dot leads into a nested value unless
            there is a key with that very dot; None also matches where nothing is said.
        before: A config with the id of a newer checkpoint.
        limit: At most how many; all if omitted.

    Raises:
        InvalidInputError: The limit is negative, or the thread cannot be one.
    """
    if limit is not None and limit < 0:
        raise InvalidInputError(f"limit is {limit}; give 0 or more, or leave it out.")
    matching = (row[:3] for row in _rows(cursor, config, before) if _fits(row[3], metadata))
    return list(islice(matching, limit))


def _rows(cursor: sqlite3.Cursor, config: Config, before: Config) -> Iterator[Any]:
    conditions, values = [], []
    if config is not None:
        conditions.append("thread_id = ?")
        values.append(thread_of(config))
        for name in ("checkpoint_ns", "checkpoint_id"):
            wanted = config["configurable"].get(name)
            if wanted is not None and (wanted or name == "checkpoint_ns"):
                conditions.append(f"{name} = ?")
                values.append(str(wanted))
    newer = (before or {}).get("configurable", {}).get("checkpoint_id")
    if newer:
        conditions.append("checkpoint_id < ?")
        values.append(str(newer))
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    yield from cursor.execute(
        f"""
        SELECT thread_id, checkpoint_ns, checkpoint_id, metadata
        FROM checkpoints
        {where}
        ORDER BY checkpoint_id DESC
        """,
        values,
    )


def _fits(metadata: bytes | str | None, wanted: Mapping[str, Any] | None) -> bool:
    if not wanted:
        return True
    said = json.loads(metadata) if metadata else {}
    return all(_same(_at(said, key), value) for key, value in wanted.items())


def _at(said: Any, key: str) -> Any:
    """Return what stands under a key, or under a path of keys with dots between."""
    if isinstance(said, Mapping):
        if key in said:
            return said[key]
        first, dot, rest = key.partition(".")
        if dot and first in said:
            return _at(said[first], rest)
    return None


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        wanted = list(wanted)
    if wanted is None or isinstance(wanted, str | int | float | list | dict):
        return bool(found == wanted)
    return bool(found == str(wanted))  # as LangGraph compares ids and dates
