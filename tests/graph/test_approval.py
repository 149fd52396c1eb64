"""A change to memory that waits for somebody's decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.types import Command
from talking import Talk, answer_of, calling, proposed

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.nodes.approve import read_decision
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.orders.commands import Command as Asked
from langgraph_memory.policy.orders.commands import Order
from langgraph_memory.testing import ScriptedChatModel

ON = {"approval": "on"}


@pytest.fixture
def talk(home: Home, me: ScopedMemory) -> Talk:
    return Talk(home, me)


def kept(me: ScopedMemory) -> list[str]:
    return [str((each.record.head.value or {})["content"]) for each in me.contents().records]


def test_nothing_is_kept_before_it_is_approved(talk: Talk, me: ScopedMemory) -> None:
    """R3, R7: the run waits, and its state says for what."""
    change = proposed(talk.send("Remember that the code is 42", **ON))
    assert (change["order"], change["content"]) == ("remember", "the code is 42")
    assert kept(me) == []
    run = talk.state["run_state"]
    assert run["status"] == "waiting for approval"
    assert run["pending_approvals"] == [change]
    assert talk.agent.get_state(talk.config).next == ("approve",)
    out = talk.decide({"decision": "approve"}, **ON)
    assert answer_of(out) == "I will remember: “the code is 42”"
    assert kept(me) == ["the code is 42"]
    assert out["run_state"]["status"] == "done"
    assert out["run_state"]["pending_approvals"] == []
    [action] = out["run_state"]["actions"]
    assert (action["id"], action["effect"]) == (change["id"], "begin")


def test_an_edited_change_is_what_is_kept(talk: Talk, me: ScopedMemory) -> None:
    talk.send("Remember that the code is 42", **ON)
    talk.decide({"decision": "edit", "content": "the code is 43"}, **ON)
    assert kept(me) == ["the code is 43"]


def test_a_rejected_change_changes_nothing(talk: Talk, me: ScopedMemory) -> None:
    me.remember("The code is 42", key="code")
    change = proposed(talk.send("Forget that the code is 42", **ON))
    assert change["record_id"] == me.inspect("code").record.id
    out = talk.decide({"decision": "reject", "why": "still needed"}, **ON)
    assert answer_of(out) == ("Nothing was changed: the change was not approved (still needed).")
    assert kept(me) == ["The code is 42"]
    assert out["run_state"]["actions"][0]["effect"] == "rejected"


def test_what_is_approved_is_what_was_shown(talk: Talk, me: ScopedMemory) -> None:
    """A correction goes to the record that was proposed, whatever else is written meanwhile."""
    me.remember("The launch is on Friday", key="launch_date")
    change = proposed(talk.send("Correct the launch date to Monday", **ON))
    assert change["record_id"] == me.inspect("launch_date").record.id
    assert "Friday" not in str(change)  # what memory holds is not copied into run state
    me.remember("The launch party is on Friday night", key="launch date")
    talk.decide("approve", **ON)
    assert me.inspect(change["record_id"]).record.head.value == {
        "content": "The launch date is Monday"
    }


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("approve", "approve"),
        (" Reject ", "reject"),
        (True, "approve"),
        (False, "reject"),
        ({"decision": "approve"}, "approve"),
        ({"type": "approve"}, "approve"),
        ({"type": "reject", "message": "no"}, "reject"),
        ({"decisions": [{"type": "approve"}]}, "approve"),
        ([{"decision": "reject"}], "reject"),
        ({"decision": "edit", "content": "x"}, "edit"),
        ({"decisions": [{"type": "edit", "edited_action": {"args": {"content": "x"}}}]}, "edit"),
        ({"decision": "edit"}, None),
        ({"decision": "edit", "content": " "}, None),
        ({"decision": "maybe"}, None),
        ("yes", None),
        ("", None),
        (None, None),
        (3, None),
        ([], None),
        ({"decisions": []}, None),
    ],
)
def test_decisions_are_read_in_many_forms_and_never_guessed(
    answer: Any, choice: str | None
) -> None:
    decision = read_decision(answer)
    assert (decision and decision.choice) == choice


def test_what_is_no_decision_is_asked_again(talk: Talk, me: ScopedMemory) -> None:
    talk.send("Remember that the code is 42", **ON)
    [asked] = talk.decide("perhaps", **ON)["__interrupt__"]
    assert "This is no decision: 'perhaps'" in asked.value["problem"]
    assert kept(me) == []
    assert "I will remember" in answer_of(talk.decide("approve", **ON))


def test_a_decision_can_come_after_a_restart(tmp_path: Path, settings: Settings) -> None:
    """R70."""
    with open_memory(tmp_path / "home", settings=settings) as home:
        me = home.memory.scope(tenant="acme", user="jane")
        Talk(home, me).send("Remember that the code is 42", **ON)
    with open_memory(tmp_path / "home", settings=settings) as home:
        me = home.memory.scope(tenant="acme", user="jane")
        assert "I will remember" in answer_of(Talk(home, me).decide("approve", **ON))
        assert kept(me) == ["the code is 42"]


def test_a_message_instead_of_a_decision_lets_the_change_drop(talk: Talk, me: ScopedMemory) -> None:
    talk.send("Remember that the code is 42", **ON)
    out = talk.send("What is the code?", **ON)
    assert answer_of(out).startswith("I don't know.")
    [action] = out["run_state"]["actions"]
    assert (action["action"], action["effect"]) == ("remember", "rejected")
    assert out["run_state"]["pending_approvals"] == []
    assert kept(me) == []


def test_only_what_changes_memory_waits(talk: Talk, me: ScopedMemory) -> None:
    """To look at memory, and to keep less, is never held up; nor is what would change nothing."""
    me.remember("I drive a red car")
    for text in (
        "What do you know about me?", "You can remember again", "Stop remembering my address",
        "Don't remember that I am ill", "Forget that there is nothing",
        "Remember that \x00 is odd", "What is the code?",
    ):  # fmt: skip
        assert "__interrupt__" not in talk.send(text, **ON)
    assert "“I drive a red car”" in talk.say("What do you know about me?", **ON)
    [event] = me.capture([Utterance("t", "x", "user", "List my memories")])
    for order in (Order.LIST, Order.STOP):
        assert me.propose(Asked(order, "my car"), event.event.id) is None


def test_the_enterprise_preset_switches_approval_on(talk: Talk) -> None:
    """R76."""
    enterprise = {"preset": "enterprise workflow"}
    assert "__interrupt__" in talk.send("Remember that the code is 42", **enterprise)
    talk.decide("reject", **enterprise)
    off = {**enterprise, "approval": "off"}
    assert "I will remember" in talk.say("Remember that the door is blue", **off)
    assert "I will remember" in talk.say("Remember that the roof is red")


def test_each_of_several_changes_is_decided(home: Home, me: ScopedMemory) -> None:
    both = calling("remember", statement="I like tea")
    both.tool_calls.append(
        {"name": "remember", "args": {"statement": "I drive a van"}, "id": "2", "type": "tool_call"}
    )
    talk = Talk(home, me, ScriptedChatModel([both]))
    first = proposed(talk.send("Keep that I like tea and that I drive a van", **ON))
    second = proposed(talk.decide("approve", **ON))
    assert (first["content"], second["content"]) == ("I like tea", "I drive a van")
    out = talk.decide("reject", **ON)
    assert kept(me) == ["I like tea"]
    assert answer_of(out) == (
        "I will remember: “I like tea”\nNothing was changed: the change was not approved."
    )


async def test_approval_works_asynchronously(talk: Talk, me: ScopedMemory) -> None:
    context = talk.context(**ON)
    message = {"messages": [("user", "Remember that the code is 42")]}
    out = await talk.agent.ainvoke(message, talk.config, context=context)
    assert "__interrupt__" in out
    out = await talk.agent.ainvoke(Command(resume="approve"), talk.config, context=context)
    assert answer_of(out) == "I will remember: “the code is 42”"
    assert kept(me) == ["the code is 42"]


def test_what_is_said_in_passing_waits_for_a_review(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    """R3: also what replaces nothing; then somebody decides."""
    me.remember("I work at Google", key="employer")
    talk.send("I just joined Microsoft. My cat is called Zoe.", **ON)
    assert talk.state["consolidation"]["kind"] == "consolidate for review"
    home.memory.work_off()
    assert [hit.content for hit in me.recall("Where do I work?").evidence] == ["I work at Google"]
    assert me.recall("What is my cat called?").evidence == ()
    me.approve("employer", by="Ann")
    assert [hit.content for hit in me.recall("Where do I work?").evidence] == [
        "I just joined Microsoft."
    ]
    me.approve("cat is called Zoe", by="Ann")
    assert [hit.content for hit in me.recall("What is my cat called?").evidence] == [
        "My cat is called Zoe."
    ]


def test_one_run_with_approval_lets_the_work_on_its_thread_wait(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    talk.send("My cat is called Zoe.")
    talk.send("My dog is called Rex.", **ON)
    [done] = home.background().invoke({}, context=me.context())["done"][:1]
    assert (done["kept"], done["held"]) == (0, 2)
    assert me.recall("What is my cat called?").evidence == ()


def test_what_waits_and_was_set_aside_does_not_come_back(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    talk.send("My cat is called Zoe.", **ON)
    home.memory.work_off()
    me.reject("cat is called Zoe", by="Ann")
    talk.send("My cat is called Zoe.", **ON)
    home.memory.work_off()
    assert me.recall("What is my cat called?").evidence == ()
    me.remember("My cat is called Zoe.")  # said on purpose, it counts
    assert me.recall("What is my cat called?").evidence != ()


def test_what_waits_lends_nothing_to_what_is_said_later(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    """R3: nothing of it counts before somebody approved it."""
    talk.send("I work at Google and I have a cat.", **ON)
    home.memory.work_off()
    me.remember("I just joined Microsoft.")
    assert [hit.content for hit in me.recall("Where do I work?").evidence] == [
        "I just joined Microsoft."
    ]
    assert me.recall("Do I have a cat?").evidence == ()


def test_a_correction_takes_nothing_from_what_waits(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    me.remember("I work at Google.", key="employer")
    talk.send("I just joined Microsoft.", **ON)
    home.memory.work_off()
    assert talk.say("Correct employer: I work at Apple") == (
        "Corrected. From now on: “I work at Apple”"
    )


def test_each_of_two_claims_that_wait_is_decided(talk: Talk, home: Home, me: ScopedMemory) -> None:
    talk.send("I work at Google.", **ON)
    talk.send("I work at Apple.", **ON)
    home.memory.work_off()
    me.reject("I work at Apple", by="Ann")
    me.approve("I work at Google", by="Ann")
    assert [hit.content for hit in me.recall("Where do I work?").evidence] == ["I work at Google."]


def test_beside_what_waits_words_mean_what_holds(talk: Talk, home: Home, me: ScopedMemory) -> None:
    """R16, R60: explained, and forgotten, is what was meant."""
    done = me.remember("I live in Berlin.")
    talk.send("I moved to Paris.", **ON)
    home.memory.work_off()
    told = me.explain(done.id)
    assert told.data["events"] == told.data["history"] == []
    assert [each["content"] for each in told.data["waiting"]] == ["I moved to Paris."]
    assert "waits for review: “I moved to Paris.”" in told.text
    assert "Forgotten" not in talk.say("Forget that I moved to Paris")
    assert "Forgotten" in talk.say("Forget that I live in Berlin")


def test_a_proposal_says_what_was_asked_and_of_which_version(talk: Talk, me: ScopedMemory) -> None:
    """R3: and nothing that memory holds; the reviewer reads that by the id."""
    me.remember("The gate code is 11", key="gate")
    me.correct("gate", "The gate code is 22")
    change = proposed(talk.send("Forget the gate code", **ON))
    assert (change["asked"], change["version"]) == ("the gate code", 2)
    assert "22" not in str(change["asked"])
    shown = me.inspect(change["record_id"]).record.head
    assert (shown.number, shown.value) == (2, {"content": "The gate code is 22"})


@pytest.mark.parametrize(
    ("order", "said"),
    [("Forget the gate code", "The gate code is 44 and the door is red"),
     ("Correct the gate code to 22", "The gate code is 33"),
     ("Change the gate code to 22", "The gate code is 33")],
)  # fmt: skip
def test_what_has_changed_since_it_was_proposed_is_left_alone(
    talk: Talk, me: ScopedMemory, order: str, said: str
) -> None:
    """R25, R60: a late approval neither deletes nor overwrites what nobody was shown."""
    me.remember("The gate code is 11", key="gate")
    talk.send(order, **ON)
    me.correct("gate", said)
    out = talk.decide("approve", **ON)
    assert kept(me) == [said]
    assert "has changed since this was proposed" in answer_of(out)
    assert said in answer_of(out)
    assert out["run_state"]["actions"][0]["effect"] == "changed"


def test_what_was_proposed_and_not_changed_since_is_done(talk: Talk, me: ScopedMemory) -> None:
    me.remember("The gate code is 11", key="gate")
    talk.send("Change the gate code to 22", **ON)
    assert "Corrected" in answer_of(talk.decide("approve", **ON))
    assert kept(me) == ["The gate code is 22"]


def test_an_order_is_done_in_the_project_it_was_asked_in(home: Home) -> None:
    """R10, R41: whichever context the decision comes with."""
    one, other = (home.memory.scope(tenant="acme", user="jane", project=each) for each in "AB")
    Talk(home, one).send("Remember that the code is 42", **ON)
    answer = answer_of(Talk(home, other).decide("approve", **ON))
    assert answer == "Done where it was asked, in project A."
    assert (kept(one), kept(other)) == (["the code is 42"], [])
