"""Whether a new statement takes the place of an old one: the same subject, another value.

A false alarm is worse than a miss: what is wrongly replaced is lost from sight, what is kept
twice is only kept twice. So it takes one of these, in the stating clauses of the new:

* one attribute of one subject with two values (``attributes``),
* two values, names or a denial of the very same words (``differences``),
* the end of what the old one says ("I no longer …", "we dropped …", "… died"),
* a change from what the old one says to something else ("switched from Jenkins to …"),
* something else that one does one of at a time ("I drive a Tesla now", ``swapping``).

What is told of the past, of somebody's opinion or of a mere possibility changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from langgraph_memory.policy.language.hard_parts import Name, agree, comparable, hard_parts
from langgraph_memory.policy.language.sentences import clauses, sentences, together
from langgraph_memory.policy.language.spelling import same_words
from langgraph_memory.policy.language.wording import Statement, read
from langgraph_memory.policy.updates.attribute_words import QUESTIONS
from langgraph_memory.policy.updates.attributes import Attribute, attributes, plain, words
from langgraph_memory.policy.updates.changes import left_behind, raised
from langgraph_memory.policy.updates.differences import agrees, differ
from langgraph_memory.policy.updates.endings import ended
from langgraph_memory.policy.updates.han_attributes import (
    han_attributes,
    han_changed,
    han_ended,
)
from langgraph_memory.policy.updates.narrower import of_another_case
from langgraph_memory.policy.updates.stating import stating_clauses
from langgraph_memory.policy.updates.swapping import Swap, prefers

LONGEST = 2_000
"""Characters of a statement up to which it is compared: a longer one says many things."""

MOST_PARTS = 64
"""Clauses and sentences of an old statement that are read."""

_PAST = re.compile(
    r"\b(?:in|back in|until|from) (?:19|20)\d\d\b"
    r"|\b(?:un)?till? (?:last|recently|yesterday)\b|\bago\b|\bwhen (?:i|we|he|she|they)\b"
    r"|\bas a (?:kid|child|student|teenager)\b|\bback then\b|\bused to\b|\bonce (?:lived"
    r"|worked|had)\b"
    r"|\bfor (?:a|an|one|two|three|four|five|six|\d+|several|a few) (?:day|week|month"
    r"|year)s?\b|\bduring\b"
    r"|\b(?:came|come|moved|went) back\b|\btemporar|\bintern(?:ed|ship)\b|以前|曾经|小时候"
    r"|实习|临时|暂时",
    re.IGNORECASE,
)
"""What was so for a while, or is over."""

_FOREIGN = re.compile(
    r"[\n\"“”「」『』]|:\s+(?:i|we|my|our)\b|\b(?:said|says|wrote|writes|put it|told|according"
    r" to|e-?mail(?:ed|s)?"
    r"|message|translate|novel|dream|story|lyrics|kidding|joking|pretend|imagine"
    r"|hypothetically|would|could"
    r"|should|might|rumou?rs?|apparently|supposedly|allegedly|heard)\b|小说|梦|游戏|邮件|消息"
    r"|翻译|开玩笑|说[：:，]|[：:]我",
    re.IGNORECASE,
)
"""Words of somebody else, or of a world that is not."""

_NOT_SURE = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[A-Z]\w+|[Mm]y \w+|[Oo]ur \w+|people|everyone|somebody|someone) "
    r"(?:thinks?|thought|believes?|claims?|claimed|reckons?|wonders?|wants?|hopes?)\b|(?:说"
    r"|认为|觉得|听说|想)"
)
_SEVERAL = ("team", "place", "runs")
"""Attributes that may have two values at a time, unless a statement tells of a change."""

_PERIOD = re.compile(
    r"\b(?:19|20)\d\d\b|\bq[1-4]\b|\b(?:weekdays?|weekends?|mornings?|evenings?|summers?"
    r"|winters?|breakfast"
    r"|lunch|dinner)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s|s)\b|\b(?:in|for)"
    r" (?:january|february"
    r"|march|april|may|june|july|august|september|october|november|december)\b"
)
_PURPOSE = re.compile(r"\bfor (?:the |our |my )?(?P<what>[\w -]+)")
_DEFINITE = re.compile(r"^(?:the|our|my|this|its|[A-Z][\w-]+'s)\b", re.IGNORECASE)
_MARKED = re.compile(
    r"\b(?:now|from now on|instead|no longer|any ?more|as of|currently|these days|nowadays"
    r"|changed?|moved"
    r"|raised|lowered|increased|reduced|extended|pushed|postponed|bumped|updated|cut|set to)\b"
    r"|n't\b|\bnot\b",
    re.IGNORECASE,
)
_BYGONE = re.compile(
    r"\b(?:lived|worked|was|were|had|did|studied|liked|loved|owned"
    r"|led)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|will|has|have|moved|starts?|ends?|costs?|holds?|takes?|runs?"
    r"|opens?|closes?"
    r"|changed|got|went|supports?|contains?|needs?|leaves|arrives|lives?|works?)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\b[A-Z](?!\b)")
_STATE = re.compile(
    r"(?:in|on|at|away|out|off|back|under|near|down|up|here|there|home|very|so|too|quite|really"
    r"|pretty|hiring|sick|ill|late|busy|open|closed|broken|slow|fast|kind|great|nice|good|bad|tired|happy"
    r"|angry|new|old|gone|missing|full|empty|expensive|cheap)\b|\w+(?:ed|ing)\W*$"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_HEAD = re.compile(
    r"^(?P<head>[^是在为改调换，。]{1,20}?)(?:现在|目前|已经|刚刚|又)*(?:是"
    r"|在|为|改|调|换|不)"
)


class Update:
    """A new statement, read once, to be held against what is known.

    Attributes:
        new: What is said now.
    """

    def __init__(self, new: str) -> None:
        plainly = len(new) <= LONGEST and not _FOREIGN.search(new)
        told = stating_clauses(new, changes=True) if plainly else ()
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
        return any(each.attributes or prefers(each.text) for each in self._clauses)

    def replaces(self, old: str | Known) -> bool:
        """Tell whether it takes the place of ``old``; a repeat in other words does not."""
        known = Known(old) if isinstance(old, str) else old
        if not self._clauses or len(known.text) > LONGEST or self.repeats(known.text):
            return False
        if _periods_differ(self.new, known.text) or of_another_case(self.new, known.text):
            return False
        return any(each.replaces(known) for each in self._clauses)

    def repeats(self, old: str) -> bool:
        """Tell whether it says the same as ``old`` in the same words."""
        return same_words(self.new, old)

    def in_place_of(self, old: str) -> str | None:
        """Return what is to be said instead of ``old``, None where it does not take its place.

        Where ``old`` says several things, and one of them gives way, the others stay. A piece
        that states nothing by itself ("…, Germany") belonged to the one that goes.
        """
        if not self.replaces(old):
            return None
        pieces = clauses(old)
        if len(pieces) < 2:
            return self.new
        gone = [place for place, each in enumerate(pieces) if self.replaces(each)]
        if not gone:
            return None
        rest = [
            each for place, each in enumerate(pieces) if place not in gone and _stands_alone(each)
        ]
        return together([self.new, *rest]) if rest else self.new


class Known:
    """An old statement, read as far as it is asked for, once.

    Attributes:
        text: All of it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def clauses(self) -> list[Statement]:
        """Its clauses and sentences."""
        return [read(each) for each in self._parts]

    @cached_property
    def attributes(self) -> list[Attribute]:
        """What it says of whom that has one value at a time."""
        told = (each for each in self._parts if not _PAST.search(each))
        return [attribute for each in told for attribute in _attributes(each)]

    @cached_property
    def _parts(self) -> list[str]:
        return list(islice(dict.fromkeys(_pieces(self.text)), MOST_PARTS))


