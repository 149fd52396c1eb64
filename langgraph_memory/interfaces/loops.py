"""Where the coroutines of asynchronous embedders run.

What an asynchronous client has opened on one event loop can be used on no other. So a
coroutine runs on the loop of the caller who waits for it, or, where the caller is plain
code, on one loop that lasts as long as the process.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_callers: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("callers", default=None)
_PATIENCE_SECONDS = 0.2
_lock = threading.Lock()
_lasting: tuple[int, asyncio.AbstractEventLoop] | None = None


@contextmanager
def on_this_loop() -> Iterator[None]:
    """Let what worker threads await meanwhile run on the running loop."""
    token = _callers.set(asyncio.get_running_loop())
    try:
        yield
    finally:
        _callers.reset(token)


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end while this thread waits, and return what it returns."""
    loop = _callers.get()
    if loop is None or not loop.is_running() or loop is _running():
        loop = _lasting_loop()
    done = asyncio.run_coroutine_threadsafe(coroutine, loop)
    while True:
        try:
            return done.result(_PATIENCE_SECONDS)
        except TimeoutError:
            if done.done():
                raise
            if not loop.is_running():
                done.cancel()
                if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
                    coroutine.close()  # the loop never came to it
                raise LoopEndedError from None


class LoopEndedError(RuntimeError):
    """The caller's event loop ended before the coroutine did."""

    def __init__(self) -> None:
        super().__init__("the caller's event loop ended meanwhile")


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _lasting_loop() -> asyncio.AbstractEventLoop:
    """Return the loop for plain code, in a thread of its own; a forked child makes another."""
    global _lasting
    with _lock:
        if _lasting is None or _lasting[0] != os.getpid():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="memory-embedder", daemon=True).start()
            _lasting = os.getpid(), loop
        return _lasting[1]
