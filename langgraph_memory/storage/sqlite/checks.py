"""What a database can tell about itself: each function looks at one thing, under one view.

Damage is a finding. A row that cannot even be decoded is told by its number; nothing of what
it holds goes into a report.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any, NoReturn

from langgraph_memory.domain.findings import Check, Findings, Sort
from langgraph_memory.domain.namespace import ancestors, from_path, to_path
from langgraph_memory.domain.record import Status, Version
from langgraph_memory.storage.sqlite.codec import VERSION_COLUMNS, to_micros, version_from
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.problems import SenselessRowError, sensible
from langgraph_memory.storage.sqlite.schema import migrate

DERIVED = (("words", "rowid"), ("vectors", "row"), ("texts", "row"), ("next_vectors", "row"))
"""Tables of what was made from live heads, each with the column that names the record."""

UNSETTLED = """
    EXISTS (
        SELECT 1 FROM versions
        WHERE versions.row = records.row AND versions.number = records.head
          AND (valid_from IS NOT NULL OR valid_until IS NOT NULL
               OR status NOT IN ('active', 'deleted'))
    )
"""
"""Whether a head is not simply what holds; as ``records`` notes it."""

_DAMAGES_TOLD = 20

_OTHERS = """
    SELECT {name}, threads.thread_id IS NOT NULL
    FROM {table} LEFT JOIN threads ON threads.thread_id = {table}.thread_id
    WHERE threads.thread_id IS NULL
        OR threads.tenant != {table}.tenant
        OR threads.user IS NOT {table}.user
"""


def all_checks(sql: sqlite3.Connection) -> list[Check]:
    """Return every check, each made whatever the others met."""
    each: tuple[tuple[str, Callable[[sqlite3.Connection], Check]], ...] = (
        ("database file", database_file),
        ("indexes", indexes),
        ("records", chains),
        ("namespaces", addresses),
        ("leftovers", leftovers),
        ("flags", flags),
        ("outbox", announcements),
        ("transcript", transcript),
    )
    return [_guarded(name, check, sql) for name, check in each]


def missing(row: int) -> NoReturn:
    """Say that a live record has no head.

    Raises:
        SenselessRowError: Always.
    """
    raise SenselessRowError(f"record {row} has no head")


def database_file(sql: sqlite3.Connection) -> Check:
    """Let SQLite check the pages of the file."""
    findings = Findings("database file", sql.execute("PRAGMA page_count").fetchone()[0])
    for (problem,) in sql.execute(f"PRAGMA integrity_check({_DAMAGES_TOLD})"):
        if problem != "ok":
            # An index can be made anew from its table.
            sort: Sort = "derived" if "index" in problem else "truth"
            findings.add(sort, "database file", problem)
    return findings.check()


def indexes(sql: sqlite3.Connection) -> Check:
    """Compare the indexes with those of a new database: without one, some questions fail."""
    findings = Findings("indexes")
    there = set(_indexes(sql))
    for name in expected_indexes():
        findings.counted += 1
        if name not in there:
            findings.add("derived", f"index {name}", "is missing")
    return findings.check()


def expected_indexes() -> dict[str, str]:
    """Return the indexes of a new database, and the statements that make them."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        migrate(fresh, found=0)
        return _indexes(fresh)


def _indexes(sql: sqlite3.Connection) -> dict[str, str]:
    found = sql.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOTNULL")
    return dict(found.fetchall())


def chains(sql: sqlite3.Connection) -> Check:
    """Read every version of every record, and compare each chain with its record."""
    findings = Findings("records")
    rows = [row for (row,) in sql.execute("SELECT row FROM records ORDER BY row").fetchall()]
    for row in rows:
        findings.counted += 1
        place = f"record row {row}"
        try:
            record_id, *record = sql.execute(
                "SELECT id, head, live, created_at, updated_at FROM records WHERE row = ?", (row,)
            ).fetchone()
            place = f"record {record_id}"
            chain = sql.execute(
                f"SELECT {VERSION_COLUMNS} FROM versions WHERE row = ? ORDER BY number", (row,)
            ).fetchall()
            problems = _chain_problems(record, [version_from(each) for each in chain])
        except sqlite3.DatabaseError:
            problems = ["holds what cannot be read"]
        for problem in problems:
            findings.add("truth", place, problem)
    for (row,) in sql.execute(
        "SELECT DISTINCT row FROM versions WHERE row NOT IN (SELECT row FROM records)"
    ).fetchall():
        findings.add("truth", f"versions of row {row}", "belong to no record")
    return findings.check()


def addresses(sql: sqlite3.Connection) -> Check:
    """Compare the numbers of namespaces with the paths of the records."""
    findings = Findings("namespaces")
    known = dict(sql.execute("SELECT id, path FROM namespaces").fetchall())
    findings.counted = len(known)
    paths = set(known.values())
    for row, namespace, path in sql.execute("SELECT row, namespace, path FROM records").fetchall():
        if namespace not in known:
            findings.add("derived", f"record row {row}", "its namespace has no number")
        elif known[namespace] != path:
            findings.add("truth", f"record row {row}", "its two namespaces differ")
        elif any(to_path(each) not in paths for each in ancestors(from_path(path))):
            findings.add("derived", f"record row {row}", "a namespace above it has no number")
    for (number,) in empty_namespaces(sql):
        findings.add("derived", f"namespace {number}", "nothing stands in it")
    return findings.check()


