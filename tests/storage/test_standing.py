"""A reader asks once in each state of the file, and never answers from a state that is past."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from langgraph_memory import Settings, open_memory
from langgraph_memory.errors import StorageError
from langgraph_memory.storage.sqlite import standing
from langgraph_memory.storage.sqlite.connection import Connections
from langgraph_memory.storage.sqlite.standing import Reader, once
from langgraph_memory.testing import HashingEmbedder


@pytest.fixture
def connections(tmp_path: Path) -> Iterator[Connections]:
    opened = Connections(tmp_path / "memory.sqlite")
    yield opened
    opened.close()


class Asked:
    """A question about the file that counts how often it was put."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, sql: sqlite3.Connection) -> int:
        self.times += 1
        return int(sql.execute("SELECT count(*) FROM settings").fetchone()[0])

    def of(self, connections: Connections) -> int:
        with connections.reading() as sql:
            return once(sql, "settings", self, sql)


def note(connections: Connections, name: str) -> None:
    with connections.writing() as sql:
        sql.execute("INSERT INTO settings (name, value) VALUES (?, 'x')", (name,))


def test_between_two_writes_it_is_asked_once(connections: Connections) -> None:
    ask = Asked()
    known = ask.of(connections)
    assert ask.of(connections) == known
    assert ask.times == 1


def test_after_a_write_it_is_asked_again(connections: Connections) -> None:
    ask = Asked()
    known = ask.of(connections)
    note(connections, "a")
    assert ask.of(connections) == known + 1
    assert ask.times == 2


def test_after_a_write_of_another_program_it_is_asked_again(connections: Connections) -> None:
    ask = Asked()
    known = ask.of(connections)
    with closing(sqlite3.connect(connections.path, isolation_level=None)) as other:
        other.execute("INSERT INTO settings (name, value) VALUES ('b', 'x')")
    assert ask.of(connections) == known + 1


def test_a_view_that_began_before_a_write_keeps_its_answer(connections: Connections) -> None:
    ask = Asked()
    with connections.reading() as sql:
        known = once(sql, "settings", ask, sql)
        note(connections, "c")
        assert once(sql, "settings", ask, sql) == known
        assert sql.execute("SELECT count(*) FROM settings").fetchone()[0] == known
    assert ask.of(connections) == known + 1


def test_a_write_that_is_undone_changes_no_answer(connections: Connections) -> None:
    ask = Asked()
    known = ask.of(connections)
    with suppress(StorageError), connections.writing() as sql:
        sql.execute("DELETE FROM settings")
        sql.execute("INSERT INTO settings (name, value) VALUES (NULL, NULL)")
    assert ask.of(connections) == known


def test_a_writer_sees_its_own_changes(connections: Connections) -> None:
    ask = Asked()
    with connections.writing() as sql:
        known = once(sql, "settings", ask, sql)
        sql.execute("INSERT INTO settings (name, value) VALUES ('d', 'x')")
        assert once(sql, "settings", ask, sql) == known + 1


def test_answers_are_bounded(connections: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "MOST", 3)
    with connections.reading() as sql:
        assert [once(sql, number, lambda n: n, number) for number in range(10)] == [*range(10)]
        assert len(sql._answers) <= 3


def test_a_purge_leaves_no_name_in_any_reader(tmp_path: Path) -> None:
    with open_memory(tmp_path, settings=Settings(), embedder=HashingEmbedder(32)) as home:
        me = home.memory.scope(tenant="acme", user="zebedee")
        me.remember("The launch is on Monday", key="launch")
        with home.store._parts.database.read() as tx:
            assert tx.words.namespaces(("memory", "t=acme"))
            assert "zebedee" in answers()
        me.purge()
        assert "zebedee" not in answers()


def answers() -> str:
    """Return everything that readers remember, as text."""
    found = [each for each in gc.get_objects() if isinstance(each, Reader)]
    return repr([each._answers for each in found])
