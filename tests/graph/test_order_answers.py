"""What an answer to an order quotes: what that order wrote, and what counted before it."""

from __future__ import annotations

from typing import Any

import pytest
from talking import Talk, answer_of

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.testing import ScriptedChatModel

OLD, NEW = "I work at Google", "I just joined Microsoft"
TOLD = f"I will remember: “{NEW}” It takes the place of: “{OLD}”"
SAID, DROPPED = "Remember that the code is 77", "Forget that the code is 77"
GONE, DONE = "That was forgotten since.", "Forgotten. I will not recall it any more."


@pytest.fixture
def talk(home: Home, me: ScopedMemory) -> Talk:
    return Talk(home, me)


def lines(talk: Talk, *texts: str) -> list[str]:
    """Send messages in one turn, and return the answer to each order in them."""
    messages: Any = {"messages": [("user", text) for text in texts]}
    out = talk.agent.invoke(messages, talk.config, context=talk.context())
    return answer_of(out).splitlines()


def test_what_was_forgotten_is_not_quoted_by_the_order_that_said_it(talk: Talk) -> None:
    """R63: whatever was said and forgotten under the name since."""
    assert lines(talk, SAID, DROPPED) == [GONE, DONE]
    assert lines(talk, SAID, DROPPED, SAID) == [GONE, DONE, "I will remember: “the code is 77”"]
    again = lines(talk, DROPPED, SAID, DROPPED, SAID, DROPPED, "How are you today?")
    assert again[:5] == [DONE, GONE, DONE, GONE, DONE]


def test_nothing_takes_the_place_of_what_was_false(talk: Talk, me: ScopedMemory) -> None:
    """R42."""
    me.remember(OLD.lower())
    me.invalidate(OLD)
    assert talk.say(f"Remember that {OLD}") == f"I will remember: “{OLD}”"


def test_nothing_takes_the_place_of_what_only_waited(talk: Talk, me: ScopedMemory) -> None:
    """R3: what gave way is what counted."""
    page = Source(SourceKind.WEB, "http://example.org")
    done = me.remember(OLD)
    me.remember("I work at Apple", key=done.key, source=page)
    assert talk.say(f"Remember that {NEW}") == TOLD


def test_what_an_order_wrote_is_told_whatever_was_written_since(
    home: Home, me: ScopedMemory
) -> None:
    """R6: a model that reads the turn, and a change meanwhile, make no other answer of it."""
    me.remember(OLD, key="employer")

    def meanwhile(messages: Any) -> str:
        me.correct("employer", "I work at Oracle")
        return "Fine."

    talk = Talk(home, me, ScriptedChatModel(meanwhile))
    assert lines(talk, f"Remember that {NEW}", "How are you today?") == [TOLD, "", "Fine."]


def test_what_is_known_is_quoted_as_it_stands(talk: Talk, me: ScopedMemory) -> None:
    me.remember(OLD)
    assert talk.say(f"Remember that {OLD.lower()}") == f"I know that already: “{OLD}”"
