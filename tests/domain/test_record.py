"""The record by example: each clause of its docstrings once, in the words of a user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import (
    PLAIN,
    Provenance,
    Source,
    SourceKind,
    Verification,
)
from langgraph_memory.domain.record import Record, Status, Version, check_limits
from langgraph_memory.errors import InvalidInputError, NotFoundError, VersionConflictError

T0 = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PLACE = ("memory", "t=acme", "u=ana", "semantic")
FRIDAY, MONDAY = {"content": "Friday"}, {"content": "Monday"}


def launch(**more: Any) -> Record:
    return Record.first("id-1", PLACE, "launch", FRIDAY, now=T0, **more)


def test_a_new_record_has_one_version_that_is_current() -> None:
    record = launch()
    assert record.versions == (Version(1, FRIDAY, T0),)
    assert record.current(T0) is record.head
    assert record.created_at == T0


def test_the_newer_statement_is_current_and_the_older_is_history() -> None:
    """R12, B19."""
    record = launch().supersede(MONDAY, now=T0 + DAY)
    old, new = record.versions
    assert (old.value, old.status, old.superseded_at) == (FRIDAY, Status.SUPERSEDED, T0 + DAY)
    assert record.current(T0 + DAY) is new
    assert record.as_of(T0 + DAY - HOUR) is old
    assert record.as_of(T0 - HOUR) is None


def test_what_a_record_says_is_what_holds_else_its_head() -> None:
    """R3: never what waits for a review beside it; alone, that is all there is."""
    waiting = launch().supersede(MONDAY, now=T0 + HOUR, status=Status.PENDING)
    assert waiting.stated(T0 + DAY) is waiting.versions[0]
    alone = launch(status=Status.PENDING)
    assert alone.stated(T0) is alone.head
    ended = launch().retract(T0 + HOUR, now=T0)
    assert ended.stated(T0 + DAY) is ended.head


def test_what_a_version_replaced_is_what_held_and_said_something_else() -> None:
    """R12, R13: neither what waited, nor a confirmation, nor what was forgotten is history."""
    billing = Provenance(Source(SourceKind.SYSTEM, "billing"), verification=Verification.VERIFIED)
    confirmed = launch().supersede(FRIDAY, now=T0 + HOUR, provenance=billing)
    assert confirmed.replaced(confirmed.head) == []
    waiting = confirmed.supersede({"content": "Sunday"}, now=T0 + 2 * HOUR, status=Status.PENDING)
    moved = waiting.supersede(MONDAY, now=T0 + 3 * HOUR)
    assert [each.value for each in moved.replaced(moved.head)] == [FRIDAY]
    back = moved.supersede(FRIDAY, now=T0 + 4 * HOUR)
    assert [each.value for each in back.replaced(back.head)] == [MONDAY, FRIDAY]
    assert [each.value for each in back.replaced(moved.head)] == [FRIDAY]
    anew = back.delete(now=T0 + 5 * HOUR).supersede(MONDAY, now=T0 + 6 * HOUR)
    assert anew.replaced(anew.head) == []


def test_the_same_words_for_another_time_are_another_statement() -> None:
    again = launch(valid=Interval.of(T0, T0 + DAY)).supersede(
        FRIDAY, now=T0 + HOUR, valid=Interval.of(T0, T0 + 2 * DAY)
    )
    assert [each.number for each in again.replaced(again.head)] == [1]


def test_a_statement_that_starts_later_waits_for_its_day() -> None:
    """R14."""
    record = launch().supersede(MONDAY, now=T0 + HOUR, valid=Interval(T0 + DAY))
    assert record.current(T0 + DAY - HOUR) == record.versions[0]
    assert record.current(T0 + DAY) is record.head
    assert record.as_of(T0 + 2 * HOUR) is record.head


def test_a_role_that_ended_is_not_current_and_nothing_older_comes_back() -> None:
    """R14."""
    record = launch().supersede(MONDAY, now=T0 + HOUR, valid=Interval(None, T0 + DAY))
    assert record.current(T0 + DAY - HOUR) is record.head
    assert record.current(T0 + DAY) is None


def test_a_first_statement_about_the_future_is_not_current_yet() -> None:
    record = launch(valid=Interval(T0 + DAY))
    assert record.current(T0) is None
    assert record.current(T0 + DAY) is record.head


def test_a_statement_that_waits_for_review_leaves_the_approved_one_in_place() -> None:
    """R42."""
    record = launch().supersede(MONDAY, now=T0 + HOUR, status=Status.PENDING)
    assert record.current(T0 + DAY) == record.versions[0]
    assert launch(status=Status.PENDING).current(T0 + DAY) is None


def test_pending_stays_pending_when_it_is_closed() -> None:
    record = launch(status=Status.PENDING).supersede(MONDAY, now=T0 + HOUR)
    assert [each.status for each in record.versions] == [Status.PENDING, Status.ACTIVE]


def test_a_tombstone_leaves_nothing_current_and_the_history_readable() -> None:
    record = launch().delete(now=T0 + HOUR)
    assert record.current(T0 + DAY) is None
    assert (record.head.value, record.head.status) == (None, Status.DELETED)
    assert record.versions[0].value == FRIDAY
    assert record.as_of(T0 + DAY) is record.head


def test_deleting_twice_is_deleting_once() -> None:
    gone = launch().delete(now=T0 + HOUR)
    assert gone.delete(now=T0 + DAY) is gone
    assert gone.delete(now=T0 + DAY, expected=2) is gone
    with pytest.raises(VersionConflictError):
        gone.delete(now=T0 + DAY, expected=1)


def test_an_explicit_statement_after_a_tombstone_begins_a_new_life() -> None:
    """B26: the new life has its own beginning."""
    record = launch().delete(now=T0 + HOUR).supersede(MONDAY, now=T0 + DAY)
    assert [each.number for each in record.versions] == [1, 2, 3]
    assert record.created_at == T0 + DAY
    assert record.current(T0 + DAY) is record.head
    assert record.supersede(FRIDAY, now=T0 + 2 * DAY).created_at == T0 + DAY
    assert record.delete(now=T0 + 2 * DAY).created_at == T0 + DAY


def test_a_future_statement_after_a_tombstone_does_not_revive_what_was_deleted() -> None:
    record = launch().delete(now=T0).supersede(MONDAY, now=T0, valid=Interval(T0 + DAY))
    assert record.current(T0 + HOUR) is None
    assert record.current(T0 + DAY) is record.head


def test_an_invalidated_statement_keeps_its_words_and_is_never_current() -> None:
    """R42, R91."""
    record = launch().invalidate(now=T0 + HOUR)
    assert (record.head.value, record.head.status) == (FRIDAY, Status.INVALIDATED)
    assert record.current(T0 + DAY) is None
    later = record.supersede(MONDAY, now=T0 + DAY, status=Status.PENDING)
    assert later.current(T0 + 2 * DAY) is None
    assert later.versions[1].status is Status.INVALIDATED


def test_a_retracted_statement_holds_until_then() -> None:
    record = launch().retract(T0 + DAY, now=T0 + HOUR)
    assert record.current(T0 + DAY - HOUR) is record.head
    assert record.current(T0 + DAY) is None
    assert record.versions[0].valid == Interval()


def test_a_retraction_never_prolongs() -> None:
    record = launch(valid=Interval(None, T0 + HOUR)).retract(T0 + DAY, now=T0)
    assert record.head.valid == Interval(None, T0 + HOUR)


def test_a_retraction_before_the_beginning_leaves_no_time_at_all() -> None:
    record = launch(valid=Interval(T0 + DAY)).retract(T0, now=T0)
    assert record.head.valid == Interval(T0 + DAY, T0 + DAY)
    assert all(record.current(T0 + days * DAY) is None for days in range(-1, 4))


def test_an_older_version_can_be_said_again() -> None:
    """R12."""
    record = launch().supersede(MONDAY, now=T0 + HOUR).delete(now=T0 + DAY)
    restored = record.restore(1, now=T0 + 2 * DAY, expected=3)
    assert (restored.head.number, restored.head.value) == (4, FRIDAY)
    assert restored.current(T0 + 2 * DAY) is restored.head
    assert restored.created_at == T0 + 2 * DAY


@pytest.mark.parametrize("number", [0, -1, 2, 4, 99])
def test_a_version_that_says_nothing_cannot_be_restored(number: int) -> None:
    record = launch().delete(now=T0).supersede(MONDAY, now=T0)
    with pytest.raises(NotFoundError, match=f"launch v{number}"):
        record.restore(number, now=T0 + DAY)


@pytest.mark.parametrize("expected", [0, 1, 3, -1])
def test_a_stale_writer_is_told_and_changes_nothing(expected: int) -> None:
    """R25, R93."""
    record = launch().supersede(MONDAY, now=T0 + HOUR)
    acts: list[Callable[[], object]] = [
        lambda: record.supersede(FRIDAY, now=T0 + DAY, expected=expected),
        lambda: record.delete(now=T0 + DAY, expected=expected),
        lambda: record.invalidate(now=T0 + DAY, expected=expected),
        lambda: record.retract(T0, now=T0 + DAY, expected=expected),
        lambda: record.restore(1, now=T0 + DAY, expected=expected),
    ]
    for act in acts:
        with pytest.raises(VersionConflictError, match=f"at version 2, not {expected}") as caught:
            act()
        assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert record == launch().supersede(MONDAY, now=T0 + HOUR)


def test_of_two_writers_who_read_the_same_version_one_wins() -> None:
    """R25, R93."""
    read = launch()
    won = read.supersede(MONDAY, now=T0 + HOUR, expected=read.head.number)
    with pytest.raises(VersionConflictError):
        won.supersede(FRIDAY, now=T0 + HOUR, expected=read.head.number)


def test_what_was_known_at_an_instant_is_the_chain_up_to_it() -> None:
    """R12."""
    record = launch().supersede(MONDAY, now=T0 + HOUR).delete(now=T0 + DAY)
    assert record.known(T0 - HOUR) is None
    before = record.known(T0 + HOUR / 2)
    assert before is not None
    assert before.head == launch().head
    assert before.current(T0 + HOUR / 2) == launch().head
    late = record.known(T0 + 2 * HOUR)
    assert late is not None
    assert (late.head.value, late.head.status) == (MONDAY, Status.ACTIVE)
    assert record.known(T0 + DAY) == record


def test_an_undated_correction_held_from_when_it_was_recorded() -> None:
    """R12: asked about an instant before it, the earlier statement answers."""
    record = launch().supersede(MONDAY, now=T0 + HOUR)
    assert record.held(T0 + HOUR / 2) == record.versions[0]
    assert record.held(T0 + HOUR) == record.versions[1]
    assert record.held(T0 - DAY) == record.versions[0]


def test_dated_statements_held_when_they_say() -> None:
    """R12, R14."""
    record = launch(valid=Interval(T0, T0 + DAY)).supersede(
        MONDAY, now=T0 + HOUR, valid=Interval(T0 + DAY)
    )
    assert record.held(T0 - HOUR) is None
    assert record.held(T0 + 2 * HOUR) == record.versions[0]
    assert record.held(T0 + DAY) == record.versions[1]


def test_what_is_false_or_deleted_held_never() -> None:
    """R12, R91."""
    record = launch().supersede(MONDAY, now=T0 + HOUR)
    assert record.invalidate(now=T0 + DAY).held(T0) is None
    assert record.delete(now=T0 + DAY).held(T0) is None
    again = record.delete(now=T0 + DAY).supersede(FRIDAY, now=T0 + 2 * DAY)
    assert again.held(T0) == again.head


def test_a_clock_that_runs_late_does_not_turn_the_order_round() -> None:
    record = launch().supersede(MONDAY, now=T0 - DAY).supersede(FRIDAY, now=T0 + HOUR)
    assert [each.recorded_at for each in record.versions] == [T0, T0, T0 + HOUR]
    assert record.as_of(T0) == record.versions[1]
    assert record.as_of(T0 - HOUR) is None


def test_times_are_kept_in_utc_whatever_zone_they_came_in() -> None:
    """B38."""
    shanghai = timezone(timedelta(hours=8))
    record = launch().supersede(MONDAY, now=(T0 + HOUR).astimezone(shanghai))
    record = record.retract((T0 + DAY).astimezone(shanghai), now=T0 + HOUR)
    for version in record.versions:
        assert version.recorded_at.utcoffset() == timedelta(0)
    assert record.head.valid.end is not None
    assert record.head.valid.end.utcoffset() == timedelta(0)


def test_naive_times_are_refused() -> None:
    """B38."""
    naive = datetime(2026, 5, 2)
    acts: list[Callable[[], object]] = [
        lambda: Record.first("id", PLACE, "k", FRIDAY, now=naive),
        lambda: launch().supersede(MONDAY, now=naive),
        lambda: launch().delete(now=naive),
        lambda: launch().invalidate(now=naive),
        lambda: launch().retract(naive, now=T0),
        lambda: launch().restore(1, now=naive),
        lambda: launch().as_of(naive),
    ]
    for act in acts:
        with pytest.raises(InvalidInputError, match="has no time zone"):
            act()


def test_each_version_has_its_own_papers() -> None:
    """R10."""
    registry = Provenance(Source(SourceKind.SYSTEM, "registry"), verification=Verification.VERIFIED)
    record = launch(provenance=registry).supersede(MONDAY, now=T0 + HOUR).invalidate(now=T0 + DAY)
    assert [each.provenance for each in record.versions] == [registry, PLAIN, PLAIN]
    assert str(registry.source) == "system registry"
    assert str(PLAIN.source) == "application"


def test_more_events_stand_behind_a_statement_each_once_in_order() -> None:
    """B22."""
    papers = replace(PLAIN, event_ids=("e2", "e1")).with_events(("e1", "e3", "e3"))
    assert papers.event_ids == ("e2", "e1", "e3")
    assert papers.with_events(()) == papers


@pytest.mark.parametrize(
    "each",
    [launch(), launch().head, PLAIN, PLAIN.source, Interval()],
    ids=lambda each: type(each).__name__,
)
def test_what_was_said_cannot_be_edited(each: Any) -> None:
    field = next(iter(getattr(each, "_fields", ()) or each.__dataclass_fields__))
    with pytest.raises(AttributeError):  # FrozenInstanceError is one
        setattr(each, field, "changed")
    assert not hasattr(each, "__dict__")


@pytest.mark.parametrize(("limit", "offset"), [(-1, 0), (0, -1), (-5, -5)])
def test_negative_pages_are_refused(limit: int, offset: int) -> None:
    with pytest.raises(InvalidInputError, match=f"limit {limit} and offset {offset}"):
        check_limits(limit, offset)
    check_limits(0, 0)
