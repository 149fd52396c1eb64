"""Does an answer say as it was what the user's latest words contradict?

A sentence does where it contradicts those words itself ("You work at Siemens" against "I work at
Bosch now"), or says no more than the record, its value included ("By email."). What speaks of
before, asks, denies or supposes does not.
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
    r"\b(?:memory|record|records|stored|noted|remembered|on file|earlier|you (?:told|said)|told me"
    r"|was|were|had)\b|记忆|记录|之前|以前|说过",
    re.IGNORECASE,
)


def repeated(
    answer: str, told: Told, conflicts: Sequence[Conflict], evidence: Sequence[Citation]
) -> tuple[str, ...]:
    """Return the sentences of an answer that say what the user's latest words contradict."""
    if not conflicts:
        return ()
    records = {each.label: each.content for each in evidence}
    pairs = [(each.recorded, records[each.label]) for each in conflicts if each.label in records]
    return tuple(
        sentence
        for line in answer.splitlines()
        for sentence in sentences(line)
        if not asks(bare(sentence)) and any(_is_stale(c, told, pairs) for c in _claims(sentence))
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
    for clause in clauses(bare(sentence)):
        past = former(clause) or once_said(clause) or _REPORTED.search(clause)
        if not (past or conditional(clause) or asks(clause)):
            yield clause


def _is_stale(clause: str, told: Told, pairs: Sequence[tuple[str, str]]) -> bool:
    if any(_says_no_more(clause, *each) for each in pairs):
        return True
    return told.contradicts(Known(_turned(clause)))


def _says_no_more(clause: str, recorded: str, content: str) -> bool:
    """Tell whether a clause says only what the record says, its value included."""
    if _HAN.search(clause):
        said, known, value = (_HAN_MARKS.sub("", each) for each in (clause, content, recorded))
        return len(said) >= _LEAST_HAN and said in known and value in said
    if read(clause).denied and not read(content).denied:
        return False
    told = words(plain(clause))
    return bool(told & words(recorded)) and told <= words(content)


def _turned(clause: str) -> str:
    """Return a clause of the answer as the user would say it of themselves."""
    said = clean(clause)
    for pattern, own in _TURNED:
        said = pattern.sub(own, said)
    return said
