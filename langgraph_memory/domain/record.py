"""What a memory is, and how one version gives way to the next.

A record is a name: namespace plus key. Everything ever said under that name is a chain of
versions, oldest first, numbered from 1. A value is never edited; closing a version only
notes when and how it stopped being believed.

Two clocks run through a version and must not be mixed:

* ``valid``        when the statement holds in the world   (may be unknown)
* ``recorded_at``  when we learned it                      (always known)

All instants are timezone-aware UTC. All intervals are half-open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple, Self

from langgraph_memory.domain.interval import Interval, utc
from langgraph_memory.domain.json import JsonObject, same
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import PLAIN, Provenance
from langgraph_memory.errors import (
    InvalidInputError,
    NotFoundError,
    VersionConflictError,
    read_versions,
)


class Status(StrEnum):
    """What we think of a version now."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"
    PENDING = "pending review"
    DELETED = "deleted"


class Version(NamedTuple):
    """One immutable statement in a record. A tuple, because a page of a search makes many.

    Attributes:
        number: Its place in the chain, from 1.
        value: What was said, or None in a tombstone.
        recorded_at: When we learned it, UTC.
        superseded_at: When a later version took over, UTC; None in the head.
        valid: When it holds in the world.
        status: ``DELETED`` exactly in tombstones; ``SUPERSEDED`` never in a head.
        provenance: Where it came from.
    """

    number: int
    value: JsonObject | None
    recorded_at: datetime
    superseded_at: datetime | None = None
    valid: Interval = Interval()
    status: Status = Status.ACTIVE
    provenance: Provenance = PLAIN

    @property
    def refutes(self) -> bool:
        """Whether this version only says that nothing before it holds."""
        return self.status in (Status.DELETED, Status.INVALIDATED)

    def closed(self, now: datetime) -> Self:
        """Return this version as it stands once a later one took over at ``now``."""
        status = Status.SUPERSEDED if self.status is Status.ACTIVE else self.status
        return self._replace(superseded_at=now, status=status)

    def believed(self, instant: datetime) -> bool:
        """Tell whether this version was the head at ``instant``."""
        return self.recorded_at <= instant and (
            self.superseded_at is None or instant < self.superseded_at
        )


