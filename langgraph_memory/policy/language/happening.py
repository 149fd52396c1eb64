"""When something happened, as far as its telling says so: yesterday, last night, on Monday.

What is told of the past without a day is told of the day on which it was said; what is told of
the present is no event, and has no day unless it names one. Days are those of whoever speaks, as
in ``when``. English and Chinese.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo

from langgraph_memory.domain.interval import Interval, utc
from langgraph_memory.policy.language.days import days
from langgraph_memory.policy.language.manner import PAST
from langgraph_memory.policy.language.when import (
    LONGEST,
    instant,
    is_day,
    named_period,
    phrase_period,
    validity,
)
from langgraph_memory.text.scripts import clean

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
            "seven": 7, "ten": 10, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
            "七": 7, "十": 10}  # fmt: skip
_COUNT = r"\d{1,3}|" + "|".join(_NUMBERS)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_BEFORE_YESTERDAY = re.compile(r"\bthe day before yesterday\b|前天", re.IGNORECASE)
_YESTERDAY = re.compile(r"\byesterday\b(?!['’]s)|\blast night\b|昨[天晚日夜]", re.IGNORECASE)
_TODAY = re.compile(
    r"\b(?:today|tonight|just now|earlier on|this (?:morning|noon|afternoon|evening))\b"
    r"|今[天早晚日晨]|刚才|刚刚",
    re.IGNORECASE,
)
_AGO = re.compile(
    rf"\b(?P<count>{_COUNT}) (?P<unit>day|week)s? ago\b"
    rf"|(?P<many>{_COUNT})(?P<han>天|周|个?星期)(?:之?前)",
    re.IGNORECASE,
)
_LAST = re.compile(rf"\b(?P<p>(?:last|this) (?:week|month|{_WEEKDAY}))\b", re.IGNORECASE)
_HAN_LAST = re.compile(r"上(?:周|个?星期)[一二三四五六日天]")
_ON = re.compile(rf"\b(?:on )?(?P<p>{_WEEKDAY})\b(?!['’]?s\b)", re.IGNORECASE)
_STILL_TO_COME = re.compile(
    r"\b(?:will|shall|going to|tomorrow|next|plan(?:s|ned)?|about to|due|every|each|until|till"
    r"|since|from|by|is|are|am)\b|['’](?:ll|m|re)\b|明天|后天|下周|将|要|打算|计划|每",
    re.IGNORECASE,
)
_PAST_HAN = re.compile(r"了|过")
_PAST_FORM = re.compile(
    r"\b(?:ate|bit|broke|burnt|caught|cut|fell|felt|fought|found|forgot|had|hit|hurt|met|read|rode"
    r"|said|sang|sat|saw|shot|spilt|stole|stood|swam|taught|threw|thought|told|won|woke|wrote)\b",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"\b(?:went to|flew to|drove to|travel?led to|walked to|rode to|visited|came to|was (?:in|at)"
    r"|were (?:in|at))\b|[去到飞]了|去过",
    re.IGNORECASE,
)
_MOVED = re.compile(r"\bmoved\b|搬", re.IGNORECASE)
_NO_EVENT = re.compile(r"\b(?:used to|have|has|had (?:better|to)|['’]ve) \b", re.IGNORECASE)


def happened(text: str, at: datetime, zone: tzinfo, *, event: bool = False) -> Interval:
    """Return since when what a text tells of is to be dated, and until when it holds.

    Args:
        text: The telling.
        at: When it was said; aware.
        zone: Where the speaker's days begin.
        event: Whether it is known to tell of something that happened.
    """
    told = validity(text, at, zone)
    if told.start is not None:
        return told
    said = clean(text[:LONGEST])
    today = utc(at, "at").astimezone(zone).date()
    day = _named(said, today) or (today if event or is_event(said) else None)
    start = instant(day, zone)
    if start is None or (told.end is not None and told.end <= start):
        return told
    return Interval(start, told.end)


def is_event(text: str) -> bool:
    """Tell whether a text tells of what happened, rather than of how things are."""
    if _NO_EVENT.search(text):
        return False
    return bool(PAST.search(text) or _PAST_FORM.search(text) or _PAST_HAN.search(text))


def is_visit(text: str, dated: Interval) -> bool:
    """Tell whether a dated telling is of a way somewhere, and not of where somebody stays."""
    return dated.start is not None and bool(_VISIT.search(text)) and not _MOVED.search(text)


def _named(said: str, today: date) -> date | None:
    """Return the day that is named and is not to come; of a longer time, its first day."""
    if _BEFORE_YESTERDAY.search(said):
        return today - timedelta(days=2)
    if _YESTERDAY.search(said):
        return today - timedelta(days=1)
    if found := _AGO.search(said):
        count = (found["count"] or found["many"]).lower()
        away = _NUMBERS.get(count) or int(count)
        week = (found["unit"] or "").lower() == "week" or found["han"] not in (None, "天")
        return today - timedelta(days=away * (7 if week else 1))
    if _TODAY.search(said):
        return today
    if found := _HAN_LAST.search(said):
        weekday = "一二三四五六日".index(found[0][-1].replace("天", "日"))
        return today - timedelta(days=today.weekday() + 7 - weekday)
    if found := _LAST.search(said):
        whole = phrase_period(found["p"], today, ahead=False)
        return whole[0] if whole and whole[0] <= today else None
    return None if _STILL_TO_COME.search(said) else _past_day(said, today)


def _past_day(said: str, today: date) -> date | None:
    """Return a day that is named by its date or weekday, in a telling of the past."""
    if not is_event(said):
        return None
    for named, _ in days(said):
        whole = named_period(named, today, ahead=False) if named.day else None
        if whole and is_day(whole) and whole[0] <= today:
            return whole[0]
    if found := _ON.search(said):
        whole = phrase_period(found["p"], today, ahead=False)
        return whole[0] if whole else None
    return None
