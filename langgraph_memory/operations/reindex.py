"""Move a home to another embedding model: prepared beside the old vectors, switched at once.

The old embedder answers, and writes, until the switch; the switch is one transaction, after
which every process that still has the old one is refused. Whoever is killed on the way goes
on where they were with the next call, as long as it names the same model; another model
starts over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from langgraph_memory.errors import ConflictError
from langgraph_memory.operations.embedding import Wording, embedded, stacked
from langgraph_memory.operations.rewording import worded_by_value
from langgraph_memory.ports import Database, Embedder, Space, Told, Transaction, Vectors
from langgraph_memory.text.windows import windows

BATCH = 100
"""Records prepared together; who is killed loses so many at most."""

PATIENCE = 5
"""Rounds that other writers may spoil; the one after is done while they wait."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What a move did.

    Attributes:
        model_id, dims: The space the home is in now.
        before: The space it was in, None if it had none or nothing was moved.
        records: How many records were embedded by this call.
        resumed: How many had been prepared by an earlier call that did not finish.
        unread: How many of ``records`` the new model could not read: found by words only.
    """

    model_id: str
    dims: int
    before: Space | None = None
    records: int = 0
    resumed: int = 0
    unread: int = 0


def reindex(
    database: Database, embedder: Embedder, *, progress: Progress | None = None
) -> Reindexed:
    """Move a home to the space of ``embedder``; one that is there already is left as it is.

    Args:
        database: The truth; nothing may be assumed about who else uses it.
        embedder: The new one.
        progress: Called with records done and records in all, which may grow meanwhile.

    Raises:
        EmbeddingError: The new embedder does not work; what it did so far is kept.
        ConflictError: Somebody else began to move the home to yet another model.
    """
    space = Space(embedder.model_id, embedder.dims)
    with database.write() as tx:
        before = tx.space()
        if before == space:
            tx.reindexing.abandon()
            return Reindexed(space.model_id, space.dims)
        if not getattr(embedder, "named", True):
            tx.reindexing.abandon()  # another function of that name may have begun
        tx.reindexing.begin(space)
        resumed, _ = tx.reindexing.count()
    move = _Move(database, embedder, space, progress or _silent)
    move.run()
    return Reindexed(space.model_id, space.dims, before, move.records, resumed, move.unread)


def wording_of(told: Told) -> Wording:
    """Return the wording by which a record is to be found; by its value where none is noted."""
    if told.texts is not None:
        return Wording(told.texts, told.spoken)
    return worded_by_value(told)


def parts_of(told: Told) -> list[str]:
    """Return the distinct texts to embed for a record."""
    return list(dict.fromkeys(part for text in wording_of(told).texts for part in windows(text)))


def embed_all(embedder: Embedder, batch: Sequence[Told]) -> list[Vectors | None]:
    """Return the vectors of each record, None where the embedder reads nothing of it.

    Raises:
        EmbeddingError: The embedder does not work at all.
    """
    parts = [parts_of(each) for each in batch]
    known = embedded(embedder, [part for group in parts for part in group])
    return [stacked([known[part] for part in group if part in known]) for group in parts]


class _Move:
    """One run towards a space."""

    def __init__(
        self, database: Database, embedder: Embedder, space: Space, progress: Progress
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._space = space
        self._progress = progress
        self.records = self.unread = 0

    def run(self) -> None:
        for spoiled in count():
            self._prepare_all()
            with self._database.write() as tx:
                if self._arrived(tx):
                    return
                if spoiled >= PATIENCE:
                    # Writers that never pause would put the last records off for ever. These
                    # few are embedded while they wait, against the rule of the port.
                    self._prepare(tx, tx.reindexing.owed(after=0, limit=BATCH))
                if tx.reindexing.switch():
                    return

    def _prepare_all(self) -> None:
        with self._database.read() as tx:
            done, total = tx.reindexing.count()
        after = 0
        while batch := self._owed(after):
            self._progress(done, total)
            made = embed_all(self._embedder, batch)
            with self._database.write() as tx:
                if self._arrived(tx):
                    return
                self._keep(tx, batch, made)
            after = batch[-1].row
            done += len(batch)
            if len(batch) < BATCH:
                break  # what came meanwhile is for the next round
        self._progress(total, total)

    def _owed(self, after: int) -> list[Told]:
        with self._database.read() as tx:
            return tx.reindexing.owed(after=after, limit=BATCH)

    def _prepare(self, tx: Transaction, batch: Sequence[Told]) -> None:
        self._keep(tx, batch, embed_all(self._embedder, batch))

    def _keep(self, tx: Transaction, batch: Sequence[Told], made: Sequence[Vectors | None]) -> None:
        for told, vectors in zip(batch, made, strict=True):
            tx.reindexing.prepare(told.row, told.head, vectors)
        self.records += len(batch)
        self.unread += sum(vectors is None for vectors in made)

    def _arrived(self, tx: Transaction) -> bool:
        """Tell whether another run has switched to the same space before this one."""
        goal = tx.reindexing.goal()
        if goal == self._space:
            return False
        if goal is None and tx.space() == self._space:
            return True
        raise ConflictError(
            f"This home is being moved to {goal.model_id if goal else 'another embedder'} by "
            f"another call, not to {self._space.model_id} any more. Let one of the two finish."
        )


def _silent(done: int, total: int) -> None:
    """Tell nobody."""
