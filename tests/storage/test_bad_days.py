"""Damage, a full disk, and other programs in the way."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from database_cases import DIMS, NOW, born, entry, live, load, save, seconds, units
from database_workers import (
    check_filled,
    fill,
    in_child,
    names_in,
    open_and_close,
    write_on_a_small_disk,
    write_under_a_size_limit,
)
from sqlite_files import JANE, filled, foreign, look

from langgraph_memory.errors import (
    NotAHomeError,
    StorageBusyError,
    StorageDamagedError,
    StorageError,
    StorageFullError,
)
from langgraph_memory.ports import Database, Transaction
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.sqlite.connection import Connections
from langgraph_memory.storage.sqlite.database import SqliteDatabase

posix = pytest.mark.skipif(os.name != "posix", reason="rights and limits of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


# --- Damage -----------------------------------------------------------------------------


def use_everything(path: Path) -> None:
    """Read all there is by every door, then write."""
    with closing(SqliteDatabase.open(path, timeout_seconds=1)) as database:
        with database.read() as tx:
            rows = tx.records.rows((), limit=10**6)
            tx.records.heads(rows)
            tx.records.vectors(rows)
            for row in rows:
                tx.records.load_row(row)
            tx.records.live((), now=NOW, wanted={"n": {"$gte": 0}})
            tx.records.namespaces(now=NOW)
            tx.records.expired(now=NOW, limit=10)
            tx.records.find("r1")
            tx.words.match((), ["word", "w1"])
            tx.words.match(JANE.root, ["word"])
            tx.outbox.after(0, limit=1000)
            list(tx.outbox.snapshot())
            tx.outbox.followed("index")
            tx.events.fresh("t", limit=1000)
            tx.events.thread("t")
            tx.events.threads(JANE)
            tx.jobs.waiting()
            tx.space()
        ExactIndex(database, DIMS).nearest(units([1, 0, 0, 0])[0], (), limit=10)
        with database.write() as tx:
            save(tx, born("new", (*JANE.root, "n1")), entry=entry("word", vectors=[[1, 1, 1, 1]]))
            tx.jobs.lease(now=NOW, seconds=1)
            tx.records.erase(rows[:5])
            tx.words.tidy()


def flip(whole: bytes, chance: random.Random, *, start: int, count: int) -> bytes:
    damaged = bytearray(whole)
    for _ in range(count):
        damaged[chance.randrange(start, len(whole))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def put_back(path: Path, content: bytes) -> None:
    """Let the folder hold a file of this content and nothing else, no log of an earlier one."""
    for each in path.parent.iterdir():
        each.unlink()
    path.write_bytes(content)


def trial(path: Path, damaged: bytes) -> type[BaseException] | None:
    """Use a damaged file; anything but our own storage errors is a failure of the test."""
    put_back(path, damaged)
    try:
        use_everything(path)
    except StorageError as exc:
        return type(exc)
    return None


@pytest.mark.parametrize("count", [1, 10, 1000])
def test_flipped_bytes_are_a_damage_or_nothing_never_a_bare_error(path: Path, count: int) -> None:
    filled(path)
    whole, chance = path.read_bytes(), random.Random(count)
    met = {trial(path, flip(whole, chance, start=100, count=count)) for _ in range(25)}
    assert StorageDamagedError in met or count == 1
    assert met <= {StorageDamagedError, NotAHomeError, StorageError, None}


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_flipped_bytes_by_the_thousand(path: Path, seed: int) -> None:
    filled(path)
    whole, chance = path.read_bytes(), random.Random(seed)
    for _ in range(100):
        count = chance.choice((1, 1, 2, 5, 50))
        trial(path, flip(whole, chance, start=chance.choice((0, 100, 4096)), count=count))


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_file_cut_short_is_damaged_and_left_as_it_is(path: Path, share: float) -> None:
    filled(path)
    whole = path.read_bytes()
    cut = whole[: int(len(whole) * share) // 4096 * 4096 + 100]
    assert trial(path, cut) in (StorageDamagedError, NotAHomeError)
    assert path.read_bytes()[:100] == whole[:100]


def test_damaged_texts_and_numbers_are_told_as_damage(path: Path) -> None:
    """What SQLite itself cannot notice: each column holding what was never written."""
    filled(path, 3)
    whole = path.read_bytes()
    for table, column in (
        ("versions", "value"), ("versions", "provenance"), ("versions", "status"),
        ("versions", "recorded_at"), ("versions", "valid_from"), ("records", "created_at"),
        ("records", "expires_at"), ("events", "scope"), ("events", "at"), ("events", "tenant"),
        ("jobs", "scope"), ("vectors", "vector"),
    ):  # fmt: skip
        for nonsense in ("'['", "CAST(x'ff' AS TEXT)", "x'ffff'", str(2**62)):
            put_back(path, whole)
            foreign(path, f"UPDATE {table} SET {column} = {nonsense}")
            met = trial(path, path.read_bytes())
            assert met in (StorageDamagedError, None), (table, column, nonsense)
            assert met or (table, column, nonsense) in HARMLESS, (table, column, nonsense)


HARMLESS = {
    ("records", "expires_at", str(2**62)),
    ("events", "tenant", "'['"), ("events", "tenant", str(2**62)),
}  # fmt: skip
"""Nonsense that reads as something: these are texts and instants as good as any."""


def test_a_filter_meets_a_damaged_value_with_a_damage(path: Path) -> None:
    filled(path, 3)
    foreign(path, "UPDATE versions SET value = '['")
    with closing(SqliteDatabase.open(path)) as database, pytest.raises(StorageDamagedError):
        live(database, wanted={"n": {"$gt": 0}})


# --- A full disk ------------------------------------------------------------------------


def _limit_pages(connections: Connections, pages: int) -> None:
    with connections.writing() as sql:
        sql.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_database_says_so_keeps_nothing_half_and_goes_on(path: Path) -> None:
    connections = Connections(path)
    database = SqliteDatabase(connections)
    _limit_pages(connections, 120)
    done, error = fill(database)
    assert done > 10
    assert type(error) is StorageFullError
    assert "Nothing was written; free space" in str(error)
    assert len(live(database)) == done
    _limit_pages(connections, 10**6)
    save(database, born("after"))
    check_filled(database, done)
    database.close()
    assert look(path, "PRAGMA integrity_check") == [("ok",)]


def _write_much(tx: Transaction) -> None:
    for number in range(1000):
        save(tx, born(f"r{number}", value={"said": "x" * 2000}), entry=entry("word"))


def test_a_batch_that_does_not_fit_is_not_written_at_all(path: Path) -> None:
    connections = Connections(path)
    database = SqliteDatabase(connections)
    save(database, born("before"))
    _limit_pages(connections, 100)
    with pytest.raises(StorageFullError), database.write() as tx:
        _write_much(tx)
    assert live(database) == ["before"]
    database.close()


@posix
def test_a_file_that_may_not_grow_keeps_nothing_half_and_goes_on(path: Path) -> None:
    name, done = in_child(write_under_a_size_limit, path, 2_000_000)
    assert name == "FileLimitError"
    assert done > 10
    with closing(SqliteDatabase.open(path)) as database:
        check_filled(database, done)
    assert look(path, "PRAGMA integrity_check") == [("ok",)]


@posix
def test_a_full_disk_says_so_keeps_nothing_half_and_goes_on(tmp_path: Path) -> None:
    told = in_child(write_on_a_small_disk, tmp_path, 2048)
    if told is None:
        pytest.skip("no small disk can be mounted here")
    name, done = told
    assert name == "StorageFullError"
    assert done > 10


@posix
@pytest.mark.parametrize("kilobytes", [4, 16, 40])
def test_a_disk_too_full_for_an_empty_home_is_told_so(tmp_path: Path, kilobytes: int) -> None:
    try:
        told = in_child(write_on_a_small_disk, tmp_path, kilobytes)
    except StorageError as exc:
        told = ("refused", len(str(exc)))
    if told is None:
        pytest.skip("no small disk can be mounted here")
    assert told[0] in ("refused", "StorageFullError", "StorageError")


# --- Another program --------------------------------------------------------------------


def test_a_writer_that_waits_too_long_says_so_and_readers_do_not_wait(path: Path) -> None:
    with closing(SqliteDatabase.open(path, timeout_seconds=0.3)) as database:
        save(database, born("before"))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            with pytest.raises(StorageBusyError, match=r"0\.3 s.*try again"):
                save(database, born("refused"))
            assert 0.2 < time.monotonic() - began < 10
            assert live(database) == ["before"]
            other.execute("ROLLBACK")
        save(database, born("after"))
        assert live(database) == ["after", "before"]


def test_an_opening_that_waits_too_long_says_so(path: Path) -> None:
    filled(path, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(StorageBusyError):
            SqliteDatabase.open(path, timeout_seconds=0.3)
        assert time.monotonic() - began < 4
    SqliteDatabase.open(path).close()


def test_closing_does_not_wait_for_another_programs_view(path: Path) -> None:
    database = SqliteDatabase.open(path)
    save(database, born())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM records").fetchone()
        save(database, born("later"))
        began = time.monotonic()
        database.close()
        assert time.monotonic() - began < 10
        assert other.execute("SELECT count(*) FROM records").fetchone() == (1,)
    with closing(SqliteDatabase.open(path)) as again:
        assert live(again) == ["later", "r"]


def test_opening_a_file_twice_does_not_drop_the_locks_this_process_holds_on_it(path: Path) -> None:
    """POSIX drops all of a process's locks on a file when it closes any descriptor of it.

    Another program would then think itself alone, and delete the log that is still in use.
    """
    with closing(SqliteDatabase.open(path)) as database:
        save(database, born("before"))
        SqliteDatabase.open(path).close()
        in_child(open_and_close, path)
        save(database, born("after"))
        assert path.with_name(path.name + "-wal").exists()
        assert in_child(names_in, path) == ["after", "before"]


def test_the_files_of_a_closed_home_are_one(path: Path) -> None:
    """A home is copied by copying its files; a log left behind would be forgotten."""
    filled(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    copied = path.with_name("copy.sqlite")
    shutil.copy(path, copied)
    with closing(SqliteDatabase.open(copied)) as database:
        assert len(live(database)) == 40


def test_a_log_left_by_a_crash_is_read_before_anything_else(path: Path, tmp_path: Path) -> None:
    database: Database = SqliteDatabase.open(path)
    save(database, born())
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for each in ("memory.sqlite", "memory.sqlite-wal"):
        shutil.copy(tmp_path / each, crashed / each)
    database.close()
    with closing(SqliteDatabase.open(crashed / "memory.sqlite")) as survivor:
        assert load(survivor, ("a",), "r") == born()
        first = born()
        save(survivor, first.supersede({}, now=seconds(1)), known=1)


def test_a_file_into_which_a_log_was_folded_by_half_is_whole(path: Path, tmp_path: Path) -> None:
    """Another program may be at it, or have died of it: the log still has everything."""
    database = SqliteDatabase.open(path)
    for number in range(20):
        save(database, born(f"r{number}", value={"said": "x" * 3000}))
    log = path.with_name(path.name + "-wal").read_bytes()
    database.close()
    for pages in (1, 3, 10):
        half = tmp_path / f"half{pages}.sqlite"
        half.write_bytes(path.read_bytes()[: pages * 4096])
        half.with_name(half.name + "-wal").write_bytes(log)
        with closing(SqliteDatabase.open(half)) as survivor:
            assert len(live(survivor)) == 20


def test_a_log_of_nonsense_is_ignored(path: Path) -> None:
    filled(path, 3)
    path.with_name(path.name + "-wal").write_bytes(random.Random(7).randbytes(50_000))
    with closing(SqliteDatabase.open(path)) as database:
        assert len(live(database)) == 3


def test_a_record_whose_versions_are_gone_is_a_damage(path: Path) -> None:
    filled(path, 1)
    foreign(path, "DELETE FROM versions")
    with closing(SqliteDatabase.open(path)) as database, pytest.raises(StorageDamagedError):
        load(database, (*JANE.root, "n0"), "r0")
