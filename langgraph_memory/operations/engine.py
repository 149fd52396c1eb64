"""What every operation works with, put together once by the wiring."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from langgraph_memory.ports import (
    Clock,
    Database,
    Embedder,
    IdFactory,
    IndexEntry,
    RunState,
    Space,
    VectorIndex,
    Vectors,
)
from langgraph_memory.text.tokens import tokens
from langgraph_memory.text.windows import windows

MOST_WORDS = 20_000
"""Words whose vectors are kept: 31 MB at 384 dimensions."""


@dataclass(slots=True)
class Usage:
    """Hits that wait to be written: counting must not slow a read down."""

    rows: list[int] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, rows: Sequence[int]) -> None:
        """Remember that these rows were used."""
        with self._lock:
            self.rows.extend(rows)

    def take(self) -> list[int]:
        """Return what waits, and forget it."""
        with self._lock:
            taken, self.rows = self.rows, []
            return taken


@dataclass(slots=True)
class WordVectors:
    """Vectors of single words, kept because the same words come again and again."""

    known: OrderedDict[str, Vectors] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, words: Sequence[str], embedder: Embedder) -> Vectors:
        """Return ``(len(words), dims)`` unit rows. May embed: never in a transaction."""
        with self._lock:
            missing = [word for word in dict.fromkeys(words) if word not in self.known]
        fresh = dict(zip(missing, embedder.embed_documents(missing), strict=True))
        with self._lock:
            found = np.stack([fresh[w] if w in fresh else self.known[w] for w in words])
            self.known.update(fresh)
            while len(self.known) > MOST_WORDS:
                self.known.popitem(last=False)
        return found

    def forget(self) -> None:
        """Drop all words: they are users' words."""
        with self._lock:
            self.known.clear()


@dataclass(frozen=True, slots=True)
class Engine:
    """The ports, and nothing else.

    Attributes:
        database: The truth.
        index: Proposes rows by meaning.
        embedder: None in a home without vectors: search goes by words alone.
        clock: The source of now.
        new_id: The source of ids.
        run_state: The checkpointer's side of a purge; None where a store stands alone.
        usage: Hits that wait to be written.
        words: Vectors of single words.
    """

    database: Database
    index: VectorIndex
    embedder: Embedder | None
    clock: Clock
    new_id: IdFactory
    run_state: RunState | None = None
    usage: Usage = field(default_factory=Usage)
    words: WordVectors = field(default_factory=WordVectors)

    def word_vectors(self, words: Sequence[str]) -> Vectors | None:
        """Return ``(n, dims)`` unit rows, one a word; None where there is no embedder."""
        if self.embedder is None or not words:
            return None
        return self.words.of(words, self.embedder)

    def entry(self, texts: Sequence[str], *, words: str | None = None) -> IndexEntry:
        """Return what search is told of these texts. Embeds: never call it in a transaction.

        Args:
            texts: What is embedded: a long text becomes several vectors.
            words: What goes into full text, where that differs from ``texts``.
        """
        spoken = "\n".join(texts) if words is None else words
        return IndexEntry(tuple(tokens(spoken)), self.vectors(texts))

    def vectors(self, texts: Sequence[str]) -> Vectors | None:
        """Return ``(n, dims)`` unit rows for the windows of these texts, each distinct one once."""
        parts = list(dict.fromkeys(part for text in texts for part in windows(text)))
        if self.embedder is None or not parts:
            return None
        return self.embedder.embed_documents(parts)

    def query_vector(self, question: str) -> Vectors | None:
        """Return ``(dims,)`` for a question; None where words alone must do.

        That is: in a home without vectors, for an empty question, and for one in a script
        that the embedder does not read.
        """
        if self.embedder is None or not question.strip() or not self.embedder.reads(question):
            return None
        return np.asarray(self.embedder.embed_query(question), dtype=np.float32)

    def bind_space(self) -> None:
        """Bind the home to the embedder's space, or refuse another one.

        Raises:
            EmbedderMismatchError: The home was built with another embedder.
        """
        if self.embedder is None:
            return
        space = Space(self.embedder.model_id, self.embedder.dims)
        with self.database.read() as tx:
            if tx.space() == space:
                return
        with self.database.write() as tx:
            tx.bind_space(space)

    def flush_usage(self) -> None:
        """Write the hits that wait."""
        if rows := self.usage.take():
            with self.database.write() as tx:
                tx.records.touch(rows, now=self.clock())
