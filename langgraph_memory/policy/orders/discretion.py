"""What is said on condition that it is not kept, wherever in a message that is asked.

It is read widely: a false alarm only means that a message is not kept unasked. Orders that make
a rule, or delete, are read apart, and narrowly (``policy.orders.reading``).
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.languages import languages
from langgraph_memory.policy.orders import discretion_cues as cues
from langgraph_memory.policy.orders.cues import CUES, pattern
from langgraph_memory.policy.orders.talk import is_question, is_request, is_small_talk
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.tokens import query_terms, tokens

LOOKED_AT = 4_000
"""Characters of a message that are looked at, the first ones; a longer one is not kept unasked."""

_BREAK = re.compile(
    r"[.!?;:,()\n。！？；：，、…—–]|\s-+\s"
    r"|\b(?:but|and|so|because|und|aber|denn|mais|et|pero|y|ma|mas|e|maar|en|но|и)\b|但是?|所以"
)
_EMPTY = re.compile(
    r"\s*(?:(?:it|that|this)(?:'s|\s+(?:is|was|stays))\b.*|i\s+(?:said|told|mentioned"
    r"|just|mean)\b.*"
    r"|(?:please|bitte|ok|okay|for me|at all|thanks|anywhere|though|actually"
    r"|really)(?:\s+\w+)?)?\s*",
    re.DOTALL,
)
"""What states nothing beside the request."""

_WORD = re.compile(r"\w+")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FEWEST_WORDS, _FEWEST_IDEOGRAPHS = 2, 3


def asks_discretion(message: str) -> bool:
    """Tell whether a message asks that something is not kept."""
    return bool(_spans(_folded(message)))


def means_before(message: str, before: str) -> bool:
    """Tell whether a message asks that what was said just before it is not kept.

    It does if it asks for discretion and states nothing itself; where it names what it is about,
    only if the message before has a word of that.
    """
    folded = _folded(message)
    spans = _spans(folded)
    if not spans or _states(folded, spans):
        return False
    named = any(cues.NAMES.search(folded[start:end]) for start, end in _clauses(folded, spans))
    return not named or bool(set(query_terms(message)) & set(tokens(before)))


def _folded(message: str) -> str:
    return fold(clean(message[:LOOKED_AT]))


def _spans(folded: str) -> list[tuple[int, int]]:
    """Return where a folded text asks for discretion."""
    return _in_english(folded) + _elsewhere(folded)


def _in_english(folded: str) -> list[tuple[int, int]]:
    found = [each.span() for each in cues.PLAIN.finditer(folded)]
    for no in cues.NOT.finditer(folded):
        kept = cues.KEPT.match(folded, no.end())
        if kept is None or cues.OPPOSITE.search(folded, no.start(), kept.end()):
            continue
        before = re.split(r"[.!?;:,()\n—–]|\s-+\s", folded[: no.start()][-80:])[-1]
        if not _tells(before, no[0], kept):
            found.append((no.start(), kept.end()))
    return found


def _tells(before: str, no: str, kept: re.Match[str]) -> bool:
    """Tell whether a negated verb of keeping states a fact, and asks nothing of the agent."""
    between = kept[0]
    wished = cues.WISH.search(f"{before} {between}") is not None
    if wished:
        return False
    if kept["done"]:
        asked = cues.DUTY.search(before) or re.match(r"\s+(?:to\s+)?(?:be|get)\b", between)
        return bool(before.strip()) and not asked
    if no in ("doesn't", "didn't", "doesnt", "didnt"):
        return not re.search(r"\byou\s*$", before)
    if cues.TELLS.search(before):
        return True
    reported = re.match(r"\s+to\b", between) and no == "not"
    return bool(reported and cues.TEACHES.search(before))


def _elsewhere(folded: str) -> list[tuple[int, int]]:
    spoken, sure = languages(folded)
    heard = [each for each in (spoken if sure else CUES) if each != "en"]
    text = cues.NO_ORDER.sub(_blank, folded)
    if heard:
        text = pattern("spare", tuple(heard)).sub(_blank, text)
    found = [each.span() for lang in heard for each in pattern("stop", (lang,)).finditer(text)]
    text = _spared(text)
    return found + [each.span() for ask in _MORE for each in ask.finditer(text)]


def _spared(text: str) -> str:
    return pattern("spare", tuple(each for each in CUES if each != "en")).sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _states(folded: str, spans: list[tuple[int, int]]) -> bool:
    """Tell whether a text says something beside its requests for discretion."""
    asking = _clauses(folded, spans)
    return any(_is_said(folded, *each) for each in _parts(folded) if each not in asking)


def _clauses(folded: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the clauses that ask for discretion."""
    return [(start, end) for start, end in _parts(folded)
            if any(first < end and start < last for first, last in spans)]  # fmt: skip


def _parts(folded: str) -> list[tuple[int, int]]:
    breaks = [each.span() for each in _BREAK.finditer(folded)]
    starts = [0, *(end for _, end in breaks)]
    return list(zip(starts, [*(start for start, _ in breaks), len(folded)], strict=True))


def _is_said(folded: str, start: int, end: int) -> bool:
    part, asked = folded[start:end].strip(), folded[start : end + 1].strip()
    if _EMPTY.fullmatch(part) or any(f(asked) for f in (is_small_talk, is_question, is_request)):
        return False
    words, ideographs = len(_WORD.findall(part)), len(_IDEOGRAPH.findall(part))
    return ideographs >= _FEWEST_IDEOGRAPHS if ideographs else words >= _FEWEST_WORDS


_MORE = [re.compile(each) for each in cues.MORE.values()]
