"""The steps of a move to another embedding space, in the database and in what mirrors it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from database_cases import DIMS, DatabaseContract, OnSqlite, born, entry, load, save, seconds, units

from langgraph_memory.errors import EmbedderMismatchError
from langgraph_memory.ports import Database, IndexEntry, Space
from langgraph_memory.storage.exact.index import ExactIndex

OLD, NEW, OTHER = Space("old", DIMS), Space("new", DIMS), Space("other", 2)
NORTH, EAST = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)


def told(*words: str, vectors: Sequence[Sequence[float]] = (NORTH,)) -> IndexEntry:
    return entry(*words, vectors=vectors)


class ReindexingContract(DatabaseContract):
    """``ports.Reindexing``, over any database."""

    @pytest.fixture
    def filled(self, database: Database) -> Database:
        with database.write() as tx:
            tx.bind_space(OLD)
        for number in range(3):
            save(database, born(f"r{number}"), entry=told(f"word{number}"))
        save(database, born("unsearched"))
        return database

    def prepare_all(self, database: Database, space: Space = NEW) -> None:
        with database.write() as tx:
            tx.reindexing.begin(space)
            for each in tx.reindexing.owed(after=0, limit=100):
                tx.reindexing.prepare(each.row, each.head, units(EAST))

    def test_what_has_texts_or_vectors_is_owed_by_row(self, filled: Database) -> None:
        with filled.write() as tx:
            tx.reindexing.begin(NEW)
            owed = tx.reindexing.owed(after=0, limit=2)
            assert [each.texts for each in owed] == [("word0",), ("word1",)]
            rest = tx.reindexing.owed(after=owed[-1].row, limit=2)
            assert [each.id for each in rest] == ["r2"]
            assert tx.reindexing.count() == (0, 3)
            assert tx.reindexing.goal() == NEW

    def test_the_old_vectors_stay_until_the_switch(self, filled: Database) -> None:
        self.prepare_all(filled)
        with filled.read() as tx:
            assert tx.space() == OLD
            assert tx.reindexing.count() == (3, 3)
            for vectors in tx.records.vectors([1, 2, 3]).values():
                assert np.array_equal(vectors, units(NORTH))
        with filled.write() as tx:
            assert tx.reindexing.switch()
        with filled.read() as tx:
            assert (tx.space(), tx.reindexing.goal()) == (NEW, None)
            found = tx.records.vectors([1, 2, 3, 4])
            assert sorted(found) == [1, 2, 3]
            for vectors in found.values():
                assert np.array_equal(vectors, units(EAST))

    def test_there_is_no_switch_while_anything_is_owed(self, filled: Database) -> None:
        with filled.write() as tx:
            assert not tx.reindexing.switch(), "nothing was begun"
        self.prepare_all(filled)
        record = load(filled, ("a",), "r1")
        assert record is not None
        save(filled, record.supersede({"n": 2}, now=seconds(1)), known=1, entry=told("changed"))
        with filled.write() as tx:
            assert not tx.reindexing.switch()
            [owed] = tx.reindexing.owed(after=0, limit=10)
            assert (owed.id, owed.head, owed.texts) == ("r1", 2, ("changed",))
            tx.reindexing.prepare(owed.row, 1, units(EAST))  # made from what was there before
            assert not tx.reindexing.switch()
            tx.reindexing.prepare(owed.row, 2, units(EAST))
            assert tx.reindexing.switch()

    def test_what_is_deleted_or_erased_meanwhile_is_not_owed(self, filled: Database) -> None:
        self.prepare_all(filled)
        record = load(filled, ("a",), "r0")
        assert record is not None
        save(filled, record.delete(now=seconds(1)), known=1)
        with filled.write() as tx:
            tx.records.erase([2])
            assert tx.reindexing.switch()
            assert sorted(tx.records.vectors([1, 2, 3])) == [3]

    def test_a_record_that_cannot_be_read_is_prepared_and_has_no_vectors(
        self, filled: Database
    ) -> None:
        self.prepare_all(filled)
        with filled.write() as tx:
            tx.reindexing.prepare(2, 1, None)
            assert tx.reindexing.count() == (3, 3)
            assert tx.reindexing.switch()
            assert sorted(tx.records.vectors([1, 2, 3])) == [1, 3]
            tx.reindexing.begin(OTHER)
            assert tx.reindexing.count() == (0, 3), "its texts are still there to be tried"

    def test_another_goal_drops_what_was_prepared_and_the_same_keeps_it(
        self, filled: Database
    ) -> None:
        self.prepare_all(filled)
        with filled.write() as tx:
            tx.reindexing.begin(NEW)
            assert tx.reindexing.count() == (3, 3)
            tx.reindexing.begin(OTHER)
            assert (tx.reindexing.goal(), tx.reindexing.count()) == (OTHER, (0, 3))
            tx.reindexing.abandon()
            assert (tx.reindexing.goal(), tx.reindexing.count()) == (None, (0, 3))

    def test_every_mirror_reloads_after_the_switch(self, filled: Database) -> None:
        mirrors = [ExactIndex(filled, DIMS), ExactIndex(filled, DIMS, space=OLD)]
        for mirror in mirrors:
            assert mirror.nearest(units(EAST)[0], (), limit=1)[0].cosine == pytest.approx(0.0)
        self.prepare_all(filled)
        with filled.write() as tx:
            before = tx.outbox.last()
            assert tx.reindexing.switch()
            assert tx.outbox.floor() == tx.outbox.last() > before
        assert mirrors[0].nearest(units(EAST)[0], (), limit=1)[0].cosine == pytest.approx(1.0)
        with pytest.raises(EmbedderMismatchError, match="new"):
            mirrors[1].nearest(units(EAST)[0], (), limit=1)

    def test_an_outbox_goes_on_after_a_restart(self, filled: Database) -> None:
        with filled.write() as tx:
            tx.outbox.follow("index", tx.outbox.last())
            tx.outbox.restart()
            floor = tx.outbox.floor()
            assert tx.outbox.after(0, limit=10) == []
        stored = save(filled, born("later"), entry=told("later"))
        with filled.read() as tx:
            [announced] = tx.outbox.after(floor, limit=10)
            assert (announced.row, announced.sequence > floor) == (stored.row, True)


class TestSqliteReindexing(OnSqlite, ReindexingContract):
    """The contract on SQLite."""
