"""Sentences in which a model claims to have changed memory. It cannot: only memory does.

What memory did is told by memory itself, in an answer that no model writes. "Saved." is a claim
unless a question was answered; "Done." and "The code was deleted" are where the user asked for it.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.claims.deed_words import (
    ALL_DONE,
    BARE,
    CLAIMS,
    DENIED,
    EARLIER,
    OF_A_THING,
    TAKEN_UP,
)
from langgraph_memory.policy.claims.questions import asks_work
from langgraph_memory.policy.language.languages import languages
from langgraph_memory.policy.language.sentences import asks, sentences
from langgraph_memory.policy.orders.cues import pattern
from langgraph_memory.text.scripts import clean, fold

_CLAUSE = re.compile(r"[,;:，；、]\s*")
_LONGEST = 2_000
_ORDERED = re.compile(
    r"\b(?:lose|drop|scrap|scrub|purge|wipe|erase|vanish|disappear|jot|write|log|file|store|save"
    r"|update|change|correct)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\bdown\b|\bnote\b|\bmemory\b", re.IGNORECASE)
_HOW = re.compile(
    r"^\W*(?:how|what|who|whom|whose|when|where|why|which|wie|was|wer|wann|wo|warum|comment|quand|qui"
    r"|qué|cómo|quién|cuándo|dónde|come|cosa|chi|quando|dove)\b",
    re.IGNORECASE,
)


def claimed_deeds(answer: str, message: str = "") -> list[str]:
    """Return the sentences of an answer that claim a change of memory.

    Args:
        answer: What a model would say.
        message: What it answers.
    """
    if asks_work(message) and not _NOTE.search(message):
        return []  # the words are a text's
    told = [each for line in answer.splitlines() for each in sentences(line) if not asks(each)]
    if not told:
        return []
    asked = [each for line in message[:_LONGEST].splitlines() for each in sentences(line)]
    ordered = _orders(message[:_LONGEST])
    open_to_it = ordered or not (asked and asks(asked[-1]))
    return [each for each in told if _claims(each, open_to_it=open_to_it, ordered=ordered)]


def _claims(sentence: str, *, open_to_it: bool, ordered: bool) -> bool:
    if EARLIER.search(sentence) or TAKEN_UP.search(sentence):
        return False
    parts = [each for each in (sentence, *_CLAUSE.split(sentence)) if not DENIED.search(each)]
    if any(claim.search(each) for each in parts for claim in CLAIMS):
        return True
    if open_to_it and not DENIED.search(sentence) and BARE.search(sentence):
        return True
    shapes = (ALL_DONE, OF_A_THING) if ordered else ()
    return any(shape.search(each) for each in parts for shape in shapes)


def _orders(message: str) -> bool:
    """Tell whether a message may ask for something to be kept, to go or to change."""
    if _HOW.match(message):
        return False
    folded = fold(clean(message))
    spoken, _ = languages(folded)
    cued = any(pattern(part, spoken).search(folded) for part in ("keep", "drop", "stop"))
    return cued or bool(_ORDERED.search(message))
