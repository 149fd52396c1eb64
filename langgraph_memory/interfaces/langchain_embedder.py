"""Whatever LangGraph's index configuration accepts, as our embedder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

import numpy as np
from langgraph.store.base import ensure_embeddings

from langgraph_memory.errors import EmbeddingError
from langgraph_memory.interfaces.loops import LoopEndedError, awaited
from langgraph_memory.ports import Vectors

_TRIES = 5
"""The caller's loop may end meanwhile; then the text is embedded on one that lasts."""

_NAMES = ("model_id", "model", "model_name", "model_path", "deployment", "repo_id")
"""Where embeddings of various makers keep the name of their model."""


class LangChainEmbedder:
    """``ports.Embedder`` over whatever LangGraph's index configuration accepts."""

    def __init__(self, embed: Any, dims: int) -> None:
        self._embeddings = ensure_embeddings(embed)
        self._dims = dims
        # LangGraph wraps a function; one that was given only asynchronously refuses sync calls.
        self._only_async = hasattr(self._embeddings, "afunc") and not hasattr(
            self._embeddings, "func"
        )
        self.function: Any = getattr(
            self._embeddings, "func", getattr(self._embeddings, "afunc", None)
        )
        self.needs_loop = self._only_async

    @property
    def model_id(self) -> str:
        """Return class and model name: what can be known of a foreign model.

        Of a function, the place where it was written, unless it has one of the attributes
        that name a model: ``embed.model_id = "my-model-2"``.
        """
        if self.function is None:
            inner = self._embeddings
            return f"{type(inner).__name__}:{_model_of(inner)}".rstrip(":")
        place = (getattr(self.function, each, "") for each in ("__module__", "__qualname__"))
        return f"function:{_model_of(self.function) or '.'.join(filter(None, place))}".rstrip(":")

    @property
    def named(self) -> bool:
        """Whether the name tells models apart; a function's place in the source does not."""
        return self.function is None or bool(_model_of(self.function))

    @property
    def dims(self) -> int:
        """Return the length of a vector."""
        return self._dims

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows."""
        return self._checked(self._asked("embed_documents", list(texts)), len(texts))

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector."""
        given = self._asked("embed_query", text)
        row = np.asarray(given, dtype=np.float32)
        if row.shape == (self._dims,):
            squared = float(row @ row)
            if 0 < squared < math.inf:
                unit: Vectors = row / np.float32(math.sqrt(squared))
                return unit
        checked: Vectors = self._checked([given], 1)[0]  # says what is wrong with it
        return checked

    def reads(self, text: str) -> bool:
        """Return True: what a model of the caller's reads is not known here."""
        return True

    def _asked(self, method: str, given: Any) -> Any:
        """Ask by the sync way, or by the other one where there is no sync way."""
        if not self._only_async:
            try:
                return getattr(self._embeddings, method)(given)
            except NotImplementedError:
                self._only_async = True
        ask = getattr(self._embeddings, f"a{method}")
        for _ in range(_TRIES):
            with suppress(LoopEndedError, CancelledError):
                return awaited(ask(given))
        raise EmbeddingError(f"{self.model_id}: event loops ended before it answered. Try again.")

    def _checked(self, vectors: Any, count: int) -> Vectors:
        matrix = np.asarray(vectors, dtype=np.float32)
        if matrix.shape != (count, self._dims):
            raise EmbeddingError(
                f"{self.model_id} returned vectors of shape {matrix.shape}; "
                f"({count}, {self._dims}) was expected. Correct dims in the index configuration."
            )
        norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, np.newaxis]
        if not np.isfinite(norms).all():
            raise EmbeddingError(f"{self.model_id} returned vectors that are not finite.")
        norms[norms == 0] = 1
        unit: Vectors = matrix / norms
        return unit


def _model_of(given: Any) -> str:
    """Return the name of a model where a maker keeps it, empty if there is none."""
    for each in _NAMES:
        name = getattr(given, each, None)
        if isinstance(name, str) and name:
            return name
    return ""
