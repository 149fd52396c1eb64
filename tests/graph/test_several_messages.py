"""A turn may begin with more than one message of the user's: none is lost."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from talking import Talk, answer_of, calling

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.errors import InvalidInputError, ModelUnavailableError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.testing import ScriptedChatModel

TOLD = "I live in Berlin."
ASKED = "Remember that Lina owns deployment"
QUESTION = "Who owns deployment?"


@pytest.fixture
def talk(home: Home, me: ScopedMemory) -> Talk:
    return Talk(home, me)


def send(talk: Talk, *texts: str, **context: Any) -> Any:
    messages = [("user", text) for text in texts]
    return talk.agent.invoke(
        {"messages": messages}, talk.config, context={**talk.me.context(), **context}
    )


def said(me: ScopedMemory) -> list[str]:
    return [event.content for event in me.transcript("t") if event.role == "user"]


def test_each_is_in_the_transcript_and_each_order_is_carried_out(
    talk: Talk, home: Home, me: ScopedMemory
) -> None:
    """R2: as if each had come alone, in one turn."""
    out = send(talk, TOLD, ASKED, QUESTION)
    assert said(me) == [TOLD, ASKED, QUESTION]
    done, _, answer = answer_of(out).partition("\n\n")
    assert done == "I will remember: “Lina owns deployment”"
    assert answer.startswith("“Lina owns deployment” — you,")
    [action] = out["run_state"]["actions"]
    assert (action["action"], action["effect"]) == ("remember", "begin")
    home.memory.work_off()
    assert [hit.content for hit in me.recall("Where do I live?").evidence] == [TOLD]


def test_two_orders_are_answered_in_their_order(talk: Talk, me: ScopedMemory) -> None:
    out = send(talk, ASKED, "Remember that Omar owns billing")
    assert answer_of(out).splitlines() == [
        "I will remember: “Lina owns deployment”", "I will remember: “Omar owns billing”",
    ]  # fmt: skip
    assert len(out["run_state"]["actions"]) == 2


def test_what_was_answered_is_not_taken_up_again(talk: Talk, me: ScopedMemory) -> None:
    send(talk, ASKED)
    assert "Forgotten" in answer_of(send(talk, "Forget that Lina owns deployment"))
    out = send(talk, TOLD, "And what is the weather?")
    assert "Lina" not in answer_of(out)
    assert "orders" not in talk.state["captured"]
    assert me.contents().total == 0


def test_with_approval_every_order_of_the_turn_is_decided(talk: Talk, me: ScopedMemory) -> None:
    """R3: one after the other; then the rest of the turn is answered."""
    out = send(talk, ASKED, "Remember that Omar owns billing", QUESTION, approval="on")
    run = talk.state["run_state"]
    assert [each["content"] for each in run["pending_approvals"]] == [
        "Lina owns deployment", "Omar owns billing",
    ]  # fmt: skip
    assert me.contents().total == 0
    talk.decide({"decision": "approve"}, approval="on")
    out = talk.decide({"decision": "reject"}, approval="on")
    assert answer_of(out).splitlines()[:2] == [
        "I will remember: “Lina owns deployment”",
        "Nothing was changed: the change was not approved.",
    ]
    assert "“Lina owns deployment” — you," in answer_of(out)
    assert [each["effect"] for each in out["run_state"]["actions"]] == ["begin", "rejected"]


def test_a_new_message_lets_what_waits_drop(talk: Talk, me: ScopedMemory) -> None:
    """R3: nobody decided, so nothing was changed."""
    send(talk, TOLD, ASKED, approval="on")
    out = send(talk, QUESTION, approval="on")
    assert me.contents().total == 0
    assert [each["effect"] for each in out["run_state"]["actions"]] == ["rejected"]
    assert said(me) == [TOLD, ASKED, QUESTION]


def test_the_same_messages_again_go_on_with_what_waits(talk: Talk, me: ScopedMemory) -> None:
    send(talk, ASKED, QUESTION, approval="on")
    send(talk, ASKED, QUESTION, approval="on")
    assert said(me) == [ASKED, QUESTION]
    out = talk.decide({"decision": "approve"}, approval="on")
    assert answer_of(out).startswith("I will remember: “Lina owns deployment”")


def test_the_failed_run_of_an_earlier_message_is_told(home: Home, me: ScopedMemory) -> None:
    """R7: errors of earlier runs, also where another message came."""
    with pytest.raises(ModelUnavailableError):
        send(Talk(home, me, ScriptedChatModel([RuntimeError("down")])), "How are you today?")
    out = send(Talk(home, me, ScriptedChatModel(["Fine."])), "Are you there?")
    [error] = out["run_state"]["errors"]
    assert error["step"] == "respond"


@pytest.mark.parametrize(
    "given",
    [QUESTION, ("user", QUESTION), {"role": "user", "content": QUESTION}, HumanMessage(QUESTION),
     (HumanMessage(QUESTION),), [QUESTION]],
)  # fmt: skip
def test_one_message_in_any_form_will_do(talk: Talk, me: ScopedMemory, given: Any) -> None:
    me.remember("Lina owns deployment")
    out = talk.agent.invoke({"messages": given}, talk.config, context=me.context())
    assert answer_of(out).startswith("“Lina owns deployment”")


@pytest.mark.parametrize("given", [None, 5, iter([QUESTION])])
def test_what_is_no_message_is_refused_with_the_form_that_is_wanted(
    talk: Talk, me: ScopedMemory, given: Any
) -> None:
    with pytest.raises(InvalidInputError, match="Send a list"):
        talk.agent.invoke({"messages": given}, talk.config, context=me.context())
    assert me.transcript("t") == []


def test_an_input_that_is_sent_again_after_a_failure_is_one_turn(
    home: Home, me: ScopedMemory
) -> None:
    """R6: whole, however many messages it has."""
    me.remember("The launch is on Friday")
    told = ("Forget that the launch is on Friday", "How are you today?")
    with pytest.raises(ModelUnavailableError):
        send(Talk(home, me, ScriptedChatModel([RuntimeError("down")])), *told)
    out = send(Talk(home, me, ScriptedChatModel(["Well, thanks."])), *told)
    assert said(me) == list(told)
    assert answer_of(out) == "Forgotten. I will not recall it any more.\n\nWell, thanks."
    assert [each["effect"] for each in out["run_state"]["actions"]] == ["deleted"]


def test_a_model_may_understand_an_order_in_any_of_them(home: Home, me: ScopedMemory) -> None:
    call = {"name": "remember", "args": {"statement": "Lina gère le déploiement"}, "id": "1"}
    model = ScriptedChatModel([AIMessage("", tool_calls=[call])])
    asked = "Souviens-toi que Lina gère le déploiement"
    out = send(Talk(home, me, model), asked, "Merci beaucoup")
    assert answer_of(out) == "I will remember: “Lina gère le déploiement”"


def test_two_values_of_one_thing_are_told_one_after_the_other(talk: Talk, me: ScopedMemory) -> None:
    """R13: each answer quotes what that order wrote, not what holds by now."""
    me.remember("The launch is on Thursday")
    out = send(
        talk, "Remember that the launch is on Friday", "Remember that the launch is on Monday"
    )
    assert [line.partition("It takes")[2] for line in answer_of(out).splitlines()] == [
        " the place of: “The launch is on Thursday”", " the place of: “the launch is on Friday”",
    ]  # fmt: skip


def test_what_an_earlier_one_says_against_memory_is_named(talk: Talk, me: ScopedMemory) -> None:
    """R39: the latest word outranks memory, whichever message of the turn it stands in."""
    me.remember("The budget is $200.")
    answer = answer_of(send(talk, "The budget is $250 now.", "What is the budget?"))
    assert "you now say “The budget is $250 now.”" in answer
    assert "“The budget is $200.”" in answer


# --- Other participants -----------------------------------------------------------------------


def test_what_another_participant_says_is_not_the_users(home: Home, me: ScopedMemory) -> None:
    """R50: it is kept under their name, and takes the place of nothing."""
    talk = Talk(home, me)
    me.remember("I live in Berlin")
    talk.agent.invoke(
        {"messages": [HumanMessage("I live in Paris.", name="Bob"), HumanMessage("Noted, I see.")]},
        talk.config, context=me.context(),
    )  # fmt: skip
    home.memory.work_off()
    assert [hit.content for hit in me.recall("Where do I live?").evidence] == ["I live in Berlin"]
    [kept] = [each.record for each in me.contents().records if "Paris" in str(each.record.head)]
    assert kept.head.value == {"content": "Bob: I live in Paris."}
    assert kept.head.provenance.source == Source(SourceKind.USER, "Bob")
    assert kept.head.provenance.verification is Verification.UNVERIFIED


def test_another_participant_gives_no_orders(home: Home, me: ScopedMemory) -> None:
    """R53: neither by rule, nor by a model that takes them for the user's."""
    me.remember("My locker is 4711", key="locker")
    talk = Talk(home, me)
    for text in ("Forget my locker", "Remember that the rent is paid by Jane"):
        message = {"messages": [HumanMessage("Hello all"), HumanMessage(text, name="Bob")]}
        talk.agent.invoke(message, talk.config, context=me.context())
        assert "orders" not in talk.state["captured"]
    model = ScriptedChatModel([calling("forget", memory="my locker"), AIMessage("No.")])
    message = {"messages": [HumanMessage("Forget my locker", name="Bob")]}
    home.agent(model).invoke(message, talk.config, context=me.context())
    [order] = talk.state["captured"]["orders"]
    assert order["effect"] == "refused"
    assert "own messages" in order["why"]
    both = {"messages": [HumanMessage("Forget my locker", name="Bob"), HumanMessage("Hello all")]}
    talked = ScriptedChatModel([calling("forget", memory="my locker"), AIMessage("No.")])
    home.agent(talked).invoke(both, talk.config, context=me.context())
    assert [each["effect"] for each in talk.state["captured"]["orders"]] == ["refused"]
    assert me.inspect("locker").record.head.value == {"content": "My locker is 4711"}
    assert me.contents().total == 1


