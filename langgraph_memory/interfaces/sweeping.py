"""The thread that sweeps a store from time to time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, Self

from langgraph_memory.errors import ClosedError, MemoryLayerError

SWEEP_MINUTES = 5.0

_log = logging.getLogger(__name__)


class Sweeper(Future[None]):
    """A running sweep; done when it was stopped. ``await`` gives it back, still running.

    A sweep that fails, because another program holds the database, is tried again the next
    time.
    """

    def __init__(self, sweep: Callable[[], int], *, minutes: float) -> None:
        super().__init__()
        self._sweep = sweep
        self._seconds = 60 * minutes
        self._stop = threading.Event()
        threading.Thread(target=self._run, name="memory-sweeper", daemon=True).start()

    def stop(self, timeout: float | None = None) -> bool:
        """End it; tell whether it has ended within ``timeout`` seconds."""
        self._stop.set()
        try:
            self.exception(timeout)
        except TimeoutError:
            return False
        return True

    def cancel(self) -> bool:
        """End it, without waiting."""
        self._stop.set()
        return True

    def __await__(self) -> Generator[Any, None, Self]:
        yield from ()
        return self

    def _run(self) -> None:
        try:
            while not self._stop.wait(self._seconds):
                try:
                    self._sweep()
                except ClosedError:
                    break
                except MemoryLayerError as exc:
                    _log.warning("nothing swept, to be tried again: %s", exc)
        finally:
            self.set_result(None)
