"""The stand-ins for a chat model and an embedder keep the promises tests build on."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.tools import tool
from pydantic import BaseModel

from langgraph_memory.errors import InvalidSettingError, ModelUnavailableError
from langgraph_memory.ports import Embedder
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.scripted import (
    Script,
    ScriptedChatModel,
    ScriptExhaustedError,
    tokens,
)


class Launch(BaseModel):
    day: str
    owner: str = "nobody"


@tool
def recall(query: str) -> str:
    """Look something up in memory."""
    return query


LAUNCH = '{"day": "Monday", "owner": "Lina"}'
CALL = AIMessage("", tool_calls=[{"name": "recall", "args": {"query": "launch"}, "id": "c1"}])


# --- The chat model -----------------------------------------------------------------------


def test_replies_come_in_the_order_written() -> None:
    model = ScriptedChatModel(["one", AIMessage("two", id="m2")])

    assert model.remaining == 2
    assert model.invoke("a").text == "one"
    second = model.invoke("b")
    assert (second.text, second.id) == ("two", "m2")
    assert model.remaining == 0


def test_a_function_answers_from_the_messages() -> None:
    model = ScriptedChatModel(lambda messages: f"You said: {messages[-1].text}")

    assert model.invoke("hello").text == "You said: hello"
    assert model.remaining is None


def test_a_script_that_runs_out_fails_the_test_that_wrote_it() -> None:
    model = ScriptedChatModel(["only"])
    model.invoke("a")

    with pytest.raises(ScriptExhaustedError, match="held 1 answers") as caught:
        model.invoke("b")
    assert isinstance(caught.value, AssertionError)
    assert pickle.loads(pickle.dumps(caught.value)).answers == 1
    assert len(model.requests) == 2


def test_an_exception_in_the_script_is_raised() -> None:
    model = ScriptedChatModel([ModelUnavailableError("m", "down"), "up"])

    with pytest.raises(ModelUnavailableError):
        model.invoke("a")
    assert model.invoke("a").text == "up"


def test_a_bare_text_is_refused_as_a_script() -> None:
    with pytest.raises(TypeError, match="list of answers"):
        ScriptedChatModel("hello")


def test_requests_show_what_was_sent_not_what_it_became() -> None:
    model = ScriptedChatModel(["ok"])
    sent: list[BaseMessage] = [HumanMessage("before", additional_kwargs={"tags": ["a"]})]

    model.invoke(sent)
    sent[0].content = "after"
    sent[0].additional_kwargs["tags"].append("b")

    assert model.requests[0][0].text == "before"
    assert model.requests[0][0].additional_kwargs == {"tags": ["a"]}


def test_a_function_cannot_change_the_callers_messages() -> None:
    def spoil(messages: list[BaseMessage]) -> str:
        messages[0].content = "spoiled"
        return "ok"

    sent: list[BaseMessage] = [HumanMessage("clean")]
    ScriptedChatModel(spoil).invoke(sent)

    assert sent[0].text == "clean"


def test_a_reply_is_copied_so_that_one_script_serves_twice() -> None:
    reply = AIMessage("hello")
    first, second = (ScriptedChatModel([reply]).invoke("a") for _ in range(2))
    first.content = "changed"

    assert (reply.text, second.text) == ("hello", "hello")
    assert reply.usage_metadata is None


def test_usage_counts_words() -> None:
    model = ScriptedChatModel(["The launch is Monday."])

    assert model.invoke("When is it?").usage_metadata == {
        "input_tokens": 3,
        "output_tokens": 4,
        "total_tokens": 7,
    }


def test_usage_in_the_script_is_kept() -> None:
    usage: Any = {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105}
    model = ScriptedChatModel([AIMessage("hi", usage_metadata=usage)])

    assert model.invoke("a").usage_metadata == usage


def test_a_stream_comes_token_by_token_and_sums_to_the_reply() -> None:
    chunks = list(ScriptedChatModel(["The launch is Monday."]).stream("When?"))

    assert [each.text for each in chunks] == ["The ", "launch ", "is ", "Monday.", ""]
    whole = _sum(chunks)
    assert whole.text == "The launch is Monday."
    assert whole.usage_metadata == {"input_tokens": 1, "output_tokens": 4, "total_tokens": 5}
    assert whole.response_metadata["model_name"] == "scripted"


async def test_the_asynchronous_doors_say_the_same() -> None:
    model = ScriptedChatModel(["one two", "one two"])

    assert (await model.ainvoke("a")).text == "one two"
    assert _sum([each async for each in model.astream("a")]).text == "one two"
    assert [each[0].text for each in model.requests] == ["a", "a"]


async def test_a_function_that_waits_does_not_hold_up_the_event_loop() -> None:
    came = threading.Event()

    def wait(_: list[BaseMessage]) -> str:
        return "in time" if came.wait(10) else "too late"

    async def consume() -> str:
        return "".join([each.text async for each in ScriptedChatModel(wait).astream("a")])

    replies = asyncio.gather(ScriptedChatModel(wait).ainvoke("a"), consume())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(came.set)

    message, streamed = await replies
    assert (message.text, streamed) == ("in time", "in time")


def test_a_stream_tells_callbacks_each_token() -> None:
    heard: list[str] = []

    class Listener(BaseCallbackHandler):
        def on_llm_new_token(self, token: Any, **kwargs: Any) -> None:
            heard.append(token)

    model = ScriptedChatModel(["one two"])
    list(model.stream("a", config={"callbacks": [Listener()]}))

    assert heard == ["one ", "two", ""]


def test_content_blocks_survive_a_stream() -> None:
    blocks: list[Any] = [{"type": "text", "text": "Monday", "index": 0}]
    chunks = list(ScriptedChatModel([AIMessage(blocks)]).stream("a"))

    assert _sum(chunks).text == "Monday"


def test_tools_are_recorded_and_tool_calls_returned() -> None:
    model = ScriptedChatModel([CALL])
    reply = model.bind_tools([recall], tool_choice="any").invoke("a")

    assert reply.tool_calls[0]["args"] == {"query": "launch"}
    (options,) = model.options
    assert options["tools"][0]["function"]["name"] == "recall"
    assert options["tool_choice"] == "any"


def test_tool_calls_are_streamed() -> None:
    whole = _sum(list(ScriptedChatModel([CALL]).bind_tools([recall]).stream("a")))

    assert [(each["name"], each["args"], each["id"]) for each in whole.tool_calls] == [
        ("recall", {"query": "launch"}, "c1")
    ]


def test_stop_words_and_options_are_recorded() -> None:
    model = ScriptedChatModel(["a"])
    model.invoke("x", stop=["END"], temperature=0)

    assert model.options == [{"stop": ["END"], "temperature": 0}]


@pytest.mark.parametrize(
    "reply",
    [LAUNCH, AIMessage("", tool_calls=[{"name": "Launch", "args": {"day": "Monday"}, "id": "1"}])],
    ids=["text", "tool call"],
)
def test_structured_output_reads_json_or_a_tool_call(reply: str | AIMessage) -> None:
    found = ScriptedChatModel([reply]).with_structured_output(Launch).invoke("a")

    assert isinstance(found, Launch)
    assert found.day == "Monday"


async def test_structured_output_as_a_dictionary_is_not_checked() -> None:
    model = ScriptedChatModel([LAUNCH])
    structured = model.with_structured_output({"title": "Launch", "type": "object"})

    assert await structured.ainvoke("a") == {"day": "Monday", "owner": "Lina"}
    assert model.options[0]["response_format"]["title"] == "Launch"


@pytest.mark.parametrize("reply", ["no json", '{"owner": "Lina"}'])
def test_a_reply_that_does_not_fit_the_schema_is_a_parser_error(reply: str) -> None:
    with pytest.raises(OutputParserException, match="does not fit"):
        ScriptedChatModel([reply]).with_structured_output(Launch).invoke("a")


def test_include_raw_returns_the_error_instead_of_raising() -> None:
    model = ScriptedChatModel([LAUNCH, "no json"]).with_structured_output(Launch, include_raw=True)

    good, bad = model.invoke("a"), model.invoke("a")

    assert good["parsed"] == Launch(day="Monday", owner="Lina")
    assert good["parsing_error"] is None
    assert bad["parsed"] is None
    assert isinstance(bad["parsing_error"], OutputParserException)
    assert bad["raw"].text == "no json"


def test_a_script_hands_out_each_answer_once_to_many_threads() -> None:
    script: Script[int, int] = Script(range(400))
    with ThreadPoolExecutor(8) as pool:
        given_out = list(pool.map(script.answer, range(400)))

    assert sorted(given_out) == list(range(400))


@settings(deadline=None)
@given(st.text())
def test_tokens_joined_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def _sum(chunks: list[Any]) -> AIMessageChunk:
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole = whole + chunk
    assert isinstance(whole, AIMessageChunk)
    assert whole.chunk_position == "last"
    return whole


# --- The embedder -------------------------------------------------------------------------


def cosine(first: str, second: str) -> float:
    embedder: Embedder = HashingEmbedder()
    return float(embedder.embed_query(first) @ embedder.embed_query(second))


def test_rows_have_the_promised_shape_and_length() -> None:
    rows = HashingEmbedder(64).embed_documents(["a b", "", "預算是150美元", "🙂", "\ud800"])

    assert rows.shape == (5, 64)
    assert rows.dtype == np.float32
    assert rows.flags.c_contiguous
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, rtol=1e-6)
    assert HashingEmbedder(64).embed_documents([]).shape == (0, 64)


def test_the_name_tells_spaces_apart() -> None:
    assert (HashingEmbedder(64).model_id, HashingEmbedder(64).dims) == ("hashing-64", 64)
    assert HashingEmbedder().model_id != HashingEmbedder(64).model_id


def test_shared_words_and_stems_raise_the_cosine() -> None:
    asked = "Who owns the deployment?"

    same = cosine(asked, "who owns the DEPLOYMENT")
    close = cosine(asked, "Lina owns deployment")
    stem = cosine(asked, "deployments")
    far = cosine(asked, "Monthly budget: $150")

    assert same == pytest.approx(1.0)
    assert same > close > stem > far + 0.1


def test_a_word_said_often_weighs_more() -> None:
    assert cosine("budget", "budget budget launch") > cosine("budget", "budget launch") + 0.1


def test_chinese_texts_with_common_characters_are_closer() -> None:
    asked = "每月預算是多少"

    assert cosine(asked, "每月預算是150美元") > cosine(asked, "發布日期") + 0.1


def test_a_text_without_anything_has_one_fixed_vector() -> None:
    embedder = HashingEmbedder(8)

    np.testing.assert_array_equal(embedder.embed_query(""), np.eye(8, dtype=np.float32)[0])
    np.testing.assert_array_equal(embedder.embed_query(" \n"), embedder.embed_query(""))


def test_vectors_are_the_same_in_another_process() -> None:
    program = (
        "from langgraph_memory.testing.hashing import HashingEmbedder;"
        "print(HashingEmbedder(16).embed_query('launch on Monday').tobytes().hex())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()

    assert printed == HashingEmbedder(16).embed_query("launch on Monday").tobytes().hex()


def test_an_impossible_length_is_refused() -> None:
    with pytest.raises(InvalidSettingError, match="dims"):
        HashingEmbedder(0)


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters()), st.integers(1, 32))
def test_any_text_has_one_unit_vector_whatever_its_batch_mates(text: str, dims: int) -> None:
    embedder = HashingEmbedder(dims)
    alone = embedder.embed_query(text)

    assert np.linalg.norm(alone) == pytest.approx(1.0, abs=1e-5)
    np.testing.assert_array_equal(embedder.embed_documents(["other", text])[1], alone)


def test_a_megabyte_is_embedded_in_a_moment() -> None:
    words = " ".join(f"word{number % 5000}" for number in range(120_000))

    assert len(words) > 1_000_000
    assert HashingEmbedder().embed_query(words).shape == (256,)
