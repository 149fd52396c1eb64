"""LangGraph's index configuration, as our embedder and the texts to index."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
from langgraph.store.base import IndexConfig, ensure_embeddings, get_text_at_path, tokenize_path

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.errors import EmbeddingError, InvalidInputError
from langgraph_memory.ports import Embedder, Vectors

WHOLE = "$"
_NEUTRAL = frozenset({"content", "text", "memory", "value", "data"})

Fields = tuple[str, ...]


def fields_of(index: IndexConfig | None) -> Fields:
    """Return the paths to index where a put does not say; the whole value by default."""
    fields: Any = (index or {}).get("fields") or [WHOLE]
    return (fields,) if isinstance(fields, str) else tuple(fields)


def embedder_of(index: IndexConfig | None) -> Embedder | None:
    """Return the embedder an index configuration brings, None for the shipped one.

    Raises:
        InvalidInputError: ``embed`` without ``dims``.
    """
    if not index or index.get("embed") is None:
        return None
    dims = index.get("dims")
    if not isinstance(dims, int) or dims <= 0:
        raise InvalidInputError('index["embed"] needs index["dims"], its number of dimensions.')
    return LangChainEmbedder(index["embed"], dims)


def texts_of(
    value: JsonObject, index: Literal[False] | Sequence[str] | None, fields: Fields
) -> tuple[str, ...]:
    """Return the texts of a value that search is told of; none for ``index=False``."""
    if index is False:
        return ()
    paths = fields if index is None else tuple(index)
    texts = []
    for path in paths:
        texts += [spoken(value)] if path == WHOLE else get_text_at_path(value, _steps(path))
    return tuple(text for text in texts if text.strip())


def spoken(value: Any, name: str = "") -> str:
    """Return a JSON value as plain lines, ``field: text``, without its punctuation."""
    if isinstance(value, dict):
        alone = len(value) == 1
        lines = [
            spoken(part, "" if alone and key in _NEUTRAL else key) for key, part in value.items()
        ]
        return "\n".join(line for line in lines if line)
    if isinstance(value, list):
        return "\n".join(filter(None, (spoken(part, name) for part in value)))
    if value is None or value == "":
        return ""
    return f"{name}: {value}" if name and name not in _NEUTRAL else str(value)


def _steps(path: str) -> Any:
    return tokenize_path(path)


def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end on a loop of its own; this thread may have one already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class LangChainEmbedder:
    """``ports.Embedder`` over whatever LangGraph's index configuration accepts."""

    def __init__(self, embed: Any, dims: int) -> None:
        self._embeddings = ensure_embeddings(embed)
        self._dims = dims
        # LangGraph wraps a function; one that was given only asynchronously refuses sync calls.
        self._only_async = hasattr(self._embeddings, "afunc") and not hasattr(
            self._embeddings, "func"
        )

    @property
    def model_id(self) -> str:
        """Return class and model name: what can be known of a foreign model."""
        inner = self._embeddings
        name = getattr(inner, "model_id", None) or getattr(inner, "model", None) or ""
        return f"{type(inner).__name__}:{name}".rstrip(":")

    @property
    def dims(self) -> int:
        """Return the length of a vector."""
        return self._dims

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows."""
        if self._only_async:
            return self._checked(
                _awaited(self._embeddings.aembed_documents(list(texts))), len(texts)
            )
        return self._checked(self._embeddings.embed_documents(list(texts)), len(texts))

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector."""
        if self._only_async:
            vector = _awaited(self._embeddings.aembed_query(text))
        else:
            vector = self._embeddings.embed_query(text)
        row: Vectors = self._checked([vector], 1)[0]
        return row

    def reads(self, text: str) -> bool:
        """Return True: what a model of the caller's reads is not known here."""
        return True

    def _checked(self, vectors: Any, count: int) -> Vectors:
        matrix = np.asarray(vectors, dtype=np.float32)
        if matrix.shape != (count, self._dims):
            raise EmbeddingError(
                f"{self.model_id} returned vectors of shape {matrix.shape}; "
                f"({count}, {self._dims}) was expected. Correct dims in the index configuration."
            )
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(norms).all():
            raise EmbeddingError(f"{self.model_id} returned vectors that are not finite.")
        unit: Vectors = np.where(norms > 0, matrix / np.where(norms > 0, norms, 1), matrix)
        return unit