def leftovers(sql: sqlite3.Connection) -> Check:
    """Look for rows that were made from records that are gone, deleted or changed since."""
    findings = Findings("leftovers")
    for table, column in DERIVED:
        findings.counted += sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for (row,) in leftover(sql, table, column):
            findings.add("derived", f"{table} of row {row}", "belongs to no live record")
    return findings.check()


def flags(sql: sqlite3.Connection) -> Check:
    """Compare what records note for speed with the heads it was taken from."""
    findings = Findings("flags", sql.execute("SELECT count(*) FROM records").fetchone()[0])
    for (row,) in sql.execute(f"SELECT row FROM records WHERE unsettled != {UNSETTLED}"):
        findings.add("derived", f"record row {row}", "is flagged wrongly as settled or not")
    for (row,) in sql.execute("SELECT row FROM records WHERE live = 0 AND tokens != 0"):
        findings.add("derived", f"record row {row}", "is deleted and counts words")
    return findings.check()


def announcements(sql: sqlite3.Connection) -> Check:
    """Check the order of the queue to the indexes."""
    findings = Findings("outbox")
    first, newest, findings.counted = sql.execute(
        "SELECT min(sequence), max(sequence), count(*) FROM outbox"
    ).fetchone()
    outbox = SqliteOutbox(sql)
    last, floor = outbox.last(), outbox.floor()
    if floor > last or (newest or 0) > last:
        findings.add("derived", "outbox", "holds numbers that were never given")
    if first is not None and first <= floor:
        findings.add("derived", "outbox", "holds announcements that were pruned")
    for (sequence,) in sql.execute("SELECT sequence FROM followers"):
        if sequence > last:
            findings.add("derived", "followers", "one is ahead of the last announcement")
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
        WHERE {column} NOT IN (SELECT row FROM records WHERE live = 1)
        """
    ).fetchall()
    if table == "next_vectors":
        found += sql.execute(
            """
            SELECT DISTINCT next_vectors.row
            FROM next_vectors JOIN records ON records.row = next_vectors.row
            WHERE live = 1 AND (
                next_vectors.head != records.head
                OR NOT EXISTS (SELECT 1 FROM settings WHERE name = 'next_space')
            )
            """
        ).fetchall()
    return found


def empty_namespaces(sql: sqlite3.Connection) -> list[tuple[int]]:
    """Return the numbers of namespaces under which no record is."""
    return sql.execute(
        """
        SELECT id FROM namespaces
        WHERE NOT EXISTS (
            SELECT 1 FROM records
            WHERE records.path >= namespaces.path
              AND records.path < substr(namespaces.path, 1, length(namespaces.path) - 1) || '/'
        )
        """
    ).fetchall()


def _guarded(
    name: str, check: Callable[[sqlite3.Connection], Check], sql: sqlite3.Connection
) -> Check:
    try:
        return sensible(check)(sql)
    except sqlite3.DatabaseError:
        findings = Findings(name)
        findings.add("truth", name, "cannot be read to the end")
        return findings.check()


@sensible
def _chain_problems(record: Sequence[Any], versions: Sequence[Version]) -> list[str]:
    """Return what is wrong with a record and its chain."""
    return list(_problems(record, versions))


def _problems(record: Sequence[Any], versions: Sequence[Version]) -> Iterator[str]:
    """Yield what is wrong with ``(head, live, created_at, updated_at)`` and a chain."""
    head, live, created_at, updated_at = record
    if not versions:
        yield "has no version"
        return
    numbers = [each.number for each in versions]
    last = versions[-1]
    if numbers[0] < 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        yield "versions are missing in its chain"
    if last.number != head:
        yield "its head is not its last version"
    if last.superseded_at is not None or last.status is Status.SUPERSEDED:
        yield "its last version is closed"
    if any(_badly_closed(before, after) for before, after in pairwise(versions)):
        yield "a version does not end where the next begins"
    if any((each.value is None) != (each.status is Status.DELETED) for each in versions):
        yield "a version's status does not fit its value"
    if bool(live) != (last.value is not None):
        yield "its flag does not say whether it is deleted"
    if updated_at != to_micros(last.recorded_at):
        yield "its time of change is not its last version's"
    if not _born_right(created_at, versions):
        yield "its time of creation is not its first version's"


def _badly_closed(before: Version, after: Version) -> bool:
    return (
        before.superseded_at != after.recorded_at
        or before.status is Status.ACTIVE
        or after.recorded_at < before.recorded_at
    )


def _born_right(created_at: int, versions: Sequence[Version]) -> bool:
    """Tell whether a record's present life began when it says; pruned chains may not know."""
    lives = [after for before, after in pairwise(versions) if before.status is Status.DELETED]
    if lives or versions[0].number == 1:
        return created_at == to_micros((lives or [versions[0]])[-1].recorded_at)
    return created_at <= to_micros(versions[0].recorded_at)