class _Clause:
    """One stating clause of a new statement."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.attributes = list(_attributes(text))
        self._swap = Swap(text)

    @cached_property
    def readings(self) -> list[Statement]:
        """As it is compared word by word; who only asks for attributes pays for none of it."""
        return [read(each) for each in dict.fromkeys((self.text, plain(self.text)))]

    def replaces(self, old: Known) -> bool:
        return (
            self._by_attribute(old)
            or self._swap.replaces(old.text)
            or any(
                rule(self.text, old.text)
                for rule in (ended, left_behind, raised, han_ended, han_changed)
            )
            or any(
                _values_differ(mine, each, self.text)
                for mine in self.readings
                for each in old.clauses
            )
        )

    def _by_attribute(self, old: Known) -> bool:
        pairs = [(a, b) for a in self.attributes for b in old.attributes if a.name == b.name]
        return any(_differs(a, b) for a, b in pairs) and not any(_is_same(a, b) for a, b in pairs)


def _stands_alone(piece: str) -> bool:
    return bool(_VERB.search(piece) or _HAN.search(piece) or next(_attributes(piece), None))


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
    if new.name.startswith("own:") and not _of_one_kind(new.said, old.said):
        return False
    if new.subject != old.subject or not new.value or not old.value:
        return False
    another = _is_state(new.said) or not _named(new.said)
    if new.said and another and _named(old.said) and not _is_state(old.said):
        return False  # "my manager is furious" says not who it is
    if new.name in _SEVERAL and not new.change:
        return False  # who has two says so like this, too
    return not _is_same(new, old)


def _of_one_kind(new: str, old: str) -> bool:
    """Tell whether two values answer one question: a day with a day, an amount with an amount."""
    here, there = (
        [e.part for e in hard_parts(text) if not isinstance(e.part, Name)] for text in (new, old)
    )
    if not here and not there:
        return _named(new) == _named(old) and _is_state(new) == _is_state(old)
    return any(comparable(a, b) for a in here for b in there)


def _named(value: str) -> bool:
    """Tell whether a value is a name: "my manager is sick" says not who my manager is."""
    return bool(_CAPITAL.search(value))


def _is_state(value: str) -> bool:
    """Tell whether a value says how something is, or where, and not what it is."""
    return bool(_STATE.match(value))


def _is_same(new: Attribute, old: Attribute) -> bool:
    return new.subject == old.subject and (new.value <= old.value or old.value <= new.value)


def _values_differ(mine: Statement, theirs: Statement, said: str) -> bool:
    """Tell whether two clauses of one definite subject differ in one value, and in no other."""
    if _HAN.search(mine.text):
        same = "住" not in mine.text and _han_subjects_agree(mine.text, theirs.text)
    else:
        bygone = _BYGONE.search(said) and not _MARKED.search(said)
        definite = _DEFINITE.match(mine.text) and _DEFINITE.match(theirs.text)
        same = not bygone and bool(definite or _MARKED.search(said)) and _heads_agree(mine, theirs)
    new = [each.part for each in mine.parts if not isinstance(each.part, Name)]
    other = [each for each in new if not any(agree(each, old.part) for old in theirs.parts)]
    if not same or len(other) > 1 or agrees(mine, theirs):
        return False
    denied = bool(mine.denied) != bool(theirs.denied)
    if denied and mine.every != theirs.every:
        return False  # who dislikes Paris in August may love Paris
    return differ(mine, theirs, tastes=False) is not None


def _heads_agree(mine: Statement, theirs: Statement) -> bool:
    """Tell whether what stands before the verbs has the same numbers and codes in it."""
    here, there = (_numbered(each.text) for each in (mine, theirs))
    return here is None or there is None or here == there


def _numbered(text: str) -> set[str] | None:
    verb = _VERB.search(text)
    head = text[: verb.start()] if verb else None
    return None if head is None else set(re.findall(r"\S*\d\S*", head))


def _han_subjects_agree(new: str, old: str) -> bool:
    here, there = _HAN_HEAD.match(new), _HAN_HEAD.match(old)
    if not here or not there:
        return False
    one, other = here["head"].rstrip("的"), there["head"].rstrip("的")
    return one == other or (other.endswith(one) and len(one) > 1 and "的" not in other)


def _periods_differ(new: str, old: str) -> bool:
    here, there = (set(_PERIOD.findall(each.casefold())) for each in (new, old))
    if here and there and not here & there:
        return True
    mine, theirs = (_PURPOSE.search(each) for each in (new, old))
    return bool(mine and theirs) and words(mine["what"]) != words(theirs["what"])  # type: ignore[index]


def _pieces(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        parts = clauses(sentence)
        yield from parts if len(parts) == 1 else [*parts, sentence]
