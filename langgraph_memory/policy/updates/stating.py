"""What a message states: no question, order, condition, wish or past.

A text that is to be worked on, or a world that is made up, states nothing from there on:
"Translate this. I live in Paris." and "Imagine you are my boss. My name is Kim."
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.policy.claims.claim_cues import conditional, former
from langgraph_memory.policy.language.sentences import clauses, sentences, stated

_ORDER = re.compile(
    r"^\W*(?:(?:and|then|also|so|please|pls|kindly)[,\s]+)*(?:remind|book|draft|write|send"
    r"|schedule|tell|show"
    r"|give|find|add|make|create|plan|help|let|can|could|would|should|imagine|say|suppose|assume"
    r"|what if|don't|do not|forget)\b|^(?:请|帮|假设|如果|要是|提醒)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"^\W*(?:(?:and|now|please|pls|kindly|can you|could you|would you|let['’]?s|let us"
    r"|help me(?: to)?|i want you to)[,\s]+)*"
    r"(?:imagine|suppose|assume|pretend|role-?play|play (?:a|the) (?:role|part)"
    r"|translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e"
    r"|(?:write|draft|compose|tell|make up|invent|continue)\b.*\b(?:story|tale|novel|poem|song"
    r"|scene|dialogue|script|joke)"
    r"|(?:fix|check|improve|edit|correct)\b.*\b(?:text|grammar|spelling|sentence|paragraph))\b"
    r"|^(?:请|帮我|麻烦你?)*(?:翻译|润色|改写|想象|假设|假装|扮演|写.{0,6}(?:故事|小说|诗|歌))",
    re.IGNORECASE,
)
"""What follows is a text to be worked on, or no part of this world."""

_UNREAL = re.compile(
    r"\b(?:were to|would|might be|could be|maybe|perhaps|might|(?-i:may(?! not| no longer))"
    r"|wish|hope|want|plan to"
    r"|going to)\b"
    r"|suppose|imagine|也许|可能|希望|打算|假设",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*|[\"“][^\"“”\n]{15,500}[\"”]", re.DOTALL | re.MULTILINE
)
"""Code, and words of somebody else."""

_ENDED = re.compile(r"\bno longer\b|不再", re.IGNORECASE)


def stating_clauses(message: str, *, changes: bool = False) -> Iterator[str]:
    """Yield the clauses that state how it is.

    Those that tell of a change ("we replaced …") speak of the past, too, and come through
    where ``changes`` are asked for.
    """
    for sentence in stating_sentences(message):
        yield from _clauses(sentence, changes=changes)


def stating_sentences(message: str) -> Iterator[str]:
    """Yield the sentences that state something, and of questions the part that does."""
    for sentence in sentences(_QUOTED.sub(" ", message)):
        if _ELSEWHERE.match(sentence):
            return
        for part in stated(sentence):
            if not (_ORDER.match(part) or conditional(part)):
                yield part


def orders(sentence: str) -> bool:
    """Tell whether a sentence asks for something to be done, or said."""
    return bool(_ORDER.match(sentence) or _ELSEWHERE.match(sentence))


def _clauses(sentence: str, *, changes: bool) -> Iterator[str]:
    for clause in clauses(sentence):
        past = not changes and former(clause) and not _ENDED.search(clause)
        if not (_ORDER.match(clause) or past or _UNREAL.search(clause)):
            yield clause
