"""The loopback server speaks to real clients, says what it was told, and fails on demand."""

from __future__ import annotations

import base64
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import openai
import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel, SecretStr

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.openai_server import (
    Answers,
    Fault,
    OpenAIServer,
    Refusal,
    ToolCall,
    read_answers,
)

SENTENCE = "The launch is on Monday."
PATHS = {True: "/v1/responses", False: "/v1/chat/completions"}

both_routes = pytest.mark.parametrize(
    "responses", [True, False], ids=["responses", "chat-completions"]
)


class Launch(BaseModel):
    day: str


@tool
def recall(query: str) -> str:
    """Look something up in memory."""
    return f"found: {query}"


@contextmanager
def client(server: OpenAIServer, **settings: Any) -> Iterator[openai.OpenAI]:
    # trust_env=False: a proxy named in the environment has no business on loopback.
    with openai.OpenAI(
        base_url=server.base_url,
        api_key="test",
        http_client=openai.DefaultHttpxClient(trust_env=False),
        **{"max_retries": 0, "timeout": 30, **settings},
    ) as opened:
        yield opened


@contextmanager
def chat(server: OpenAIServer, responses: bool, **settings: Any) -> Iterator[ChatOpenAI]:
    with openai.DefaultHttpxClient(trust_env=False) as http_client:
        yield _model(server, responses, http_client=http_client, **settings)


@asynccontextmanager
async def async_chat(server: OpenAIServer, responses: bool) -> AsyncIterator[ChatOpenAI]:
    async with openai.DefaultAsyncHttpxClient(trust_env=False) as http_client:
        yield _model(server, responses, http_async_client=http_client)


def _model(server: OpenAIServer, responses: bool, **settings: Any) -> ChatOpenAI:
    return ChatOpenAI(
        model="gpt-test",
        base_url=server.base_url,
        api_key=SecretStr("test-secret"),
        use_responses_api=responses,
        store=False,
        stream_usage=True,
        **{"max_retries": 0, "timeout": 30, **settings},
    )


def _sum(chunks: list[Any]) -> Any:
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole = whole + chunk
    return whole


# --- Answers, through langchain-openai ----------------------------------------------------


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

    assert _sum(chunks).text == SENTENCE
    assert [each.body["stream"] for each in server.requests if each.body] == [False, True]


@both_routes
def test_a_stream_comes_word_by_word_and_ends_with_usage(responses: bool) -> None:
    with OpenAIServer([SENTENCE]) as server, chat(server, responses) as model:
        chunks = list(model.stream("When?"))

    assert [each.text for each in chunks if each.text] == [
        "The ", "launch ", "is ", "on ", "Monday.",
    ]  # fmt: skip
    whole = _sum(chunks)
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
        whole = _sum(list(model.bind_tools([recall]).stream("When, and who?")))

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
        assert _sum(list(model.stream("When?"))).text == ""


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


# --- Faults -------------------------------------------------------------------------------


@both_routes
def test_a_rate_limit_is_waited_out_as_the_header_says(responses: bool) -> None:
    script: Answers = [Fault(status=429, retry_after=0.7), SENTENCE]
    started = time.monotonic()
    with OpenAIServer(script) as server, chat(server, responses, max_retries=2) as model:
        assert model.invoke("When?").text == SENTENCE

    assert len(server.requests) == 2
    assert time.monotonic() - started >= 0.7  # without the header the first wait is at most 0.5 s


@both_routes
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_a_status_becomes_the_clients_own_error(
    responses: bool, status: int, error: type[openai.APIStatusError]
) -> None:
    fault = Fault(status=status, message="as scripted")
    with OpenAIServer([fault, fault]) as server, chat(server, responses) as model:
        with pytest.raises(error, match="as scripted"):
            model.invoke("When?")
        with pytest.raises(error, match="as scripted"):
            list(model.stream("When?"))


@both_routes
def test_a_wrong_key_is_not_tried_again(responses: bool) -> None:
    with (
        OpenAIServer([Fault(status=401)]) as server,
        chat(server, responses, max_retries=3) as m,
        pytest.raises(openai.AuthenticationError) as caught,
    ):
        m.invoke("When?")

    assert caught.value.code == "invalid_api_key"
    assert len(server.requests) == 1


