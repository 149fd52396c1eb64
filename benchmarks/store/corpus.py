"""What the stores are filled with, the same in every process: items, questions, their vectors.

Vectors are given: an embedder that only looks them up costs every contender the same next to
nothing. They are unit vectors in clusters, one a topic; an item's words come from its topic
and, with Zipf's frequencies, from all words, so that a question's words match a few of a
hundred items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

DIMS = 384
SCOPES = (100, 1_000, 10_000)
"""Sizes of the scopes that are searched; each is also where its range of items begins, the
first apart. All other items are in namespaces of a hundred."""

FRESH = 1_000
"""Items beside the store's own, put as new ones under ever new keys."""

QUESTIONS = 40
_TOPICS = 200
_WORDS = 5_000
_OWN_WORDS = 10
_UNUSED = 1_000_000
"""Number of a word from which on no item has any."""

_NOISE = 0.035

Namespace = tuple[str, ...]
Value = dict[str, Any]
NEW: Namespace = ("bench", "new")


def span(scope: int) -> range:
    """Return the items of a scope."""
    start = 0 if scope == SCOPES[0] else scope
    return range(start, start + scope)


def scopes_within(size: int) -> list[int]:
    """Return the scopes that a store of ``size`` items holds beside other items."""
    return [scope for scope in SCOPES if span(scope).stop <= size and scope < size]


def scope_namespace(scope: int) -> Namespace:
    return ("bench", f"scope-{scope}")


def namespace(item: int) -> Namespace:
    for scope in SCOPES:
        if item in span(scope):
            return scope_namespace(scope)
    return ("crowd", f"user-{item // 100}")


def make(folder: Path, size: int) -> None:
    """Write vectors and words for ``size`` items, the fresh ones and the questions."""
    chance = np.random.default_rng(20_240_607)
    count = size + FRESH + QUESTIONS
    # Topics that are asked about are the first half; fresh items are of the others, so that
    # putting them changes no answer.
    topics = chance.integers(0, _TOPICS // 2, count)
    topics[size : size + FRESH] += _TOPICS // 2
    centres = chance.standard_normal((_TOPICS, DIMS), dtype=np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    vectors = centres[topics] + _NOISE * chance.standard_normal((count, DIMS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    shares = 1 / np.arange(1, _WORDS + 1)
    words = chance.choice(_WORDS, size=(count, 8), p=shares / shares.sum())
    np.save(folder / "vectors.npy", vectors)
    np.save(folder / "topics.npy", topics)
    np.save(folder / "words.npy", words)


@dataclass
class Corpus:
    """The files of :func:`make`, mapped into this process.

    Attributes:
        known: How many items were made.
    """

    folder: Path
    known: int
    _numbers: dict[str, int] = field(default_factory=dict)

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32]:
        """Return ``(known + FRESH + QUESTIONS, DIMS) float32``, rows of unit length."""
        loaded: npt.NDArray[np.float32] = np.load(self.folder / "vectors.npy", mmap_mode="r")
        return loaded

    @cached_property
    def _topics(self) -> list[int]:
        topics: list[int] = np.load(self.folder / "topics.npy").tolist()
        return topics

    @cached_property
    def _words(self) -> list[list[int]]:
        words: list[list[int]] = np.load(self.folder / "words.npy").tolist()
        return words

    def value(self, item: int, *, revision: int = 0) -> Value:
        """Return an item's value; a revision changes what is kept, not what is searched."""
        text = self._text(item)
        self._numbers[text] = item
        return {
            "text": text,
            "hundredth": item % 100,
            "even": item % 2 == 0,
            "revision": revision,
            "source": {"thread": f"thread-{item // 20}", "message": item % 20},
        }

    def fresh(self, serial: int) -> Value:
        return self.value(self.known + serial % FRESH)

    def question(self, serial: int, *, words: bool) -> str:
        """Return a question: in words that items hold, or in words that none holds."""
        row = self.known + FRESH + serial % QUESTIONS
        common = min(self._words[row][0] + 20, _WORDS - 1)
        own = _own_words(self._topics[row], row)[:2]
        asked = [*own, _word(common)] if words else [_word(_UNUSED + row)]
        text = f"What about {' '.join(asked)}?"
        self._numbers[text] = row
        return text

    def vector(self, text: str) -> npt.NDArray[np.float32]:
        row: npt.NDArray[np.float32] = self.vectors[self._numbers[text]]
        return row

    def _text(self, item: int) -> str:
        general = [_word(word) for word in self._words[item]]
        return " ".join((*_own_words(self._topics[item], item), *general, f"no. {item}"))


class Given(Embeddings):
    """Looks vectors up by text. A text of no item and no question is a mistake here."""

    model = "given"

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._corpus.vector(text).tolist() for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector: list[float] = self._corpus.vector(text).tolist()
        return vector


def _own_words(topic: int, item: int) -> list[str]:
    return [_word(_WORDS + topic * _OWN_WORDS + (item + turn) % _OWN_WORDS) for turn in range(4)]


def _word(number: int) -> str:
    """Return a word that can be spoken and belongs to this number alone."""
    syllables = []
    number += 13
    while number:
        number, rest = divmod(number, 85)
        syllables.append("bdfgklmnprstvwxyz"[rest % 17] + "aeiou"[rest // 17])
    return "".join(syllables) + "n"
