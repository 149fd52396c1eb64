"""The look at the outbox, which must hold every number from its floor to the last."""

from __future__ import annotations

import sqlite3

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.storage.sqlite.outbox import SqliteOutbox
from langgraph_memory.storage.sqlite.sealing import INTACT

_STRANGE = """
    SELECT count(*) FROM outbox
    WHERE typeof(row) != 'integer'
        OR row NOT BETWEEN 1 AND (SELECT seq FROM sqlite_sequence WHERE name = 'records')
"""
_OF_OTHERS = f"""
    SELECT count(*)
    FROM seals JOIN outbox ON outbox.sequence = announced
    WHERE outbox.row != seals.row AND {INTACT}
"""


def announcements(sql: sqlite3.Connection) -> Check:
    """Check the order of the queue to the indexes, and that it names whom it announced."""
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
    elif findings.counted != max(0, last - floor):
        findings.add("derived", "outbox", "announcements are missing")
    if sum(sql.execute(each).fetchone()[0] for each in (_STRANGE, _OF_OTHERS)):
        findings.add("derived", "outbox", "names other records than were announced")
    for _ in sql.execute(
        "SELECT 1 FROM followers WHERE typeof(sequence) != 'integer' OR sequence > ?", (last,)
    ):
        findings.add("derived", "followers", "one is ahead of the last announcement")
    return findings.check()


def mend_announcements(sql: sqlite3.Connection) -> int:
    """Let an outbox that makes no sense start anew: every mirror reloads."""
    if announcements(sql).well:
        return 0
    sql.execute("DELETE FROM followers WHERE typeof(sequence) != 'integer'")
    SqliteOutbox(sql).restart()
    return 1
