"""What search has of live records, read for comparison: nothing that is damaged stops it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from langgraph_memory.ports import Heard, Seal, Space, Told
from langgraph_memory.storage.sqlite import namespaces
from langgraph_memory.storage.sqlite.legible import as_bytes, text_of
from langgraph_memory.storage.sqlite.model import bound_space
from langgraph_memory.storage.sqlite.problems import SenselessRowError, sensible
from langgraph_memory.storage.sqlite.reindexing import space_from, told_from
from langgraph_memory.storage.sqlite.sealing import (
    HEADS_WITH_TEXTS,
    INTACT,
    TEXTS_LOST,
    TOGETHER,
    TOLD,
    UNSEALED,
)

UNIT = 1e-3
"""How far from 1 a vector's length may be: float32 in another program's rounding."""

_UNREADABLE = ("\0",)
"""Words that no text has: what stands there is no text."""

_HEARD = f"""
    SELECT
        iif(typeof(records.tokens) = 'integer', records.tokens, -1),
        {as_bytes("words.circles")}, {as_bytes("words.body")},
        seals.row IS NOT NULL, {UNSEALED}, {TEXTS_LOST}, seals.head = records.head AND {INTACT},
        told IS {TOLD}, seals.vectors IS NULL, seals.vectors IS {TOGETHER},
        CAST(seals.space AS BLOB),
        records.row, records.id, records.path, records.key, records.head, value,
        {as_bytes("embedded")}, {as_bytes("texts.words")}
    FROM {HEADS_WITH_TEXTS}
    LEFT JOIN words ON words.rowid = records.row
    LEFT JOIN seals ON seals.row = records.row
    WHERE records.row = ?
"""

_VECTORS = """
    SELECT iif(typeof(part) = 'integer', part, -1), iif(typeof(vector) = 'blob', vector, x'00')
    FROM vectors WHERE row = ? ORDER BY part
"""


def heard_after(sql: sqlite3.Connection, after: int, limit: int) -> list[Heard]:
    """Return live records past a row, by row; those whose truth is unreadable left out.

    What is derived stops nobody: what is no text, or no vector, differs from what should be.
    """
    space = bound_space(sql)
    found: list[Heard] = []
    while not found and (rows := _live_after(sql, after, limit)):
        for row in rows:
            with suppress(sqlite3.DatabaseError):  # told by the check of the records
                found.append(_heard(sql, row, space))
        after = rows[-1]
    return found


def _live_after(sql: sqlite3.Connection, after: int, limit: int) -> list[int]:
    found = sql.execute(
        "SELECT row FROM records WHERE row > ? AND live = 1 ORDER BY row LIMIT ?", (after, limit)
    )
    return [row for (row,) in found]


@sensible
def _heard(sql: sqlite3.Connection, row: int, space: Space | None) -> Heard:
    found = sql.execute(_HEARD, (row,)).fetchone()
    if found is None:
        raise SenselessRowError(f"record {row} has no head")
    length, circles, body, *sealed = found[:11]
    known, readable = _told(found[11:])
    seal = _seal(sealed, space, readable)
    if known.texts is None and seal.whole and seal.texts:
        known = replace(known, texts=())
    parts = sql.execute(_VECTORS, (row,)).fetchall()
    expected = sorted(map(str, namespaces.circles(sql, known.namespace)))
    return Heard(
        told=known,
        words=None if body is None else _split(body),
        length=length,
        placed=body is None or sorted(_split(circles)) == expected,
        vectors=len(parts),
        sound=_is_sound(parts, space),
        seal=seal,
    )


def _told(row: Sequence[Any]) -> tuple[Told, bool]:
    """Return what search was told, and whether that can be read."""
    *record, embedded, spoken = row
    texts = text_of(embedded), text_of(spoken)
    if (embedded, spoken).count(None) == texts.count(None):
        with suppress(SenselessRowError):
            return told_from([*record, *texts]), True
    return told_from([*record, None, None]), False


def _seal(sealed: Sequence[Any], space: Space | None, readable: bool) -> Seal:
    there, unsealed, lost, intact, texts, unknown, vectors, named = sealed
    if not intact:
        return Seal(
            whole=None if there and unsealed else False,
            texts=None if readable and not lost else False,
        )
    return Seal(
        whole=True,
        texts=bool(texts and readable),
        vectors=None if unknown else bool(vectors),
        model=None if named is None or space is None else space_from(named.decode()) == space,
    )


def _split(words: bytes | None) -> tuple[str, ...]:
    text = text_of(words)
    return _UNREADABLE if text is None else tuple(text.split(" "))


def _is_sound(parts: Sequence[tuple[int, Any]], space: Space | None) -> bool:
    if [part for part, _ in parts] != list(range(len(parts))):
        return False
    size = 4 * space.dims if space else None
    if len({len(blob) for _, blob in parts if isinstance(blob, bytes)}) > 1:
        return False
    return all(isinstance(blob, bytes) and _is_unit(blob, size) for _, blob in parts)


def _is_unit(blob: bytes, size: int | None) -> bool:
    if len(blob) % 4 or (size is not None and len(blob) != size):
        return False
    with np.errstate(all="ignore"):  # a flipped bit may be worth any number
        norm = float(np.linalg.norm(np.frombuffer(blob, dtype="<f4")))
    return norm == 0.0 or abs(norm - 1.0) <= UNIT  # NaN is neither
