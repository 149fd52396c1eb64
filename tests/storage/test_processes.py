"""One database, many processes: at once, in turn, and forked from one another."""

from __future__ import annotations

import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from database_cases import DIMS, NOW, born, entry, live, save, units
from database_forks import (
    a_child_leaves_its_parents_transaction,
    child_outlives_its_parents_connections,
    fork_inside,
    forks_amid_busy_threads,
)
from database_workers import (
    beside,
    in_child,
    in_children,
    lease_all,
    open_at,
    read_until,
    write_many,
)

from langgraph_memory.domain.scope import Scope
from langgraph_memory.ports import Job
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.sqlite.connection import Connections
from langgraph_memory.storage.sqlite.database import SqliteDatabase

forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


# --- At once ----------------------------------------------------------------------------


def test_eight_processes_may_make_the_same_database_at_once(path: Path) -> None:
    instant = time.monotonic() + 1.5
    rows = in_children(open_at, *((path, instant, f"r{number}") for number in range(8)))
    assert sorted(rows) == list(range(1, 9))
    with closing(SqliteDatabase.open(path)) as database:
        assert sorted(live(database)) == [f"r{number}" for number in range(8)]


def test_processes_write_while_another_reads_and_nobody_meets_an_error(path: Path) -> None:
    """B81, R21: no write is lost, no view is half a write, no search lags behind."""
    SqliteDatabase.open(path).close()
    with beside(read_until, path, 400) as reads:
        assert in_children(write_many, *((path, f"p{n}-", 100) for n in range(4))) == [100] * 4
    assert reads() > 0


def test_eight_threads_write_a_hundred_times_while_a_process_reads(path: Path) -> None:
    """B81."""
    with (
        closing(SqliteDatabase.open(path)) as database,
        ThreadPoolExecutor(8) as threads,
        beside(read_until, path, 800) as reads,
    ):

        def work(worker: int) -> None:
            for number in range(100):
                told = entry("w", vectors=[[1, number, 0, 0]])
                save(database, born(f"w{worker}-{number}"), entry=told)

        list(threads.map(work, range(8)))
    assert reads() > 0


def test_connections_are_set_up_for_many_programs(path: Path) -> None:
    """B81."""
    connections = Connections(path)
    for lend in (connections.reading, connections.writing):
        with lend() as sql:
            assert sql.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert sql.execute("PRAGMA busy_timeout").fetchone()[0] >= 5000
            assert sql.execute("PRAGMA secure_delete").fetchone() == (1,)
            assert sql.in_transaction
    connections.close()


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
def test_durability_is_what_was_asked_for(path: Path, durability: str, level: int) -> None:
    connections = Connections(path, durability=durability)  # type: ignore[arg-type]
    with connections.writing() as sql:
        assert sql.execute("PRAGMA synchronous").fetchone() == (level,)
    connections.close()


def test_a_write_takes_the_file_before_it_reads(path: Path) -> None:
    """B81: a transaction that reads first and writes later would fail when another came between."""
    connections = Connections(path)
    other = sqlite3.connect(path, timeout=0, isolation_level=None)
    with connections.writing(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()
    connections.close()


def test_no_job_is_taken_twice(path: Path) -> None:
    with closing(SqliteDatabase.open(path)) as database, database.write() as tx:
        for number in range(60):
            tx.jobs.submit(Job(f"j{number}", "k", Scope("acme"), "t"), due=NOW)
    taken = in_children(lease_all, *((path,) for _ in range(4)))
    assert sorted(key for each in taken for key in each) == sorted(f"j{n}" for n in range(60))


def test_a_search_sees_what_another_process_has_just_written(path: Path) -> None:
    """R21."""
    with closing(SqliteDatabase.open(path)) as database:
        index = ExactIndex(database, DIMS)
        query = units([1, 0, 0, 0])[0]
        assert index.nearest(query, (), limit=100) == []
        for round_ in (1, 2):
            in_child(write_many, path, f"round{round_}-", 10)
            assert len(index.nearest(query, ("a",), limit=100)) == 10 * round_


# --- Forks ------------------------------------------------------------------------------


@forking
def test_a_forked_child_writes_on_after_its_parent_closed(path: Path) -> None:
    """SQLite's notes about locks must not be inherited: the log would go under the child."""
    assert in_child(child_outlives_its_parents_connections, path) == [
        "before", "child 0", "child 1", "child 2", "child 3", "child 4", "child early", "parent",
    ]  # fmt: skip


@forking
def test_forks_amid_busy_threads_leave_parent_and_children_whole(path: Path) -> None:
    rounds, children = in_child(forks_amid_busy_threads, path)
    assert rounds > 0
    assert len(children) == 5
    for before, after in children:
        assert after > before


@forking
@pytest.mark.parametrize("way", ["read", "write"])
def test_a_child_forked_inside_a_transaction_is_told_so(path: Path, way: str) -> None:
    met, found = in_child(fork_inside, path, way)
    assert len(met) == 3, met
    for refusal in met:
        assert "forked while the database was in use" in refusal
    assert found == (["later", "parent"] if way == "write" else ["later"])


@forking
def test_a_child_cannot_commit_what_its_parent_began(path: Path) -> None:
    told, found = in_child(a_child_leaves_its_parents_transaction, path)
    assert told == "StorageError"
    assert found == ["half", "other half"]
