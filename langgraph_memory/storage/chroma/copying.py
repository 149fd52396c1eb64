"""Brings one opening of a mirror into step with the outbox, and finds out whether it lies.

See ``storage/follow.py`` for why this loses nothing. One thread uses a copy; the mirror
stands still between its calls.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import islice
from time import sleep

import numpy as np

from langgraph_memory.ports import Database, OutboxRow, Space, Transaction, Vectors
from langgraph_memory.storage.chroma.contract import (
    Mirror,
    MirrorPastError,
    MirrorWornError,
    MirrorWrongError,
    Rows,
)

BATCH = 1000
PASS = 10 * BATCH
"""Rows read from a snapshot at a time, so that no view of the database stays open for long."""
SAMPLE = 64
FOUND_SHARE = 0.9
"""An honest graph misses its own vectors now and then; a damaged one misses most."""
SAME = 0.999
NEIGHBOURS = 8
CHECK_SECONDS = 60.0
SECOND_LOOKS = (0.05, 0.2, 0.5)
"""Seconds before each further question about what was not found."""


class StoppedError(Exception):
    """Internal: the follower was closed in the middle of long work."""


class Copy:
    """One opening of a mirror.

    Attributes:
        sequence: All announcements up to here are in the mirror.
        generation: The mirror's generation; 0 before it is open.
    """

    def __init__(self, database: Database, mirror: Mirror, *, stopping: Callable[[], bool]) -> None:
        self._database = database
        self._mirror = mirror
        self._stopping = stopping
        self._space: Space | None = None
        self._complete = self._passed = False
        self.sequence = 0
        self.generation = 0

    def open(self, *, fresh: bool) -> bool:
        """Open the mirror; False, and nothing opened, if the home has no space yet.

        Raises:
            MirrorHeldError, MirrorFailedError: As their names say.
            MirrorPastError: The mirror's position is none of this database's.
        """
        with self._database.read() as tx:
            self._space, last, floor = tx.space(), tx.outbox.last(), tx.outbox.floor()
        self.sequence = last
        if self._space is None:
            return False
        opened = self._mirror.open(self._space, base=last, fresh=fresh)
        self.generation, self.sequence = opened.generation, opened.sequence
        if not floor <= opened.sequence <= last:
            raise MirrorPastError(
                f"the index stands at change {opened.sequence}, "
                f"the database keeps {floor} to {last}"
            )
        self._complete = opened.complete
        return True

    def fill(self) -> None:
        """Send every vector the mirror lacks, if it has never had them all."""
        if self._complete:
            return
        rows, counts = self._mirror.holdings()
        done = dict(zip(rows.tolist(), counts.tolist(), strict=True))
        while missing := self._missing(done):
            for start in range(0, len(missing), BATCH):
                self._check_stop()
                chunk = missing[start : start + BATCH]
                self._mirror.apply(chunk, self.sequence)
                done.update((each.row, _count(each)) for each in chunk)
        self._mirror.finish()

    def step(self) -> bool:
        """Send one batch; False if nothing was owed.

        Raises:
            MirrorPastError: The announcements since were pruned, or the space changed.
        """
        self._check_stop()
        with self._database.read() as tx:
            space, floor = tx.space(), tx.outbox.floor()
            batch = tx.outbox.after(self.sequence, limit=BATCH)
        self._check_past(space, floor)
        if not batch:
            return False
        self._mirror.apply(batch, batch[-1].sequence)
        self.sequence = batch[-1].sequence
        return True

    def verify(self) -> int:
        """Compare the mirror with the database, rows still owed left out.

        Returns:
            How many vectors were compared.

        Raises:
            MirrorWrongError: It holds other rows, or does not find what it holds.
            MirrorWornError: It did find it when it was opened, or filled, by this copy.
            MirrorPastError: The announcements since were pruned, or the space changed.
        """
        rows, counts = self._mirror.holdings()
        stride = max(1, len(rows) // SAMPLE)
        truth = array("q")
        sample: list[Vectors] = []
        with self._database.read() as tx:
            self._check_past(tx.space(), tx.outbox.floor())
            owed = {each.row for each in _all_after(tx, self.sequence)}
            for number, each in enumerate(tx.outbox.snapshot()):
                if each.vectors is None or each.row in owed:
                    continue
                truth.extend((each.row, len(each.vectors)))
                if number % stride == 0:
                    sample.append(each.vectors[0])
        settled = ~np.isin(rows, list(owed))
        _check_same(np.column_stack((rows[settled], counts[settled])), truth)
        self._check_found(sample)
        self._passed = True
        return sum(truth[1::2])

    def _check_found(self, sample: list[Vectors]) -> None:
        allowed = (1 - FOUND_SHARE) * len(sample)
        missed = self._missed(sample)
        for pause in SECOND_LOOKS:
            if len(missed) <= allowed:
                return
            self._check_stop()
            sleep(pause)
            missed = self._missed(missed)
        if len(missed) > allowed:
            kind = MirrorWornError if self._passed else MirrorWrongError
            found = len(sample) - len(missed)
            raise kind(f"the index finds {found} of {len(sample)} vectors that are in it")

    def _missed(self, sample: list[Vectors]) -> list[Vectors]:
        """Return the vectors that the mirror does not find."""
        if not sample:
            return []
        answers = self._mirror.nearest(
            np.stack(sample), limit=NEIGHBOURS, timeout_seconds=CHECK_SECONDS
        )
        # Not by row: the same vector may stand in many records.
        best = (max((near.cosine for near in each), default=0.0) for each in answers.lines)
        return [each for each, cosine in zip(sample, best, strict=True) if cosine <= SAME]

    def _check_past(self, space: Space | None, floor: int) -> None:
        if space != self._space or floor > self.sequence:
            raise MirrorPastError("the database was given another past")

    def _missing(self, done: dict[int, int]) -> list[OutboxRow]:
        with self._database.read() as tx:
            lacking = (each for each in tx.outbox.snapshot() if done.get(each.row) != _count(each))
            return list(islice(lacking, PASS))

    def _check_stop(self) -> None:
        if self._stopping():
            raise StoppedError


def _all_after(tx: Transaction, sequence: int) -> Iterator[OutboxRow]:
    while batch := tx.outbox.after(sequence, limit=PASS):
        yield from batch
        sequence = batch[-1].sequence


def _check_same(held: Rows, truth: array[int]) -> None:
    wanted = np.array(truth, np.int64).reshape(-1, 2)
    if not np.array_equal(held, wanted[np.argsort(wanted[:, 0])]):
        raise MirrorWrongError(
            f"the index holds {held[:, 1].sum()} vectors of {len(held)} records, "
            f"the database {wanted[:, 1].sum()} of {len(wanted)}"
        )


def _count(each: OutboxRow) -> int:
    return 0 if each.vectors is None else len(each.vectors)
