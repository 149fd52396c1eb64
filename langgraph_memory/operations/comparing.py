"""Compares what search has of each live record with what it was told, and that with its seal.

A seal says what was written together, so nothing is embedded for a look: only where a record
is older than its release's seals, and lacks vectors, is its embedder asked why.
"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.errors import EmbeddingError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.rebuild import right_words, words_fit
from langgraph_memory.operations.reindex import Progress, embed_all, parts_of
from langgraph_memory.ports import Heard, Told, Transaction

BATCH = 500
TRIED = 64
"""Records without vectors that are embedded to find out whether the embedder refuses them."""


class Derived:
    """Texts, words and vectors of live records, with their seals.

    Attributes:
        unknown: Of how many records nobody knows whether their vectors are of their texts.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._unnoted = self._refused = 0
        self._lacking: list[tuple[Told, int]] = []
        self._more: list[str] = []
        self.unknown = 0
        self.texts = Findings("texts")
        self.words = Findings("words")
        self.vectors = Findings("vectors")
        self.seals = Findings("seals")

    def look(self, tx: Transaction, *, vectors: bool) -> None:
        """Go through all live records.

        Args:
            tx: One view.
            vectors: Whether to judge vectors; not where nobody knows which model they are of.
        """
        total = tx.records.count((), living=True)
        after = 0
        while batch := tx.audit.heard(after=after, limit=BATCH):
            for heard in batch:
                self._look_at(heard, vectors=vectors)
            after = batch[-1].told.row
            if self._progress is not None:
                self._progress(self.words.counted, total)
        if goal := tx.reindexing.goal():
            self.vectors.notes.append(f"a move to {goal.model_id} is under way")
        if self._unnoted:
            note = f"{self._unnoted} records are of a release that kept no texts: taken as found"
            self.words.notes.append(note)
        if self.unknown:
            note = f"{self.unknown} records are older than their seals: a repair embeds them anew"
            self.vectors.notes.append(note)

    def judge_lacking(self, engine: Engine) -> None:
        """Tell lost vectors from texts that the embedder refuses; embeds, so outside the view."""
        lacking = len(self._lacking) + len(self._more)
        lost: list[str] | None = []
        if lacking:
            try:
                lost = _lost(engine, self._lacking)
            except EmbeddingError:
                lost = None
        if lost is None:
            self.vectors.notes.append(f"{lacking} records lack vectors, of unknown cause")
            return
        lost += self._more if lost else []
        for record_id in lost:
            self.vectors.add("derived", f"record {record_id}", "a vector is missing")
        if refused := self._refused + lacking - len(lost):
            note = f"the embedder refuses texts of {refused} records: found by words only"
            self.vectors.notes.append(note)

    def checks(self) -> list[Check]:
        """Return what was found."""
        return [each.check() for each in (self.texts, self.words, self.vectors, self.seals)]

    def _look_at(self, heard: Heard, *, vectors: bool) -> None:
        place = f"record {heard.told.id}"
        for each in (self.texts, self.words, self.seals):
            each.counted += 1
        self.vectors.counted += heard.vectors
        if heard.seal.whole is False:
            self.seals.add("derived", place, "its seal is missing or broken")
        if heard.seal.texts is False:
            self.texts.add("derived", place, "search was told something else than was written")
            return  # words and vectors are those of the texts that are gone
        if heard.told.texts is None and (heard.words or heard.vectors):
            self._unnoted += 1
        if not words_fit(heard, right_words(heard)):
            self.words.add("derived", place, "its words are not those of its texts")
        if vectors and (problem := self._vector_problem(heard)):
            self.vectors.add("derived", place, problem)

    def _vector_problem(self, heard: Heard) -> str:
        told, seal = heard.told, heard.seal
        expected = heard.vectors if told.texts is None else len(parts_of(told))
        if not heard.sound:
            return "a vector is missing, or is none of this home"
        if seal.vectors is False:
            missing = heard.vectors < expected
            return "a vector is missing" if missing else "its vectors are not those of its texts"
        if seal.model is False:
            return "its vectors are another model's"
        if seal.vectors:
            self._refused += heard.vectors < expected
            return ""
        self.unknown += told.texts is not None and bool(heard.vectors)
        if heard.vectors > expected:
            return "it has more vectors than texts"
        if heard.vectors < expected:
            self._note_lacking(told, heard.vectors)
        return ""

    def _note_lacking(self, told: Told, has: int) -> None:
        if len(self._lacking) < TRIED:
            self._lacking.append((told, has))
        else:
            self._more.append(told.id)


def _lost(engine: Engine, lacking: Sequence[tuple[Told, int]]) -> list[str] | None:
    """Return the ids of records for which the embedder makes more vectors than there are."""
    if engine.embedder is None:
        return None
    made = embed_all(engine.embedder, [told for told, _ in lacking])
    return [
        told.id
        for (told, has), vectors in zip(lacking, made, strict=True)
        if vectors is not None and len(vectors) > has
    ]
