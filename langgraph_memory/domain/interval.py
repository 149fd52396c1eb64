"""Half-open spans of time: ``start <= t < end``, UTC, either side may be unbounded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from langgraph_memory.errors import InvalidInputError


def utc(instant: datetime, name: str = "time") -> datetime:
    """Return ``instant`` in UTC.

    Raises:
        InvalidInputError: ``instant`` is naive, and which hour it means cannot be known; or
            in UTC it lies outside the years 1 to 9999.
    """
    if not isinstance(instant, datetime):
        raise InvalidInputError(f"{name} is {instant!r}; give an aware datetime.")
    if instant.tzinfo is None:
        raise InvalidInputError(
            f"{name} {instant.isoformat()} has no time zone. Pass an aware datetime, "
            "for example datetime(2026, 5, 1, tzinfo=UTC)."
        )
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise InvalidInputError(
            f"{name} {instant.isoformat()} lies outside the years 1 to 9999 in UTC. Leave it out "
            "where the time is unbounded."
        ) from None


@dataclass(frozen=True, slots=True)
class Interval:
    """When something holds. ``Interval()`` is always.

    Attributes:
        start: First instant inside, UTC; None if it has held for ever or nobody knows.
        end: First instant outside, UTC; None while no end is known.
    """

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        for name, instant in (("valid_from", self.start), ("valid_until", self.end)):
            if instant is not None and instant.utcoffset() is None:
                utc(instant, name)
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInputError(
                f"valid_until {self.end.isoformat()} lies before valid_from "
                f"{self.start.isoformat()}. Swap them, or leave one out."
            )

    @classmethod
    def of(cls, start: datetime | None = None, end: datetime | None = None) -> Interval:
        """Return the interval with both ends brought to UTC."""
        return cls(
            None if start is None else utc(start, "valid_from"),
            None if end is None else utc(end, "valid_until"),
        )

    def __contains__(self, instant: datetime) -> bool:
        return self.began(instant) and not self.ended(instant)

    def began(self, instant: datetime) -> bool:
        """Tell whether the start lies at or before ``instant``."""
        return self.start is None or self.start <= instant

    def ended(self, instant: datetime) -> bool:
        """Tell whether the end lies at or before ``instant``."""
        return self.end is not None and self.end <= instant

    def until(self, end: datetime) -> Interval:
        """Return the interval cut off at ``end``; an earlier end stays."""
        if self.end is not None and self.end <= end:
            return self
        return Interval(self.start, max(end, self.start) if self.start else end)
