"""Any life of a record, step by step, against a list that is too simple to be wrong."""

from __future__ import annotations

import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import PLAIN, Provenance
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.errors import NotFoundError, VersionConflictError

T0 = datetime(2026, 5, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
NAMESPACE, KEY = ("memory", "t=a", "u=b", "semantic"), "launch"
FIRST = datetime.min.replace(tzinfo=UTC)

SAID, PENDING, FALSE, DELETED = "said", "pending", "false", "deleted"
HEAD_STATUS = {
    SAID: Status.ACTIVE,
    PENDING: Status.PENDING,
    FALSE: Status.INVALIDATED,
    DELETED: Status.DELETED,
}
CLOSED_STATUS = {**HEAD_STATUS, SAID: Status.SUPERSEDED}

VALUES = st.fixed_dictionaries({"content": st.sampled_from(["Friday", "Monday", ""])})
ENDS = st.none() | st.integers(-4, 12)
VALID = st.tuples(ENDS, ENDS).map(
    lambda ends: ends if None in ends else (min(ends), max(ends))  # type: ignore[type-var]
)
EXPECTED = st.sampled_from(["blind", "blind", "right", "old", "none", "future"])
REASONS = st.integers(0, 99).map(lambda n: replace(PLAIN, reason=str(n)))


class Entry(NamedTuple):
    """What was written: one line of the model."""

    value: dict[str, Any] | None
    at: datetime
    start: datetime | None
    end: datetime | None
    kind: str
    papers: Provenance


def hours(count: int | None) -> datetime | None:
    return None if count is None else T0 + count * HOUR


class RecordLives(RuleBasedStateMachine):
    """Every operation, blind or by compare-and-set, with a clock that sometimes runs back."""

    record: Record
    log: list[Entry]
    now: datetime

    @initialize(value=VALUES, valid=VALID, papers=REASONS, pending=st.booleans())
    def begin(
        self,
        value: dict[str, Any],
        valid: tuple[int | None, int | None],
        papers: Provenance,
        pending: bool,
    ) -> None:
        self.now = T0
        span = Interval.of(*map(hours, valid))
        self.record = Record.first(
            "id-1", NAMESPACE, KEY, value,
            now=self.now, valid=span, provenance=papers,
            status=Status.PENDING if pending else Status.ACTIVE,
        )  # fmt: skip
        kind = PENDING if pending else SAID
        self.log = [Entry(copy.deepcopy(value), self.now, span.start, span.end, kind, papers)]

    # --- Steps ----------------------------------------------------------------------------

    @rule(minutes=st.integers(-90, 240))
    def let_time_pass_or_run_back(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(value=VALUES, valid=VALID, papers=REASONS, pending=st.booleans(), expected=EXPECTED)
    def supersede(
        self,
        value: dict[str, Any],
        valid: tuple[int | None, int | None],
        papers: Provenance,
        pending: bool,
        expected: str,
    ) -> None:
        start, end = map(hours, valid)
        status = Status.PENDING if pending else Status.ACTIVE
        self._step(
            lambda number: self.record.supersede(
                value, now=self.now, valid=Interval(start, end), provenance=papers,
                status=status, expected=number,
            ),
            Entry(copy.deepcopy(value), self.now, start, end, PENDING if pending else SAID, papers),
            expected,
        )  # fmt: skip

    @rule(papers=REASONS, expected=EXPECTED)
    def delete(self, papers: Provenance, expected: str) -> None:
        stays = self.log[-1].kind == DELETED
        self._step(
            lambda number: self.record.delete(now=self.now, provenance=papers, expected=number),
            None if stays else Entry(None, self.now, None, None, DELETED, papers),
            expected,
        )

    @precondition(lambda self: self.log[-1].kind != DELETED)
    @rule(papers=REASONS, expected=EXPECTED)
    def invalidate(self, papers: Provenance, expected: str) -> None:
        self._step(
            lambda number: self.record.invalidate(now=self.now, provenance=papers, expected=number),
            self.log[-1]._replace(at=self.now, kind=FALSE, papers=papers),
            expected,
        )

    @precondition(lambda self: self.log[-1].kind != DELETED)
    @rule(until=st.integers(-4, 12), papers=REASONS, expected=EXPECTED)
    def retract(self, until: int, papers: Provenance, expected: str) -> None:
        head = self.log[-1]
        end = min(T0 + until * HOUR, head.end or T0 + until * HOUR)
        self._step(
            lambda number: self.record.retract(
                T0 + until * HOUR, now=self.now, provenance=papers, expected=number
            ),
            head._replace(at=self.now, end=max(end, head.start or end), papers=papers),
            expected,
        )

    @rule(place=st.integers(0, 11), papers=REASONS, expected=EXPECTED)
    def restore(self, place: int, papers: Provenance, expected: str) -> None:
        number = 1 + place % (len(self.log) + 1)  # one past the end too
        old = self.log[number - 1] if number <= len(self.log) else None
        if old is None or old.kind == DELETED:
            with pytest.raises(NotFoundError, match=f"launch v{number}"):
                self.record.restore(number, now=self.now)
            return
        self._step(
            lambda expecting: self.record.restore(
                number, now=self.now, provenance=papers, expected=expecting
            ),
            old._replace(at=self.now, kind=SAID, papers=papers),
            expected,
        )

    @precondition(lambda self: self.log[-1].kind == DELETED)
    @rule()
    def nothing_can_be_said_of_what_is_deleted(self) -> None:
        with pytest.raises(NotFoundError):
            self.record.invalidate(now=self.now)
        with pytest.raises(NotFoundError):
            self.record.retract(self.now, now=self.now)

    def _step(self, act: Any, entry: Entry | None, expected: str) -> None:
        before, twin = self.record, copy.deepcopy(self.record)
        head = len(self.log)
        number = {"blind": None, "right": head, "old": head - 1, "none": 0, "future": head + 1}
        if expected in ("old", "none", "future"):
            with pytest.raises(VersionConflictError) as caught:
                act(number[expected])
            assert (caught.value.expected, caught.value.actual) == (number[expected], head)
            assert (caught.value.namespace, caught.value.key) == (NAMESPACE, KEY)
        else:
            self.record = act(number[expected])
            if entry is None:
                assert self.record is before
            else:
                # A clock that runs late does not put a statement before what it replaces.
                self.log.append(entry._replace(at=max(self.now, self.log[-1].at)))
        assert before == twin  # what somebody else still holds has not changed

    # --- What must hold after every step --------------------------------------------------

    @invariant()
    def numbers_run_from_one_without_a_gap(self) -> None:
        numbers = [version.number for version in self.record.versions]
        assert numbers == list(range(1, len(self.log) + 1))

    @invariant()
    def nothing_that_was_said_is_lost_or_changed(self) -> None:
        """B19, R12."""
        for version, entry in zip(self.record.versions, self.log, strict=True):
            assert version.value == entry.value
            assert (version.valid.start, version.valid.end) == (entry.start, entry.end)
            assert (version.recorded_at, version.provenance) == (entry.at, entry.papers)

    @invariant()
    def each_version_ends_where_the_next_begins(self) -> None:
        *closed, head = self.record.versions
        ends = [version.superseded_at for version in closed]
        assert ends == [entry.at for entry in self.log[1:]]
        assert head.superseded_at is None

    @invariant()
    def the_state_of_each_version_follows_from_how_it_was_written(self) -> None:
        *closed, head = self.record.versions
        assert [each.status for each in closed] == [
            CLOSED_STATUS[entry.kind] for entry in self.log[:-1]
        ]
        assert head.status == HEAD_STATUS[self.log[-1].kind]
        assert self.record.head is head

    @invariant()
    def one_version_is_believed_at_any_instant_and_none_before_the_first(self) -> None:
        """R12: as-of reads part time without gap or overlap."""
        for instant in self._instants():
            written = [n for n, entry in enumerate(self.log, start=1) if entry.at <= instant]
            believed = [each.number for each in self.record.versions if each.believed(instant)]
            found = self.record.as_of(instant)
            assert believed == written[-1:]
            assert ([found.number] if found else []) == believed

    @invariant()
    def what_is_current_is_what_the_law_says(self) -> None:
        """R12, R13, R14."""
        for instant in self._instants():
            current = self.record.current(instant)
            assert (current.number if current else None) == self._current(instant), instant

    @invariant()
    def the_present_life_began_after_the_last_tombstone(self) -> None:
        """B26."""
        born = self.log[0].at
        for number, entry in enumerate(self.log[:-1]):
            if entry.kind == DELETED:
                born = self.log[number + 1].at
        assert self.record.created_at == born

    @invariant()
    def the_name_stays(self) -> None:
        assert (self.record.id, self.record.namespace, self.record.key) == ("id-1", NAMESPACE, KEY)

    def _current(self, instant: datetime) -> int | None:
        """Read the law aloud: strike what waits or starts later; the last one left decides."""
        left = [
            (number, entry)
            for number, entry in enumerate(self.log, start=1)
            if entry.kind in (FALSE, DELETED)
            or (entry.kind == SAID and (entry.start is None or entry.start <= instant))
        ]
        if not left:
            return None
        number, entry = left[-1]
        over = entry.end is not None and entry.end <= instant
        return None if over or entry.kind in (FALSE, DELETED) else number

    def _instants(self) -> list[datetime]:
        """Return every instant at which something changes, those just before, and the far ends."""
        edges = [
            *(entry.at for entry in self.log),
            *(entry.start for entry in self.log if entry.start),
            *(entry.end for entry in self.log if entry.end),
            self.now,
        ]
        just = timedelta(microseconds=1)
        near = {edge + shift for edge in edges for shift in (-just, just - just, just)}
        return sorted({FIRST, T0 + 1000 * HOUR, *near})


def check_all(machine: RecordLives) -> None:
    machine.nothing_that_was_said_is_lost_or_changed()
    machine.numbers_run_from_one_without_a_gap()
    machine.each_version_ends_where_the_next_begins()
    machine.the_state_of_each_version_follows_from_how_it_was_written()


TestRecordLives = RecordLives.TestCase
TestRecordLives.settings = settings(max_examples=80, stateful_step_count=20, deadline=None)


def test_the_model_can_tell_right_from_wrong() -> None:
    """A machine that accepts a wrong record would show nothing."""
    machine = RecordLives()
    machine.begin({"content": "Friday"}, (None, None), PLAIN, pending=False)
    machine.supersede({"content": "Monday"}, (None, None), PLAIN, pending=False, expected="blind")
    first, second = machine.record.versions
    wrong: list[tuple[Version, ...]] = [
        (first,),
        (first._replace(value={"content": "Sunday"}), second),
        (first._replace(superseded_at=None), second),
        (first._replace(status=Status.ACTIVE), second),
        (first, second._replace(number=3)),
        (first, second._replace(valid=Interval(T0 + HOUR))),
    ]
    for versions in wrong:
        machine.record = replace(machine.record, versions=versions)
        with pytest.raises((AssertionError, ValueError)):
            check_all(machine)
