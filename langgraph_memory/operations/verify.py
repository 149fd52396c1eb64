"""Look at everything a home holds, and on demand make again what is derived.

The truth is never changed here. Where it is damaged, the report says where, and a backup is
the only help. What is derived is compared with what it was made from: words with texts,
vectors with texts, indexes with vectors. Others may read and write meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from langgraph_memory.domain.findings import Check, Fault, Findings
from langgraph_memory.errors import EmbeddingError, StorageDamagedError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.rebuild import retell, right_words, words_fit
from langgraph_memory.operations.reindex import Progress, embed_all, parts_of
from langgraph_memory.ports import Heard, Told, Transaction

BATCH = 500
TRIED = 64
"""Records without vectors that are embedded to find out whether the embedder refuses them."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a look at a home found.

    Attributes:
        checks: Everything that was looked at, as it is now.
        before: The same before the repair; empty if nothing was repaired.
    """

    checks: tuple[Check, ...]
    before: tuple[Check, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether there is no fault."""
        return all(check.well for check in self.checks)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The first faults of every check."""
        return tuple(fault for check in self.checks for fault in check.faults)


def verify(engine: Engine, *, repair: bool = False, progress: Progress | None = None) -> Report:
    """Look at everything; with ``repair``, make what is derived anew and look again.

    Args:
        engine: The ports. Without an embedder, missing vectors are neither judged nor made.
        repair: Whether to repair.
        progress: Called with records done and records in all, from the start for each pass.

    Raises:
        StorageBusyError: Another program holds the database.
        EmbeddingError: A repair needs the embedder, and it does not work.
    """
    found = _look(engine, progress)
    if not repair or all(check.well for check in found):
        return Report(found)
    _repair(engine, progress)
    return Report(_look(engine, progress), before=found)


def _repair(engine: Engine, progress: Progress | None) -> None:
    with engine.database.write() as tx:
        tx.audit.remake_full_text()
        tx.audit.tidy()
    retell(engine, engine.embedder, progress=progress)


def _look(engine: Engine, progress: Progress | None) -> tuple[Check, ...]:
    found: list[Check] = []
    derived = _Derived(progress)
    with _damage_found(found, "reading"), engine.database.read() as tx:
        found += tx.audit.checks()
        derived.look(tx)
        found.append(engine.word_index.check(tx))
    derived.judge_lacking(engine)
    found += [derived.words.check(), derived.vectors.check()]
    with _damage_found(found, "writing"), engine.database.write() as tx:
        found.append(tx.audit.full_text())
    found += engine.index.check()
    if engine.run_state is not None:
        found.append(engine.run_state.check())
    return tuple(found)


@contextmanager
def _damage_found(found: list[Check], name: str) -> Iterator[None]:
    """Let a transaction in a damaged file end badly: what was found in it counts all the same."""
    try:
        yield
    except StorageDamagedError:
        findings = Findings(name)
        findings.add("truth", "database file", "is damaged")
        found.append(findings.check())


class _Derived:
    """Words and vectors, compared with the texts they were made from."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._unnoted = 0
        self._lacking: list[tuple[Told, int]] = []
        self._more: list[str] = []
        self.words = Findings("words")
        self.vectors = Findings("vectors")

    def look(self, tx: Transaction) -> None:
        """Go through all live records."""
        total = tx.records.count((), living=True)
        after = 0
        while batch := tx.audit.heard(after=after, limit=BATCH):
            for heard in batch:
                self._look_at(heard)
            after = batch[-1].told.row
            if self._progress is not None:
                self._progress(self.words.counted, total)
        if goal := tx.reindexing.goal():
            self.vectors.notes.append(f"a move to {goal.model_id} is under way")
        if self._unnoted:
            note = f"{self._unnoted} records are of a release that kept no texts: taken as found"
            self.words.notes.append(note)

    def _look_at(self, heard: Heard) -> None:
        told, place = heard.told, f"record {heard.told.id}"
        self.words.counted += 1
        self.vectors.counted += heard.vectors
        if told.texts is None and (heard.words or heard.vectors):
            self._unnoted += 1
        if not words_fit(heard, right_words(heard)):
            self.words.add("derived", place, "its words are not those of its texts")
        expected = heard.vectors if told.texts is None else len(parts_of(told))
        if not heard.sound:
            self.vectors.add("derived", place, "a vector is missing, or is none of this home")
        elif heard.vectors > expected:
            self.vectors.add("derived", place, "it has more vectors than texts")
        elif heard.vectors < expected:
            self._note_lacking(told, heard.vectors)

    def _note_lacking(self, told: Told, has: int) -> None:
        if len(self._lacking) < TRIED:
            self._lacking.append((told, has))
        else:
            self._more.append(told.id)

    def judge_lacking(self, engine: Engine) -> None:
        """Tell lost vectors from texts that the embedder refuses; embeds, so outside the view."""
        lacking = len(self._lacking) + len(self._more)
        if not lacking:
            return
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
        if refused := lacking - len(lost):
            note = f"the embedder refuses texts of {refused} records: found by words only"
            self.vectors.notes.append(note)


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
