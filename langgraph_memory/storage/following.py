"""The follower's thread: opens the mirror, feeds it, judges what goes wrong, and backs off.

What may be killed when, and why nothing is lost, stands in ``storage/follow.py``.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic

from langgraph_memory.errors import ClosedError, MemoryLayerError, StorageBusyError
from langgraph_memory.ports import Database
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


class Following:
    """One mirror, and the thread that keeps it in step.

    Args:
        database: The truth.
        mirror: The index to keep in step.
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
