"""The launch story, word for word, as a user meets it: by the sync and by the async way."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from talking import Talk, answer_of

from langgraph_memory import Home, ScopedMemory

DAY = r"\d{1,2} \w+ \d{4}"
STORY = [
    ("When is the launch?", r"I don't know\. Memory holds no valid evidence: nothing is stored"),
    (
        "Remember that the launch is scheduled for Friday",
        "I will remember: “the launch is scheduled for Friday”$",
    ),
    ("Remember that Lina owns deployment", "I will remember: “Lina owns deployment”$"),
    (
        "When is the launch?",
        rf"“the launch is scheduled for Friday” — you, {DAY} \[m1\]$",
    ),
    ("Correct the launch date to Monday", "Corrected. From now on: “The launch date is Monday”$"),
    (
        "When is the launch?",
        (
            rf"“The launch date is Monday” — you, {DAY} \[m1\]\n"
            rf"  Before that, superseded on {DAY}: “the launch is scheduled for Friday”$"
        ),
    ),
    ("Who owns deployment?", rf"“Lina owns deployment” — you, {DAY} \[m1\]$"),
    ("What is Lina's blood type?", r"I don't know\..*blood"),
    (
        "The launch date is Tuesday now. When is the launch date?",
        (
            r"“The launch date is Tuesday now\.” — you, just now\n"
            r"Note: you now say “The launch date is Tuesday now\.”; "
            r"memory has “The launch date is Monday”"
        ),
    ),
    ("Forget that Lina owns deployment", r"Forgotten\."),
    ("Who owns deployment?", r"I don't know\."),
    (
        "What do you know about me?",
        r"This is what I know:\n- “The launch date is Tuesday now\.” \(\w+\)$",
    ),
]


def told(talk: Talk, text: str, way: str) -> str:
    message = {"messages": [("user", text)]}
    if way == "sync":
        return answer_of(talk.agent.invoke(message, talk.config, context=talk.context()))

    async def ask() -> Any:
        return await talk.agent.ainvoke(message, talk.config, context=talk.context())

    return answer_of(asyncio.run(ask()))


@pytest.mark.parametrize("way", ["sync", "async"])
def test_the_launch_story(home: Home, me: ScopedMemory, stranger: ScopedMemory, way: str) -> None:
    """R10, R12, R39, R41, R44, R60."""
    talk = Talk(home, me)
    answers = [told(talk, text, way) for text, _ in STORY]
    for (text, expected), answer in zip(STORY, answers, strict=True):
        assert re.match(expected, answer, re.DOTALL), f"{text!r} was answered: {answer}"
    said = [(each.role, each.content) for each in me.transcript("t")]
    assert said == [
        line
        for (text, _), answer in zip(STORY, answers, strict=True)
        for line in (("user", text), ("assistant", answer))
    ]
    other = Talk(home, stranger, thread="other")
    assert told(other, "When is the launch?", way).startswith("I don't know.")
