"""Real clients of the loopback server, and what its tests share."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from langgraph_memory.testing.openai_server import OpenAIServer

SENTENCE = "The launch is on Monday."
PATHS = {True: "/v1/responses", False: "/v1/chat/completions"}

both_routes = pytest.mark.parametrize(
    "responses", [True, False], ids=["responses", "chat-completions"]
)


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


def joined(chunks: list[Any]) -> Any:
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole = whole + chunk
    return whole


def port_of(server: OpenAIServer) -> int:
    """Return the port a server listens on."""
    return int(re.findall(r":(\d+)/", server.base_url)[0])
