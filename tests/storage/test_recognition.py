"""What a database is not opened on: strangers' files, and places that may not be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from database_cases import born, live, save
from database_workers import (
    as_nobody,
    in_child,
    open_and_close,
)
from sqlite_files import contents, filled, foreign

from langgraph_memory.errors import (
    HomeNotFoundError,
    HomeReadOnlyError,
    NotAHomeError,
)
from langgraph_memory.storage.sqlite.database import SqliteDatabase

posix = pytest.mark.skipif(os.name != "posix", reason="rights and limits of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user may enter; those of pytest are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="memory-test-"))
    folder.chmod(0o755)
    yield folder
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o755)
    shutil.rmtree(folder)


# --- What is not ours -------------------------------------------------------------------


STRANGERS: dict[str, Callable[[Path], object]] = {
    "a text file": lambda path: path.write_text("Dear diary"),
    "a long text file": lambda path: path.write_text("Dear diary\n" * 1000),
    "the first bytes of a database": lambda path: path.write_bytes(b"SQLite format 3\0"),
    "a page of zeros": lambda path: path.write_bytes(bytes(4096)),
    "another database": lambda path: foreign(path, "CREATE TABLE t (x)", "INSERT INTO t SELECT 1"),
    "another application's database": lambda path: foreign(
        path, "PRAGMA application_id = 7", "CREATE TABLE t (x)"
    ),
    "another application's empty database": lambda path: foreign(path, "PRAGMA application_id=7"),
    "a database with a schema version": lambda path: foreign(path, "PRAGMA user_version = 1"),
    "another database with a log": lambda path: foreign(
        path, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)"
    ),
    "a database with only a view": lambda path: foreign(path, "CREATE VIEW v AS SELECT 1"),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_strangers_file_is_refused_and_untouched(path: Path, stranger: str) -> None:
    STRANGERS[stranger](path)
    before = contents(path.parent)
    with pytest.raises(NotAHomeError, match="left untouched. Choose another path"):
        SqliteDatabase.open(path)
    assert contents(path.parent) == before


def test_a_strangers_database_that_stands_in_its_log_alone_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("PRAGMA journal_mode = WAL")
        stranger.execute("CREATE TABLE t (x)")
        with pytest.raises(NotAHomeError):
            SqliteDatabase.open(path)
        assert stranger.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]


def test_a_strangers_log_left_by_a_crash_is_not_folded_for_him(path: Path, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("PRAGMA journal_mode = WAL")
        stranger.execute("CREATE TABLE t (x)")
        for each in (path.name, path.name + "-wal"):
            shutil.copy(tmp_path / each, crashed / each)
    before = contents(crashed)
    with pytest.raises(NotAHomeError):
        SqliteDatabase.open(crashed / path.name)
    after = contents(crashed)
    assert {name: after[name] for name in before} == before


def test_a_folder_in_the_files_place_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(NotAHomeError):
        SqliteDatabase.open(path)
    assert list(path.iterdir()) == []


@posix
def test_a_device_in_the_files_place_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(NotAHomeError):
        SqliteDatabase.open(path)


def test_a_missing_folder_is_named(path: Path) -> None:
    with pytest.raises(HomeNotFoundError, match="gone"):
        SqliteDatabase.open(path.parent / "gone" / path.name)


@pytest.mark.parametrize("name", ["ø memory #1?%20.sqlite", "a b", "寿司.sqlite"])
def test_an_odd_file_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        with closing(SqliteDatabase.open(tmp_path / name)) as database:
            save(database, born(f"r{time.monotonic_ns()}"))
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("way", ["of no bytes", "without a table", "of no bytes, in WAL mode"])
def test_an_empty_file_is_filled(path: Path, way: str) -> None:
    path.touch()
    if way == "without a table":
        foreign(path, "CREATE TABLE t (x)", "DROP TABLE t")
    elif way == "of no bytes, in WAL mode":
        foreign(path, "PRAGMA journal_mode = WAL")
    with closing(SqliteDatabase.open(path)) as database:
        save(database, born())
        assert live(database) == ["r"]


# --- Rights -----------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("what", ["the folder", "the file", "the file's contents", "the way to it"])
def test_a_file_that_may_not_be_written_is_refused(open_folder: Path, what: str) -> None:
    folder = open_folder / "way" / "home"
    folder.mkdir(parents=True)
    path = folder / "memory.sqlite"
    if what != "the folder":
        filled(path, 2)
    path.parent.chmod(0o755)
    if what == "the file's contents":
        path.chmod(0o000)
        folder.chmod(0o777)
    elif what == "the way to it":
        folder.parent.chmod(0o600)
    elif what == "the file":
        path.chmod(0o444)
        folder.chmod(0o777)
    else:
        folder.chmod(0o555)
    with pytest.raises(HomeReadOnlyError, match="Give write permission"):
        in_child(as_nobody, open_and_close, path)
    folder.parent.chmod(0o755)
    assert [each.name for each in folder.iterdir()] == [path.name] * (what != "the folder")
