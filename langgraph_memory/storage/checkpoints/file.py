"""The checkpointer's SQLite file: recognised before it is touched, and never by ``open()``.

Closing any descriptor of a database drops every lock that this process holds on it, and
another program may then remove a log that is still in use. SQLite's own descriptors do not
have that fault.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory.errors import HomeNotFoundError, HomeReadOnlyError, NotAHomeError
from langgraph_memory.storage.sqlite.connection import (
    LONGEST_WAIT_TO_FOLD_SECONDS,
    Connections,
    switch_to_wal,
)

APPLICATION_ID = 0x4C474331  # "LGC1"
_SMALLEST_DATABASE_BYTES = 512
_COLUMNS = {  # of LangGraph's tables, in every release
    "checkpoints": {"thread_id", "checkpoint_ns", "checkpoint_id", "checkpoint", "metadata"},
    "writes": {"thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "value"},
}


class CheckpointFile(Connections):
    """All connections of this process to one checkpoint file.

    Takes the arguments of :class:`Connections`; the file is made if absent, its folder is not.
    A file that LangGraph's own saver made is accepted as it is.
    """

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection that writes, for a look at the file's settings."""
        with self._lock:
            return self._writer

    def fold(self) -> bool:
        """Fold the write-ahead log into the file and empty it, so that deleted bytes are gone.

        Returns:
            Whether it was emptied; not while another program reads an older state.
        """
        with self._lock, self._errors():
            self._check_open()
            self._set_wait(min(self._timeout, LONGEST_WAIT_TO_FOLD_SECONDS))
            try:
                busy, _, _ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                self._set_wait(self._timeout)
            return not busy

    def _set_wait(self, seconds: float) -> None:
        self._writer.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _open_and_migrate(self) -> sqlite3.Connection:
        recognise(self.path, timeout_seconds=self._timeout)
        connection = self._connect(sqlite3.Connection)
        try:
            switch_to_wal(connection, self._timeout)
            if is_new(connection, self.path):
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            SqliteSaver(connection).setup()  # the tables are LangGraph's to define
        except BaseException:
            connection.close()
            raise
        return connection


def recognise(path: Path, *, timeout_seconds: float) -> None:
    """Look at what lies at ``path`` before it is opened for writing; nothing is changed.

    Raises:
        HomeNotFoundError: The folder it should lie in does not exist.
        NotAHomeError: Something else lies there.
        HomeReadOnlyError: It cannot be written, or not even looked at.
        sqlite3.Error: It cannot be read.
    """
    try:
        size = _size(path)
    except PermissionError as exc:
        raise HomeReadOnlyError(path) from exc
    if 0 < size < _SMALLEST_DATABASE_BYTES:  # SQLite takes it for an empty database
        raise NotAHomeError(path, "this file is not an SQLite database")
    if size:
        _look(path, timeout_seconds)


def is_ours(path: Path) -> bool:
    """Tell whether a file was made by this package's saver; False where it cannot be read."""
    logged = path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.resolve().as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=1.0)) as connection:
            found = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.Error:
        return False
    return bool(found and found[0] == APPLICATION_ID)


def is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether nothing has been put into the database yet.

    Raises:
        NotAHomeError: It belongs to another application.
    """
    connection.execute("BEGIN")  # one view for both questions: it may be filled just now
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = {name for (name,) in rows}
        ours = application == APPLICATION_ID
        if not (ours or (application == 0 and _are_langgraphs(connection, tables))):
            raise NotAHomeError(path, "this database belongs to another application")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return not (ours or tables)


def _size(path: Path) -> int:
    """Return the size of a file that may be written, 0 if there is none."""
    if not path.parent.is_dir():
        raise HomeNotFoundError(path.parent)
    if not path.exists():
        return 0
    if not path.is_file():
        raise NotAHomeError(path, "a folder or device stands where the database file should be")
    effective = os.access in os.supports_effective_ids
    for place in (path, path.resolve().parent):  # SQLite makes its log beside the file
        if not os.access(place, os.W_OK, effective_ids=effective):
            raise PermissionError(place)
    return path.stat().st_size


def _look(path: Path, timeout_seconds: float) -> None:
    # "immutable" keeps SQLite from making log files beside a stranger's database, but it reads
    # nonsense while another program fills the file. That one has a log a moment later; where
    # a log exists, the newest tables may be in there and it has to be read.
    real = path.resolve()
    for last in (False, False, False, True):
        logged = real.with_name(f"{real.name}-wal").exists()
        uri = f"{real.as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
        connection = sqlite3.connect(uri, uri=True, timeout=timeout_seconds, isolation_level=None)
        try:
            is_new(connection, path)
            return
        except sqlite3.DatabaseError as exc:
            if last or exc.sqlite_errorcode != sqlite3.SQLITE_CORRUPT:
                raise
            time.sleep(0.05)
        finally:
            connection.close()


def _are_langgraphs(connection: sqlite3.Connection, tables: set[str]) -> bool:
    """Return whether the tables are those of LangGraph's saver, other ones beside or not."""
    known = tables & set(_COLUMNS)
    complete = len(known) == len(_COLUMNS)
    in_the_making = known == tables  # they come one by one
    return (complete or in_the_making) and all(_has(connection, table) for table in known)


def _has(connection: sqlite3.Connection, table: str) -> bool:
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return _COLUMNS[table] <= {name for (name,) in rows}
