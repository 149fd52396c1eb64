"""Seals: what was written together, so that a change behind our back shows without the model.

A vector says nothing of the text it was made from, and a text nothing of the value it was
taken from. With each live record stands a seal: short hashes of its address and value, of
every text that search was told, and of those texts together with the vectors. What no longer
fits its seal was changed, lost, or belongs to another record. The seal also names the model
that made the vectors, and hashes itself, so that damage to a seal is told from damage to what
it seals.

A seal finds damage and slips, not malice: who can write the file can seal anew. A record that
was last written before there were seals has a row without hashes; nothing is known of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import to_path
from langgraph_memory.domain.record import Record
from langgraph_memory.ports import IndexEntry, Lifetime, Stored
from langgraph_memory.storage.sqlite.codec import vector_blob
from langgraph_memory.storage.sqlite.hashes import digest, together, told
from langgraph_memory.storage.sqlite.records import SqliteRecords

OWN = """digest(
    seals.row, seals.head, announced, truth, told, seals.vectors, CAST(seals.space AS BLOB)
)"""
"""What ``seals.own`` should be."""

INTACT = f"(own IS {OWN})"
UNSEALED = "(coalesce(own, truth, told, seals.vectors, seals.space, announced) IS NULL)"
# As bytes: text that is not UTF-8 never reaches Python.
TRUTH = """digest(
    CAST(records.path AS BLOB), CAST(records.key AS BLOB), CAST(versions.value AS BLOB)
)"""
TOLD = "told(CAST(texts.embedded AS BLOB), CAST(texts.words AS BLOB))"
TOGETHER = f"""coalesce(
    (
        SELECT together({TOLD}, CAST(vector AS BLOB))
        FROM (SELECT vector FROM vectors WHERE vectors.row = records.row ORDER BY part)
    ),
    digest()  -- Python's module answers NULL where there is nothing to step over
)"""
HEADS = """
    records
    JOIN versions ON versions.row = records.row AND versions.number = records.head
"""
HEADS_WITH_TEXTS = f"{HEADS} LEFT JOIN texts ON texts.row = records.row"

PREPARED = """(
    SELECT together(
        digest(head, (SELECT CAST(value AS BLOB) FROM settings WHERE name = 'next_space')),
        digest(part, CAST(vector AS BLOB))
    )
    FROM (SELECT head, part, vector FROM next_vectors WHERE row = records.row ORDER BY part)
)"""
"""What ``seals.next`` should be; empty where it was prepared before there were seals."""

_NOTED = """(
    texts.row IS NOT NULL OR (
        records.tokens = 0 AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = records.row)
    )
)"""
"""Whether it is known what search was told; it was told something where words or vectors are."""

_LOST = b""
TEXTS_LOST = "(own IS NULL AND truth IS NULL AND told IS x'')"

_PUT = f"""
    INSERT OR REPLACE INTO seals (row, head, announced, truth, told, vectors, space, next, own)
    WITH made AS MATERIALIZED (
        SELECT
            records.row AS row,
            records.head AS head,
            CASE WHEN :announced
                THEN (SELECT max(sequence) FROM outbox)
                ELSE coalesce(kept.announced, 0) END AS announced,
            coalesce(kept.truth, {TRUTH}) AS truth,
            iif(:texts, {TOLD}, coalesce(kept.told, {TOLD})) AS told,
            CASE WHEN :vectors THEN {TOGETHER} END AS vectors,
            CASE WHEN EXISTS (SELECT 1 FROM vectors WHERE vectors.row = records.row)
                THEN (SELECT value FROM settings WHERE name = 'space') END AS space,
            (SELECT next FROM seals WHERE seals.row = records.row) AS next
        FROM {HEADS_WITH_TEXTS}
        LEFT JOIN (SELECT * FROM seals WHERE {INTACT}) AS kept
            ON kept.row = records.row AND kept.head = records.head
        WHERE {_NOTED} {{one}}
    )
    SELECT row, head, announced, truth, told, vectors, space, next,
        digest(row, head, announced, truth, told, vectors, CAST(space AS BLOB))
    FROM made
"""
_MARK = f"""
    INSERT OR REPLACE INTO seals (row, head, next)
    SELECT records.row, records.head, (SELECT next FROM seals WHERE seals.row = records.row)
    FROM {HEADS_WITH_TEXTS}
    WHERE NOT {_NOTED} {{one}}
