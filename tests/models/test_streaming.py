"""Whoever listens to a run hears the answer while it is made, once, and nothing else."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableLambda
from listening import APIS, ASK, SENTENCE, Listener, served

from langgraph_memory.models.langchain import LangChainChat
from langgraph_memory.ports import Tool
from langgraph_memory.testing import Fault, ScriptedChatModel

WORDS = ["The ", "launch ", "is ", "on ", "Monday."]

apis = pytest.mark.parametrize("api", APIS)
doors = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


@apis
@doors
def test_an_answer_is_heard_in_pieces_under_one_name(api: str, asynchronous: bool) -> None:
    """Its pieces and the message it becomes are one message to a listener."""
    with served([SENTENCE], api) as (chat, server):
        listener = Listener(chat, streamed=True, asynchronous=asynchronous)
        reply = listener.ask()
    assert listener.pieces == WORDS
    assert {each.id for each in listener.heard} == {"answer-1"}
    assert reply.text == SENTENCE
    assert reply.output_tokens == 5
    assert server.requests[0].body["stream"] is True


@doors
def test_a_scripted_model_is_heard_likewise(asynchronous: bool) -> None:
    chat = LangChainChat(ScriptedChatModel([SENTENCE]))
    listener = Listener(chat, streamed=True, asynchronous=asynchronous)
    listener.ask()
    assert listener.pieces == WORDS
    assert {each.id for each in listener.heard} == {"answer-1"}


@doors
def test_tools_that_are_offered_do_not_make_it_heard_twice(asynchronous: bool) -> None:
    """Ten times: the order in which listeners are told must not be left to chance."""
    asked = replace(ASK, tools=(Tool("remember", "Keep it.", {"type": "object"}),))
    for _ in range(10):
        chat = LangChainChat(ScriptedChatModel([SENTENCE]))
        listener = Listener(chat, streamed=True, asynchronous=asynchronous)
        listener.ask(asked)
        assert listener.pieces == WORDS


@doors
def test_a_model_that_cannot_stream_is_heard_once(asynchronous: bool) -> None:
    chat = LangChainChat(ScriptedChatModel([SENTENCE], disable_streaming=True))
    listener = Listener(chat, streamed=True, asynchronous=asynchronous)
    listener.ask()
    assert [(each.text, each.id) for each in listener.heard] == [(SENTENCE, "answer-1")]


@apis
def test_the_first_piece_comes_before_the_last_is_made(api: str) -> None:
    with served([Fault(pace=0.1, answer=SENTENCE)], api) as (chat, _):
        listener = Listener(chat, streamed=True)
        times: list[float] = []
        listener.heard = _Timed(times)  # type: ignore[assignment]
        listener.ask()
    assert times[-1] - times[0] > 0.25


class _Timed(list[object]):
    """Notes when each thing came."""

    def __init__(self, times: list[float]) -> None:
        super().__init__()
        self._times = times

    def append(self, each: object) -> None:
        self._times.append(time.monotonic())
        super().append(each)

    def extend(self, each: object) -> None:
        for one in each:  # type: ignore[attr-defined]
            self.append(one)


@apis
@doors
def test_work_aside_is_not_heard(api: str, asynchronous: bool) -> None:
    aside = replace(ASK, aside=True)
    with served([SENTENCE], api) as (chat, _):
        listener = Listener(chat, streamed=True, asynchronous=asynchronous)
        assert listener.ask(aside).text == SENTENCE
    assert listener.pieces == [SENTENCE]  # the node's own message, when it was done


@doors
def test_without_a_name_pieces_keep_the_providers(asynchronous: bool) -> None:
    chat = LangChainChat(ScriptedChatModel([SENTENCE]))
    listener = Listener(chat, streamed=True, asynchronous=asynchronous)
    listener.ask(replace(ASK, answer_id=""))
    assert listener.pieces[:5] == WORDS


def test_other_listeners_of_the_run_are_told_as_well() -> None:
    told: list[str] = []

    class Tracer(BaseCallbackHandler):
        def on_llm_end(self, response: object, **_: object) -> None:
            told.append(response.generations[0][0].text)  # type: ignore[attr-defined]

    chat = LangChainChat(ScriptedChatModel([SENTENCE]))

    def run(_: str) -> str:
        return chat.answer(ASK).text

    RunnableLambda(run).invoke("x", {"callbacks": [Tracer()]})
    assert told == [SENTENCE]


@apis
@pytest.mark.parametrize(
    ("fault", "streamed"),
    [(Fault(delay=60), False), (Fault(delay=60), True), (Fault(pace=60, answer=SENTENCE), True)],
    ids=["whole", "before the stream", "in the stream"],
)
async def test_a_cancelled_request_is_closed(api: str, fault: Fault, streamed: bool) -> None:
    """The provider learns of it and stops, whether it had begun to answer or not."""
    with served([fault], api) as (chat, server):
        task = asyncio.create_task(Listener(chat, streamed=streamed).aask())
        assert await asyncio.to_thread(server.wait_for_requests)
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.wait_until_abandoned)
