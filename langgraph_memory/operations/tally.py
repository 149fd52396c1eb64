"""Counts what was refused and noticed, in memory: it is written later, and delays nothing."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from langgraph_memory.domain.counts import Count, What
from langgraph_memory.domain.scope import Scope

MOST_KEYS = 10_000
"""Counters held at most; past that, who did it is left out."""

_Key = tuple[str, str | None, date, What]


@dataclass(slots=True)
class Tally:
    """What waits to be written of the counts. A process that is killed loses it."""

    _counted: dict[_Key, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: What, scope: Scope | None, now: datetime) -> None:
        """Count once more what somebody did; None where nobody could be told."""
        who = (scope.tenant, scope.acting or scope.user) if scope else ("", None)
        with self._lock:
            key = (*who, now.date(), what)
            if key not in self._counted and len(self._counted) >= MOST_KEYS:
                key = ("", None, now.date(), what)
            self._counted[key] = self._counted.get(key, 0) + 1

    def take(self) -> dict[_Key, int]:
        """Return what waits, and forget it."""
        with self._lock:
            taken, self._counted = self._counted, {}
            return taken

    def put_back(self, taken: Mapping[_Key, int]) -> None:
        """Remember what was taken and could not be written."""
        with self._lock:
            for key, times in taken.items():
                self._counted[key] = self._counted.get(key, 0) + times

    def waiting(self) -> list[Count]:
        """Return what waits."""
        with self._lock:
            return [Count(*key, times) for key, times in self._counted.items()]

    def forget(self, owner: Scope) -> None:
        """Drop what one owner did."""
        with self._lock:
            theirs = [key for key in self._counted if key[:2] == (owner.tenant, owner.user)]
            for key in theirs:
                del self._counted[key]
