"""What search is told of new texts, embedded together: each distinct one once, none lost.

An embedder may refuse one text of a batch: too long for it, or against its rules. The
others must not suffer, and the refused one must stay findable by its words.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from langgraph_memory.errors import EmbeddingError
from langgraph_memory.ports import Embedder, IndexEntry, Signs, Transaction, Vectors, is_late
from langgraph_memory.text.tokens import tokens
from langgraph_memory.text.windows import windows

BATCH = 256
"""Texts handed to an embedder at a time."""

LATE_WINDOWS = 4
"""Windows of a long text whose word pieces are kept: about a thousand pieces, 48 kB."""

_PROBE = "ok"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts by which a record is to be found.

    Attributes:
        texts: What is embedded: a long text becomes several vectors.
        spoken: What goes into full text, where that is not simply all of ``texts``.
        late: Whether the word pieces of the first text are kept, for late interaction.
    """

    texts: tuple[str, ...] = ()
    spoken: str | None = None
    late: bool = False

    @property
    def words(self) -> str:
        """The text of the full text."""
        return "\n".join(self.texts) if self.spoken is None else self.spoken


def entries(embedder: Embedder | None, wordings: Sequence[Wording]) -> list[IndexEntry]:
    """Return what search is told of each wording. Slow: never call it in a transaction.

    Raises:
        EmbeddingError: The embedder does not work at all.
    """
    parts = [_parts(each) for each in wordings]
    late = late_parts(embedder, wordings)
    known = {text: vector for text, (vector, _) in late.items()}
    known |= embedded(embedder, [part for group in parts for part in group if part not in known])
    return [
        IndexEntry(
            tokens=tuple(tokens(wording.words)),
            vectors=stacked([known[part] for part in group if part in known]),
            texts=wording.texts,
            spoken=wording.spoken,
            pieces=pieces_of(wording, late),
        )
        for wording, group in zip(wordings, parts, strict=True)
    ]


LateParts = Mapping[str, tuple[Vectors, Signs]]


def late_parts(embedder: Embedder | None, wordings: Sequence[Wording]) -> LateParts:
    """Return the vector and the word pieces of what is to be compared piece by piece.

    Nothing where the embedder cannot, or fails: that is told where vectors are asked for.
    """
    if not is_late(embedder):
        return {}
    asked = dict.fromkeys(part for each in wordings for part in _late_windows(each))
    try:
        return {part: embedder.embed_pieces(part) for part in asked}
    except EmbeddingError:
        return {}


def pieces_of(wording: Wording, late: LateParts) -> Signs | None:
    """Return the pieces of a wording, of all its windows; None where nothing is known of them."""
    found = [late[part][1] for part in _late_windows(wording) if part in late]
    return np.concatenate(found) if found else None


def entry_as_told(tx: Transaction, row: int) -> IndexEntry:
    """Return what search knows of a record's head, to be told again of the same words."""
    wording = Wording(*tx.records.told(row))
    vectors, pieces = tx.records.vectors([row]).get(row), tx.pieces.of([row]).get(row)
    words = tuple(tokens(wording.words))
    return IndexEntry(words, vectors, wording.texts, wording.spoken, pieces)


def embedded(embedder: Embedder | None, texts: Sequence[str]) -> dict[str, Vectors]:
    """Return ``(dims,)`` for each distinct text, those that the embedder refuses left out.

    Raises:
        EmbeddingError: The embedder refuses even the simplest text.
    """
    if embedder is None:
        return {}
    distinct = list(dict.fromkeys(texts))
    found: dict[str, Vectors] = {}
    for start in range(0, len(distinct), BATCH):
        found.update(_batch(embedder, distinct[start : start + BATCH]))
    return found


def embedded_question(embedder: Embedder, question: str) -> Vectors | None:
    """Return ``(dims,)`` for a question, None if the embedder refuses it.

    Raises:
        EmbeddingError: The embedder does not work.
    """
    try:
        return np.asarray(embedder.embed_query(question), dtype=np.float32)
    except Exception as exc:  # noqa: BLE001 - a foreign embedder may raise anything
        _check_works(embedder, exc)
        _log.warning("%s refused a question: asked by words only", embedder.model_id)
        return None


def stacked(rows: Sequence[Vectors]) -> Vectors | None:
    """Return ``(n, dims)``, None for no rows."""
    return np.stack(rows) if rows else None


def _parts(wording: Wording) -> list[str]:
    return list(dict.fromkeys(part for text in wording.texts for part in windows(text)))


def _late_windows(wording: Wording) -> list[str]:
    return windows(wording.texts[0])[:LATE_WINDOWS] if wording.late and wording.texts else []


def _batch(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vectors]:
    try:
        return dict(zip(texts, embedder.embed_documents(texts), strict=True))
    except Exception as exc:  # noqa: BLE001 - a foreign embedder may raise anything
        return _one_by_one(embedder, texts, exc)


def _one_by_one(embedder: Embedder, texts: Sequence[str], failure: Exception) -> dict[str, Vectors]:
    """Embed what can be embedded, after the batch failed as a whole."""
    found: dict[str, Vectors] = {}
    for text in texts:
        if len(texts) > 1:
            found.update(_maybe(embedder, text))
    if not found:
        _check_works(embedder, failure)
    if refused := len(texts) - len(found):
        _log.warning("%s refused %d texts: kept by words only", embedder.model_id, refused)
    return found


def _maybe(embedder: Embedder, text: str) -> dict[str, Vectors]:
    try:
        return {text: embedder.embed_documents([text])[0]}
    except Exception:  # noqa: BLE001 - the same
        return {}


def _check_works(embedder: Embedder, failure: Exception) -> None:
    """Tell an embedder that refuses a text from one that does not work."""
    if not _maybe(embedder, _PROBE):
        if isinstance(failure, EmbeddingError):
            raise failure
        raise EmbeddingError(
            f"{embedder.model_id} could not embed: {type(failure).__name__}: {failure}. "
            "Nothing was written; try again once it works."
        ) from failure