def test_a_name_that_is_the_users_changes_nothing(home: Home, me: ScopedMemory) -> None:
    talk = Talk(home, me)
    message = {"messages": [HumanMessage("Remember that my locker is 4711", name="Jane Doe")]}
    out = talk.agent.invoke(message, talk.config, context=me.context())
    assert "I will remember" in answer_of(out)
    home.memory.work_off()
    assert me.inspect("my locker is 4711").record.head.provenance.source.name == me.bound.user


def test_what_the_assistant_says_makes_nobody_the_user(home: Home) -> None:
    """An opaque id, a name, an answer without one: who spoke first is the user."""
    me = home.memory.scope(tenant="acme", user="u-123")
    said = [("user", "Alice"), ("assistant", ""), ("user", "Alice")]
    events = me.capture(
        [
            Utterance("t", f"m{n}", role, "I live in Rome.", name)
            for n, (role, name) in enumerate(said)
        ]
    )
    assert me.is_own(events[2].event)


def test_another_participants_news_take_no_place(home: Home, me: ScopedMemory) -> None:
    """R50: what they tell of is kept beside what the user said."""
    me.remember("The launch is on Friday")
    news = [
        Utterance("t", "m1", "user", "Hello all, how are you?"),
        Utterance("t", "m2", "user", "The launch moved to Monday.", "Bob"),
    ]
    me.capture(news, consolidate=True)
    home.memory.work_off()
    assert me.inspect("The launch is on Friday").record.head.number == 1
