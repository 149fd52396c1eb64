"""The hard parts of a statement: what must be the same, letter for letter or value for value.

Amounts, days, times of day, codes (order numbers, hosts, versions) and names. Everything
else in a sentence may be said in other words; these may only be spelled in other ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from langgraph_memory.policy.language.amounts import Amount, Span, amounts
from langgraph_memory.policy.language.days import Day, Time, days, times
from langgraph_memory.policy.language.lexicon import NO_NAMES, SURNAMES
from langgraph_memory.text.scripts import fold
from langgraph_memory.text.stopwords import ENGLISH

_CODE = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}"  # addresses
    r"|(?:https?://)?(?<![\w.-])[\w-]{1,64}(?:\.[\w-]{1,64}){0,6}\.(?:com|org|net|io|dev|app|de"
    r"|eu|cn|uk|ai)\b[\w/.#?=-]{0,200}"
    r"|\b\d+\.\d+\.\d(?:[\w.]*\w)?"  # 1.2.3
    r"|(?<![\w.-])(?:\+\d{1,3}(?:[ -]?\(?\d{2,4}\)?){2,4}|(?:\(?\d{3}\)?[ -])?\d{3}-\d{4})(?![\w-])"
    r"|(?<![\w-])(?=[\w-]{0,64}[A-Za-z])(?=[\w-]{0,64}\d)"  # A-10442, TP1357
    r"[A-Za-z0-9]{1,64}(?:[-_][A-Za-z0-9]{1,64}){0,8}\b",
    re.ASCII,
)
_NO_CODE = re.compile(
    r"\d+(?:st|nd|rd|th|k|m|bn|h|d|am|pm|px|x|s|min|gb|mb|kg|km)|\d+-[a-z]+|\d+[a-z]{4,}",
    re.IGNORECASE,
)
_TELEPHONE = re.compile(r"[+(]?\d[\d ()-]*")
_CAPITAL = re.compile(r"(?<![A-Za-zÀ-ɏ0-9])[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ɏ0-9'’-]*")
_OPENING = re.compile(r"[.!?:;\n“\"(—–]\s*$")
_TITLE = re.compile(r"(?:Dr|Mr|rs|Ms|of|St)\.\s$")
_SURE_START = re.compile(
    r"\s+(?:(?:already|also|still|now|then|never|always|just|no longer)\s+)?(?:[a-z]+s|[a-z]+ed"
    r"|is|was|are|were|has|had|led|ran|and|doesn't|isn't|wasn't|hasn't|can't|won't|will|can|did"
    r"|does|[A-Z])\b"
)
_HAN_NAME = re.compile(
    rf"(?!周[会末报年期])(?:^|(?<=[,.;:，。；：、和由是叫让跟\s]))[{SURNAMES}](?:先生|女士|老师"
    rf"|经理|总(?=[是的负,，。]|$)"
    r"|[\u4e00-\u9fff]{1,2}?(?=负责|说|是|的|住|喜欢|同意|认为|管|来|不|没|也|已|现在|今天"
    r"|[,;!，。；！\s]|$))"
)

Sort = Literal["sure", "opening", "han"]


@dataclass(frozen=True, slots=True)
class Code:
    """An identifier, folded."""

    text: str

    def agrees(self, other: Code) -> bool:
        """Tell whether both are the same."""
        return self.text == other.text


@dataclass(frozen=True, slots=True)
class Name:
    """A word written with a capital, folded.

    Attributes:
        sort: ``opening`` stands at the start of a sentence, and may be any word.
    """

    text: str
    sort: Sort = "sure"

    def agrees(self, other: Name) -> bool:
        """Tell whether one is the other, or short for it (Postgres, PostgreSQL)."""
        short, long = sorted((self.text, other.text), key=len)
        if self.sort == "han":
            return short in long
        return short == long or (len(short) >= 5 and long.startswith(short[:-1]))


Part = Amount | Day | Time | Code | Name


class Found(NamedTuple):
    """A hard part, where it stands, and how it is written."""

    part: Part
    span: Span
    text: str


def hard_parts(text: str) -> list[Found]:
    """Return the hard parts of a clean text in order; what one reads, no other reads again."""
    found: list[Found] = []
    left = text
    for read in _READERS:
        for part, span in list(read(left)):
            if left[span[0] : span[1]].strip("\x00 ") and "\x00" not in left[span[0] : span[1]]:
                found.append(Found(part, span, text[span[0] : span[1]].strip()))
                left = left[: span[0]] + "\x00" * (span[1] - span[0]) + left[span[1] :]
    return sorted(found, key=lambda each: each.span)


def agree(one: Part, other: Part) -> bool:
    """Tell whether what ``one`` says, ``other`` says too."""
    match one, other:
        case (Amount(), Amount()) | (Day(), Day()) | (Time(), Time()):
            return bool(one.agrees(other))  # type: ignore[arg-type]
        case (Code(), Code()) | (Name(), Name()):
            return one.agrees(other)  # type: ignore[arg-type]
        case (Amount(unit=""), Time()):
            return 60 * one.value == other.minutes
        case (Time(sure=False), Amount(unit="")):
            return 60 * other.value == one.minutes
        case _:
            return False


def comparable(one: Part, other: Part) -> bool:
    """Tell whether two parts answer the same question, so that only one can hold."""
    if isinstance(one, Amount) and isinstance(other, Amount):
        return one.same_kind(other) and bool(one.unit) == bool(other.unit)
    if isinstance(one, Day) and isinstance(other, Day):
        mine, theirs = one.full(), other.full()
        return any(
            a is not None and b is not None
            for a, b in (
                (mine.day, theirs.day), (mine.month, theirs.month),
                (mine.weekday, theirs.weekday), (mine.year, theirs.year),
            )
        )  # fmt: skip
    return type(one) is type(other)


def held(part: Part, by: Iterable[Part]) -> bool:
    """Tell whether one of the parts says what ``part`` says."""
    return any(agree(part, other) for other in by)


def others(part: Part, among: Sequence[Found]) -> list[Found]:
    """Return the parts that could stand in the place of ``part``, and are not it."""
    return [e for e in among if comparable(part, e.part) and not agree(part, e.part)]


def _codes(text: str) -> Iterator[tuple[Code, Span]]:
    for found in _CODE.finditer(text):
        if _NO_CODE.fullmatch(found[0]):
            continue
        said = found[0].rstrip("./")
        plain = re.sub(r"[\s()-]", "", said) if _TELEPHONE.fullmatch(said) else said
        yield (
            Code(fold(plain.lstrip("./")).removeprefix("https://")),
            (found.start(), found.start() + len(said)),
        )


def _names(text: str) -> Iterator[tuple[Name, Span]]:
    for found in _CAPITAL.finditer(text):
        word = re.sub(r"['’]s$", "", found[0])
        folded = fold(word)
        if folded in NO_NAMES or folded in ENGLISH or folded.split("'")[0] in ENGLISH:
            continue
        before = text[max(0, found.start() - 4) : found.start()]
        if _TITLE.search(before) or (before.strip() and not _OPENING.search(before)):
            yield Name(folded), found.span()
        elif not folded.endswith("ly") and _SURE_START.match(text, found.end()):
            yield Name(folded, "opening"), found.span()
    for found in _HAN_NAME.finditer(text):
        name = re.sub("先生|女士|老师|经理|总$", "", found[0])
        yield Name(name, "han"), found.span()


_READERS: tuple[Callable[[str], Iterator[tuple[Part, Span]]], ...] = (
    _codes, days, times, amounts, _names,
)  # fmt: skip
"""The fullest first: a code is no number, and the 5 of "March 5" no amount."""
