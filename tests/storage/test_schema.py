"""The SQLite file: its tables, and how it grows from release to release."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from database_cases import born, entry, live, save
from sqlite_files import JANE, contents, filled, look

from langgraph_memory.errors import (
    HomeVersionError,
    StorageError,
)
from langgraph_memory.storage.sqlite import recognition, schema
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.storage.sqlite.schema import APPLICATION_ID, MIGRATIONS, REGISTER


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


# --- Tables -----------------------------------------------------------------------------


def test_every_table_is_registered_with_what_it_holds_and_how_it_is_erased(path: Path) -> None:
    filled(path)
    listed = look(path, "SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
    tables = {name for name, sort in listed if sort in ("table", "virtual")}
    assert {name for name in tables if not str(name).startswith("sqlite_")} == set(REGISTER)
    for holding in REGISTER.values():
        assert all((holding.holds, holding.found_by, holding.erased_by, holding.verified_by))


def test_what_the_register_calls_personal_is_empty_once_its_owner_is_erased(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("INSERT INTO next_vectors SELECT row, part, 1, vector FROM vectors")
        raw.execute("INSERT INTO pieces SELECT row, 1, x'ff' FROM vectors WHERE part = 0")
    impersonal = {name for name, each in REGISTER.items() if each.erased_by == "-"}
    assert impersonal == {"settings", "outbox", "followers"}
    before = {name: look(path, f"SELECT count(*) FROM {name}")[0][0] for name in REGISTER}
    assert all(before.values()), f"a table without a row proves nothing: {before}"
    with closing(SqliteDatabase.open(path)) as database, database.write() as tx:
        tx.records.erase(tx.records.rows(JANE.root, limit=10**6))
        tx.events.erase(JANE)
        tx.grants.erase(JANE)
        tx.counts.erase(JANE)
    for name in set(REGISTER) - impersonal:
        assert look(path, f"SELECT count(*) FROM {name}") == [(0,)], name


def test_erasing_one_owner_keeps_the_namespaces_of_the_others(path: Path) -> None:
    with closing(SqliteDatabase.open(path)) as database:
        gone = save(database, born("gone", ("t", "gone", "x")), entry=entry("red"))
        kept = save(database, born("kept", ("t", "gone-not", "x")), entry=entry("red"))
        with database.write() as tx:
            tx.records.erase([gone.row])
        with database.read() as tx:
            for prefix in (("t",), ("t", "gone-not"), ("t", "gone-not", "x")):
                assert tx.words.match(prefix, ["red"]).counts.keys() == {kept.row}
    paths = {name for (name,) in look(path, "SELECT path FROM namespaces")}
    assert paths == {"t.", "t.gone-not.", "t.gone-not.x."}


# --- Versions ---------------------------------------------------------------------------


def test_a_new_file_says_whose_it_is_and_which_schema_it_has(path: Path) -> None:
    SqliteDatabase.open(path).close()
    assert look(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert look(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert look(path, "PRAGMA integrity_check") == [("ok",)]


def test_a_home_of_the_first_schema_learns_which_heads_may_not_hold(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(path)) as raw, monkeypatch.context() as before, raw:
        before.setattr(schema, "MIGRATIONS", MIGRATIONS[:1])
        schema.migrate(raw, found=0)
        raw.execute("INSERT INTO namespaces (id, path) VALUES (1, 'a.'), (2, 'b.')")
        for row, (place, start, status) in enumerate(
            [("a.", None, "active"), ("b.", 5, "active"), ("b.", None, "pending review")], start=1
        ):
            raw.execute(
                "INSERT INTO records (row, id, namespace, path, key, head, live, created_at, "
                "updated_at, tokens) VALUES (?, ?, ?, ?, ?, 1, 1, 0, 0, 0)",
                (row, str(row), 1 if place == "a." else 2, place, str(row)),
            )
            raw.execute(
                "INSERT INTO versions VALUES (?, 1, '{}', 0, NULL, ?, NULL, ?, ?)",
                (row, start, status, '{"source":["user","x"],"verification":"unverified"}'),
            )
    with closing(SqliteDatabase.open(path)) as database, database.read() as tx:
        assert not tx.records.unsettled(("a",))
        assert tx.records.unsettled(("b",))
    assert look(path, "SELECT unsettled FROM records ORDER BY row") == [(0,), (1,), (1,)]


def test_opening_again_migrates_nothing(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    SqliteDatabase.open(path).close()
    assert path.read_bytes() == before


def _pretend(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> None:
    """Let this release know further migrations."""
    for module in (schema, recognition):
        monkeypatch.setattr(module, "MIGRATIONS", (*MIGRATIONS, *scripts))


def test_an_older_home_is_brought_forward_with_all_it_holds(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path)
    with closing(SqliteDatabase.open(path)) as database:
        before = live(database)
    _pretend(monkeypatch, "CREATE TABLE a (x);", "ALTER TABLE a ADD COLUMN y; -- trailing")
    with closing(SqliteDatabase.open(path)) as database:
        assert live(database) == before
    assert look(path, "PRAGMA user_version") == [(len(MIGRATIONS) + 2,)]
    assert look(path, "SELECT name FROM pragma_table_info('a')") == [("x",), ("y",)]


def test_a_migration_that_fails_leaves_the_home_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path)
    before = path.read_bytes()
    _pretend(monkeypatch, "CREATE TABLE a (x);", "CREATE TABLE b (x);\nSELECT nonsense;")
    with pytest.raises(StorageError, match="nonsense"):
        SqliteDatabase.open(path)
    assert contents(path.parent) == {path.name: before}


def test_a_home_of_a_newer_release_is_refused_and_untouched(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA journal_mode = DELETE")
        sql.execute("PRAGMA user_version = 999")
    before = contents(path.parent)
    with pytest.raises(HomeVersionError, match="Upgrade") as caught:
        SqliteDatabase.open(path)
    assert (caught.value.found, caught.value.known) == (999, len(MIGRATIONS))
    assert contents(path.parent) == before


def test_a_newer_release_that_has_the_home_open_is_noticed(path: Path) -> None:
    """Its version may stand in the log alone."""
    SqliteDatabase.open(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 999")
        with pytest.raises(HomeVersionError):
            SqliteDatabase.open(path)
