"""What the tests of forks run in a child, which then is the parent that forks."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from database_cases import DIMS, born, entry, live, save, units
from database_workers import PATIENCE_SECONDS

from langgraph_memory.errors import StorageError
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.sqlite.database import SqliteDatabase


class Fork:
    """A forked child that runs ``work`` and sends what it returned or raised."""

    def __init__(self, work: Callable[[], Any]) -> None:
        reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            try:
                result = work()
            except BaseException as exc:  # noqa: BLE001  it belongs to the parent
                result = exc
            os.write(writer, pickle.dumps(result))
            os._exit(0)
        os.close(writer)
        self._reader = reader

    def result(self) -> Any:
        with os.fdopen(self._reader, "rb") as pipe:
            found = pickle.loads(pipe.read())
        os.waitpid(self.pid, 0)
        return found


def child_outlives_its_parents_connections(path: Path) -> list[str]:
    """Both sides write; the parent closes first; return what a third program finds."""
    go, gone = os.pipe()
    database = SqliteDatabase.open(path)
    save(database, born("before"))

    def work() -> list[str]:
        save(database, born("child early"))
        os.read(go, 1)
        for number in range(5):
            save(database, born(f"child {number}"))
        return live(database)

    child = Fork(work)
    save(database, born("parent"))
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "child early" not in live(database):
        assert time.monotonic() < deadline
    database.close()
    os.write(gone, b"!")
    seen = child.result()
    assert isinstance(seen, list), seen
    with closing(SqliteDatabase.open(path)) as third:
        assert set(seen) == set(live(third))
    return sorted(seen)


def forks_amid_busy_threads(path: Path) -> tuple[int, list[Any]]:
    """Fork five times while threads read, write and search; every child does all three."""
    database = SqliteDatabase.open(path, timeout_seconds=10)
    index = ExactIndex(database, DIMS)
    query = units([1, 0, 0, 0])[0]
    save(database, born("first"), entry=entry(vectors=[[1, 0, 0, 0]]))

    def search() -> int:
        return len(index.nearest(query, (), limit=10**6))

    def write(name: str) -> None:
        save(database, born(name), entry=entry(vectors=[[1, 0, 0, 0]]))

    def child(number: int) -> tuple[int, int]:
        before = search()
        write(f"child{number}")
        after = search()
        database.close()
        return before, after

    with _busy(lambda n: write(f"w{n}"), lambda _: live(database), lambda _: search()) as counts:
        children = []
        for number in range(5):
            children.append(Fork(partial(child, number)))
            time.sleep(0.02)
        results = [each.result() for each in children]
    assert search() == counts[0] + 1 + len(children)
    database.close()
    return min(counts), results


@contextmanager
def _busy(*works: Callable[[int], Any]) -> Iterator[list[int]]:
    """Run each work over and over in a thread of its own; count the rounds."""
    stop, counts = threading.Event(), [0] * len(works)

    def run(which: int) -> None:
        while not stop.is_set():
            works[which](counts[which])
            counts[which] += 1

    threads = [threading.Thread(target=run, args=(which,)) for which in range(len(works))]
    for thread in threads:
        thread.start()
    try:
        yield counts
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def fork_inside(path: Path, way: str) -> tuple[list[Any], list[str]]:
    """Fork in the middle of a transaction; return what the child met, and what is there then."""
    database = SqliteDatabase.open(path)

    def work() -> list[str]:
        met = [
            _meets(lambda: live(database)),
            _meets(lambda: save(database, born())),
            _meets(lambda: SqliteDatabase.open(path)),
        ]
        database.close()
        return met

    with getattr(database, way)() as tx:
        child = Fork(work)
        if way == "write":
            save(tx, born("parent"))
        met = child.result()
    save(database, born("later"))
    found = live(database)
    database.close()
    return met, found


def a_child_leaves_its_parents_transaction(path: Path) -> tuple[str, list[str]]:
    """A child that runs on past the end of its parent's write must not commit it."""
    database = SqliteDatabase.open(path)
    reader, writer = os.pipe()
    pid = 0
    try:
        with database.write() as tx:
            save(tx, born("half"))
            pid = os.fork()
            if pid:
                save(tx, born("other half"))
                os.waitpid(pid, 0)
    except StorageError as exc:
        os.write(writer, type(exc).__name__.encode())
        os._exit(0)
    if pid == 0:
        os.write(writer, b"committed")
        os._exit(0)
    found = sorted(live(database))
    database.close()
    return os.read(reader, 100).decode(), found


def _meets(work: Callable[[], Any]) -> str:
    try:
        work()
    except StorageError as exc:
        return str(exc.facts["problem"])
    return "nothing"
