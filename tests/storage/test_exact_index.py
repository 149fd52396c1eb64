"""Exact search by meaning: a mirror that equals brute force after any history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from database_cases import (
    DIMS,
    LOOK_ALIKES,
    DatabaseContract,
    Make,
    Model,
    OnSqlite,
    born,
    entry,
    erase,
    histories,
    patient,
    prefixes,
    save,
    seconds,
    undone,
    units,
)
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.errors import ClosedError, StorageDamagedError
from langgraph_memory.ports import Database, Neighbour, Vectors
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.exact.leaf import BLOCK, Leaf
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.storage.sqlite.outbox import KEPT

Fresh = Callable[[], closing[Database]]
QUERY = units([1, 0, 0, 0])[0]

queries = (
    st.lists(st.integers(-3, 3), min_size=DIMS, max_size=DIMS)
    .filter(any)
    .map(lambda row: units(row)[0])
)


def nearest(
    index: ExactIndex, prefix: Namespace = (), *, query: Vectors = QUERY, limit: int = 1000
) -> list[int]:
    return [each.row for each in index.nearest(query, prefix, limit=limit)]


def put(database: Database, name: str, *vectors: Sequence[float], ns: Namespace = ("a",)) -> int:
    return save(database, born(name, ns), entry=entry(vectors=vectors or [[1, 0, 0, 0]])).row


def agree(found: Sequence[Neighbour], expected: dict[int, float], limit: int) -> None:
    """Check that these are the best rows, in order, ties by row, newest row first."""
    ranked = sorted(found, key=lambda each: (-each.cosine, -each.row))
    assert found == ranked
    assert len({each.row for each in found}) == len(found) == min(limit, len(expected))
    for each in found:
        assert each.cosine == pytest.approx(expected[each.row], abs=1e-6)
    left_out = [cosine for row, cosine in expected.items() if row not in {e.row for e in found}]
    if found and left_out:
        assert max(left_out) <= found[-1].cosine + 1e-6


class ExactIndexContract(DatabaseContract):
    """``ports.VectorIndex`` with its exact promise, over any database."""

    @pytest.fixture
    def index(self, database: Database) -> Iterator[ExactIndex]:
        with closing(ExactIndex(database, DIMS)) as index:
            yield index

    @patient
    @given(histories, histories, prefixes, queries, st.integers(0, 5) | st.just(1000))
    def test_it_equals_brute_force_after_any_history(
        self, make_fresh: Fresh, before: Any, later: Any, prefix: Any, query: Any, limit: int
    ) -> None:
        """B1, R41: fresh, caught up, and loaded anew, all the same."""
        with make_fresh() as database:
            model = Model()
            model.do(database, before)
            index = ExactIndex(database, DIMS)
            agree(index.nearest(query, prefix, limit=limit), model.nearest(query, prefix), limit)
            model.do(database, later)
            expected = model.nearest(query, prefix)
            caught_up = index.nearest(query, prefix, limit=limit)
            agree(caught_up, expected, limit)
            loaded = ExactIndex(database, DIMS).nearest(query, prefix, limit=limit)
            agree(loaded, expected, limit)
            index.close()
            agree(index.nearest(query, prefix, limit=limit), expected, limit)

    @patient
    @given(histories, queries)
    def test_every_scope_is_searched_alone(
        self, make_fresh: Fresh, history: Any, query: Any
    ) -> None:
        """B1: of look-alike namespaces, each finds its own rows."""
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            index = ExactIndex(database, DIMS)
            for namespace in LOOK_ALIKES:
                found = set(nearest(index, namespace, query=query))
                assert found == set(model.nearest(query, namespace))
                assert index.size(namespace) == sum(
                    len(twin.entry.vectors)
                    for twin in model.under(namespace)
                    if twin.entry.vectors is not None
                )

    def test_an_empty_home_has_no_neighbours(self, index: ExactIndex) -> None:
        assert nearest(index) == []
        assert nearest(index, ("a",)) == []

    @pytest.mark.parametrize("limit", [0, -1])
    def test_no_neighbours_are_found_where_none_are_asked(
        self, database: Database, index: ExactIndex, limit: int
    ) -> None:
        put(database, "r")
        assert nearest(index, limit=limit) == []

    def test_a_row_of_many_vectors_counts_once_by_its_best(
        self, database: Database, index: ExactIndex
    ) -> None:
        """More vectors than are looked at first, all nearer than any other row's."""
        many = put(database, "many", *[[1, n / 1000, 0, 0] for n in range(200)])
        other = put(database, "other", [0, 1, 0, 0])
        for limit, expected in ((1, [many]), (2, [many, other]), (3, [many, other])):
            assert nearest(index, limit=limit) == expected
        best = index.nearest(QUERY, (), limit=1)[0]
        assert best.cosine == pytest.approx(1.0)

    def test_of_equals_the_newest_row_comes_first(
        self, database: Database, index: ExactIndex
    ) -> None:
        rows = [put(database, f"r{n}") for n in range(100)]
        assert nearest(index, limit=100) == rows[::-1]
        assert nearest(index, limit=3) == rows[::-1][:3]

    def test_a_cosine_stays_in_its_bounds(self, database: Database, index: ExactIndex) -> None:
        long = np.full((1, DIMS), 0.5000001, dtype=np.float32)
        assert float(np.linalg.norm(long)) > 1
        with database.write() as tx:
            save(tx, born("near"), entry=entry())
            stored = born("far")
            save(tx, stored, entry=entry(vectors=[[-1, -1, -1, -1]]))
        save(database, born("long"), entry=type(entry())((), long))
        found = index.nearest(long[0], (), limit=5)
        assert [each.cosine for each in found] == [1.0, -1.0]

    def test_commits_of_another_opening_are_seen_by_the_next_search(
        self, make_database: Make
    ) -> None:
        """R21: puts, replacements, deletions and erasures."""
        other = make_database("memory")
        index = ExactIndex(make_database("memory"), DIMS)
        assert nearest(index) == []
        row = put(other, "r")
        assert nearest(index) == [row]
        first = born("r")
        save(other, first.supersede({}, now=seconds(1)), known=1,
             entry=entry(vectors=[[0, 1, 0, 0]]))  # fmt: skip
        assert index.nearest(QUERY, (), limit=1)[0].cosine == pytest.approx(0.0)
        stored = save(other, first.supersede({}, now=seconds(1)).delete(now=seconds(2)), known=2)
        assert nearest(index) == []
        again = put(other, "again")
        assert nearest(index) == [again]
        erase(other, stored)
        with other.write() as tx:
            tx.records.erase([again])
        assert nearest(index) == []
        assert index.size(()) == 0

    def test_a_write_that_was_rolled_back_is_never_found(
        self, database: Database, index: ExactIndex
    ) -> None:
        kept = put(database, "kept")
        assert nearest(index) == [kept]
        with undone(database) as tx:
            save(tx, born("undone"), entry=entry(vectors=[[1, 0, 0, 0]]))
            tx.records.erase([kept])
            assert nearest(index) == [kept]
        assert nearest(index) == [kept]

    def test_pruning_past_its_position_makes_it_load_anew(self, make_database: Make) -> None:
        database = make_database("memory")
        index, late = ExactIndex(database, DIMS), ExactIndex(make_database("memory"), DIMS)
        gone, kept = put(database, "gone"), put(database, "kept")
        assert set(nearest(late)) == {gone, kept}
        with database.write() as tx:
            tx.records.erase([gone])
            tx.records.erase([10**9] * KEPT)
            tx.outbox.follow("index", tx.outbox.last())
            assert tx.outbox.floor() > 2
        new = put(database, "new")
        assert set(nearest(late)) == {kept, new}
        assert set(nearest(index)) == {kept, new}

    def test_more_announcements_than_one_batch_are_caught_up_in_one_call(
        self, database: Database, index: ExactIndex
    ) -> None:
        assert nearest(index) == []
        with database.write() as tx:
            tx.records.erase([10**9] * 7_000)
            rows = [
                save(tx, born(f"r{n}"), entry=entry(vectors=[[1, n, 0, 0]])).row for n in range(20)
            ]
        assert nearest(index) == rows

    def test_threads_search_while_others_write(self, make_database: Make) -> None:
        database, writer = make_database("memory"), make_database("memory")
        index = ExactIndex(database, DIMS)

        def write(number: int) -> int:
            return put(writer, f"r{number}", [1, number, 0, 0], ns=("a", str(number % 7)))

        def search(_: int) -> int:
            return len(nearest(index, ("a",)))

        with ThreadPoolExecutor(4) as threads:
            written = threads.map(write, range(120))
            sizes = list(threads.map(search, range(120)))
            rows = set(written)
        assert set(nearest(index)) == rows
        assert max(sizes) <= 120

    def test_vectors_of_another_length_are_a_damage_not_a_crash(
        self, database: Database, index: ExactIndex
    ) -> None:
        put(database, "r", [1, 0, 0])
        with pytest.raises(StorageDamagedError):
            nearest(index)

    def test_a_search_after_the_database_was_closed_says_so(self, make_database: Make) -> None:
        database = make_database("memory")
        index = ExactIndex(database, DIMS)
        put(database, "r")
        database.close()
        with pytest.raises(ClosedError):
            nearest(index)


