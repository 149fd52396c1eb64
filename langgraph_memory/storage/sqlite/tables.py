"""Which tables and indexes there should be, and making those anew that are derived.

A table that is derived and gone, or cannot be asked, is made again, empty: what stood in it
is then found missing, and made again in its turn. A table of the truth is never made again,
since an empty one would say that there was nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.schema import migrate
from langgraph_memory.storage.sqlite.sealing import mark_all

TRUTH = frozenset({"records", "versions", "trials", "threads", "events", "jobs", "grants"})
"""Tables that nothing else could be made from; all others are derived."""

FULL_TEXT = "words"
FAR = 1_000_000
"""Numbers left out by an outbox that has lost its own: mirrors in memory may know later ones."""


def tables(sql: sqlite3.Connection) -> Check:
    """Compare the tables with those of a new database."""
    findings = Findings("tables")
    with _new_database() as new:
        for name in _tables(new):
            findings.counted += 1
            if problem := _problem(sql, new, name):
                findings.add("truth" if name in TRUTH else "derived", f"table {name}", problem)
    return findings.check()


def indexes(sql: sqlite3.Connection) -> Check:
    """Compare the indexes with what they should be: without one, some questions fail."""
    findings = Findings("indexes")
    there, expected = _indexes(sql), _expected_indexes(sql)
    for name, statement in expected.items():
        findings.counted += 1
        if name not in there:
            findings.add("derived", f"index {name}", "is missing")
        elif there[name] != statement:
            findings.add("derived", f"index {name}", "is over something else")
    for name in _surplus(there, expected):
        findings.add("derived", f"index {name}", "is over no declared field")
    return findings.check()


def mend_tables(sql: sqlite3.Connection) -> list[str]:
    """Make derived tables that are gone, or cannot be asked, anew and empty; return their names.

    A database that lacks a table of the truth is left as it is.
    """
    with _new_database() as new:
        wrong = [name for name in _tables(new) if _problem(sql, new, name)]
        if TRUTH & set(wrong):
            return []
        for name in wrong:
            remake(sql, new, name)
    if "seals" in wrong:
        mark_all(sql, texts_lost="texts" in wrong)
    if "outbox" in wrong:
        last = SqliteOutbox(sql).newest_known()
        sql.execute("INSERT INTO outbox (sequence, row) VALUES (?, 0)", (last + FAR,))
        SqliteOutbox(sql).restart()
    return wrong


def mend_indexes(sql: sqlite3.Connection) -> None:
    """Make every index anew that is missing or is over something else; drop what is over."""
    there, expected = _indexes(sql), _expected_indexes(sql)
    for name in _surplus(there, expected):
        sql.execute(f"DROP INDEX {name}")
    for name, statement in expected.items():
        if there.get(name) != statement:
            sql.execute(f"DROP INDEX IF EXISTS {name}")
            sql.execute(statement)


def remake_full_text(sql: sqlite3.Connection) -> None:
    """Make the full text anew and empty."""
    with _new_database() as new:
        remake(sql, new, FULL_TEXT)


def remake(sql: sqlite3.Connection, new: sqlite3.Connection, name: str) -> None:
    """Drop a table, if it is there, and make it as it is in the new database."""
    if name == FULL_TEXT:
        _complete_full_text(sql, new)
    sql.execute(f"DROP TABLE IF EXISTS {name}")
    sql.execute(_statement(new, name))


def _complete_full_text(sql: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Give a full-text table back what it needs to be dropped: FTS5 must open it for that."""
    if not _statement(sql, FULL_TEXT):
        for part in _parts(new):
            sql.execute(f"DROP TABLE IF EXISTS {part}")
        return
    for part in _parts(new):
        if not _statement(sql, part):
            sql.execute(_statement(new, part))
        if part.endswith(("_config", "_data")):
            rows = new.execute(f"SELECT * FROM {part}").fetchall()
            sql.executemany(f"INSERT OR REPLACE INTO {part} VALUES (?, ?)", rows)


def _problem(sql: sqlite3.Connection, new: sqlite3.Connection, name: str) -> str:
    if not _statement(sql, name):
        return "is missing"
    if name == FULL_TEXT:
        return "" if _can_be_asked(sql, new) else "cannot be asked"
    return "" if _columns(sql, name) == _columns(new, name) else "has other columns"


def _can_be_asked(sql: sqlite3.Connection, new: sqlite3.Connection) -> bool:
    if not all(_statement(sql, part) for part in _parts(new)):
        return False
    with suppress(sqlite3.DatabaseError):
        sql.execute("SELECT total(length(circles) + length(body)) FROM words").fetchone()
        return _columns(sql, FULL_TEXT) == _columns(new, FULL_TEXT)
    return False


def _expected_indexes(sql: sqlite3.Connection) -> dict[str, str]:
    with _new_database() as new:
        expected = _indexes(new)
    with suppress(InvalidInputError):  # told by the check of the settings
        expected |= filter_index.indexes(sql)
    return expected


def _surplus(there: dict[str, str], expected: dict[str, str]) -> list[str]:
    return [name for name in there if name not in expected and filter_index.is_ours(name)]


def _indexes(sql: sqlite3.Connection) -> dict[str, str]:
    found = sql.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOTNULL")
    return dict(found.fetchall())


def _tables(new: sqlite3.Connection) -> list[str]:
    found = new.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' "
        "AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    return [name for (name,) in found]


def _parts(new: sqlite3.Connection) -> list[str]:
    """Return the tables in which FTS5 keeps the full text."""
    found = new.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow' ORDER BY name")
    return [name for (name,) in found]


def _columns(sql: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _statement(sql: sqlite3.Connection, name: str) -> str:
    found = sql.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return str(found[0]) if found else ""


@contextmanager
def _new_database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        migrate(new, found=0)
        yield new
