"""Fields in memory: the same rows as a filter finds by hand, after any history."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import pytest
from database_cases import (
    DatabaseContract,
    Model,
    OnSqlite,
    born,
    erase,
    filters,
    histories,
    objects,
    patient,
    prefixes,
    save,
    seconds,
)
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.filters import conjuncts, matches
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Database, Lifetime, PassedError
from langgraph_memory.storage.exact import columns, fields
from langgraph_memory.storage.exact.columns import Column
from langgraph_memory.storage.exact.fields import ExactFields
from langgraph_memory.storage.sqlite.outbox import KEPT

Fresh = Callable[[], closing[Database]]
RED = {"colour": "red"}


def meeting(
    database: Database, held: ExactFields, prefix: Namespace, wanted: Mapping[str, Any] = RED
) -> set[int] | None:
    with database.read() as tx:
        found = held.meeting(tx, prefix, wanted)
    return None if found is None else set(found.rows)


def asked_twice(
    database: Database, held: ExactFields, prefix: Namespace, wanted: Mapping[str, Any] = RED
) -> set[int] | None:
    """Ask until it is loaded, if it ever is."""
    meeting(database, held, prefix, wanted)
    return meeting(database, held, prefix, wanted)


def red(database: Database, name: str, place: str = "a", colour: str = "red") -> int:
    return save(database, born(name, (place,), value={"colour": colour})).row


class ExactFieldsContract(DatabaseContract):
    """``ports.FieldIndex`` over any database."""

    @patient
    @given(histories, histories, prefixes, filters)
    def test_it_equals_a_model_of_plain_python_after_any_history(
        self, make_fresh: Fresh, before: Any, later: Any, prefix: Any, wanted: Any
    ) -> None:
        """Asked in the database first, then loaded, caught up, forgotten and loaded anew."""
        with make_fresh() as database:
            model, held, known = Model(), ExactFields(), False
            for history in (before, later):
                model.do(database, history)
                right = {twin.row for twin in model.live(prefix, None, wanted)}
                found = [meeting(database, held, prefix, wanted) for _ in range(3)]
                assert all(each in (None, right) for each in found)
                known = found[-1] is not None
            names = [name for name, _ in conjuncts(wanted)]
            can = bool(names) and not any(name.startswith("$") for name in names)
            assert known == can
            held.forget()
            assert held.size() == 0
            with database.read() as tx:
                assert held.check(tx).well

    @pytest.fixture
    def held(self) -> ExactFields:
        return ExactFields()

    def test_the_first_asking_holds_nothing_and_the_second_all(
        self, database: Database, held: ExactFields
    ) -> None:
        rows = {red(database, f"k{number}") for number in range(5)}
        assert meeting(database, held, ("a",)) is None
        assert held.size() == 0
        assert meeting(database, held, ("a",)) == rows
        assert held.size() == 5

    def test_another_field_and_another_namespace_are_not_loaded_along(
        self, database: Database, held: ExactFields
    ) -> None:
        red(database, "one")
        red(database, "two", "b")
        asked_twice(database, held, ("a",))
        assert held.size() == 1
        asked_twice(database, held, ("a",), {"size": 3})
        assert held.size() == 2
        assert len(asked_twice(database, held, ()) or ()) == 2

    def test_what_is_written_and_erased_elsewhere_is_seen_at_once(
        self, database: Database, held: ExactFields
    ) -> None:
        one = save(database, born("one", ("a",), value=RED))
        asked_twice(database, held, ("a",))
        two = red(database, "two")
        assert meeting(database, held, ("a",)) == {one.row, two}
        blue = born("one", ("a",), value=RED).supersede({"colour": "blue"}, now=seconds(1))
        save(database, blue, known=1)
        assert meeting(database, held, ("a",)) == {two}
        assert meeting(database, held, ("a",), {"colour": {"$ne": "red"}}) == {one.row}
        erase(database, one)
        assert meeting(database, held, ("a",), {"colour": {"$ne": "red"}}) == set()

    def test_past_its_bounds_the_database_answers(
        self, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for place in ("a", "b", "c"):
            for number in range(3):
                red(database, f"{place}{number}", place)
        held = ExactFields(most_cells=3)
        assert len(asked_twice(database, held, ("a",)) or ()) == 3
        assert asked_twice(database, held, ("b",)) is None
        assert held.size() == 0
        assert len(asked_twice(database, held, ("a",)) or ()) == 3
        monkeypatch.setattr(fields, "MOST_VALUES", 2)
        assert [meeting(database, ExactFields(), ("c",)) for _ in range(3)] == [None] * 3
        monkeypatch.setattr(fields, "MOST_NAMESPACES", 2)
        held = ExactFields()
        assert [meeting(database, held, ()) for _ in range(3)] == [None] * 3

    def test_a_field_that_says_too_many_things_is_held_for_equality_alone(
        self, database: Database, held: ExactFields
    ) -> None:
        rows = [
            save(database, born(f"k{n}", ("a",), value={"n": n, "half": n % 2})).row
            for n in range(50)
        ]
        assert asked_twice(database, held, ("a",), {"n": {"$gt": 40}}) is None
        assert held.size() == 0
        assert meeting(database, held, ("a",), {"n": {"$gt": 40}}) is None
        assert asked_twice(database, held, ("a",), {"n": 7}) == {rows[7]}
        assert held.size() == 50
        assert meeting(database, held, ("a",), {"n": {"$gt": 40}}) is None
        assert asked_twice(database, held, ("a",), {"half": {"$ne": 1}}) == set(rows[::2])

    def test_a_view_older_than_what_is_held_loads_nothing(
        self, database: Database, held: ExactFields
    ) -> None:
        """What was loaded from it would miss what came between, for good."""
        first = red(database, "one", "b")
        with database.read() as old:
            held.meeting(old, ("b",), RED)
            second = red(database, "two", "b")
            red(database, "three")
            asked_twice(database, held, ("a",))
            with pytest.raises(PassedError):
                held.meeting(old, ("b",), RED)
        assert asked_twice(database, held, ("b",)) == {first, second}

    def test_what_was_pruned_from_the_outbox_is_read_anew(
        self, database: Database, held: ExactFields
    ) -> None:
        red(database, "one")
        asked_twice(database, held, ("a",))
        with database.write() as tx:
            for number in range(KEPT + 10):
                save(tx, born(f"n{number}", ("b",)), lifetime=Lifetime())
            tx.records.erase(tx.records.rows(("a",), limit=10))
            tx.outbox.follow("somebody", tx.outbox.last())
        assert asked_twice(database, held, ("a",)) == set()

    def test_a_namespace_that_was_erased_elsewhere_leaves_no_name(
        self, database: Database, held: ExactFields
    ) -> None:
        red(database, "one", "zebedee")
        asked_twice(database, held, ("zebedee",))
        with database.write() as tx:
            tx.records.erase(tx.records.rows(("zebedee",), limit=10))
        meeting(database, held, ("other",))
        assert "zebedee" not in repr(vars(held))

    def test_a_value_that_is_damaged_is_left_out(
        self, database: Database, held: ExactFields
    ) -> None:
        rows = {red(database, f"k{number}") for number in range(3)}
        broken = min(rows)
        with closing(sqlite3.connect(database.path)) as sql, sql:
            sql.execute("UPDATE versions SET value = '{' WHERE row = ?", (broken,))
        assert asked_twice(database, held, ("a",)) == rows - {broken}
        red(database, "other", "b")
        assert asked_twice(database, held, ("b",)) is not None

    def test_a_database_that_was_restored_is_read_anew(
        self, database: Database, held: ExactFields
    ) -> None:
        row = red(database, "one")
        with (
            closing(sqlite3.connect(database.path)) as now,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            now.backup(copy)
            red(database, "two")
            asked_twice(database, held, ("a",))
            copy.backup(now)
        with pytest.raises(PassedError):
            meeting(database, held, ("a",))
        held.forget()
        assert asked_twice(database, held, ("a",)) == {row}

    def test_a_field_that_differs_is_told_and_all_are_dropped(
        self, database: Database, held: ExactFields
    ) -> None:
        row = red(database, "one")
        asked_twice(database, held, ("a",))
        with database.read() as tx:
            assert held.check(tx).well
            held._leaves["a."]["colour"].put(row, {"colour": "blue"})
            assert not held.check(tx).well
        assert held.size() == 0


class TestExactFields(OnSqlite, ExactFieldsContract):
    """The only database there is."""


class TestColumn:
    @given(st.lists(st.tuples(st.integers(0, 9), st.none() | objects)), filters)
    def test_it_holds_what_was_put_last(self, steps: list[Any], wanted: Any) -> None:
        for name, wish in conjuncts(wanted):
            if name.startswith("$"):
                continue
            column, model = Column(name), dict[int, Any]()
            for row, value in steps:
                if value is None:
                    column.remove(row)
                    model.pop(row, None)
                else:
                    column.put(row, value)
                    model[row] = value
            met = {row for row, value in model.items() if matches(value, {name: wish})}
            assert column.meeting(wish) == frozenset(met)
            assert len(column) == len(model)

    def test_of_very_many_things_only_equality_is_asked(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(columns, "FEW_JUDGED", 3)
        column = Column("n")
        for row in range(5):
            column.put(row, {"n": row})
        assert column.meeting({"$gt": 1}) is None
        assert column.meeting(4) == frozenset({4})
        assert column.meeting({"$in": [1, 3, 9]}) == frozenset({1, 3})
