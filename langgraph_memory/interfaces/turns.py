"""Asynchronous calls of a store: off the event loop, in the order they were made.

Calls that are made together, as by ``asyncio.gather``, wait for one another anyhow: those
that only write share one transaction, each undone alone if it is refused, and those that
only look items up share one visit to a thread. What ranks by a query goes its own way, since
its embedding may take long. The threads are the store's own: the loop's default ones may
all be busy with somebody else's work, or be needed by an asynchronous embedder.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from langgraph.store.base import Op, PutOp, Result, SearchOp

THREADS = 8
MOST_TOGETHER = 500
"""Calls that share one transaction: a caller at the end of the line should not wait long."""

Outcome = list[Result] | Exception
T = TypeVar("T")


class _Sort(Enum):
    WRITES = auto()
    LOOKS = auto()
    ALONE = auto()


@dataclass(eq=False, slots=True)
class _Call:
    ops: list[Op]
    sort: _Sort
    done: asyncio.Future[list[Result]]

    def settle(self, outcome: Outcome) -> None:
        if self.done.done():
            return  # its caller went away
        if isinstance(outcome, Exception):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


@dataclass(slots=True)
class _Line:
    """Who waits on one loop, and the task that serves them."""

    waiting: deque[_Call] = field(default_factory=deque)
    task: asyncio.Task[None] | None = None


class Turns:
    """The line in front of a store.

    Args:
        batch: Does one call.
        writes: Does several calls of puts alone, in order; one outcome each.
    """

    def __init__(
        self,
        batch: Callable[[list[Op]], list[Result]],
        writes: Callable[[Sequence[list[Op]]], list[Outcome]],
    ) -> None:
        self._batch = batch
        self._writes = writes
        self._lock = threading.Lock()
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[_Line, _Line]] = (
            WeakKeyDictionary()
        )
        self._pool: ThreadPoolExecutor | None = None
        self._pid = os.getpid()

    async def run(self, ops: list[Op]) -> list[Result]:
        """Do one call. Raises what the call raises."""
        sort = _sort(ops)
        if sort is _Sort.ALONE and not any(isinstance(op, PutOp) for op in ops):
            return await self.in_thread(self._batch, ops)
        loop = asyncio.get_running_loop()
        call = _Call(ops, sort, loop.create_future())
        line = self._line(loop, looks=sort is _Sort.LOOKS)
        line.waiting.append(call)
        if line.task is None or line.task.done():
            line.task = loop.create_task(self._serve(line))
        return await call.done

    async def in_thread(self, work: Callable[..., T], *args: Any, **options: Any) -> T:
        """Run some work on a thread of the store's own."""
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(
            self._threads(), lambda: context.run(work, *args, **options)
        )

    def close(self) -> None:
        """End the threads once they are done; a second call does nothing."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None and self._pid == os.getpid():
            pool.shutdown(wait=False)

    async def _serve(self, line: _Line) -> None:
        calls: list[_Call] = []
        try:
            while line.waiting:
                calls = _together(line.waiting)
                outcomes = await self.in_thread(self._outcomes, calls)
                for call, outcome in zip(calls, outcomes, strict=True):
                    call.settle(outcome)
        except BaseException as exc:
            # The loop ends, or there are no threads any more: nobody is left waiting.
            failure = exc if isinstance(exc, Exception) else None
            for call in [*calls, *line.waiting]:
                call.settle(failure) if failure else call.done.cancel()
            line.waiting.clear()
            if failure is None:
                raise

    def _outcomes(self, calls: Sequence[_Call]) -> list[Outcome]:
        if calls[0].sort is _Sort.WRITES:
            return self._writes([call.ops for call in calls])
        return [self._outcome(call) for call in calls]

    def _outcome(self, call: _Call) -> Outcome:
        try:
            return self._batch(call.ops)
        except Exception as exc:  # noqa: BLE001 - it is the caller's, who gets it
            return exc

    def _line(self, loop: asyncio.AbstractEventLoop, *, looks: bool) -> _Line:
        with self._lock:
            return self._lines.setdefault(loop, (_Line(), _Line()))[looks]

    def _threads(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None or self._pid != os.getpid():
                self._pid = os.getpid()
                self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="memory-store")
            return self._pool


def _sort(ops: Sequence[Op]) -> _Sort:
    puts = sum(isinstance(op, PutOp) for op in ops)
    if puts == len(ops):
        return _Sort.WRITES if ops else _Sort.LOOKS
    ranked = any(isinstance(op, SearchOp) and op.query for op in ops)
    return _Sort.ALONE if puts or ranked else _Sort.LOOKS


def _together(waiting: deque[_Call]) -> list[_Call]:
    """Take the next call from the line, and those behind it that may go with it."""
    taken = [waiting.popleft()]
    while waiting and len(taken) < MOST_TOGETHER:
        if taken[0].sort is _Sort.ALONE or waiting[0].sort is not taken[0].sort:
            break
        taken.append(waiting.popleft())
    return taken
