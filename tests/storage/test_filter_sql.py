"""Filters in SQL: the reference decides, and what SQL does to save it work changes nothing."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from database_cases import NOW, born, erase, live, save, seconds
from filter_cases import ODD_NAMES, PLAIN_NAMES, aimed, deep, few, floats, hard, many
from hypothesis import example, given, reject
from hypothesis import settings as told
from langgraph.store.base import PutOp, SearchOp

from langgraph_memory import MemoryStore, Settings
from langgraph_memory.domain.filters import check, matches
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.interfaces import translate
from langgraph_memory.operations import item_search
from langgraph_memory.storage.sqlite import narrowing
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.storage.sqlite.filter_sql import MOST_TERMS, condition, field_of, span
from langgraph_memory.testing.hashing import HashingEmbedder

# --- The condition --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sql() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


def meets(sql: sqlite3.Connection, wanted: dict[str, Any], value: dict[str, Any]) -> bool:
    """Tell whether a stored value meets the condition of a filter."""
    asked = condition(wanted)
    [(met,)] = sql.execute(
        f"SELECT {asked.sql} FROM (SELECT ? AS value)", (*asked.values, dumps(value))
    )
    return bool(met)


def check_condition(sql: sqlite3.Connection, asked: Any) -> None:
    found, wanted = asked
    check(wanted)
    for value in found:
        assert meets(sql, wanted, value) or not matches(value, wanted)


@many
@given(asked=aimed())
@hard
def test_every_match_meets_the_condition(sql: sqlite3.Connection, asked: Any) -> None:
    """B45. What SQL says of a filter may let too much through, never too little."""
    check_condition(sql, asked)


@pytest.mark.deep
@deep
@given(asked=aimed())
def test_every_match_meets_the_condition_at_length(sql: sqlite3.Connection, asked: Any) -> None:
    """B45."""
    check_condition(sql, asked)


@many
@given(floats)
@example(1e-202)
@example(5e-324)
@example(-1.7e308)
def test_bounds_leave_room_for_the_worst_reading_of_a_decimal(number: float) -> None:
    """Without long doubles, SQLite's reading is up to about 20 ulps away."""
    bounds = span(number)
    assert bounds is not None
    assert bounds[0] <= number - 20 * math.ulp(number) < number + 20 * math.ulp(number) <= bounds[1]


ROW = {"t": "abc", "i": 7, "f": 0.25, "yes": True, "none": None, "list": ["x"], "d": {"k": 1}}


