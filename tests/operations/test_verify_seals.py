"""What search was told, told from what is there now: by seals, without a call of the embedder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from verify_home import (
    K1,
    PLACE,
    SWAPPED,
    UNSEALED,
    YOUNGER_THAN_SEALS,
    damage,
    fill,
    opened,
    rows,
    truth_of,
    wrong,
)

from langgraph_memory import Settings, reindex
from langgraph_memory.errors import EmbedderMismatchError
from langgraph_memory.memory import Memory
from langgraph_memory.operations import reindex as moving
from langgraph_memory.operations.verify import Report
from langgraph_memory.ports import Vectors
from langgraph_memory.storage.sqlite.hashes import digest
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.wiring import for_upkeep


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sealed") / "home"
    with opened(path) as home:
        fill(home)
        home.store.put(PLACE, "book", {"title": "Tea", "parts": ["a", "b"]}, index=["parts[*]"])
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "home")
    return tmp_path / "home"


class Silent(HashingEmbedder):
    """Embeds questions alone."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError


LONG = "(SELECT row FROM records WHERE key = 'long')"
VECTORS = {
    "two records exchanged": SWAPPED,
    "two parts exchanged": (
        f"UPDATE vectors SET part = part + 1000 WHERE row = {LONG} AND part < 2;"
        f"UPDATE vectors SET part = 1001 - part WHERE row = {LONG} AND part >= 1000"
    ),
    "turned a little": (
        "UPDATE vectors SET vector = CAST(substr(vector, 5) || substr(vector, 1, 4) AS BLOB) "
        f"WHERE row = {K1}"
    ),
    "those of an older version": (
        f"UPDATE vectors SET vector = (SELECT vector FROM vectors WHERE row = 1) WHERE row = {K1}"
    ),
}


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_of_other_texts_are_found_without_the_embedder_and_made_anew(
    path: Path, kind: str
) -> None:
    before = rows(path, "SELECT * FROM vectors ORDER BY row, part")
    damage(path, VECTORS[kind])
    assert rows(path, "SELECT * FROM vectors ORDER BY row, part") != before
    truth = truth_of(path)
    with opened(path, Silent(64)) as home:
        assert wrong(home.memory.verify()) == {"vectors": {"derived"}}
    with opened(path) as home:
        assert wrong(home.memory.verify(repair=True)) == {}
    assert rows(path, "SELECT * FROM vectors ORDER BY row, part") == before
    assert truth_of(path) == truth


