"""What every operation works with, put together once by the wiring."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TypeVar

import numpy as np

from langgraph_memory.domain.counts import Count
from langgraph_memory.errors import (
    EmbedderMovedError,
    HomeReadOnlyError,
    StorageBusyError,
    StorageFullError,
)
from langgraph_memory.operations.embedding import Wording, embedded, embedded_question, entries
from langgraph_memory.operations.tally import Tally
from langgraph_memory.policy.retention import Retention
from langgraph_memory.policy.rulebook import WritePolicy
from langgraph_memory.ports import (
    AskedPieces,
    Clock,
    Database,
    Embedder,
    FieldIndex,
    IdFactory,
    IndexEntry,
    PassedError,
    RunState,
    Space,
    Transaction,
    Use,
    VectorIndex,
    Vectors,
    WordIndex,
    is_late,
)

READS_WAIT_SECONDS = 0.05
"""How long a read may wait for writers before what it has to write is left for later."""

VIEWS_TO_FORGET = 8
MOST_VIEWS = 64
"""Views in which a search is tried while others write; after each few, memory is dropped."""

T = TypeVar("T")

MOST_NOTES = 1_000
MOST_WORDS = 20_000
"""Words whose vectors are kept: 31 MB at 384 dimensions."""


_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Usage:
    """What reads have left to be written: they must not wait for it.

    Hits always wait; lifetimes to run anew only while somebody else writes.
    """

    _noted: list[tuple[Sequence[int], datetime]] = field(default_factory=list)
    _counted: dict[int, Use] = field(default_factory=dict)
    _owed: dict[int, datetime] = field(default_factory=dict)
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

    def put_back(self, used: Mapping[int, Use]) -> None:
        """Remember what was taken and could not be written."""
        with self._lock:
            for row, use in used.items():
                since = self._counted.get(row, Use(0, use.last))
                self._counted[row] = Use(use.hits + since.hits, max(use.last, since.last))

    def owe(self, rows: Mapping[int, datetime]) -> None:
        """Remember that the lifetimes of these rows run anew from these instants."""
        with self._lock:
            for row, now in rows.items():
                self._owed[row] = max(now, self._owed.get(row, now))

    def take_owed(self) -> dict[int, datetime]:
        """Return the lifetimes that are to run anew, and forget them."""
        with self._lock:
            taken, self._owed = self._owed, {}
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
        field_index: Names rows by the fields of their values.
        embedder: None in a home without vectors: search goes by words alone.
        clock: The source of now.
        new_id: The source of ids.
        policy: What may be written, by whom, for how long.
        run_state: The checkpointer's side of a purge; None where a store stands alone.
        usage: Hits that wait to be written.
        tally: Counts of what was refused that wait to be written.
        words: Vectors of single words.
        retention: How much is kept where a caller does not say.
        zone: Where the days begin of which people speak.
        closed: Whether the organization is closed to users who were given no role in it.
        patience: How long new messages may put off the background work on what was said before.
    """

    database: Database
    index: VectorIndex
    word_index: WordIndex
    field_index: FieldIndex
    embedder: Embedder | None
    clock: Clock
    new_id: IdFactory
    policy: WritePolicy
    run_state: RunState | None = None
    usage: Usage = field(default_factory=Usage)
    tally: Tally = field(default_factory=Tally)
    words: WordVectors = field(default_factory=WordVectors)
    retention: Retention = field(default_factory=Retention)
    zone: tzinfo = UTC
    closed: bool = False
    patience: timedelta = timedelta(seconds=10)

    def word_vectors(self, words: Sequence[str]) -> Vectors | None:
        """Return ``(n, dims)`` unit rows, one a word; None where there is no embedder."""
        if self.embedder is None or not words:
            return None
        return self.words.of(words, self.embedder)

    def text_vectors(self, texts: Sequence[str]) -> Vectors | None:
        """Return ``(n, dims)`` unit rows, one a text, of zeros for one that is refused.

        None in a home without vectors. Embeds: never call it in a transaction.

        Raises:
            EmbeddingError: The embedder does not work.
        """
        if self.embedder is None:
            return None
        found = embedded(self.embedder, texts)
        nothing = np.zeros(self.embedder.dims, dtype=np.float32)
        rows = [found.get(text, nothing) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.embedder.dims), dtype=np.float32)

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

    def asked(self, question: str) -> tuple[Vectors | None, AskedPieces | None]:
        """Return ``query_vector`` and the question's word pieces, where those can be compared."""
        embedder = self.embedder
        if not is_late(embedder) or not question.strip() or not embedder.reads(question):
            return self.query_vector(question), None
        return embedder.embed_question(question)

    def viewed(self, work: Callable[[Transaction], T]) -> T:
        """Return what some work finds in a view, and in what is held in memory of that state.

        Another thread may carry what is held past the view: then the work is done anew in a new
        one. What stays ahead of every new view is of a database that was restored from a copy
        since, and is dropped.
        """
        for attempt in range(1, MOST_VIEWS + 1):
            try:
                with self.database.read() as tx:
                    return work(tx)
            except PassedError:
                if attempt % VIEWS_TO_FORGET == 0:
                    self.forget_mirrors()
        raise StorageBusyError(self.database.path, 0.0)

    def forget_mirrors(self) -> None:
        """Drop what is held in memory of the database."""
        self.index.forget()
        self.word_index.forget()
        self.field_index.forget()

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
        """Refuse to go on in a home that was moved to another embedder since it was opened.

        Raises:
            EmbedderMovedError: It was.
        """
        if self.embedder is None:
            return
        ours, bound = Space(self.embedder.model_id, self.embedder.dims), tx.space()
        if bound is not None and bound != ours:
            raise EmbedderMovedError(bound.model_id, bound.dims, ours.model_id, ours.dims)

    def renew(self, rows: Sequence[int], now: datetime) -> None:
        """Let the lifetimes of rows that were read run anew from ``now``.

        At once, unless somebody else is writing: then a moment later, by ``flush_usage``. A
        read waits for nobody, and a home that cannot be written can still be read.
        """
        try:
            with self.database.write(wait_seconds=READS_WAIT_SECONDS) as tx:
                tx.records.refresh(rows, now=now)
        except (StorageBusyError, StorageFullError, HomeReadOnlyError) as exc:
            self.usage.owe(dict.fromkeys(rows, now))
            _log.info("%d lifetimes are renewed later: %s", len(rows), exc)

    def flush_usage(self, *, wait_seconds: float | None = None) -> None:
        """Write what reads have left to be written, and what was counted.

        Raises as ``Database.write``. What cannot be written now is kept for the next call.
        """
        used, owed, counted = self.usage.take(), self.usage.take_owed(), self.tally.take()
        if not used and not owed and not counted:
            return
        try:
            with self.database.write(wait_seconds=wait_seconds) as tx:
                tx.records.touch(used)
                _renew_late(tx, owed)
                tx.counts.add([Count(*key, times) for key, times in counted.items()])
        except BaseException:
            self.tally.put_back(counted)
            self.usage.put_back(used)
            self.usage.owe(owed)
            raise


def _renew_late(tx: Transaction, owed: Mapping[int, datetime]) -> None:
    """Let lifetimes run anew from a while ago, unless a write has given them a later end."""
    for each in tx.records.heads(list(owed)):
        minutes, ends = each.lifetime.ttl_minutes, each.lifetime.expires_at
        if minutes is None or ends is None:
            continue
        if owed[each.row] + timedelta(minutes=minutes) > ends:
            tx.records.refresh([each.row], now=owed[each.row])
