"""Does an answer say as it was what the user's latest words contradict?

A sentence does where it contradicts those words itself ("You work at Siemens" against "I work at
Bosch now"), says no more than the record, its value included ("By email."), or sides with the
record (``siding``). What speaks of before, asks, denies or supposes does not, nor what tells what
memory has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langgraph_memory.policy.claims.claim_cues import (
    abstains,
    conditional,
    former,
    once_said,
)
from langgraph_memory.policy.claims.siding import cites, sides, takes_back
from langgraph_memory.policy.language.sentences import asks, bare, clauses, sentences
from langgraph_memory.policy.language.wording import read
from langgraph_memory.policy.updates.attributes import plain, words
from langgraph_memory.policy.updates.contradiction import Conflict, Told
from langgraph_memory.policy.updates.update import Known
from langgraph_memory.ports import Citation
from langgraph_memory.text.scripts import clean

_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_MARKS = re.compile(r"[\s，。！!.]|[我你您]的?|现在|目前|了")
_LEAST_HAN = 2
_TURNED = (
    (re.compile(r"\byou're\b|\byou are\b", re.IGNORECASE), "I am"),
    (re.compile(r"\byou were\b", re.IGNORECASE), "I was"),
    (re.compile(r"\byou've\b", re.IGNORECASE), "I have"),
    (re.compile(r"\byour\b"), "my"),
    (re.compile(r"\bYour\b"), "My"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
    (re.compile("[你您]"), "我"),
)
_REPORTED = re.compile(
    r"\b(?:memory|record|records|recorded|stored|saved|noted|notes?|remembered|on file|earlier"
    r"|you (?:(?:now |just |also )?(?:say|said|told|mentioned)|are saying)|told (?:me|you|us)"
    r"|was|were|had)\b"
    r"|记忆|记录|之前|以前|说过",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"^\W*(?:(?:according to|per|by|in|from|as|going by|as per|that is|that's|this is)\s+)?"
    r"(?:what\s+)?"
    r"(?:(?:i have |it is |is )?(?:stored|recorded|noted|saved|remembered|on (?:record|file))"
    r"|(?:my |the |your |our |its )?(?:\w+ )?(?:memory|memories|records?|notes?|file))"
    r"(?: (?:says?|has|states?|shows?|from before|has it))?\W*$"
    r"|^\W*(?:根据|按照)?(?:我的)?(?:记忆|记录)\W*$",
    re.IGNORECASE,
)
"""Where something stands, and nothing else: it goes with the clause beside it."""

_YET = re.compile(r"\s+(?=(?:though|although|however|yet|even though|even if)\s)", re.IGNORECASE)


def repeated(
    answer: str, told: Told, conflicts: Sequence[Conflict], evidence: Sequence[Citation]
) -> tuple[str, ...]:
    """Return the sentences of an answer that say what the user's latest words contradict."""
    records = {each.label: each.content for each in evidence}
    known = [(each, records[each.label]) for each in conflicts if each.label in records]
    return tuple(
        sentence
        for line in answer.splitlines()
        for sentence in sentences(line)
        if known and not asks(bare(sentence)) and _is_stale(sentence, told, known)
    )


def without(answer: str, dropped: Sequence[str]) -> str:
    """Return an answer without some of its sentences; empty where only marks are left."""
    lines = []
    for line in answer.splitlines():
        left = line
        for sentence in dropped:
            left = left.replace(sentence, "")
        if left == line or any(char.isalnum() for char in bare(left)):
            lines.append(line if left == line else re.sub(r"(?<=\S)[ \t]{2,}", " ", left).strip())
    text = "\n".join(lines).strip()
    return text if any(char.isalnum() for char in bare(text)) else ""


def only_abstains(answer: str) -> bool:
    """Tell whether an answer says that it does not know, and no more."""
    told = [bare(each) for line in answer.splitlines() for each in sentences(line)]
    return bool(told) and all(abstains(each) for each in told)


def _claims(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence that say how it is."""
    parts = [part for each in clauses(bare(sentence)) for part in _YET.split(each)]
    sourced = [bool(_SOURCE.match(each)) for each in parts]
    for place, clause in enumerate(parts):
        beside = sourced[max(0, place - 1) : place + 2]
        past = former(clause) or once_said(clause) or _REPORTED.search(clause)
        if not (any(beside) or past or conditional(clause) or asks(clause)):
            yield clause


def _is_stale(sentence: str, told: Told, known: Sequence[tuple[Conflict, str]]) -> bool:
    claims = list(_claims(sentence))
    for conflict, content in known:
        if takes_back(bare(sentence), conflict, content):
            return True
        cited = cites(sentence, conflict)
        if any(
            _says_no_more(each, conflict.recorded, content) or sides(each, conflict, cited=cited)
            for each in claims
        ):
            return True
    return any(told.contradicts(Known(_turned(each))) for each in claims)


def _says_no_more(clause: str, recorded: str, content: str) -> bool:
    """Tell whether a clause says only what the record says, its value included."""
    if _HAN.search(clause):
        short, known, value = (_HAN_MARKS.sub("", each) for each in (clause, content, recorded))
        return len(short) >= _LEAST_HAN and short in known and value in short
    said = read(clause)
    if (said.denied or said.denied_parts) and not read(content).denied:
        return False
    told = words(plain(clause))
    return bool(told & words(recorded)) and told <= words(content)


def _turned(clause: str) -> str:
    """Return a clause of the answer as the user would say it of themselves."""
    said = clean(clause)
    for pattern, own in _TURNED:
        said = pattern.sub(own, said)
    return said
