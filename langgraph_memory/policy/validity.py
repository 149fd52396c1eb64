"""Whether a candidate may be used as a current fact, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Status, Version


class Verdict(StrEnum):
    """What validate says of a candidate."""

    VALID = "valid"
    EXPIRED = "expired"
    ENDED = "ended"
    NOT_YET_VALID = "not-yet-valid"
    INVALIDATED = "invalidated"
    DELETED = "deleted"
    UNAPPROVED = "unapproved"
    WRONG_SCOPE = "wrong-scope"
    ABOUT_ANOTHER = "about-another-person"
    DUPLICATE = "duplicate"
    WEAK = "weak"


class Asker(Protocol):
    """Whoever asks: a user with their roles (``policy.access.Reach``)."""

    def reads(self, namespace: Namespace) -> bool:
        """Tell whether they may read what stands there."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, its reason, and the version that holds where one does."""

    verdict: Verdict
    reason: str
    version: Version | None = None


def judge(
    record: Record, *, asker: Asker, now: datetime, expires_at: datetime | None = None
) -> Judgement:
    """Judge one candidate for one asker at one instant."""
    if not asker.reads(record.namespace):
        return Judgement(Verdict.WRONG_SCOPE, "belongs to another scope")
    if expires_at is not None and expires_at <= now:
        return Judgement(Verdict.EXPIRED, f"kept until {expires_at:%Y-%m-%d %H:%M}")
    version = record.current(now)
    if version is None:
        return _refused(record, now)
    return Judgement(Verdict.VALID, _why_valid(record, version), version)


def _refused(record: Record, now: datetime) -> Judgement:
    head = record.head
    when = f"{head.recorded_at:%Y-%m-%d}"
    if head.status is Status.DELETED:
        return Judgement(Verdict.DELETED, f"deleted on {when}")
    if head.status is Status.INVALIDATED:
        return Judgement(Verdict.INVALIDATED, f"marked as false or revoked on {when}")
    if head.status is Status.PENDING:
        return Judgement(Verdict.UNAPPROVED, f"waits for review since {when}")
    if not head.valid.began(now):
        return Judgement(Verdict.NOT_YET_VALID, f"holds from {head.valid.start:%Y-%m-%d}")
    return Judgement(Verdict.ENDED, f"stopped holding on {head.valid.end:%Y-%m-%d}")


def _why_valid(record: Record, version: Version) -> str:
    if version is not record.head:
        return "holds until the newer statement starts or is approved"
    if replaced := len(record.replaced(version)):
        return f"the latest of {replaced + 1} statements"
    return "still holds"
