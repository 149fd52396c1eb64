"""What happens to Chroma's files: they may be deleted, damaged, or another past's."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from chroma_home import IndexHome, eventually, near, vectors

from langgraph_memory.ports import Space
from langgraph_memory.storage.chroma import generations

QUERY = vectors(1)[0]
MANY = 1100  # enough for Chroma to have written its graph to disk


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed home in step, for tests to copy and harm."""
    path = tmp_path_factory.mktemp("written") / "home"
    with IndexHome(path) as home:
        home.put_many(MANY)
        home.drain()
    return path


@pytest.fixture
def harmed(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "home"))


def random_bytes(file: Path) -> None:
    file.write_bytes(os.urandom(file.stat().st_size))


def half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def nothing(file: Path) -> None:
    file.write_bytes(b"")


QUICK = [
    ("chroma.sqlite3", random_bytes),
    ("*/data_level0.bin", random_bytes),  # crashes its reader
    ("*/index_metadata.pickle", Path.unlink),  # count() stays right, most are not found
]
DEEP = [
    (file, harm)
    for file in ("chroma.sqlite3", "*/data_level0.bin", "*/header.bin", "*/link_lists.bin",
                 "*/length.bin", "*/index_metadata.pickle", "state.json")
    for harm in (random_bytes, half, nothing, Path.unlink)
    if (file, harm) not in QUICK
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "harm"),
    [*QUICK, *(pytest.param(*each, marks=pytest.mark.deep) for each in DEEP)],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_damaged_files_cost_no_answer_and_are_replaced(
    harmed: Path, file: str, harm: Callable[[Path], None]
) -> None:
    """R21, B85"""
    (found,) = (harmed / "chroma" / "1").glob(file)
    harm(found)
    made = vectors(0, MANY)
    with IndexHome(harmed) as home:
        home.follower.start()
        for each in range(0, MANY, 100):
            assert home.search(made[each])[0].cosine == pytest.approx(1.0, abs=1e-5)
        home.drain()
        assert home.follower.position() is not None
        for each in range(0, MANY, 50):
            home.search(made[each])
        assert len(home.generations()) == 1


def test_a_deleted_folder_is_rebuilt_from_the_vectors_in_the_database(harmed: Path) -> None:
    """R21: no embedder is anywhere near."""
    shutil.rmtree(harmed / "chroma")
    made = vectors(0, MANY)
    with IndexHome(harmed) as home:
        assert home.search(made[7])[0].cosine == pytest.approx(1.0, abs=1e-5)
        home.drain()
        for each in range(0, MANY, 50):
            assert home.search(made[each])[0].row in home.proposed(made[each])


def test_the_folder_may_be_deleted_while_it_is_in_use(harmed: Path) -> None:
    with IndexHome(harmed) as home:
        home.drain()
        shutil.rmtree(harmed / "chroma")
        new = home.put("new", QUERY)
        assert home.search(QUERY)[0].row == new
        home.drain()
        assert eventually(lambda: home.generations() == ["1"])
        assert new in home.proposed(QUERY)


def test_rebuilding_twice_in_one_process_works(harmed: Path) -> None:
    """B87: and files of others in the folder are left alone."""
    (harmed / "chroma" / "notes.txt").write_text("mine")
    with IndexHome(harmed) as home:
        home.drain()
        for generation in ("2", "3"):
            home.follower.rebuild()
            assert home.search(vectors(0, MANY)[3])[0].cosine == pytest.approx(1.0, abs=1e-5)
            home.drain()
            assert home.generations() == [generation, "notes.txt"]
            home.search(QUERY)


