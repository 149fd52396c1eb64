"""The look at namespaces: their numbers against the paths that the records themselves carry.

A record's path is truth, the number of its namespace is not. Where the two disagree, the
record's seal says whether its path is the one that was written; without a seal, a number that
no record agrees with any more, and a path that has none, speak for the record.
"""

from __future__ import annotations

import sqlite3

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import ancestors, from_path, to_path
from langgraph_memory.storage.sqlite import namespaces
from langgraph_memory.storage.sqlite.legible import as_bytes, legible, place_of
from langgraph_memory.storage.sqlite.sealing import testimony

_READABLE = f"{legible('records.path')}"
_DISAGREEING = f"""
    SELECT records.row, records.path, records.namespace
    FROM records JOIN namespaces ON namespaces.id = records.namespace
    WHERE namespaces.path != records.path AND {_READABLE} AND {legible("namespaces.path")}
    ORDER BY records.row
"""
_NAMELESS = f"""
    SELECT row, path FROM records
    WHERE namespace NOT IN (SELECT id FROM namespaces) AND {_READABLE}
"""
_PATHS = f"SELECT DISTINCT path FROM records WHERE {_READABLE}"
_ILLEGIBLE = f"SELECT id FROM namespaces WHERE NOT {legible('path')}"


def addresses(sql: sqlite3.Connection) -> Check:
    """Compare the numbers of namespaces with the paths of the records."""
    findings = Findings("namespaces")
    known = [path for (path,) in sql.execute(f"SELECT {as_bytes('path')} FROM namespaces")]
    paths = {to_path(place) for each in known if (place := place_of(each)) is not None}
    findings.counted = len(known)
    for (number,) in sql.execute(_ILLEGIBLE).fetchall():
        findings.add("derived", f"namespace {number}", "cannot be read")
    for row, _ in sql.execute(_NAMELESS).fetchall():
        findings.add("derived", f"record row {row}", "its namespace has no number")
    for row, path, number in sql.execute(_DISAGREEING).fetchall():
        if _is_renamed(sql, row, path, number):
            findings.add("derived", f"record row {row}", "its namespace has another's number")
        else:
            findings.add("truth", f"record row {row}", "its two namespaces differ")
    for (path,) in sql.execute(_PATHS).fetchall():
        if path in paths and any(to_path(each) not in paths for each in ancestors(from_path(path))):
            number = namespaces.number(sql, from_path(path))
            findings.add("derived", f"namespace {number}", "one above it has no number")
    for (number,) in empty_namespaces(sql):
        findings.add("derived", f"namespace {number}", "nothing stands in it")
    return findings.check()


def mend_addresses(sql: sqlite3.Connection) -> int:
    """Give every record's namespace its number back, and each above it one; return changes."""
    sql.execute(f"DELETE FROM namespaces WHERE id IN ({_ILLEGIBLE})")
    changed = _give_back(sql)
    paths = [path for (path,) in sql.execute(_PATHS).fetchall()]
    wanted = {to_path(each) for path in paths for each in ancestors(from_path(path))}
    changed += sql.executemany(
        "INSERT OR IGNORE INTO namespaces (path) VALUES (?)", [(each,) for each in wanted]
    ).rowcount
    renamed = [(path, row) for row, path, _ in _renamed(sql)]
    nameless = [(path, row) for row, path in sql.execute(_NAMELESS)]
    changed += sql.executemany(
        "UPDATE OR IGNORE records SET namespace = (SELECT id FROM namespaces WHERE path = ?) "
        "WHERE row = ?",
        renamed + nameless,
    ).rowcount
    empty = empty_namespaces(sql)
    sql.executemany("DELETE FROM namespaces WHERE id = ?", empty)
    return changed + len(empty)


def empty_namespaces(sql: sqlite3.Connection) -> list[tuple[int]]:
    """Return the numbers of namespaces under which no record is, and that no record carries.

    A record whose own path is damaged stands nowhere: only its number says where it stood.
    """
    return sql.execute(
        f"""
        SELECT id FROM namespaces
        WHERE NOT EXISTS (
            SELECT 1 FROM records
            WHERE records.path >= namespaces.path
              AND records.path < substr(namespaces.path, 1, length(namespaces.path) - 1) || '/'
        ) AND NOT EXISTS (
            SELECT 1 FROM records JOIN namespaces AS carried ON carried.id = records.namespace
            WHERE carried.path >= namespaces.path
              AND carried.path < substr(namespaces.path, 1, length(namespaces.path) - 1) || '/'
        ) AND {legible("namespaces.path")}
        """
    ).fetchall()


def _give_back(sql: sqlite3.Connection) -> int:
    """Let numbers stand again for the paths of the records that carry them."""
    changed = sql.execute(
        f"""
        INSERT OR IGNORE INTO namespaces (id, path)
        SELECT DISTINCT namespace, path FROM records
        WHERE namespace NOT IN (SELECT id FROM namespaces) AND typeof(namespace) = 'integer'
            AND {_READABLE}
        """
    ).rowcount
    for _, path, number in _renamed(sql):
        if not _agrees(sql, number) and not _known(sql, path):
            sql.execute("UPDATE namespaces SET path = ? WHERE id = ?", (path, number))
            changed += 1
    return changed


def _renamed(sql: sqlite3.Connection) -> list[tuple[int, str, int]]:
    """Return row, path and number of records whose number stands for another path, wrongly."""
    found = sql.execute(_DISAGREEING).fetchall()
    return [each for each in found if _is_renamed(sql, *each)]


def _is_renamed(sql: sqlite3.Connection, row: int, path: str, number: int) -> bool:
    told = testimony(sql, row)
    return not (_known(sql, path) or _agrees(sql, number)) if told is None else told


def _known(sql: sqlite3.Connection, path: str) -> bool:
    found = sql.execute("SELECT 1 FROM namespaces WHERE path = ?", (path,)).fetchone()
    return found is not None


def _agrees(sql: sqlite3.Connection, number: int) -> bool:
    """Tell whether any record of this number carries the path it stands for."""
    found = sql.execute(
        """
        SELECT 1 FROM namespaces JOIN records ON records.namespace = namespaces.id
        WHERE namespaces.id = ? AND records.path = namespaces.path
        LIMIT 1
        """,
        (number,),
    ).fetchone()
    return found is not None
