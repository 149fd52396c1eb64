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

SEALED = """
    seals.row, seals.head, announced, truth, told, seals.vectors, CAST(seals.space AS BLOB)
"""
OWN = f"""iif(
    seals.oldest IS NULL AND seals.papers IS NULL,
    digest({SEALED}),  -- before versions had seals
    digest({SEALED}, seals.oldest, seals.papers)
)"""
"""What ``seals.own`` should be."""

INTACT = f"(seals.own IS {OWN})"
UNSEALED = """(
    coalesce(seals.own, truth, told, seals.vectors, seals.space, announced, seals.oldest, papers)
    IS NULL
)"""
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

OLDEST = "(SELECT min(number) FROM versions AS kept_ones WHERE kept_ones.row = records.row)"
PAPERS = "digest(CAST(records.id AS BLOB), created_at, ttl_minutes, protected)"

_NOTED = """(
    texts.row IS NOT NULL OR (
        records.tokens = 0 AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = records.row)
    )
)"""
"""Whether it is known what search was told; it was told something where words or vectors are."""

_LOST = b""
TEXTS_LOST = "(seals.own IS NULL AND truth IS NULL AND told IS x'')"

_PUT = f"""
    INSERT OR REPLACE INTO seals
        (row, head, announced, truth, told, vectors, space, next, oldest, papers, own)
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
            (SELECT next FROM seals WHERE seals.row = records.row) AS next,
            coalesce(kept.oldest, {OLDEST}) AS oldest,
            coalesce(kept.papers, {PAPERS}) AS papers
        FROM {HEADS_WITH_TEXTS}
        LEFT JOIN (SELECT * FROM seals WHERE {INTACT}) AS kept
            ON kept.row = records.row AND kept.head = records.head
        WHERE {_NOTED} {{one}}
    )
    SELECT row, head, announced, truth, told, vectors, space, next, oldest, papers, digest(
        row, head, announced, truth, told, vectors, CAST(space AS BLOB), oldest, papers
    )
    FROM made
"""
_MARK = f"""
    INSERT OR REPLACE INTO seals (row, head, next)
    SELECT records.row, records.head, (SELECT next FROM seals WHERE seals.row = records.row)
    FROM {HEADS_WITH_TEXTS}
    WHERE NOT {_NOTED} {{one}}
"""
_ONE = "AND records.row = :row"

VERSION_SAYS = """says(
    versions.own, versions.row, versions.number, CAST(versions.value AS BLOB),
    versions.recorded_at, versions.valid_from, versions.valid_until,
    CAST(versions.status AS BLOB), CAST(versions.provenance AS BLOB)
)"""
"""Whether a version says what was written; NULL where nothing is known of it."""

SEAL_VERSIONS = f"""
    UPDATE versions SET own = version_seal(
        row, number, CAST(value AS BLOB), recorded_at, valid_from, valid_until,
        CAST(status AS BLOB), CAST(provenance AS BLOB)
    )
    WHERE {VERSION_SAYS} IS NULL
"""


def seal_versions(sql: sqlite3.Connection) -> None:
    """Seal each version that has no seal, or a broken one, and each chain that has none."""
    sql.execute(SEAL_VERSIONS)
    sql.execute(
        f"""
        UPDATE seals SET oldest = new.oldest, papers = new.papers,
            own = digest({SEALED}, new.oldest, new.papers)
        FROM (SELECT row, {OLDEST} AS oldest, {PAPERS} AS papers FROM records) AS new
        WHERE seals.row = new.row AND seals.oldest IS NULL AND {INTACT}
        """
    )


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
    sql.execute(SEAL_VERSIONS + (" AND versions.row = ?" if row else ""), (row,) if row else ())
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


def testimony(sql: sqlite3.Connection, row: int) -> bool | None:
    """Tell what the seal of a record says of its address and value; None if it says nothing.

    Returns:
        Whether they are what was written.
    """
    found = sql.execute(
        f"""
        SELECT truth IS {TRUTH}
        FROM {HEADS}
        JOIN seals ON seals.row = records.row AND seals.head = records.head
        WHERE records.row = ? AND {INTACT} AND truth IS NOT NULL
        """,
        (row,),
    ).fetchone()
    return None if found is None else bool(found[0])


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
