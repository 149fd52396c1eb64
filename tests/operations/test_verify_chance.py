"""Verify by chance: any mix of writes leaves a whole home, any damaged row is found and mended."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from verify_home import PLACE, fill, opened, rows, truth_of, wrong

from langgraph_memory import Home, reindex
from langgraph_memory.testing.hashing import HashingEmbedder

# --- Whole homes ------------------------------------------------------------------------


class Writer:
    """Does something to a home, by chance."""

    def __init__(self, home: Home, seed: int) -> None:
        self.home = home
        self.chance = random.Random(seed)

    def write(self) -> None:
        act: Callable[[], Any] = self.chance.choice(
            [self.put, self.put, self.put, self.delete, self.remember, self.forget, self.dated,
             self.expire, self.restore, self.many, self.upkeep]
        )  # fmt: skip
        act()

    def place(self) -> tuple[str, ...]:
        return self.chance.choice([PLACE, ("deep",), ("deep", "er", "place"), ("日本", "寿司")])

    def key(self) -> str:
        return f"k{self.chance.randrange(8)}"

    def value(self) -> dict[str, Any]:
        number = self.chance.randrange(50)
        return self.chance.choice(
            [{"text": f"note {number}"}, {"a": number, "b": ["x y", None, True]}, {},
             {"text": "寿司 İstanbul ẞ 🍣", "parts": [{"t": f"part {number}"}, {"t": "other"}]},
             {"text": "long story. " * 200}]
        )  # fmt: skip

    def put(self) -> None:
        index: Any = self.chance.choice(
            [None, None, False, ["text"], ["parts[*].t", "b[*]"], ["$"]]
        )
        protected = self.chance.random() < 0.2
        ttl = self.chance.choice([None, 60])
        self.home.store.put(
            self.place(), self.key(), self.value(), index, ttl=ttl, protected=protected
        )

    def many(self) -> None:
        for _ in range(5):
            self.put()

    def delete(self) -> None:
        self.home.store.delete(self.place(), self.key())

    def dated(self) -> None:
        later = datetime.now(UTC) + timedelta(days=self.chance.choice([-1, 1]))
        self.home.store.put(self.place(), self.key(), self.value(), valid_from=later)

    def expire(self) -> None:
        self.home.store.put(self.place(), self.key(), self.value(), ttl=1e-5)
        self.home.memory.sweep()

    def restore(self) -> None:
        place, key = self.place(), self.key()
        kept = [each for each in self.home.store.history(place, key) if each.value is not None]
        if kept:
            self.home.store.restore(place, key, self.chance.choice(kept).number)

    def remember(self) -> None:
        me = self.home.memory.scope(tenant="acme", user=self.chance.choice(["jane", "joe"]))
        key = self.chance.choice([None, "launch_date"])
        me.remember(f"The launch is on day {self.chance.randrange(9)}", key=key)

    def forget(self) -> None:
        me = self.home.memory.scope(tenant="acme", user="joe")
        me.purge()

    def upkeep(self) -> None:
        acts: list[Callable[[], Any]] = [
            self.home.memory.rebuild,
            lambda: self.home.memory.verify(repair=True),
            lambda: self.home.store.search((), query="note"),
            lambda: self.home.store.search(self.place(), query="launch"),
        ]
        self.chance.choice(acts)()


@pytest.mark.parametrize("seed", range(3))
def test_a_home_is_whole_after_any_writes(tmp_path: Path, seed: int) -> None:
    dims = 64
    for round_ in range(3):
        with opened(tmp_path, HashingEmbedder(dims)) as home:
            writer = Writer(home, 10 * seed + round_)
            for _ in range(12):
                writer.write()
            report = home.memory.verify()
            assert wrong(report) == {}, report.faults
        if seed:
            dims = 48 if dims == 64 else 64
            reindex(tmp_path, embedder=HashingEmbedder(dims))


def test_a_home_is_whole_after_a_move_there_and_back(tmp_path: Path) -> None:
    """Chroma's copy is of the right model and of another past: it is filled anew, unasked."""
    with opened(tmp_path) as home:
        fill(home)
        assert home.sync_index()
    for dims in (48, 64):
        reindex(tmp_path, embedder=HashingEmbedder(dims))
    with opened(tmp_path) as home:
        assert wrong(home.memory.verify()) == {}
        report = home.memory.verify()
        assert wrong(report) == {}
        counted = {each.name: each.counted for each in report.checks}
        assert counted["chroma index"] == counted["vectors"]