@both_routes
def test_a_slow_answer_times_out_and_holds_nothing_up(responses: bool) -> None:
    script: Answers = [Fault(delay=60, answer=SENTENCE)] * 2
    with OpenAIServer(script) as server, chat(server, responses, timeout=0.2) as model:
        with pytest.raises(openai.APITimeoutError):
            model.invoke("When?")
        with pytest.raises(openai.APITimeoutError):
            list(model.stream("When?"))

    patience = time.monotonic() + 10
    while _handlers() and time.monotonic() < patience:
        time.sleep(0.01)
    assert _handlers() == []


def _handlers() -> list[str]:
    names = [each.name for each in threading.enumerate()]
    return [each for each in names if "process_request" in each]


@both_routes
def test_a_short_delay_only_delays(responses: bool) -> None:
    script: Answers = [Fault(delay=0.1, answer=SENTENCE)]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        started = time.monotonic()
        assert model.invoke("When?").text == SENTENCE

    assert time.monotonic() - started >= 0.1


@both_routes
@pytest.mark.parametrize("cut_after", [0, 2, 5, 99])
def test_a_stream_breaks_after_the_words_asked_for(responses: bool, cut_after: int) -> None:
    heard: list[str] = []
    script: Answers = [Fault(cut_after=cut_after, answer=SENTENCE)]
    with (
        OpenAIServer(script) as server,
        chat(server, responses) as model,
        pytest.raises(Exception, match=r"(?i)connection|incomplete"),
    ):
        heard.extend(each.text for each in model.stream("When?") if each.text)

    assert len(heard) == min(cut_after, 5)


def test_a_whole_answer_breaks_in_the_middle() -> None:
    with OpenAIServer([Fault(cut_after=1, answer=SENTENCE)]) as server:
        connection = http.client.HTTPConnection("127.0.0.1", _port(server), timeout=10)
        connection.request("POST", "/v1/responses", '{"input": "When?"}')
        with pytest.raises(http.client.IncompleteRead):
            connection.getresponse().read()
        connection.close()


@both_routes
def test_an_answer_that_is_not_json_is_an_error(responses: bool) -> None:
    script: Answers = [Fault(malformed=True, answer=SENTENCE)] * 2
    with OpenAIServer(script) as server, chat(server, responses) as model:
        with pytest.raises(json.JSONDecodeError):
            model.invoke("When?")
        with pytest.raises(json.JSONDecodeError):
            list(model.stream("When?"))


@both_routes
def test_a_script_that_ran_out_says_so_and_is_not_tried_again(responses: bool) -> None:
    with (
        OpenAIServer([]) as server,
        chat(server, responses, max_retries=3) as model,
        pytest.raises(openai.BadRequestError, match="all are used up") as caught,
    ):
        model.invoke("When?")

    assert caught.value.code == "script_exhausted"
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", [None, 42, [], ["text"]], ids=repr)
def test_a_function_that_fails_or_returns_nonsense_says_so(wrong: Any) -> None:
    with (
        OpenAIServer(lambda _: wrong) as server,
        client(server, max_retries=3) as sdk,
        pytest.raises(openai.BadRequestError, match="not an answer"),
    ):
        sdk.responses.create(model="m", input="When?")

    assert len(server.requests) == 1


# --- The wire -----------------------------------------------------------------------------


