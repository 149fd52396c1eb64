"""Connections to one SQLite file: opened carefully, pooled for readers, one for the writer.

Writes take an in-process lock before SQLite's own: SQLite's wait for a busy file is unfair
between threads. Every write is ``BEGIN IMMEDIATE``: a transaction that reads first and
writes later fails at once when another process wrote in between, whatever the time-out.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

from langgraph_memory.errors import ClosedError, MemoryLayerError, StorageBusyError
from langgraph_memory.storage.sqlite import forks, functions
from langgraph_memory.storage.sqlite.lending import Lent
from langgraph_memory.storage.sqlite.problems import sensible, translated
from langgraph_memory.storage.sqlite.recognition import known_version, refuse_foreign
from langgraph_memory.storage.sqlite.schema import migrate
from langgraph_memory.storage.sqlite.standing import Reader

Durability = Literal["normal", "full"]
MAX_IDLE_READERS = 8
LONGEST_WAIT_TO_FOLD_SECONDS = 1.0
LONGEST_WAIT_TO_FORK_SECONDS = 5.0
_STATEMENT_CACHE = 256
C = TypeVar("C", bound=sqlite3.Connection)


class Connections:
    """All connections of this process to one database file.

    Args:
        path: The file; made if absent.
        timeout_seconds: How long to wait for another program before giving up.
        durability: ``normal`` survives the death of the process; ``full`` also a power cut,
            for one disk sync a write.

    Raises:
        HomeNotFoundError, NotAHomeError, HomeVersionError, HomeReadOnlyError,
        StorageBusyError, StorageDamagedError: As their names say; the file is as it was.
    """

    _writing_thread: int | None

    def __init__(
        self, path: Path, *, timeout_seconds: float = 30.0, durability: Durability = "normal"
    ) -> None:
        self.path = path
        self._timeout = timeout_seconds
        self._synchronous = "FULL" if durability == "full" else "NORMAL"
        self._start()
        self._closed = False
        forks.refuse_severed(path)
        with self._errors():
            self._write_connection: sqlite3.Connection | None = self._open_and_migrate()
        forks.watch(self)

    def reading(self) -> Lent[Reader]:
        """Lend a connection inside a snapshot that later writes do not change."""
        return Lent(self, _itself)

    @contextmanager
    def writing(self, *, wait_seconds: float | None = None) -> Iterator[sqlite3.Connection]:
        """Lend the writer inside a transaction; commit at the end, roll back on error.

        Args:
            wait_seconds: How long to wait for other writers instead of the usual time-out.
        """
        wait = self._timeout if wait_seconds is None else min(wait_seconds, self._timeout)
        ends = time.monotonic() + wait
        lock = self._lock
        if not lock.acquire(timeout=wait):
            raise StorageBusyError(self.path, wait)
        self._writing_thread = threading.get_ident()
        try:
            with self._errors(wait):
                self._check_open()
                writer = self._writer
                try:
                    if writer.in_transaction:  # an interrupt came between two steps of the last
                        writer.execute("ROLLBACK")
                    if wait_seconds is None:
                        writer.execute("BEGIN IMMEDIATE")
                    else:
                        self._begin_by(writer, ends)
                    yield writer
                    self._check_open()  # a forked child must not commit for its parent
                    writer.execute("COMMIT")
                except BaseException:
                    if writer is self._write_connection and writer.in_transaction:
                        with suppress(sqlite3.Error):
                            writer.execute("ROLLBACK")
                    raise
        finally:
            self._writing_thread = None
            lock.release()

    def fold_log(self) -> bool:
        """Write the file anew without what was erased, and empty the log; tell whether it is done.

        SQLite overwrites what it frees, but moving rows between pages leaves copies behind them.
        """
        with self._readers:
            for each in self._idle:
                each.forget()
        with self._lock:
            if self._closed:
                return False
            try:
                self._writer.execute("VACUUM")
                busy, *_ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error:
                return False
            return not busy

    def close(self) -> None:
        """Close everything and fold the log into the file, unless other programs hold it."""
        with self._lock, self._readers:
            if self._closed:
                return
            self._closed = True
            self._close_unused()

    def before_fork(self) -> None:
        """Close what a child would inherit, and hold readers and writers off until it is made."""
        mine = threading.get_ident()
        wait = LONGEST_WAIT_TO_FORK_SECONDS
        self._alone = self._writing_thread != mine and self._lock.acquire(timeout=wait)
        with self._readers:
            self._forking = True
            if mine not in self._lent.values():
                self._readers.wait_for(lambda: not self._lent, wait)
        if self._alone:
            self._close_unused()

    def after_fork_in_parent(self) -> None:
        """Let readers and writers go on; each opens what it needs."""
        with self._readers:
            self._forking = False
            self._readers.notify_all()
        if self._alone:
            self._lock.release()

    def after_fork_in_child(self) -> bool:
        """Begin anew, with nothing of the parent's; False if something of it was open."""
        left = (self._write_connection, *self._idle, *self._lent)
        self._inherited = left  # kept, so that nothing closes them
        severed = not self._closed and any(left)
        self._closed = self._closed or severed
        self._write_connection = None
        self._start()
        return not severed

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._pool = threading.Lock()
        self._readers = threading.Condition(self._pool)
        self._idle: list[Reader] = []
        self._lent: dict[Reader, int] = {}
        self._writing_thread = None
        self._forking = False
        self._alone = False

    def _begin_by(self, writer: sqlite3.Connection, ends: float) -> None:
        """Begin a write, or give up at an instant of the monotonic clock."""
        left = max(0.0, ends - time.monotonic())
        writer.execute(f"PRAGMA busy_timeout = {round(1000 * left)}")
        try:
            writer.execute("BEGIN IMMEDIATE")
        finally:
            writer.execute(f"PRAGMA busy_timeout = {round(1000 * self._timeout)}")

    @property
    def _writer(self) -> sqlite3.Connection:
        """The connection that writes; whoever asks holds the lock."""
        if self._write_connection is None:
            self._write_connection = self._connect(sqlite3.Connection)
        return self._write_connection

    def take(self) -> Reader:
        """Lend a connection, until :meth:`give`."""
        with self._pool:
            if self._forking:
                self._readers.wait_for(lambda: not self._forking)
            self._check_open()
            connection = self._idle.pop() if self._idle else self._connect(Reader)
            self._lent[connection] = threading.get_ident()
            return connection

    def give(self, connection: Reader, *, sound: bool = True) -> None:
        """Take a connection back; one that is not sound is closed."""
        with self._pool:
            if self._lent.pop(connection, None) is None:
                return  # lent before a fork: not this process's to close
            if sound and not self._closed and len(self._idle) < MAX_IDLE_READERS:
                self._idle.append(connection)
            else:
                connection.close()
            if self._forking:
                self._readers.notify_all()

    def fault(self, exc: sqlite3.Error) -> MemoryLayerError:
        """Return our error for one of SQLite's that a reader met."""
        return translated(exc, self.path, self._timeout)

    def _close_unused(self) -> None:
        while self._idle:
            self._idle.pop().close()
        if self._write_connection is None:
            return
        with suppress(sqlite3.Error):
            wait = round(1000 * min(self._timeout, LONGEST_WAIT_TO_FOLD_SECONDS))
            self._write_connection.execute(f"PRAGMA busy_timeout = {wait}")
            self._write_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._write_connection.close()
        self._write_connection = None

    def _check_open(self) -> None:
        forks.refuse_severed(self.path)
        if self._closed:
            raise ClosedError(self.path)

    def _connect(self, kind: type[C]) -> C:
        connection = sqlite3.connect(
            self.path,
            factory=kind,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_STATEMENT_CACHE,
        )
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @sensible
    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA journal_size_limit = 16777216")
        connection.execute(f"PRAGMA query_only = {isinstance(connection, Reader)}")
        functions.register(connection)

    def _open_and_migrate(self) -> sqlite3.Connection:
        refuse_foreign(self.path)
        connection = self._connect(sqlite3.Connection)
        try:
            known_version(connection, self.path)  # before the first change
            switch_to_wal(connection, self._timeout)
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection, found=known_version(connection, self.path))
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _errors(self, waited: float | None = None) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as exc:
            waited = self._timeout if waited is None else waited
            raise translated(exc, self.path, waited) from exc


def _itself(reader: Reader) -> Reader:
    return reader


def switch_to_wal(connection: sqlite3.Connection, timeout_seconds: float) -> None:
    """Switch the file to write-ahead logging; the busy time-out does not cover this step."""
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as exc:
            busy = exc.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
