"""Candidates: both channels asked, in one scope's records and with their statistics alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.ports import IndexEntry, Lifetime, VectorIndex, Vectors
from langgraph_memory.retrieval import candidates
from langgraph_memory.retrieval.candidates import Search
from langgraph_memory.retrieval.fusion import Candidate, fuse
from langgraph_memory.retrieval.lexical import score
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.exact.words import ExactWords
from langgraph_memory.storage.sqlite.database import SqliteDatabase
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.text.tokens import query_terms, tokens

T0 = datetime(2026, 5, 1, tzinfo=UTC)
ANA, BOB, THEM = Scope("acme", "ana"), Scope("acme", "bob"), Scope("acme")
EMBEDDER = HashingEmbedder(64)


class Shelf:
    """Records of several owners, and the search over them."""

    def __init__(self, database: SqliteDatabase) -> None:
        self.database = database
        self.index: VectorIndex = ExactIndex(database, EMBEDDER.dims)
        self.words = ExactWords()
        self.names: dict[int, str] = {}

    def put(
        self, scope: Scope, key: str, text: str, *, vectors: bool = True,
        vector: Vectors | None = None,
    ) -> int:  # fmt: skip
        record = Record.first(
            f"id-{len(self.names)}", scope.namespace(Kind.SEMANTIC), key, {"content": text}, now=T0
        )
        embedded = EMBEDDER.embed_documents([text]) if vectors else None
        if vector is not None:
            embedded = vector[np.newaxis]
        entry = IndexEntry(tuple(tokens(text)), embedded)
        with self.database.write() as tx:
            stored = tx.records.save(record, known=0, entry=entry, lifetime=Lifetime())
        self.names[stored.row] = key
        return stored.row

    def ask(
        self, question: str, *prefixes: Namespace, needed: int = 50, embedded: bool = True
    ) -> list[Candidate]:
        query = EMBEDDER.embed_query(question) if embedded else None
        return self.search(question, query, *prefixes, needed=needed)

    def search(
        self, question: str, query: Vectors | None, *prefixes: Namespace, needed: int = 50
    ) -> list[Candidate]:
        homes = [(*prefix, Kind.SEMANTIC.value) for prefix in prefixes]
        with self.database.read() as tx:
            search = Search(self.index, self.words, tx, question, query, prefixes, named_in=homes)
            return search.best(needed).found

    def found(self, question: str, *prefixes: Namespace, needed: int = 50) -> list[str]:
        return [self.names[each.row] for each in self.ask(question, *prefixes, needed=needed)]


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
    (found,) = shelf.ask(question, *ANA.circles)
    with shelf.database.read() as tx:
        stored = tx.records.vectors([row])[row]
    expected = float((stored @ EMBEDDER.embed_query(question)).max())
    assert found.semantic == pytest.approx(expected, abs=1e-5)
    assert found.lexical > 0


def test_without_vectors_words_still_find(shelf: Shelf) -> None:
    shelf.put(ANA, "a", "The launch is on Monday", vectors=False)
    (found,) = shelf.ask("when is the launch", *ANA.circles, embedded=False)
    assert (found.semantic, found.lexical > 0, found.matched) == (None, True, ("launch",))


def test_a_question_that_is_a_key_finds_its_record_first(shelf: Shelf) -> None:
    """R22: exact fields."""
    shelf.put(ANA, "launch_date", "Monday")
    shelf.put(ANA, "other", "launch date launch date")
    shelf.put(BOB, "launch_date", "Friday")
    first, *rest = shelf.ask(" launch_date\n", *ANA.circles)
    assert shelf.names[first.row] == "launch_date"
    assert (first.score, first.structured, first.reason) == (1.0, 1.0, "is named by its key")
    assert all(each.structured == 0 for each in rest)


def test_the_order_is_the_same_on_every_asking_and_newest_first_among_equals(shelf: Shelf) -> None:
    rows = [shelf.put(ANA, f"k{n}", "The launch is on Monday") for n in range(12)]
    for needed in (3, 5, 50):
        first = [each.row for each in shelf.ask("launch", *ANA.circles, needed=needed)]
        assert first == rows[::-1][:needed]
        assert [each.row for each in shelf.ask("launch", *ANA.circles, needed=needed)] == first


def test_of_equal_words_the_newest_are_proposed(shelf: Shelf) -> None:
    rows = [shelf.put(ANA, f"k{n}", "The launch is on Monday", vectors=False) for n in range(12)]
    found = shelf.ask("launch", *ANA.circles, needed=3, embedded=False)
    assert [each.row for each in found] == rows[::-1][:3]


class Nearest:
    """An index that only names the nearest, as Chroma does."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index
        self.nearest, self.cosines = index.nearest, index.cosines

    def scan(self, *given: Any, **named: Any) -> None:
        return None


