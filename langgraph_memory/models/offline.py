"""Answers without a model: quotes validated memory with source and date, or abstains.

It never rephrases, infers or guesses. What it cannot quote, it does not say.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime

from langgraph_memory.ports import Citation, Reply, Request

NEARLY = 0.8
MOST = 3
LONGEST = 1_000

NAME = "offline responder (no model: quotes memory or abstains)"


class OfflineResponder:
    """``ports.ChatModel`` for no key and no network."""

    @property
    def name(self) -> str:
        """Return what is at work."""
        return NAME

    def answer(self, request: Request) -> Reply:
        """Quote the evidence, best first, or say what is missing."""
        started = time.perf_counter()
        if quotable := _quotable(request.evidence):
            text = "\n".join(_quoted(each) for each in quotable)
            cited = tuple(each.label for each in quotable)
        else:
            text, cited = _abstained(request), ()
        spent = 1000 * (time.perf_counter() - started)
        return Reply(text, cited, self.name, milliseconds=spent)

    async def aanswer(self, request: Request) -> Reply:
        """Answer; there is nothing to wait for."""
        await asyncio.sleep(0)
        return self.answer(request)


def _quotable(evidence: Sequence[Citation]) -> list[Citation]:
    """Return what is worth saying: the best, and what is nearly as good.

    What is out of date comes last, after what says otherwise since.
    """
    best = max((each.score for each in evidence), default=0.0)
    near = {each.label for each in evidence if each.score >= NEARLY * best}
    newer = {each.outdated_by for each in evidence if each.label in near}
    chosen = [each for each in evidence if each.label in near | newer]
    return sorted(chosen, key=lambda each: bool(each.outdated_by))[:MOST]


def _quoted(evidence: Citation) -> str:
    since = f", out of date since [{evidence.outdated_by}]" if evidence.outdated_by else ""
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
