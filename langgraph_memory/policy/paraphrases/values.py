"""Amounts, days and times of day in a statement, each in one spelling; see ``paraphrase``.

Only what can be read in one way is brought to it: "1,5" and "03/04" stay as they are written.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.amounts import Amount, Span, amounts
from langgraph_memory.policy.language.days import days, times

_TEN = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONE = "(?:one|two|three|four|five|six|seven|eight|nine)"
_SPELLED = re.compile(
    rf"(?:{_TEN}[- ]{_ONE}|(?:an?|{_ONE}|ten) (?:hundred|thousand|million|dozen)"
    r"|[a-z]+)(?P<unit>[\s-]+[a-z]+)?",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?(?!\d)|\d+(?:\.\d{1,2}(?!\d))?(?![.,]?\d)")
_BITS = re.compile(r"\d\s?[kKmMgGtT]?b(?:it)?s?\b")
_SCALED = re.compile(r"\d\s?(?:k|m)\b", re.IGNORECASE)
_CODES = re.compile(r"(?<![\w.-])(?=[\w-]*\d)(?!\d+[A-Z]{1,2}\b)(?=[\w-]*[A-Z])[\w-]+", re.ASCII)
_UNIT = re.compile(r"[A-Za-z]{1,3}$")
_UNITS = frozenset(("GB", "TB", "MB", "KB", "kB", "USD", "EUR", "GBP", "CNY", "RMB", "C", "F", "L"))
"""Units with capitals that are written so; in small letters any unit is."""

_HAN = re.compile(r"[\u3400-\u9fff]")


def marked(text: str) -> str:
    """Return a clean text in which each value that can only be read in one way is a mark.

    A mark has no blank in it: ``⟦500|$⟧``, ``⟦day_2026-6-12⟧``, ``⟦time_900⟧``.
    """
    for start, end, mark in sorted(_marks(text), reverse=True):
        text = f"{text[:start]}{mark}{text[end:]}"
    return text


def _marks(text: str) -> list[tuple[int, int, str]]:
    taken: list[tuple[int, int, str]] = []

    def take(span: Span, mark: str) -> None:
        free = all(span[1] <= start or end <= span[0] for start, end, _ in taken)
        if free and _stands_alone(text, span):
            taken.append((*span, f"⟦{mark}⟧"))

    def block(span: Span) -> None:
        if all(span[1] <= start or end <= span[0] for start, end, _ in taken):
            taken.append((*span, text[span[0] : span[1]]))

    taken.extend((*found.span(), f"⟦code_{found[0]}⟧") for found in _CODES.finditer(text))
    for day, span in days(text):
        written = text[span[0] : span[1]]
        if day.month and "/" not in written and (day.day or day.year):
            take(span, f"day_{day.year or ''}-{day.month}-{day.day or ''}")
        else:
            block(span)
    for time, span in times(text):
        if time.sure:
            take(span, f"time_{time.minutes}")
        else:
            block(span)
    for amount, span in amounts(text):
        start = span[0] + len(text[span[0] : span[1]]) - len(text[span[0] : span[1]].lstrip())
        if _is_plain(amount, text[start : span[1]]):
            take((start, span[1]), f"{_number(amount, text[start : span[1]])}|{amount.unit}")
    return taken


def _is_plain(amount: Amount, written: str) -> bool:
    """Tell whether an amount is written so that it can only be read in one way."""
    if _HAN.search(written):
        return True
    if "¥" in written:
        return False  # yen, or yuan
    if not any(map(str.isdigit, written)):
        found = _SPELLED.fullmatch(written)
        return found is not None and bool(found["unit"]) == bool(amount.unit)
    number = re.search(r"\d[\d,.]*", written)
    if number is None or not _PLAIN.fullmatch(number[0].rstrip(".,")) or _BITS.search(written):
        return False
    unit = _UNIT.search(written)
    if amount.unit and unit and not unit[0].islower() and unit[0] not in _UNITS:
        return False  # mB, Mg
    return not _SCALED.search(written) or amount.unit in ("$", "€", "£", "¥")


def _number(amount: Amount, written: str) -> str:
    """Return a number as one is written; 3.10 of nothing may be a version, and not 3.1."""
    digits = written.strip().replace(",", "")
    bare = not amount.unit and "." in digits and digits.replace(".", "").isdecimal()
    return digits if bare else f"{amount.value:g}"


def _stands_alone(text: str, span: Span) -> bool:
    """Tell whether a value is no part of something longer: a code, a fraction, a score."""
    before, after = text[: span[0]], text[span[1] :]
    if re.search(r"[A-Za-z0-9_#@+=~<>/:.,^*&-]$", before):
        return False
    return not re.match(r"[A-Za-z0-9_#@+=~<>/^*&-]|[.,:]\d", after)
