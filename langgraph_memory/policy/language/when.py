"""When a statement holds, as far as it says so: until Friday, from next month, since 2019.

Days are those of whoever speaks: they are counted from when it was said, in the speaker's time
zone, never from when it is processed. Only plain forms are read; what is read in two ways, such
as "from Monday to Friday" or what was so until a day that is past, says nothing.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta, tzinfo

from langgraph_memory.domain.interval import Interval, utc
from langgraph_memory.policy.language.days import Day, days
from langgraph_memory.text.scripts import clean

Period = tuple[date, date]
"""The first day, and the first day after it."""

LONGEST = 2_000
"""Characters of a statement that are read."""

_UNITS = "week|month|quarter|year"
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_NAMED = "january|february|march|april|may|june|july|august|september|october|november|december"
_PHRASE = (
    r"(?P<p>(?:the )?end of (?:the |this |next )?(?:" + _UNITS + r"|" + _NAMED + r"|day)(?: \d{4})?"
    r"|the day after tomorrow|today|tomorrow|yesterday|now"
    r"|(?:the )?(?:next|this|last|coming) (?:" + _UNITS + "|" + _DAYS + r")"
    r"|\d{4}-\d\d-\d\d"
    r"|(?:" + _NAMED + r") (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)"
    r"|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:" + _NAMED + r")(?:,? \d{4})?"
    r"|(?:" + _NAMED + r")(?: \d{4})?|(?:19|20)\d\d|(?:" + _DAYS + r"))\b(?!s\b)"
)
_I = re.IGNORECASE
_UNTIL = re.compile(r"\b(?P<how>until|till|through|thru)\s+" + _PHRASE, _I)
_FROM = re.compile(
    r"(?:^|\b)(?:starting|beginning|effective|from|as of)\s+(?:on\s+|in\s+)?" + _PHRASE
    + r"(?P<to>\s*(?:to|until|till|through|[-–])\s)?", _I,
)  # fmt: skip
_SINCE = re.compile(r"\bsince\s+" + _PHRASE, _I)
_CHANGED = re.compile(
    r"\b(?:moved|joined|started|left|quit|switched|became|got|began|stopped|sold|bought|changed)\b"
    r".{0,80}?\b(?P<p>yesterday|today|last (?:" + _UNITS + "|" + _DAYS + r"))\b"
    r"|^(?P<q>yesterday|last (?:" + _UNITS + r")),? .{0,40}?\b(?:moved|joined|started|left"
          r"|quit|switched"
    r"|became|began|stopped)\b", _I,
)  # fmt: skip
_OVER = re.compile(r"\b(?:was|were|had|did|used to|waited|stayed|worked|lived|slept)\b", _I)
_HAN_PHRASE = (
    r"今天|明天|后天|昨天|前天|[下上本这]周[一二三四五六日天]?|[下上本这]个?月(?:底)?|[明去今]年(?:底)?"
    r"|月底|年底|(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号]|底)?|(?:周|星期)[一二三四五六日天]"
)
_HAN = rf"(?P<p>{_HAN_PHRASE})"
_YEAR = re.compile(r"(?:19|20)\d\d")
_HAN_UNTIL = re.compile(rf"(?:直到|一直到|到|截至|截止到?){_HAN}(?:为止|之前|结束|前)?")
_HAN_FROM = re.compile(rf"(?:从|自){_HAN}(?:起|开始|以后|之后)|^(?P<q>{_HAN_PHRASE})(?:起|开始)")
_HAN_SINCE = re.compile(r"自从?" + _HAN + r"以来")
_HAN_CHANGED = re.compile(
    r"(?P<p>昨天|前天|上周|上个?月|去年).{0,12}?(?:搬|加入|入职|离开|换"
    r"|开始|成为|结婚|卖)"
)


def validity(text: str, at: datetime, zone: tzinfo) -> Interval:
    """Return when a statement holds, as it says itself; always, where it says nothing.

    Args:
        text: The statement.
        at: When it was said; aware.
        zone: Where the speaker's days begin.
    """
    said = clean(text[:LONGEST])
    if _is_schedule(said):
        return Interval()
    today = utc(at, "at").astimezone(zone).date()
    start = _started(said, today)
    end = _ends(said, today)
    if start and end and end <= start:
        return Interval()
    return Interval(instant(start, zone), instant(end, zone))


def _is_schedule(said: str) -> bool:
    """Tell whether "from … to …" may mean every week or year, or a past stay."""
    start, end = _FROM.search(said), _UNTIL.search(said)
    if not start or not start["to"]:
        return False
    days_of_week = _DAYS.split("|")
    weekly = start["p"].casefold() in days_of_week and end and end["p"].casefold() in days_of_week
    return end is None or bool(weekly)


def _ends(said: str, today: date) -> date | None:
    if found := _UNTIL.search(said):
        if _OVER.search(said[: found.start()]):
            return None
        period = phrase_period(found["p"], today, ahead=True)
        whole = found["how"].casefold().startswith("thr") or "end of" in found["p"].casefold()
        ends = period and period[1 if whole or is_day(period) else 0]
    elif found := _HAN_UNTIL.search(said):
        period = _han_period(found["p"], today)
        whole = is_day(period) or found["p"].endswith("底")
        ends = period and (period[1] if whole and not found[0].endswith("前") else period[0])
    else:
        return None
    dated = _YEAR.search(found["p"])  # a year leaves no doubt which day is meant
    return ends if ends and (ends > today or dated) else None


def _started(said: str, today: date) -> date | None:
    if found := _FROM.search(said):
        period = phrase_period(found["p"], today, ahead=True)
    elif found := _SINCE.search(said):
        period = phrase_period(found["p"], today, ahead=False)
    elif found := _CHANGED.search(said):
        period = phrase_period(found["p"] or found["q"], today, ahead=False)
    elif found := _HAN_FROM.search(said):
        period = _han_period(found["p"] or found["q"], today)
    elif found := (_HAN_SINCE.search(said) or _HAN_CHANGED.search(said)):
        period = _han_period(found["p"], today)
    else:
        return None
    return period[0] if period else None


def phrase_period(phrase: str, today: date, *, ahead: bool) -> Period | None:
    """Return the days of an English phrase; a bare name is the next one, or the last."""
    said = re.sub(r"^the (?!end|day)", "", phrase.casefold())
    if said in ("today", "now"):
        return _day(today)
    if said in ("tomorrow", "the day after tomorrow", "yesterday"):
        away = {"tomorrow": 1, "the day after tomorrow": 2, "yesterday": -1}[said]
        return _day(today + timedelta(days=away))
    if found := re.fullmatch(r"(?:the )?end of (?:the |this )?(?P<rest>.+)", said):
        rest = found["rest"]
        rest = f"this {rest}" if rest in ("week", "month", "quarter", "year") else rest
        whole = _day(today) if rest == "day" else phrase_period(rest, today, ahead=True)
        return whole and (whole[1] - timedelta(days=1), whole[1])
    which, _, unit = said.partition(" ")
    if which in ("next", "this", "last", "coming"):
        if unit in _DAYS.split("|"):
            return _weekday(_DAYS.split("|").index(unit), today, which)
        return _unit(unit, today, {"next": 1, "coming": 1, "last": -1}.get(which, 0))
    if said in _NAMED.split("|"):
        return _month(None, _NAMED.split("|").index(said) + 1, today, ahead=ahead)
    named = next((day for day, _ in days(phrase)), None)
    if said.isdigit():
        return date(int(said), 1, 1), date(int(said) + 1, 1, 1)
    return named_period(named, today, ahead=ahead) if named else None


def named_period(named: Day, today: date, *, ahead: bool) -> Period | None:
    """Return the days of a named one: the next such, or the last."""
    try:
        if named.month and named.day:
            day = date(named.year or today.year, named.month, named.day)
            if named.year is None:
                day = _nearest(day, today, ahead=ahead)
            return _day(day)
        if named.month:
            return _month(named.year, named.month, today, ahead=ahead)
    except ValueError:  # 31 June
        return None
    if named.weekday is not None:
        return _weekday(named.weekday, today, "this" if ahead else "last")
    return None


def _nearest(day: date, today: date, *, ahead: bool) -> date:
    """Return a day without a year as the next one, or the last."""
    if ahead and day < today:
        return day.replace(year=day.year + 1)
    return day.replace(year=day.year - 1) if not ahead and day > today else day


def _month(year: int | None, month: int, today: date, *, ahead: bool) -> Period:
    if year is None:
        year = today.year + (month < today.month) if ahead else today.year - (month > today.month)
    return date(year, month, 1), _next_month(date(year, month, 1))


def _weekday(weekday: int, today: date, which: str) -> Period:
    away = (weekday - today.weekday()) % 7
    if which == "last":
        away = away - 7
    if which == "next" and away + today.weekday() < 7:
        away += 7  # of next week, even if that day is still to come in this one
    return _day(today + timedelta(days=away))


def _unit(unit: str, today: date, away: int) -> Period | None:
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=away)
        return monday, monday + timedelta(weeks=1)
    if unit == "year":
        return date(today.year + away, 1, 1), date(today.year + away + 1, 1, 1)
    length = {"month": 1, "quarter": 3}.get(unit)
    if length is None:
        return None
    first = (today.month - 1) // length * length
    months = 12 * today.year + first + away * length
    start = date(months // 12, months % 12 + 1, 1)
    end = months + length
    return start, date(end // 12, end % 12 + 1, 1)


def _han_period(phrase: str, today: date) -> Period | None:
    away = {"今天": 0, "明天": 1, "后天": 2, "昨天": -1, "前天": -2}.get(phrase)
    if away is not None:
        return _day(today + timedelta(days=away))
    turn = {"下": 1, "上": -1, "明": 1, "去": -1}.get(phrase[0], 0)
    last = phrase.endswith("底")
    if re.match("[下上本这]周$", phrase):
        return _unit("week", today, turn)
    if found := re.match("(?:([下上本这])周|周|星期)([一二三四五六日天])$", phrase):
        weekday = "一二三四五六日".index(found[2].replace("天", "日"))
        if found[1] is None:
            return _weekday(weekday, today, "this")
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=turn)
        return _day(monday + timedelta(days=weekday))
    if re.match("(?:[下上本这]个?月|月底)", phrase):
        return _last_day(_unit("month", today, turn), last)
    if re.match("(?:[明去今]年|年底)", phrase):
        return _last_day(_unit("year", today, turn), last)
    named = next((day for day, _ in days(phrase)), None)
    return _last_day(named_period(named, today, ahead=True), last) if named else None


def _last_day(period: Period | None, last: bool) -> Period | None:
    return (period[1] - timedelta(days=1), period[1]) if period and last else period


def _next_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def _day(day: date) -> Period:
    return day, day + timedelta(days=1)


def is_day(days: Period | None) -> bool:
    """Tell whether it is one day."""
    return days is not None and days[1] - days[0] == timedelta(days=1)


def instant(day: date | None, zone: tzinfo) -> datetime | None:
    """Return when a day begins, UTC."""
    return None if day is None else utc(datetime.combine(day, time(), zone))
