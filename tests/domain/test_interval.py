"""Half-open spans of time, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from langgraph_memory.domain.interval import Interval, utc
from langgraph_memory.errors import InvalidInputError

T0 = datetime(2026, 5, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
INSTANTS = st.integers(-3, 3).map(lambda hours: T0 + hours * HOUR)
ENDS = st.none() | INSTANTS
ZONES = st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours)))


@given(ENDS, ENDS, INSTANTS)
def test_an_instant_is_inside_from_the_start_until_just_before_the_end(
    start: datetime | None, end: datetime | None, instant: datetime
) -> None:
    assume(start is None or end is None or start <= end)
    inside = (start is None or start <= instant) and (end is None or instant < end)
    span = Interval(start, end)
    assert (instant in span) == inside
    assert span.began(instant) == (start is None or instant >= start)
    assert span.ended(instant) == (end is not None and instant >= end)


@given(ENDS, ENDS, INSTANTS, INSTANTS)
def test_a_cut_interval_holds_what_it_held_before_the_cut(
    start: datetime | None, end: datetime | None, cut: datetime, instant: datetime
) -> None:
    assume(start is None or end is None or start <= end)
    span = Interval(start, end)
    assert (instant in span.until(cut)) == (instant in span and instant < cut)
    assert span.until(cut).start == start
    assert span.until(cut).until(cut) == span.until(cut)


def test_always_has_no_ends() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert first in Interval()
    assert last in Interval()
    assert Interval() == Interval.of()


def test_an_empty_interval_is_allowed_and_holds_nothing() -> None:
    assert T0 not in Interval(T0, T0)


def test_an_end_before_the_start_is_refused_with_both() -> None:
    with pytest.raises(InvalidInputError, match=r"valid_until 2026-04.*before valid_from 2026-05"):
        Interval(T0, T0 - HOUR)


def test_ends_are_compared_as_instants_not_as_clock_faces() -> None:
    """B38. 23:00 in New York lies after 01:00 the next day in UTC."""
    new_york = timezone(timedelta(hours=-5))
    late, early = datetime(2026, 5, 1, 23, tzinfo=new_york), datetime(2026, 5, 2, 1, tzinfo=UTC)
    assert Interval.of(early, late).end == datetime(2026, 5, 2, 4, tzinfo=UTC)
    with pytest.raises(InvalidInputError):
        Interval.of(late, early)


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), ZONES)
def test_an_instant_keeps_its_place_when_it_is_brought_to_utc(
    naive: datetime, zone: timezone
) -> None:
    """B38."""
    given_ = naive.replace(tzinfo=zone)
    assert utc(given_) == given_
    assert utc(given_).utcoffset() == timedelta(0)
    assert Interval.of(given_).start == given_


@pytest.mark.parametrize("end", ["valid_from", "valid_until"])
def test_a_naive_time_is_refused_by_the_name_of_its_field(end: str) -> None:
    """B38."""
    naive = datetime(2026, 5, 1)
    ends = (naive, None) if end == "valid_from" else (None, naive)
    for make in (Interval, Interval.of):
        with pytest.raises(InvalidInputError, match=f"{end} 2026-05-01T00:00:00 has no time zone"):
            make(*ends)
    with pytest.raises(InvalidInputError, match="now .* has no time zone"):
        utc(naive, "now")


def test_a_time_that_utc_cannot_hold_is_refused() -> None:
    west, east = timezone(-HOUR), timezone(HOUR)
    for edge in (datetime.max.replace(tzinfo=west), datetime.min.replace(tzinfo=east)):
        with pytest.raises(InvalidInputError, match="outside the years 1 to 9999"):
            Interval.of(edge)
