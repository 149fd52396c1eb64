"""Looking at everything a home holds: whole homes pass, each kind of damage is found and named."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from langgraph.store.base import PutOp
from verify_home import (
    DEAD,
    K1,
    NO_TEXT,
    PLACE,
    SWAPPED,
    UNIT,
    UNSEALED,
    YOUNGER_THAN_SEALS,
    damage,
    fill,
    opened,
    rows,
    truth_of,
    wrong,
)

from langgraph_memory import Home, Settings, open_memory, reindex
from langgraph_memory.domain.findings import MOST_FAULTS
from langgraph_memory.errors import StorageDamagedError
from langgraph_memory.ports import Vectors
from langgraph_memory.testing.hashing import HashingEmbedder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filled home, closed; tests work on copies."""
    path = tmp_path_factory.mktemp("whole") / "home"
    with opened(path) as home:
        fill(home)
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "home")
    return tmp_path / "home"


LONG = "(SELECT row FROM records WHERE key = 'long')"


def search_twice(home: Home) -> None:
    """Let every mirror in memory be filled."""
    for _ in range(2):
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        assert home.store.search(PLACE, filter={"text": "nobody searches sushi"})


# --- Whole homes ------------------------------------------------------------------------


def test_an_empty_home_is_whole(tmp_path: Path) -> None:
    with opened(tmp_path) as home:
        report = home.memory.verify(repair=True)
    assert (report.whole, report.faults, report.before) == (True, (), ())


