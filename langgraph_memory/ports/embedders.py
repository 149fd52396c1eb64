"""Embedders: text into vectors, and for those that can, each word piece into one of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from langgraph_memory.ports.basics import Vectors

Signs = npt.NDArray[np.uint8]
"""``(n, dims / 8)``: the signs alone of vectors, one bit each, as ``numpy.packbits`` does it."""


class Embedder(Protocol):
    """Turns text into vectors. Deterministic for a text, whatever its batch mates."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; vectors are comparable only within one id."""

    @property
    def dims(self) -> int:
        """Length of a vector."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows. Any text is accepted, the empty one too.

        Raises:
            EmbeddingError: The model could not be run; nothing is half done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector."""

    def reads(self, text: str) -> bool:
        """Tell whether the model knows the script of a text.

        All texts in a script that it does not know lie close together, whatever they say: a
        question in one is answered by words alone.
        """


class AskedPieces(NamedTuple):
    """The word pieces of a question.

    Attributes:
        vectors: ``(n, dims)`` float32 unit rows.
        weights: ``(n,)`` float32, at least 0: how rare each piece is in the language.
    """

    vectors: Vectors
    weights: Vectors


class LateEmbedder(Embedder, Protocol):
    """An embedder that can compare piece by piece: late interaction (Khattab & Zaharia 2020).

    A piece has the vector of its context. Only the signs of a text's pieces are kept: 48 bytes
    a piece at 384 dimensions.
    """

    def embed_pieces(self, text: str) -> tuple[Vectors, Signs]:
        """Return a text's vector, as ``embed_documents`` does, and the signs of its pieces.

        Raises:
            EmbeddingError: The model could not be run.
        """

    def embed_question(self, text: str) -> tuple[Vectors, AskedPieces]:
        """Return a question's vector, as ``embed_query`` does, and its pieces. Raises alike."""


def no_pieces(dims: int) -> Signs:
    """Return the signs of a text without pieces."""
    return np.zeros((0, dims // 8), dtype=np.uint8)


def is_late(embedder: Embedder | None) -> TypeGuard[LateEmbedder]:
    """Tell whether an embedder can compare piece by piece."""
    return callable(getattr(embedder, "embed_pieces", None))
