"""Make again what is derived: words from the texts that search was told, vectors, indexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.reindex import Progress, embed_all, wording_of
from langgraph_memory.operations.rewording import possible_texts, worded_by_value
from langgraph_memory.ports import Embedder, Heard, Vectors
from langgraph_memory.text.tokens import tokens

BATCH = 500

SAME = 0.999
"""Cosine from which on two vectors are of the same text: a model elsewhere rounds otherwise."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild did.

    Attributes:
        records: How many records were gone through.
        words: How many of them had other words than they should.
        index: Whether the indexes are filled already; if not, searches are exact meanwhile.
    """

    records: int
    words: int
    index: bool


@dataclass(frozen=True, slots=True)
class Retold:
    """How many records were gone through, and how many were given words, and vectors, anew."""

    records: int = 0
    words: int = 0
    vectors: int = 0


def rebuild(engine: Engine, *, progress: Progress | None = None) -> Rebuilt:
    """Make the words and the indexes anew, from texts and vectors that are kept.

    Nothing is embedded. Others may read and write meanwhile. Doing it twice is doing it once.
    """
    with engine.database.write() as tx:
        tx.audit.remake_full_text()
    retold = retell(engine, None, progress=progress)
    return Rebuilt(retold.records, retold.words, engine.index.rebuild())


def retell(engine: Engine, embedder: Embedder | None, *, progress: Progress | None) -> Retold:
    """Give every live record the words it should have, and with an embedder the vectors too.

    Only what differs is written, or sealed; a record that changes meanwhile needs nothing of
    this. Vectors of which nothing is known are embedded, compared and sealed.

    Raises:
        EmbeddingError: The embedder does not work.
    """
    with engine.database.read() as tx:
        total = tx.records.count((), living=True)
    records = words = vectors = after = 0
    while batch := _heard(engine, after):
        if _retell_texts(engine, batch):
            batch = _heard(engine, after)
        words += _retell_words(engine, batch)
        _seal(engine, [each for each in batch if each.seal.whole is False])
        if embedder is not None:
            vectors += _retell_vectors(engine, embedder, batch)
        after = batch[-1].told.row
        records += len(batch)
        if progress is not None:
            progress(records, max(total, records))
    return Retold(records, words, vectors)


def right_words(heard: Heard) -> tuple[str, ...]:
    """Return the words a record should have: of its texts, or those it has if none are noted."""
    if heard.told.texts is None:
        return heard.words or ()
    return tuple(tokens(wording_of(heard.told).words))


def words_fit(heard: Heard, right: Sequence[str]) -> bool:
    """Tell whether search has exactly these words of a record, in the right place."""
    return (heard.words or ()) == right and heard.length == len(right) and heard.placed


def _heard(engine: Engine, after: int) -> list[Heard]:
    with engine.database.read() as tx:
        return tx.audit.heard(after=after, limit=BATCH)


def _retell_texts(engine: Engine, batch: Sequence[Heard]) -> int:
    """Give texts back that are not those that were sealed."""
    wrong = [each.told for each in batch if each.seal.texts is False]
    if not wrong:
        return 0
    with engine.database.write() as tx:
        for told in wrong:
            by_value = worded_by_value(told)
            otherwise = (by_value.texts, by_value.spoken)
            tx.audit.tell_texts(told.row, told.head, possible_texts(told), otherwise)
    return len(wrong)


def _retell_words(engine: Engine, batch: Sequence[Heard]) -> int:
    right = [right_words(each) for each in batch]
    wrong = [pair for pair in zip(batch, right, strict=True) if not words_fit(*pair)]
    if not wrong:
        return 0
    with engine.database.write() as tx:
        return sum(
            tx.audit.tell_words(heard.told.row, heard.told.head, words) for heard, words in wrong
        )


def _retell_vectors(engine: Engine, embedder: Embedder, batch: Sequence[Heard]) -> int:
    doubtful = [each for each in batch if _is_doubtful(each)]
    made = embed_all(embedder, [each.told for each in doubtful])
    with engine.database.read() as tx:
        stored = tx.records.vectors([each.told.row for each in doubtful if each.sound])
    if not doubtful:
        return 0
    retold = 0
    with engine.database.write() as tx:
        engine.check_space(tx)
        for each, vectors in zip(doubtful, made, strict=True):
            row, head = each.told.row, each.told.head
            if each.sound and alike(stored.get(row), vectors):
                tx.audit.seal(row, head, vectors=True)
            else:
                retold += tx.audit.tell_vectors(row, head, vectors)
    return retold


def _is_doubtful(heard: Heard) -> bool:
    """Tell whether a record's vectors must be made to know whether they are right.

    Those of a record whose texts nobody noted cannot be made: they are taken as found.
    """
    if heard.told.texts is None:
        return not heard.sound
    known = heard.seal.vectors and heard.seal.model is not False
    return not (heard.sound and known)


def alike(one: Vectors | None, other: Vectors | None) -> bool:
    """Tell whether these are vectors of the same texts, in the same order."""
    if one is None or other is None:
        return one is other
    if one.shape != other.shape:
        return False
    return bool(np.all(np.einsum("ij,ij->i", one, other) >= SAME))


def _seal(engine: Engine, lost: Sequence[Heard]) -> None:
    """Seal records that have lost their seal; of their vectors, if any, nothing is known."""
    if lost:
        with engine.database.write() as tx:
            for each in lost:
                tx.audit.seal(each.told.row, each.told.head, vectors=not each.vectors)
