"""What a statement says of when it holds, counted from when it was said, where it was said."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.policy.language.when import LONGEST, validity

WEDNESDAY = datetime(2026, 5, 6, 10, tzinfo=UTC)
D = date


def held(text: str, at: datetime = WEDNESDAY) -> tuple[date | None, date | None]:
    found = validity(text, at, UTC)
    return found.start.date() if found.start else None, found.end.date() if found.end else None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I am in Berlin until Friday", None, D(2026, 5, 9)),
        ("I work from home until next month", None, D(2026, 6, 1)),
        ("The sale price is $5 through May 10", None, D(2026, 5, 11)),
        ("The offer is valid until the end of the month", None, D(2026, 6, 1)),
        ("We use Jenkins until March", None, D(2027, 3, 1)),
        ("Bob leads the team until the end of June", None, D(2026, 7, 1)),
        ("The fee is $5 until 2026-12-01", None, D(2026, 12, 2)),
        ("The contract runs until next Friday", None, D(2026, 5, 16)),
        ("Until tomorrow the office is closed", None, D(2026, 5, 8)),
        ("From next month the budget is $300", D(2026, 6, 1), None),
        ("Starting Monday standup is at 9", D(2026, 5, 11), None),
        ("From next quarter on Lina leads sales", D(2026, 7, 1), None),
        ("as of today the limit is 5", D(2026, 5, 6), None),
        ("I have lived in Rome since 2019", D(2019, 1, 1), None),
        ("Since last week I report to Dana", D(2026, 4, 27), None),
        ("I moved to Lyon yesterday", D(2026, 5, 5), None),
        ("Last month we switched to GitHub Actions", D(2026, 4, 1), None),
        ("From next Monday until the end of June I am away", D(2026, 5, 11), D(2026, 7, 1)),
        ("我在柏林待到周五", None, D(2026, 5, 9)),
        ("优惠有效期到月底", None, D(2026, 6, 1)),
        ("从下个月开始预算是300元", D(2026, 6, 1), None),
        ("我昨天搬到上海了", D(2026, 5, 5), None),
    ],
)
def test_plain_words_of_time_are_read(text: str, start: date | None, end: date | None) -> None:
    assert held(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("The fee is $5 until May 2", None, D(2027, 5, 3)),
        ("The fee is $5 until May 6", None, D(2026, 5, 7)),
        ("We use Jenkins until March 2028", None, D(2028, 3, 1)),
        ("We use Jenkins through March", None, D(2027, 4, 1)),
        ("We use Jenkins until next year", None, D(2027, 1, 1)),
        ("I am away until the end of the day", None, D(2026, 5, 7)),
        ("From 2026-05-07 until Friday I am away", D(2026, 5, 7), D(2026, 5, 9)),
        ("From Monday until June 1 I am away", D(2026, 5, 11), D(2026, 6, 2)),
        ("From the end of June Lina leads sales", D(2026, 6, 30), None),
        ("I have lived in Rome since May 2", D(2026, 5, 2), None),
        ("I have lived in Rome since May 20", D(2025, 5, 20), None),
        ("I have lived in Rome since July", D(2025, 7, 1), None),
        ("I have lived in Rome since March", D(2026, 3, 1), None),
        ("I have lived in Rome since May", D(2026, 5, 1), None),
        ("I have lived in Rome since March 2025", D(2025, 3, 1), None),
        ("I have lived in Rome since last Friday", D(2026, 5, 1), None),
        ("I have lived in Rome since last Wednesday", D(2026, 4, 29), None),
        ("Since last year I report to Dana", D(2025, 1, 1), None),
        ("优惠到下周", None, D(2026, 5, 11)),
        ("优惠到下周三", None, D(2026, 5, 14)),
        ("优惠到周五之前", None, D(2026, 5, 8)),
        ("优惠到年底", None, D(2027, 1, 1)),
        ("从明年开始预算是300元", D(2027, 1, 1), None),
        ("从本周一开始预算是300元", D(2026, 5, 4), None),
        ("从周三开始预算是300元", D(2026, 5, 6), None),
        ("从下周日开始预算是300元", D(2026, 5, 17), None),
        ("从下个月底开始预算是300元", D(2026, 6, 30), None),
        ("从12月底开始预算是300元", D(2026, 12, 31), None),
        ("我去年搬到上海了", D(2025, 1, 1), None),
        ("我前天搬到上海了", D(2026, 5, 4), None),
        ("We use Jenkins until 2028", None, D(2028, 1, 1)),
        ("We use Jenkins through 2028", None, D(2029, 1, 1)),
        ("We use Jenkins through next week", None, D(2026, 5, 18)),
        ("We use Jenkins through next year", None, D(2028, 1, 1)),
        ("We use Jenkins through December", None, D(2027, 1, 1)),
        ("We use Jenkins until the coming month", None, D(2026, 6, 1)),
        ("The fee is $5 until May 4, 2027", None, D(2027, 5, 5)),
        ("The fee is $5 until the day after tomorrow", None, D(2026, 5, 9)),
        ("From May the budget is $300", D(2026, 5, 1), None),
        ("I have lived in Rome since Friday", D(2026, 5, 1), None),
        ("I have lived in Rome since May 6", D(2026, 5, 6), None),
        ("从今天开始预算是300元", D(2026, 5, 6), None),
        ("优惠到明天", None, D(2026, 5, 8)),
        ("我上周搬到上海了", D(2026, 4, 27), None),
        ("优惠到后天", None, D(2026, 5, 9)),
        ("下个月起预算是300元", D(2026, 6, 1), None),
        ("自去年以来我在柏林", D(2025, 1, 1), None),
    ],
)  # fmt: skip
def test_a_name_without_a_year_is_the_next_or_the_last_and_a_phrase_its_whole_or_its_first_day(
    text: str, start: date | None, end: date | None
) -> None:
    """R14: said on a Wednesday, 6 May 2026."""
    assert held(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["The launch moved to Monday", "I work from Monday to Friday",
     "I work from Monday until Friday", "Never deploy on Fridays",
     "I was sick until Friday", "The train from Berlin arrives at 9", "We waited until May 2",
     "The fee was $5 until 2020", "Closed until 31 June", "From June 1 to June 5 I am away",
     "I like the band Last Friday", "会议在周五", "从北京到上海",
     "Starting next month the fee is $5 until Friday", "From May 10 until May 9 I am away",
     "The shop is closed from Thursday until Friday", "Closed until yesterday",
     "The card is valid until 2026-13-45", "The fee is $5 until the end of next June",
     "优惠到2月30日", "从2月30日开始"],
)  # fmt: skip
def test_what_may_be_read_in_two_ways_says_nothing(text: str) -> None:
    assert held(text) == (None, None)


def test_a_day_is_the_speakers() -> None:
    """B38: half past midnight in Shanghai is still the day before in UTC."""
    said = datetime(2026, 5, 5, 16, 30, tzinfo=UTC)
    found = validity("I moved yesterday", said, ZoneInfo("Asia/Shanghai"))
    assert found.start == datetime(2026, 5, 4, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["The offer is valid until 2026-03-01", "The offer held until March 1, 2026",
             "优惠到2026年3月1日为止"]
)  # fmt: skip
def test_an_end_with_its_year_may_lie_in_the_past(text: str) -> None:
    """R14: said late, it has ended, and is not said to hold for ever."""
    _, end = held(text, datetime(2026, 5, 1, tzinfo=UTC))
    assert end is not None
    assert D(2026, 3, 1) <= end <= D(2026, 3, 2)


def test_only_the_beginning_of_a_long_statement_is_read() -> None:
    ends = " until Friday"
    assert held("a" * (LONGEST - len(ends)) + ends) == (None, D(2026, 5, 9))
    assert held("a" * (LONGEST - len(ends) + 1) + ends) == (None, None)


def test_it_is_counted_from_when_it_was_said() -> None:
    assert held("I am away until Friday", datetime(2020, 1, 1, tzinfo=UTC))[1] == D(2020, 1, 4)


@given(
    st.text(max_size=80),
    st.datetimes(
        min_value=datetime(1900, 1, 1), max_value=datetime(2900, 1, 1), timezones=st.just(UTC)
    ),
)
def test_odd_texts_and_times_are_no_trouble(text: str, at: datetime) -> None:
    validity(text, at, UTC)
    validity(f"until {text}", at, UTC)


@given(
    st.sampled_from(["until", "from", "since", "through", "到", "从"]),
    st.sampled_from(["next week", "last month", "Friday", "31 June", "May 2", "the end of the year",
                     "next Sunday", "29 February", "下周三", "月底", "2月30日", "明年"]),
    st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2900, 1, 1),
                 timezones=st.just(UTC)),
)  # fmt: skip
def test_whatever_is_read_is_an_interval(word: str, phrase: str, at: datetime) -> None:
    found = validity(f"It is so {word} {phrase}", at, UTC)
    assert found.start is None or found.end is None or found.start < found.end
