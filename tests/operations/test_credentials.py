"""What looks like a credential is not kept: not in the transcript, not in a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.capture import Utterance

KEY = "sk-proj-" + "Ab3" * 16
TOLD = f"My key is {KEY} and my sister lives in Lisbon."


def files(home: Home) -> bytes:
    return b"".join(each.read_bytes() for each in Path(home.path).rglob("*") if each.is_file())


def test_the_transcript_says_what_was_taken_out(home: Home, me: ScopedMemory) -> None:
    """R50: before the first byte is written."""
    me.capture([Utterance("t", "1", "user", TOLD)])
    [message] = me.transcript("t")
    assert message.content == (
        "My key is [redacted: OpenAI API key] and my sister lives in Lisbon."
    )
    assert KEY.encode() not in files(home)


def test_a_memory_with_a_credential_is_refused_with_the_rule(home: Home, me: ScopedMemory) -> None:
    """R50: an order says so, too."""
    with pytest.raises(RefusedError, match="OpenAI API key.*no credentials"):
        me.remember(f"My key is {KEY}")
    agent = home.agent()
    out = agent.invoke(
        {"messages": [("user", f"Remember that my key is {KEY}")]},
        {"configurable": {"thread_id": "t"}},
        context=me.context(),
    )
    answer = str(out["messages"][-1].text)
    assert answer.startswith("I did not keep that. Not stored: it holds what looks like a cred")
    assert me.contents().total == 0
    assert KEY.encode() not in files(home)


def test_the_background_keeps_the_rest(home: Home, me: ScopedMemory) -> None:
    agent = home.agent()
    agent.invoke(
        {"messages": [("user", TOLD)]}, {"configurable": {"thread_id": "t"}}, context=me.context()
    )
    home.memory.work_off()
    [kept] = me.contents().records
    assert "Lisbon" in str(kept.record.head.value)
    assert KEY.encode() not in files(home)


def test_what_only_looks_similar_is_kept(me: ScopedMemory) -> None:
    for said in (
        "The door code is 42", "I forgot my password again", "Commit 9f86d081884c7d659a2feaa0",
        "The password policy asks for twelve characters",
    ):  # fmt: skip
        me.remember(said)
    assert me.contents().total == 4
