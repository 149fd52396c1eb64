"""The look at the full-text index: FTS5's own, and whether it finds what it holds.

FTS5's integrity check reads its index from end to end and compares it with the rows. A search
does not: it jumps to a word by a table of first words, which that check never looks at. So
each word that is met from end to end is asked for once more, as a search asks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.storage.sqlite import tables

_BATCH = 2_000


def full_text(sql: sqlite3.Connection) -> Check:
    """Check the index against its rows, then its finding against its index. Only in a write."""
    findings = Findings("full-text index", 1)
    try:
        sql.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        with _vocabulary(sql):
            findings.counted, missed = _asked(sql)
    except sqlite3.DatabaseError:
        findings.add("derived", "words", "the index does not fit its own rows")
    else:
        if missed:
            findings.add("derived", "words", f"of {missed} words, searches do not find every row")
    return findings.check()


def rebuild(sql: sqlite3.Connection) -> None:
    """Make the index anew from its own rows; where it can no longer be opened, empty."""
    try:
        sql.execute("INSERT INTO words (words) VALUES ('rebuild')")
    except sqlite3.DatabaseError:
        tables.remake_full_text(sql)


def _asked(sql: sqlite3.Connection) -> tuple[int, int]:
    """Return how many words there are, and of how many a search finds another number of rows."""
    counted = missed = 0
    met = sql.cursor().execute("SELECT term, doc FROM temp.every_word")
    while batch := met.fetchmany(_BATCH):
        counted += len(batch)
        for term, rows in batch:
            found = sql.execute("SELECT doc FROM temp.every_word WHERE term = ?", (term,))
            missed += (found.fetchone() or (0,))[0] != rows
    return max(counted, 1), missed


@contextmanager
def _vocabulary(sql: sqlite3.Connection) -> Iterator[None]:
    sql.execute("DROP TABLE IF EXISTS temp.every_word")
    sql.execute("CREATE VIRTUAL TABLE temp.every_word USING fts5vocab (main, words, row)")
    try:
        yield
    finally:
        with suppress(sqlite3.DatabaseError):  # rolled back with the transaction, then
            sql.execute("DROP TABLE temp.every_word")
