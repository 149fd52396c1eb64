"""Real requests over HTTP to an OpenAI-compatible server on loopback, through the whole graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from langgraph_memory import Home, Settings, open_memory
from langgraph_memory.errors import ModelSetupError
from langgraph_memory.models.langchain import chat_model
from langgraph_memory.ports import ChatMessage, Request
from langgraph_memory.testing import OpenAIServer

ASK = Request((ChatMessage("system", "Be brief."), ChatMessage("user", "When?")))


@pytest.fixture
def talking_home(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> Iterator[tuple[Home, OpenAIServer]]:
    """A home whose agent speaks to a loopback server, set up by the usual variables."""
    with OpenAIServer(["The launch is on Monday [m1]."]) as server:
        monkeypatch.setenv("MEMORY_MODEL", "test-model")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        with open_memory(tmp_path / "home") as home:
            yield home, server


def test_the_chat_goes_over_the_responses_api_and_is_not_stored(
    talking_home: tuple[Home, OpenAIServer],
) -> None:
    """R73: the Responses API, `store` false, memory as data in the user's role."""
    home, server = talking_home
    me = home.memory.scope(tenant="acme", user="jane")
    me.remember("The launch moved to Monday", key="launch_date")
    out = home.agent().invoke(
        {"messages": [("user", "When is the launch?")]},
        {"configurable": {"thread_id": "t"}},
        context=me.context(),
    )
    assert out["messages"][-1].text == "The launch is on Monday [m1]."
    assert out["messages"][-1].additional_kwargs["citations"][0]["label"] == "m1"
    assert "test-model" in out["usage"]["model"]
    assert out["usage"]["input_tokens"] > 0
    [sent] = server.requests
    assert sent.path.endswith("/responses")
    assert sent.body["store"] is False
    assert sent.body["model"] == "test-model"
    assert "The launch moved to Monday" in str(sent.body["input"])


async def test_answers_come_asynchronously_too() -> None:
    with OpenAIServer(["Monday."]) as server:
        reply = await chat_model("m", base_url=server.base_url).aanswer(ASK)
    assert reply.text == "Monday."
    assert reply.milliseconds > 0


def test_neither_key_nor_address_says_what_to_set() -> None:
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY"):
        chat_model("openai:gpt-x")