TEXTS = {
    "of another record": (
        f"UPDATE texts SET embedded = (SELECT embedded FROM texts WHERE row != {K1}) "
        f"WHERE row = {K1}"
    ),
    "lost": f"DELETE FROM texts WHERE row = {K1}",
    "all lost": "DELETE FROM texts",
    "of another field": (
        "UPDATE texts SET embedded = '[\"Tea\"]' "
        "WHERE row = (SELECT row FROM records WHERE key = 'book')"
    ),
    "in another order": (
        'UPDATE texts SET embedded = \'["b","a"]\' '
        "WHERE row = (SELECT row FROM records WHERE key = 'book')"
    ),
    "unreadable": f"UPDATE texts SET embedded = '[' WHERE row = {K1}",
    "not even text": f"UPDATE texts SET embedded = x'ff00' WHERE row = {K1}",
    "of the full text": "UPDATE texts SET words = 'coffee' WHERE words IS NOT NULL",
    "of what was hidden": (
        "INSERT INTO texts SELECT row, '[\"nobody\"]', NULL FROM records WHERE key = 'hidden'"
    ),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_that_are_not_the_values_are_found_and_put_back_exactly(
    path: Path, kind: str
) -> None:
    """Which fields were indexed is not kept: hashes choose among all parts of the value."""
    before = {table: rows(path, f"SELECT * FROM {table}") for table in ("texts", "vectors")}
    damage(path, TEXTS[kind])
    truth = truth_of(path)
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {"texts": {"derived"}}
        assert wrong(home.memory.verify(repair=True)) == {}
    assert {table: rows(path, f"SELECT * FROM {table}") for table in before} == before
    assert truth_of(path) == truth


def reseal(path: Path, key: str, **changes: bytes) -> None:
    """Give a record another seal, which is whole."""
    names = ("row", "head", "announced", "truth", "told", "vectors", "space", "oldest", "papers")
    [seal] = rows(
        path,
        f"SELECT {', '.join(names[:6])}, CAST(space AS BLOB), oldest, papers FROM seals "
        f"WHERE row = (SELECT row FROM records WHERE key = '{key}')",
    )
    new = dict(zip(names, seal, strict=True)) | changes
    told, space, own = new["told"], new["space"], digest(*new.values())
    damage(
        path,
        f"UPDATE seals SET told = x'{told.hex()}', space = '{space.decode()}', "
        f"own = x'{own.hex()}' WHERE row = {new['row']}",
    )


def test_texts_that_cannot_be_put_back_are_taken_from_the_value(path: Path) -> None:
    """As those of a conversation, which are made of more than the statement itself."""
    reseal(path, "launch_date", told=b"\0" + b"unknown ")
    damage(
        path,
        "UPDATE texts SET embedded = '[\"coffee\"]', words = NULL "
        "WHERE row = (SELECT row FROM records WHERE key = 'launch_date')",
    )
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {"texts": {"derived"}}
        assert wrong(home.memory.verify(repair=True)) == {}
        me = home.memory.scope(tenant="acme", user="jane")
        assert me.recall("When is the launch?").evidence[0].content.endswith("Monday")
    assert rows(path, "SELECT 1 FROM texts WHERE embedded LIKE '%coffee%'") == []
    assert wrong(looked_at(path)) == {}


CHANGED = {
    "another value": f'UPDATE versions SET value = \'{{"text":"tea"}}\' WHERE row = {K1} '
    "AND number = 2",
    "another key": "UPDATE records SET key = 'k9' WHERE key = 'k1'",
}


@pytest.mark.parametrize("kind", CHANGED)
def test_a_head_that_does_not_say_what_was_written_is_damage_to_the_truth(
    path: Path, kind: str
) -> None:
    damage(path, CHANGED[kind])
    truth = truth_of(path)
    with opened(path) as home:
        for _ in range(2):
            report = home.memory.verify(repair=True)
            assert wrong(report) == {"records": {"truth"}}
    assert truth_of(path) == truth


SEALS = {
    "lost": f"DELETE FROM seals WHERE row = {K1}",
    "all lost": "DELETE FROM seals",
    "broken": f"UPDATE seals SET vectors = x'0011' WHERE row = {K1}",
    "of another version": f"UPDATE seals SET head = 1 WHERE row = {K1}",
    "without its own hash": f"UPDATE seals SET own = NULL WHERE row = {K1}",
    "of another model": f"UPDATE seals SET space = '[\"x\",64]' WHERE row = {K1}",
}


@pytest.mark.parametrize("kind", SEALS)
def test_a_seal_that_is_lost_or_broken_is_made_anew_and_blames_nobody(
    path: Path, kind: str
) -> None:
    tables = ("texts", "vectors", "words")
    before = {table: rows(path, f"SELECT * FROM {table}") for table in tables}
    damage(path, SEALS[kind])
    with opened(path) as home:
        found = wrong(home.memory.verify())
        found.pop("tombstones", None)
        assert found == {"seals": {"derived"}}
        assert wrong(home.memory.verify(repair=True)) == {}
    assert {table: rows(path, f"SELECT * FROM {table}") for table in tables} == before
    damage(path, SWAPPED)
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {"vectors": {"derived"}}, "it is sealed again"


def test_a_seal_made_without_the_embedder_says_nothing_of_vectors(path: Path) -> None:
    damage(path, f"DELETE FROM seals WHERE row = {K1}")
    with opened(path) as home:
        home.memory.rebuild()
        report = home.memory.verify()
    assert wrong(report) == {}
    assert "1 records are older than their seals" in str(report)


class Broken(HashingEmbedder):
    """Gives up at the long text."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if any("Chapter" in text for text in texts):
            raise KeyboardInterrupt
        return super().embed_documents(texts)


@pytest.fixture
def half_moved(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(moving, "BATCH", 3)
    with pytest.raises(KeyboardInterrupt):
        reindex(path, embedder=Broken(48))
    return path


def test_what_is_prepared_for_another_model_is_sealed_too(half_moved: Path) -> None:
    damage(half_moved, "UPDATE next_vectors SET vector = zeroblob(192) WHERE row = 1")
    with opened(half_moved) as home:
        assert wrong(home.memory.verify()) == {"leftovers": {"derived"}}
    new = HashingEmbedder(48)
    reindex(half_moved, embedder=new)
    with opened(half_moved, new) as home:
        assert wrong(home.memory.verify()) == {}
    [(blob, texts)] = rows(
        half_moved, "SELECT vector, embedded FROM vectors JOIN texts USING (row) WHERE row = 1"
    )
    assert blob == new.embed_documents(json.loads(texts))[0].tobytes()


def test_a_home_of_the_release_before_seals_is_whole_and_its_half_done_move_goes_on(
    half_moved: Path,
) -> None:
    damage(
        half_moved,
        "DROP TABLE seals",
        "ALTER TABLE versions DROP COLUMN own",
        *YOUNGER_THAN_SEALS,
        "PRAGMA user_version = 2",
    )
    with opened(half_moved) as home:
        report = home.memory.verify()
        assert wrong(report) == {}
        assert "older than their seals" in str(report)
    new = HashingEmbedder(48)
    assert reindex(half_moved, embedder=new).resumed
    with opened(half_moved, new) as home:
        report = home.memory.verify()
        assert wrong(report) == {}
        assert "older than their seals" not in str(report)


# --- The name of the model --------------------------------------------------------------

OTHER = "UPDATE settings SET value = '[\"other\",48]' WHERE name = 'space'"
LOST = "DELETE FROM settings WHERE name = 'space'"
SENSELESS = "UPDATE settings SET value = 'x' WHERE name = 'space'"


def model_of(path: Path) -> list[tuple[Any, ...]]:
    return rows(path, "SELECT value FROM settings WHERE name = 'space'")


@pytest.mark.parametrize("statement", [OTHER, LOST, SENSELESS])
def test_a_lost_or_changed_name_of_the_model_is_one_finding_and_put_back(
    path: Path, statement: str
) -> None:
    """The vectors' own seals say which model made them."""
    before = model_of(path)
    with opened(path) as home:
        assert home.sync_index()
        damage(path, statement)
        report = home.memory.verify()
        assert wrong(report) == {"embedding model": {"derived"}}
        [fault] = report.faults
        assert "they were made by hashing-64 (64 dimensions)" in fault.problem
        assert wrong(home.memory.verify(repair=True)) == {}
        assert wrong(home.memory.verify()) == {}
    assert model_of(path) == before


@pytest.mark.parametrize("statement", [LOST, SENSELESS])
def test_a_home_without_the_name_of_its_model_opens_with_that_model_alone(
    path: Path, statement: str
) -> None:
    before = model_of(path)
    damage(path, statement)
    with (
        pytest.raises(EmbedderMismatchError, match="hashing-64"),
        opened(path, HashingEmbedder(48)),
    ):
        pass
    with opened(path) as home:
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        assert wrong(home.memory.verify(repair=True)) == {}
    assert model_of(path) == before


def looked_at(path: Path, *, repair: bool = False) -> Report:
    """Look at a home as the command line does, whatever model it is bound to."""
    with for_upkeep(path, Settings.load(), embedder=HashingEmbedder(64)) as engine:
        return Memory(engine).verify(repair=repair)


def test_a_home_bound_to_a_model_that_made_none_of_its_vectors_is_bound_to_the_one_that_did(
    path: Path,
) -> None:
    before = model_of(path)
    damage(path, OTHER)
    with pytest.raises(EmbedderMismatchError), opened(path):
        pass
    assert wrong(looked_at(path)) == {"embedding model": {"derived"}}
    report = looked_at(path, repair=True)
    assert wrong(report) == {}
    assert "open the home again" in str(report)
    assert wrong(looked_at(path)) == {}
    assert model_of(path) == before


def test_a_name_that_the_vectors_do_not_tell_is_told_with_what_to_do(path: Path) -> None:
    damage(path, UNSEALED, OTHER)
    for repair in (False, True):
        report = looked_at(path, repair=repair)
        assert wrong(report) == {"embedding model": {"derived"}}
        assert "langgraph-memory reindex --embedder" in report.faults[0].problem
    reindex(path, embedder=HashingEmbedder(64))
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {}
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"


def test_vectors_of_another_model_are_told_record_by_record_and_made_anew(path: Path) -> None:
    reseal(path, "k1", space=b'["other",64]')
    with opened(path) as home:
        report = home.memory.verify()
        assert wrong(report) == {"vectors": {"derived"}}
        assert report.faults[0].problem == "its vectors are another model's"
        assert wrong(home.memory.verify(repair=True)) == {}
