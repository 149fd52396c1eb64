"""Keeps an index in step with the database, whatever dies.

Theory of operation
===================

The database is the truth. A write commits the record, its vectors and one announcement in
the outbox together, and returns: no index takes part. The follower is a thread that reads
the announcements in order, hands them to a mirror (the index, in a process of its own), and
when the mirror has confirmed a batch, goes on to the next. How far the mirror has come is
written *in the mirror*, after the vectors it speaks of. What is noted in the database
(``Outbox.follow``) is only for pruning and for whoever asks; it never decides anything.

What may be killed, when, and why nothing is lost:

* This process, or this thread, at any instant: the announcements are still in the outbox.
  The next follower asks the mirror how far it came and continues there.
* The mirror between two batches: the same. Within a batch: its position is the old one, the
  batch is sent again. Giving a row its vectors twice is giving them once.
* The mirror after a batch but before its position is written: the same again.
* Either between the mirror's confirmation and the note in the database: the note is behind,
  so too little is pruned. It is made up at the next note.
* During the first filling: the mirror keeps the announcement number from *before* the
  snapshot was read, and is called complete only when the snapshot is through. A filling that
  was interrupted goes on with the rows that are missing; whatever changed meanwhile was
  announced after that number, and is repeated from there.
* The mirror's files, damaged or deleted: opening them, or the check that follows each
  opening, fails, and a new generation is filled from the vectors in the database.

When the mirror's word does not count: its position lies after the last announcement (the
database is an older copy), or before the first one that is still kept, or it belongs to
another embedding space. Then it is filled anew too.

Until the check has passed, and whenever anything here is in doubt, :meth:`Follower.position`
is None and searches are exact. The check compares, under one view of the database, which rows
the mirror holds and how many vectors each has, and asks it for stored vectors, which must
find themselves; only rows with announcements still owed are left out of it. Counts alone
would not do: a damaged Chroma collection was seen to count 2,600 vectors and find 7 of 200.

What the check does not find it asks for again, a few times, before it condemns a generation.
One that passed when it was opened and finds too little later is worn, not damaged: it is
filled anew, and an audit calls that a note. Nor is it a fault that a process was slow or was
killed, as long as the same generation goes on.

Where a file stands in the folder's place, or the folder may not be written, nothing is
counted against the mirror and nothing is removed: the phase is ``failed``, whoever waits is
told at once, and every few seconds this thread looks whether the place is free.

The mirror has one owner among all processes. Who finds it taken searches exactly, and looks
again every few seconds.
"""

from __future__ import annotations

import threading
from pathlib import Path
from time import monotonic

import numpy as np

from langgraph_memory.ports import Vectors
from langgraph_memory.storage.chroma.contract import (
    FollowerState,
    MirrorFailedError,
    Position,
    Proposals,
)
from langgraph_memory.storage.following import FOLLOWER, Audited, Following

__all__ = ["FOLLOWER", "Audited", "Follower"]


class Follower(Following):
    """The thread that feeds a mirror, as others see it: idle until ``start`` or ``drain``.

    The mirror is closed together with it.
    """

    @property
    def state(self) -> FollowerState:
        """Return what it is doing."""
        return self._state

    @property
    def folder(self) -> Path:
        """Return where the mirror is kept."""
        return self._mirror.folder

    def start(self, *, delay_seconds: float = 0.0) -> None:
        """Start following, after a delay; a second call, or one after a fork, does nothing.

        Args:
            delay_seconds: How long to stay idle first, so that a command that is over by
                then never pays for the index. A ``drain`` ends the delay.
        """
        if self._forked:
            return
        with self._changed:
            if self._stopping or self._thread is not None:
                return
            self._thread = threading.Thread(
                target=self._run, args=(delay_seconds,), name="follower", daemon=True
            )
            self._thread.start()

    def poke(self) -> None:
        """Say that something was written; it would be seen within a second anyhow."""
        if self._thread is not None and not self._forked:
            with self._changed:
                self._poked = True
                self._changed.notify_all()

    def drain(self, timeout_seconds: float) -> bool:
        """Wait until all that was committed before the call is in the index; tell whether it is.

        If another process owns the index, wait until that one has noted as much.
        """
        if self._forked:
            return False
        deadline = monotonic() + timeout_seconds
        with self._database.read() as tx:
            target = tx.outbox.last()
        self.start()
        with self._changed:
            self._look_again()
            self._urgent = True
            self._changed.notify_all()
            while self._state.phase not in ("failed", "closed"):
                state = self._state
                if state.phase == "following" and state.sequence >= target and not self._doubt:
                    return True
                if self._state.phase == "held" and self._noted_elsewhere(target):
                    return True
                if (left := deadline - monotonic()) <= 0 or self._stopping:
                    return False
                self._changed.wait(min(left, 0.2))
        return False

    def audit(self, timeout_seconds: float) -> Audited:
        """Bring the mirror into step and compare it with the database; return what came of it.

        A mirror that proves wrong is filled anew, as always; its faults are told all the same.
        """
        asked = Audited()
        deadline = monotonic() + timeout_seconds
        with self._changed:
            self._audit = asked
        self.drain(timeout_seconds)  # starts, and wakes, the thread
        with self._changed:
            while not asked.done and self._state.phase not in ("held", "failed", "closed"):
                if (left := deadline - monotonic()) <= 0 or self._forked or self._stopping:
                    break
                self._changed.wait(min(left, 0.2))
            self._audit = None
        return asked

    def rebuild(self) -> None:
        """Throw the index away and fill a new one; searches are exact until it is in step.

        If another process owns the index, this waits until that one ends.
        """
        if self._forked:
            return
        with self._changed:
            self._rebuild = True
            self._tally.forgive()
            self._set("opening")
            self._urgent = True
            self._changed.notify_all()
        self.start()

    def position(self) -> Position | None:
        """Return how far the mirror has come, or None when it must not be searched."""
        if self._forked:
            return None
        with self._changed:
            state = self._state
            if state.phase != "following" or state.generation is None or self._doubt:
                return None
            return Position(self._epoch, state.sequence)

    def propose(self, position: Position, query: Vectors, *, limit: int) -> Proposals | None:
        """Return neighbours of one query from a mirror that has come at least to ``position``.

        None if it is in trouble, or was opened anew meanwhile. It is not asked again until
        this thread has made sure that it lives.
        """
        try:
            found = self._mirror.nearest(
                query[np.newaxis], limit=limit, timeout_seconds=self._pace.query
            )
        except MirrorFailedError as exc:
            self._doubt_it(position, exc)
            return None
        after = self.position()
        return found if after is not None and after.epoch == position.epoch else None

    def close(self) -> None:
        """Stop, and end the mirror; a second call does nothing."""
        if self._forked:
            return
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(self._pace.grace)
        self._mirror.close(grace_seconds=self._pace.grace)
        if self._thread is not None:
            self._thread.join(1.0)
        self._set("closed")
