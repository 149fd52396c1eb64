"""Whether two texts may say the same as far as their letters are capitals.

A code, a path, an address, a unit or a name is another one in other capitals: xK9p and Xk9P,
5 mW and 5 MW, PATH and Path. Only the first letter of a plain word may differ, and only where
it says nothing: at the start of a sentence, or in a text without any capital, or in nothing
but capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.text.scripts import clean

_EDGES = "\"'“”‘’«»()[]{}<>,;:.!?…，。；：！？、*"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ANY_CASE = re.compile(
    r"i(?:['’][a-z]+)?|(?:\d[\d:.]*)?[ap]\.?m|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|september|october|november|december",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?:。！？：]$")
_NUMBER = re.compile(r"\d$")
_HAN = re.compile(r"[\u3040-\u9fff]")
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070-\u209c\u00bc-\u00be\u2150-\u2189\u2460-\u24ff]")
"""Digits that stand above or below the line, in fractions or circles: 10² is not 102."""

_SHORT = 2
"""Letters of a word up to which its capitals tell: Mb, Us, Gb."""

_SHOUTED = 3
"""Words in nothing but capitals from which on a text is shouted."""


def same_words(one: str, other: str) -> bool:
    """Tell whether two texts are the same words: spacing and the last full stop say nothing."""
    if one == other:
        return True
    pair = [" ".join(clean(each).split()).rstrip(" .!。！") for each in (one, other)]
    return pair[0].casefold() == pair[1].casefold() and spelled_alike(one, other)


def spelled_alike(one: str, other: str) -> bool:
    """Tell whether the words that both texts have are in capitals that may mean the same."""
    if _RAISED.findall(one) != _RAISED.findall(other):
        return False
    here, there = _spellings(one), _spellings(other)
    return all(
        any(_may_be(mine, theirs) for mine in here[word] for theirs in there[word])
        for word in here.keys() & there.keys()
        if here[word] != there[word]
    )


def _spellings(text: str) -> dict[str, set[tuple[str, bool]]]:
    """Return each word as it is written, and whether its first letter tells something."""
    said = clean(text)
    quiet = said == said.lower() and not _HAN.search(said)
    loud = said == said.upper() and len(said.split()) >= _SHOUTED
    found: dict[str, set[tuple[str, bool]]] = {}
    for word, first, counted in _words(said):
        plain = _WORD.fullmatch(word) is not None and not counted
        long = len(word) > _SHORT or first or loud
        if _ANY_CASE.fullmatch(word) or (plain and loud):
            word = word.lower()
        sure = not (plain and long and (first or quiet or loud))
        found.setdefault(word.casefold(), set()).add((word, sure))
    return found


def _words(said: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield each word, whether it opens a sentence, and whether it stands behind a number."""
    first, counted = True, False
    for token in said.split():
        if word := token.strip(_EDGES):
            yield re.sub(r"['’]s$", "", word), first, counted
            first = False
            counted = _NUMBER.search(word) is not None
        first = first or _ENDS.search(token) is not None


def _may_be(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    if one[0] == other[0]:
        return True
    if one[1] and other[1]:
        return False
    # A first letter that says nothing may be either; the rest of the word is as it is.
    return one[0][:1].lower() + one[0][1:] == other[0][:1].lower() + other[0][1:]
