"""Candidates: both channels asked, in one scope's records and with their statistics alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.ports import IndexEntry, Lifetime
from langgraph_memory.retrieval.candidates import meanings, propose
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.text.tokens import tokens

T0 = datetime(2026, 5, 1, tzinfo=UTC)
ANA, BOB, THEM = Scope("acme", "ana"), Scope("acme", "bob"), Scope("acme")
EMBEDDER = HashingEmbedder(64)


class Shelf:
    """Records of several owners, and the search over them."""

    def __init__(self, database: SqliteDatabase) -> None:
        self.database = database
        self.index = ExactIndex(database, EMBEDDER.dims)
        self.names: dict[int, str] = {}

    def put(self, scope: Scope, key: str, text: str, *, vectors: bool = True) -> int:
        record = Record.first(
            f"id-{len(self.names)}", scope.namespace(Kind.SEMANTIC), key, {"content": text}, now=T0
        )
        embedded = EMBEDDER.embed_documents([text]) if vectors else None
        entry = IndexEntry(tuple(tokens(text)), embedded)
        with self.database.write() as tx:
            stored = tx.records.save(record, known=0, entry=entry, lifetime=Lifetime())
        self.names[stored.row] = key
        return stored.row

    def ask(
        self, question: str, *prefixes: Namespace, width: int = 50, embedded: bool = True
    ) -> list[Candidate]:
        query = EMBEDDER.embed_query(question) if embedded else None
        near = meanings(self.index, query, prefixes, width=width)
        homes = [(*prefix, Kind.SEMANTIC.value) for prefix in prefixes]
        with self.database.read() as tx:
            return propose(tx, question, query, near, prefixes, width=width, named_in=homes)

    def found(self, question: str, *prefixes: Namespace, width: int = 50) -> list[str]:
        return [self.names[each.row] for each in self.ask(question, *prefixes, width=width)]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with closing(SqliteDatabase.open(tmp_path / "memory.sqlite")) as database:
        yield Shelf(database)


def test_only_the_askers_circles_are_searched(shelf: Shelf) -> None:
    """R41, B5: a stranger's record never enters, however well it fits."""
    elsewhere = Scope("acme2", "ana")
    for scope, key in ((ANA, "mine"), (BOB, "bobs"), (THEM, "ours"), (elsewhere, "else")):
        shelf.put(scope, key, "The launch budget is $150")
    assert set(shelf.found("launch budget", *ANA.circles)) == {"mine", "ours"}
    assert set(shelf.found("launch budget", *THEM.circles)) == {"ours"}


def test_another_owners_writes_change_no_score(shelf: Shelf) -> None:
    """R41: scores come from the statistics of the scope, so nothing leaks through them."""
    shelf.put(ANA, "a", "The launch is on Monday")
    shelf.put(ANA, "b", "Lina owns the launch and the budget")
    before = shelf.ask("launch budget", *ANA.circles)
    for n in range(30):
        shelf.put(BOB, f"bob{n}", "launch launch launch budget")
        shelf.put(Scope("other"), f"other{n}", "budget")
    assert shelf.ask("launch budget", *ANA.circles) == before


def test_a_row_found_by_its_words_alone_is_given_its_real_cosine(shelf: Shelf) -> None:
    """R22."""
    row = shelf.put(ANA, "code", "error code XJ-99 means tea")
    question = "what does XJ-99 mean"
    with shelf.database.read() as tx:
        (found,) = propose(tx, question, EMBEDDER.embed_query(question), {}, ANA.circles, width=5)
        stored = tx.records.vectors([row])[row]
    expected = float((stored @ EMBEDDER.embed_query(question)).max())
    assert found.semantic == pytest.approx(expected)
    assert found.lexical > 0


def test_without_vectors_words_still_find(shelf: Shelf) -> None:
    shelf.put(ANA, "a", "The launch is on Monday", vectors=False)
    (found,) = shelf.ask("when is the launch", *ANA.circles, embedded=False)
    assert (found.semantic, found.lexical > 0, found.matched) == (None, True, ("launch",))
    assert meanings(shelf.index, None, ANA.circles, width=5) == {}


def test_a_question_that_is_a_key_finds_its_record_first(shelf: Shelf) -> None:
    """R22: exact fields."""
    shelf.put(ANA, "launch_date", "Monday")
    shelf.put(ANA, "other", "launch date launch date")
    shelf.put(BOB, "launch_date", "Friday")
    first, *rest = shelf.ask(" launch_date\n", *ANA.circles)
    assert shelf.names[first.row] == "launch_date"
    assert (first.score, first.structured, first.reason) == (1.0, 1.0, "named by its key")
    assert all(each.structured == 0 for each in rest)


def test_the_order_is_the_same_on_every_asking_and_newest_first_among_equals(shelf: Shelf) -> None:
    rows = [shelf.put(ANA, f"k{n}", "The launch is on Monday") for n in range(12)]
    for width in (3, 5, 50):
        first = [each.row for each in shelf.ask("launch", *ANA.circles, width=width)]
        assert first == sorted(first, reverse=True)
        assert first[:width] == rows[::-1][:width]
        assert [each.row for each in shelf.ask("launch", *ANA.circles, width=width)] == first


def test_of_equal_words_the_newest_are_proposed(shelf: Shelf) -> None:
    rows = [shelf.put(ANA, f"k{n}", "The launch is on Monday", vectors=False) for n in range(12)]
    found = shelf.ask("launch", *ANA.circles, width=3, embedded=False)
    assert [each.row for each in found] == rows[::-1][:3]


def test_the_width_bounds_what_each_channel_proposes(shelf: Shelf) -> None:
    for n in range(20):
        shelf.put(ANA, f"k{n}", f"launch number {n}")
    assert len(shelf.ask("launch", *ANA.circles, width=3)) <= 6
    assert len(shelf.ask("launch", *ANA.circles, width=50)) == 20


@pytest.mark.parametrize(
    "question",
    ["multi-agent", "Bob's", "GB/s", "@nasa", "why?", "50%", "C++", '"', "AND", "a:b", "NEAR(", "",
     " ", "寿司", "'; DROP TABLE records; --", "*", "\x00", "x" * 5000],
)  # fmt: skip
def test_any_question_can_be_asked(shelf: Shelf, question: str) -> None:
    """B52, B53."""
    text = f"we said {question} yesterday 用户喜欢寿司"
    shelf.put(ANA, "said", text)
    found = shelf.ask(question, *ANA.circles)
    assert all(0.0 <= each.score <= 1.0 for each in found)
    if tokens(question):
        assert found
        assert found[0].lexical > 0


def test_a_cosine_out_of_rounding_stays_a_cosine(shelf: Shelf) -> None:
    row = shelf.put(ANA, "a", "tea")
    with shelf.database.read() as tx:
        vector = tx.records.vectors([row])[row][0]
        (found,) = propose(tx, "tea", vector * np.float32(1.001), {}, ANA.circles, width=5)
    assert found.semantic == 1.0


def test_nothing_stored_gives_nothing(shelf: Shelf) -> None:
    """B55."""
    assert shelf.ask("launch", *ANA.circles) == []