@dataclass(frozen=True, slots=True)
class Record:
    """A name and its chain of versions, oldest first, never empty.

    Attributes:
        since: When the life of the first version here began, where older ones were pruned
            or not loaded; None where the first version began it.
    """

    id: str
    namespace: Namespace
    key: str
    versions: tuple[Version, ...]
    since: datetime | None = None

    @classmethod
    def first(
        cls, record_id: str, namespace: Namespace, key: str, value: JsonObject, *,
        now: datetime, valid: Interval = Interval(), provenance: Provenance = PLAIN,
        status: Status = Status.ACTIVE,
    ) -> Record:  # fmt: skip
        """Return a new record whose only version says ``value``."""
        now = utc(now, "now")
        version = Version(1, value, now, None, valid, status, provenance)
        return cls(record_id, namespace, key, (version,))

    @property
    def head(self) -> Version:
        """The last version, whatever it is."""
        return self.versions[-1]

    @property
    def settled(self) -> Version | None:
        """The last version that is no mere proposal; None where all wait for a review."""
        told = (each for each in reversed(self.versions) if each.status is not Status.PENDING)
        return next(told, None)

    @property
    def waiting(self) -> tuple[Version, ...]:
        """What waits for a review, oldest first: every proposal after what was settled last."""
        last = self.settled.number if self.settled else 0
        return tuple(each for each in self.versions if each.number > last)

    @property
    def searched(self) -> Version:
        """The version whose words search is told: what waits beside a statement hides none."""
        settled = self.settled
        return self.head if settled is None or settled.refutes else settled

    @property
    def created_at(self) -> datetime:
        """When the present life of the record began: after its last tombstone, if any."""
        born = self.since or self.versions[0].recorded_at
        for before, after in zip(self.versions, self.versions[1:], strict=False):
            if before.status is Status.DELETED:
                born = after.recorded_at
        return born

    def supersede(
        self, value: JsonObject, *, now: datetime, valid: Interval = Interval(),
        provenance: Provenance = PLAIN, status: Status = Status.ACTIVE,
        expected: int | None = None,
    ) -> Record:  # fmt: skip
        """Return the record with one more statement on the end.

        The old head keeps its value and gains ``superseded_at = now``: nothing that was
        once believed is lost. A tombstone may be superseded: an explicit new statement
        continues the chain.

        Args:
            value: The new statement.
            now: The time of recording, UTC. Brought up to the head's where a clock runs late.
            valid: When the statement holds in the world; unbounded if omitted.
            provenance: Where the statement came from.
            status: ``ACTIVE``, ``PENDING`` for one that waits for review, or ``INVALIDATED`` for
                one that is said to be false.
            expected: The head number the caller last read. Omit to write blind.

        Raises:
            VersionConflictError: The head is no longer ``expected``.
        """
        return self._grown(Version(0, value, now, None, valid, status, provenance), expected)

    def delete(
        self, *, now: datetime, provenance: Provenance = PLAIN, expected: int | None = None
    ) -> Record:
        """Return the record with a tombstone on the end; a deleted record stays as it is."""
        if self.head.status is Status.DELETED:
            self._check_expected(expected)
            return self
        tomb = Version(0, None, now, None, Interval(), Status.DELETED, provenance)
        return self._grown(tomb, expected)

    def invalidate(
        self, *, now: datetime, provenance: Provenance = PLAIN, expected: int | None = None
    ) -> Record:
        """Return the record with its head's statement marked as false or revoked."""
        head = self._live_head()
        return self._grown(
            head._replace(recorded_at=now, status=Status.INVALIDATED, provenance=provenance),
            expected,
        )

    def retract(
        self, until: datetime, *, now: datetime, provenance: Provenance = PLAIN,
        expected: int | None = None,
    ) -> Record:  # fmt: skip
        """Return the record with its head's statement ending at ``until`` in the world."""
        head = self._live_head()
        valid = head.valid.until(utc(until, "until"))
        return self._grown(
            head._replace(recorded_at=now, valid=valid, provenance=provenance), expected
        )

    def restore(
        self, number: int, *, now: datetime, provenance: Provenance = PLAIN,
        expected: int | None = None,
    ) -> Record:  # fmt: skip
        """Return the record with an older version said again, as a new version.

        Raises:
            NotFoundError: There is no such version, or it is a tombstone.
        """
        old = next((each for each in self.versions if each.number == number), None)
        if old is None or old.value is None:
            raise NotFoundError("version", f"{self.key} v{number}", way=read_versions(self.key))
        return self.supersede(
            old.value, now=now, valid=old.valid, provenance=provenance, expected=expected
        )

    def as_of(self, instant: datetime) -> Version | None:
        """Return what was believed at ``instant``: the head of that moment, tombstones too."""
        instant = utc(instant, "instant")
        return next((each for each in self.versions if each.believed(instant)), None)

    def known(self, instant: datetime) -> Record | None:
        """Return the record as it was known at ``instant``; None if nothing was said by then."""
        instant = utc(instant, "instant")
        told = [each for each in self.versions if each.recorded_at <= instant]
        if not told:
            return None
        head = told[-1]
        reopened = Status.ACTIVE if head.status is Status.SUPERSEDED else head.status
        told[-1] = head._replace(superseded_at=None, status=reopened)
        since = self.since if self.since is None or self.since <= instant else None
        return replace(self, versions=tuple(told), since=since)

    def current(self, now: datetime) -> Version | None:
        """Return the statement that holds at ``now``, or None.

        The newest statement wins as soon as it holds. One that starts later leaves the
        earlier statement in place until then; one that ended, a tombstone and an
        invalidated statement leave nothing behind them.
        """
        told = [each for each in self.versions if each.refutes or each.valid.began(now)]
        return _latest(told, now)

    def stated(self, now: datetime) -> Version:
        """Return the statement that holds at ``now``; where none does, the head.

        What waits for a review is the head of many records, and never what they say.
        """
        return self.current(now) or self.head

    def replaced(self, version: Version) -> list[Version]:
        """Return what counted before a version since the record last began, newest first.

        What said the same, as before a confirmation, is no other statement.
        """
        found: list[Version] = []
        last = version
        for each in reversed(self.versions):
            if each.number >= version.number:
                continue
            if each.status is Status.DELETED:
                break  # what was forgotten comes back as nothing, history included
            if each.status is Status.SUPERSEDED:
                if not (same(each.value, last.value) and each.valid == last.valid):
                    found.append(each)
                last = each
        return found

    def held(self, instant: datetime) -> Version | None:
        """Return the statement that held at ``instant`` in the world, as far as we know today.

        As :meth:`current`, but a statement that replaced another without saying since when
        holds from when it was recorded. One that replaced nothing held before, too.
        """
        instant = utc(instant, "instant")
        told = [
            each
            for before, each in zip((None, *self.versions), self.versions, strict=False)
            if each.refutes or self._held_from(each, before) <= instant
        ]
        return _latest(told, instant)

    def _held_from(self, version: Version, before: Version | None) -> datetime:
        """Return since when a statement held, given the one before it, where that is kept."""
        pruned = before is None and version.number > 1 and self.since != version.recorded_at
        replaces = pruned or (before is not None and before.status is not Status.DELETED)
        return version.valid.start or (version.recorded_at if replaces else _EVER)

    def _live_head(self) -> Version:
        if self.head.value is None:
            raise NotFoundError("record", self.key)
        return self.head

    def _check_expected(self, expected: int | None) -> None:
        if expected is not None and expected != self.head.number:
            raise VersionConflictError(self.namespace, self.key, expected, self.head.number)

    def _grown(self, version: Version, expected: int | None) -> Record:
        self._check_expected(expected)
        head = self.head
        # Clocks of two processes differ by a little; order in the chain is what counts.
        now = max(utc(version.recorded_at, "now"), head.recorded_at)
        grown = version._replace(number=head.number + 1, recorded_at=now, superseded_at=None)
        return replace(self, versions=(*self.versions[:-1], head.closed(now), grown))


_EVER = datetime.min.replace(tzinfo=UTC)


def _latest(told: list[Version], instant: datetime) -> Version | None:
    """Return the last of these statements that is no mere proposal, if it holds at ``instant``."""
    for version in reversed(told):
        if version.status is not Status.PENDING:
            return None if version.refutes or version.valid.ended(instant) else version
    return None


def check_limits(limit: int, offset: int) -> None:
    """Refuse negative paging.

    Raises:
        InvalidInputError: ``limit`` or ``offset`` is no whole number, or below zero.
    """
    for number in (limit, offset):
        if not isinstance(number, int):
            raise InvalidInputError(f"limit and offset are whole numbers, not {number!r}.")
    if limit < 0 or offset < 0:
        raise InvalidInputError(f"limit {limit} and offset {offset} must be 0 or more.")
