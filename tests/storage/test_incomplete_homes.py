"""Homes whose database is gone or empty, and files that may not grow (R27, B90)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory import Home, Settings, open_memory, reindex
from langgraph_memory.errors import FileLimitError, HomeIncompleteError, StorageFullError
from langgraph_memory.storage.checkpoints.saver import CheckpointSaver
from langgraph_memory.storage.folder import CHECKPOINTS, DATABASE, INDEX, has_home
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
posix = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home"


def opened(path: Path, settings: Settings) -> Home:
    return open_memory(path, embedder=HashingEmbedder(), settings=settings)


def fill(path: Path, settings: Settings, *, index: bool = False) -> None:
    with opened(path, settings) as home:
        home.store.put(PLACE, "k", {"text": "sushi"})
        if index:
            assert home.sync_index()


def empty(database: Path) -> None:
    os.truncate(database, 0)


def names(path: Path) -> dict[str, int]:
    return {str(each.relative_to(path)): each.stat().st_size for each in path.rglob("*")}


@pytest.mark.parametrize("accident", [empty, Path.unlink])
def test_a_home_without_its_database_is_refused_and_left_as_it_is(
    path: Path, settings: Settings, accident: object
) -> None:
    fill(path, settings)
    accident(path / DATABASE)  # type: ignore[operator]
    before = names(path)
    for door in (
        lambda: opened(path, settings), lambda: has_home(path),
        lambda: reindex(path, embedder="default", settings=settings),
    ):  # fmt: skip
        with pytest.raises(HomeIncompleteError) as caught:
            door()
        for part in (DATABASE, CHECKPOINTS, "from a backup", "move the rest away"):
            assert part in str(caught.value)
    assert names(path) == before


def test_an_index_alone_is_the_rest_of_a_home_too(path: Path, settings: Settings) -> None:
    fill(path, settings, index=True)
    (path / DATABASE).unlink()
    (path / CHECKPOINTS).unlink()
    with pytest.raises(HomeIncompleteError, match=INDEX):
        opened(path, settings)


def test_the_log_of_a_database_that_was_emptied_is_not_deleted(
    path: Path, settings: Settings
) -> None:
    """SQLite deletes the log of an empty file, and with it what could still be saved."""
    with opened(path, settings) as home:
        home.store.put(PLACE, "k", {"text": "sushi"})
        crashed = path.with_name("crashed")
        crashed.mkdir()
        shutil.copy(path / f"{DATABASE}-wal", crashed)
        (crashed / DATABASE).touch()
    size = (crashed / f"{DATABASE}-wal").stat().st_size
    assert size
    with pytest.raises(HomeIncompleteError, match=f"is empty.*{DATABASE}-wal"):
        opened(crashed, settings)
    assert (crashed / f"{DATABASE}-wal").stat().st_size == size


def test_what_is_moved_away_makes_room_for_a_new_home(path: Path, settings: Settings) -> None:
    fill(path, settings)
    (path / DATABASE).unlink()
    path.rename(path.with_name("rest"))
    with opened(path, settings) as home:
        assert home.store.search(()) == []


@pytest.mark.parametrize("lost", [INDEX, CHECKPOINTS, "chroma.lock"])
def test_a_home_without_anything_else_opens_and_has_all_its_items(
    path: Path, settings: Settings, lost: str
) -> None:
    fill(path, settings, index=True)
    place = path / lost
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    with opened(path, settings) as home:
        assert home.store.search(PLACE, query="sushi")[0].key == "k"


@pytest.mark.parametrize("left", [(), (DATABASE,), (DATABASE, f"{DATABASE}-wal")])
def test_an_opening_that_was_killed_before_its_first_write_is_done_again(
    path: Path, settings: Settings, left: tuple[str, ...]
) -> None:
    path.mkdir()
    for name in left:
        (path / name).touch()
    fill(path, settings)


OPEN = """
import sys
from langgraph_memory import open_memory
from langgraph_memory.testing import HashingEmbedder

print("ready", flush=True)
sys.stdin.readline()
with open_memory(sys.argv[1], embedder=HashingEmbedder()) as home:
    home.store.put(("notes",), sys.argv[2], {"text": "sushi"})
"""


def opener(path: Path, name: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", OPEN, str(path), name],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def test_an_opening_killed_at_any_instant_is_done_again(path: Path, settings: Settings) -> None:
    for number in range(2):
        child = opener(path, "killed")
        with child:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
            while not path.exists():
                pass
            time.sleep(number * 0.012)
            child.kill()
        with opened(path, settings) as home:
            home.store.search(())
        shutil.rmtree(path)


def test_two_processes_may_make_one_home_at_once(path: Path, settings: Settings) -> None:
    children = [opener(path, f"k{number}") for number in range(2)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        with child:
            assert child.wait(60) == 0
    with opened(path, settings) as home:
        assert {item.key for item in home.store.search(PLACE)} == {"k0", "k1"}


def test_a_folder_with_other_peoples_files_is_an_empty_folder(
    path: Path, settings: Settings
) -> None:
    """LangGraph's own checkpoints, which a home takes over, and a Chroma of somebody's."""
    (path / INDEX).mkdir(parents=True)
    (path / INDEX / "chroma.sqlite3").touch()
    with closing(sqlite3.connect(path / CHECKPOINTS)) as raw:
        SqliteSaver(raw).setup()
    fill(path, settings)


def test_a_home_whose_checkpoints_were_not_folded_is_recognised(
    path: Path, settings: Settings
) -> None:
    """What tells ours from others' may still stand in the log alone."""
    path.mkdir()
    with (
        closing(CheckpointSaver.open(path / CHECKPOINTS)),
        pytest.raises(HomeIncompleteError, match=CHECKPOINTS),
    ):
        opened(path, settings)


# --- Files that may not grow ------------------------------------------------------------

LIMITED = """
import resource, sys
from langgraph_memory import open_memory
from langgraph_memory.errors import StorageError
from langgraph_memory.testing import HashingEmbedder

home = open_memory(sys.argv[1], embedder=HashingEmbedder())
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), hard))
done = 0
try:
    while True:
        home.store.put(("notes",), f"k{done}", {"text": "word " * 500})
        done += 1
except StorageError as error:
    print(type(error).__name__, error, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
assert len(home.store.search(("notes",), limit=10**6)) == done
home.close()
"""


@posix
def test_a_file_that_may_not_grow_is_told_with_its_limit(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), "1000000"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(FileLimitError.__name__)
    for part in (DATABASE, "past 1,000,000 bytes (ulimit -f)", "Nothing was written"):
        assert part in done.stdout
    assert issubclass(FileLimitError, StorageFullError)
