"""How texts reach an embedder: together, once each, and none lost to a neighbour (R22, B36)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp

from langgraph_memory import MemoryStore
from langgraph_memory.errors import EmbeddingError
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
DIMS = 64
hashing = HashingEmbedder(DIMS)


class Server(Embeddings):
    """Embeddings of somebody else: counts its calls, refuses what is too long, may be down."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.down = False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        if self.down:
            raise ConnectionError("nobody listens there")
        if any(len(text) > 200 for text in texts):
            raise ValueError("maximum context length exceeded")
        return [list(map(float, row)) for row in hashing.embed_documents(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


@pytest.fixture
def server() -> Server:
    return Server()


def opened(path: Path, server: Any) -> MemoryStore:
    return MemoryStore.from_path(path, index={"dims": DIMS, "embed": server})


def test_a_batch_is_embedded_in_one_call_and_each_text_once(tmp_path: Path, server: Server) -> None:
    texts = ["tea", "cake", "tea", "milk", "tea"]
    with opened(tmp_path, server) as store:
        store.batch([PutOp(PLACE, str(n), {"text": text}) for n, text in enumerate(texts)])
        assert server.calls == [["tea", "cake", "milk"]]
        found = store.search(PLACE, query="tea")
        assert {item.key for item in found[:3]} == {"0", "2", "4"}


def test_a_refused_text_takes_no_neighbour_along_and_is_found_by_its_words(
    tmp_path: Path, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """B36."""
    long = "Windstoß " + "0123456789abcdef" * 40 + " Zwieback"
    with opened(tmp_path, server) as store, caplog.at_level(logging.WARNING):
        store.batch(
            [PutOp(PLACE, key, {"text": text})
             for key, text in (("tea", "tea"), ("long", long), ("cake", "cake"))]
        )  # fmt: skip
        assert "refused 1 text" in caplog.text
        assert "Zwieback" not in caplog.text
        assert store.get(PLACE, "long") is not None
        assert store.search(PLACE, query="cake")[0].key == "cake"
        assert store.search(PLACE, query="Zwieback")[0].key == "long"
        store.put(PLACE, "alone", {"text": long.replace("Zwieback", "Knäckebrot")})
        assert store.search(PLACE, query="Knäckebrot")[0].key == "alone"


def test_an_embedder_that_does_not_work_writes_nothing(tmp_path: Path, server: Server) -> None:
    """B17: an outage is no refusal."""
    with opened(tmp_path, server) as store:
        store.put(PLACE, "tea", {"text": "tea"})
        server.down = True
        with pytest.raises(EmbeddingError, match="nobody listens there"):
            store.batch([PutOp(PLACE, "a", {"text": "a"}), PutOp(PLACE, "b", {"text": "b"})])
        with pytest.raises(EmbeddingError, match="try again"):
            store.put(PLACE, "tea", {"text": "coffee"})
        assert [item.value for item in store.search(PLACE)] == [{"text": "tea"}]
        store.put(PLACE, "quiet", {"text": "no search"}, index=False)
        server.down = False
        store.put(PLACE, "tea", {"text": "coffee"})
        assert store.search(PLACE, query="coffee")[0].key == "tea"


def test_a_question_that_cannot_be_embedded_says_so(tmp_path: Path, server: Server) -> None:
    with opened(tmp_path, server) as store:
        store.put(PLACE, "tea", {"text": "tea"})
        server.down = True
        with pytest.raises(EmbeddingError, match="nobody listens there"):
            store.search(PLACE, query="tea")
        server.down = False
        assert store.search(PLACE, query="tea " + "x" * 300)[0].key == "tea"


async def test_an_asynchronous_embedder_runs_on_the_callers_loop(tmp_path: Path) -> None:
    """B84: a client that was opened in a loop can be used in no other."""
    loops = set()

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return [list(map(float, row)) for row in hashing.embed_documents(list(texts))]

    async with opened(tmp_path, embed) as store:
        await store.aput(PLACE, "tea", {"text": "I drink tea"})
        found = await store.asearch(PLACE, query="I drink tea")
        assert found[0].score == pytest.approx(1.0, abs=0.01)
        assert loops == {asyncio.get_running_loop()}
        store.put(PLACE, "cake", {"text": "cake"})  # and still works from plain code
        assert len(loops) == 2


def test_an_asynchronous_embedder_serves_one_loop_after_another(tmp_path: Path) -> None:
    """B84."""

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [list(map(float, row)) for row in hashing.embed_documents(list(texts))]

    with opened(tmp_path, embed) as store:
        asyncio.run(store.aput(PLACE, "tea", {"text": "tea"}))
        asyncio.run(store.aput(PLACE, "cake", {"text": "cake"}))
        assert asyncio.run(store.asearch(PLACE, query="cake"))[0].key == "cake"
