"""The turn after something was said in passing goes by it, in any conversation of the user's."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from talking import Talk, answer_of

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.nodes import retrieve as retrieving
from langgraph_memory.operations.worker import Worker
from langgraph_memory.testing import ScriptedChatModel

FRIDAY, MONDAY = "The launch is on Friday", "The launch moved to Monday."
WHEN = "When is the launch?"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Background work waits until the test does it."""
    monkeypatch.setattr(Worker, "start", lambda self: None)


@pytest.mark.parametrize("thread", ["t", "another"])
def test_without_a_model_it_is_quoted_and_what_it_denies_comes_after(
    home: Home, me: ScopedMemory, thread: str
) -> None:
    """R39, R12: in the same conversation and in another; state names both."""
    known = me.remember(FRIDAY)
    first = Talk(home, me)
    first.say(MONDAY)
    talk = Talk(home, me, thread=thread)
    out = talk.send(WHEN)
    now, before = answer_of(out).splitlines()
    assert now.startswith(f"“{MONDAY}” — you,")
    assert now.endswith("[m1], said in passing and not kept yet")
    assert before.startswith(f"“{FRIDAY}” — you,")
    assert before.endswith("[m2], out of date since [m1]")
    [said, record] = out["evidence"]
    assert (said["id"], record["id"]) == ("", known.id)
    assert record["outdated_by"] == "m1"
    assert record["validity"] == "the user has said otherwise since"
    [conflict] = talk.state["conflicts"]
    assert conflict == {"label": "m2", "id": known.id, "said_in": said["event_id"]}
    [source, _] = out["messages"][-1].additional_kwargs["citations"]
    assert (source["label"], source["event_id"]) == ("m1", said["event_id"])
    assert talk.state["abstained"] is None


def test_once_it_is_kept_it_is_told_once(home: Home, me: ScopedMemory) -> None:
    me.remember(FRIDAY)
    talk = Talk(home, me)
    talk.say(MONDAY)
    home.memory.work_off()
    out = talk.send(WHEN)
    assert answer_of(out).count("Monday") == 1
    assert [each["id"] != "" for each in out["evidence"]] == [True]
    assert talk.state["conflicts"] == []


def test_what_was_said_answers_without_any_memory(home: Home, me: ScopedMemory) -> None:
    talk = Talk(home, me)
    talk.say("I live in Oslo.")
    assert talk.say("Where do I live?").startswith("“I live in Oslo.” — you,")
    assert "I don't know" in talk.say("What is my blood type?")


def test_a_model_that_goes_by_the_record_is_told_and_then_corrected(
    home: Home, me: ScopedMemory
) -> None:
    """R39: the block shows both; what it still gets wrong is replaced by the quotation."""
    me.remember(FRIDAY)
    draft = "The launch is on Friday [m2]."
    model = ScriptedChatModel(["Noted.", draft, draft])
    talk = Talk(home, me, model)
    talk.say(MONDAY)
    out = talk.send(WHEN)
    block, repeated = model.requests[1][-2].text, model.requests[2][-1].text
    assert f'[m1] "{MONDAY}"' in block
    assert "said in passing, not kept yet" in block
    assert f'[m2] "{FRIDAY}"' in block
    assert "out of date: see [m1]" in block
    assert draft in repeated
    assert answer_of(out).startswith(f"“{MONDAY}” — you,")
    assert "Friday" not in answer_of(out)
    assert out["usage"]["check"]["outdated"] == 1
    [source] = out["messages"][-1].additional_kwargs["citations"]
    assert source["event_id"] == out["evidence"][0]["event_id"]


def test_a_label_that_does_not_fit_hides_no_outdated_value(home: Home, me: ScopedMemory) -> None:
    """The label is taken out, and the sentence with it."""
    me.remember(FRIDAY)
    draft = "The launch is on Friday [m1]."
    talk = Talk(home, me, ScriptedChatModel(["Noted.", draft, draft]))
    talk.say(MONDAY)
    assert "Friday" not in talk.say(WHEN)


@pytest.mark.parametrize(
    "draft",
    [
        "The launch is on Monday [m1].",
        "It moved to Monday [m1]; memory had Friday before [m2].",
        "The launch was on Friday [m2] and moved to Monday [m1].",
    ],
)
@pytest.mark.parametrize("thread", ["t", "another"])
def test_a_model_that_goes_by_what_was_said_is_left_alone(
    home: Home, me: ScopedMemory, draft: str, thread: str
) -> None:
    me.remember(FRIDAY)
    Talk(home, me).say(MONDAY)
    model = ScriptedChatModel([draft])
    assert Talk(home, me, model, thread=thread).say(WHEN) == draft


def test_the_latest_of_what_was_said_counts_whatever_the_conversation(
    home: Home, me: ScopedMemory
) -> None:
    me.remember(FRIDAY)
    Talk(home, me, thread="a").say(MONDAY)
    Talk(home, me, thread="b").say("The launch moved to Tuesday.")
    answer = Talk(home, me, thread="c").say(WHEN)
    assert "Tuesday" in answer.splitlines()[0]
    assert "Monday" not in answer


