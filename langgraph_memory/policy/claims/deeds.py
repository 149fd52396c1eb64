"""Sentences in which a model claims to have changed memory. It cannot: only memory does.

What memory did is told by memory itself, in an answer that no model writes.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.sentences import sentences

_I = re.IGNORECASE
_DONE = (
    r"(?:saved|stored|noted|recorded|remembered|memori[sz]ed|forgotten|forgot|deleted|erased"
    r"|removed|wiped|cleared|updated|corrected|changed|added)"
)
_WHERE = r"(?:memory|memories|records?|notes|what i (?:know|remember)|for (?:next time|later))"
_CLAIMS = (
    re.compile(
        rf"\bi(?:['’]ve| have)?\s+(?:now |just |also |already )?{_DONE}\b"
        r"(?=[^.!?]*\b(?:that|it|this|your|the|you)\b)",
        _I,
    ),
    re.compile(rf"^\W*(?:(?:done|ok|okay|sure|got it)\W+)?{_DONE}\s*:", _I),
    re.compile(
        r"\bi(?:['’]ll| will)\s+(?:always )?(?:remember|keep|note|forget)\s+(?:that|this|it)\b", _I
    ),
    re.compile(rf"\b(?:has|have) been {_DONE}\b[^.!?]*\b{_WHERE}\b", _I),
    re.compile(
        r"(?:已经?|会)(?:为你|帮你)?(?:记住|记下|保存|忘记|忘掉|删除|更新|更正)"
        r"|(?:记住|记下|保存|删除|更新)了"
    ),
)
_EARLIER = re.compile(r"\b(?:earlier|before|last|previously|on \w+day|when you)\b|之前|上次", _I)


def claimed_deeds(answer: str) -> list[str]:
    """Return the sentences of an answer that claim a change of memory."""
    return [
        each
        for line in answer.splitlines()
        for each in sentences(line)
        if any(claim.search(each) for claim in _CLAIMS) and not _EARLIER.search(each)
    ]
