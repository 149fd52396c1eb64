"""The checkpoint file: what is opened, what is refused untouched, what closing leaves."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory.errors import (
    ClosedError,
    HomeNotFoundError,
    HomeReadOnlyError,
    NotAHomeError,
    StorageBusyError,
    StorageDamagedError,
    StorageError,
)
from langgraph_memory.storage.checkpoints import CheckpointSaver

LOGGED = "PRAGMA journal_mode = WAL; CREATE TABLE notes (text)"
LANGGRAPH_TABLES = "CREATE TABLE checkpoints (thread_id, x); CREATE TABLE writes (thread_id, y);"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def put(saver: SqliteSaver, thread_id: str, *, parent: str | None = None) -> dict[str, Any]:
    config = {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": parent}
    stored = saver.put({"configurable": config}, empty_checkpoint(), {"step": 1}, {})
    saver.put_writes(stored, [("seen", "a")], "task")
    return dict(stored)


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def snapshot(folder: Path) -> dict[str, str]:
    """Return every file's name and hash; SQLite's shared memory holds no data, so no hash."""
    return {
        file.name: "" if file.name.endswith("-shm") else _hash(file)
        for file in folder.iterdir()
        if file.is_file()
    }


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def database(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def killed(path: Path, script: str) -> None:
    """Run a script on a database in a process that dies before it folds its log."""
    program = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
    program += "c.executescript('PRAGMA journal_mode=WAL;' + sys.argv[2]); os._exit(0)"
    subprocess.run([sys.executable, "-c", program, str(path), script], check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


# --- Opening ----------------------------------------------------------------------------


def test_a_new_file_is_marked_as_ours_and_logs_ahead(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        assert saver.conn.execute("PRAGMA application_id").fetchone() == (0x4C474331,)
        assert saver.conn.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
def test_durability_chooses_whether_each_write_is_synced(
    path: Path, durability: Any, level: int
) -> None:
    with CheckpointSaver.open(path, durability=durability) as saver:
        assert saver.conn.execute("PRAGMA synchronous").fetchone() == (level,)


def test_a_file_of_langgraphs_own_saver_is_taken_over_and_stays_readable_there(path: Path) -> None:
    with SqliteSaver.from_conn_string(str(path)) as theirs:
        put(theirs, "t")
    with CheckpointSaver.open(path) as ours:
        assert ours.get_tuple(thread("t")) is not None
        put(ours, "t")
    with SqliteSaver.from_conn_string(str(path)) as theirs:
        assert len(list(theirs.list(thread("t")))) == 2


def test_a_langgraph_file_whose_program_was_killed_is_taken_over(path: Path) -> None:
    with SqliteSaver.from_conn_string(":memory:") as theirs:
        theirs.setup()
        tables = theirs.conn.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        killed(path, ";".join(sql for (sql,) in tables))
    with CheckpointSaver.open(path) as ours:
        put(ours, "t")
        assert ours.count("t") == 2


def test_a_langgraph_file_from_before_task_paths_is_taken_over(path: Path) -> None:
    with SqliteSaver.from_conn_string(str(path)) as theirs:
        put(theirs, "t")
        columns = [row[1] for row in theirs.conn.execute("PRAGMA table_info(writes)")]
        if "task_path" in columns:  # not before langgraph-checkpoint-sqlite 3.1.1
            theirs.conn.execute("ALTER TABLE writes DROP COLUMN task_path")
    with CheckpointSaver.open(path) as ours:
        assert ours.count("t") == 2
        put(ours, "t")


def test_a_langgraph_file_in_the_making_is_taken_over(path: Path) -> None:
    with SqliteSaver.from_conn_string(str(path)) as theirs:
        theirs.setup()
        theirs.conn.execute("DROP TABLE writes")
    with CheckpointSaver.open(path) as ours:
        put(ours, "t")


FOREIGN: dict[str, Callable[[Path], object]] = {
    "one letter": lambda path: path.write_bytes(b"h"),
    "a short text": lambda path: path.write_text("hello\n"),
    "a long text": lambda path: path.write_text("hello world\n" * 5000),
    "another database": lambda path: database(path, "CREATE TABLE notes (text)"),
    "another database that logs ahead": lambda path: database(path, LOGGED),
    "a marked database": lambda path: database(path, "PRAGMA application_id = 7"),
    "tables of the same name": lambda path: database(path, LANGGRAPH_TABLES),
    "only one of the tables": lambda path: database(path, "CREATE TABLE writes (thread_id)"),
    "a killed program's database": lambda path: killed(path, "CREATE TABLE notes (text);"),
    "a folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_what_is_not_a_checkpoint_file_is_refused_and_left_byte_for_byte(
    path: Path, make: Callable[[Path], object]
) -> None:
    make(path)
    before = snapshot(path.parent)
    with pytest.raises(NotAHomeError, match=r"checkpoints\.sqlite.*Choose another path"):
        CheckpointSaver.open(path)
    assert snapshot(path.parent) == before


def test_a_database_damaged_inside_is_reported_and_left_byte_for_byte(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, "t")
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 16384)
    before = snapshot(path.parent)
    damaged = pytest.raises(StorageDamagedError, match=r"checkpoints\.sqlite.*backup")
    with CheckpointSaver.open(path) as saver, damaged:
        saver.get_tuple(thread("t"))
    assert snapshot(path.parent)[path.name] == before[path.name]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(HomeNotFoundError, match="absent"):
        CheckpointSaver.open(tmp_path / "absent" / "checkpoints.sqlite")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def as_nobody() -> Iterator[None]:
    """Become a user whom file permissions bind, even where tests run as root."""
    user = os.geteuid()
    os.seteuid(65534 if user == 0 else user)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX permissions")
@pytest.mark.parametrize("sealed", ["an empty folder", "a folder", "a file"])
def test_what_may_not_be_written_is_named_and_left_byte_for_byte(sealed: str) -> None:
    with tempfile.TemporaryDirectory() as name:  # not tmp_path: nobody may not pass its parents
        folder, path = Path(name), Path(name) / "checkpoints.sqlite"
        folder.chmod(0o777)
        with as_nobody():
            if sealed != "an empty folder":
                CheckpointSaver.open(path).close()
        (path if sealed == "a file" else folder).chmod(0o555)
        before = snapshot(folder)
        with (
            as_nobody(),
            pytest.raises(HomeReadOnlyError, match=r"checkpoints\.sqlite.*permission"),
        ):
            CheckpointSaver.open(path)
        assert snapshot(folder) == before
        folder.chmod(0o700)


def test_a_file_that_another_program_keeps_to_itself_is_reported_as_busy(path: Path) -> None:
    CheckpointSaver.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        before = snapshot(path.parent)
        with pytest.raises(StorageBusyError):
            CheckpointSaver.open(path, timeout_seconds=0.1)
        assert snapshot(path.parent) == before


# --- Closing ----------------------------------------------------------------------------


def test_closing_leaves_one_file_and_may_be_repeated(path: Path) -> None:
    saver = CheckpointSaver.open(path)
    put(saver, "t")
    saver.close()
    saver.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with pytest.raises(ClosedError):
        saver.get_tuple(thread("t"))
    with pytest.raises(ClosedError):
        put(saver, "t")


def test_closing_does_not_wait_long_for_another_programs_reader(path: Path) -> None:
    saver = CheckpointSaver.open(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM checkpoints").fetchone()
        put(saver, "t")
        started = perf_counter()
        saver.close()
        assert perf_counter() - started < 10
        assert other.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)


def delete_and_fail(saver: CheckpointSaver) -> None:
    with saver.cursor() as cursor:
        cursor.execute("DELETE FROM checkpoints")
        cursor.execute("SELECT nothing FROM nowhere")


def test_a_failing_write_raises_our_error_and_leaves_nothing_behind(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, "t")
        with pytest.raises(StorageError, match=r"checkpoints\.sqlite"):
            delete_and_fail(saver)
        assert saver.count("t") == 2