def test_the_latest_message_stands_against_what_was_said_before(
    home: Home, me: ScopedMemory
) -> None:
    known = me.remember(FRIDAY)
    talk = Talk(home, me)
    talk.say(MONDAY)
    answer = talk.say(f"The launch moved to Tuesday. {WHEN}")
    assert answer.startswith("“The launch moved to Tuesday.” — you, just now")
    assert "Monday" not in answer
    assert talk.state["conflicts"] == [{"label": "m1", "id": known.id}]


def test_a_statement_beside_it_is_not_shown_what_is_out_of_date(
    home: Home, me: ScopedMemory
) -> None:
    me.remember(FRIDAY)
    talk = Talk(home, me)
    talk.say(MONDAY)
    answer = talk.say("The launch needs a new banner.")
    assert answer.startswith("Noted: “The launch needs a new banner.”")
    assert "Friday" not in answer


def test_what_is_forgotten_in_between_takes_along_what_was_said(
    home: Home, me: ScopedMemory
) -> None:
    """R63: before the background work and after it."""
    me.remember(FRIDAY, key="launch_date")
    talk = Talk(home, me)
    talk.say(MONDAY)
    assert "Forgotten" in talk.say("Forget launch_date")
    for _ in range(2):
        answer = Talk(home, me, thread="another").say(WHEN)
        assert "Monday" not in answer
        assert "Friday" not in answer
        home.memory.work_off()


@pytest.mark.parametrize(
    "said",
    [
        ["The launch moved to Monday. Please don't save that."],
        [MONDAY, "Please don't save that."],
        ["Don't remember this conversation", MONDAY],
        ["Stop remembering anything about the launch", MONDAY],
    ],
)
def test_what_is_not_to_be_kept_does_not_count(
    home: Home, me: ScopedMemory, said: list[str]
) -> None:
    """R64."""
    me.remember(FRIDAY)
    talk = Talk(home, me)
    for each in said:
        talk.say(each)
    out = Talk(home, me, thread="another").send(WHEN)
    assert answer_of(out).startswith(f"“{FRIDAY}”")
    assert len(out["evidence"]) == 1


def test_a_run_that_wants_a_review_is_known_from_the_conversation_alone(
    home: Home, me: ScopedMemory
) -> None:
    """R28."""
    me.remember(FRIDAY)
    Talk(home, me).say(MONDAY, approval="on")
    assert Talk(home, me, thread="another").say(WHEN).startswith(f"“{FRIDAY}”")


def test_nobody_elses_words_count(home: Home, me: ScopedMemory, stranger: ScopedMemory) -> None:
    """R46, R14."""
    me.remember(FRIDAY)
    Talk(home, stranger, thread="theirs").say(MONDAY)
    talk = Talk(home, me)
    talk.say("Hello.")
    bob = {"messages": [HumanMessage("Bob here: The launch moved to Monday.", name="Bob")]}
    talk.agent.invoke(bob, talk.config, context=talk.context())
    assert Talk(home, me, thread="another").say(WHEN).startswith(f"“{FRIDAY}”")


def test_a_projects_words_count_in_the_project(home: Home, me: ScopedMemory) -> None:
    """R44."""
    apollo, zeus = (
        home.memory.scope(tenant="acme", user="jane.doe@example.com", project=each)
        for each in ("apollo", "zeus")
    )
    for each in (apollo, zeus):
        each.remember(FRIDAY)
    Talk(home, apollo, thread="a").say(MONDAY)
    assert Talk(home, apollo, thread="b").say(WHEN).startswith(f"“{MONDAY}”")
    assert Talk(home, zeus, thread="c").say(WHEN).startswith(f"“{FRIDAY}”")


@pytest.mark.parametrize("step", ["validate", "respond"])
@pytest.mark.parametrize("known", [FRIDAY, ""])
def test_what_is_kept_while_the_turn_runs_is_told_once(
    home: Home, me: ScopedMemory, step: str, known: str
) -> None:
    """R52: the background work may come between any two steps."""
    if known:
        me.remember(known)
    talk = Talk(home, me)
    talk.say(MONDAY)
    asks = {"messages": [("user", WHEN)]}
    other = Talk(home, me, thread="another")
    other.agent.invoke(asks, other.config, context=other.context(), interrupt_before=[step])
    home.memory.work_off()
    out = other.agent.invoke(None, other.config, context=other.context())
    answer = answer_of(out)
    assert answer.count("The launch moved to Monday.") == 1
    assert answer.startswith(f"“{MONDAY}” — you,")
    assert "out of date" not in answer


def test_a_run_that_died_and_goes_on_tells_it(
    home: Home, me: ScopedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R52."""
    me.remember(FRIDAY)
    Talk(home, me).say(MONDAY)
    other = Talk(home, me, thread="another")

    def dies(*_: Any) -> None:
        raise RuntimeError

    with monkeypatch.context() as once:
        once.setattr(retrieving, "_told", dies)
        with pytest.raises(RuntimeError):
            other.send(WHEN)
    out = other.agent.invoke(None, other.config, context=other.context())
    assert answer_of(out).startswith(f"“{MONDAY}” — you,")


def test_no_text_of_it_is_in_the_state(home: Home, me: ScopedMemory) -> None:
    """R11: the checkpoint of another conversation holds the event's id alone."""
    Talk(home, me).say("I live in Oslo.")
    other = Talk(home, me, thread="another")
    other.send("Where do I live?")
    kept = {name: part for name, part in other.state.items() if name != "messages"}
    assert "Oslo" not in str(kept)
