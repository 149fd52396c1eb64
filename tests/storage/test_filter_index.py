"""Declared filter fields: what their indexes hold, and when SQLite goes by them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from database_cases import NOW, born, erase, live, save, seconds
from filter_cases import many, texts, values
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.json import dumps
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.sqlite import filter_index, narrowing
from langgraph_memory.storage.sqlite.database import SqliteDatabase


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(SqliteDatabase.open(tmp_path / "memory.sqlite")) as opened:
        yield opened


# --- Indexes over declared fields ---------------------------------------------------------------


def python_key(value: dict[str, Any]) -> Any:
    """Return what stands in the index for the field ``a``, by its description."""
    found = value.get("a")
    if found is None or isinstance(found, list | dict):
        return None
    if isinstance(found, str):
        return b"" if "\\u0000" in dumps(value) else found
    if isinstance(found, bool) or (isinstance(found, int) and -(2**63) <= found < 2**63):
        return int(found)
    written = dumps(found)
    if "e" in written:
        return b""
    return max(-(2**63), min(2**63 - 1, int(written.partition(".")[0])))


@many
@given(st.fixed_dictionaries({}, optional={"a": values, "b": texts}))
@example({"a": 0.3, "b": "\0"})
@example({"a": "x\0b"})
@example({"a": -0.5})
@example({"a": 2**63})
@example({"a": [0.1]})
def test_what_an_index_holds_is_the_same_in_every_build_of_sqlite(value: dict[str, Any]) -> None:
    """Or an update by another build finds its entry missing: a damaged file."""
    key = filter_index._key(filter_index._field("a"))
    with closing(sqlite3.connect(":memory:")) as sql:
        [(held,)] = sql.execute(f"SELECT {key} FROM (SELECT ? AS value)", (dumps(value),))
    assert held == python_key(value)
    assert type(held) is type(python_key(value))


def test_declared_fields_add_up_and_stay_with_the_home(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with closing(SqliteDatabase.open(path)) as database:
        assert database.filter_fields() == ()
        database.declare_filter_fields(["kind", "meta.lang"])
        database.declare_filter_fields(["Kind", "kind"])
        database.declare_filter_fields([])
    with closing(SqliteDatabase.open(path)) as database:
        assert database.filter_fields() == ("kind", "meta.lang", "Kind")


@pytest.mark.parametrize(
    "name", ["", ".", "a.", 'a"', "a\\", "a\n", "\0", "\ud800", "$a", "x" * 501]
)
def test_a_field_that_can_have_no_index_is_refused_with_its_name(
    database: SqliteDatabase, name: str
) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(repr(name)[:40])):
        database.declare_filter_fields(["fine", name])
    assert database.filter_fields() == ()


def test_an_index_follows_writes_of_every_kind(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "NARROW", 0)
    database.declare_filter_fields(["a", "b"])
    first = born("r", value={"a": "old", "b": 0.1})
    save(database, first)
    second = first.supersede({"a": "new\0", "b": 1e-9}, now=seconds(1))
    save(database, second, known=1)
    assert live(database, wanted={"a": "old"}) == []
    assert live(database, wanted={"a": "new\0", "b": {"$lt": 1e-8}}) == ["r"]
    gone = second.delete(now=seconds(2))
    save(database, gone, known=2)
    assert live(database, wanted={"a": {"$exists": True}}) == []
    stored = save(database, gone.supersede({"a": "again"}, now=seconds(3)), known=3)
    assert live(database, wanted={"a": "again"}) == ["r"]
    erase(database, stored)
    with database._connections.reading() as sql:
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_field_is_declared_over_what_is_there(database: SqliteDatabase) -> None:
    for number in range(5):
        save(database, born(f"r{number}", value={"kind": f"k{number % 2}"}))
    database.declare_filter_fields(["kind"])
    assert live(database, wanted={"kind": "k1"}) == ["r3", "r1"]


# --- Which way SQLite goes ----------------------------------------------------------------------


@pytest.fixture
def large(database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> SqliteDatabase:
    """A database that counts as large: 10 in the scope ``("s",)``, 190 in ``("w", ...)``."""
    monkeypatch.setattr(narrowing, "NARROW", 20)
    monkeypatch.setattr(filter_index, "MOST_ROWS", 20)
    database.declare_filter_fields(["kind", "project", "due", "meta.lang"])
    with database.write() as tx:
        for n in range(200):
            value = {"kind": "fact", "project": f"p{n % 50}", "due": n, "meta": {"lang": str(n)}}
            namespace = ("s",) if n % 20 == 0 else ("w", f"x{n % 3}")
            save(tx, born(f"r{n}", namespace, value=value, now=seconds(n)))
    return database


def plans(database: SqliteDatabase, prefix: tuple[str, ...], wanted: Any, **how: Any) -> list[str]:
    """Return the query plans of what a listing asks, one line each."""
    asked: list[str] = []
    with database.read() as tx:
        connection = tx.records._sql
        connection.set_trace_callback(asked.append)
        tx.records.live(prefix, now=NOW, wanted=wanted, limit=10, **how)
        connection.set_trace_callback(None)
        return [
            " / ".join(step[3] for step in connection.execute(f"EXPLAIN QUERY PLAN {each}"))
            for each in map(_readable, asked)
        ]


def _readable(asked: str) -> str:
    """Return traced SQL so that it can be run: SQLite writes infinities as no SQL."""
    return re.sub(r"\bInf\b", "9e999", asked)


BY_FIELD, BY_ROW = "versions USING INDEX filter_", "records USING INTEGER PRIMARY KEY"
BY_PATH, BY_TIME = "records USING INDEX records_by_path", "records USING INDEX records_by_time"


@pytest.mark.parametrize("prefix", [(), ("w",), ("w", "x1")], ids=str)
@pytest.mark.parametrize(
    "wanted",
    [
        {"project": "p7"},
        {"project": {"$in": ["p7", "p8"]}},
        {"due": {"$gte": 10, "$lt": 20}},
        {"due": {"$gt": 195}},
        {"due": {"$lt": 3.5}},
        {"meta.lang": "7"},
        {"kind": "fact", "project": "p7"},
        {"$and": [{"kind": "fact"}, {"$and": [{"project": "p7"}]}], "x": {"$ne": 1}},
    ],
    ids=str,
)
def test_a_filter_that_leaves_little_goes_by_the_index_of_its_field(
    large: SqliteDatabase, prefix: tuple[str, ...], wanted: Any
) -> None:
    """R22. With a namespace prefix and without; of several fields, by the rarest."""
    *asked, listing = plans(large, prefix, wanted)
    assert any(BY_FIELD in each for each in asked)
    assert not any("SCAN versions" in each for each in asked)
    assert BY_ROW in listing


def test_of_several_fields_the_rarest_proposes(large: SqliteDatabase) -> None:
    wanted = {"due": {"$lt": 15}, "project": "p7", "kind": "fact"}
    with large.read() as tx:
        rows = filter_index.proposed(tx.records._sql, wanted, None)
        assert rows is not None
        assert sorted(each.id for each in tx.records.heads(rows)) == ["r107", "r157", "r57", "r7"]


@pytest.mark.parametrize("wanted", [{"kind": "fact"}, {"due": {"$gte": 0}}], ids=str)
def test_a_filter_that_leaves_much_goes_by_time_or_namespace(
    large: SqliteDatabase, wanted: Any
) -> None:
    assert BY_TIME in plans(large, (), wanted)[-1]
    assert BY_TIME in plans(large, ("w",), wanted)[-1]
    assert BY_PATH in plans(large, ("w", "x9"), wanted)[-1]


def test_a_narrow_scope_goes_by_namespace_and_asks_no_index(large: SqliteDatabase) -> None:
    asked = plans(large, ("s",), {"project": "p0"})
    assert BY_PATH in asked[-1]
    assert not any("filter_" in each for each in asked)


def test_a_wide_prefix_goes_by_time(large: SqliteDatabase) -> None:
    assert BY_TIME in plans(large, ("w",), None)[-1]
    assert BY_PATH in plans(large, ("s",), None)[-1]


def test_no_field_that_is_not_declared_costs_a_look_at_an_index(large: SqliteDatabase) -> None:
    asked = plans(large, ("w",), {"other": 1, "$or": [{"project": "p7"}]})
    assert not any("filter_" in each for each in asked)


def test_a_range_with_two_ends_is_sought_by_both(large: SqliteDatabase) -> None:
    steps = "(<expr>>? AND <expr><?)"
    for wanted in ({"due": {"$gt": 5, "$lt": 9}}, {"meta.lang": {"$gte": "5", "$lt": "6"}}):
        assert any(steps in each for each in plans(large, (), wanted))
