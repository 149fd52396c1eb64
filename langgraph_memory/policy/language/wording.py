"""Statements as they are compared: words affirmed, words denied, hard parts.

A denial reaches from its word to the end of the clause: in "it is on Monday, not Friday",
Friday is denied; in "checkout failures do not block the launch", the blocking is. "I hate
group work" denies what "I love group work" affirms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from langgraph_memory.policy.language.amounts import Span
from langgraph_memory.policy.language.hard_parts import Found, Name, hard_parts
from langgraph_memory.policy.language.lexicon import (
    CANONICAL,
    CANONICAL_HAN,
    FOREIGN,
    FRAME,
    FRAME_HAN,
    RIVALS,
    RIVALS_HAN,
)
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.stems import stem
from langgraph_memory.text.stopwords import ENGLISH

_NO_DENIAL = re.compile(
    r"\bno (?:later|more|less|fewer|sooner) than\b|\bnot (?:only|just|sure)\b|\bnot until\b"
    r"|\bno problem\b|\bwhy not\b|\b(?:don't|do not) forget\b|\bcan(?:'t|not) wait\b|^\s*no[,:]"
    r"|不错|不过(?!敏)|不仅|不但|不同|不久|不好意思|差不多|没问题|没错",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"(?:\b(?:not|never|cannot|no longer|no|none|nobody|nothing|without|neither|nor|hates?|hated"
    r"|dislikes?|disliked|avoids?|avoided|refuses?|refused|quit|quits|stopped|stops|gave up"
    r"|given up|against|except)\b|n't\b|anymore\b)"
    r"|从不|从来不|不再|不要|不能|不会|不吃|不喝|不|没有|没|别|并非|未|禁止|戒",
    re.IGNORECASE,
)
_REACH = re.compile(
    r"[,;:.!?\n，。；：！？、](?=\s|[\u3000-\u9fff\uff00-\uffef]|$)|\s(?:and|but|so|because|—|–)\s"
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][\w'’-]*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_FRAME_HAN = re.compile(FRAME_HAN)
_HAN_MARKS = re.compile("[不没别未戒再]")
_IDIOMS = re.compile(
    r"\bin charge of\b|\bup from\b|\bat least\b|\ba lot\b|\bin total\b"
    r"|\b(?:last|this|next) (?:week|month|year|time|night|spring|summer|autumn|fall|winter"
    r"|weekend|sprint)\b"
    r"|\b(?:a few|some|two|three|several) (?:days|weeks|months|years) ago\b|\bthe other day\b"
    r"|\byesterday\b"
)
_PAIR = re.compile(r"\b([a-z'-]+),? (?:and|or) (?=([a-z'-]+))")
_SUFFIX = re.compile(r"(?:n't|'s|'re|'ve|'ll|'d|'m)$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause, sentence or record, read.

    Attributes:
        text: As it was written, in one spelling.
        tongue: "han", "english" or "foreign"; words of two tongues cannot be compared.
        words: Stems of the telling words it affirms; of Chinese, its characters.
        denied: The same of what it denies.
        parts: Hard parts it affirms.
        denied_parts: Hard parts it denies.
        pairs: Telling words joined by "and" or "or".
    """

    text: str
    tongue: str
    words: frozenset[str]
    denied: frozenset[str]
    parts: tuple[Found, ...]
    denied_parts: tuple[Found, ...]
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def every(self) -> frozenset[str]:
        """Return all telling words, affirmed or denied."""
        return self.words | self.denied

    @property
    def bare(self) -> str:
        """Return the text without its hard parts."""
        text = self.text
        for each in (*self.parts, *self.denied_parts):
            text = text[: each.span[0]] + " " * (each.span[1] - each.span[0]) + text[each.span[1] :]
        return " ".join(text.split())

    @property
    def names(self) -> tuple[Found, ...]:
        """Return the names among its affirmed hard parts."""
        return tuple(each for each in self.parts if isinstance(each.part, Name))


def read(text: str) -> Statement:
    """Return a text as a statement."""
    plain = clean(text)
    spans = list(_denials(plain))
    tongue = tongue_of(plain)
    # German writes every noun with a capital.
    parts = [e for e in hard_parts(plain) if tongue != "foreign" or not isinstance(e.part, Name)]
    blank = plain
    for each in parts:
        blank = blank[: each.span[0]] + " " * (each.span[1] - each.span[0]) + blank[each.span[1] :]
    affirmed, denied, at = [], [], 0
    for start, end in spans:
        affirmed.append(blank[at:start])
        denied.append(blank[start:end])
        at = max(at, end)
    affirmed.append(blank[at:])
    lost = [each for each in parts if any(s <= each.span[0] < e for s, e in spans)]
    return Statement(
        plain,
        tongue,
        frozenset(_words(" ".join(affirmed))),
        frozenset(_words(" ".join(denied))),
        tuple(each for each in parts if each not in lost),
        tuple(lost),
        tuple(_pairs(blank)),
    )


def tongue_of(text: str) -> str:
    """Return the tongue of a clean text; one too short to tell counts as English."""
    latin = _LATIN.findall(text.lower())
    if sum(map(len, _HAN_RUN.findall(text))) > len(latin):
        return "han"
    foreign = sum(each in FOREIGN for each in latin)
    return "foreign" if foreign > sum(each in ENGLISH for each in latin) else "english"


def shares(word: str, words: frozenset[str]) -> bool:
    """Tell whether a word, or one of its family, is among the words."""
    if word in words:
        return True
    return len(word) > 6 and any(
        other[:6] == word[:6] and abs(len(other) - len(word)) < 4 and len(other) > 5
        for other in words
    )


def rivals(one: Statement, other: Statement) -> tuple[str, str] | None:
    """Return two words that answer one question differently: window here, aisle there."""
    for group in RIVALS:
        mine, theirs = one.words & group, other.words & group
        if mine and theirs and not mine & theirs:
            return min(mine), min(theirs)
    for group in RIVALS_HAN:
        here = {each for each in group if each in one.text}
        there = {each for each in group if each in other.text}
        if here and there and not here & there:
            return min(here), min(there)
    return None


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for found in _PAIR.finditer(text.lower()):
        one, other = list(_words(found[1])), list(_words(found[2]))
        if one and other:
            yield one[0], other[0]


def _denials(text: str) -> Iterator[Span]:
    harmless = [found.span() for found in _NO_DENIAL.finditer(text)]
    reached = 0
    for found in _DENIAL.finditer(text):
        if found.start() < reached or any(s <= found.start() < e for s, e in harmless):
            continue
        stop = _REACH.search(text, found.end())
        end = stop.start() if stop else len(text)
        if found[0].lower() == "anymore":
            continue
        yield found.start(), end
        reached = end


def _words(text: str) -> Iterator[str]:
    for found in _LATIN.finditer(_IDIOMS.sub(" ", text.lower().replace("in charge of", "charge"))):
        word = _SUFFIX.sub("", fold(found[0]).replace("’", "'"))
        if len(word) < 2 or word in ENGLISH or _DENIAL.fullmatch(word) or word == "longer":
            continue
        stemmed = stem(word.replace("-", ""))
        if stemmed not in FRAME:
            yield CANONICAL.get(stemmed, stemmed)
    for said, meant in CANONICAL_HAN.items():
        text = text.replace(said, meant)
    for run in _HAN_RUN.findall(_FRAME_HAN.sub(" ", text)):
        yield from _HAN_MARKS.sub("", run)
