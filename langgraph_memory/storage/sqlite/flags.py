"""The look at what records note for speed, and the repair of it.

What a record notes of its head says something only where the head is what was written: a head
that contradicts its seal changes no flag, and nothing that was made from it is taken away.
"""

from __future__ import annotations

import sqlite3

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.storage.sqlite.codec import LAST_MICROS
from langgraph_memory.storage.sqlite.sealing import VERSION_SAYS

_HEAD = f"""
    EXISTS (
        SELECT 1 FROM versions
        WHERE versions.row = records.row AND versions.number = records.head
          AND {VERSION_SAYS} IS NOT 0 AND {{what}}
    )
"""
_UNSETTLED = _HEAD.format(
    what="(valid_from IS NOT NULL OR valid_until IS NOT NULL "
    "OR status NOT IN ('active', 'deleted'))"
)
"""Whether a head is not simply what holds; as ``records`` notes it."""

DEAD = f"(live = 0 AND {_HEAD.format(what='value IS NULL')})"
"""Whether a record is deleted, and nothing contradicts that."""

_WRONG = {
    f"unsettled IS NOT {_UNSETTLED} AND {_HEAD.format(what='1')}": (
        "is flagged wrongly as settled or not", f"unsettled = {_UNSETTLED}",
    ),
    f"tokens IS NOT 0 AND {DEAD}": ("is deleted and counts words", "tokens = 0"),
    "typeof(hits) != 'integer' OR hits < 0": ("its uses are no number", "hits = 0"),
    f"last_access IS NOT NULL AND "
    f"(typeof(last_access) != 'integer' OR last_access NOT BETWEEN 0 AND {LAST_MICROS})": (
        "its last use is no instant", "last_access = NULL",
    ),
}  # fmt: skip


def flags(sql: sqlite3.Connection) -> Check:
    """Compare what records note for speed with the heads it was taken from."""
    findings = Findings("flags", sql.execute("SELECT count(*) FROM records").fetchone()[0])
    for where, (problem, _) in _WRONG.items():
        for (row,) in sql.execute(f"SELECT row FROM records WHERE {where}").fetchall():
            findings.add("derived", f"record row {row}", problem)
    return findings.check()


def mend_flags(sql: sqlite3.Connection) -> None:
    """Note anew what records note for speed; uses that cannot be read are counted anew."""
    for where, (_, right) in _WRONG.items():
        sql.execute(f"UPDATE records SET {right} WHERE {where}")
