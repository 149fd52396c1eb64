"""Word pieces are kept with a statement, go with it, and are made again where they are owed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from langgraph_memory import Home, ScopedMemory, Settings, Source, SourceKind, open_memory, reindex
from langgraph_memory.errors import EmbeddingError
from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.operations.piecing import keep_owed
from langgraph_memory.ports import Signs, Vectors
from langgraph_memory.testing.hashing import HashingEmbedder


def kept(home: Home) -> dict[int, Signs]:
    with home._parts.database.read() as tx:
        return tx.pieces.of(range(1, 100))


def forget_pieces(home: Home) -> None:
    """As a home of an older release, which has none."""
    with home._parts.database.write() as tx:
        tx._sql.execute("DELETE FROM pieces")


def test_a_statement_is_written_with_its_pieces(home: Home, me: ScopedMemory) -> None:
    """R22: of the text that is embedded, 48 bytes a piece; a plain item has none."""
    me.remember("The launch is on Friday")
    home.store.put(("notes",), "plain", {"text": "The launch is on Friday"})
    [(_, signs)] = kept(home).items()
    vector, expected = MiniLmEmbedder().embed_pieces("The launch is on Friday")
    assert np.array_equal(signs, expected)
    assert signs.shape == (5, 48)
    assert np.array_equal(vector, MiniLmEmbedder().embed_query("The launch is on Friday"))


def test_pieces_follow_the_head(home: Home, me: ScopedMemory) -> None:
    me.remember("blue", key="colour")
    [before] = kept(home).values()
    me.remember("a very dark green", key="colour")
    [after] = kept(home).values()
    assert len(after) > len(before)


def test_what_waits_is_not_what_is_compared(home: Home, me: ScopedMemory) -> None:
    """A statement under review leaves the pieces of the one that holds."""
    me.remember("The launch is on Friday", key="launch")
    me.confirm("launch", by="billing")
    before = {row: each.tolist() for row, each in kept(home).items()}
    me.remember(
        "The launch is on a Sunday in May", key="launch", source=Source(SourceKind.WEB, "a page")
    )
    assert {row: each.tolist() for row, each in kept(home).items()} == before


def test_pieces_go_with_the_statement(home: Home, me: ScopedMemory) -> None:
    """R60: forgotten and purged."""
    me.remember("The launch is on Friday", key="launch")
    me.remember("The budget is 150 dollars", key="budget")
    me.forget("launch")
    assert len(kept(home)) == 1
    me.purge()
    assert kept(home) == {}


def test_what_is_owed_is_made_again_and_the_same(home: Home, me: ScopedMemory) -> None:
    me.remember("The launch is on Friday")
    me.remember("I moved to Oslo. My cat hates it.")
    before = kept(home)
    forget_pieces(home)
    engine = home._parts.engine
    assert keep_owed(engine, limit=1) == 1
    assert keep_owed(engine) == 1
    assert keep_owed(engine) == 0
    assert {row: each.tobytes() for row, each in kept(home).items()} == {
        row: each.tobytes() for row, each in before.items()
    }


def test_until_then_it_is_found_by_its_vectors(home: Home, me: ScopedMemory) -> None:
    me.remember("The launch is on Friday")
    forget_pieces(home)
    [hit] = me.recall("When is the launch?").evidence
    assert hit.candidate.rank is None
    me.remember("The budget is 150 dollars")
    [hit, *_] = me.recall("When is the launch?").evidence
    assert "launch" in hit.content


def test_a_failing_embedder_owes_on(
    home: Home, me: ScopedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    me.remember("The launch is on Friday")
    forget_pieces(home)

    class Down(MiniLmEmbedder):
        def embed_pieces(self, text: str) -> tuple[Vectors, Signs]:
            raise EmbeddingError("down")

    engine = home._parts.engine
    monkeypatch.setattr(type(engine.embedder), "embed_pieces", Down.embed_pieces)
    assert keep_owed(engine) == 0
    assert kept(home) == {}
    assert me.remember("The budget is 150 dollars").version == 1
    assert [hit.content for hit in me.recall("What is the budget?").evidence]


def test_another_model_has_none(tmp_path: Path, settings: Settings) -> None:
    """What was made by the old model is gone with the move."""
    with open_memory(tmp_path / "home", settings=settings) as home:
        home.memory.scope(tenant="acme", user="ana").remember("The launch is on Friday")
    reindex(tmp_path / "home", embedder=HashingEmbedder(64))
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder(64)) as home:
        assert kept(home) == {}
        assert keep_owed(home._parts.engine) == 0
