"""What every operation works with, put together once by the wiring."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from langgraph_memory.errors import EmbedderMismatchError
from langgraph_memory.operations.embedding import Wording, embedded_question, entries
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import (
    Clock,
    Database,
    Embedder,
    IdFactory,
    IndexEntry,
    RunState,
    Space,
    Transaction,
    Use,
    VectorIndex,
    Vectors,
    WordIndex,
)

MOST_NOTES = 1_000
MOST_WORDS = 20_000
"""Words whose vectors are kept: 31 MB at 384 dimensions."""


@dataclass(slots=True)
class Usage:
    """Hits that wait to be written: counting must not slow a read down."""

    _noted: list[tuple[Sequence[int], datetime]] = field(default_factory=list)
    _counted: dict[int, Use] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, rows: Sequence[int], now: datetime) -> None:
        """Remember that these rows were used."""
        with self._lock:
            self._noted.append((rows, now))
            if len(self._noted) >= MOST_NOTES:
                self._count()

    def take(self) -> dict[int, Use]:
        """Return what waits, and forget it."""
        with self._lock:
            self._count()
            taken, self._counted = self._counted, {}
            return taken

    def _count(self) -> None:
        for rows, now in self._noted:
            for row in rows:
                known = self._counted.get(row)
                self._counted[row] = Use(known.hits + 1 if known else 1, now)
        self._noted.clear()


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
        word_index: Proposes rows by words.
        embedder: None in a home without vectors: search goes by words alone.
        clock: The source of now.
        new_id: The source of ids.
        run_state: The checkpointer's side of a purge; None where a store stands alone.
        usage: Hits that wait to be written.
        words: Vectors of single words.
        retention: How much is kept where a caller does not say.
    """

    database: Database
    index: VectorIndex
    word_index: WordIndex
    embedder: Embedder | None
    clock: Clock
    new_id: IdFactory
    run_state: RunState | None = None
    usage: Usage = field(default_factory=Usage)
    words: WordVectors = field(default_factory=WordVectors)
    retention: Retention = field(default_factory=Retention)

    def word_vectors(self, words: Sequence[str]) -> Vectors | None:
        """Return ``(n, dims)`` unit rows, one a word; None where there is no embedder."""
        if self.embedder is None or not words:
            return None
        return self.words.of(words, self.embedder)

    def entries(self, wordings: Sequence[Wording]) -> list[IndexEntry]:
        """Return what search is told of each wording. Embeds: never call it in a transaction.

        Raises:
            EmbeddingError: The embedder does not work.
        """
        return entries(self.embedder, wordings)

    def query_vector(self, question: str) -> Vectors | None:
        """Return ``(dims,)`` for a question; None where words alone must do.

        That is: in a home without vectors, for an empty question, and for one in a script
        that the embedder does not read or will not take.

        Raises:
            EmbeddingError: The embedder does not work.
        """
        if self.embedder is None or not question.strip() or not self.embedder.reads(question):
            return None
        return embedded_question(self.embedder, question)

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

    def check_space(self, tx: Transaction) -> None:
        """Refuse to go on in a home that another process has moved to another embedder.

        Raises:
            EmbedderMismatchError: It has.
        """
        if self.embedder is None:
            return
        ours, bound = Space(self.embedder.model_id, self.embedder.dims), tx.space()
        if bound is not None and bound != ours:
            raise EmbedderMismatchError(bound.model_id, bound.dims, ours.model_id, ours.dims)

    def flush_usage(self) -> None:
        """Write the hits that wait."""
        if used := self.usage.take():
            with self.database.write() as tx:
                tx.records.touch(used)
