"""A message in what it states and what it asks.

"Bob owns deployment. Who owns deployment?" asks who owns deployment: that no record answers
"Bob" is no lack. What follows an order about a text ("Translate this: …") belongs to the order.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from langgraph_memory.policy.language.hard_parts import Name, hard_parts
from langgraph_memory.policy.language.sentences import asks, pieces, sentences, stated
from langgraph_memory.policy.selection import is_small_talk, is_statement, requests
from langgraph_memory.policy.updates.stating import (
    orders,
    stating_clauses,
    stating_sentences,
)

LONGEST = 8_000
"""Characters up to which a message is parted; a longer one asks as a whole."""

_SPEAKS = re.compile(r"^\W*(?:i|we|my|our|i['’]m|we['’]re)\s+\S+\s+\S+|我", re.IGNORECASE)
_WONDERS = re.compile(
    r"\b(?:like|want|need|love) to (?:know|hear|ask|find out|see)\b|\bwonder|\bcurious\b"
    r"|\b(?:i|we) (?:do not|don['’]t) (?:know|remember|recall)\b|想知道|想问|请问|不知道|不记得",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:it|its|that|this|those|these|they|them|their|he|him|his|she|her|there|then|so)\b"
    r"|[它他她这那其]",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"^\W*(?:since|as|because|given that|now that|seeing that|considering that)\s+"
    r"(?=(?:the|my|our)\s+(?:[\w'’-]+\s+){1,4}?(?:is|are|costs?|starts?|ends?|leaves?)\b"
    r"|i['’]?m\b|i am\b|we['’]?re\b|we are\b)",
    re.IGNORECASE,
)
"""What makes a statement the ground of a question."""

_IS = re.compile(
    r"^\W*(?!it\b|that\b|this\b|there\b)[A-Za-z][\w'’-]*(?: [\w'’-]+)? (?:is|are)\s+\S",
    re.IGNORECASE,
)


class Parted(NamedTuple):
    """The parts of a message.

    Attributes:
        states: Its sentences that state something, in order.
        asks: What it asks, or wants done; all of it where it states nothing.
        leans: Whether that may be understood only beside what is stated: "What can I buy with
            it?"
    """

    states: tuple[str, ...]
    asks: str
    leans: bool = False


def parted(message: str) -> Parted:
    """Return what a message states, and what it asks."""
    if len(message) > LONGEST:
        return Parted((), message)
    stating = set(stating_sentences(message))
    states: list[str] = []
    asked: list[str] = []
    leans = False
    for sentence in sentences(message):
        told = [each for each in stated(sentence) if each in stating and _tells(each)]
        states += [_CAUSE.sub("", each) for each in told]
        if sentence in told or (not told and not asks(sentence) and is_small_talk(sentence)):
            continue
        rest = [each.strip() for each in pieces(sentence)] if told else [sentence]
        asked += [each for each in rest if each not in told]
        leans = leans or bool(told or _LEANS.search(sentence) or not _is_question(sentence))
    return Parted(tuple(states), " ".join(asked), leans) if states else Parted((), message)


def _gives_value(sentence: str) -> bool:
    """Tell whether a few words give something a value: "Launch is Monday"."""
    parts = hard_parts(sentence) if _IS.match(sentence) else ()
    return any(not isinstance(each.part, Name) for each in parts)


def _is_question(sentence: str) -> bool:
    return asks(sentence) or not orders(sentence)


def _tells(sentence: str) -> bool:
    """Tell whether a sentence says something of somebody, rather than being a few words."""
    asking = requests(sentence) or orders(sentence) or _WONDERS.search(sentence)
    if asking or is_small_talk(sentence):
        return False
    plainly = is_statement(sentence) or _SPEAKS.match(sentence) or _gives_value(sentence)
    return bool(plainly) and next(stating_clauses(sentence, changes=True), None) is not None
