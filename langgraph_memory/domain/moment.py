"""Which instant a read means, on each of the two clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from langgraph_memory.domain.interval import utc
from langgraph_memory.domain.record import Record, Version


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant of knowing and an instant in the world; None is now.

    Attributes:
        as_of: Read what was believed then: what we learned later is left aside, a deletion too.
        valid_at: Read what held then in the world.
    """

    as_of: datetime | None = None
    valid_at: datetime | None = None

    @classmethod
    def of(cls, as_of: datetime | None, valid_at: datetime | None) -> Self | None:
        """Return the moment in UTC, None for now on both clocks.

        Raises:
            InvalidInputError: An instant without a time zone.
        """
        if as_of is None and valid_at is None:
            return None
        return cls(
            None if as_of is None else utc(as_of, "as_of"),
            None if valid_at is None else utc(valid_at, "valid_at"),
        )

    def said(self, record: Record, now: datetime) -> Version | None:
        """Return the statement of a record that a read at this moment finds."""
        known = record if self.as_of is None else record.known(self.as_of)
        if known is None:
            return None
        if self.valid_at is not None:
            return known.held(self.valid_at)
        return known.current(self.as_of or now)
