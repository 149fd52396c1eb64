"""Whether two clauses give one subject two values.

A false alarm is worse than a miss. The message may say less about its subject than the
record, never more: "the budget" may be "the monthly budget", "the travel budget" may not.
Values are compared within their kind, names only where one alone can hold ("owns", "lives
in", "my landlord is"), and a denial only with the very words it denies. That "I no longer
eat meat" is at odds with "loves steak" is beyond rules.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.hard_parts import Found, Name, agree, comparable
from langgraph_memory.policy.language.lexicon import FUNCTIONS, NEUTRAL, VALUES
from langgraph_memory.policy.language.wording import Statement, read, shares
from langgraph_memory.text.stems import stem

MOST_NARROWER = 2
"""Words by which a record may narrow what the message leaves wide."""

_FROM_THEN_ON = re.compile(
    r"\b(?:from|since|as of|starting|until|after|effective)\s+(?:on\s+)?$", re.IGNORECASE
)
_COPULA = re.compile(r"^\W*(?:\w+[,:]\s*)?(?:my|our|the)\b[^,]*\b(?:is|was|are)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:at|in)\s+(?:the\s+)?(?:[A-Z]\w*\s+)*$")
_HAN_VALUE = re.compile(
    r"^(?P<subject>[\u4e00-\u9fff]{0,8}?)(?:现在|目前|已经)?(?P<verb>住在|住|叫"
    r"|是)(?P<value>[\u4e00-\u9fff]{2,6}?)了?[。.!]?$"
)
_HAN_OWN = re.compile("用户|我们|我|的|你")


def differ(mine: Statement, theirs: Statement, *, tastes: bool = True) -> tuple[str, str] | None:
    """Return the two values, where two clauses give one subject different ones.

    Args:
        mine: What is said now.
        theirs: What was said before.
        tastes: Whether two things that somebody likes are two values: a message that says it
            likes black tea is at odds with green tea for now, though both may be liked.
    """
    if mine.tongue != theirs.tongue:
        return None
    return (
        _denial(mine, theirs)
        or _values(mine, theirs)
        or _named(mine, theirs)
        or _copular(mine, theirs)
        or _rivals(mine, theirs, tastes=tastes)
        or _han_values(mine, theirs)
    )


def agrees(mine: Statement, theirs: Statement) -> bool:
    """Tell whether another clause of the same record says just what the message says."""
    return bool(mine.parts) and _same_subject(mine, theirs) and all(
        any(_same(each, other) for other in theirs.parts) for each in mine.parts
    )  # fmt: skip


def _values(mine: Statement, theirs: Statement) -> tuple[str, str] | None:
    values = [each for each in _hard(mine) if not _from_then_on(each, mine)]
    if not values or mine.denied_parts or theirs.denied_parts or not _same_names(mine, theirs):
        return None
    if not _same_subject(mine, theirs):
        return None
    pairs = []
    for each in values:
        near = [other for other in _hard(theirs) if comparable(each.part, other.part)]
        if not near:
            return None  # "the retro on Friday is at 4 pm" speaks of one retro
        if not any(_same(each, other) for other in near):
            pairs.append((each.text, near[0].text))
    return pairs[0] if pairs else None


def _named(mine: Statement, theirs: Statement) -> tuple[str, str] | None:
    """Compare names where only one can hold."""
    if mine.denied or theirs.denied or len(mine.names) != len(theirs.names):
        return None
    new = [each for each in mine.names if not any(_same(each, o) for o in theirs.names)]
    old = [each for each in theirs.names if not any(_same(each, o) for o in mine.names)]
    if len(new) != 1 or len(old) != 1 or _hard(mine):
        return None
    one, other = _subject(mine), _subject(theirs)
    if not one or not _covers(one, other) or not _covers(other, one):
        return None
    return (new[0].text, old[0].text) if one & FUNCTIONS else None


def _copular(mine: Statement, theirs: Statement) -> tuple[str, str] | None:
    """Compare "my address is …" with another: all values differ, and are of the same kinds."""
    here, there = _COPULA.match(mine.text), _COPULA.match(theirs.text)
    if not here or not there or mine.denied or theirs.denied:
        return None
    one, other = read(here[0]), read(there[0])
    if not one.every or one.every != other.every or one.parts or other.parts:
        return None
    new, old = read(mine.text[here.end() :]), read(theirs.text[there.end() :])
    kinds = [{type(each.part) for each in value.parts} for value in (new, old)]
    if kinds[0] != kinds[1] or any(_same(a, b) for a in new.parts for b in old.parts):
        return None
    return (new.text.strip(" ."), old.text.strip(" .")) if new.parts else None


def _denial(mine: Statement, theirs: Statement) -> tuple[str, str] | None:
    """Compare two clauses of the same words, one of which denies them."""
    one, other = _subject(mine), _subject(theirs)
    if not one or not _covers(one, other) or len(other) > 2 * len(one):
        return None
    flipped = (mine.words & theirs.denied) - theirs.words or (mine.denied & theirs.words) - (
        theirs.denied
    )
    if not flipped or (mine.denied & theirs.denied):
        return None
    here, there = (*mine.parts, *mine.denied_parts), (*theirs.parts, *theirs.denied_parts)
    same = all(any(_same(each, o) for o in there) for each in here)
    named = all(any(_same(each, o) for o in here) for each in theirs.names)
    return (mine.text, theirs.text) if same and named else None


def _rivals(mine: Statement, theirs: Statement, *, tastes: bool) -> tuple[str, str] | None:
    if mine.denied or theirs.denied or not _same_names(mine, theirs):
        return None
    for group in VALUES:
        new, old = mine.words & group, theirs.words & group
        one, other = _subject(mine) - group, _subject(theirs) - group
        told = (tastes and "like" in one) or (
            _COPULA.match(mine.text) and _COPULA.match(theirs.text)
        )
        if new and old and not new & old and one and one == other and told:
            return min(new), min(old)
    return None


def _han_values(mine: Statement, theirs: Statement) -> tuple[str, str] | None:
    here, there = _HAN_VALUE.match(mine.text), _HAN_VALUE.match(theirs.text)
    if not here or not there or here["verb"][0] != there["verb"][0]:
        return None
    one, other = (_HAN_OWN.sub("", each["subject"]) for each in (here, there))
    new, old = here["value"], there["value"]
    if one != other or new in old or old in new or (here["verb"] == "是" and not one):
        return None
    return new, old


def _subject(of: Statement) -> frozenset[str]:
    return of.every - NEUTRAL


def _wide_subject(of: Statement) -> frozenset[str]:
    """Return the subject with a word that opens the clause and may be a name."""
    opening = (each.part for each in of.names if isinstance(each.part, Name))
    return _subject(of) | {stem(each.text) for each in opening if each.sort == "opening"}


def _same_subject(mine: Statement, theirs: Statement) -> bool:
    one, other = _wide_subject(mine), _wide_subject(theirs)
    if not any(shares(word, other) for word in one):
        return False
    if mine.denied or theirs.denied:
        return False
    if _covers(one, other):
        return len([word for word in other if not shares(word, one)]) <= MOST_NARROWER
    return False


def _covers(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether all words of ``one`` are among ``other``."""
    return all(shares(word, other) for word in one)


def _same_names(mine: Statement, theirs: Statement) -> bool:
    """Tell whether both speak of the same people; a place may be left out."""
    one, other = _sure(mine), _sure(theirs)
    return all(any(_same(a, b) for b in other) for a in one) and all(
        _is_place(a, theirs) or any(_same(a, b) for b in one) for a in other
    )


def _sure(of: Statement) -> list[Found]:
    return [e for e in of.names if isinstance(e.part, Name) and e.part.sort != "opening"]


def _is_place(found: Found, of: Statement) -> bool:
    return bool(_PLACE.search(of.text[: found.span[0]][-40:]))


def _hard(of: Statement) -> list[Found]:
    return [each for each in of.parts if not isinstance(each.part, Name)]


def _same(one: Found, other: Found) -> bool:
    return agree(one.part, other.part) or agree(other.part, one.part)


def _from_then_on(found: Found, of: Statement) -> bool:
    return bool(_FROM_THEN_ON.search(of.text[max(0, found.span[0] - 16) : found.span[0]]))
