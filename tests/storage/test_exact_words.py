"""Words in memory: scores that equal those of the database after any history (R22, R41)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from database_cases import (
    VOCABULARY,
    DatabaseContract,
    Model,
    OnSqlite,
    born,
    entry,
    erase,
    histories,
    patient,
    prefixes,
    save,
)
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Database, Lifetime, PassedError, Transaction, WordIndex
from langgraph_memory.retrieval.lexical import coverage, score
from langgraph_memory.storage.exact.postings import Postings
from langgraph_memory.storage.exact.words import ExactWords
from langgraph_memory.storage.sqlite.outbox import KEPT

Fresh = Callable[[], closing[Database]]
LASTING = Lifetime()
questions = st.lists(st.sampled_from([*VOCABULARY, "nobody"]), min_size=1, max_size=4)


def scores(
    words: WordIndex, tx: Transaction, prefix: Namespace, terms: list[str]
) -> dict[int, Any]:
    """Return coverage and matched terms by row, from the arrays."""
    scored = coverage(terms, words.match(tx, prefix, terms))
    places = np.flatnonzero(scored.of)
    rows = scored.table.rows[places]
    assert scored.table.find(rows).tolist() == places.tolist()
    return {
        int(row): (pytest.approx(float(scored.of[place]), abs=1e-6), set(matched))
        for row, place, matched in zip(rows, places, scored.matched(places.tolist()), strict=True)
    }


def reference(tx: Transaction, prefix: Namespace, terms: list[str]) -> dict[int, Any]:
    """Return the same from the rows of the database, one by one."""
    found = score(terms, tx.words.match(prefix, terms))
    return {row: (each.coverage, set(each.matched)) for row, each in found.items()}


class ExactWordsContract(DatabaseContract):
    """``ports.WordIndex`` over any database."""

    @patient
    @given(histories, histories, prefixes, questions)
    def test_it_equals_the_database_after_any_history(
        self, make_fresh: Fresh, before: Any, later: Any, prefix: Any, terms: list[str]
    ) -> None:
        """B1, R41: asked in the database first, then loaded, caught up, and loaded anew."""
        with make_fresh() as database:
            model, words = Model(), ExactWords()
            for history in (before, later):
                model.do(database, history)
                for _ in range(3):
                    with database.read() as tx:
                        assert reference(tx, prefix, terms) == scores(words, tx, prefix, terms)
            words.forget()
            with database.read() as tx:
                assert reference(tx, prefix, terms) == scores(words, tx, prefix, terms)

    @pytest.fixture
    def words(self) -> ExactWords:
        return ExactWords()

    def test_the_first_asking_holds_nothing_and_the_second_all(
        self, database: Database, words: ExactWords
    ) -> None:
        for number in range(5):
            save(database, born(f"k{number}", ("a",)), entry=entry("red"))
        for held in (0, 5, 5):
            with database.read() as tx:
                assert len(scores(words, tx, ("a",), ["red"])) == 5
            assert words.size() == held

    def test_another_namespace_is_not_loaded_along(
        self, database: Database, words: ExactWords
    ) -> None:
        save(database, born("one", ("a",)), entry=entry("red"))
        save(database, born("two", ("b",)), entry=entry("red"))
        for _ in range(2):
            with database.read() as tx:
                assert len(scores(words, tx, ("a",), ["red"])) == 1
        assert words.size() == 1
        save(database, born("three", ("b",)), entry=entry("red"))
        with database.read() as tx:
            assert len(scores(words, tx, ("b",), ["red"])) == 2
            assert len(scores(words, tx, (), ["red"])) == 3

    def test_past_its_bound_the_database_answers(self, database: Database) -> None:
        words = ExactWords(most_records=2)
        for place in ("a", "b"):
            for number in range(3):
                save(database, born(f"{place}{number}", (place,)), entry=entry("red"))
        for place in ("a", "b"):
            for _ in range(3):
                with database.read() as tx:
                    assert len(scores(words, tx, (place,), ["red"])) == 3
        assert words.size() == 3

    def test_a_view_older_than_what_is_held_loads_nothing(
        self, database: Database, words: ExactWords
    ) -> None:
        """What was loaded from it would miss what came between, for good."""
        save(database, born("one", ("a",)), entry=entry("red"))
        with database.read() as old:
            scores(words, old, ("b",), ["red"])
            save(database, born("two", ("b",)), entry=entry("red"))
            with database.read() as tx:
                scores(words, tx, ("a",), ["red"])
                scores(words, tx, ("a",), ["red"])
            with pytest.raises(PassedError):
                scores(words, old, ("b",), ["red"])
        with database.read() as tx:
            assert len(scores(words, tx, ("b",), ["red"])) == 1

    def test_a_table_stays_as_it_was_while_the_words_change(
        self, database: Database, words: ExactWords
    ) -> None:
        stored = [save(database, born(f"k{n}", ("a",)), entry=entry("red")) for n in range(200)]
        rows = np.array([each.row for each in stored], dtype=np.int64)
        with database.read() as tx:
            words.match(tx, ("a",), ["red"])
            table = words.match(tx, ("a",), ["red"])
        erase(database, *stored[:150])
        with database.read() as tx:
            words.match(tx, ("a",), ["red"])
        found = table.find(rows)
        there = found >= 0
        assert (table.rows[found[there]] == rows[there]).all()
        assert len(table.holders["red"].places) == 200

    def test_places_that_are_remembered_are_those_of_the_rows_asked_for(
        self, database: Database, words: ExactWords
    ) -> None:
        stored = [save(database, born(f"k{n}", ("a",)), entry=entry("red")) for n in range(5)]
        rows = np.array([each.row for each in stored], dtype=np.int64)
        rows.flags.writeable = False  # as the rows of the vectors are
        with database.read() as tx:
            words.match(tx, ("a",), ["red"])
            table = words.match(tx, ("a",), ["red"])
        found = table.find(rows).tolist()
        assert table.find(rows).tolist() == found
        assert table.find(rows[::-1]).tolist() == found[::-1]

    def test_what_was_pruned_from_the_outbox_is_read_anew(
        self, database: Database, words: ExactWords
    ) -> None:
        save(database, born("one", ("a",)), entry=entry("red"))
        for _ in range(2):
            with database.read() as tx:
                scores(words, tx, ("a",), ["red"])
        with database.write() as tx:
            for number in range(KEPT + 10):
                record = born(f"n{number}", ("b",))
                tx.records.save(record, known=0, entry=entry("blue"), lifetime=LASTING)
            tx.records.erase(tx.records.rows(("a",), limit=10))
            tx.outbox.follow("somebody", tx.outbox.last())
        with database.read() as tx:
            assert tx.outbox.floor() > 0
            assert scores(words, tx, ("a",), ["red"]) == {}


class TestExactWords(OnSqlite, ExactWordsContract):
    """The only database there is."""


class TestPostings:
    @given(st.lists(st.tuples(st.integers(0, 9), st.lists(st.sampled_from("abc"), max_size=4))))
    def test_they_hold_what_was_put_last(self, steps: list[tuple[int, list[str]]]) -> None:
        postings, model = Postings(), dict[int, list[str]]()
        for row, tokens in steps:
            postings.put(row, tokens)
            model[row] = tokens
        self._check(postings, {row: tokens for row, tokens in model.items() if tokens})

    def test_removing_most_closes_the_gaps(self) -> None:
        postings, model = Postings(), dict[int, list[str]]()
        for row in range(1000):
            model[row] = [f"w{row % 7}", "all", "all"]
            postings.put(row, model[row])
        for row in range(0, 1000, 3):
            postings.remove(row)
            model.pop(row)
        for row in range(1, 900, 3):
            postings.remove(row)
            model.pop(row)
        assert postings.places < 1000
        self._check(postings, model)

    def test_removing_what_is_not_there_is_no_error(self) -> None:
        postings = Postings()
        postings.remove(5)
        assert len(postings) == postings.places == 0
        assert postings.holders(["x"]) == {}

    def _check(self, postings: Postings, model: dict[int, list[str]]) -> None:
        table = postings.table()
        rows, lengths = table.rows, table.lengths
        assert len(postings) == len(model)
        assert postings.total == sum(map(len, model.values()))
        assert {int(r): int(n) for r, n in zip(rows, lengths, strict=True) if n} == {
            row: len(tokens) for row, tokens in model.items()
        }
        terms = {term for tokens in model.values() for term in tokens} | {"nobody"}
        holders = postings.holders(terms)
        assert "nobody" not in holders
        for term, each in holders.items():
            found = {
                int(rows[place]): int(times)
                for place, times in zip(each.places, each.times, strict=True)
            }
            expected = {
                row: Counter(tokens)[term] for row, tokens in model.items() if term in tokens
            }
            assert found == expected
