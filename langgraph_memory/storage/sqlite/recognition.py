"""What lies at a path: ours, yet to be filled, or somebody else's; told without a change to it.

Files are never looked at with ``open()``: closing any descriptor of a database drops every
lock that this process holds on it. SQLite's own descriptors do not have that fault.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from langgraph_memory.errors import (
    HomeNotFoundError,
    HomeReadOnlyError,
    HomeVersionError,
    NotAHomeError,
)
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.schema import APPLICATION_ID, MIGRATIONS

_SMALLEST_DATABASE_BYTES = 512


def refuse_foreign(path: Path) -> None:
    """Look at what lies at ``path`` before it is opened for writing.

    Raises:
        HomeNotFoundError: The folder it should lie in does not exist.
        NotAHomeError: It is not an SQLite file, or another application's.
        HomeVersionError: A newer release wrote it.
        HomeReadOnlyError: It cannot be written, or not even looked at.
    """
    if (size := _size(path)) == 0:
        return
    if size < _SMALLEST_DATABASE_BYTES:  # SQLite takes it for an empty database
        raise NotAHomeError(path, "this file is not an SQLite database")
    # This look is for strangers' sake and may fail: another program may be folding its log
    # into the file just now. The opening that follows asks again and is told the truth.
    with suppress(sqlite3.Error), closing(_look(path)) as connection:
        connection.execute("BEGIN")  # one view of the first page for all questions
        known_version(connection, path)


@sensible
def known_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema version of a database of ours, 0 of an empty one.

    Raises:
        NotAHomeError: It belongs to another application.
        HomeVersionError: A newer release wrote it.
    """
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    if application == APPLICATION_ID:
        if version > len(MIGRATIONS):
            raise HomeVersionError(path, version, len(MIGRATIONS))
        return int(version)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application or version or tables:
        raise NotAHomeError(path, "this database belongs to another application")
    return 0


def _look(path: Path) -> sqlite3.Connection:
    """Open for reading only; "immutable" keeps SQLite from making a log beside the file."""
    logged = path.with_name(path.name + "-wal").exists()
    uri = f"{path.resolve().as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=0)


def _size(path: Path) -> int:
    """Return the size of the file, 0 if there is none."""
    try:
        if not path.parent.is_dir():
            raise HomeNotFoundError(path.parent)
        if not path.exists():
            return 0
        if not path.is_file():
            raise NotAHomeError(path, "a folder or device stands where the database should be")
        _check_writable(path)
        return path.stat().st_size
    except PermissionError as exc:
        raise HomeReadOnlyError(path) from exc


def _check_writable(path: Path) -> None:
    """Refuse now what SQLite would open for reading and refuse at the first write."""
    effective = os.access in os.supports_effective_ids
    for place in (path, path.parent):  # the log is made beside the file
        if not os.access(place, os.W_OK, effective_ids=effective):
            raise HomeReadOnlyError(path)