@pytest.mark.parametrize(
    "wanted",
    [
        {"t": "abd"}, {"t": {"$gt": "abd"}}, {"t": {"$lt": "abc\x01", "$gte": "b"}}, {"t": 1},
        {"t": {"$in": ["x", "y", None, 1]}}, {"t": {"$contains": "d"}}, {"i": 8}, {"i": "7"},
        {"i": {"$gt": 7.1}}, {"i": {"$gte": 3, "$lt": 6}}, {"i": {"$contains": "7"}},
        {"f": 0.2500001}, {"f": {"$lt": 0.2499999}}, {"yes": False}, {"none": 1}, {"gone": None},
        {"t": None}, {"gone": {"$exists": True}}, {"t": {"$exists": False}}, {"list": {"k": 1}},
        {"d": ["k"]}, {"d": {"k": 2}}, {"d.k": 2}, {"d": {"k": {"$gt": 2}}}, {"d.k.l": 1},
        {"i": 7, "t": "x"}, {"$and": [{"i": 7}, {"$or": [{"t": "x"}, {"t": "y"}]}]},
        {"$or": []}, {"i": {"$in": []}}, {"list": {"$contains": "xx"}}, {"i": {"$contains": 7}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_usually_asked_is_told_apart_without_python(
    sql: sqlite3.Connection, wanted: dict[str, Any]
) -> None:
    assert not matches(ROW, wanted)
    assert not meets(sql, wanted, ROW)


BOMBS: list[dict[str, Any]] = [
    {"$or": [{"a": number} for number in range(1_000)]},
    {"$or": [{"a.b.c.d": {"$lt": number, "$gt": -number}} for number in range(1_000)]},
    {"$and": [{f"k{number}": {"$exists": False}} for number in range(1_000)]},
    {f"k{number}": {"$exists": False} for number in range(1_000)},
    {"a": {"$in": list(range(30_000))}},
    {"a": {"$in": [number / 7 for number in range(1_000)]}},
    {"a": {"$in": ["x" * 999_999, "y" * 999_999]}},
    {"a": "x" * 2_000_000},
    {"a": {"$contains": "x" * 2_000_000}},
    {"x" * 10_000: 1},
    {".".join("abcdefghijklmnopqrstuvwxyz"): 1},
    {"." * 10_000: 1},
]


@pytest.mark.parametrize("wanted", BOMBS, ids=lambda wanted: str(wanted)[:30])
def test_a_filter_of_any_size_can_be_asked(sql: sqlite3.Connection, wanted: Any) -> None:
    check(wanted)
    for value in ({"a": 999}, {"a": 5 / 7}, {}, {"a": {"b": {"c": {"d": 0}}}}):
        assert meets(sql, wanted, value) or not matches(value, wanted)
    assert condition(wanted).size <= MOST_TERMS


@pytest.mark.parametrize("way", ["$and", "$or", "part", "name"])
def test_a_filter_as_deep_as_the_reference_takes_can_be_asked(
    sql: sqlite3.Connection, way: str
) -> None:
    wanted: dict[str, Any] = {"a": 1}
    value: dict[str, Any] = {"a": 1}
    for _ in range(95 if way[0] == "$" else 45):
        wanted = {"a": wanted} if way in ("part", "name") else {way: [wanted, {"a": 1}]}
        value = {"a": value} if way in ("part", "name") else value
    if way == "name":
        wanted = {"a." * 45 + "a": 1}
    check(wanted)
    assert matches(value, wanted)
    assert meets(sql, wanted, value)


@pytest.mark.parametrize("name", ["it's", "a) OR (1", "'", "x' OR '1'='1", "n$.a", "a;--", "?1"])
def test_a_name_is_never_code(sql: sqlite3.Connection, name: str) -> None:
    assert not meets(sql, {name: 1}, {"x": 1})
    assert meets(sql, {name: 1}, {name: 1})


# --- Listings ---------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(SqliteDatabase.open(tmp_path / "memory.sqlite")) as opened:
        yield opened


@pytest.fixture
def declared(database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> SqliteDatabase:
    """A database with an index over every field that can have one, used in any scope."""
    monkeypatch.setattr(narrowing, "NARROW", 0)
    names = (name for name in (*PLAIN_NAMES, *ODD_NAMES) if field_of(name))
    database.declare_filter_fields(list(names))
    return database


@contextmanager
def filled(database: SqliteDatabase, found: list[dict[str, Any]]) -> Iterator[list[str]]:
    """Lend a database that holds these values under ``("n",)``, the last one written last."""
    with database.write() as tx:
        saved = [save(tx, born(f"r{n}", ("n",), value=value)) for n, value in enumerate(found)]
    try:
        yield [each.id for each in saved][::-1]
    finally:
        erase(database, *saved)


def check_listing(database: SqliteDatabase, asked: Any) -> None:
    found, wanted = asked
    with filled(database, found) as names:
        met = [name for name, value in zip(names, found[::-1], strict=True)
               if matches(value, wanted)]  # fmt: skip
        assert live(database, ("n",), wanted=wanted) == met
        assert live(database, (), wanted=wanted, limit=2, offset=1) == met[1:3]
        with database.read() as tx:
            rows = tx.records.matching((), now=NOW, wanted=wanted, holding=NOW)
            assert [each.id for each in tx.records.heads(rows)] == met


@few
@given(asked=aimed())
@hard
def test_a_listing_returns_what_the_reference_lets_through(
    database: SqliteDatabase, asked: Any
) -> None:
    """B45, R22."""
    check_listing(database, asked)


@few
@given(asked=aimed())
@hard
def test_an_index_over_a_field_changes_nothing_in_a_listing(
    declared: SqliteDatabase, asked: Any
) -> None:
    """B45, R22."""
    check_listing(declared, asked)


@pytest.mark.deep
@told(few, max_examples=2_000, derandomize=False)
@given(asked=aimed())
def test_an_index_over_a_field_changes_nothing_in_a_listing_at_length(
    declared: SqliteDatabase, asked: Any
) -> None:
    """B45."""
    check_listing(declared, asked)


def test_several_filters_need_no_operator_around_them(database: SqliteDatabase) -> None:
    """B44."""
    found = [{"type": "fact", "project": "x"}, {"type": "fact"}, {"type": "note", "project": "x"}]
    with filled(database, found):
        assert live(database, wanted={"type": "fact", "project": "x"}) == ["r0"]
        assert live(database, wanted={"$and": [{"type": "fact"}, {"project": "x"}]}) == ["r0"]


# --- What holds -------------------------------------------------------------------------------


def test_a_head_that_does_not_hold_is_left_out_or_comes_through_untested(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = {"v": "old"}, {"v": "new"}
    started = born("later", value=old).supersede(new, now=NOW, valid=Interval(seconds(60), None))
    for record in (
        born("plain", value=new),
        started,
        born("review", value=old).supersede(new, now=NOW, status=Status.PENDING),
        born("ended", value=new).retract(NOW, now=NOW),
        born("false", value=new).invalidate(now=NOW),
        born("dated", value=new).retract(seconds(60), now=NOW),
    ):
        save(database, record)
    monkeypatch.setattr(narrowing, "NARROW", 0)
    for _ in ("without an index", "with one"):
        found = live(database, wanted={"v": "new"}, holding=NOW)
        assert sorted(found) == ["dated", "later", "plain", "review"]
        assert len(live(database, wanted={"v": "new"})) == 6
        assert sorted(live(database, wanted={"v": "old"}, holding=NOW)) == ["later", "review"]
        assert len(live(database, ("a",), wanted={"v": "new"}, holding=seconds(60))) == 3
        database.declare_filter_fields(["v"])


# --- Searches ---------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path, settings: Settings) -> Iterator[MemoryStore]:
    with MemoryStore.from_path(
        tmp_path / "home", embedder=HashingEmbedder(), settings=settings
    ) as opened:
        yield opened


@few
@given(asked=aimed())
@hard
def test_a_query_changes_nothing_in_what_a_filter_lets_through(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, asked: Any
) -> None:
    """B45, R22. Whether many are ranked and then filtered, or few are filtered and then ranked."""
    found, wanted = asked
    try:
        translate.request(SearchOp(("n",), filter=wanted), ("$",))
    except InvalidInputError:
        reject()
    puts = [PutOp(("n",), str(n), value) for n, value in enumerate(found)]
    store.batch(puts)
    met = {str(n) for n, value in enumerate(found) if matches(value, wanted)}
    for query, width in ((None, 1), ("a", 1), ("会议 ab nothing", 1_000), ("a", 1_000)):
        monkeypatch.setattr(item_search, "WIDTH", width)
        hits = store.search(("n",), filter=wanted, query=query, limit=100)
        assert {each.key for each in hits} == met
    store.batch([put._replace(value=None) for put in puts])
