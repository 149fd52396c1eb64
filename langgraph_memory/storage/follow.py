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

import os
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

import numpy as np

from langgraph_memory.errors import ClosedError, MemoryLayerError, StorageBusyError
from langgraph_memory.ports import Database, Vectors
from langgraph_memory.storage.chroma.contract import (
    FollowerState,
    Mirror,
    MirrorBlockedError,
    MirrorFailedError,
    MirrorHeldError,
    MirrorPastError,
    MirrorSlowError,
    MirrorWornError,
    MirrorWrongError,
    Phase,
    Position,
    Proposals,
)
from langgraph_memory.storage.chroma.copying import Copy, StoppedError
from langgraph_memory.storage.chroma.patience import USUAL, Pace, Tally

FOLLOWER = "chroma"


@dataclass(slots=True)
class Audited:
    """What an audit of the mirror found.

    Attributes:
        done: Whether the mirror was compared to the end, and is right now.
        vectors: How many vectors were compared.
        worn: Whether it found too little after many changes, and was filled anew for that.
        problems: What was wrong with it before, each told once.
    """

    done: bool = False
    vectors: int = 0
    worn: bool = False
    problems: list[str] = field(default_factory=list)

    def failed(self, exc: MirrorFailedError, *, condemned: bool) -> None:
        """Note a failure, if it is a fault of the generation's.

        What comes of another past, of wear or of a slow machine is none, nor is a failure
        after which the same generation goes on.
        """
        self.worn = self.worn or isinstance(exc, MirrorWornError)
        if not condemned or isinstance(exc, MirrorPastError | MirrorWornError | MirrorSlowError):
            return
        if str(exc) not in self.problems:
            self.problems.append(str(exc))


