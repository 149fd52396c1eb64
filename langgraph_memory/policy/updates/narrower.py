"""Whether a new statement tells of a narrower case, or of another one, than the old: both stand.

"The standup is at 11 today" is an exception to "at 9:30"; a price a month and a price a year are
two prices; who does not speak French well speaks French. What replaced the old here would hide a
truth; what is kept beside it is only kept.
"""

from __future__ import annotations

import re

_ONE_OFF = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bto)(?<!\bby)(?<!\buntil) "
    r"(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend|month))\W*$",
    re.IGNORECASE,
)
_FROM_NOW_ON = re.compile(
    r"\b(?:from now on|as of|starting|effective|moved|changed|switched|joined|started|became|was"
    r"|were|got|been)\b",
    re.IGNORECASE,
)
_PER = re.compile(r"\b(?:per|an?|each|every) (?P<unit>\w+)$|\bper (?P<of>\w+)", re.IGNORECASE)
_WHERE = re.compile(
    r"\b(?:in|on|for) (?:the )?(?P<where>staging|production|prod|dev|development|test|testing|qa"
    r"|sandbox|preview|mobile|desktop|web|ios|android|windows|mac|linux)\b",
    re.IGNORECASE,
)
_MARKET = re.compile(r"\bin (?:the )?(?P<where>[A-Z][\w.]+)\W*$")
_AMOUNT = re.compile(
    r"[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:%|dollars?|euros?|pounds?|usd|eur|chf)\b", re.IGNORECASE
)
_DATED = (
    "(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
)
_IS_SOMEBODY = re.compile(rf"\bis (?!(?i:{_DATED}))[A-Z][a-z]")
_IS_SOMEWHERE = re.compile(rf"\bis (?:now |currently )?in (?:the )?(?!(?i:{_DATED}))[A-Z]")
_DENIED = re.compile(r"n['’]t\b|\bnot\b|\bno longer\b|\bnever\b", re.IGNORECASE)
_ONLY_PARTLY = re.compile(
    r"\b(?:well|often|much|a lot|very|always|every ?day|daily|fluently|perfectly|professionally"
    r"|alone|in public|at night|(?:before|after) \d[\w: ]*|(?:on|at) (?:week\w+|\w+days?))\W*$",
    re.IGNORECASE,
)


def of_another_case(new: str, old: str) -> bool:
    """Tell whether ``new`` tells of a narrower or another case than ``old``."""
    return (
        _is_exception(new, old)
        or _differ(_PER, new, old)
        or _differ(_WHERE, new, old)
        or _another_market(new, old)
        or bool(_IS_SOMEWHERE.search(new) and _IS_SOMEBODY.search(old))
        or _only_weakens(new, old)
    )


def _is_exception(new: str, old: str) -> bool:
    return bool(_ONE_OFF.search(new)) and not (_ONE_OFF.search(old) or _FROM_NOW_ON.search(new))


def _differ(pattern: re.Pattern[str], new: str, old: str) -> bool:
    here, there = (
        {part.casefold() for found in pattern.finditer(each) for part in found.groups() if part}
        for each in (new, old)
    )
    return bool(here and there and not here & there)


def _another_market(new: str, old: str) -> bool:
    amounts = _AMOUNT.search(new) and _AMOUNT.search(old)
    return bool(amounts) and _differ(_MARKET, new, old)


def _only_weakens(new: str, old: str) -> bool:
    """Tell whether ``new`` denies a part alone of what ``old`` says without a bound."""
    denies = _DENIED.search(new) and not _DENIED.search(old)
    return bool(denies and _ONLY_PARTLY.search(new)) and not _ONLY_PARTLY.search(old)
