"""What every contract speaks of: vectors, rows, time, ids, and how long a record is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""``(n, dims)`` float32, C-contiguous, rows of unit length; or ``(dims,)`` for one."""


Rows = npt.NDArray[np.int64]


class Clock(Protocol):
    """The only source of now."""

    def __call__(self) -> datetime:
        """Return the present instant: aware, UTC, microseconds, never running backwards."""


IdFactory = Callable[[], str]
"""Returns a new id on each call: URL-safe text, unguessable, unique."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The mutable side of a record: retention, not truth.

    Attributes:
        ttl_minutes: Life after the last write or refreshing read; None is permanent.
        expires_at: When it ends, UTC; None is permanent. Expired records are invisible
            before any sweep removes them.
        protected: Never evicted to make room. It still expires.
    """

    ttl_minutes: float | None = None
    expires_at: datetime | None = None
    protected: bool = False

    def over(self, now: datetime) -> bool:
        """Tell whether the retention has ended."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Space:
    """An embedding space. Vectors of two spaces never meet."""

    model_id: str
    dims: int
