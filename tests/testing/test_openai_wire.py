"""What the loopback server puts on the wire, and how it lives and dies."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import time
from typing import Any

import numpy as np
import openai
import pytest
from langchain_openai import OpenAIEmbeddings
from openai_clients import SENTENCE, chat, client, port_of
from pydantic import SecretStr

from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.openai_server import (
    OpenAIServer,
    Refusal,
    ToolCall,
)


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
        connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=10)
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
    with socket.create_connection(("127.0.0.1", port_of(server))) as silent:
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
