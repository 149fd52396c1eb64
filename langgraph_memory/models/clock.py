"""The only place that asks the machine for the time."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

_MICROSECOND = timedelta(microseconds=1)


class SystemClock:
    """``ports.Clock``: UTC, and strictly later at each call within this process.

    A machine clock that is set back does not run backwards here; it stands still, a
    microsecond a call, until real time has caught up.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return now."""
        with self._lock:
            now = datetime.now(UTC)
            if now <= self._last:
                now = self._last + _MICROSECOND
            self._last = now
            return now
