"""Transactions: what is seen when, and what is left of one that fails."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from database_cases import (
    NOW,
    DatabaseContract,
    Make,
    OnSqlite,
    born,
    entry,
    find,
    live,
    save,
    seconds,
    undone,
)

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import ClosedError, EmbedderMismatchError, StorageError
from langgraph_memory.ports import Database, Job, Space

JANE = Scope("acme", "jane")
PEACE_SECONDS = 20
"""How long a thread may take before the test gives up."""


class TransactionContract(DatabaseContract):
    """``ports.Database`` and ``ports.Transaction``."""

    # --- Seeing -------------------------------------------------------------------------

    def test_a_read_sees_every_write_that_returned_in_whichever_opening(
        self, make_database: Make
    ) -> None:
        one, two = make_database("memory"), make_database("memory")
        for number in range(20):
            writer, reader = (one, two) if number % 2 else (two, one)
            save(writer, born(f"r{number}"))
            assert find(reader, f"r{number}") is not None
            assert find(writer, f"r{number}") is not None

    def test_a_view_does_not_change_once_it_is_open(self, make_database: Make) -> None:
        """Not even before its first question."""
        one, two = make_database("memory"), make_database("memory")
        save(one, born("before"))
        with one.read() as tx:
            save(one, born("mine"))
            save(two, born("theirs"))
            assert tx.records.count(()) == 1
            save(two, born("later"))
            assert [each.id for each in tx.records.live((), now=NOW)] == ["before"]
            assert tx.outbox.last() == 1
        assert len(live(one)) == 4

    def test_views_of_different_ages_stand_side_by_side(self, database: Database) -> None:
        with database.read() as first:
            save(database, born("a"))
            with database.read() as second:
                save(database, born("b"))
                with database.read() as third:
                    counts = [tx.records.count(()) for tx in (first, second, third)]
        assert counts == [0, 1, 2]

    def test_a_write_sees_itself_and_nobody_else_does_before_it_returns(
        self, make_database: Make
    ) -> None:
        one, two = make_database("memory"), make_database("memory")
        with one.write() as tx:
            row = save(tx, born(), entry=entry("red", vectors=[[1, 0, 0, 0]])).row
            tx.events.bind("t", JANE, now=NOW)
            assert tx.records.load(("a",), "r") is not None
            assert tx.words.match((), ["red"]).counts == {row: (1, {"red": 1})}
            assert tx.outbox.last() == 1
            for reader in (one, two):
                with reader.read() as view:
                    assert view.records.count(()) == 0
                    assert view.words.match((), ["red"]).documents == 0
                    assert view.outbox.last() == 0
                    assert view.events.owner("t") is None

    def test_a_view_refuses_to_write(self, database: Database) -> None:
        with pytest.raises(StorageError), database.read() as tx:
            save(tx, born())
        assert live(database) == []
        save(database, born())
        assert live(database) == ["r"]

    # --- All or nothing -----------------------------------------------------------------

    @pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, GeneratorExit])
    def test_nothing_is_left_of_a_write_that_raised(
        self, database: Database, error: type[BaseException]
    ) -> None:
        first = born("kept")
        kept = save(database, first, entry=entry("red", vectors=[[1, 0, 0, 0]]))
        with undone(database, error) as tx:
            save(tx, first.supersede({}, now=seconds(1)), known=1, entry=entry("blue"))
            save(tx, born("new", ("elsewhere",)), entry=entry("blue"))
            tx.records.erase([kept.row])
            tx.events.bind("t", JANE, now=NOW)
            tx.events.add(Event("e", "t", "m", JANE, "user", "", "said", NOW))
            tx.jobs.submit(Job("j", "k", JANE, "t"), due=NOW)
            tx.bind_space(Space("model", 4))
            tx.outbox.follow("index", 2)
        with database.read() as tx:
            assert tx.records.live((), now=NOW) == [kept]
            assert tx.records.load(("a",), "kept") == first
            assert tx.records.vectors([kept.row])[kept.row].tolist() == [[1, 0, 0, 0]]
            assert tx.words.match((), ["red", "blue"]).counts == {kept.row: (1, {"red": 1})}
            assert tx.outbox.last() == 1
            assert tx.outbox.followed("index") == 0
            assert (tx.events.owner("t"), tx.events.count(JANE)) == (None, 0)
            assert tx.jobs.waiting() == []
            assert tx.space() is None

    def test_the_database_goes_on_after_a_read_that_raised(self, database: Database) -> None:
        for _ in range(30):
            with pytest.raises(StorageError), database.read() as tx:
                tx.records.erase([1])
        save(database, born())
        assert live(database) == ["r"]

    def test_a_listing_that_was_left_half_read_does_no_harm(self, database: Database) -> None:
        for number in range(10):
            save(database, born(f"r{number}"), entry=entry(vectors=[[1, 0, 0, 0]]))
        with database.read() as tx:
            half = tx.outbox.snapshot()
            next(half)
        save(database, born("new"))
        with database.read() as tx:
            assert tx.records.count(()) == 11
            assert len(list(tx.outbox.snapshot())) == 10

    # --- Threads ------------------------------------------------------------------------

    def test_many_threads_read_and_write_at_once(self, make_database: Make) -> None:
        """B81: no error, nothing lost, each write seen by its writer at once."""
        databases = [make_database("memory"), make_database("memory")]

        def work(worker: int) -> None:
            database = databases[worker % 2]
            for number in range(50):
                name = f"w{worker}-{number}"
                save(database, born(name), entry=entry("word", vectors=[[1, number, 0, 0]]))
                assert find(database, name) is not None

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(work, range(8), timeout=PEACE_SECONDS))
        with databases[0].read() as tx:
            assert tx.records.count(()) == 400
            assert tx.outbox.last() == 400
            assert tx.words.match((), ["word"]).documents == 400

    def test_writes_happen_one_at_a_time(self, database: Database) -> None:
        save(database, born(value={"n": 0}))

        def add_one(_: int) -> None:
            with database.write() as tx:
                record = tx.records.load(("a",), "r")
                assert record is not None
                number = record.head.value["n"] + 1  # type: ignore[index]
                grown = record.supersede({"n": number}, now=NOW)
                save(tx, grown, known=record.head.number)

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(add_one, range(60), timeout=PEACE_SECONDS))
        found = find(database, "r")
        assert found is not None
        assert (found.head.value, found.head.number) == ({"n": 60}, 61)

    def test_a_reader_never_waits_for_a_writer(self, database: Database) -> None:
        inside, done = threading.Event(), threading.Event()

        def hold() -> None:
            with database.write() as tx:
                save(tx, born())
                inside.set()
                assert done.wait(PEACE_SECONDS)

        with ThreadPoolExecutor(1) as threads:
            held = threads.submit(hold)
            assert inside.wait(PEACE_SECONDS)
            assert live(database) == []
            done.set()
            held.result(PEACE_SECONDS)
        assert live(database) == ["r"]

    # --- The embedding space ------------------------------------------------------------

    def test_a_home_is_bound_to_one_embedding_space_for_good(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        with one.write() as tx:
            assert tx.space() is None
            tx.bind_space(Space("modèle", 384))
            tx.bind_space(Space("modèle", 384))
        for other in (Space("modèle", 385), Space("another", 384)):
            with pytest.raises(EmbedderMismatchError) as caught, two.write() as tx:
                tx.bind_space(other)
            assert caught.value.stored == "modèle"
        with two.read() as tx:
            assert tx.space() == Space("modèle", 384)

    # --- Closing ------------------------------------------------------------------------

    def test_use_after_close_says_so(self, make_database: Make) -> None:
        database = make_database("memory")
        save(database, born())
        database.close()
        database.close()
        with pytest.raises(ClosedError, match="open_memory"), database.read():
            pass
        with pytest.raises(ClosedError), database.write():
            pass
        assert live(make_database("memory")) == ["r"]

    def test_one_opening_outlives_the_closing_of_another(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        save(one, born("a"))
        one.close()
        save(two, born("b"))
        assert live(two) == ["b", "a"]
        assert live(make_database("memory")) == ["b", "a"]

    def test_a_view_that_was_open_at_the_closing_may_be_read_to_its_end(
        self, database: Database
    ) -> None:
        save(database, born())
        with database.read() as tx:
            database.close()
            assert tx.records.count(()) == 1
        with pytest.raises(ClosedError), database.read():
            pass

    def test_closing_waits_for_a_write_in_hand(self, make_database: Make) -> None:
        database = make_database("memory")
        inside = threading.Event()

        def write(_: Any) -> None:
            with database.write() as tx:
                inside.set()
                for number in range(300):
                    save(tx, born(f"r{number}"))

        with ThreadPoolExecutor(1) as threads:
            held = threads.submit(write, None)
            assert inside.wait(PEACE_SECONDS)
            database.close()
            held.result(PEACE_SECONDS)
        assert len(live(make_database("memory"))) == 300


class TestSqliteTransactions(OnSqlite, TransactionContract):
    """SQLite keeps the contract."""
