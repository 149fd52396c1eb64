"""How long a follower waits for what, and when it loses patience with a mirror."""

from __future__ import annotations

from dataclasses import dataclass

STRIKES = 3
"""After so many a generation is given up: one for a failure in use, two for one at opening,
before the check has passed. Damaged files that crash their reader do so at opening."""
MAX_REBUILDS = 5


@dataclass(frozen=True, slots=True)
class Pace:
    """All in seconds.

    Attributes:
        tick: Between two looks at the outbox when nobody pokes.
        gather: For more writes to come, after a poke: a mirror takes a hundred changes for
            little more than one.
        held: Until looking again whether the mirror's owner is still there.
        note: Between two notes of the position in the database.
        query: For an answer of the mirror, after which a search goes on without it.
        ping: For a sign of life, after a query that took too long.
        back_off: After each failure in a row; the last for all that follow.
        healthy: Until earlier failures no longer count.
        grace: For the mirror to end by itself.
    """

    tick: float = 1.0
    gather: float = 0.2
    held: float = 2.0
    note: float = 1.0
    query: float = 2.0
    ping: float = 5.0
    back_off: tuple[float, ...] = (0.1, 0.5, 2.0, 10.0, 60.0, 300.0)
    healthy: float = 60.0
    grace: float = 0.5


USUAL = Pace()


class Tally:
    """Counts a mirror's failures.

    Attributes:
        fresh: Whether the next opening shall begin a new generation.
    """

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._in_a_row = self._strikes = self._rebuilds = 0
        self._healthy_since: float | None = None
        self.fresh = False

    @property
    def calm(self) -> bool:
        """Tell whether the last attempt was no failure."""
        return self._in_a_row == 0

    def given_up(self) -> bool:
        """Tell whether there were so many rebuilds that another would not help."""
        return self._rebuilds > MAX_REBUILDS

    def forgive(self) -> None:
        """Start counting anew."""
        self._in_a_row = self._strikes = self._rebuilds = 0

    def passed(self, now: float) -> None:
        """Count an opening that passed the check."""
        self._in_a_row = 0
        self._healthy_since = now

    def worked(self, now: float) -> None:
        """Count a round without trouble."""
        since = self._healthy_since
        if since is not None and now - since > self._pace.healthy:
            self._strikes = self._rebuilds = 0

    def failed(self, *, proven: bool, in_use: bool) -> float:
        """Count a failure; return how long to wait before the next attempt.

        Args:
            proven: The generation itself was found to be wrong.
            in_use: Its check had passed.
        """
        self._healthy_since = None
        self._strikes += 1 if in_use else 2
        if proven or self._strikes >= STRIKES:
            self._strikes, self.fresh = 0, True
            self._rebuilds += 1
        delay = self._pace.back_off[min(self._in_a_row, len(self._pace.back_off) - 1)]
        self._in_a_row += 1
        return delay
