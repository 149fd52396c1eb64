"""What the follower asks of a mirror: an index that copies the vectors of the database.

Nothing here leaves ``storage``: whoever searches while a mirror is in trouble is answered
exactly, and learns of it from the state alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from langgraph_memory.ports import Neighbour, OutboxRow, Space, Vectors

Rows = npt.NDArray[np.int64]
Phase = Literal["idle", "opening", "following", "held", "failed", "closed"]


class MirrorFailedError(Exception):
    """Internal: the mirror's process died or refused; trying again may help."""


class MirrorSlowError(MirrorFailedError):
    """Internal: the mirror did not answer in time."""


class MirrorWrongError(MirrorFailedError):
    """Internal: what the mirror holds cannot be used; it must be filled anew."""


class MirrorPastError(MirrorWrongError):
    """Internal: the mirror is of another past of the database, by no fault of its own."""


class MirrorWornError(MirrorWrongError):
    """Internal: it passed its check when it was opened, and finds too little by now."""


class MirrorBlockedError(MirrorFailedError):
    """Internal: something stands in its place that it may neither use nor remove."""


class MirrorHeldError(Exception):
    """Internal: another process owns the mirror."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a mirror says of itself when it is opened. See ``Generation`` for the meaning."""

    generation: int
    sequence: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a mirror answers to queries.

    Attributes:
        lines: For each query its neighbours, best first; a row with several vectors may repeat.
        whole: Whether the lines are all vectors the mirror has.
    """

    lines: list[list[Neighbour]]
    whole: bool


@dataclass(frozen=True, slots=True)
class Position:
    """How far a usable mirror has come.

    Attributes:
        epoch: Which opening of the mirror; only positions of one epoch are comparable.
        sequence: All announcements up to here are in it.
    """

    epoch: int
    sequence: int


@dataclass(frozen=True, slots=True)
class FollowerState:
    """What the follower is doing.

    Attributes:
        phase: ``idle`` before the start, ``opening`` until the check has passed, ``held``
            while another process owns the mirror, ``failed`` once it gave up, or while
            something stands in the mirror's place.
        sequence: How far the mirror has come; -1 while that is not known.
        generation: The open generation, None if none is open.
        problem: What stands in the way; empty if nothing does.
    """

    phase: Phase
    sequence: int = -1
    generation: int | None = None
    problem: str = ""


class Mirror(Protocol):
    """An index that copies vectors. All methods raise ``MirrorFailedError`` or one below it."""

    @property
    def folder(self) -> Path:
        """Where it is kept."""

    def open(self, space: Space, *, base: int, fresh: bool) -> Opened:
        """Open the present generation, or begin one at ``base`` if there is none or ``fresh``.

        Raises:
            MirrorHeldError: Another process owns it.
            MirrorBlockedError: Its folder cannot be made or used.
        """

    def apply(self, changes: Sequence[OutboxRow], sequence: int) -> None:
        """Give each row its vectors, or none; then keep ``sequence`` as the position."""

    def finish(self) -> None:
        """Note that the filling is complete."""

    def holdings(self) -> tuple[Rows, Rows]:
        """Return the rows it has, ascending, and how many vectors each has."""

    def nearest(self, queries: Vectors, *, limit: int, timeout_seconds: float) -> Proposals:
        """Return up to ``limit`` lines for each of ``(n, dims)`` queries."""

    def ping(self, *, timeout_seconds: float) -> None:
        """Return if it answers."""

    def close(self, *, grace_seconds: float) -> None:
        """End it, by force after the grace; it can be opened again."""
