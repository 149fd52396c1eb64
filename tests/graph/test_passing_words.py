"""What is said in passing is kept a moment later, and is never newer than when it was said."""

from __future__ import annotations

import pytest
from talking import Talk

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.capture import REVIEW


@pytest.fixture
def talk(home: Home, me: ScopedMemory) -> Talk:
    return Talk(home, me)


@pytest.mark.parametrize(
    ("passing", "order", "question", "holds"),
    [
        (
            "The budget is 100 dollars.", "Correct the budget to 200 dollars",
            "What is the budget?", "The budget is 200 dollars",
        ),
        (
            "I live in Berlin.", "Remember that I live in Hamburg",
            "Where do I live?", "I live in Hamburg",
        ),
        ("我现在住在北京", "更正：我住在上海", "我住在哪里？", "我住在上海"),
        (
            "Our team meeting is on Tuesdays at 10.",
            "Correct the team meeting to Wednesdays at 11",
            "When is the team meeting?", "The team meeting is Wednesdays at 11",
        ),
    ],
)  # fmt: skip
def test_an_order_stands_against_what_was_said_before_it(
    talk: Talk, home: Home, me: ScopedMemory, passing: str, order: str, question: str, holds: str
) -> None:
    """R13: the older words are consolidated after the order, and do not come after it."""
    talk.say(passing)
    talk.say(order)
    home.memory.work_off()
    assert [hit.content for hit in me.recall(question).evidence] == [holds]
    assert home.memory.jobs() == []


def test_what_is_said_after_an_order_stands_against_it(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    talk.say("Remember that I live in Hamburg")
    talk.say("I live in Berlin.")
    home.memory.work_off()
    [hit] = me.recall("Where do I live?").evidence
    assert hit.content == "I live in Berlin."
    assert [each.value for each in hit.replaced] == [{"content": "I live in Hamburg"}]


def test_a_correction_finds_what_was_said_a_moment_ago(talk: Talk, me: ScopedMemory) -> None:
    talk.say("The budget is 100 dollars.")
    assert "Corrected" in talk.say("Correct the budget to 200 dollars")
    [hit] = me.recall("What is the budget?").evidence
    assert [each.value for each in hit.replaced] == [{"content": "The budget is 100 dollars."}]


def test_an_edited_message_is_reviewed_as_the_first_was(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    """R3: other words under the id of a message that was worked off before."""
    for text in ("My cat is called Zoe.", "My dog is called Rex."):
        message = {"role": "user", "content": text, "id": "m"}
        talk.agent.invoke({"messages": [message]}, talk.config, context=talk.context(approval="on"))
        assert {job.kind for job in home.memory.jobs()} == {REVIEW}
        home.memory.work_off()
    assert me.contents(status="pending review").total == me.contents().total == 2
    assert len(me.transcript("t")) == 4


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"budget_tokens": 3}, "budget_tokens is wrong: .*give 0, or 1,000 or more"),
        ({"budget_tokens": 999}, "budget_tokens is wrong"),
        ({"budget_tokens": -1}, "budget_tokens is wrong"),
        ({"top_k": 0.5}, "top_k is wrong"),
        ({"top_k": "many"}, "top_k is wrong"),
        ({"preset": "reckless"}, "preset is wrong"),
    ],
)
def test_a_context_that_cannot_be_is_refused_by_name(
    talk: Talk, me: ScopedMemory, given: dict[str, object], complaint: str
) -> None:
    with pytest.raises(InvalidInputError, match=complaint):
        talk.say("I live in Berlin.", **given)
    assert me.contents().events == 0
