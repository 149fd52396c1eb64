"""Whether a message says a statement, or names a thing, in whatever order and form of words."""

from __future__ import annotations

import re

from langgraph_memory.policy.language.languages import NAMING
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.tokens import query_terms, tokens

OWN_WORDS = 0.75
"""The share of a statement's words that the user's message has to have, at least."""

NAMED = 0.6
"""The share of a reference's words that name what is to go, to change, or not to be kept."""

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NOT = re.compile(
    r"\b(?:not|no|never|without|nor|none|neither|nicht|kein\w*|nie|niemals|pas|jamais|aucun\w*|non|nao"
    r"|nunca|niet|geen|nooit|не|нет|никогда|degil|yok)\b|n't\b|[不没無非]|(?<!\S)(?:नहीं|मत)(?!\S)"
    r"|\b(?:لا|ليس\w*|لم|لن)\b|ない|ません|않|아니"
)
_EITHER = re.compile(r"([\u4e00-\u9fff])不\1")
"""能不能, 是不是: a question, and no no."""

_CLAUSES = re.compile(
    r"[,;:.!?。，；：！？、؟،؛।\n]|\b(?:and|but|that|know|remember|dass|sondern|und|aber|que|mais|pero"
    r"|sino|che|ma|dat|maar|ze|ale|что|но|ki|ama|fakat|ان|بل|لكن|mas)\b|(?<!\S)(?:कि|लेकिन)(?!\S)"
)


def holds(folded: str, statement: str) -> bool:
    """Tell whether a sentence is a statement and something before or behind it."""
    wanted = _plain(fold(clean(statement)))
    return bool(wanted) and wanted in _plain(folded) and wanted != _plain(folded)


def _plain(folded: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", folded).split())


def says(statement: str, message: str, folded: str, correcting: bool) -> bool:
    """Tell whether a message says a statement, with its numbers and its yes or no.

    Args:
        statement: What is to be written.
        message: The message.
        folded: The message in the spelling of the cues.
        correcting: Whether it may say beside it what is no more so.
    """
    terms, spoken = query_terms(statement), set(tokens(message))
    asked = [each for each in terms if each not in NAMING or _NOT.search(each)] or terms
    if sum(each in spoken for each in asked) < OWN_WORDS * len(asked):
        return False
    if not set(_NUMBER.findall(statement)) <= set(_NUMBER.findall(message)):
        return False
    if _NOT.search(fold(clean(statement))):
        return bool(_NOT.search(folded))
    return not _denied(statement, folded, correcting)


def _denied(statement: str, folded: str, correcting: bool) -> bool:
    """Tell whether the message says no where the statement says yes.

    A correction says what is no more so beside what is: then only the whole counts.
    """
    words, numbers = set(tokens(statement)), set(_NUMBER.findall(statement))
    content = set(query_terms(statement))
    for clause in _CLAUSES.split(_EITHER.sub(" ", folded)):
        if not _NOT.search(clause) or not numbers <= set(_NUMBER.findall(clause)):
            continue
        said = set(tokens(clause))
        if content <= said if correcting else len(words & said) >= max(2, len(words) // 2):
            return True
    return False


def names(reference: str, message: str, *, share: float = NAMED) -> bool:
    """Tell whether most of what a reference names stands in the message, inflected or not."""
    spoken = set(tokens(message))
    terms = query_terms(reference)
    asked = [each for each in terms if each not in NAMING] or terms
    found = sum(each in spoken or any(alike(each, other) for other in spoken) for each in asked)
    return found >= share * len(asked)


def alike(one: str, other: str) -> bool:
    """Tell whether two words are forms of one: they begin alike, and numbers they are none."""
    longest = max(len(one), len(other))
    if one[:4] != other[:4] or not (one + other).isalpha():
        return False
    begins = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    return begins >= max(4, 0.6 * longest)
