"""A memory said anew with another value, where it is certain which of its words that takes.

"The launch is on Friday" and "Monday" make "The launch is on Monday". What would have to be
guessed is not restated.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.hard_parts import Found, Name, comparable, hard_parts
from langgraph_memory.policy.language.sentences import clauses
from langgraph_memory.policy.orders.righting import states
from langgraph_memory.policy.orders.subjects import ARTICLE

_LINK = re.compile(
    r"\s+(?:is|are|was|were|ist|sind|est|sont|es|son)(?:\s+(?:now|called))?\s+|\s*(?:[:：]|['’]s)\s+|是",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:on|in|at|near|from|by|until|um|am|im|à|en|le)\s+", re.IGNORECASE)
_LONGEST_VALUE = 6


def restated(old: str, about: str, new: str) -> str:
    """Return what a memory says once a value of it is another; empty where that is not certain.

    Args:
        old: What it says.
        about: Which of it is to change, in the user's words; or the value that goes.
        new: The value that comes.
    """
    there = [each for each in hard_parts(old) if not isinstance(each.part, Name)]
    named = [each for each in there if each.text.casefold() == about.strip().casefold()]
    given = [each for each in hard_parts(new) if not isinstance(each.part, Name)]
    if named:
        return _put(old, named[0], new) if len(named) == 1 else ""
    if given or there:
        return _other_value(old, there, given, new)
    return _other_end(old, about, new)


def _other_value(old: str, there: list[Found], given: list[Found], new: str) -> str:
    if len(given) == 0 or given[0].span[0] > 0:
        return ""
    same = [each for each in there if comparable(given[0].part, each.part)]
    if len(same) != 1:
        return ""
    at_end = not old[same[0].span[1] :].strip(" .!。")
    whole = given[0].text == new.strip() or (at_end and len(new.split()) <= _LONGEST_VALUE)
    return _put(old, same[0], new) if whole and not states(new) else ""


def _other_end(old: str, about: str, new: str) -> str:
    """Return the memory "<subject> is <value>" with another value, both of a few words."""
    if len(clauses(old)) > 1 or states(new) or len(new.split()) > _LONGEST_VALUE:
        return ""
    link = _LINK.search(old)
    if link is None or _bare(old[: link.start()]) != _bare(about):
        return ""
    value = old[link.end() :]
    place, begins = _PLACE.match(value), _PLACE.match(new) or ARTICLE.match(new)
    if place and not _PLACE.match(new):
        return f"{old[: link.end()]}{place[0]}{new}"
    return "" if begins and not (place or ARTICLE.match(value)) else f"{old[: link.end()]}{new}"


def _put(old: str, part: Found, new: str) -> str:
    return f"{old[: part.span[0]]}{new.strip()}{old[part.span[1] :]}"


def _bare(subject: str) -> str:
    return " ".join(ARTICLE.sub("", subject.strip()).casefold().split())
