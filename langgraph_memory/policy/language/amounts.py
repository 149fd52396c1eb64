"""Amounts in a text, whatever their spelling: "$150", "150 dollars", "a hundred and fifty".

A unit is kept where one is written and known; a bare number agrees with any unit, since
"port 8443" and "it is 8443" say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]

_UNITS = {
    "$": "$ us$ usd dollar dollars buck bucks 美元 美金 刀",
    "€": "€ eur euro euros 欧元",
    "£": "£ gbp pound pounds 英镑",
    "¥": "¥ cny rmb yuan 元 块 块钱 人民币",
    "%": "% percent",
    "year": "year years yr yrs 岁 年",
    "month": "month months 个月",
    "week": "week weeks 周 个星期 星期",
    "day": "day days 天",
    "hour": "hour hours hr hrs h 小时 个小时",
    "minute": "minute minutes min mins 分钟",
    "time": "time times 次 遍",
    "floor": "floor floors 楼 层",
    "people": "people 人 位 名",
    "pieces": "件 台 本 页 间 只 条",
    "quarter": "quarter quarters 季度",
    "night": "night nights 晚",
    "second": "second seconds sec secs 秒",
    "ms": "ms millisecond milliseconds 毫秒",
    "TB": "tb",
    "GB": "gb",
    "MB": "mb",
    "KB": "kb",
    "km": "km kilometer kilometers kilometre kilometres 公里",
    "mile": "mile miles mi 英里",
    "cm": "cm 厘米",
    "mm": "mm 毫米",
    "kg": "kg kilo kilos 公斤",
    "g": "g gram grams 克",
    "mg": "mg 毫克",
    "ml": "ml 毫升",
    "liter": "l liter liters litre litres 升",
    "°C": "°c celsius",
    "°F": "°f fahrenheit",
}
_UNIT_OF = {spelled: unit for unit, all_of in _UNITS.items() for spelled in all_of.split()}
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9,
           "千": 1e3, "万": 1e4, "亿": 1e8}  # fmt: skip

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
_STEPS = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
_HAN_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
}
_HAN_STEPS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}

UNIT_WORDS = "|".join(each for each in _UNIT_OF if len(each) > 2 and each.isascii())
_ANY_UNIT = "|".join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))
_AFTER = rf"(?:\s*-?\s*(?P<after>(?:{_ANY_UNIT}))(?![A-Za-z]))?"
_WORD = "|".join(sorted([*_VALUES, *_STEPS], key=len, reverse=True))
_DIGITS = re.compile(
    rf"(?<![\w.])(?P<before>us\$|[$€£¥]|usd|eur|gbp|cny|rmb)?\s?(?P<number>\d[\d,]*(?:\.\d+)?)"
    rf"(?:\s?(?P<scale>k|m|bn|thousand|million|billion|千|万|亿)(?![A-Za-z]))?{_AFTER}",
    re.IGNORECASE | re.ASCII,
)
_WORDS = re.compile(
    rf"\b(?P<number>(?:an?\s+(?=(?:hundred|thousand|million|dozen)\b))?(?:{_WORD})"
    rf"(?:[\s-]+(?:and\s+)?(?:{_WORD}))*)\b{_AFTER}",
    re.IGNORECASE | re.ASCII,
)
_HAN = re.compile(rf"(?P<number>[零〇一二两三四五六七八九十百千万]+){_AFTER}")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and its unit; the unit is empty where none is written."""

    value: float
    unit: str = ""

    def agrees(self, other: Amount) -> bool:
        """Tell whether both may mean the same."""
        return self.value == other.value and (self.same_kind(other))

    def same_kind(self, other: Amount) -> bool:
        """Tell whether the two can be compared: one unit, or none written."""
        return self.unit == other.unit or not self.unit or not other.unit


def amounts(text: str) -> Iterator[tuple[Amount, Span]]:
    """Return the amounts of a clean text and where they stand."""
    for found in _DIGITS.finditer(text):
        value = float(found["number"].replace(",", "")) * _SCALES.get(_low(found["scale"]), 1)
        yield Amount(value, _unit(found["before"]) or _unit(found["after"])), found.span()
    for found in _WORDS.finditer(text):
        spelled = re.findall(_WORD, found["number"].lower())
        unit = _unit(found["after"])
        if spelled != ["one"] or unit:  # "one of them" counts nothing
            yield Amount(_in_words(found["number"].lower()), unit), found.span()
    for found in _HAN.finditer(text):
        unit = _unit(found["after"])
        if unit or (len(found["number"]) > 1 and found["number"].strip("十百千万")):
            yield Amount(_in_han(found["number"]), unit), found.span()


def _low(text: str | None) -> str:
    return (text or "").lower()


def _unit(spelled: str | None) -> str:
    return _UNIT_OF.get(_low(spelled), "")


def _in_words(text: str) -> float:
    total = current = 0
    for word in re.findall(_WORD, text):
        if word in _VALUES:
            current += _VALUES[word]
        elif word in ("hundred", "dozen"):
            current = max(current, 1) * _STEPS[word]
        else:
            total += max(current, 1) * _STEPS[word]
            current = 0
    return float(total + current)


def _in_han(text: str) -> float:
    total = current = 0
    for char in text:
        if char in _HAN_DIGITS:
            current = _HAN_DIGITS[char]
        elif char == "万":
            total = (total + current or 1) * _HAN_STEPS[char]
            current = 0
        else:
            total += (current or 1) * _HAN_STEPS[char]
            current = 0
    return float(total + current)
