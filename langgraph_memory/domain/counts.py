"""What is counted so that an operator sees it: what was refused, noticed and held; no content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class What(StrEnum):
    """What is counted."""

    REFUSED = "refused"
    """A rule of the write policy, or what an action was based on, said no."""
    REDACTED = "redacted"
    """Credentials were taken out of a text before it was written down."""
    QUARANTINED = "quarantined"
    """Text from outside read like an order to its reader and was set aside."""
    HELD = "held"
    """A statement waits for review beside what holds."""
    DENIED = "denied"
    """Somebody reached for what is another's: a role they lack, a thread, a record, a name."""
    UNEXPECTED_WRITER = "unexpected writer"
    """A write came from where it may not come."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often something happened on one day.

    Attributes:
        tenant: Whose; empty where nobody could be told.
        user: Who did it; None for the organization's program, and where nobody could be told.
        day: The day, UTC.
        what: What happened.
        times: How often.
    """

    tenant: str
    user: str | None
    day: date
    what: What
    times: int
