"""Days and times of day in a text, whatever their spelling.

"2026-03-05", "March 5", "5 March 2026", "Thursday" and "3月5日" are one and the same day as
far as each says. A day that says less agrees with one that says more, never the other way
round, but for the year, which is rarely said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from langgraph_memory.policy.language.amounts import UNIT_WORDS, Span

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_HAN_DAYS = {char: day for day, char in enumerate("一二三四五六日")} | {"天": 6}
_HAN_NUMBERS = ["十一", "十二", *"一二三四五六七八九十"]
_HAN_MONTHS = {"十一": 11, "十二": 12} | {
    c: n for n, c in enumerate("一二三四五六七八九十", start=1)
}

_HAN_DAY = "三十一|三十|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
_ON = rf"(?:(?P<weekday>{'|'.join(_WEEKDAYS)}),?\s+(?:the\s+)?)?"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\w|[:.]\d)"
_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d))?(?!\w)"
_PATTERNS = [
    re.compile(r"(?<![\d-])(?P<year>\d{4})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?![\d-])"),
    re.compile(rf"\b{_ON}{_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}", re.IGNORECASE | re.ASCII),
    re.compile(rf"\b{_ON}{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}", re.IGNORECASE | re.ASCII),
    re.compile(
        rf"(?:(?P<year>\d{{4}})年)?(?P<month>\d\d?|{'|'.join(_HAN_NUMBERS)})月(?!度|份?预)"
        rf"(?:(?P<day>\d\d?|{_HAN_DAY})[日号])?"
    ),
    re.compile(r"(?P<year>(?:19|20)\d\d)年(?!\d)"),
    re.compile(r"(?<!\d)(?P<day>\d\d?)[号日](?![期常历])"),
    re.compile(
        r"(?:(?<=\bon )|(?<=\bby )|(?<=\bis )|(?<=\bsince )|(?<=\buntil ))"
        r"(?P<month>0?[1-9]|1[0-2])/(?P<day>3[01]|[12]\d"
        r"|0?[1-9])(?:/(?P<year>(?:20)?\d\d))?(?![\d/])",
        re.ASCII,
    ),
    re.compile(r"\bthe\s+(?P<day>3[01]|[12]\d|[1-9])(?:st|nd|rd|th)\b", re.IGNORECASE | re.ASCII),
    re.compile(
        rf"\b(?P<month>{'|'.join(m.capitalize() for m in _MONTHS if m != 'may')}"
        r"|(?<=\bin )May|(?<=\bof )May|(?<=\buntil )May|(?<=\bby )May|(?<=\bsince )May"
        r"|May(?=\s+\d{4}\b))" + _YEAR,
        re.ASCII,
    ),
    re.compile(r"(?<![\w$€£¥.,:-])(?P<year>(?:19|20)\d\d)(?![\w%€]|[.,:]\d)", re.ASCII),
    re.compile(
        rf"\b(?P<weekday>{'|'.join(_WEEKDAYS)})s?\b|(?:星期|周|礼拜)(?P<han>[一二三四五六日天])",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(r"\b(?P<weekday>Mon|Tues?|Wed|Thu(?:rs?)?|Fri)\b", re.ASCII),
]
_TIMES = [
    re.compile(
        r"(?<![\d.])(?P<hour>\d\d?)(?::(?P<minute>\d\d))?\s?(?P<half>[ap])\.?m\b\.?",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(r"(?<![\d.:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?![\d:])"),
    re.compile(r"\b(?P<hour>\d\d?)\s+o'clock\b"),
    re.compile(
        r"(?<=\bat )(?P<hour>[01]?\d|2[0-4])(?![\w,.:%]\w|\s?[$€£%\d]|\s+[A-Z]"
        rf"|\s+(?:{UNIT_WORDS})\b)"
    ),
    re.compile(r"\b(?P<word>noon|midnight|midday)\b", re.IGNORECASE | re.ASCII),
    re.compile(
        r"(?P<part>凌晨|早上|上午|中午|下午|晚上)?(?P<hour>\d\d?|[十一二两三四五六七八九]+)"
        r"点(?P<to>半)?(?!儿)"
    ),
]


@dataclass(frozen=True, slots=True)
class Day:
    """A day as far as it is named; weekday 0 is Monday."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def agrees(self, other: Day) -> bool:
        """Tell whether all that ``self`` says, ``other`` says too; a year may be left out."""
        theirs = other.full()
        said = ((self.month, theirs.month), (self.day, theirs.day), (self.weekday, theirs.weekday))
        if any(mine is not None and mine != says for mine, says in said[:2]):
            return False
        if self.weekday is not None and self.weekday != theirs.weekday:
            named = self.day and theirs.day and theirs.weekday is None
            if not named:  # "Saturday, 14 November" adds what a calendar tells
                return False
        if self.year is None or theirs.year is None:
            return self.year is None or self.month is not None
        return self.year == theirs.year

    def full(self) -> Day:
        """Return the day with its weekday, where that follows."""
        if not (self.year and self.month and self.day):
            return self
        try:
            weekday = date(self.year, self.month, self.day).weekday()
        except ValueError:
            return self
        return Day(self.year, self.month, self.day, weekday)


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day in minutes; ``sure`` unless morning or afternoon is open."""

    minutes: int
    sure: bool = True

    def agrees(self, other: Time) -> bool:
        """Tell whether both may mean the same."""
        if self.sure and other.sure:
            return self.minutes == other.minutes
        return self.minutes % 720 == other.minutes % 720


def days(text: str) -> Iterator[tuple[Day, Span]]:
    """Return the days of a clean text; those found first are the fullest and win."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            yield _day(found.groupdict()), found.span()


