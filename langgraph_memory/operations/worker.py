"""A thread that does the home's background work, one leased job at a time.

The queue is durable: a job that was not finished is due again when its lease ends, in this
process or another. Stopping never loses work; it only postpones it. A process whose home was
moved to another embedder leaves the queue to those that have the new one.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import EmbedderMismatchError, StorageBusyError
from langgraph_memory.operations.consolidate import Consolidated, consolidate
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.maintain import sweep
from langgraph_memory.operations.piecing import keep_owed
from langgraph_memory.ports import Job

LEASE_SECONDS = 300.0
ATTEMPTS = 5
POLL_SECONDS = 1.0
SWEEP_SECONDS = 60.0

_log = logging.getLogger(__name__)


class Worker:
    """Drains the job queue in the background. Start it once; close it before the home."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stop = threading.Event()
        self._told = False
        self._thread = threading.Thread(target=self._run, name="memory-worker", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self, *, timeout_seconds: float = 10.0) -> None:
        """Finish the job in hand and end; a second call does nothing."""
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout_seconds)

    def _run(self) -> None:
        idle = SWEEP_SECONDS
        while not self._stop.wait(POLL_SECONDS):
            try:
                self._work()
                with suppress(StorageBusyError):  # it is kept for the next round
                    self._engine.flush_usage(wait_seconds=POLL_SECONDS)
                idle += POLL_SECONDS
                if idle >= SWEEP_SECONDS:
                    sweep(self._engine)
                    self._keep_pieces()
                    idle = 0.0
            except Exception:  # noqa: BLE001 the thread must outlive any one failure
                _log.exception("background work failed; it will be tried again")

    def _work(self) -> None:
        try:
            work_off(self._engine, stop=self._stop)
        except EmbedderMismatchError as exc:
            if not self._told:
                _log.warning("background work is left to other processes: %s", exc)
            self._told = True

    def _keep_pieces(self) -> None:
        with suppress(EmbedderMismatchError, StorageBusyError):
            while not self._stop.is_set() and keep_owed(self._engine):
                pass


def work_off(
    engine: Engine, *, stop: threading.Event | None = None, early: bool = False,
    seconds: float | None = None,
) -> int:  # fmt: skip
    """Do every due job and return how many were done.

    Args:
        engine: The ports.
        stop: Set it to end after the job in hand.
        early: Do jobs that are not due yet, too, unless they failed before.
        seconds: Begin no further job after so long.

    Raises:
        EmbedderMismatchError: The home was moved to another embedder since it was opened
            here; what was not done is for a process that has that one.
    """
    done = 0
    ends = None if seconds is None else time.monotonic() + seconds
    while not (stop is not None and stop.is_set()) and (ends is None or time.monotonic() < ends):
        if do_next(engine, early=early) is None:
            return done
        done += 1
    return done


@dataclass(frozen=True, slots=True)
class Worked:
    """A job that was taken in hand: what it did, or why it could not be done."""

    job: Job
    done: Consolidated | None = None
    error: str = ""


def do_next(engine: Engine, *, early: bool = False, owner: Scope | None = None) -> Worked | None:
    """Do the job that is due the longest; None if nobody may do any now.

    Args:
        engine: The ports.
        early: As for :func:`work_off`.
        owner: Whose jobs only; everybody's if None.

    Raises:
        EmbedderMismatchError: As :func:`work_off`.
    """
    with engine.database.read() as tx:
        if not tx.jobs.waiting(owner):
            return None
        engine.check_space(tx)
    with engine.database.write() as tx:
        job = tx.jobs.lease(now=engine.clock(), seconds=LEASE_SECONDS, early=early, owner=owner)
    return None if job is None else _do(engine, job)


def all_jobs(engine: Engine, owner: Scope | None = None) -> list[Job]:
    """Return the jobs not finished yet, of one owner or all, dead ones included."""
    with engine.database.read() as tx:
        return tx.jobs.waiting(owner)


def queued(engine: Engine, scope: Scope, thread_id: str) -> dict[str, Any]:
    """Return the job that waits for a thread of this owner's, empty if there is none."""
    with engine.database.read() as tx:
        jobs = tx.jobs.waiting(scope.owner)
    job = next((each for each in jobs if each.thread_id == thread_id), None)
    if job is None:
        return {}
    return {"job": job.key, "kind": job.kind, "attempts": job.attempts, "error": job.error}


def _do(engine: Engine, job: Job) -> Worked:
    try:
        done = consolidate(engine, job)
    except EmbedderMismatchError:
        with engine.database.write() as tx:
            tx.jobs.give_back(job)
        raise
    except Exception as exc:  # noqa: BLE001 whatever it was, the job keeps it
        _log.warning("job %s failed (%s)", job.kind, type(exc).__name__)
        error = f"{type(exc).__name__}: {exc}"
        _give_back(engine, job, error)
        return Worked(job, error=error)
    with engine.database.write() as tx:
        tx.jobs.finish(job)
    return Worked(job, done)


def _give_back(engine: Engine, job: Job, error: str) -> None:
    """Try again later, each time after a longer pause; after the last attempt keep it as dead."""
    pause = timedelta(seconds=10 * 2**job.attempts)
    retry = engine.clock() + pause if job.attempts + 1 < ATTEMPTS else None
    with engine.database.write() as tx:
        tx.jobs.fail(job, error, retry=retry)
