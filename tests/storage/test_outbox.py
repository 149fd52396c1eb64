"""The queue from the truth to its indexes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from database_cases import (
    DatabaseContract,
    Make,
    Model,
    OnSqlite,
    born,
    entry,
    erase,
    histories,
    patient,
    save,
    seconds,
    undone,
)
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Database, OutboxRow, Use
from langgraph_memory.storage.sqlite.outbox import KEPT

Fresh = Callable[[], closing[Database]]
Mirror = dict[int, tuple[Namespace, list[list[float]]]]


def last(database: Database) -> int:
    with database.read() as tx:
        return tx.outbox.last()


def floor(database: Database) -> int:
    with database.read() as tx:
        return tx.outbox.floor()


def after(database: Database, sequence: int, limit: int = 1000) -> list[OutboxRow]:
    with database.read() as tx:
        return tx.outbox.after(sequence, limit=limit)


def follow(database: Database, follower: str, sequence: int) -> None:
    with database.write() as tx:
        tx.outbox.follow(follower, sequence)


def announce(database: Database, times: int) -> None:
    """Write so many announcements, of a record that is not there."""
    with database.write() as tx:
        tx.records.erase([10**9] * times)


def apply(mirror: Mirror, row: OutboxRow) -> None:
    mirror.pop(row.row, None)
    if row.namespace is not None and row.vectors is not None:
        mirror[row.row] = (row.namespace, row.vectors.tolist())


def replayed(database: Database, *, start: int = 0, limit: int = 1000) -> Mirror:
    mirror: Mirror = {}
    while batch := after(database, start, limit):
        for row in batch:
            apply(mirror, row)
        start = batch[-1].sequence
    return mirror


def snapshot(database: Database) -> Mirror:
    mirror: Mirror = {}
    with database.read() as tx:
        for row in tx.outbox.snapshot():
            assert row.row not in mirror, "one row for each record"
            apply(mirror, row)
    return mirror


class OutboxContract(DatabaseContract):
    """``ports.Outbox``."""

    kept = 0
    """How many announcements stay for mirrors that never report."""

    @patient
    @given(histories, st.integers(1, 7))
    def test_a_replay_from_the_beginning_equals_a_snapshot_and_the_truth(
        self, make_fresh: Fresh, history: Any, limit: int
    ) -> None:
        """R21: in batches of any size."""
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            truth = {
                twin.row: (twin.record.namespace, twin.entry.vectors.tolist())
                for twin in model.twins.values()
                if twin.entry.vectors is not None
            }
            assert replayed(database, limit=limit) == truth
            assert snapshot(database) == truth

    @patient
    @given(histories, histories)
    def test_a_mirror_that_was_in_step_stays_so_by_what_came_after(
        self, make_fresh: Fresh, before: Any, later: Any
    ) -> None:
        with make_fresh() as database:
            model = Model()
            model.do(database, before)
            mirror, seen = snapshot(database), last(database)
            model.do(database, later)
            for row in after(database, seen):
                apply(mirror, row)
            assert mirror == snapshot(database)

    @patient
    @given(histories)
    def test_announcements_name_each_record_once_by_its_last_in_order(
        self, make_fresh: Fresh, history: Any
    ) -> None:
        with make_fresh() as database:
            Model().do(database, history)
            rows = after(database, 0)
            assert [each.sequence for each in rows] == sorted({each.sequence for each in rows})
            assert len({each.row for each in rows}) == len(rows)
            assert last(database) == max((each.sequence for each in rows), default=0)

    def test_sequences_grow_with_every_commit_and_are_never_reused(
        self, make_database: Make
    ) -> None:
        one, two = make_database("memory"), make_database("memory")
        assert last(one) == 0
        seen = [last(one)]
        for number in range(6):
            writer = (one, two)[number % 2]
            stored = save(writer, born(f"r{number}"))
            seen.append(last(two))
            if number % 3 == 0:
                erase(writer, stored)
                seen.append(last(one))
        assert seen == sorted(set(seen))
        with undone(one) as tx:
            save(tx, born("undone"))
        assert last(one) == seen[-1]

    def test_a_sequence_survives_the_pruning_of_every_announcement(
        self, make_database: Make
    ) -> None:
        database = make_database("memory")
        announce(database, self.kept + 10)
        follow(database, "index", last(database))
        before = last(database)
        reopened = make_database("memory")
        save(reopened, born())
        assert last(reopened) == before + 1

    def test_what_was_erased_is_announced_without_a_namespace(self, database: Database) -> None:
        stored = save(database, born(), entry=entry(vectors=[[1, 0, 0, 0]]))
        seen = last(database)
        erase(database, stored)
        (row,) = after(database, seen)
        assert (row.row, row.namespace, row.vectors) == (stored.row, None, None)

    def test_what_was_deleted_is_announced_with_its_place_and_no_vectors(
        self, database: Database
    ) -> None:
        first = born()
        stored = save(database, first, entry=entry(vectors=[[1, 0, 0, 0]]))
        save(database, first.delete(now=seconds(1)), known=1)
        (row,) = after(database, 0)
        assert (row.row, row.namespace, row.vectors) == (stored.row, ("a",), None)

    def test_an_old_announcement_carries_the_vectors_of_now(self, database: Database) -> None:
        first = born()
        save(database, first, entry=entry(vectors=[[1, 0, 0, 0]]))
        save(
            database, first.supersede({}, now=seconds(1)), known=1,
            entry=entry(vectors=[[0, 1, 0, 0], [0, 0, 1, 0]]),
        )  # fmt: skip
        (row,) = after(database, 0, limit=1)
        assert row.vectors is not None
        assert row.vectors.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]

    def test_reads_and_side_notes_announce_nothing(self, database: Database) -> None:
        stored = save(database, born())
        seen = last(database)
        with database.write() as tx:
            tx.records.touch({stored.row: Use(1, seconds(1))})
            tx.records.refresh([stored.row], now=seconds(1))
            tx.outbox.follow("index", seen)
            tx.words.tidy()
        assert after(database, seen) == []
        assert last(database) == seen

    def test_a_follower_is_remembered_each_on_its_own(self, database: Database) -> None:
        with database.read() as tx:
            assert tx.outbox.followed("index") == 0
        announce(database, 3)
        follow(database, "index", 2)
        follow(database, "other", 3)
        follow(database, "index", 3)
        with database.read() as tx:
            assert tx.outbox.followed("index") == 3
            assert tx.outbox.followed("other") == 3
            assert tx.outbox.followed("nobody") == 0

    def test_nothing_is_pruned_that_a_follower_owes(self, database: Database) -> None:
        announce(database, self.kept + 500)
        follow(database, "slow", 100)
        follow(database, "fast", self.kept + 500)
        assert floor(database) == 100
        save(database, born("new"))
        assert after(database, 100, limit=10**6)[0].sequence == self.kept + 500
        follow(database, "slow", 300)
        assert floor(database) == 300

    def test_a_margin_is_kept_for_mirrors_that_never_report(self, database: Database) -> None:
        announce(database, self.kept)
        follow(database, "index", self.kept)
        assert floor(database) == 0
        announce(database, 5)
        follow(database, "index", self.kept + 5)
        assert floor(database) == 5

    def test_a_floor_never_sinks(self, database: Database) -> None:
        announce(database, self.kept + 100)
        follow(database, "index", self.kept + 100)
        assert floor(database) == 100
        follow(database, "late", 7)
        follow(database, "index", 3)
        assert floor(database) == 100

    def test_pruning_that_is_rolled_back_did_not_happen(self, database: Database) -> None:
        announce(database, self.kept + 100)
        with undone(database) as tx:
            tx.outbox.follow("index", self.kept + 100)
        assert floor(database) == 0
        assert len(after(database, 0, limit=10**6)) == 1


class TestSqliteOutbox(OnSqlite, OutboxContract):
    """SQLite keeps the contract."""

    kept = KEPT
