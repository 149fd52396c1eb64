"""What a database can tell about itself: each function looks at one thing, under one view.

Damage is a finding. A row that cannot even be decoded is told by its number; nothing of what
it holds goes into a report.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from langgraph_memory.domain.findings import Check, Findings, Sort
from langgraph_memory.storage.sqlite.announcing import announcements
from langgraph_memory.storage.sqlite.chains import chains
from langgraph_memory.storage.sqlite.flags import DEAD, flags
from langgraph_memory.storage.sqlite.grants import grants
from langgraph_memory.storage.sqlite.places import addresses
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.sealing import misprepared, seal, unsealed_tombstones
from langgraph_memory.storage.sqlite.settings import settings
from langgraph_memory.storage.sqlite.tables import indexes
from langgraph_memory.storage.sqlite.trials import trials

DERIVED = (
    ("words", "rowid"), ("vectors", "row"), ("texts", "row"), ("next_vectors", "row"),
    ("pieces", "row"), ("seals", "row"), ("trials", "row"),
)  # fmt: skip
"""Tables of what goes with a record, each with the column that names it."""

_DAMAGES_TOLD = 20

_OTHERS = """
    SELECT {name}, threads.thread_id IS NOT NULL
    FROM {table} LEFT JOIN threads ON threads.thread_id = {table}.thread_id
    WHERE threads.thread_id IS NULL
        OR threads.tenant != {table}.tenant
        OR threads.user IS NOT {table}.user
"""

Look = tuple[str, Callable[[sqlite3.Connection], Check], Sort]


def truths(sql: sqlite3.Connection) -> list[Check]:
    """Return the checks of what cannot be made again, each made whatever the others met."""
    each: tuple[Look, ...] = (
        ("database file", database_file, "truth"),
        ("records", chains, "truth"),
        ("trials", trials, "truth"),
        ("transcript", transcript, "truth"),
        ("grants", grants, "truth"),
    )
    return [_guarded(sql, *look) for look in each]


def pages(sql: sqlite3.Connection) -> Check:
    """Return the check of the pages of the file, whatever it met."""
    return _guarded(sql, "database file", database_file, "truth")


def derivations(sql: sqlite3.Connection) -> list[Check]:
    """Return those of what can, as far as that takes no words and no vectors."""
    each: tuple[Look, ...] = (
        ("indexes", indexes, "derived"),
        ("settings", settings, "derived"),
        ("namespaces", addresses, "derived"),
        ("leftovers", leftovers, "derived"),
        ("flags", flags, "derived"),
        ("tombstones", tombstones, "derived"),
        ("outbox", announcements, "derived"),
    )
    return [_guarded(sql, *look) for look in each]


def database_file(sql: sqlite3.Connection) -> Check:
    """Let SQLite check the pages of the file."""
    findings = Findings("database file", sql.execute("PRAGMA page_count").fetchone()[0])
    for (problem,) in sql.execute(f"PRAGMA integrity_check({_DAMAGES_TOLD})"):
        if problem != "ok":
            # An index can be made anew from its table.
            sort: Sort = "derived" if "index" in problem else "truth"
            findings.add(sort, "database file", problem)
    return findings.check()


def leftovers(sql: sqlite3.Connection) -> Check:
    """Look for rows that were made from records that are gone, deleted or changed since."""
    findings = Findings("leftovers")
    for table, column in DERIVED:
        findings.counted += sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for (row,) in leftover(sql, table, column):
            findings.add("derived", f"{table} of row {row}", "is of nothing that is there")
    return findings.check()


def tombstones(sql: sqlite3.Connection) -> Check:
    """Check the seals of deleted records; those of live ones are read with their texts."""
    (dead,) = sql.execute("SELECT count(*) FROM records WHERE live = 0").fetchone()
    findings = Findings("tombstones", dead)
    for (row,) in unsealed_tombstones(sql):
        findings.add("derived", f"record row {row}", "its seal is missing or broken")
    return findings.check()


def transcript(sql: sqlite3.Connection) -> Check:
    """Check that every event and job belongs to the owner of its thread."""
    findings = Findings("transcript")
    findings.counted = sql.execute("SELECT count(*) FROM events").fetchone()[0]
    for event_id, opened in sql.execute(_OTHERS.format(name="events.id", table="events")):
        problem = "is another owner's than its thread" if opened else "its thread has no owner"
        findings.add("truth", f"event {event_id}", problem)
    for _ in sql.execute(_OTHERS.format(name="0", table="jobs")):  # a job's key names its thread
        findings.add("truth", "jobs", "one is not of its thread's owner")
    for (event_id,) in sql.execute(
        """
        SELECT id FROM events
        WHERE NOT json_valid(scope) OR (outcome IS NOT NULL AND NOT json_valid(outcome))
        """
    ).fetchall():
        findings.add("truth", f"event {event_id}", "holds what cannot be read")
    (ahead,) = sql.execute(
        "SELECT count(*) FROM threads WHERE consolidated > "
        "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)"
    ).fetchone()
    if ahead:
        findings.add("truth", "threads", f"{ahead} were read past the last event")
    return findings.check()


def leftover(sql: sqlite3.Connection, table: str, column: str) -> list[tuple[int]]:
    """Return the records a derived table speaks of although it should not."""
    found = sql.execute(
        f"""
        SELECT DISTINCT {column} FROM {table}
        WHERE {column} NOT IN (SELECT row FROM records WHERE '{table}' = 'seals' OR NOT {DEAD})
        """
    ).fetchall()
    if table == "next_vectors":
        found += sql.execute(
            """
            SELECT next_vectors.row
            FROM next_vectors JOIN records ON records.row = next_vectors.row
            WHERE live = 1 AND (
                next_vectors.head != records.head
                OR NOT EXISTS (SELECT 1 FROM settings WHERE name = 'next_space')
            )
            """
        ).fetchall()
        found += misprepared(sql)
    return list(dict.fromkeys(found))


def mend_leftovers(sql: sqlite3.Connection) -> None:
    """Remove them."""
    for table, column in DERIVED:
        rows = leftover(sql, table, column)
        sql.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)
        if table == "vectors":
            sql.executemany("INSERT INTO outbox (row) VALUES (?)", rows)


def mend_tombstones(sql: sqlite3.Connection) -> None:
    """Seal them as they stand."""
    for (row,) in unsealed_tombstones(sql):
        seal(sql, row)


def _guarded(
    sql: sqlite3.Connection, name: str, check: Callable[[sqlite3.Connection], Check], sort: Sort
) -> Check:
    try:
        return sensible(check)(sql)
    except sqlite3.DatabaseError:
        findings = Findings(name)
        findings.add(sort, name, "cannot be read to the end")
        return findings.check()
