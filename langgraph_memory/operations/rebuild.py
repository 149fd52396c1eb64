"""Make again what is derived: words from the texts that search was told, vectors, indexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.reindex import Progress, embed_all, parts_of, wording_of
from langgraph_memory.ports import Embedder, Heard, Vectors
from langgraph_memory.text.tokens import tokens

BATCH = 500


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

    Only what differs is written; a record that changes meanwhile needs nothing of this.

    Raises:
        EmbeddingError: The embedder does not work.
    """
    with engine.database.read() as tx:
        total = tx.records.count((), living=True)
    records = words = vectors = after = 0
    while True:
        with engine.database.read() as tx:
            batch = tx.audit.heard(after=after, limit=BATCH)
        if not batch:
            return Retold(records, words, vectors)
        words += _retell_words(engine, batch)
        if embedder is not None:
            vectors += _retell_vectors(engine, embedder, batch)
        after = batch[-1].told.row
        records += len(batch)
        if progress is not None:
            progress(records, max(total, records))


def right_words(heard: Heard) -> tuple[str, ...]:
    """Return the words a record should have: of its texts, or those it has if none are noted."""
    if heard.told.texts is None:
        return heard.words or ()
    return tuple(tokens(wording_of(heard.told).words))


def words_fit(heard: Heard, right: Sequence[str]) -> bool:
    """Tell whether search has exactly these words of a record, in the right place."""
    return (heard.words or ()) == right and heard.length == len(right) and heard.placed


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
    doubtful = [each for each in batch if not each.sound or each.vectors != _expected(each)]
    made = embed_all(embedder, [each.told for each in doubtful])
    wrong = [
        (each.told, vectors)
        for each, vectors in zip(doubtful, made, strict=True)
        if not each.sound or _count(vectors) != each.vectors
    ]
    if not wrong:
        return 0
    with engine.database.write() as tx:
        engine.check_space(tx)
        return sum(tx.audit.tell_vectors(told.row, told.head, new) for told, new in wrong)


def _expected(heard: Heard) -> int:
    """Return how many vectors a record should have, unless the embedder refused some."""
    if heard.told.texts is None:
        return heard.vectors
    return len(parts_of(heard.told))


def _count(vectors: Vectors | None) -> int:
    return 0 if vectors is None else len(vectors)
