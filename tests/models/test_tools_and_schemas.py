"""A model may ask for a tool, or answer as an object: over the wire, whole and in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from listening import APIS, QUESTION, SENTENCE, Listener, served

from langgraph_memory.errors import ModelError, ModelSetupError, ModelUnavailableError
from langgraph_memory.models.langchain import LangChainChat
from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.ports import ChatMessage, Request, Tool
from langgraph_memory.ports import ToolCall as Asked
from langgraph_memory.testing import Fault, ScriptedChatModel, ToolCall

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
REMEMBER = Tool("remember", "Keep what the user asks to be kept.", SCHEMA)
FORGET = Tool("forget", "Forget what the user asks to be forgotten.", SCHEMA)
WITH_TOOLS = Request(QUESTION, tools=(REMEMBER, FORGET), answer_id="answer-1")
AS_OBJECT = Request(QUESTION, schema=SCHEMA)

PATHS = {"responses": "/v1/responses", "completions": "/v1/chat/completions"}

apis = pytest.mark.parametrize("api", APIS)
ways = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
doors = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


@apis
@ways
@doors
def test_a_model_asks_for_tools_that_were_offered(
    api: str, streamed: bool, asynchronous: bool
) -> None:
    calls = [ToolCall("remember", {"text": "tea, no sugar"}), ToolCall("forget", {"text": "x"})]
    with served([calls], api) as (chat, server):
        reply = Listener(chat, streamed=streamed, asynchronous=asynchronous).ask(WITH_TOOLS)
    assert reply.text == ""
    assert [(each.name, each.arguments) for each in reply.tool_calls] == [
        ("remember", {"text": "tea, no sugar"}), ("forget", {"text": "x"}),
    ]  # fmt: skip
    assert len({each.id for each in reply.tool_calls}) == 2
    [sent] = server.requests
    offered = [each.get("function", each) for each in sent.body["tools"]]
    assert [each["name"] for each in offered] == ["remember", "forget"]
    assert offered[0]["description"] == REMEMBER.description
    assert offered[0]["parameters"]["required"] == ["text"]
    assert sent.body.get("stream", False) is streamed


@apis
def test_the_result_of_a_tool_finds_its_call(api: str) -> None:
    with served([ToolCall("remember", {"text": "tea"}), SENTENCE], api) as (chat, server):
        [call] = chat.answer(WITH_TOOLS).tool_calls
        done = (
            *QUESTION,
            ChatMessage("assistant", "", tool_calls=(call,)),
            ChatMessage("tool", "kept", answers=call.id),
        )
        assert chat.answer(Request(done, tools=(REMEMBER,))).text == SENTENCE
    sent = json.dumps(server.requests[1].body)
    assert sent.count(call.id) == 2
    assert '"kept"' in sent


@apis
def test_a_model_that_needs_no_tool_just_answers(api: str) -> None:
    with served([SENTENCE], api) as (chat, _):
        reply = chat.answer(WITH_TOOLS)
    assert (reply.text, reply.tool_calls) == (SENTENCE, ())


@apis
def test_arguments_that_are_no_json_are_no_tool_call(api: str) -> None:
    broken = ToolCall("remember", '{"text": ')
    with served([broken], api) as (chat, _), pytest.raises(ModelUnavailableError, match="no JSON"):
        chat.answer(WITH_TOOLS)


def test_a_scripted_model_asks_for_tools_too() -> None:
    call: Any = {"name": "remember", "args": {"text": "tea"}, "id": "c1"}
    model = ScriptedChatModel([AIMessage("Let me keep that.", tool_calls=[call])])
    reply = LangChainChat(model).answer(WITH_TOOLS)
    assert reply.text == "Let me keep that."
    assert reply.tool_calls == (Asked("remember", {"text": "tea"}, "c1"),)
    assert [each["function"]["name"] for each in model.options[0]["tools"]] == [
        "remember", "forget",
    ]  # fmt: skip


def test_a_model_that_knows_no_tools_is_offered_none() -> None:
    model = FakeListChatModel(responses=[SENTENCE])
    assert LangChainChat(model).answer(WITH_TOOLS).text == SENTENCE


def test_the_offline_responder_neither_takes_tools_nor_fills_forms() -> None:
    for request in (WITH_TOOLS, AS_OBJECT):
        reply = OfflineResponder().answer(request)
        assert (reply.tool_calls, reply.data) == ((), None)
        assert reply.text.startswith("I don't know.")


# --- Objects ------------------------------------------------------------------------------

# Early langchain-openai serializes the parsed object itself, which newer pydantic remarks on.
quiet = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning")


@quiet
@apis
@doors
def test_a_schema_makes_the_answer_an_object(api: str, asynchronous: bool) -> None:
    with served(['{"text": "tea"}'], api) as (chat, server):
        reply = Listener(chat, streamed=False, asynchronous=asynchronous).ask(AS_OBJECT)
    assert reply.data == {"text": "tea"}
    assert reply.tool_calls == ()
    assert reply.input_tokens
    assert '"required": ["text"]' in json.dumps(server.requests[0].body)
    assert '"json_schema"' in json.dumps(server.requests[0].body)


@quiet
@apis
@doors
def test_an_object_is_work_and_not_streamed(api: str, asynchronous: bool) -> None:
    with served(['{"text": "tea"}'], api) as (chat, _):
        listener = Listener(chat, streamed=True, asynchronous=asynchronous)
        assert listener.ask(AS_OBJECT).data == {"text": "tea"}
    assert listener.pieces == ['{"text": "tea"}']  # the node's own message, not the model's


@quiet
@apis
@pytest.mark.parametrize(
    "answer",
    ["Tea, I think.", '{"text": "te', '["tea"]', '"tea"', "{}{}"],
    ids=repr,
)
def test_what_is_no_object_is_said_to_be_none(api: str, answer: str) -> None:
    """Half a JSON text is not mended: what a model did not say is not kept."""
    says = pytest.raises(ModelUnavailableError, match="not the JSON object asked for")
    with served([answer] * 2, api) as (chat, _), says:
        chat.answer(AS_OBJECT)


@quiet
def test_a_server_that_takes_no_schema_by_one_api_is_asked_by_the_other() -> None:
    """Small servers know the Responses API, and overlook what it says of the form."""

    def answer(request: dict[str, Any]) -> str:
        return '{"text": "tea"}' if "messages" in request else "Tea, I think."

    with served(answer, "responses") as (chat, server):
        for _ in range(2):
            assert chat.answer(AS_OBJECT).data == {"text": "tea"}
    first, *others = (each.path for each in server.requests)
    assert first == PATHS["responses"]
    assert others == [PATHS["completions"]] * 2


@quiet
@apis
def test_an_object_that_was_cut_off_or_refused_is_said_to_be(api: str) -> None:
    script = [Fault(end="length", answer='{"text": "tea"}'), Fault(end="content_filter")]
    with served(script, api) as (chat, _):
        for says in ("cut off", "content filter"):
            with pytest.raises(ModelError, match=says):
                chat.answer(AS_OBJECT)


def test_an_object_may_come_in_a_fence_or_as_a_tool_call() -> None:
    call: Any = {"name": "answer", "args": {"text": "tea"}, "id": "c1"}
    model = ScriptedChatModel(['```json\n{"text": "tea"}\n```', AIMessage("", tool_calls=[call])])
    for _ in range(2):
        assert LangChainChat(model).answer(AS_OBJECT).data == {"text": "tea"}


def test_a_model_that_cannot_keep_to_a_schema_says_so() -> None:
    with pytest.raises(ModelSetupError, match="cannot answer by a schema"):
        LangChainChat(FakeListChatModel(responses=["{}"])).answer(AS_OBJECT)
