"""Tell two embedding functions of one name apart: by what they make of texts the home holds.

A model has a name, and vectors are bound to it. A function has only the name of the place
where it was written: after an edit, and for every lambda of a place, another model may stand
behind the same name. So a few texts are embedded anew and compared with the vectors kept of
them, before a function without a model's name is trusted with a home. An empty home trusts
the first that writes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from langgraph_memory.errors import EmbedderNamesakeError
from langgraph_memory.ports import Database, Embedder, Vectors
from langgraph_memory.text.windows import windows

SAMPLES = 3
"""Texts compared; half of them must fit, since one vector may be damaged."""

ALIKE = 0.99
"""Cosine from which two vectors are one model's: servers round, and differ in the last digits."""

_LOOKED_THROUGH = 200
_ANY_TEXT = "ok"

_log = logging.getLogger(__name__)


class ProvenEmbedder:
    """The Embedder port over a function without a model's name: proven before its first use.

    Args:
        embedder: The function's embedder.
        database: Where its vectors are kept.
    """

    def __init__(self, embedder: Embedder, database: Database) -> None:
        self._embedder = embedder
        self._database = database
        self._proven = self._failed = False
        self._refusal: EmbedderNamesakeError | None = None

    @property
    def model_id(self) -> str:
        """Return the place where the function was written."""
        return self._embedder.model_id

    @property
    def dims(self) -> int:
        """Return the length of a vector."""
        return self._embedder.dims

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows. Raises as :meth:`prove`."""
        self.prove()
        self._proven = self._proven or not self._failed  # nothing to compare with: it is the first
        return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector. Raises as :meth:`prove`."""
        self.prove()
        return self._embedder.embed_query(text)

    def reads(self, text: str) -> bool:
        """Return what the function's embedder says."""
        return self._embedder.reads(text)

    def prove(self) -> None:
        """Compare the function with what the home holds; once it fits, do nothing.

        A function that fails just now is neither proven nor refused. Nothing is locked
        meanwhile: an asynchronous function may need the thread that would wait.

        Raises:
            EmbedderNamesakeError: The home's vectors are another function's.
        """
        if self._refusal is not None:
            raise self._refusal
        if self._proven or (samples := self._samples()) is None:
            return
        fits = _fits(self._embedder, *samples)
        if fits is not None and not fits.enough:
            self._refusal = EmbedderNamesakeError(self.model_id, self.dims, fits.worst)
            raise self._refusal
        if fits is None and not self._failed:
            _log.warning("%s could not be compared with the home's vectors", self.model_id)
        self._proven, self._failed = fits is not None, fits is None

    def check_at_opening(self, given: Embedder | None) -> None:
        """Prove the function now, and that the one given for this opening is the same.

        One that needs an event loop is proven with its first use, in the loop of its caller.

        Raises:
            EmbedderNamesakeError: Either is another function than the home was built with.
        """
        if _ready(self._embedder):
            self.prove()
        if given is None or not _ready(given) or _same(self._embedder, given):
            return
        fits = (samples := self._samples()) and _fits(given, *samples)
        if samples is None and _ready(self._embedder):
            ours = _made(self._embedder, [_ANY_TEXT])
            fits = None if ours is None else _fits(given, [_ANY_TEXT], ours)
        if fits and not fits.enough:
            raise EmbedderNamesakeError(self.model_id, self.dims, fits.worst)

    def _samples(self) -> tuple[list[str], Vectors] | None:
        """Return some texts of the home and their vectors; None where it has none."""
        found: list[tuple[str, Vectors]] = []
        with self._database.read() as tx:
            kept = {
                each.row: each.vectors
                for each in islice(tx.outbox.snapshot(), _LOOKED_THROUGH)
                if each.vectors is not None and each.vectors.shape == (1, self.dims)
            }
            for row, texts in tx.records.texts(list(kept)).items():
                if len(texts) == 1 and list(windows(texts[0])) == [texts[0]]:
                    found.append((texts[0], kept[row]))
        distinct = dict(found[:SAMPLES])
        return (list(distinct), np.concatenate(list(distinct.values()))) if distinct else None


def proven(embedder: Embedder, database: Database) -> Embedder:
    """Return an embedder for a home; a function without a model's name is to be proven."""
    named = getattr(embedder, "named", True)
    return embedder if named else ProvenEmbedder(embedder, database)


class _Fit(NamedTuple):
    """How well a function's vectors fit those that are kept."""

    enough: bool
    worst: float


def _fits(embedder: Embedder, texts: Sequence[str], kept: Vectors) -> _Fit | None:
    """Compare a function's vectors with those kept; None if it fails on the texts."""
    made = _made(embedder, texts)
    if made is None:
        return None
    # By distance, not by cosine: a function may make nothing, a zero, of a text.
    near = np.linalg.norm(made - kept, axis=1) <= np.sqrt(2 - 2 * ALIKE)
    return _Fit(2 * int(near.sum()) >= len(texts), float(np.einsum("ij,ij->i", made, kept).min()))


def _made(embedder: Embedder, texts: Sequence[str]) -> Vectors | None:
    """Return the vectors of texts, None if the function fails on them."""
    try:
        return embedder.embed_documents(texts)
    except Exception:  # noqa: BLE001 - a foreign embedder may raise anything
        return None


def _ready(embedder: Embedder) -> bool:
    return not getattr(embedder, "needs_loop", False)


def _same(ours: Embedder, other: Embedder) -> bool:
    """Tell whether two functions are one, or one made twice of the same code and things."""
    mine, theirs = getattr(ours, "function", None), getattr(other, "function", None)
    if mine == theirs:
        return True
    code = getattr(mine, "__code__", None)
    if code is None or code is not getattr(theirs, "__code__", None):
        return False
    return _bound(mine) == _bound(theirs)


def _bound(function: Any) -> list[int]:
    cells: list[Any] = [*(function.__closure__ or ())]
    with suppress(ValueError):  # a cell that is not filled yet
        cells = [cell.cell_contents for cell in cells]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return [id(each) for each in (*cells, *defaults)]
