"""Real requests over HTTP to an OpenAI-compatible server on loopback, through the whole graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from langgraph_memory import Home, Settings, open_memory
from langgraph_memory.errors import (
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)
from langgraph_memory.models.langchain import chat_model
from langgraph_memory.ports import ChatMessage, Request
from langgraph_memory.testing import Fault, OpenAIServer, Refusal

ASK = Request((ChatMessage("system", "Be brief."), ChatMessage("user", "When?")))


@pytest.fixture
def at_server(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> pytest.MonkeyPatch:
    """Requests to loopback pass no proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    return monkeypatch


@pytest.fixture
def talking_home(
    at_server: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[tuple[Home, OpenAIServer]]:
    """A home whose agent speaks to a loopback server, set up by the usual variables."""
    with OpenAIServer(["The launch is on Monday [m1]."]) as server:
        at_server.setenv("MEMORY_MODEL", "test-model")
        at_server.setenv("OPENAI_API_KEY", "sk-test")
        at_server.setenv("OPENAI_BASE_URL", server.base_url)
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


def test_a_server_without_the_responses_api_is_spoken_to_by_chat_completions(
    at_server: pytest.MonkeyPatch,
) -> None:
    """R73: any OpenAI-compatible server."""
    with OpenAIServer(
        lambda request: "yes" if "messages" in request else Fault(status=404)
    ) as server:
        model = chat_model("m", base_url=server.base_url, retries=0)
        assert model.answer(ASK).text == "yes"
        assert model.answer(ASK).text == "yes"
        assert [each.path.rsplit("/", 1)[-1] for each in server.requests] == [
            "responses", "completions", "completions",
        ]  # fmt: skip


async def test_answers_come_asynchronously_too(at_server: pytest.MonkeyPatch) -> None:
    with OpenAIServer(["Monday."]) as server:
        reply = await chat_model("m", base_url=server.base_url).aanswer(ASK)
    assert reply.text == "Monday."
    assert reply.milliseconds > 0


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Fault(status=401), ModelSetupError),
        (Fault(status=429), ModelUnavailableError),
        (Fault(status=500), ModelUnavailableError),
        (Refusal("I will not"), ModelRefusedError),
        ("", ModelRefusedError),
    ],
)
def test_what_a_provider_does_wrong_is_said_clearly(
    at_server: pytest.MonkeyPatch, answer: object, error: type[Exception]
) -> None:
    """B17: an outage is an outage, not an answer."""
    with OpenAIServer([answer] * 3) as server:
        model = chat_model("m", base_url=server.base_url, retries=0)
        with pytest.raises(error):
            model.answer(ASK)


def test_a_rate_limit_is_tried_again(at_server: pytest.MonkeyPatch) -> None:
    with OpenAIServer([Fault(status=429, retry_after=0), "Monday."]) as server:
        assert chat_model("m", base_url=server.base_url, retries=1).answer(ASK).text == "Monday."


def test_a_server_that_is_not_there_is_unavailable(at_server: pytest.MonkeyPatch) -> None:
    with OpenAIServer(["x"]) as server:
        gone = server.base_url
    with pytest.raises(ModelUnavailableError, match="run the turn again"):
        chat_model("m", base_url=gone, retries=0, timeout_seconds=2).answer(ASK)


def test_neither_key_nor_address_says_what_to_set() -> None:
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY"):
        chat_model("openai:gpt-x")