def test_the_events_of_a_response_come_in_openais_order() -> None:
    with (
        OpenAIServer(["On Monday."]) as server,
        client(server) as sdk,
        sdk.responses.create(model="m", input="When?", stream=True) as stream,
    ):
        events = list(stream)

    assert [each.type for each in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [each.sequence_number for each in events] == list(range(10))


@pytest.mark.parametrize(
    "answer", [SENTENCE, "", Refusal("I will not."), ToolCall("recall", {"query": "x y"})], ids=repr
)
def test_the_streaming_helpers_of_the_client_agree_with_the_whole(answer: Any) -> None:
    asked: Any = [{"role": "user", "content": "When?"}]
    with OpenAIServer([answer] * 4) as server, client(server) as sdk:
        whole = sdk.responses.create(model="m", input="When?")
        with sdk.responses.stream(model="m", input="When?") as stream:
            streamed = stream.until_done().get_final_response()
        choice = sdk.chat.completions.create(model="m", messages=asked).choices[0]
        with sdk.chat.completions.stream(model="m", messages=asked) as chat_stream:
            chunked = chat_stream.until_done().get_final_completion().choices[0]

    assert _essence(streamed.output[0]) == _essence(whole.output[0])
    assert (chunked.message.content or "") == (choice.message.content or "")
    assert chunked.message.refusal == choice.message.refusal
    assert chunked.finish_reason == choice.finish_reason
    assert _functions(chunked.message) == _functions(choice.message)


def _essence(item: Any) -> list[Any]:
    if item.type == "function_call":
        return [item.name, item.arguments]
    return [getattr(part, "text", None) or getattr(part, "refusal", "") for part in item.content]


def _functions(message: Any) -> list[Any]:
    return [[each.function.name, each.function.arguments] for each in message.tool_calls or []]


def test_embeddings_are_those_of_the_hashing_embedder() -> None:
    texts = ["The launch", "預算", "x"]
    with (
        OpenAIServer([], dims=32) as server,
        openai.DefaultHttpxClient(trust_env=False) as http_client,
    ):
        embeddings = OpenAIEmbeddings(
            model="embed-test",
            openai_api_base=server.base_url,
            openai_api_key=SecretStr("test"),
            check_embedding_ctx_length=False,  # else it downloads a tokenizer
            http_client=http_client,
            max_retries=0,
        )
        found = embeddings.embed_documents(texts)

    np.testing.assert_allclose(found, HashingEmbedder(32).embed_documents(texts), atol=1e-6)


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_embeddings_come_as_numbers_or_packed(encoding: Any) -> None:
    with OpenAIServer([]) as server, client(server) as sdk:
        answer = sdk.embeddings.create(
            model="m", input="one text", dimensions=8, encoding_format=encoding
        )

    found: Any = answer.data[0].embedding
    if encoding == "base64":
        found = np.frombuffer(base64.b64decode(found), dtype="<f4")
    np.testing.assert_allclose(found, HashingEmbedder(8).embed_query("one text"), atol=1e-6)
    assert answer.usage.prompt_tokens == 2


def test_token_ids_in_place_of_text_are_refused_with_the_remedy() -> None:
    with (
        OpenAIServer([]) as server,
        client(server) as sdk,
        pytest.raises(openai.BadRequestError, match="check_embedding_ctx_length=False"),
    ):
        sdk.embeddings.create(model="m", input=[[1, 2, 3]])


def test_the_model_is_listed() -> None:
    with OpenAIServer([], model="gpt-test") as server, client(server) as sdk:
        assert [each.id for each in sdk.models.list(extra_query={"limit": 1})] == ["gpt-test"]

    assert server.requests[0].path == "/v1/models"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("GET", "/v1/nothing", None, 404, "GET /v1/nothing"),
        ("POST", "/v1/models", "{}", 404, "POST /v1/models"),
        ("GET", "/v1/responses", None, 404, "GET /v1/responses"),
        ("DELETE", "/v1/models", None, 404, "DELETE /v1/models"),
        ("POST", "/responses?x=1", "{}", 404, "POST /responses"),
        ("POST", "/", "", 404, "POST /"),
        ("POST", "/v1/responses", "{not json", 400, "not a JSON object"),
        ("POST", "/v1/responses", "[1]", 400, "not a JSON object"),
        ("POST", "/v1/responses", "{}", 400, "'input'"),
        ("POST", "/v1/chat/completions", "{}", 400, "'messages'"),
        ("POST", "/v1/embeddings", "{}", 400, "'input'"),
    ],
)
def test_a_wrong_request_gets_openais_error_shape(
    method: str, path: str, body: str | None, status: int, says: str
) -> None:
    with OpenAIServer(["never said"]) as server:
        connection = http.client.HTTPConnection("127.0.0.1", _port(server), timeout=10)
        connection.request(method, path, body)
        answer = connection.getresponse()
        error = json.loads(answer.read())["error"]
        connection.close()

    assert answer.status == status
    assert says in error["message"]
    assert error["type"] == "invalid_request_error"
    assert error.keys() == {"message", "type", "param", "code"}
    assert server.remaining == 1
    assert len(server.requests) == 1