class TestExactIndexOnSqlite(OnSqlite, ExactIndexContract):
    """The only database there is."""


# --- The matrix of one namespace --------------------------------------------------------

moves = st.lists(st.tuples(st.integers(1, 6), st.lists(st.integers(0, 9), max_size=4)), max_size=60)


@patient
@given(moves)
@example([(1, [1, 2, 3]), (2, [4]), (1, [])])
def test_a_leaf_keeps_the_lines_of_each_row_through_any_moves(moves: Any) -> None:
    leaf, truth = Leaf(1), dict[int, list[int]]()
    for row, numbers in moves:
        leaf.put(row, np.array(numbers, dtype=np.float32).reshape(-1, 1))
        truth[row] = numbers
    lines = sorted(
        (int(row), int(number))
        for row, number in zip(leaf.kept_rows(), leaf.cosines(np.ones(1, np.float32)), strict=True)
    )
    assert lines == sorted((row, each) for row, numbers in truth.items() for each in numbers)
    assert len(leaf) == len(lines)


def test_the_rows_kept_of_a_leaf_are_those_of_now() -> None:
    leaf = Leaf(1)
    for row in (1, 2, 3):
        leaf.put(row, np.ones((1, 1), dtype=np.float32))
        assert len(leaf.kept_rows()) == row
    kept = leaf.kept_rows()
    assert leaf.kept_rows() is kept
    leaf.remove(1)
    assert sorted(leaf.kept_rows().tolist()) == [2, 3]
    assert sorted(kept.tolist()) == [1, 2, 3]


@pytest.mark.parametrize("size", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_blocks_leave_no_line_out(size: int) -> None:
    leaf = Leaf(1)
    leaf.put(1, np.arange(size, dtype=np.float32).reshape(-1, 1))
    assert leaf.cosines(np.ones(1, np.float32)).tolist() == list(range(size))


def test_the_index_holds_no_file_open(tmp_path: Path) -> None:
    """It reads through the database alone, so that closing the database is enough."""
    database = SqliteDatabase.open(tmp_path / "memory.sqlite")
    index = ExactIndex(database, DIMS)
    put(database, "r")
    assert len(nearest(index)) == 1
    database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["memory.sqlite"]
