"""A deterministic embedder in the three forms in which LangGraph accepts one.

Texts are close when they share words, so a test knows which of two items must come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from langgraph.store.base import IndexConfig

from langgraph_memory.testing.hashing import HashingEmbedder

_EMBEDDER = HashingEmbedder()


class HashingEmbeddings(Embeddings):
    """The hashing embedder as LangChain's ``Embeddings``."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        return embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return embed([text])[0]


class BrokenEmbeddings(Embeddings):
    """An embedder whose service is down."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Fail."""
        raise ConnectionError("the embedder of this test is always down")

    def embed_query(self, text: str) -> list[float]:
        """Fail."""
        raise ConnectionError("the embedder of this test is always down")


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return one vector for each text: a synchronous embedding function."""
    return [[float(x) for x in row] for row in _EMBEDDER.embed_documents(texts)]


async def aembed(texts: Sequence[str]) -> list[list[float]]:
    """Return one vector for each text: an asynchronous embedding function."""
    return embed(texts)


def text_index(*fields: str, embeddings: Any = None) -> IndexConfig:
    """Return an index configuration; without ``fields`` the whole value is indexed."""
    config = IndexConfig(dims=_EMBEDDER.dims, embed=embeddings or HashingEmbeddings())
    if fields:
        config["fields"] = list(fields)
    return config