# --- Records and life ---------------------------------------------------------------------


def test_records_hold_the_request_but_no_secret() -> None:
    with OpenAIServer([SENTENCE]) as server, chat(server, True) as model:
        model.invoke("When?")

    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1/responses")
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == "***"
    assert "test-secret" not in repr(request)
    assert request.body is not None
    assert request.body["model"] == "gpt-test"


def test_closing_breaks_connections_that_say_nothing() -> None:
    server = OpenAIServer([])
    server.start()
    server.start()
    with socket.create_connection(("127.0.0.1", _port(server))) as silent:
        silent.settimeout(10)
        time.sleep(0.1)
        server.close()
        server.close()
        assert silent.recv(1) == b""


def test_a_closed_server_has_no_address_and_can_start_again() -> None:
    server = OpenAIServer([SENTENCE])
    with pytest.raises(RuntimeError, match="not running"):
        _ = server.base_url
    with server:
        pass
    with server, client(server) as sdk:
        assert sdk.responses.create(model="m", input="When?").output_text == SENTENCE


def _port(server: OpenAIServer) -> int:
    return int(re.findall(r":(\d+)/", server.base_url)[0])


# --- From a file and a shell --------------------------------------------------------------


def test_a_file_holds_every_kind_of_answer(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    call = {"name": "recall", "arguments": {"query": "預算"}}
    entries = [
        "text",
        call,
        {"calls": [call, call]},
        {"refusal": "no"},
        {"status": 429, "retry_after": 0.5},
        {"delay": 1.5, "answer": call},
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")

    expected = ToolCall("recall", {"query": "預算"})
    assert read_answers(path) == [
        "text",
        expected,
        [expected, expected],
        Refusal("no"),
        Fault(status=429, retry_after=0.5),
        Fault(delay=1.5, answer=expected),
    ]


@pytest.mark.parametrize(
    "content", [None, "", "{}", "[1]", "[{}]", '[{"nonsense": 1}]', '[{"calls": 1}]', "[null"]
)
def test_a_file_without_a_script_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "answers.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")

    with pytest.raises(InvalidSettingError, match=r"answers\.json, which holds no script"):
        read_answers(path)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "langgraph_memory.testing.openai_server", *arguments]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
        return running[-1]

    yield start
    for each in running:
        each.kill()
        each.communicate()


def test_the_command_prints_its_address_and_serves_until_terminated(
    tmp_path: Path, run: Callable[..., subprocess.Popen[str]]
) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([SENTENCE]), encoding="utf-8")
    process = run("--answers", str(path), "--model", "from-a-file")
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", address)

    with openai.OpenAI(
        base_url=address, api_key="x", http_client=openai.DefaultHttpxClient(trust_env=False)
    ) as sdk:
        assert sdk.responses.create(model="m", input="When?").output_text == SENTENCE
        assert [each.id for each in sdk.models.list()] == ["from-a-file"]

    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0


def test_the_command_explains_a_bad_file_and_a_taken_port(
    tmp_path: Path, run: Callable[..., subprocess.Popen[str]]
) -> None:
    path = tmp_path / "answers.json"
    path.write_text("[]", encoding="utf-8")
    with OpenAIServer([]) as server:
        missing = run("--answers", str(tmp_path / "absent.json"))
        taken = run("--answers", str(path), "--port", str(_port(server)))
        for process, says in ((missing, "absent.json"), (taken, "already in use")):
            _, complaint = process.communicate(timeout=60)
            assert process.returncode == 2
            assert says in complaint
            assert "Traceback" not in complaint
