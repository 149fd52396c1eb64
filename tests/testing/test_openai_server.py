"""The loopback server speaks to real clients and says what it was told."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from openai_clients import PATHS, SENTENCE, async_chat, both_routes, chat, client, joined
from pydantic import BaseModel

from langgraph_memory.testing.openai_server import (
    Answers,
    OpenAIServer,
    Refusal,
    ToolCall,
)


class Launch(BaseModel):
    day: str


@tool
def recall(query: str) -> str:
    """Look something up in memory."""
    return f"found: {query}"


@both_routes
def test_a_text_is_answered_with_usage(responses: bool) -> None:
    with OpenAIServer([SENTENCE]) as server, chat(server, responses) as model:
        reply = model.invoke([("system", "Be brief."), ("user", "When is the launch?")])

    assert reply.text == SENTENCE
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["input_tokens"] == 6
    assert reply.usage_metadata["output_tokens"] == 5
    assert [each.path for each in server.requests] == [PATHS[responses]]
    assert server.remaining == 0


@both_routes
async def test_the_asynchronous_client_is_answered(responses: bool) -> None:
    with OpenAIServer([SENTENCE, SENTENCE]) as server:
        async with async_chat(server, responses) as model:
            assert (await model.ainvoke("When?")).text == SENTENCE
            chunks = [each async for each in model.astream("When?")]

    assert joined(chunks).text == SENTENCE
    assert [each.body["stream"] for each in server.requests if each.body] == [False, True]


@both_routes
def test_a_stream_comes_word_by_word_and_ends_with_usage(responses: bool) -> None:
    with OpenAIServer([SENTENCE]) as server, chat(server, responses) as model:
        chunks = list(model.stream("When?"))

    assert [each.text for each in chunks if each.text] == [
        "The ", "launch ", "is ", "on ", "Monday.",
    ]  # fmt: skip
    whole = joined(chunks)
    assert whole.text == SENTENCE
    assert whole.usage_metadata["output_tokens"] == 5
    assert whole.chunk_position == "last"


@both_routes
def test_a_tool_call_makes_the_round(responses: bool) -> None:
    script: Answers = [ToolCall("recall", {"query": "launch date"}), SENTENCE]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        bound = model.bind_tools([recall])
        asked = HumanMessage("When is the launch?")
        call = bound.invoke([asked])
        result = recall.invoke(call.tool_calls[0])
        final = bound.invoke([asked, call, result])

    assert isinstance(result, ToolMessage)
    assert result.text == "found: launch date"
    assert final.text == SENTENCE
    first, second = (json.dumps(each.body) for each in server.requests)
    assert "Look something up" in first
    assert "found: launch date" in second
    assert str(call.tool_calls[0]["id"]) in second


@both_routes
def test_several_tool_calls_are_streamed(responses: bool) -> None:
    calls = [ToolCall("recall", {"query": "launch date"}), ToolCall("recall", {"query": "owner"})]
    with OpenAIServer([calls]) as server, chat(server, responses) as model:
        whole = joined(list(model.bind_tools([recall]).stream("When, and who?")))

    assert [each["args"] for each in whole.tool_calls] == [
        {"query": "launch date"},
        {"query": "owner"},
    ]
    assert len({each["id"] for each in whole.tool_calls}) == 2


@both_routes
def test_broken_tool_arguments_arrive_as_they_are(responses: bool) -> None:
    script: Answers = [ToolCall("recall", '{"query": ')]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        reply = model.bind_tools([recall]).invoke("When?")

    assert reply.tool_calls == []
    assert reply.invalid_tool_calls[0]["args"] == '{"query": '


# Early langchain-openai serializes the parsed model itself, which newer pydantic remarks on.
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning")
@both_routes
def test_structured_output_is_read_from_json(responses: bool) -> None:
    with OpenAIServer(['{"day": "Monday"}']) as server, chat(server, responses) as model:
        assert model.with_structured_output(Launch).invoke("When?") == Launch(day="Monday")

    assert "json_schema" in json.dumps(server.requests[0].body)


@both_routes
def test_the_request_asks_that_nothing_be_stored(responses: bool) -> None:
    with OpenAIServer([SENTENCE, SENTENCE]) as server, chat(server, responses) as model:
        model.invoke("When?")
        list(model.stream("When?"))

    for request in server.requests:
        assert request.body is not None
        assert request.body["store"] is False


@both_routes
def test_an_empty_answer_is_an_empty_message(responses: bool) -> None:
    with OpenAIServer(["", ""]) as server, chat(server, responses) as model:
        assert model.invoke("When?").text == ""
        assert joined(list(model.stream("When?"))).text == ""


@both_routes
def test_a_refusal_is_no_text(responses: bool) -> None:
    with OpenAIServer([Refusal("I will not.")]) as server, chat(server, responses) as model:
        reply = model.invoke("When?")

    assert reply.text == ""
    found = reply.content[0] if responses else reply.additional_kwargs
    assert isinstance(found, dict)
    assert found["refusal"] == "I will not."


@both_routes
def test_message_ids_differ_between_answers_and_servers(responses: bool) -> None:
    seen: set[str | None] = set()
    for _ in range(2):
        with OpenAIServer([SENTENCE, SENTENCE]) as server, chat(server, responses) as model:
            for _ in range(2):
                reply = model.invoke("When?")
                seen |= {reply.id, reply.response_metadata["id"]}

    assert len(seen) == (4 if responses else 8)


def test_a_function_answers_from_the_request() -> None:
    def echo(request: dict[str, Any]) -> str:
        said = str(request["messages"][-1]["content"])
        request.clear()
        return said[::-1]

    with OpenAIServer(echo) as server, chat(server, False) as model:
        assert model.invoke("abc").text == "cba"

    assert server.remaining is None
    assert server.requests[0].body  # the function had a copy


def test_many_threads_are_served_at_once_and_each_gets_its_own() -> None:
    together = threading.Barrier(16)

    def echo(request: dict[str, Any]) -> str:
        together.wait(timeout=30)  # fails unless all sixteen are being served
        return str(request["input"])

    def ask(number: int) -> str:
        return sdk.responses.create(model="m", input=f"number {number}").output_text

    with OpenAIServer(echo) as server, client(server) as sdk, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(ask, range(16)))

    assert replies == [f"number {number}" for number in range(16)]
    assert len(server.requests) == 16
