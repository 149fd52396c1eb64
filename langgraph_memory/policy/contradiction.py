"""Where the user's latest message says another thing than a record about the same subject.

The message outranks the record; what is found here is named in the answer. Only what
the message states counts: no question, order, condition, wish, or telling of how it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from langgraph_memory.policy.claim_cues import conditional, former
from langgraph_memory.policy.differences import agrees, differ
from langgraph_memory.policy.sentences import clauses, sentences, stated
from langgraph_memory.policy.wording import Statement, read
from langgraph_memory.ports import Citation

LONGEST = 8_000
"""Characters of a message or a record that are read."""

MOST_CLAUSES = 64
"""Clauses of a message, and of a record, that are compared."""

_ORDER = re.compile(
    r"^\W*(?:(?:and|then|also|so|please|pls|kindly)[,\s]+)*(?:remind|book|draft|write|send"
    r"|schedule|tell|show"
    r"|give|find|add|make|create|plan|help|let|can|could|would|should|imagine|say|suppose|assume"
    r"|what if|don't|do not|forget)\b|^(?:请|帮|假设|如果|要是|提醒)",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:were to|would be|might be|could be|maybe|perhaps|might|(?-i:may(?! not| no longer))"
    r"|wish|hope|want|plan to"
    r"|going to)\b"
    r"|suppose|imagine|也许|可能|希望|打算|假设",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\bno longer\b|不再", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement of the message against one of a record.

    Attributes:
        clause: What the message says.
        label: The record's label.
        said: The value in the message.
        recorded: The value in the record.
    """

    clause: str
    label: str
    said: str
    recorded: str


def conflicts(message: str, evidence: Sequence[Citation]) -> tuple[Conflict, ...]:
    """Return where a message contradicts what memory holds, in the order of the message.

    Args:
        message: The user's latest message.
        evidence: The records that were recalled for it.
    """
    told = list(islice(stating_clauses(message[:LONGEST]), MOST_CLAUSES))
    if not told:
        return ()  # a question, mostly: what memory holds need not be read
    records = [
        (each.label, list(islice(_clauses(each.content[:LONGEST]), MOST_CLAUSES)))
        for each in evidence
    ]
    found: dict[tuple[str, str], Conflict] = {}
    for text in told:
        mine = read(text)
        for label, theirs in records:
            pairs = (differ(mine, each) for each in theirs)
            values = next((pair for pair in pairs if pair), None)
            if values and not any(agrees(mine, each) for each in theirs):
                found.setdefault((text, label), Conflict(text, label, *values))
    return tuple(found.values())


def stating_clauses(message: str, *, changes: bool = False) -> Iterator[str]:
    """Yield the clauses that state how it is: no question, order, condition, wish, or past.

    Those that tell of a change ("we replaced …") speak of the past, too, and come through
    where ``changes`` are asked for.
    """
    for sentence in stated(message):
        if _ORDER.match(sentence) or conditional(sentence):
            continue
        for clause in clauses(sentence):
            past = not changes and former(clause) and not _ENDED.search(clause)
            if not (_ORDER.match(clause) or past or _UNREAL.search(clause)):
                yield clause


def _clauses(content: str) -> Iterator[Statement]:
    for sentence in sentences(content):
        pieces = clauses(sentence)
        yield from map(read, pieces if len(pieces) == 1 else [*pieces, sentence])
