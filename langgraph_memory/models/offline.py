"""Answers without a model: quotes what the user just said and validated memory, or abstains.

It never rephrases, infers or guesses. What it cannot quote, it does not say. Where nothing is
asked, it takes note, and claims no more: what of it is kept is decided after the turn.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import datetime

from langgraph_memory.ports import Citation, Closed, Reply, Request

NEARLY = 0.8
MOST = 3
LONGEST = 1_000

NAME = "offline responder (no model: quotes memory or abstains)"

_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_ENGLISH = {
    "source": "you, just now",
    "noted": "Noted: {} What of it is kept as a memory is decided in a moment; to be sure, say "
    "“remember that …”.",
    "beside": "This is in memory already:",
    "discreet": "I keep nothing of this message.",
    "closed": "I do not keep {}: you asked me to (“{}”). To have it kept all the same, say "
    "“remember that …”.",
}
_CHINESE = {
    "source": "你，刚才说的",
    "noted": "知道了：{}其中哪些会留作记忆，稍后决定；要确保记住，请说“记住……”。",
    "beside": "记忆中已有：",
    "discreet": "这条消息我什么都不会保存。",
    "closed": "{}我不会保存：这是你要求的（“{}”）。如果仍要记住，请说“记住……”。",
}


class OfflineResponder:
    """``ports.ChatModel`` for no key and no network."""

    @property
    def name(self) -> str:
        """Return what is at work."""
        return NAME

    def answer(self, request: Request) -> Reply:
        """Quote what answers, the user's latest words first, or say what is missing."""
        started = time.perf_counter()
        quotable = _quotable(request)
        lines = [_acknowledged(request.noted)] if request.noted else []
        lines += _not_kept(request.closed)
        if request.discreet:
            lines.append(_phrases([request.messages[-1].content])["discreet"])
        if request.told:
            lines.append(as_just_said(request.told))
        if quotable and (said := request.noted or [each.text for each in request.closed]):
            lines.append(_phrases(said)["beside"])
        lines += [_quoted(each) for each in quotable]
        text = "\n".join(lines) or _abstained(request)
        cited = tuple(each.label for each in quotable)
        spent = 1000 * (time.perf_counter() - started)
        return Reply(text, cited, self.name, milliseconds=spent)

    async def aanswer(self, request: Request) -> Reply:
        """Answer; there is nothing to wait for."""
        await asyncio.sleep(0)
        return self.answer(request)


def as_just_said(statements: Sequence[str]) -> str:
    """Return an answer by what the user said in the same message."""
    source = _phrases(statements)["source"]
    return "\n".join(f"“{_short(each)}” — {source}" for each in statements)


def as_said_before(evidence: Sequence[Citation]) -> str:
    """Return an answer by what the user said in passing."""
    return "\n".join(_quoted(each) for each in evidence[:MOST])


def _acknowledged(statements: Sequence[str]) -> str:
    return _phrases(statements)["noted"].format(_listed(statements))


def _not_kept(closed: Sequence[Closed]) -> list[str]:
    """Return by rule what is not kept because of it."""
    by_rule: dict[str, list[str]] = {}
    for text, rule in closed:
        by_rule.setdefault(rule, []).append(text)
    return [
        _phrases(texts)["closed"].format(_listed(texts), rule) for rule, texts in by_rule.items()
    ]


def _listed(statements: Sequence[str]) -> str:
    return " ".join(f"“{_short(each)}”" for each in statements[:MOST])


def _phrases(statements: Sequence[str]) -> dict[str, str]:
    """Return the words of an answer: kana is Japanese, which is answered in English."""
    said = "\n".join(statements)
    return _CHINESE if _HAN.search(said) and not _KANA.search(said) else _ENGLISH


def _quotable(request: Request) -> list[Citation]:
    """Return what is worth saying: the best, and what is nearly as good, unless outdated.

    What a later piece of evidence contradicts comes after it. Beside a statement, where nothing is
    asked, only what memory has and is not out of date is shown.
    """
    evidence = [each for each in request.evidence if each.label not in request.outdated]
    if request.noted:
        waiting = {each.label for each in evidence if each.event_id}
        evidence = [each for each in evidence if not waiting & {each.label, each.outdated_by}]
    best = max((each.score for each in request.evidence), default=0.0)
    near = {each.label for each in evidence if each.score >= NEARLY * best}
    newer = {each.outdated_by for each in evidence if each.label in near}
    chosen = [each for each in evidence if each.label in near | newer]
    return sorted(chosen, key=lambda each: bool(each.outdated_by))[:MOST]


def _quoted(evidence: Citation) -> str:
    since = f", out of date since [{evidence.outdated_by}]" if evidence.outdated_by else ""
    since += ", said in passing and not kept yet" if evidence.event_id else ""
    origin = f"{evidence.source}, {_day(evidence.said_at)} [{evidence.label}]{since}"
    lines = [f"“{_short(evidence.content)}” — {origin}"]
    lines += [
        f"  Before that, superseded on {_day(ended)}: “{_short(text)}”"
        for text, ended in evidence.history
    ]
    return "\n".join(lines)


def _short(text: str) -> str:
    """Return a quotation that can be read; a long one is cut, and says so."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … [{len(text) - LONGEST:,} characters more]"


def _abstained(request: Request) -> str:
    return f"I don't know. {request.missing}".strip()


def _day(instant: datetime) -> str:
    return f"{instant.day} {instant:%B %Y}"
