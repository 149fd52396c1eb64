"""One owner's data at each place where data lives or moves: no other owner meets it (R41, B5)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.testing import HashingEmbedder

SECRET = "the zanzibar account number is 4711"
QUESTION = "what is the zanzibar account number?"
JANE = {"tenant": "acme", "user": "jane.doe@x.com"}
LOOK_ALIKES = (
    {"tenant": "acme", "user": "jane_doe@x.com"},
    {"tenant": "acme", "user": "jane.doe@x.co"},
    {"tenant": "acme", "user": "Jane.Doe@x.com"},
    {"tenant": "acme", "user": "jane%2Edoe@x%2Ecom"},
    {"tenant": "acme", "user": "*"},
    {"tenant": "acme-corp", "user": "jane.doe@x.com"},
    {"tenant": "acme"},
)


def opened(path: Path, index: Any) -> Home:
    """Open a home where Jane has told a secret, and every cache is warm."""
    settings = Settings.model_construct(index=index)
    home = open_memory(path, settings=settings, embedder=HashingEmbedder())
    home.memory.scope(**JANE).remember(SECRET, key="account")
    assert home.memory.scope(**JANE).recall(QUESTION).evidence
    return home


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Home]:
    """A home where Jane has told a secret."""
    with opened(tmp_path / "home", "exact") as home:
        yield home


@pytest.fixture(params=LOOK_ALIKES, ids=lambda who: f"{who['tenant']}-{who.get('user')}")
def other(request: pytest.FixtureRequest, told: Home) -> ScopedMemory:
    """Somebody who is not Jane."""
    return told.memory.scope(**request.param)


def test_no_recall_and_no_list_shows_it(other: ScopedMemory) -> None:
    """Rows."""
    found = other.recall(QUESTION)
    assert not found.evidence
    assert not found.rejected
    assert other.contents().total == 0
    for reference in ("account", "zanzibar"):
        with pytest.raises(MemoryLayerError) as caught:
            other.inspect(reference)
        assert "4711" not in str(caught.value)
        with pytest.raises(MemoryLayerError):
            other.forget(reference)


def test_no_word_statistic_shows_it(told: Home, other: ScopedMemory) -> None:
    """Full text: neither a match, nor a score that another owner's words have moved."""
    other.remember("the budget of the bakery is small", key="budget")
    before = other.recall("bakery budget").evidence[0].score
    jane = told.memory.scope(**JANE)
    for number in range(5):
        jane.remember(f"bakery budget bakery budget {number}")
    assert other.recall("bakery budget").evidence[0].score == before
    with told._parts.database.read() as tx:
        assert not tx.words.match(other.bound.root, ["zanzibar"]).counts


def test_no_vector_of_hers_is_proposed(told: Home, other: ScopedMemory) -> None:
    """Vectors in memory: not even where hers is the nearest of all."""
    assert proposed(told, other) == set()
    other.remember("something else entirely", key="other")
    assert proposed(told, other) == {"other"}


def test_chroma_proposes_no_vector_of_hers_either(tmp_path: Path) -> None:
    """Vectors in Chroma, one collection for all: what it proposes is read back and looked at."""
    with opened(tmp_path / "home", "chroma") as told:
        others = [told.memory.scope(**who) for who in LOOK_ALIKES]
        for other in others:
            other.remember("something else entirely", key="other")
        assert told._parts.follower.drain(60)
        assert told._parts.index.status().in_step
        for other in others:
            assert proposed(told, other) == {"other"}
            assert not other.recall(QUESTION).evidence


def proposed(told: Home, other: ScopedMemory) -> set[str]:
    """Return the keys that the index proposes to somebody for Jane's own words."""
    query = told._parts.engine.query_vector(SECRET)
    assert query is not None
    rows = [each.row for each in told._parts.index.nearest(query, other.bound.root, limit=10)]
    with told._parts.database.read() as tx:
        return {each.key for each in tx.records.heads(rows)}


def test_a_plain_store_prefix_of_somebody_else_does_not_reach_hers(
    told: Home, other: ScopedMemory
) -> None:
    """B1."""
    store, root = told.store, other.bound.root
    assert store.search(root) == []
    assert store.search(root, query=QUESTION) == []
    assert store.search(root, filter={"content": {"$contains": "zanzibar"}}) == []
    assert store.list_namespaces(prefix=root) == []


def test_purging_somebody_else_leaves_hers(told: Home, other: ScopedMemory) -> None:
    """B77."""
    other.remember("mine", key="mine")
    other.purge()
    assert told.memory.scope(**JANE).recall(QUESTION).evidence


def test_no_log_line_quotes_what_is_remembered(
    told: Home, caplog: pytest.LogCaptureFixture
) -> None:
    """Logs."""
    jane = told.memory.scope(**JANE)
    with caplog.at_level(logging.DEBUG):
        jane.recall(QUESTION)
        jane.remember(SECRET + " still", key="account")
        jane.inspect("account")
        jane.forget("account")
        jane.purge()
    ours = [each for each in caplog.records if each.name.startswith("langgraph_memory")]
    assert not any("zanzibar" in each.getMessage() or "jane" in each.getMessage() for each in ours)