# --- Damage -----------------------------------------------------------------------------

TABLES = {
    "vectors": "*", "words": "*", "texts": "*", "seals": "*", "namespaces": "*",
    "outbox": "sequence", "settings": "value",
    "records": "tokens, unsettled, namespace, live, updated_at, created_at",
    "words_docsize": "*", "words_config": "*",
}  # fmt: skip
"""Tables that are derived, and the columns of which any change does harm."""

SENSELESS = ("0", "-1", "99999", "1.5", "'x'", "''", "x'00'", "zeroblob(256)", "'[]'")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chance") / "home"
    with opened(path) as home:
        fill(home)
        home.store.put(PLACE, "book", {"t": "Tea", "parts": ["a b", "c d"]}, index=["parts[*]"])
    return path


def contents(path: Path) -> list[Any]:
    """Return what a repair must bring back exactly."""
    told = ("rowid, body FROM words", "* FROM vectors", "* FROM texts")
    return [rows(path, f"SELECT {each} ORDER BY 1, 2") for each in told]


def damaged(path: Path, table: str, chance: random.Random) -> str:
    """Delete or change one row; return the statement, empty if that came to nothing."""
    columns = [name for (name,) in rows(path, f"SELECT name FROM pragma_table_info('{table}')")]
    touched = columns if TABLES[table] == "*" else TABLES[table].split(", ")
    if table == "seals":
        touched = [name for name in touched if name not in ("next", "announced")]
    column = chance.choice(touched)
    key = "rowid" if table in ("words", "records") else columns[0]
    with closing(sqlite3.connect(path / "memory.sqlite", isolation_level=None)) as sql:
        sql.text_factory = bytes
        before = sql.execute(f"SELECT * FROM {table}").fetchall()
        one, other = (chance.randrange(len(before)) for _ in range(2))
        [chosen] = sql.execute(f"SELECT quote({key}) FROM {table} LIMIT 1 OFFSET {one}").fetchone()
        of_other = f"(SELECT {column} FROM {table} LIMIT 1 OFFSET {other})"
        new = chance.choice([*SENSELESS, of_other, of_other, of_other])
        statement = f"UPDATE {table} SET {column} = {new}"
        if table != "records" and chance.random() < 0.4:
            statement = f"DELETE FROM {table}"
        statement += f" WHERE {key} = {chosen.decode()}"
        try:
            sql.execute(statement)
        except sqlite3.Error:
            return ""
        after = sql.execute(f"SELECT * FROM {table}").fetchall()
    return "" if after == before else statement


@pytest.mark.parametrize("table", TABLES)
def test_any_damaged_row_of_what_is_derived_is_found_and_mended(
    whole: Path, tmp_path: Path, table: str
) -> None:
    chance, right, truth = random.Random(table), contents(whole), truth_of(whole)
    for number in range(8):
        path = tmp_path / str(number)
        shutil.copytree(whole, path)
        if not (statement := damaged(path, table, chance)):
            continue
        with opened(path) as home:
            found = wrong(home.memory.verify())
            assert set().union(*found.values()) == {"derived"}, statement
            assert wrong(home.memory.verify(repair=True)) == {}, statement
            assert wrong(home.memory.verify()) == {}, statement
            assert home.store.search(PLACE, query="changed: sushi from Osaka")[0].key == "k1"
        assert contents(path) == right, statement
        assert truth_of(path) == truth, statement
