"""Does each part that a statement joins stand in its ground? "Nuts and eggs" is two things.

A part is what stands between commas, "and", "or" and "but". Words in common elsewhere prove
nothing of it: "You have a cat and a dog" rests on no record that only tells of a cat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from langgraph_memory.policy.claims.grounds import Text
from langgraph_memory.policy.language.hard_parts import held
from langgraph_memory.policy.language.wording import Statement, read, shares
from langgraph_memory.text.stems import stem

_JOINT = re.compile(
    r",\s+(?=(?:and|or|but|plus)\b)|\s*\b(?:and|or|but|plus|as well as|nor)\b\s*|(?<!\d),\s+|;\s+"
    r"|[，；、]|(?<=[\u3400-\u9fff])(?:和|与|以及|还有|而且|但是?)(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\b(?:and|or|but|plus|as well as|nor)\b|、|[\u3400-\u9fff](?:和|与|以及|还有|而且|但)",
    re.IGNORECASE,
)
_NO_PART = re.compile(
    r"\b(?:nothing (?:else|more)|no other|should|can|could|may|might|must|would|will|so|therefore"
    r"|which|means|need to)\b|所以|应该",
    re.IGNORECASE,
)
"""Advice, a conclusion, or that no more is known."""


def unsaid_part(said: Statement, text: Text) -> str:
    """Return a part that a statement joins and of which a text has no word; empty without one."""
    if not _JOINS.search(said.text):
        return ""
    parts = [each.strip(" .!。！") for each in _JOINT.split(said.text)]
    if len(parts) < 2:
        return ""
    if joins_unsaid(said, [text]):
        return said.text
    return next((each for each in parts if not _stands(each, text)), "")


def joins_unsaid(said: Statement, texts: Iterable[Text]) -> bool:
    """Tell whether a word that some text has is joined to one that none has: eggs and nuts."""
    told = frozenset().union(*map(_told, texts)) if said.pairs else frozenset()
    return any(sum(shares(word, told) for word in pair) == 1 for pair in said.pairs)


def _told(text: Text) -> frozenset[str]:
    return text.whole.every | {stem(word) for word in text.spelled}


def _stands(part: str, text: Text) -> bool:
    if _NO_PART.search(part):
        return True
    said = read(part)
    if not said.every or any(held(e.part, [o.part for o in text.whole.parts]) for e in said.parts):
        return True
    return any(shares(word, _told(text)) for word in said.every)
