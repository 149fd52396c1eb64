"""What a statement says of which attribute of whom: employer of I = Google.

Only attributes of which there is one at a time, as people speak of them in English: where
somebody works and lives, who owns a task, what is somebody's favourite, in which of its states
a thing is, whether something is liked. What is not listed here states no attribute: two
statements that look alike are then two statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from langgraph_memory.policy.updates.attribute_rules import (
    ACTS,
    BELONGS,
    HANDED,
    HAVE_NEW,
    HOLDS,
    IS_OWNER,
    MODAL,
    OWN,
    OWN_BACK,
    OWNED,
    OWNER,
    RULES,
    STATE,
    TASTE,
)
from langgraph_memory.policy.updates.attribute_words import (
    ATTRIBUTES,
    LIKES,
    NO_EMPLOYER,
    NO_HOME,
    SAME_ATTRIBUTE,
    STATES,
)
from langgraph_memory.text.scripts import clean
from langgraph_memory.text.stems import stem
from langgraph_memory.text.stopwords import ENGLISH


class Attribute(NamedTuple):
    """One attribute of one subject.

    Attributes:
        name: Which; what has a name of its own is ``own: <its words>``.
        subject: Whose, as stems.
        value: What it is, as stems.
        change: Whether the statement tells of a change, rather than how it is.
        said: The value as it stands.
    """

    name: str
    subject: frozenset[str]
    value: frozenset[str]
    change: bool = False
    said: str = ""


_SHORT = (("n't", " not"), ("'m", " am"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"))
_ADVERBS = re.compile(
    r"\b(?:right now|now|always|really|just|recently|currently|actually|officially|finally"
    r"|already|these days"
    r"|nowadays|again|instead|any ?more|any longer|from now on|from here on|as of (?:today|now)"
    r"|at the moment|still)\b[,]?\s*",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:today|yesterday|last (?:week|month|year|night|spring|summer|fall|autumn"
    r"|winter|\w+day)|this (?:week|month|year|morning|spring|summer|fall|autumn|winter)"
    r"|(?:since|starting|effective) (?:\w+day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)"
    r"|in (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december))\b[,]?\s*",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:and|but|so|also|well|ok|okay|update:?|news:?|good news:?|quick update:?|by the"
    r" way|btw|fyi"
    r"|turns out|it turns out(?: that)?)[, ]+|(?:[\w ]{1,24} )?(?:showed|shows|confirmed"
    r"|revealed)(?: that)? )+",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"^(?:After|Since|With|Thanks to|As of|From|In|On|Over|At|Starting|Following|Due"
    r" to)\b[^,]{1,60}?,? "
    r"(?=(?:I|we|my|our|the|[A-Z]\w+(?:'s)?) )"
)
"""What stands before who or what is spoken of."""

_SEASON = re.compile(
    r"\b(?:in|on|at|during) (?:the )?(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|summer|winter|spring|autumn|fall|weekends?|weekdays?|morning|evening"
    r"|night|\w+days?)\b",
    re.IGNORECASE,
)
"""When something is not liked that is liked otherwise."""

_SPELLED = {
    "colour": "color", "colours": "colors", "favourite": "favorite", "favour": "favor",
    "flavour": "flavor", "neighbour": "neighbor", "neighbours": "neighbors", "centre": "center",
    "theatre": "theater", "grey": "gray", "licence": "license", "programme": "program",
    "organisation": "organization", "jewellery": "jewelry", "tyre": "tire", "tyres": "tires",
}  # fmt: skip
"""Two spellings of one word."""

_CIVIL = ("married", "engaged", "divorced", "separated", "widowed")
_OWNERS = {"the": "", "my": "i", "our": "we"}
_ACTIONS = frozenset(
    map(
        stem,
        [
            "to",
            "eat",
            "eating",
            "drink",
            "drinking",
            "play",
            "playing",
            "watch",
            "watching",
            "do",
            "doing",
            "taste",
            "smell",
        ],
    )
)


def attributes(clause: str) -> Iterator[Attribute]:
    """Yield what a clause in English states of attributes that have one value at a time."""
    said = plain(clause)
    for rule in RULES:
        if (found := rule.pattern.search(said)) and _may_be(rule.name, found["v"]):
            yield Attribute(
                rule.name, words(found["s"]), words(found["v"]), rule.change, found["v"]
            )
    yield from _owned(said)
    yield from _own(said)
    yield from _states(said)
    if found := MODAL.search(said):
        yield Attribute(
            f"may: {' '.join(sorted(words(found['o'])))}",
            words(found["s"]),
            _permission(found["m"]),
        )
    if (found := TASTE.search(said)) and not _SEASON.search(clause):
        liked = "yes" if re.fullmatch(LIKES, found["verb"]) else "no"
        what = words(found["o"]) - _ACTIONS
        yield Attribute(f"taste: {' '.join(sorted(what))}", words(found["s"]), frozenset((liked,)))


def _may_be(name: str, value: str) -> bool:
    """Tell whether a value may be one: nobody lives in a flat by name, or works at the gym."""
    if name == "employer":
        return value[:1].isupper() and not NO_EMPLOYER.search(value)
    if name == "home":
        return value[:1].isupper() and not NO_HOME.search(value)
    return True


def plain(clause: str) -> str:
    """Return a clause without short forms and words of time."""
    said = clean(clause).strip(" .!")
    said = re.sub(r"\bcan't\b", "can not", re.sub(r"\bwon't\b", "will not", said))
    for short, long in _SHORT:
        said = said.replace(short, long)
    said = re.sub(r"^([A-Z][\w -]{2,40}): (?=\S)", r"\1 is ", said)
    said = _ADVERBS.sub("", _TIMES.sub("", said))
    return _BEFORE.sub("", _OPENING.sub("", said)).strip(" ,")


def without_times(clause: str) -> str:
    """Return a clause without words of time, and without what stands before it."""
    return _OPENING.sub("", _TIMES.sub("", clean(clause).strip())).strip(" ,")


def words(text: str) -> frozenset[str]:
    """Return the stems of the telling words; of a text that has none, of all."""
    found = [word.strip("'’-.") for word in re.findall(r"[\w$€£%'’.@+-]+", clean(text).casefold())]
    found = [re.sub(r"['’]s$", "", word) for word in found if word]
    telling = [word for word in found if word not in ENGLISH]
    telling += [
        letter.casefold() for letter in re.findall(r"(?<=\w )[A-Z](?!\w)", text) if letter != "I"
    ]
    return frozenset(_stem(word) for word in telling or found)


def _stem(word: str) -> str:
    return stem(_SPELLED.get(word, word)) if word.isascii() and word.isalpha() else word


def _permission(modal: str) -> frozenset[str]:
    denied = re.search(r"\bnot\b|cannot|no longer|banned|forbidden|prohibited", modal)
    bound = re.search(r"must|ha(?:ve|s) to|needs? to|required|obliged", modal)
    return frozenset(("bound" if bound else "free", "no" if denied else "yes"))


def _owned(said: str) -> Iterator[Attribute]:
    for pattern in (OWNER, OWNED, IS_OWNER, BELONGS, HANDED):
        if (found := pattern.search(said)) and not re.match(r"(?:me|us)\b", found["s"]):
            yield Attribute("owner", words(found["s"]), words(found["v"]))
            break
    if found := HOLDS.search(said):
        yield Attribute("holder", words(found["s"]), words(found["v"]))


def _own(said: str) -> Iterator[Attribute]:
    for pattern in (OWN, OWN_BACK, HAVE_NEW):
        found = pattern.search(said)
        if not found:
            continue
        noun = re.sub(r"^(?:new|current|latest|next) ", "", found["a"].casefold())
        if not ATTRIBUTES.search(noun):
            continue
        owner = found["p"].casefold().removesuffix("'s")
        owner = _OWNERS.get(owner, owner)
        about = found.groupdict().get("of") or ""
        whose = words(f"{owner} {about}") if owner or about else frozenset()
        name = SAME_ATTRIBUTE.get(noun) or f"own: {' '.join(sorted(words(noun)))}"
        yield Attribute(name, whose, words(found["v"]), said=found["v"])
        return


def _states(said: str) -> Iterator[Attribute]:
    if found := STATE.search(said):
        wed = found["v"].strip().casefold() in _CIVIL
        beside = "" if wed else found["w"] or ""
        subject = words(f"{found['s']} {beside}")
        yield from _in_state(found["v"], subject, denied=bool(found["not"]))
    if found := ACTS.search(said):
        yield from _in_state(found["v"], words(found["o"]), denied=False)


def _in_state(said: str, subject: frozenset[str], *, denied: bool) -> Iterator[Attribute]:
    for number, group in enumerate(STATES):
        for side, names in enumerate(group):
            if said.strip().casefold() in names:
                value = f"not {side}" if denied else str(side)
                yield Attribute(f"state {number}", subject, frozenset((value,)))
                return