def times(text: str) -> Iterator[tuple[Time, Span]]:
    """Return the times of day of a clean text."""
    for pattern in _TIMES:
        for found in pattern.finditer(text):
            yield _time(found.groupdict()), found.span()


def _day(parts: dict[str, str | None]) -> Day:
    weekday = None
    if han := parts.get("han"):
        weekday = _HAN_DAYS[han]
    elif name := parts.get("weekday"):
        weekday = next(n for n, full in enumerate(_WEEKDAYS) if full[:3] == name.lower()[:3])
    said, day = parts.get("year"), parts.get("day")
    year = int(said) + (2000 if len(said) == 2 else 0) if said else None
    return Day(year, _month(parts.get("month")), _number(day) if day else None, weekday)


def _number(said: str) -> int:
    """Return a number up to 31, in digits or in Chinese."""
    if said.isdigit():
        return int(said)
    tens, _, ones = said.rpartition("十")
    ten = 10 * (_HAN_MONTHS.get(tens, 1)) if "十" in said else 0
    return ten + _HAN_MONTHS.get(ones, 0)


def _month(name: str | None) -> int | None:
    if name is None:
        return None
    if name.isdigit():
        return int(name)
    if name in _HAN_MONTHS:
        return _HAN_MONTHS[name]
    return next(n for n, full in enumerate(_MONTHS, start=1) if full[:3] == name.lower()[:3])


def _time(parts: dict[str, str | None]) -> Time:
    if word := parts.get("word"):
        return Time(0 if word.lower() == "midnight" else 720)
    said = parts["hour"] or "0"
    hour = int(said) if said.isdigit() else _han_hour(said)
    minutes = 60 * hour + int(parts.get("minute") or (30 if parts.get("to") else 0))
    half = (parts.get("half") or "").lower() or {"下午": "p", "晚上": "p", "中午": "p"}.get(
        parts.get("part") or "", "a" if parts.get("part") else ""
    )
    if half:
        return Time(minutes % 720 + (720 if half == "p" else 0))
    return Time(minutes % 1440, sure=hour > 12)


def _han_hour(said: str) -> int:
    return 2 if said == "两" else _number(said)