"""
_ONE = "AND records.row = :row"


class SealedRecords(SqliteRecords):
    """``ports.Records``, each write of which leaves a seal in the same transaction."""

    def save(self, record: Record, *, known: int, entry: IndexEntry, lifetime: Lifetime) -> Stored:
        stored = super().save(record, known=known, entry=entry, lifetime=lifetime)
        self._seal(stored, IndexEntry() if record.head.value is None else entry)
        return stored

    def erase(self, rows: Sequence[int]) -> None:
        super().erase(rows)
        self._sql.executemany("DELETE FROM seals WHERE row = ?", [(row,) for row in rows])

    def _seal(self, stored: Stored, entry: IndexEntry) -> None:
        """Do what :func:`seal` does, of what is at hand: a write is half as long again without."""
        row, head, noted = stored.row, stored.head, bool(entry.texts or entry.spoken)
        if not noted and (entry.tokens or entry.vectors is not None):
            values: tuple[Any, ...] = (row, head.number, *[None] * 6)
        else:
            announced, space = self._sql.execute(_ANNOUNCED).fetchone()
            texts = told(entry.texts, entry.spoken if noted else None)
            vectors = [] if entry.vectors is None else [vector_blob(each) for each in entry.vectors]
            address = to_path(stored.namespace).encode(), stored.key.encode()
            values = (
                row,
                head.number,
                announced,
                digest(*address, None if head.value is None else dumps(head.value).encode()),
                texts,
                together(texts, vectors),
                space if vectors else None,
            )
            own = digest(*values[:-1], space.encode() if space and vectors else None)
            values = (*values, own)
        self._sql.execute(
            "INSERT OR REPLACE INTO seals (row, head, announced, truth, told, vectors, space, own) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )


_ANNOUNCED = """
    SELECT (SELECT max(sequence) FROM outbox), (SELECT value FROM settings WHERE name = 'space')
"""


def seal(
    sql: sqlite3.Connection, row: int | None, *, announced: bool = False, texts: bool = True,
    vectors: bool = True,
) -> None:  # fmt: skip
    """Seal a record as it stands, or all of them.

    What a seal that is whole says of the truth stays. A record of which nobody noted what
    search was told gets a mark instead.

    Args:
        sql: Inside a write.
        row: The record; None for all.
        announced: Whether the last announcement is this record's.
        texts: Whether its texts are to be sealed anew; else a seal that is whole keeps them.
        vectors: Whether its vectors are known to be those of its texts.
    """
    values = {"row": row, "announced": announced, "texts": texts, "vectors": vectors}
    one = "" if row is None else _ONE
    put = sql.execute(_PUT.format(one=one), values)
    if row is None or not put.rowcount:
        sql.execute(_MARK.format(one=one), values)


def sealed_texts(sql: sqlite3.Connection, row: int) -> bytes | None:
    """Return the hashes of the texts a record was sealed with, None if nobody knows them."""
    found = sql.execute(
        f"""
        SELECT told FROM seals JOIN records ON records.row = seals.row
        WHERE seals.row = ? AND seals.head = records.head AND {INTACT}
        """,
        (row,),
    ).fetchone()
    return found[0] if found else None


def vouches(sql: sqlite3.Connection, row: int) -> bool:
    """Tell whether the seal of a record says that its address and value are what was written."""
    found = sql.execute(
        f"""
        SELECT 1
        FROM {HEADS}
        JOIN seals ON seals.row = records.row AND seals.head = records.head
        WHERE records.row = ? AND {INTACT} AND truth IS {TRUTH}
        """,
        (row,),
    ).fetchone()
    return found is not None


def mark_all(sql: sqlite3.Connection, *, texts_lost: bool) -> None:
    """Note of every record without a seal that nothing is known of it.

    Where its texts are lost with the seals, nobody knows either whether it was to be found:
    it is told to search by its value.
    """
    sql.execute(
        "INSERT OR IGNORE INTO seals (row, head, told) "
        "SELECT row, head, iif(live, ?, NULL) FROM records",
        (_LOST if texts_lost else None,),
    )


def seal_prepared(sql: sqlite3.Connection, row: int) -> None:
    """Seal what is prepared of a record for another model."""
    sql.execute(
        f"""
        INSERT INTO seals (row, head, next)
        SELECT row, head, {PREPARED} FROM records WHERE row = ?
        ON CONFLICT (row) DO UPDATE SET next = excluded.next
        """,
        (row,),
    )


def misprepared(sql: sqlite3.Connection) -> list[tuple[int]]:
    """Return the records of which something else is prepared than was sealed."""
    return sql.execute(
        f"""
        SELECT row FROM records
        WHERE row IN (SELECT row FROM next_vectors) AND NOT EXISTS (
            SELECT 1 FROM seals
            WHERE seals.row = records.row AND (next = x'' OR next = {PREPARED})
        )
        """
    ).fetchall()


def drop_misprepared(sql: sqlite3.Connection) -> None:
    """Remove it: it is owed again."""
    sql.executemany("DELETE FROM next_vectors WHERE row = ?", misprepared(sql))


def unsealed_tombstones(sql: sqlite3.Connection) -> list[tuple[int]]:
    """Return deleted records whose seal is missing or broken."""
    return sql.execute(
        f"""
        SELECT row FROM records
        WHERE live = 0 AND NOT EXISTS (
            SELECT 1 FROM seals
            WHERE seals.row = records.row
              AND ({UNSEALED} OR (seals.head = records.head AND {INTACT}))
        )
        """
    ).fetchall()
