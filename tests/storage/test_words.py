"""Full text: matching inside one scope, with statistics of that scope alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from database_cases import (
    NOW,
    VOCABULARY,
    DatabaseContract,
    Model,
    OnSqlite,
    born,
    entry,
    erase,
    histories,
    match,
    namespaces,
    patient,
    prefixes,
    save,
    seconds,
)
from hypothesis import assume, example, given
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace, starts_with
from langgraph_memory.ports import Database, IndexEntry, WordMatches
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.text.tokens import query_terms, tokens

Fresh = Callable[[], closing[Database]]

SYNTAX = (
    '"', '""', "'", "NEAR(", "NEAR(a b)", "AND", "OR", "NOT", "*", "a*", "a b", ":", "body:a",
    "circles : 1", "^", "^a", "-", "-a", "+", "a + b", "(", ")", "{a}", "\\", "", " ", "\t", "\n",
    "\0", "a\0b", "\ud800", "\u200d", "\u200b", "--", ";", "/*", "?", "?1", ":x", "$x", "%", "_",
    "why?", "C++", "multi-agent", "Bob's", "寿司", "ภาษาไทย", "👍", "👨‍👩‍👧", "🇩🇪", "Ǆ", "ß", "İ",
)  # fmt: skip
any_text = st.text(st.characters(), max_size=8) | st.sampled_from(SYNTAX)


class WordsContract(DatabaseContract):
    """``ports.Words``."""

    @patient
    @given(histories, prefixes, st.lists(st.sampled_from(VOCABULARY), max_size=4))
    def test_matches_and_statistics_equal_a_model_of_plain_python(
        self, make_fresh: Fresh, history: Any, prefix: Any, terms: list[str]
    ) -> None:
        """R41: after any writes, closings, deletions and erasures, in any scopes."""
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            assert match(database, prefix, *terms) == model.words(prefix, terms)

    @patient
    @given(histories, histories, namespaces, st.lists(st.sampled_from(VOCABULARY), min_size=1))
    def test_other_scopes_writes_change_nothing(
        self, make_fresh: Fresh, mine: Any, others: Any, prefix: Namespace, terms: list[str]
    ) -> None:
        """R41: not a count, not a mean, not a row; so nothing can leak into a score."""
        mine = [step for step in mine if self._inside(step, prefix)]
        others = [step for step in others if not self._touches(step, prefix)]
        with make_fresh() as database:
            model = Model()
            model.do(database, mine)
            before = match(database, prefix, *terms)
            model.do(database, others)
            assert match(database, prefix, *terms) == before

    @staticmethod
    def _inside(step: Any, prefix: Namespace) -> bool:
        return starts_with(getattr(step, "namespace", ()), prefix)

    @staticmethod
    def _touches(step: Any, prefix: Namespace) -> bool:
        place = getattr(step, "namespace", None) or step.prefix
        return starts_with(place, prefix) or starts_with(prefix, place)

    @patient
    @given(st.text(max_size=60), any_text)
    @example("用户喜欢寿司", "寿司")
    @example("👨‍👩‍👧 family 🇩🇪", "👨‍👩‍👧")
    @example("Bob's multi-agent C++ costs $150, why?", "$150")
    def test_a_text_is_found_by_its_own_words_and_parts(
        self, make_fresh: Fresh, text: str, other: str
    ) -> None:
        body = tuple(tokens(text))
        assume(body)
        with make_fresh() as database:
            row = save(database, born(), entry=entry(*body)).row
            for term in {*body, *query_terms(text)} & {*body}:
                found = match(database, ("a",), term, other).counts
                expected = {each: body.count(each) for each in {term, other} if each in body}
                assert found == {row: (len(body), expected)}, term

    @patient
    @given(st.lists(any_text, max_size=5), prefixes)
    @example(list(SYNTAX), ("a",))
    def test_any_text_may_be_a_term_and_nothing_in_it_is_syntax(
        self, make_fresh: Fresh, terms: list[str], prefix: Namespace
    ) -> None:
        with make_fresh() as database:
            save(database, born("one"), entry=entry("near", "a", "b", "and", "body", "circles"))
            kept = save(database, born("two"), entry=entry("zebra", "not"))
            asked = [term for term in terms if term not in ("a", "b")]
            found = match(database, prefix, *asked, "zebra").counts
            hit = starts_with(("a",), prefix)
            assert found == ({kept.row: (2, {"zebra": 1})} if hit else {})

    @pytest.mark.parametrize("term", SYNTAX)
    def test_a_term_alone_is_no_syntax_either(self, database: Database, term: str) -> None:
        save(database, born(), entry=entry("near", "a", "b", "and", "1"))
        assert match(database, (), term).counts == {}

    def test_no_terms_match_nothing_and_still_tell_the_statistics(self, database: Database) -> None:
        save(database, born("one"), entry=entry("red", "blue", "red"))
        save(database, born("two"), entry=entry("red"))
        save(database, born("no words"))
        assert match(database, ("a",)) == WordMatches(2, 2.0, {})

    def test_an_unknown_scope_is_empty(self, database: Database) -> None:
        save(database, born(), entry=entry("red"))
        assert match(database, ("nobody",), "red") == WordMatches(0, 0.0, {})
        assert match(database, ("a", "b"), "red") == WordMatches(0, 0.0, {})

    def test_a_term_asked_twice_counts_once(self, database: Database) -> None:
        row = save(database, born(), entry=entry("red", "blue", "red")).row
        assert match(database, (), "red", "red").counts == {row: (3, {"red": 2})}

    def test_a_scopes_number_is_no_word_of_its_records(self, database: Database) -> None:
        """The index carries scopes as numbers beside the words; a question must not meet them."""
        for name in ("a", "b", "c"):
            save(database, born(name, (name,)), entry=entry("red"))
        assert match(database, (), *map(str, range(20))).counts == {}

    def test_a_number_in_a_text_is_no_scope(self, database: Database) -> None:
        save(database, born("one", ("a",)), entry=entry(*map(str, range(50))))
        mine = save(database, born("two", ("b",)), entry=entry("7")).row
        assert match(database, ("b",), "7").counts == {mine: (1, {"7": 1})}

    def test_a_question_of_very_many_words_is_answered(self, database: Database) -> None:
        row = save(database, born(), entry=entry("needle")).row
        hay = [f"straw{number}" for number in range(20_000)]
        assert match(database, (), *hay, "needle").counts == {row: (1, {"needle": 1})}

    def test_a_very_long_text_is_found_by_its_last_word(self, database: Database) -> None:
        body = [f"w{number}" for number in range(50_000)]
        row = save(database, born(), entry=entry(*body)).row
        assert match(database, (), "w49999").counts == {row: (50_000, {"w49999": 1})}

    @pytest.mark.parametrize("way", ["superseded", "deleted", "erased"])
    def test_the_words_of_an_old_head_are_gone(self, database: Database, way: str) -> None:
        first = born()
        stored = save(database, first, entry=entry("secret", "red"))
        if way == "superseded":
            save(database, first.supersede({}, now=seconds(1)), known=1, entry=entry("red"))
        elif way == "deleted":
            save(database, first.delete(now=seconds(1)), known=1)
        else:
            erase(database, stored)
        found = match(database, ("a",), "secret", "red")
        expected = {stored.row: (1, {"red": 1})} if way == "superseded" else {}
        assert found.counts == expected
        assert found.documents == len(expected)

    def test_what_was_deleted_and_said_again_is_found_by_its_new_words(
        self, database: Database
    ) -> None:
        first = born()
        save(database, first, entry=entry("old"))
        gone = first.delete(now=seconds(1))
        save(database, gone, known=1)
        again = gone.supersede({}, now=seconds(2))
        row = save(database, again, known=2, entry=entry("new")).row
        assert match(database, ("a",), "old", "new") == WordMatches(1, 1.0, {row: (1, {"new": 1})})

    def test_tidying_changes_nothing_that_is_found(self, database: Database) -> None:
        stored = [save(database, born(f"r{n}"), entry=entry("red", f"w{n}")) for n in range(50)]
        erase(database, *stored[::2])
        before = match(database, (), "red", "w1", "w2")
        with database.write() as tx:
            tx.words.tidy()
        assert match(database, (), "red", "w1", "w2") == before
        assert len(before.counts) == 25


class TestSqliteWords(OnSqlite, WordsContract):
    """SQLite keeps the contract."""


def test_erased_and_tidied_words_values_vectors_and_labels_leave_the_files(
    tmp_path: Path,
) -> None:
    """Forgetting means the bytes: closed, the file holds none of what was erased."""
    database = SqliteDatabase.open(tmp_path / "memory.sqlite")
    vector = entry(vectors=[[3, 1, 4, 1]]).vectors
    assert vector is not None
    secret = born("recordid", ("u=jane%40plugh",), "plughkey", {"said": "plughvalue"}, now=NOW)
    told = IndexEntry(("plughword", "common"), vector)
    for number in range(50):
        save(database, born(f"other{number}"), entry=entry("common"))
    save(database, secret, entry=told)
    grown = secret.supersede({"said": "plughagain"}, now=seconds(1))
    stored = save(database, grown, known=1, entry=told)
    save(database, born("last"), entry=entry("common"))
    erase(database, stored)
    with database.write() as tx:
        tx.words.tidy()
    database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["memory.sqlite"]
    content = (tmp_path / "memory.sqlite").read_bytes()
    for trace in (b"plugh", b"recordid", vector.tobytes()):
        assert trace not in content
