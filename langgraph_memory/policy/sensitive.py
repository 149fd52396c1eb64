"""Is a statement a claim about a person that may harm them, and about whom?

Only where a sentence says it *of* a person: "My colleague has diabetes", 他是同性恋. That a town
has a Muslim community, or that somebody works in cancer research, is no such claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from langgraph_memory.text.phrases import Phrases


class About(StrEnum):
    """Whom a claim is about."""

    OWN = "own"
    OTHERS = "others"


_SENTENCES = re.compile(r"(?<=[.!?。！？;；])\s*|\n+")
_BE = (
    r"(?:is|was|are|were|'s|'re|am|'m|has been|have been|had been|'ve been|became|turned"
    r"|identifies as)"
)
_HAVE = (
    r"(?:has|have|had|'ve got|'ve had|'ve|got|suffers? from|suffered from|was diagnosed with"
    r"|were diagnosed with|is diagnosed with|am diagnosed with|'m diagnosed with|struggles? with"
    r"|fights?|died of|beat"
    r"|takes?|is on|am on|'m on|is in|was in|is recovering from|has a)"
)
_LITTLE = r"(?:\s+(?:a|an|the|not|also|now|still|severely|openly|very|being|already|practising"
_LITTLE += r"|practicing|devout|type \d|stage \w+|lung|breast|skin|clinically|\d+ months))*\s*$"
_I = r"\b(?:I|i)"
_RELATIVE = (
    r"(?:mother|mom|mum|father|dad|brother|sister|son|daughter|wife|husband|partner|girlfriend"
    r"|boyfriend|friend|colleague|coworker|co-worker|boss|manager|neighbou?r|roommate|flatmate"
    r"|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|teacher|doctor|client|customer"
    r"|teammate|landlord|nephew|niece|child|kid|baby|ex|fiancée?|assistant|intern|employee)"
)
_OTHER = (
    r"(?:\b(?:[Hh]e|[Ss]he|[Tt]hey)\b"
    r"|\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Tt]he|[Aa])\s+(?:[\w-]+\s+){0,2}?"
    + _RELATIVE
    + r"(?:\s+[A-Z][\w-]+)?\b"
    r"|\b(?!I\b)[A-Z][a-z]+(?:\s[A-Z][a-z]+)?\b)"
)
_IS_HAN = (
    r"(?:现在|已经|以前|曾经|也|都|一直|刚|可能)*"
    r"(?:(?:是|信)(?:一个|一名|个|名)?|有|患有?|患了|得了|得过|确诊(?:了|为)?|被诊断(?:出|为|患有)|怀)?$"
)
_OWN_HAN = re.compile(r"我(?:自己|本人)?" + _IS_HAN)
_OTHER_HAN = re.compile(
    r"(?:[他她]们?|我的?[\u4e00-\u9fff]{0,2}(?:妈妈|母亲|爸爸|父亲|哥哥|弟弟|姐姐|妹妹|儿子|女儿|妻子|老婆"
    r"|丈夫|老公|朋友|同事|老板|经理|邻居|室友|同学|老师)|(?:小|老)[\u4e00-\u9fff]"
    r"|[\u4e00-\u9fff]{1,3}(?:先生|女士|经理))" + _IS_HAN
)
_VERBS = {True: rf"(?:\s*{_BE}|(?:\s+(?:\w+ly\s+)?|(?='))(?:{_HAVE}))", False: rf"\s*{_BE}"}
_OF_OTHERS = {bodily: re.compile(_OTHER + verb + _LITTLE) for bodily, verb in _VERBS.items()}
_OF_ME = {bodily: re.compile(_I + verb + _LITTLE) for bodily, verb in _VERBS.items()}
_DEED = re.compile(r"(?:vote[sd] for)$", re.IGNORECASE)
_DOER = re.compile(_OTHER + r"(?:\s+(?:always|never|once|usually|has|have|had))?\s*$")
_MINE = re.compile(r"\b[Mm]y\s+(?:own\s+)?$")
_I_DID = re.compile(_I + r"(?:\s+(?:always|never|once|usually|have))?\s*$")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_BODILY = frozenset({"health", "convictions", "union"})
"""Sorts of claims that are also made with "has": a disease, a record."""


def claim(text: str, sorts: Mapping[str, Phrases]) -> tuple[About, str] | None:
    """Return about whom a text makes a sensitive claim, and of which sort; others come first."""
    found: dict[About, str] = {}
    for sentence in filter(None, _SENTENCES.split(text)):
        for sort, phrases in sorts.items():
            word = phrases.first(sentence)
            if word and (about := _about(sentence, word, sort)):
                found.setdefault(about, sort)
    return next(((about, found[about]) for about in (About.OTHERS, About.OWN) if about in found),
                None)  # fmt: skip


def _about(sentence: str, word: str, sort: str) -> About | None:
    before = sentence[: sentence.find(word)] if word in sentence else sentence
    if _HAN.match(word):
        of_others, of_me = _OTHER_HAN.search(before), _OWN_HAN.search(before)
    elif _DEED.search(word):
        of_others, of_me = _DOER.search(before), _I_DID.search(before)
    else:
        bodily = sort in _BODILY
        of_others = _OF_OTHERS[bodily].search(before)
        of_me = _OF_ME[bodily].search(before) or (_MINE.search(before) if bodily else None)
    if of_others:
        return About.OTHERS
    return About.OWN if of_me else None
