"""Whether a new statement takes the place of an old one: the same subject, another value.

A false alarm is worse than a miss: what is wrongly replaced is lost from sight, what is kept
twice is only kept twice. So it takes one of these, in the stating clauses of the new:

* one attribute of one subject with two values (``attributes``),
* two values, names or a denial of the very same words (``differences``),
* the end of what the old one says ("I no longer …", "we dropped …", "… died"),
* a change from what the old one says to something else ("switched from Jenkins to …").

What is told of the past, of somebody's opinion or of a mere possibility changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.policy.amounts import Amount
from langgraph_memory.policy.attribute_words import QUESTIONS
from langgraph_memory.policy.attributes import Attribute, attributes, plain
from langgraph_memory.policy.changes import ended, left_behind, raised
from langgraph_memory.policy.contradiction import stating_clauses
from langgraph_memory.policy.differences import agrees, differ
from langgraph_memory.policy.han_attributes import han_attributes, han_changed, han_ended
from langgraph_memory.policy.hard_parts import Code, agree
from langgraph_memory.policy.sentences import clauses, sentences, together
from langgraph_memory.policy.wording import Statement, read

LONGEST = 2_000
"""Characters of a statement up to which it is compared: a longer one says many things."""

_PAST = re.compile(
    r"\b(?:in|back in|until|from) (?:19|20)\d\d\b|\bago\b|\bwhen (?:i|we|he|she|they)\b|\bas a"
    r" (?:kid"
    r"|child|student)\b|\bback then\b|\bused to\b|\bonce (?:lived|worked|had)\b|以前|曾经|小时候",
    re.IGNORECASE,
)
_NOT_SURE = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+|[Mm]y \w+|[Oo]ur \w+|people|everyone|somebody"
    r"|someone) (?:says?"
    r"|said|thinks?|thought|believes?|told (?:me|us)|claims?|claimed|reckons?|wonders?|wants?"
    r"|hopes?)\b"
    r"|\bheard (?:that|from)\b|\brumou?rs?\b|\b(?:apparently|supposedly|allegedly)\b|(?:说"
    r"|认为|觉得|听说)"
)
_SEVERAL = ("team", "place", "runs")
"""Attributes that may have two values at a time, unless a statement tells of a change."""

_PERIOD = re.compile(r"\b(?:19|20)\d\d\b|\bq[1-4]\b")
_HEAD_WORDS = 3


class Update:
    """A new statement, read once, to be held against what is known.

    Attributes:
        new: What is said now.
    """

    def __init__(self, new: str) -> None:
        told = stating_clauses(new, changes=True) if len(new) <= LONGEST else ()
        self.new = new
        self._clauses = [
            _Clause(each) for each in told if not _PAST.search(each) and not _NOT_SURE.search(each)
        ]

    @property
    def states(self) -> bool:
        """Whether it states anything that could take the place of something."""
        return bool(self._clauses)

    @property
    def is_fact(self) -> bool:
        """Whether it says how something is of which there is one at a time."""
        return any(each.attributes for each in self._clauses)

    def replaces(self, old: str) -> bool:
        """Tell whether it takes the place of ``old``; a repeat in other words does not."""
        if not self._clauses or len(old) > LONGEST or self.repeats(old):
            return False
        known = _Known(old)
        if _periods_differ(self.new, old):
            return False
        return any(each.replaces(known) for each in self._clauses)

    def repeats(self, old: str) -> bool:
        """Tell whether it says the same as ``old`` in the same words."""
        return _bare(self.new) == _bare(old)

    def in_place_of(self, old: str) -> str | None:
        """Return what is to be said instead of ``old``, None where it does not take its place.

        Where ``old`` says several things, and one of them gives way, the others stay.
        """
        if not self.replaces(old):
            return None
        pieces = clauses(old)
        if len(pieces) < 2:
            return self.new
        gone = [place for place, each in enumerate(pieces) if self.replaces(each)]
        if not gone:
            return None
        rest = [each for place, each in enumerate(pieces) if place not in gone]
        return together([self.new, *rest]) if rest else self.new


class _Known:
    """An old statement, as far as it was read."""

    def __init__(self, text: str) -> None:
        self.text = text
        pieces = list(dict.fromkeys(_pieces(text)))
        self.clauses = [read(each) for each in pieces]
        self.attributes = [
            a for each in pieces if not _PAST.search(each) for a in _attributes(each)
        ]


class _Clause:
    """One stating clause of a new statement."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.attributes = list(_attributes(text))
        self.readings = [read(each) for each in dict.fromkeys((text, plain(text)))]

    def replaces(self, old: _Known) -> bool:
        return (
            self._by_attribute(old)
            or any(
                rule(self.text, old.text)
                for rule in (ended, left_behind, raised, han_ended, han_changed)
            )
            or any(_values_differ(mine, old.clauses) for mine in self.readings)
        )

    def _by_attribute(self, old: _Known) -> bool:
        pairs = [(a, b) for a in self.attributes for b in old.attributes if a.name == b.name]
        return any(_differs(a, b) for a, b in pairs) and not any(_is_same(a, b) for a, b in pairs)


def asked_by(text: str) -> str:
    """Return words by which people ask for what a statement says; empty where there are none."""
    names = {each.name for clause in Update(text)._clauses for each in clause.attributes}
    return " ".join(QUESTIONS[name] for name in sorted(names & QUESTIONS.keys()))


def replaces(new: str, old: str) -> bool:
    """Tell whether ``new`` takes the place of ``old``."""
    return Update(new).replaces(old)


def _attributes(text: str) -> Iterator[Attribute]:
    yield from attributes(text)
    yield from han_attributes(text)


def _differs(new: Attribute, old: Attribute) -> bool:
    if new.subject != old.subject or not new.value or not old.value:
        return False
    if new.name in _SEVERAL and not new.change:
        return False  # who has two says so like this, too
    return not _is_same(new, old)


def _is_same(new: Attribute, old: Attribute) -> bool:
    return new.subject == old.subject and (new.value <= old.value or old.value <= new.value)


def _values_differ(mine: Statement, known: list[Statement]) -> bool:
    return not any(agrees(mine, each) for each in known) and any(
        differ(mine, each, tastes=False) and not _other_subject(mine, each) for each in known
    )


def _other_subject(mine: Statement, theirs: Statement) -> bool:
    """Tell whether two clauses open with different things: version 1.2, order A-2, Q1."""
    here, there = _opening_parts(mine), _opening_parts(theirs)
    return bool(here and there) and not any(agree(a, b) for a in here for b in there)


def _opening_parts(of: Statement) -> list[Amount | Code]:
    end = len(" ".join(of.text.split()[:_HEAD_WORDS]))
    return [
        each.part
        for each in of.parts
        if isinstance(each.part, Amount | Code) and each.span[1] <= end
    ]


def _periods_differ(new: str, old: str) -> bool:
    here, there = (set(_PERIOD.findall(each.casefold())) for each in (new, old))
    return bool(here and there) and not here & there


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!。！")


def _pieces(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        parts = clauses(sentence)
        yield from parts if len(parts) == 1 else [*parts, sentence]