class Follower:
    """The thread that feeds a mirror. Does nothing until ``start`` or ``drain``.

    Args:
        database: The truth.
        mirror: The index to keep in step; closed together with the follower.
        pace: How long to wait for what.
    """

    def __init__(self, database: Database, mirror: Mirror, *, pace: Pace = USUAL) -> None:
        self._database = database
        self._mirror = mirror
        self._pace = pace
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._copy: Copy | None = None
        self._state = FollowerState("idle")
        self._epoch = 0
        self._poked = self._urgent = self._stopping = False
        self._rebuild = False  # somebody asked for a new generation
        self._reopen = False  # the present opening is over
        self._doubt = ""  # why nobody may search the mirror just now
        self._tally = Tally(pace)
        self._audit: Audited | None = None  # somebody waits for it
        self._noted = (-1, 0.0)

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

    # --- The thread -----------------------------------------------------------------------

    def _run(self, delay_seconds: float) -> None:
        self._sleep(delay_seconds, pokes=False)
        self._set("opening")
        try:
            while self._goes_on():
                self._sleep(self._round(), pokes=self._tally.calm)
        except (StoppedError, ClosedError):
            # close() may have ended the mirror just before this thread opened another.
            self._mirror.close(grace_seconds=self._pace.grace)
        except BaseException as exc:
            self._mirror.close(grace_seconds=self._pace.grace)
            self._set("failed", problem=f"{type(exc).__name__}: {exc}")
            raise

    def _goes_on(self) -> bool:
        with self._changed:
            if self._tally.given_up():
                self._thread = None  # rebuild() may start another
            return not self._stopping and self._thread is not None

    def _round(self) -> float:
        """Do what is due; return how long to wait before the next round."""
        with self._changed:
            self._urgent = self._poked = False
        try:
            self._settle_doubt()
            self._advance()
        except MirrorHeldError as exc:
            self._set("held", problem=str(exc))
            return self._pace.held
        except MirrorBlockedError as exc:
            self._drop()
            self._set("failed", problem=str(exc))
            return self._pace.held
        except MirrorFailedError as exc:
            return self._failed(exc)
        except ClosedError:
            raise
        except MemoryLayerError as exc:  # the database: busy, full; the mirror is not to blame
            if self._copy is None:
                self._drop()
            with self._changed:
                self._state = replace(self._state, problem=str(exc))
            return self._pace.tick
        self._tally.worked(monotonic())
        return self._pace.tick

    def _doubt_it(self, position: Position, exc: MirrorFailedError) -> None:
        with self._changed:
            if self._state.phase != "following" or self._epoch != position.epoch:
                return  # the opening that failed is over, and no fault of the present one
            self._doubt = str(exc)
            self._reopen = self._reopen or not isinstance(exc, MirrorSlowError)
            self._urgent = True
            self._changed.notify_all()

    def _settle_doubt(self) -> None:
        with self._changed:
            doubt, reopen, rebuild = self._doubt, self._reopen, self._rebuild
            self._rebuild = False
            self._tally.fresh = self._tally.fresh or rebuild
        if rebuild:
            self._drop()
        elif reopen:
            raise MirrorFailedError(doubt)
        elif doubt:
            self._mirror.ping(timeout_seconds=self._pace.ping)
            self._doubt = ""

    def _advance(self) -> None:
        if self._copy is None and not self._open():
            return
        assert self._copy is not None
        while self._copy.step():
            self._report()
        self._report()
        self._note(self._copy.sequence)
        if (asked := self._audit) is not None and not asked.done:
            self._answer(asked, self._copy.verify())

    def _open(self) -> bool:
        """Open the mirror and make sure that it tells the truth; False: no vectors yet."""
        copy = Copy(self._database, self._mirror, stopping=lambda: self._stopping)
        if not copy.open(fresh=self._tally.fresh):
            self._set("following", sequence=copy.sequence)
            self._note(copy.sequence)
            if self._audit is not None:
                self._answer(self._audit, 0)
            return False
        self._set("opening", generation=copy.generation, problem=self._state.problem)
        self._tally.fresh = False
        copy.fill()
        while copy.step():
            pass
        copy.verify()
        self._copy = copy
        self._tally.passed(monotonic())
        with self._changed:
            self._epoch += 1
        return True

    def _report(self) -> None:
        copy = self._copy
        assert copy is not None
        with self._changed:
            if not self._reopen and not self._rebuild:
                self._set("following", sequence=copy.sequence, generation=copy.generation)

    def _failed(self, exc: MirrorFailedError) -> float:
        """End the mirror, count the failure, and back off."""
        condemned_before = self._tally.fresh
        delay = self._tally.failed(
            proven=isinstance(exc, MirrorWrongError), in_use=self._copy is not None
        )
        if (asked := self._audit) is not None:
            asked.failed(exc, condemned=self._tally.fresh and not condemned_before)
        self._drop()
        self._set("failed" if self._tally.given_up() else "opening", problem=str(exc))
        return delay

    def _look_again(self) -> None:
        """Forget that something stood in the mirror's place: it may be gone by now."""
        alive = self._thread is not None and self._thread.is_alive()
        if alive and self._state.phase == "failed":
            self._set("opening", problem=self._state.problem)

    def _answer(self, asked: Audited, vectors: int) -> None:
        with self._changed:
            asked.vectors, asked.done = vectors, True
            self._changed.notify_all()

    def _drop(self) -> None:
        self._set("opening", problem=self._state.problem)  # nobody is to search from here on
        self._copy = None
        with self._changed:
            self._reopen, self._doubt = False, ""
        self._mirror.close(grace_seconds=self._pace.grace)

    def _note(self, sequence: int) -> None:
        """Note the position in the database, seldom: a note is a write like any other."""
        noted, when = self._noted
        if sequence == noted or (monotonic() - when < self._pace.note and noted >= 0):
            return
        with suppress(StorageBusyError):  # who waits for the database keeps others waiting
            with self._database.write(wait_seconds=self._pace.tick) as tx:
                tx.outbox.follow(FOLLOWER, sequence)
            self._noted = (sequence, monotonic())

    def _noted_elsewhere(self, target: int) -> bool:
        with self._database.read() as tx:
            return tx.outbox.followed(FOLLOWER) >= target

    def _sleep(self, seconds: float, *, pokes: bool) -> None:
        with self._changed:
            called = self._changed.wait_for(
                lambda: self._stopping or self._urgent or (pokes and self._poked), seconds
            )
            if called and not self._urgent:
                self._changed.wait_for(lambda: self._stopping or self._urgent, self._pace.gather)

    def _set(
        self, phase: Phase, *, sequence: int = -1, generation: int | None = None,
        problem: str = "",
    ) -> None:  # fmt: skip
        with self._changed:
            self._state = FollowerState(phase, sequence, generation, problem)
            self._changed.notify_all()

    @property
    def _forked(self) -> bool:
        return self._pid != os.getpid()