def test_a_home_after_everything_was_done_is_whole(path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with opened(path) as home:
        assert home.sync_index()
        search_twice(home)
        report = home.memory.verify(progress=lambda *each: seen.append(each))
        assert wrong(report) == {}
        counted = {each.name: each.counted for each in report.checks}
        home.store.put(PLACE, "after", {"text": "written after the first look"})
        assert wrong(home.memory.verify()) == {}
    assert seen[-1][0] == seen[-1][1] == counted["words"]
    assert all(counted[name] for name in set(counted) - {"leftovers"}), counted
    assert counted["vectors"] == counted["exact index"] == counted["chroma index"]


def test_a_home_is_whole_after_every_way_of_forgetting(path: Path) -> None:
    with opened(path) as home:
        me = home.memory.scope(tenant="acme", user="jane")
        me.forget("launch_date")
        assert wrong(home.memory.verify()) == {}
        me.purge()
        assert wrong(home.memory.verify()) == {}


def test_a_look_changes_nothing(path: Path) -> None:
    with opened(path) as home:
        home.memory.verify()
        before = rows(path, "SELECT * FROM words") + rows(path, "SELECT * FROM outbox")
        home.memory.verify()
        assert rows(path, "SELECT * FROM words") + rows(path, "SELECT * FROM outbox") == before


CRASHING = """
import sys
from langgraph_memory import open_memory
from langgraph_memory.testing import HashingEmbedder

with open_memory(sys.argv[1], embedder=HashingEmbedder(64)) as home:
    me = home.memory.scope(tenant="acme", user="jane")
    print("open", flush=True)
    for number in range(1_000_000):
        home.store.put(("n", str(number % 3)), str(number % 20), {"text": f"item {number}"})
        me.remember(f"Fact {number} holds", key=f"fact{number % 10}")
        if number % 5 == 0:
            home.store.delete(("n", str(number % 3)), str(number % 20))
        print(number, flush=True)
"""


@pytest.mark.parametrize("steps", [1, 12, 55])
def test_a_home_is_whole_without_help_after_its_process_was_killed(
    tmp_path: Path, steps: int
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(steps):
        assert child.stdout.readline()
    child.kill()
    child.wait(60)
    child.stdout.close()
    with opened(tmp_path) as home:
        assert wrong(home.memory.verify()) == {}


def test_a_look_while_another_process_writes_finds_a_whole_home(path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    try:
        with opened(path) as home:
            for _ in range(5):
                child.stdout.readline()
                assert wrong(home.memory.verify()) == {}
            assert wrong(home.memory.verify(repair=True)) == {}
    finally:
        child.kill()
        child.wait(60)
        child.stdout.close()


# --- What is derived: found, and made anew ----------------------------------------------

DERIVED = {
    "words lost": ("words", f"DELETE FROM words WHERE rowid = {K1}"),
    "all words lost": ("words", "DELETE FROM words"),
    "words changed": ("words", f"UPDATE words SET body = 'coffee' WHERE rowid = {K1}"),
    "words in another scope": ("words", f"UPDATE words SET circles = '999' WHERE rowid = {K1}"),
    "words miscounted": ("words", f"UPDATE records SET tokens = 77 WHERE row = {K1}"),
    "words of a deleted record": (
        "leftovers", f"INSERT INTO words (rowid, circles, body) VALUES ({DEAD}, '1', 'tea')",
    ),
    "full-text index emptied": (
        "full-text index", "DELETE FROM words_data WHERE id > 10",
    ),
    "vectors lost": ("vectors", f"DELETE FROM vectors WHERE row = {K1}"),
    "all vectors lost": ("vectors", "DELETE FROM vectors"),
    "one of several vectors lost": (
        "vectors", "DELETE FROM vectors WHERE part = 1",
    ),
    "the last of several vectors lost": (
        "vectors",
        "DELETE FROM vectors WHERE part = (SELECT max(part) FROM vectors) AND part > 0",
    ),
    "a vector too many": ("vectors", f"INSERT INTO vectors VALUES ({K1}, 1, {UNIT})"),
    "a vector of another length": (
        "vectors", f"UPDATE vectors SET vector = x'0000803f' WHERE row = {K1}",
    ),
    "a vector that is no number": (
        "vectors",
        f"UPDATE vectors SET vector = x'{'0000c07f' * 64}' WHERE row = {K1}",
    ),
    "a vector not of unit length": (
        "vectors", f"UPDATE vectors SET vector = x'{'0000803f' * 64}' WHERE row = {K1}",
    ),
    "a vector that is a text": (
        "vectors", f"UPDATE vectors SET vector = 'sushi' WHERE row = {K1}",
    ),
    "vectors of no record": ("leftovers", f"INSERT INTO vectors VALUES (9999, 0, {UNIT})"),
    "texts of no record": ("leftovers", "INSERT INTO texts VALUES (9999, '[]', 'sushi')"),
    "texts of a deleted record": ("leftovers", f"INSERT INTO texts VALUES ({DEAD}, '[]', NULL)"),
    "vectors prepared for no move": (
        "leftovers", f"INSERT INTO next_vectors VALUES ({K1}, 0, 2, {UNIT})",
    ),
    "vectors prepared from an older version": (
        "leftovers",
        ("INSERT INTO settings VALUES ('next_space', '[\"m\", 64]'); "
        f"INSERT INTO next_vectors VALUES ({K1}, 0, 1, {UNIT})"),
    ),
    "an index that is missing": ("indexes", "DROP INDEX records_unsettled"),
    "a namespace without a number": (
        "namespaces", "DELETE FROM namespaces WHERE path = 'notes.jane.'",
    ),
    "a namespace above without a number": (
        "namespaces", "DELETE FROM namespaces WHERE path = 'deep.'",
    ),
    "a namespace in which nothing stands": (
        "namespaces", "INSERT INTO namespaces (path) VALUES ('gone.')",
    ),
    "an outbox beyond its last number": (
        "outbox", "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'outbox'",
    ),
    "a floor beyond the last number": (
        "outbox", "INSERT INTO settings VALUES ('outbox_floor', '99999')",
    ),
    "announcements below the floor": ("outbox", "INSERT INTO settings VALUES ('outbox_floor', 2)"),
    "a follower ahead of all": ("outbox", "INSERT INTO followers VALUES ('chroma', 99999)"),
    "an announcement that is missing": ("outbox", "DELETE FROM outbox WHERE sequence = 2"),
    "an announcement of another record": (
        "outbox",
        (f"UPDATE outbox SET row = 1 WHERE sequence = (SELECT max(announced) FROM seals "
        f"WHERE row = {K1})"),
    ),
    "an announcement of nobody": ("outbox", "UPDATE outbox SET row = 'x' WHERE sequence = 2"),
    "a follower that stands nowhere": ("outbox", "INSERT INTO followers VALUES ('chroma', 'x')"),
    "an outbox that forgot its last number": (
        "outbox", "UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'outbox'",
    ),
    "a floor that is no number": ("settings", "INSERT INTO settings VALUES ('outbox_floor', 'x')"),
    "a move to nowhere": ("settings", "INSERT INTO settings VALUES ('next_space', '[1,2]')"),
    "a namespace under another name": (
        "namespaces", "UPDATE namespaces SET path = 'gone.' WHERE path = 'notes.jane.'",
    ),
    "a record under another namespace's number": (
        "namespaces",
        ("UPDATE records SET namespace = (SELECT id FROM namespaces WHERE path = 'deep.') "
        f"WHERE row = {K1}"),
    ),
    "a tombstone under another namespace's number": (
        "namespaces",
        ("UPDATE records SET namespace = (SELECT id FROM namespaces WHERE path = 'deep.') "
        f"WHERE row = {DEAD}"),
    ),
    "a tombstone without its seal": ("tombstones", f"DELETE FROM seals WHERE row = {DEAD}"),
    "a seal of no record": ("leftovers", "INSERT INTO seals (row, head) VALUES (9999, 1)"),
    "a wrong flag": ("flags", f"UPDATE records SET unsettled = 1 WHERE row = {K1}"),
    "alive and a tombstone": ("records", f"UPDATE records SET live = 1 WHERE row = {DEAD}"),
    "deleted and no tombstone": ("records", f"UPDATE records SET live = 0 WHERE row = {K1}"),
    "a wrong time of change": ("records", f"UPDATE records SET updated_at = 5 WHERE row = {K1}"),
    "a wrong birth": ("records", f"UPDATE records SET created_at = 5 WHERE row = {K1}"),
    "a wrong birth of a second life": (
        "records",
        "UPDATE records SET created_at = 5 WHERE key = 'k3'",
    ),
    "neither alive nor deleted": ("records", f"UPDATE records SET live = 2 WHERE row = {K1}"),
    "a flag that is no number": ("records", f"UPDATE records SET live = 'x' WHERE row = {K1}"),
    "a time of change that is none": (
        "records", f"UPDATE records SET updated_at = 'x' WHERE row = {K1}",
    ),
    "a settled flag that is none": (
        "flags", f"UPDATE records SET unsettled = 'x' WHERE row = {K1}",
    ),
    "uses that are no number": ("flags", f"UPDATE records SET hits = 'x' WHERE row = {K1}"),
    "a last use that is no instant": (
        "flags", f"UPDATE records SET last_access = 9223372036854775807 WHERE row = {K1}",
    ),
    "a version without its seal": ("records", f"UPDATE versions SET own = NULL WHERE row = {K1}"),
    "a version with a broken seal": (
        "records", f"UPDATE versions SET own = x'00112233' WHERE row = {K1} AND number = 1",
    ),
    "words that are no text": (
        "words", f"UPDATE words_content SET c1 = {NO_TEXT} WHERE id = {K1}",
    ),
    "words that are bytes": ("words", f"UPDATE words_content SET c1 = x'00' WHERE id = {K1}"),
    "a place of words that is no text": (
        "words", f"UPDATE words_content SET c0 = {NO_TEXT} WHERE id = {K1}",
    ),
    "texts that are no text": ("texts", f"UPDATE texts SET embedded = {NO_TEXT} WHERE row = {K1}"),
    "words told that are no text": (
        "texts", f"UPDATE texts SET words = {NO_TEXT} WHERE row = {K1}",
    ),
    "a length that is no text": (
        "words", f"UPDATE records SET tokens = {NO_TEXT} WHERE row = {K1}",
    ),
    "a vector that is no text": (
        "vectors", f"UPDATE vectors SET vector = {NO_TEXT} WHERE row = {K1}",
    ),
    "a path of a namespace that is bytes": (
        "namespaces", "UPDATE namespaces SET path = CAST(path AS BLOB)",
    ),
    "a path of a namespace that is no text": (
        "namespaces", f"UPDATE namespaces SET path = {NO_TEXT} WHERE path = 'notes.jane.'",
    ),
    "a model that is no text": (
        "embedding model", f"UPDATE settings SET value = {NO_TEXT} WHERE name = 'space'",
    ),
    "a floor that is no text": (
        "settings", f"INSERT INTO settings VALUES ('outbox_floor', {NO_TEXT})",
    ),
    "a follower that is no text": (
        "outbox", f"INSERT INTO followers VALUES ('chroma', {NO_TEXT})",
    ),
    "words counted of a deleted record": (
        "flags", f"UPDATE records SET tokens = 3 WHERE row = {DEAD}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", DERIVED)
def test_what_is_derived_is_found_and_made_anew(path: Path, kind: str) -> None:
    """R21: and the truth is not touched by it; searches are right again."""
    check, statement = DERIVED[kind]
    damage(path, statement)
    truth = truth_of(path)
    with opened(path) as home:
        found = wrong(home.memory.verify())
        assert found.get(check) == {"derived"}, found
        assert set().union(*found.values()) == {"derived"}
        report = home.memory.verify(repair=True)
        assert wrong(report) == {}
        assert any(each.found for each in report.before)
        [hit] = home.store.search(PLACE, query="changed: sushi from Osaka", limit=1)
        assert hit.key == "k1"
        assert hit.score == pytest.approx(1.0, abs=1e-3)
        assert home.memory.scope(tenant="acme", user="jane").recall("When is the launch?").evidence
    assert truth_of(path) == truth


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (f"UPDATE vectors SET vector = {UNIT} WHERE row = {K1}", {"exact index", "vectors"}),
        (f"UPDATE words SET body = 'coffee' WHERE rowid = {K1}", {"words", "words in memory"}),
    ],
)
def test_a_mirror_in_memory_that_differs_is_found_and_dropped(
    path: Path, statement: str, found: set[str]
) -> None:
    """Another program has changed something behind everybody's back."""
    with opened(path) as home:
        search_twice(home)
        damage(path, statement)
        assert wrong(home.memory.verify()) == {name: {"derived"} for name in found}
        assert set(wrong(home.memory.verify())) == found & {"words", "vectors"}
        assert wrong(home.memory.verify(repair=True)) == {}


def test_a_repair_is_seen_by_mirrors_that_are_filled(path: Path) -> None:
    """What is made anew is announced, like any other change."""
    damage(path, f"UPDATE words SET body = 'coffee' WHERE rowid = {K1}")
    with opened(path) as home:
        for _ in range(2):
            home.store.search(PLACE, query="coffee")
        assert wrong(home.memory.verify(repair=True)) == {}
        assert home.store.search(PLACE, query="Osaka")[0].key == "k1"


# --- Chroma -----------------------------------------------------------------------------


@pytest.fixture
def indexed(path: Path) -> Path:
    with opened(path) as home:
        assert home.sync_index()
    return path


def chroma(home: Home) -> Any:
    return {each.name: each for each in home.memory.verify().checks}["chroma index"]


def _spoil(indexed: Path) -> None:
    [file] = (indexed / "chroma").glob("*/chroma.sqlite3")
    file.write_bytes(b"no database" * 500)


def _lose_vectors(indexed: Path) -> None:
    [file] = (indexed / "chroma").glob("*/chroma.sqlite3")
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        sql.execute("DELETE FROM embeddings_queue WHERE seq_id > 2")
        sql.execute("DELETE FROM embeddings WHERE id > 2")


@pytest.mark.parametrize("how", [_spoil, _lose_vectors])
def test_a_damaged_chroma_folder_is_told_and_filled_anew(indexed: Path, how: Any) -> None:
    """R21, B85: the truth is whole, so all is well in the end without a repair."""
    how(indexed)
    with opened(indexed) as home:
        found = chroma(home)
        assert (found.well, found.note) == (False, "it was filled anew"), found
        assert chroma(home).well
        assert wrong(home.memory.verify()) == {}


def test_a_missing_chroma_folder_is_no_fault(indexed: Path) -> None:
    shutil.rmtree(indexed / "chroma")
    with opened(indexed) as home:
        found = chroma(home)
        assert (found.well, found.note) == (True, "not made yet; searches are exact")


def test_a_chroma_index_of_another_process_is_left_to_it(indexed: Path) -> None:
    with FileLock(indexed / "chroma.lock"), opened(indexed) as home:
        found = chroma(home)
        assert (found.well, found.note) == (True, "another process owns it and keeps it in step")


def test_a_rebuild_twice_in_one_process_works(indexed: Path) -> None:
    """B87."""
    with opened(indexed) as home:
        for _ in range(2):
            rebuilt = home.memory.rebuild()
            assert (rebuilt.words, rebuilt.index) == (0, True)
        assert wrong(home.memory.verify()) == {}
        assert home.index_status().phase == "following"


def test_a_rebuild_makes_words_anew_without_a_call_of_the_embedder(path: Path) -> None:
    """R21."""
    damage(path, "UPDATE words SET body = 'coffee'")

    class Silent(HashingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            raise AssertionError

    with opened(path, Silent(64)) as home:
        rebuilt = home.memory.rebuild()
        assert rebuilt.words == len(rows(path, "SELECT 1 FROM words"))
        assert wrong(home.memory.verify()) == {}


# --- The truth: found, and never touched ------------------------------------------------

TRUTHS = {
    "the head lost": ("records", f"DELETE FROM versions WHERE row = {K1} AND number = 2"),
    "all versions lost": ("records", f"DELETE FROM versions WHERE row = {K1}"),
    "a gap in a chain": (
        "records",
        f"UPDATE versions SET number = 7 WHERE row = {K1} AND number = 2",
    ),
    "versions of no record": (
        "records",
        f"UPDATE versions SET row = 9999 WHERE row = {K1} AND number = 1",
    ),
    "two heads": (
        "records",
        f"UPDATE versions SET superseded_at = NULL WHERE row = {K1} AND number = 1",
    ),
    "no head": (
        "records",
        f"UPDATE versions SET superseded_at = 5 WHERE row = {K1} AND number = 2",
    ),
    "a wrong end": (
        "records",
        f"UPDATE versions SET superseded_at = 5 WHERE row = {K1} AND number = 1",
    ),
    "a wrong head number": ("records", f"UPDATE records SET head = 1 WHERE row = {K1}"),
    "a status that does not fit": (
        "records",
        f"UPDATE versions SET status = 'deleted' WHERE row = {K1} AND number = 1",
    ),
    "a closed version that calls itself active": (
        "records",
        f"UPDATE versions SET status = 'active' WHERE row = {K1} AND number = 1",
    ),
    "a version learned before the one it follows": (
        "records",
        (
            f"UPDATE versions SET recorded_at = recorded_at + 9000000 WHERE row = {K1} "
            "AND number = 1;"
            f"UPDATE records SET created_at = created_at + 9000000 WHERE row = {K1}"
        ),
    ),
    "a pruned chain that began after its first version": (
        "records",
        (
            f"DELETE FROM versions WHERE row = {K1} AND number = 1;"
            f"UPDATE records SET created_at = created_at + 9000000 WHERE row = {K1}"
        ),
    ),
    "a value that is no JSON": (
        "records",
        f"UPDATE versions SET value = '[sushi' WHERE row = {K1} AND number = 1",
    ),
    "a value that is no text": (
        "records",
        f"UPDATE versions SET value = CAST(x'73757368ff' AS TEXT) WHERE row = {K1}",
    ),
    "a status nobody knows": ("records", f"UPDATE versions SET status = 'x' WHERE row = {K1}"),
    "papers that cannot be read": (
        "records",
        f"UPDATE versions SET provenance = '' WHERE row = {K1}",
    ),
    "an older value changed": (
        "records",
        f"UPDATE versions SET value = '{{}}' WHERE row = {K1} AND number = 1",
    ),
    "other papers": (
        "records",
        (
            "UPDATE versions SET provenance = replace(provenance, 'unverified', 'user confirmed') "
            f"WHERE row = {K1} AND number = 1"
        ),
    ),
    "an old version that was false": (
        "records",
        f"UPDATE versions SET status = 'invalidated' WHERE row = {K1} AND number = 1",
    ),
    "an old version that held until then": (
        "records",
        f"UPDATE versions SET valid_until = 5 WHERE row = {K1} AND number = 1",
    ),
    "a head that held until long ago": (
        "records",
        f"UPDATE versions SET valid_until = 31536000000000 WHERE row = {K1} AND number = 2",
    ),
    "two versions exchanged": (
        "records",
        (
            f"UPDATE versions SET value = (SELECT value FROM versions AS other WHERE "
            f"other.row = {K1} AND other.number = 3 - versions.number) WHERE row = {K1}"
        ),
    ),
    "the oldest version lost": (
        "records",
        f"DELETE FROM versions WHERE row = {K1} AND number = 1",
    ),
    "an end that is no instant": (
        "records",
        f"UPDATE records SET expires_at = 'abc' WHERE row = {K1}",
    ),
    "an end beyond all time": (
        "records",
        f"UPDATE records SET expires_at = 9223372036854775807 WHERE row = {K1}",
    ),
    "an end that is missing": (
        "records",
        f"UPDATE records SET expires_at = NULL WHERE row = {K1}",
    ),
    "another lifetime": ("records", f"UPDATE records SET ttl_minutes = 61 WHERE row = {K1}"),
    "a lifetime that is none": (
        "records",
        f"UPDATE records SET ttl_minutes = 'x' WHERE row = {K1}",
    ),
    "a protection it never had": ("records", f"UPDATE records SET protected = 1 WHERE row = {K1}"),
    "a protection that is none": ("records", f"UPDATE records SET protected = 2 WHERE row = {K1}"),
    "another id": ("records", f"UPDATE records SET id = 'other' WHERE row = {K1}"),
    "a path that is bytes": (
        "records",
        f"UPDATE records SET path = CAST(path AS BLOB) WHERE row = {K1}",
    ),
    "a path that is no text": ("records", f"UPDATE records SET path = {NO_TEXT} WHERE row = {K1}"),
    "a path that nobody else has": (
        "records",
        "UPDATE records SET path = 'feep.er.place.' WHERE path = 'deep.er.place.'",
    ),
    "a key that is no text": ("records", f"UPDATE records SET key = {NO_TEXT} WHERE row = {K1}"),
    "two namespaces": (
        "namespaces",
        f"UPDATE records SET path = 'deep.er.place.' WHERE row = {K1}",
    ),
    "an event in nobody's thread": ("transcript", "DELETE FROM threads"),
    "an event of another owner": ("transcript", "UPDATE events SET tenant = 'other'"),
    "an event of another user": ("transcript", "UPDATE threads SET user = NULL"),
    "an event that cannot be read": ("transcript", "UPDATE events SET scope = '['"),
    "a thread read past its end": ("transcript", "UPDATE threads SET consolidated = 99999"),
}


@pytest.mark.parametrize("kind", TRUTHS)
def test_damage_to_the_truth_is_found_and_never_touched(path: Path, kind: str) -> None:
    check, statement = TRUTHS[kind]
    damage(path, statement)
    truth = truth_of(path)
    with opened(path) as home:
        report = home.memory.verify(repair=True)
        assert "truth" in wrong(report)[check], report
        assert not report.whole
    assert truth_of(path) == truth


@pytest.mark.parametrize("kind", TRUTHS)
def test_damage_to_the_truth_hides_and_spoils_nothing_else(path: Path, kind: str) -> None:
    """Nothing that was made from a record is taken away, the rest is mended."""
    before = derived_of(path)
    damage(path, TRUTHS[kind][1], f"UPDATE words SET body = 'coffee' WHERE rowid = {LONG}")
    with opened(path) as home:
        assert "derived" in set().union(*wrong(home.memory.verify()).values())
        report = home.memory.verify(repair=True)
        assert set().union(*wrong(report).values()) == {"truth"}, report
    if kind not in ("all versions lost", "another key"):
        assert derived_of(path) == before


def derived_of(path: Path) -> list[tuple[Any, ...]]:
    """Return what search has."""
    told = ("rowid, body FROM words", "* FROM vectors", "* FROM texts")
    return [each for table in told for each in rows(path, f"SELECT {table} ORDER BY 1, 2")]


def test_a_chain_whose_oldest_versions_were_pruned_is_whole(tmp_path: Path) -> None:
    settings = Settings.load().model_copy(update={"keep_versions": 2})
    with open_memory(tmp_path, settings=settings, embedder=HashingEmbedder(64)) as home:
        for number in range(6):
            home.store.put(PLACE, "k1", {"text": f"sushi {number}"})
        assert [each.number for each in home.store.history(PLACE, "k1")] == [5, 6]
        assert wrong(home.memory.verify()) == {}
        damage(tmp_path, "DELETE FROM versions WHERE number = 5")
        assert wrong(home.memory.verify(repair=True)) == {"records": {"truth"}}
        home.store.put(PLACE, "k1", {"text": "sushi 7"})
        home.store.put(PLACE, "k1", {"text": "sushi 8"})
        assert wrong(home.memory.verify()) == {}, "the gap was pruned"


def test_a_bad_byte_in_what_is_derived_fails_no_search_and_a_rebuild_mends_it(path: Path) -> None:
    damage(
        path,
        f"UPDATE words_content SET c1 = {NO_TEXT} WHERE id = {K1}",
        f"UPDATE texts SET embedded = {NO_TEXT} WHERE row = {K1}",
        f"UPDATE settings SET value = {NO_TEXT} WHERE name = 'space'",
    )
    with opened(path) as home:
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        home.store.put(PLACE, "more", {"text": "written meanwhile"})
        assert home.memory.rebuild().records == len(rows(path, "SELECT 1 FROM seals")) - 1
        assert set(wrong(home.memory.verify())) == {"embedding model"}
        assert wrong(home.memory.verify(repair=True)) == {}
    reindex(path, embedder=HashingEmbedder(48))
    with opened(path, HashingEmbedder(48)) as home:
        assert wrong(home.memory.verify()) == {}


def test_no_error_quotes_the_stored_text_and_one_about_what_is_derived_says_what_to_do(
    path: Path,
) -> None:
    damage(path, f"UPDATE texts SET embedded = {NO_TEXT} WHERE row = {K1}")
    with pytest.raises(StorageDamagedError, match="verify --repair") as caught:
        reindex(path, embedder=HashingEmbedder(48))
    assert "sus" not in str(caught.value).replace(str(path), "")


def test_protection_and_papers_that_change_without_a_new_version_are_sealed_anew(
    path: Path,
) -> None:
    value = {"text": "the same twice"}
    with opened(path) as home:
        for protected in (False, True, False):
            home.store.put(PLACE, "same", value, protected=protected, ttl=60)
            assert wrong(home.memory.verify()) == {}
        home.store.get(PLACE, "same", refresh_ttl=True)
        assert wrong(home.memory.verify()) == {}


def test_a_lost_oldest_version_is_still_told_after_the_next_write(path: Path) -> None:
    damage(path, f"DELETE FROM versions WHERE row = {K1} AND number = 1")
    with opened(path) as home:
        home.store.put(PLACE, "k1", {"text": "changed again"})
        assert wrong(home.memory.verify()) == {"records": {"truth"}}


def test_versions_older_than_their_seals_are_a_note_until_a_write_or_a_repair(path: Path) -> None:
    damage(
        path,
        UNSEALED,
        "ALTER TABLE versions DROP COLUMN own",
        "ALTER TABLE seals DROP COLUMN oldest",
        "ALTER TABLE seals DROP COLUMN papers",
        *YOUNGER_THAN_SEALS,
        "PRAGMA user_version = 3",
    )
    old = f"UPDATE versions SET value = '{{}}' WHERE row = {K1} AND number = 1"
    with opened(path) as home:
        report = home.memory.verify()
        assert wrong(report) == {}
        assert "versions older than their seals" in str(report)
        home.store.put(PLACE, "k1", {"text": "changed again"})
        damage(path, old)
        assert wrong(home.memory.verify()) == {"records": {"truth"}}
        report = home.memory.verify(repair=True)
        assert wrong(report) == {"records": {"truth"}}
        assert "versions older than their seals" not in str(report.checks)


def test_damaged_pages_are_found_in_both_files(path: Path) -> None:
    for name in ("memory.sqlite", "checkpoints.sqlite"):
        file = path / name
        pages = bytearray(file.read_bytes())
        with closing(sqlite3.connect(file)) as sql:
            table = {"memory.sqlite": "versions", "checkpoints.sqlite": "checkpoints"}[name]
            [(root,)] = sql.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        start = (root - 1) * 4096
        pages[start : start + 4096] = b"\xa7" * 4096
        file.write_bytes(pages)
    with opened(path) as home:
        found = wrong(home.memory.verify())
    assert found["database file"] == {"truth"}
    assert found["checkpoints file"] == {"truth"}
    assert found["records"] == {"truth"}


# --- Notes ------------------------------------------------------------------------------


class Picky(HashingEmbedder):
    """Refuses a batch with an Osaka in it."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if any("Osaka" in text for text in texts):
            raise ValueError("not that")
        return super().embed_documents(texts)


def test_a_text_that_the_embedder_refuses_is_a_note_and_no_fault(path: Path) -> None:
    damage(path, f"DELETE FROM vectors WHERE row = {K1}")
    with opened(path, Picky(64)) as home:
        report = home.memory.verify(repair=True)
        assert wrong(report) == {}
        notes = {each.name: each.note for each in report.checks}
        assert notes["vectors"] == "the embedder refuses texts of 1 records: found by words only"


def test_records_of_a_release_that_kept_no_texts_are_taken_as_they_are(path: Path) -> None:
    damage(path, "DELETE FROM texts", UNSEALED)
    with opened(path) as home:
        report = home.memory.verify(repair=True)
        assert wrong(report) == {}
        notes = {each.name: each.note for each in report.checks}
        assert "kept no texts" in notes["words"]


def test_vectors_older_than_their_seals_are_a_note_until_a_repair_compares_them(path: Path) -> None:
    damage(path, UNSEALED)
    with opened(path) as home:
        report = home.memory.verify()
        assert wrong(report) == {}
        notes = {each.name: each.note for each in report.checks}
        assert "older than their seals" in notes["vectors"]
    damage(path, SWAPPED)
    with opened(path) as home:
        assert wrong(home.memory.verify()) == {}, "nothing is known of them"
        assert wrong(home.memory.verify(repair=True)) == {}
        assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        assert not any("older" in each.note for each in home.memory.verify().checks)


def test_a_large_home_is_looked_at_in_good_time(tmp_path: Path, settings: Settings) -> None:
    with open_memory(tmp_path, settings=settings, embedder=HashingEmbedder(16)) as home:
        home.store.batch(
            [PutOp(("n", str(n % 9)), str(n), {"text": f"item {n} of many"}) for n in range(2_000)]
        )
        began = time.monotonic()
        report = home.memory.verify()
        assert report.whole
        assert time.monotonic() - began < 20
        damage(tmp_path, "DELETE FROM vectors WHERE row % 2")
        found = {each.name: each for each in home.memory.verify().checks}["vectors"]
        assert (found.found, len(found.faults)) == (1_000, MOST_FAULTS)
