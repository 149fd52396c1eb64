"""An embedder for tests: no weights, no randomness, the same vector on every machine.

Each word and each of its character trigrams is hashed to one dimension and a sign; the
vector is the sum, at unit length. The same words give cosine 1.0, shared words or stems
raise it, unrelated texts stay near 0. It knows nothing of meaning: a paraphrase without a
common word scores like a stranger.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.ports import Vectors

_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.25  # a word of ten letters: its trigrams weigh about what the word does


class HashingEmbedder:
    """Keeps the promises of ``ports.Embedder`` by signed feature hashing.

    Args:
        dims: Length of a vector. Few dimensions mean collisions: unrelated texts then
            score by chance up to about ``2 / sqrt(dims)``.

    Raises:
        InvalidSettingError: ``dims`` is not positive.
    """

    def __init__(self, dims: int = 256) -> None:
        if dims < 1:
            raise InvalidSettingError("dims", f"is {dims}. Give the length of a vector, 1 or more.")
        self._dims = dims

    @property
    def model_id(self) -> str:
        """Name of the space; vectors of other lengths live in another."""
        return f"hashing-{self._dims}"

    @property
    def dims(self) -> int:
        """Length of a vector."""
        return self._dims

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` float32, rows of unit length."""
        rows = np.empty((len(texts), self._dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self.embed_query(text)
        return rows

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` float32 unit vector; questions and documents are treated alike."""
        total = np.zeros(self._dims, dtype=np.float64)
        for word, count in Counter(_words(text)).items():
            for feature, weight in _features(word):
                dimension, sign = _place(feature, self._dims)
                total[dimension] += sign * weight * count
        length = np.linalg.norm(total)
        if length == 0.0:  # nothing to hash, or signs that cancel to the last bit
            total[0] = length = np.float64(1.0)
        return (total / length).astype(np.float32)

    def reads(self, text: str) -> bool:
        """Return True: every text is hashed alike."""
        return True


def _words(text: str) -> list[str]:
    """Return the folded words; of a text without any (emoji, punctuation) its characters."""
    folded = text.casefold()
    return _WORD.findall(folded) or [each for each in folded if not each.isspace()]


def _features(word: str) -> Iterator[tuple[str, float]]:
    yield f"w:{word}", _WORD_WEIGHT
    padded = f"^{word}$"
    for start in range(len(padded) - 2):
        yield f"c:{padded[start : start + 3]}", _TRIGRAM_WEIGHT


def _place(feature: str, dims: int) -> tuple[int, float]:
    # blake2 and not hash(): that one is salted anew in every process.
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=9).digest()
    return int.from_bytes(digest[:8], "big") % dims, 1.0 if digest[8] & 1 else -1.0
