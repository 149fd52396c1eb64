"""What the tests of several processes run in children of their own.

Children come from a fork server: they start fast, inherit no connection, no lock and no
thread, and may be killed, forked, or stripped of their rights.
"""

from __future__ import annotations

import ctypes
import os
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from database_cases import DIMS, NOW, born, entry, live, save, seconds, units

from langgraph_memory.errors import StorageError
from langgraph_memory.ports import Database
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.sqlite.database import SqliteDatabase

T = TypeVar("T")

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["langgraph_memory.storage.exact.index"])
PATIENCE_SECONDS = 60
NOBODY = 65534


def in_children(function: Callable[..., T], *each: tuple[Any, ...]) -> list[T]:
    """Call a function once for each tuple of arguments, all at once, each in its own child."""
    with ProcessPoolExecutor(len(each), mp_context=PROCESSES) as pool:
        calls = [pool.submit(function, *arguments) for arguments in each]
        return [call.result(PATIENCE_SECONDS) for call in calls]


def in_child(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a child of its own; what it raises is raised here."""
    return in_children(function, arguments)[0]


@contextmanager
def beside(function: Callable[..., T], *arguments: Any) -> Iterator[Callable[[], T]]:
    """Call a function in a child while the block runs; lend what waits for its result."""
    with ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        call = pool.submit(function, *arguments)
        yield lambda: call.result(PATIENCE_SECONDS)


# --- Writing and reading ----------------------------------------------------------------


def open_at(path: Path, instant: float, name: str) -> int:
    """Open a database that may not be there yet at an instant of the monotonic clock."""
    time.sleep(max(0.0, instant - time.monotonic()))
    with closing(SqliteDatabase.open(path)) as database:
        row = save(database, born(name)).row
        assert name in live(database)
        return row


def names_in(path: Path) -> list[str]:
    """Return the live records as this process finds them."""
    with closing(SqliteDatabase.open(path)) as database:
        return live(database)


def write_many(path: Path, name: str, count: int) -> int:
    """Write records and check that each is there as soon as its write returned."""
    with closing(SqliteDatabase.open(path)) as database:
        for number in range(count):
            save(database, born(f"{name}{number}"), entry=entry("w", vectors=[[1, number, 0, 0]]))
            with database.read() as tx:
                assert tx.records.find(f"{name}{number}") is not None
    return count


def read_until(path: Path, count: int) -> int:
    """Read until so many records are there; return how often. No view is ever half a write."""
    reads, deadline = 0, time.monotonic() + PATIENCE_SECONDS
    with closing(SqliteDatabase.open(path)) as database:
        index = ExactIndex(database, DIMS)
        while True:
            reads += 1
            with database.read() as tx:
                there = len(tx.records.live((), now=NOW))
                assert tx.words.match((), ["w"]).documents == there
                assert tx.records.count(()) == there == tx.outbox.last()
            assert len(index.nearest(units([1, 0, 0, 0])[0], (), limit=10**6)) >= there
            if there == count:
                return reads
            assert time.monotonic() < deadline, f"only {there} records came"


def lease_all(path: Path) -> list[str]:
    """Take jobs until none is left, and return their keys."""
    taken: list[str] = []
    with closing(SqliteDatabase.open(path)) as database:
        while True:
            with database.write() as tx:
                job = tx.jobs.lease(now=seconds(1), seconds=60)
            if job is None:
                return taken
            taken.append(job.key)
            time.sleep(0.001)


# --- A narrow world ---------------------------------------------------------------------


def as_nobody(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function without the rights of root; who has none to lose calls it as they are."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return function(*arguments)


def open_and_close(path: Path) -> None:
    SqliteDatabase.open(path, timeout_seconds=1).close()


def write_under_a_size_limit(path: Path, limit: int) -> tuple[str, int]:
    """Write until no file may grow further, then go on without the limit."""
    with closing(SqliteDatabase.open(path)) as database:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        done, error = fill(database)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        save(database, born("after"))
    return type(error).__name__, done


def write_on_a_small_disk(folder: Path, kilobytes: int) -> tuple[str, int] | None:
    """Fill a disk of so many kilobytes; free some; go on. None where none can be mounted."""
    if not _mount_small_disk(folder, kilobytes):
        return None
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(kilobytes * 256))
    with closing(SqliteDatabase.open(folder / "memory.sqlite")) as database:
        done, error = fill(database)
        assert len(live(database)) == done, "a full disk can still be read"
        ballast.unlink()
        save(database, born("after"))
        check_filled(database, done)
    return type(error).__name__, done


def fill(database: Database) -> tuple[int, StorageError]:
    """Write until the database says that it cannot; return how many writes returned."""
    for number in range(10**6):
        told = entry("w", vectors=[[1, number, 0, 0]])
        try:
            save(database, born(f"r{number}", value={"said": "x" * 2000}), entry=told)
        except StorageError as exc:
            return number, exc
    raise AssertionError("the disk never filled")


def check_filled(database: Database, done: int) -> None:
    """Check that what was acknowledged is whole, nothing else is there, and all of it agrees."""
    with database.read() as tx:
        names = {each.id for each in tx.records.live((), now=NOW)}
        assert names == {*(f"r{number}" for number in range(done)), "after"}
        assert tx.words.match((), ["w"]).documents == done
        assert len(list(tx.outbox.snapshot())) == done
        assert tx.outbox.last() == done + 1


def _mount_small_disk(folder: Path, kilobytes: int) -> bool:
    """Mount a disk that only this process sees."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        new_mounts, new_user = 0x00020000, 0x10000000
        flags = new_mounts if os.getuid() == 0 else new_mounts | new_user
        recursive_private = (1 << 14) | (1 << 18)
        options = f"size={kilobytes}k".encode()
        return not (
            libc.unshare(flags)
            or libc.mount(b"none", b"/", None, recursive_private, None)
            or libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options)
        )
    except (AttributeError, OSError):
        return False


# --- Death ------------------------------------------------------------------------------


def write_until_killed(path: Path, acknowledge: Connection) -> None:
    """Do one step after another, and tell of each once its write has returned."""
    database = SqliteDatabase.open(path)
    number = 0
    while True:
        step(database, number)
        acknowledge.send_bytes(number.to_bytes(4))
        number += 1


def step(database: Database, number: int) -> None:
    """Do the step of this number; each is one transaction, and each sort comes round."""
    with database.write() as tx:
        records = tx.records
        told = entry("all", f"w{number}", vectors=[[1, number, 0, 0], [0, 1, number, 0]])
        save(tx, born(f"r{number}", ("a", str(number % 3))), entry=told)
        before = records.find(f"r{number - 1}")
        record = records.load_row(before.row) if before else None
        if before is None or record is None:
            return
        if number % 5 == 1:
            grown = record.supersede({"n": number}, now=NOW)
            save(tx, grown, known=record.head.number, entry=entry("all", f"again{number}"))
        elif number % 5 == 2:
            save(tx, record.delete(now=NOW), known=record.head.number)
        elif number % 5 == 3:
            records.erase([before.row])
