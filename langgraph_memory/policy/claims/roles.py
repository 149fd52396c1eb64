"""Who does it to whom: "Jane reports to Tom" is not "Tom reports to Jane".

Only relations that have a direction are looked at, in clauses that name both sides. Passive
voice, possessives and inverse words ("Tom manages Jane") turn the direction round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from langgraph_memory.policy.language.wording import Statement
from langgraph_memory.text.scripts import fold
from langgraph_memory.text.stems import stem
from langgraph_memory.text.stopwords import ENGLISH

NEAR = 80
"""Characters before and after a relation in which its two sides are looked for."""

MOST = 50
"""Relations of a statement, and of a text, that are compared."""

_VERBS = """
depend report own manage lead supervise mentor teach train coach call invoke block follow precede
replace beat defeat owe pay lend sell buy acquire hire employ review approve feed use import
contain include cause require trust love hate like help support serve inherit extend sue invite
recommend introduce visit supply advise assist inform notify outrank adopt
"""
_FORMS = {
    "taught": "teach", "led": "lead", "bought": "buy", "sold": "sell", "paid": "pay",
    "fed": "feed", "lent": "lend", "beaten": "beat", "acquir": "buy", "purchas": "buy",
    "manager": "manage", "leader": "lead",
}  # fmt: skip
# A word for the other side of a relation, and the word it turns round.
_INVERSE = {
    "report": "manag", "boss": "manag", "supervis": "manag", "lead": "manag", "mente": "mentor",
    "student": "teach", "teacher": "teach", "pupil": "teach",
}  # fmt: skip
_TURNED = {"report", "mente", "student", "pupil"}
_MUTUAL_WORDS = """
friend colleague cousin sibling twin partner neighbour neighbor spouse peer roommate rival
"""
_MUTUAL = frozenset(map(stem, _MUTUAL_WORDS.split()))
_DIRECTED = frozenset(map(stem, _VERBS.split()))
_TOKEN = re.compile(r"[A-Za-zÀ-ɏ][\w-]*")
_PARTICIPLE = re.compile(r"\w+ed|taught|led|bought|sold|paid|fed|lent|beaten", re.IGNORECASE)
_PASSIVE = re.compile(
    r"(?:\b(?:is|are|was|were|been|being|be|gets?|got)|'s|'re)\s+(?:\w+\s+)?"
    rf"(?:{_PARTICIPLE.pattern})$",
    re.IGNORECASE,
)
_BY = re.compile(r"\s(?:\w+\s+){0,2}?by\b", re.IGNORECASE)
_NOUN_BEFORE = re.compile(
    r"(?:\b(?:the|an?|my|your|our|his|her|their|its)|['’]s)\s+$", re.IGNORECASE
)
_NOUN_AFTER = re.compile(r"\s*(?:$|[,;:.]|(?:is|are|was|were|of|for|has|will)\b)", re.IGNORECASE)
_OF_WHOM = (
    re.compile(r"(?P<one>[\w-]+) (?:is|was|are) (?P<other>[\w-]+)['’]s (?:\w+ )?(?P<what>\w+)"),
    re.compile(
        r"(?P<one>[\w-]+) (?:is|was|are) (?:the|an?) (?:\w+ )?(?P<what>\w+) of (?P<other>[\w-]+)"
    ),
    re.compile(r"(?P<other>[\w-]+)['’]s (?P<what>\w+) (?:is|was|are) (?P<one>[\w-]+)"),
)
_PREFERS = re.compile(
    r"\bprefers?(?:red)?\s+(?P<one>[\w-]+)\s+(?:to|over|rather than|instead of)\s+"
    r"(?P<other>[\w-]+)",
    re.IGNORECASE,
)


class Relation(NamedTuple):
    """What some do to others, by stems.

    Attributes:
        what: The relation.
        doers: Who does it, or what stands before it.
        others: To whom.
    """

    what: str
    doers: frozenset[str]
    others: frozenset[str]


def reversed_in(said: Statement, clauses: Sequence[Statement]) -> str:
    """Return how a clause says just this the other way round; empty where none does."""
    mine = list(islice(_relations(said.text), MOST))
    if not mine:
        return ""
    theirs = list(islice((each for clause in clauses for each in _relations(clause.text)), MOST))
    for one in mine:
        same = [each for each in theirs if each.what == one.what]
        if any(_agree(one, each) for each in same):
            continue
        if any(_crossed(one, each) for each in same):
            return "it says so the other way round"
    return ""


def _agree(one: Relation, other: Relation) -> bool:
    return bool(one.doers & other.doers and one.others & other.others)


def _crossed(one: Relation, other: Relation) -> bool:
    return bool(one.doers & other.others and one.others & other.doers)


def _relations(text: str) -> Iterator[Relation]:
    if found := _PREFERS.search(text):
        yield Relation("prefer", _stems(found["one"]), _stems(found["other"]))
    for form in _OF_WHOM:
        for found in form.finditer(text):
            what = _stem(found["what"])
            if what not in _MUTUAL:
                yield _turned(what, _stems(found["one"]), _stems(found["other"]))
    for token in _TOKEN.finditer(text):
        what = _stem(token[0])
        if what not in _DIRECTED:
            continue
        before = text[max(0, token.start() - NEAR) : token.start()]
        after = text[token.end() : token.end() + NEAR]
        if token[0].endswith("er") or _NOUN_BEFORE.search(before) or _NOUN_AFTER.match(after):
            continue  # "the platform lead is", "her manager", "a review of"
        doers, others = _stems(before), _stems(after)
        by = _BY.match(after)
        if by is None and _PASSIVE.search(before + token[0]):
            continue  # "is blocked on", "was taught at": who does it is not said
        if by is not None and _PARTICIPLE.fullmatch(token[0]):  # "led by Omar", with "is" or not
            doers, others = _stems(after[by.end() :]), doers
        yield _turned(what, doers, others)


def _turned(what: str, doers: frozenset[str], others: frozenset[str]) -> Relation:
    """Return a relation by one name and in one direction."""
    name = _INVERSE.get(what, what)
    return Relation(name, others, doers) if what in _TURNED else Relation(name, doers, others)


def _stem(word: str) -> str:
    folded = fold(word)
    return stem(_FORMS.get(folded) or _FORMS.get(stem(folded)) or folded)


def _stems(text: str) -> frozenset[str]:
    found = (fold(re.sub(r"['’]s?$", "", each[0])) for each in _TOKEN.finditer(text))
    return frozenset(stem(each) for each in found if each not in ENGLISH and len(each) > 1)