def test_a_rebuild_leaves_no_bytes_of_erased_vectors(tmp_path: Path) -> None:
    """R61: Chroma alone keeps a deleted vector in its graph and its queue."""
    secret = vectors(5)[0]
    with IndexHome(tmp_path) as home:
        home.put_many(1100)
        row = home.put("secret", secret)
        home.put_many(1100, seed=6)
        home.drain()
        home.erase(row)
        home.follower.rebuild()
        home.drain()
    kept = b"".join(each.read_bytes() for each in (tmp_path / "chroma").rglob("*.*"))
    assert secret.tobytes()[:64] not in kept


def test_a_filling_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """R21"""
    with IndexHome(tmp_path, dims=384) as home:
        home.put_many(3000)
        home.follower.start()
        assert eventually(lambda: _filling(home, 1))
        assert home.mirror.pid is not None
        os.kill(home.mirror.pid, signal.SIGKILL)
        home.put("meanwhile", vectors(9, dims=384)[0])
        home.drain()
        assert home.generations() == ["1"]
        rows, _ = home.mirror.holdings()
        assert len(rows) == 3001


def test_a_condemned_generation_stays_condemned_if_the_rebuild_is_cut_short(
    tmp_path: Path,
) -> None:
    with IndexHome(tmp_path, dims=384) as home:
        home.put_many(2000)
        home.drain()
        home.follower.rebuild()
        assert eventually(lambda: _filling(home, 2))
    with IndexHome(tmp_path, dims=384) as home:
        home.drain()
        assert home.generations() == ["2"]


def _filling(home: IndexHome, number: int) -> bool:
    """Tell whether the filling of a generation is under way."""
    found = generations.present(home.path / "chroma")
    begun = home.follower.state.generation == number
    return begun and found is not None and not found.complete


@pytest.mark.parametrize(
    "written_on",
    [
        pytest.param(False, marks=pytest.mark.deep, id="ahead"),
        pytest.param(True, id="same-numbers"),
    ],
)
def test_an_older_copy_of_the_database_gets_an_index_of_its_own(
    tmp_path: Path, written_on: bool
) -> None:
    with IndexHome(tmp_path / "home") as home:
        home.put("old", near(QUERY, 0.5))
    with (
        sqlite3.connect(tmp_path / "home" / "memory.sqlite") as source,
        sqlite3.connect(tmp_path / "backup") as target,
    ):
        source.backup(target)
    source.close()
    target.close()
    with IndexHome(tmp_path / "home") as home:
        lost = home.put("lost", near(QUERY, 0.9))
        home.drain()
        assert home.proposed(QUERY) >= {lost}
    (tmp_path / "backup").replace(tmp_path / "home" / "memory.sqlite")
    with IndexHome(tmp_path / "home") as home:
        other = home.put("other", vectors(8)[0]) if written_on else None
        home.drain()
        assert home.search(QUERY)[0].cosine == pytest.approx(0.5, abs=1e-5)
        assert home.generations() == ["2"]
        assert other is None or other in home.proposed(vectors(8)[0])


def test_an_index_that_lacks_a_record_it_claims_to_have_is_rebuilt(harmed: Path) -> None:
    with IndexHome(harmed) as home:
        unsent = home.put("unsent", QUERY)  # nobody follows
    claim = generations.present(harmed / "chroma")
    assert claim is not None
    generations.save(harmed / "chroma", replace(claim, sequence=claim.sequence + 1))
    with IndexHome(harmed) as home:
        home.drain()
        assert home.generations() == ["2"]
        assert unsent in home.proposed(QUERY)


def test_an_index_of_another_embedding_space_is_not_used(harmed: Path) -> None:
    """B88"""
    found = generations.present(harmed / "chroma")
    assert found is not None
    shutil.rmtree(harmed / "chroma")
    other = generations.begin(
        harmed / "chroma", model_id="other", dims=found.dims, sequence=found.sequence
    )
    generations.save(harmed / "chroma", other)
    with IndexHome(harmed) as home:
        with home.database.read() as tx:
            assert tx.space() == Space("hand", found.dims)
        home.drain()
        assert home.generations() == ["2"]
        home.search(vectors(0, MANY)[5])
