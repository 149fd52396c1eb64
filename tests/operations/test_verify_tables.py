"""What is derived and gone altogether: tables, indexes, parts of the full text; never truth."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from verify_home import PLACE, damage, fill, opened, rows, truth_of, wrong

from langgraph_memory import Settings, open_memory
from langgraph_memory.testing.hashing import HashingEmbedder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "home"
    settings = Settings.load().declaring(("kind", "text"))
    with open_memory(path, settings=settings, embedder=HashingEmbedder(64)) as home:
        fill(home)
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "home")
    return tmp_path / "home"


def kept(path: Path) -> list[object]:
    """Return what a repair must bring back as it was."""
    columns = {"words": "rowid, body", "vectors": "*", "texts": "*"}
    return [rows(path, f"SELECT {each} FROM {name}") for name, each in columns.items()]


DROPPED = (
    "words", "vectors", "texts", "next_vectors", "outbox", "followers", "namespaces", "seals",
    "words_idx", "words_config", "words_data", "words_docsize", "words_content",
)  # fmt: skip


@pytest.mark.parametrize("opened_first", [True, False], ids=["while open", "while closed"])
@pytest.mark.parametrize("table", DROPPED)
def test_a_derived_table_that_is_gone_is_made_and_filled_anew(
    path: Path, table: str, opened_first: bool
) -> None:
    before, truth = kept(path), truth_of(path)
    if not opened_first:
        damage(path, f"DROP TABLE {table}")
    with opened(path) as home:
        if opened_first:
            home.store.search(PLACE, query="sushi")
            damage(path, f"DROP TABLE {table}")
        assert wrong(home.memory.verify()) == {"tables": {"derived"}}
        assert wrong(home.memory.verify(repair=True)) == {}
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        home.store.put(PLACE, "after", {"text": "written after the repair"})
        assert home.store.search(PLACE, query="written after the repair")[0].key == "after"
        home.store.delete(PLACE, "after")
        assert wrong(home.memory.verify()) == {}
    assert truth_of(path)[0][: len(truth[0])] == truth[0]
    assert kept(path) == before


def test_all_derived_tables_gone_at_once_are_made_and_filled_anew(path: Path) -> None:
    truth = truth_of(path)
    damage(path, *(f"DROP TABLE {table}" for table in DROPPED[:8]))
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {"tables": {"derived"}}
        report = home.memory.verify(repair=True)
        assert wrong(report) == {}
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
    assert truth_of(path) == truth


def test_lost_settings_are_told_by_the_vectors(path: Path) -> None:
    damage(path, "DROP TABLE settings")
    with opened(path) as home:
        assert set().union(*wrong(home.memory.verify()).values()) == {"derived"}
        assert wrong(home.memory.verify(repair=True)) == {}
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"


@pytest.mark.parametrize("table", ["records", "versions", "trials", "events", "threads", "jobs"])
def test_a_table_of_the_truth_that_is_gone_stays_gone(path: Path, table: str) -> None:
    with opened(path) as home:
        damage(path, f"DROP TABLE {table}")
        report = home.memory.verify(repair=True)
        assert "truth" in wrong(report)["tables"]
    assert rows(path, f"SELECT 1 FROM sqlite_master WHERE name = '{table}'") == []


WORDS = {
    "the table of first words emptied": "DELETE FROM words_idx",
    "a part of it lost": "DELETE FROM words_idx WHERE term = (SELECT max(term) FROM words_idx)",
    "the settings of the full text lost": "DELETE FROM words_config",
    "its lengths lost": "DELETE FROM words_docsize",
    "one length lost": "DELETE FROM words_docsize WHERE id = 1",
    "its first pages overwritten": "UPDATE words_data SET block = zeroblob(10)",
    "all of it emptied": "DELETE FROM words_data",
}


@pytest.mark.parametrize("kind", WORDS)
def test_a_full_text_that_no_longer_finds_what_it_holds_is_made_anew(path: Path, kind: str) -> None:
    """FTS5's own integrity check never looks at the table of first words."""
    with opened(path) as home:
        for number in range(400):
            home.store.put(("many",), str(number), {"text": f"word{number} and other{number}"})
    damage(path, "INSERT INTO words (words) VALUES ('optimize')", WORDS[kind])
    with opened(path) as home:
        found = wrong(home.memory.verify())
        assert found, "it is found"
        assert set(found) <= {"full-text index", "tables"}
        assert set().union(*found.values()) == {"derived"}
        assert wrong(home.memory.verify(repair=True)) == {}
        for number in (3, 399):
            [hit] = home.store.search(("many",), query=f"other{number}", limit=1)
            assert hit.key == str(number)


def test_indexes_of_declared_fields_are_looked_at_too(path: Path) -> None:
    [name, *_] = [name for (name,) in rows(
        path, "SELECT name FROM sqlite_master WHERE name LIKE 'filter_%'"
    )]  # fmt: skip
    other = f"CREATE INDEX {name} ON versions (value)"
    stray = "CREATE INDEX filter_0123456789abcdef ON versions (value)"
    before = rows(path, "SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
    for statements in ([f"DROP INDEX {name}"], [f"DROP INDEX {name}", other], [stray]):
        damage(path, *statements)
        with opened(path) as home:
            assert wrong(home.memory.verify()) == {"indexes": {"derived"}}
            assert wrong(home.memory.verify(repair=True)) == {}
        assert before == rows(
            path, "SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
        )


def test_a_home_that_forgot_which_fields_are_declared_opens_and_learns_it_again(
    path: Path,
) -> None:
    for statement in (
        "DELETE FROM settings WHERE name = 'filter_fields'",
        "UPDATE settings SET value = '{' WHERE name = 'filter_fields'",
    ):
        damage(path, statement)
        with opened(path) as home:
            assert set(wrong(home.memory.verify())) <= {"indexes", "settings"}
        settings = Settings.load().declaring(("kind", "text"))
        with open_memory(path, settings=settings, embedder=HashingEmbedder(64)) as home:
            assert wrong(home.memory.verify()) == {}
            assert home.store.search(PLACE, filter={"text": "changed: sushi from Osaka"})


def test_a_look_without_a_repair_leaves_every_byte_as_it_was(path: Path) -> None:
    damage(path, "DELETE FROM words_idx", "DELETE FROM texts", "DELETE FROM vectors WHERE row > 2")
    with opened(path) as home:
        home.memory.verify()
        before = (path / "memory.sqlite").read_bytes(), _log(path)
        assert not home.memory.verify().whole
        assert ((path / "memory.sqlite").read_bytes(), _log(path)) == before


def _log(path: Path) -> bytes:
    log = path / "memory.sqlite-wal"
    return log.read_bytes() if log.exists() else b""