WORDS = ("launch", "budget", "oven", "tea", "Lina", "Monday", "error", "code")


def meaning(seed: int) -> Vectors:
    """Return a unit vector that has nothing to do with any word."""
    drawn = np.zeros(EMBEDDER.dims, dtype=np.float32)
    drawn[:3] = np.random.default_rng(seed).standard_normal(3)
    unit: Vectors = drawn / np.linalg.norm(drawn)
    return unit


@settings(max_examples=60)
@given(
    st.integers(0, 10**6), st.integers(0, 60), st.integers(1, 70), st.booleans(), st.booleans(),
    st.sets(st.integers(1, 60)) | st.none(),
)  # fmt: skip
def test_the_best_are_the_best_of_all(
    seed: int, count: int, needed: int, whole: bool, embedded: bool, among: set[int] | None
) -> None:
    """R22: however the index answers, the order is that of everything compared with everything."""
    chance = random.Random(seed)
    with (
        TemporaryDirectory() as folder,
        closing(SqliteDatabase.open(Path(folder) / "memory.sqlite")) as database,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(candidates, "MANY_WORDS", 1)
        patched.setattr(candidates, "SMALL_SCOPE", chance.choice((0, 1000)))
        patched.setattr(candidates, "MARGIN", 1)
        shelf = Shelf(database)
        for number in range(count):
            text = " ".join(chance.choices(WORDS, k=chance.randint(1, 5)))
            vector = meaning(seed + number) if chance.random() < 0.9 else None
            shelf.put(ANA, f"k{number}", text, vectors=False, vector=vector)
        question = " ".join(chance.choices(WORDS if chance.random() < 0.8 else ["else"], k=3))
        query = meaning(seed + 10**7) if embedded else None
        index: Any = shelf.index if whole else Nearest(shelf.index)
        with database.read() as tx:
            terms = query_terms(question)
            prefix = ANA.namespace(Kind.SEMANTIC)
            words = score(terms, tx.words.match(prefix, terms))
            near = None
            if query is not None:
                held = tx.records.vectors(list(shelf.names))
                near = {row: float((each @ query).max()) for row, each in held.items()}
            expected = fuse(words, near, frozenset())
            if among is not None:
                expected = [each for each in expected if each.row in among]
            search = Search(index, shelf.words, tx, question, query, [prefix])
            found = search.best(needed)
            order = search.order(needed)
            if among is not None:
                order, needed = search.among(sorted(among & shelf.names.keys())), 100
        if among is None:
            assert [each.row for each in found.found] == order.rows.tolist()
        strongest = [each.strength for each in expected[:needed]]
        assert order.scores.tolist() == pytest.approx(strongest, abs=1e-5)
        assert set(order.rows.tolist()) <= {each.row for each in expected}
        assert not order.complete or len(expected) <= needed


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
    (found,) = shelf.search("tea", vector * np.float32(1.001), *ANA.circles)
    assert found.semantic == 1.0


def test_nothing_stored_gives_nothing(shelf: Shelf) -> None:
    """B55."""
    assert shelf.ask("launch", *ANA.circles) == []
