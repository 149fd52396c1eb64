"""Models that speak over HTTP, through the whole graph: heard while they speak, and when they fail.

A turn that failed keeps the user's message; taken up again, however that is done, it is one
turn: one question, one answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import (
    ModelError,
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)
from langgraph_memory.models.langchain import LangChainChat, chat_model
from langgraph_memory.ports import ChatModel
from langgraph_memory.testing import Fault, OpenAIServer, Refusal, ScriptedChatModel, ToolCall
from langgraph_memory.testing.openai_server import Answer

QUESTION = "When is the launch?"
ANSWER = "The launch is on Monday [m1]."
WORDS = ["The ", "launch ", "is ", "on ", "Monday ", "[m1]."]
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests to loopback pass no proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def me(me: ScopedMemory) -> ScopedMemory:
    """Somebody whose memory holds what is asked for."""
    me.remember("The launch moved to Monday", key="launch_date")
    return me


class Wire:
    """A server with a script, and a model that speaks to it by one of its APIs."""

    def __init__(self, api: str) -> None:
        self.api = api
        self.script: list[Answer] = []
        self.server = OpenAIServer(self._answer)

    def _answer(self, request: dict[str, Any]) -> Any:
        if self.api == "completions" and "messages" not in request:
            return Fault(status=404)
        return self.script.pop(0)

    def model(self, *answers: Answer, timeout_seconds: float = 30.0) -> ChatModel:
        """Return the model with its script; the one without a wire takes it as its own."""
        if self.api == "scripted":
            return LangChainChat(ScriptedChatModel([str(each) for each in answers]))
        self.script += answers
        return chat_model(
            "m", base_url=self.server.base_url, retries=0, timeout_seconds=timeout_seconds
        )


@pytest.fixture(params=["responses", "completions"])
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    """Each API in turn."""
    wire = Wire(request.param)
    with wire.server:
        yield wire


@pytest.fixture(params=["responses", "completions", "scripted"])
def speaker(request: pytest.FixtureRequest) -> Iterator[Wire]:
    """Each API in turn, and no API at all."""
    wire = Wire(request.param)
    with wire.server:
        yield wire


def _input(message_id: str | None = None) -> dict[str, Any]:
    return {"messages": [HumanMessage(QUESTION, id=message_id)]}


def _said(me: ScopedMemory) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in me.transcript("t")]


def _kept(agent: Any) -> list[tuple[str, str]]:
    messages = agent.get_state(THREAD).values["messages"]
    return [(each.type, each.text) for each in messages]


# --- Heard while it speaks ----------------------------------------------------------------


def test_the_answer_is_heard_while_the_model_speaks(
    speaker: Wire, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(speaker.model(ANSWER))
    heard = list(agent.stream(_input(), THREAD, context=me.context(), stream_mode="messages"))
    assert [message.text for message, _ in heard if message.text][: len(WORDS)] == WORDS
    assert {about["langgraph_node"] for _, about in heard} == {"respond"}
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]


async def test_the_answer_is_heard_asynchronously_too(
    speaker: Wire, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(speaker.model(ANSWER))
    stream = agent.astream(_input(), THREAD, context=me.context(), stream_mode="messages")
    heard = [message.text async for message, _ in stream if message.text]
    assert heard[: len(WORDS)] == WORDS
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]


async def test_the_first_word_is_heard_before_the_last_is_said(
    wire: Wire, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(wire.model(Fault(pace=0.1, answer=ANSWER)))
    times: list[float] = []
    stream = agent.astream(_input(), THREAD, context=me.context(), stream_mode="messages")
    async for message, _ in stream:
        if message.text:
            times.append(time.monotonic())
    assert times[len(WORDS) - 1] - times[0] > 0.3


def test_the_answer_is_heard_once_and_is_the_message_that_is_kept(
    speaker: Wire, home: Home, me: ScopedMemory
) -> None:
    """A listener that joins pieces by their id shows one answer, the one in the state."""
    agent: Any = home.agent(speaker.model(ANSWER))
    heard = list(agent.stream(_input(), THREAD, context=me.context(), stream_mode="messages"))
    assert [message.text for message, _ in heard if message.text] == WORDS
    kept = agent.get_state(THREAD).values["messages"][-1]
    assert {message.id for message, _ in heard} == {kept.id}


# --- Failing, and taken up again ----------------------------------------------------------

FAILURES: dict[str, tuple[Answer, type[ModelError]]] = {
    "rate limit": (Fault(status=429, retry_after=30), ModelUnavailableError),
    "server error": (Fault(status=500), ModelUnavailableError),
    "wrong key": (Fault(status=401), ModelSetupError),
    "unknown model": (Fault(status=404, code="model_not_found"), ModelSetupError),
    "cut in mid-answer": (Fault(cut_after=2, answer=ANSWER), ModelUnavailableError),
    "stopped in mid-answer": (Fault(stop_after=2, answer=ANSWER), ModelUnavailableError),
    "time-out": (Fault(delay=60), ModelUnavailableError),
    "refusal": (Refusal("I will not."), ModelRefusedError),
    "content filter": (Fault(end="content_filter", answer="The"), ModelRefusedError),
    "truncated": (Fault(end="length", answer="The launch"), ModelRefusedError),
    "empty": ("", ModelRefusedError),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failed_turn_keeps_the_message_and_is_finished_as_one(
    failure: str, wire: Wire, home: Home, me: ScopedMemory
) -> None:
    """B17, R70: the error says what to do; nothing of half an answer is kept."""
    fault, error = FAILURES[failure]
    limit = 0.3 if failure == "time-out" else 30.0
    agent: Any = home.agent(wire.model(fault, ANSWER, timeout_seconds=limit))
    with pytest.raises(error) as caught:
        list(agent.stream(_input(), THREAD, context=me.context(), stream_mode="messages"))
    assert str(caught.value).endswith(".")
    assert _said(me) == [("user", QUESTION)]
    assert agent.get_state(THREAD).next == ("respond",)
    agent.invoke(None, THREAD, context=me.context())
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]
    assert _kept(agent) == [("human", QUESTION), ("ai", ANSWER)]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_the_same_message_sent_again_is_one_turn(
    wire: Wire, home: Home, me: ScopedMemory, asynchronous: bool
) -> None:
    """A client that repeats its request, id and all, asked once."""
    agent: Any = home.agent(wire.model(Fault(status=500), ANSWER))

    def run() -> None:
        if asynchronous:
            asyncio.run(agent.ainvoke(_input("q1"), THREAD, context=me.context()))
        else:
            agent.invoke(_input("q1"), THREAD, context=me.context())

    with pytest.raises(ModelUnavailableError):
        run()
    run()
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]
    assert _kept(agent) == [("human", QUESTION), ("ai", ANSWER)]


def test_the_same_words_sent_again_after_a_failure_are_one_turn(
    wire: Wire, home: Home, me: ScopedMemory
) -> None:
    """LangGraph gives a message without an id a new one each time; the user asked once."""
    agent: Any = home.agent(wire.model(Fault(status=500), Fault(status=500), ANSWER))
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            agent.invoke(_input(), THREAD, context=me.context())
    agent.invoke(_input(), THREAD, context=me.context())
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]
    assert _kept(agent) == [("human", QUESTION), ("ai", ANSWER)]


def test_the_same_words_after_an_answer_are_another_turn(
    wire: Wire, home: Home, me: ScopedMemory
) -> None:
    agent: Any = home.agent(wire.model(ANSWER, ANSWER))
    for _ in range(2):
        agent.invoke(_input(), THREAD, context=me.context())
    assert [role for role, _ in _said(me)] == ["user", "assistant"] * 2


def test_a_message_repeated_after_its_answer_gets_the_answer_that_was_given(
    wire: Wire, home: Home, me: ScopedMemory
) -> None:
    """State and transcript tell the same, and nobody pays for a second answer."""
    agent: Any = home.agent(wire.model(ANSWER, "Something else."))
    for _ in range(2):
        agent.invoke(_input("q1"), THREAD, context=me.context())
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]
    assert _kept(agent) == [("human", QUESTION), ("ai", ANSWER)]


def test_a_call_of_a_tool_that_says_nothing_is_no_answer(
    wire: Wire, home: Home, me: ScopedMemory
) -> None:
    """A model that asks for a tool there is not is asked again, without any."""
    agent: Any = home.agent(wire.model(ToolCall("fly", {"to": "the moon"}), ANSWER))
    agent.invoke(_input(), THREAD, context=me.context())
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_cancelled_run_ends_the_request_and_keeps_no_half_answer(
    wire: Wire, home: Home, me: ScopedMemory, streamed: bool
) -> None:
    fault = Fault(delay=0 if streamed else 60, pace=0.3, answer=ANSWER)
    agent: Any = home.agent(wire.model(fault, ANSWER))
    mode = "messages" if streamed else "updates"
    first = asyncio.Event()

    async def run() -> None:
        stream = agent.astream(_input(), THREAD, context=me.context(), stream_mode=mode)
        async for part in stream:
            if streamed and part[0].text:
                first.set()

    task = asyncio.create_task(run())
    if streamed:
        await asyncio.wait_for(first.wait(), 10)
    else:
        asked = 2 if wire.api == "completions" else 1
        assert await asyncio.to_thread(wire.server.wait_for_requests, asked)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(wire.server.wait_until_abandoned)
    assert _said(me) == [("user", QUESTION)]
    await agent.ainvoke(None, THREAD, context=me.context())
    assert _said(me) == [("user", QUESTION), ("assistant", ANSWER)]
    assert _kept(agent) == [("human", QUESTION), ("ai", ANSWER)]
