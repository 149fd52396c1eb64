"""What a listener hears under the name of the answer is the answer, word for word."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from talking import Talk

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import ModelUnavailableError
from langgraph_memory.models.langchain import chat_model
from langgraph_memory.testing import Fault, OpenAIServer, ScriptedChatModel

LAUNCH = "The launch is on Friday"
ASKED = "When is the launch?"


def listen(talk: Talk, text: str) -> dict[str, str]:
    """Return what is heard of a turn, by the names it is heard under."""
    heard: dict[str, str] = {}
    given: Any = {"messages": [("user", text)]}
    pieces: Any = talk.agent.stream(
        given, talk.config, context=talk.context(), stream_mode="messages"
    )
    for message, _ in pieces:
        heard[message.id] = heard.get(message.id, "") + message.text
    return heard


def calling(words: str) -> AIMessage:
    """Return an order to memory with words beside it."""
    call = {"name": "remember", "args": {"statement": "mi talla es 43"}, "id": "c1"}
    return AIMessage(words, tool_calls=[call])


@pytest.mark.parametrize(
    ("asked", "drafts"),
    [
        (ASKED, ["On Friday [m1]."]),
        (ASKED, ["On Monday.", "On Friday [m1]."]),
        (ASKED, ["On Monday.", "On Tuesday."]),
        (ASKED, ["On Monday.", "I don't know."]),
        (ASKED, ["On Friday [m1] and [m7]."]),
        ("The launch is on Monday. When is the launch?", ["On Monday."]),
        ("The launch is on Monday. When is the launch?", ["On Friday [m1].", "Friday [m1]."]),
        ("Remember that the roof is blue. When is the launch?", ["On Friday [m1]."]),
        ("Remember that the roof is blue.", []),
        ("Recuerda que mi talla es 43", [calling("Voy a guardarlo.")]),
        ("Recuerda que mi talla es 43", [calling("")]),
    ],
)
def test_what_is_heard_under_the_name_of_the_answer_is_the_answer(
    home: Home, me: ScopedMemory, asked: str, drafts: list[Any]
) -> None:
    """A draft that is not given, and an answer with more in it than a draft, have other names."""
    me.remember(LAUNCH)
    talk = Talk(home, me, ScriptedChatModel(drafts))
    heard = listen(talk, asked)
    answer = talk.state["messages"][-1]
    assert heard[answer.id] == answer.text
    assert me.transcript("t")[-1].content == answer.text
    assert len(heard) >= len(drafts)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return []


def test_an_answer_after_a_failed_run_has_no_name_of_what_was_heard_before(
    home: Home, me: ScopedMemory, served: list[Any]
) -> None:
    """A draft was rejected, the second never came; taken up again, the first draft is given."""
    me.remember(LAUNCH)
    served += ["On Monday.", Fault(status=500), "On Friday [m1]."]
    with OpenAIServer(served) as server:
        talk = Talk(home, me)
        talk.agent = home.agent(chat_model("m", base_url=server.base_url, retries=0))
        with pytest.raises(ModelUnavailableError):
            listen(talk, ASKED)
        talk.agent.invoke(None, talk.config, context=talk.context())
    answer = talk.state["messages"][-1]
    assert answer.text == "On Friday [m1]."
    assert answer.id == f"answer-{talk.state['messages'][0].id}.3"
    assert [each.content for each in me.transcript("t")] == [ASKED, answer.text]


def test_an_answer_that_was_written_twice_is_given_again_under_its_name(
    home: Home, me: ScopedMemory
) -> None:
    """R63: it is found by whichever of its names it has."""
    me.remember(LAUNCH)
    talk = Talk(home, me, ScriptedChatModel(["On Monday.", "On Friday [m1].", "Never asked."]))
    for _ in range(2):
        message = {"role": "user", "content": ASKED, "id": "q1"}
        talk.agent.invoke({"messages": [message]}, talk.config, context=talk.context())
    assert [each.text for each in talk.state["messages"]] == [ASKED, "On Friday [m1]."]
    assert [each.content for each in me.transcript("t")] == [ASKED, "On Friday [m1]."]
