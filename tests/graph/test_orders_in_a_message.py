"""One message may give several orders, and ask something else: all of it is heard, once."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage
from langgraph.types import Command
from talking import Talk, answer_of, calling, proposed

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.testing import ScriptedChatModel

ON = {"approval": "on"}


@pytest.fixture
def talk(home: Home, me: ScopedMemory) -> Talk:
    return Talk(home, me)


def contents(me: ScopedMemory) -> list[str]:
    return sorted(str((each.record.head.value or {})["content"]) for each in me.contents().records)


# --- By rule ----------------------------------------------------------------------------------


def test_a_question_beside_an_order_is_answered(talk: Talk, me: ScopedMemory) -> None:
    """R60: what was done comes first, then the answer to the rest."""
    me.remember("My bike is red")
    said = "Remember that my car is green. What colour is my bike?"
    done, _, answer = talk.say(said).partition("\n\n")
    assert done == "I will remember: “my car is green.”"
    assert answer.startswith("“My bike is red” — you,")
    assert "car" not in answer
    assert contents(me) == ["My bike is red", "my car is green."]


def test_what_was_forgotten_is_not_in_the_answer_beside_it(talk: Talk, me: ScopedMemory) -> None:
    me.remember("My bike is red")
    done, _, answer = talk.say("Forget my bike. What colour is my bike?").partition("\n\n")
    assert done.startswith("Forgotten.")
    assert answer.startswith("I don't know.")


@pytest.mark.parametrize(
    "said",
    [
        "Forget that my bike is red. Remember that my bike is blue.",
        "Forget that my bike is red and remember that my bike is blue. Thanks!",
        "Hi! Please forget that my bike is red; remember that my bike is blue.",
    ],
)
def test_orders_are_carried_out_in_their_order(talk: Talk, me: ScopedMemory, said: str) -> None:
    me.remember("My bike is red")
    out = talk.send(said)
    assert [each.rstrip(".") for each in contents(me)] == ["my bike is blue"]
    assert [each["id"][-2:] for each in out["run_state"]["actions"]] == ["/0", "/1"]
    assert [each["effect"] for each in out["run_state"]["actions"]] == ["deleted", "begin"]
    assert len(answer_of(out).splitlines()) == 2


def test_orders_of_one_message_are_carried_out_once(talk: Talk, me: ScopedMemory) -> None:
    """R6: going back to the start of the turn does nothing again."""
    talk.say("Remember that my car is green. Remember that my bike is red.")
    talk.say("Forget my bike")
    [*_, first] = [
        each for each in talk.agent.get_state_history(talk.config) if each.next == ("__start__",)
    ]
    talk.agent.invoke(None, first.config, context=talk.context())
    assert [each.rstrip(".") for each in contents(me)] == ["my car is green"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that my car is green. Thanks!", "my car is green."),
        ("Could you remember that my car is green? And what is 2+2?", "my car is green"),
        ("Remember this: I live in Berlin. My dog is Rex.", "I live in Berlin. My dog is Rex."),
        ("Remember:\n- buy milk\n- call Ann\n\nThank you", "- buy milk\n- call Ann"),
        ("记住我的车是绿色的，谢谢！", "我的车是绿色的"),
    ],
)
def test_only_what_is_to_be_kept_is_kept(
    talk: Talk, home: Home, me: ScopedMemory, said: str, kept: str
) -> None:
    talk.say(said)
    home.memory.work_off()
    assert contents(me) == [kept]


def test_quoted_orders_are_none(talk: Talk, home: Home, me: ScopedMemory) -> None:
    """B41."""
    me.remember("My bike is red")
    for said in (
        "> Forget my bike.\nWho wrote this?", "```\nForget my bike.\n```\nWhat is this?",
        "She said “Sure. Forget my bike.” to me.", "Translate this: Hi. Forget my bike.",
    ):  # fmt: skip
        talk.say(said)
        assert "orders" not in talk.state["captured"]
    assert "My bike is red" in contents(me)


def test_each_change_of_one_message_is_decided(talk: Talk, me: ScopedMemory) -> None:
    """R3: then the question beside them is answered."""
    me.remember("My bike is red")
    said = "Remember that my car is green. Forget my bike. What colour is my car?"
    assert proposed(talk.send(said, **ON))["content"] == "my car is green."
    assert proposed(talk.decide("approve", **ON))["order"] == "forget"
    lines = answer_of(talk.decide("reject", **ON)).splitlines()
    assert lines[:2] == [
        "I will remember: “my car is green.”", "Nothing was changed: the change was not approved.",
    ]  # fmt: skip
    assert lines[3].startswith("“my car is green.”")


# --- With a model -----------------------------------------------------------------------------


def test_a_model_is_asked_what_is_left(home: Home, me: ScopedMemory) -> None:
    model = ScriptedChatModel(["It is Paris."])
    said = "Remember that my car is green. What's the capital of France?"
    answer = Talk(home, me, model).say(said)
    assert answer == "I will remember: “my car is green.”\n\nIt is Paris."
    assert model.requests[0][-1].text == "What's the capital of France?"


def test_a_model_that_repeats_what_the_rules_did_is_asked_again(
    home: Home, me: ScopedMemory
) -> None:
    again = calling("remember", statement="my car is green")
    model = ScriptedChatModel([again, "It is Paris."])
    said = "Remember that my car is green. What's the capital of France?"
    answer = Talk(home, me, model).say(said)
    assert answer == "I will remember: “my car is green.”\n\nIt is Paris."
    assert contents(me) == ["my car is green."]
    assert "tools" not in model.options[1]


def test_a_model_may_see_an_order_that_the_rules_do_not(home: Home, me: ScopedMemory) -> None:
    """Its number comes after those of the rules."""
    me.remember("My bike is red")
    model = ScriptedChatModel([calling("forget", memory="my bike")])
    talk = Talk(home, me, model)
    out = talk.send("Remember that my car is green. Write off and delete my bike.")
    assert "Forgotten" in answer_of(out)
    assert [each["id"][-2:] for each in out["run_state"]["actions"]] == ["/0", "/1"]
    assert contents(me) == ["my car is green."]


def test_a_question_beside_orders_by_tool_is_answered(home: Home, me: ScopedMemory) -> None:
    said = "Merk dir bitte, dass mein Auto grün ist. Was ist die Hauptstadt von Frankreich?"
    call = calling("remember", statement="Mein Auto ist grün")
    model = ScriptedChatModel([call, "Das ist Paris."])
    answer = Talk(home, me, model).say(said)
    assert answer == "I will remember: “Mein Auto ist grün”\n\nDas ist Paris."
    assert model.requests[1][-1].text == "Was ist die Hauptstadt von Frankreich?"


def test_a_correction_in_another_language_stays_as_it_was_said(
    home: Home, me: ScopedMemory
) -> None:
    me.remember("Das Budget ist 200 Euro")
    call = calling("correct_memory", subject="Budget", statement="Das Budget beträgt 300 Euro")
    answer = Talk(home, me, ScriptedChatModel([call])).say(
        "Das ist falsch, das Budget beträgt 300 Euro"
    )
    assert answer == "Corrected. From now on: “Das Budget beträgt 300 Euro”"
    assert contents(me) == ["Das Budget beträgt 300 Euro"]


def test_what_may_be_an_order_to_forget_is_asked_back(home: Home, me: ScopedMemory) -> None:
    """In a language that the rules do not know, nothing goes."""
    done = me.remember("Min adress är Storgatan 5")
    call = calling("forget", memory="min adress")
    answer = Talk(home, me, ScriptedChatModel([call])).say("Glöm min adress")
    assert "not sure" in answer
    assert done.id in answer
    assert me.contents().total == 1
    assert "Forgotten" in Talk(home, me).say(f"Forget {done.id}")


# --- What is not to be known ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("Don't remember this: I have diabetes.", []),
        ("Don't remember that I have diabetes.", []),
        ("别记住我怀孕了", []),
        ("My salary is 90k. Please don't keep that in memory.", []),
        ("Don't remember this: I have diabetes. I take insulin every day.", []),
        (
            "Stop remembering anything about my health. I have diabetes.",
            ["Do not remember anything about: my health"],
        ),
        (
            "Don't remember my health: I have diabetes",
            ["Do not remember anything about: my health"],
        ),
        (
            "Stop remembering anything about my health, I have diabetes now.",
            ["Do not remember anything about: my health"],
        ),
        ("别记住这个：我有糖尿病", []),
    ],
)
def test_no_rule_holds_what_is_not_to_be_known(
    talk: Talk, home: Home, me: ScopedMemory, said: str, rules: list[str]
) -> None:
    """R64."""
    talk.say(said)
    home.memory.work_off()
    assert contents(me) == rules


@pytest.mark.parametrize(
    ("said", "subject", "rules"),
    [
        ("Merk dir das bitte nicht: ich habe Diabetes", "Diabetes", []),
        ("Merk dir das bitte nicht: ich habe Diabetes", "ich habe Diabetes", []),
        ("No guardes esto: tengo diabetes", "tengo diabetes", []),
        ("Ich bin schwanger, aber merk dir das bitte nicht.", "schwanger", []),
        ("Je suis enceinte, ne le note pas s'il te plaît.", "enceinte", []),
        ("我怀孕了，请不要记录。", "怀孕", []),
        (
            "Merk dir nichts über meine Gesundheit. Ich habe Diabetes.", "meine Gesundheit",
            ["Do not remember anything about: meine Gesundheit"],
        ),
    ],
)  # fmt: skip
def test_no_rule_that_a_model_words_holds_it_either(
    home: Home, me: ScopedMemory, said: str, subject: str, rules: list[str]
) -> None:
    """R64."""
    call = calling("stop_remembering", subject=subject)
    answer = Talk(home, me, ScriptedChatModel([call])).say(said)
    assert "keep nothing" in answer
    home.memory.work_off()
    assert contents(me) == rules


@pytest.mark.parametrize(
    ("said", "call"),
    [
        (
            "Vergiss bitte, was ich über das Budget gesagt habe",
            calling("forget", memory="das Budget"),
        ),
        ("Zeig mir bitte alles, was du über mich weißt", calling("list_memories")),
    ],
    ids=["found nothing", "looked"],
)
def test_a_message_that_was_an_order_is_never_kept_in_passing(
    home: Home, me: ScopedMemory, said: str, call: AIMessage
) -> None:
    """R64: whatever came of it."""
    Talk(home, me, ScriptedChatModel([call])).say(said)
    home.memory.work_off()
    assert contents(me) == []


def test_an_order_that_no_turn_took_up_yet_is_not_kept_in_passing(
    home: Home, me: ScopedMemory
) -> None:
    said = "My bike is red. Remember that my car is green."
    me.capture([Utterance("t", "1", "user", said)], consolidate=True)
    home.memory.work_off()
    assert contents(me) == []


def test_an_order_that_the_work_was_too_quick_for_is_taken_out_again(
    home: Home, me: ScopedMemory
) -> None:
    """A model thinks for longer than the thread is quiet."""

    def slow(messages: object) -> AIMessage:
        home.memory.work_off()
        assert contents(me) == [said]
        return calling("forget", memory="das Budget")

    said = "Das Budget von neulich bitte löschen"
    assert "nothing to forget" in Talk(home, me, ScriptedChatModel(slow)).say(said)
    assert contents(me) == []


# --- Approval ---------------------------------------------------------------------------------


def test_to_keep_again_waits_for_a_decision_and_to_keep_less_does_not(
    talk: Talk, me: ScopedMemory
) -> None:
    """R3."""
    assert "__interrupt__" not in talk.send("Stop remembering my address", **ON)
    assert proposed(talk.send("You can remember again", **ON))["order"] == "remember again"
    assert "not approved" in answer_of(talk.decide("reject", **ON))
    assert len(contents(me)) == 1
    talk.send("You can remember again", **ON)
    assert "I will remember again" in answer_of(talk.decide("approve", **ON))
    assert contents(me) == []


@pytest.mark.parametrize(
    ("first", "second", "answer", "kept"),
    [
        (
            "reject", "approve",
            "Nothing was changed: this was decided before, and not approved.", [],
        ),
        (
            "approve", "reject",
            "This was decided before. I will remember: “the code is 42”", ["the code is 42"],
        ),
        (
            "approve", {"decision": "edit", "content": "the code is 43"},
            "This was decided before. I will remember: “the code is 42”", ["the code is 42"],
        ),
        ("approve", "approve", "I will remember: “the code is 42”", ["the code is 42"]),
        ("reject", "reject", "Nothing was changed: the change was not approved.", []),
    ],
)  # fmt: skip
def test_a_decision_that_comes_a_second_time_is_told_to_be_late(
    talk: Talk, me: ScopedMemory, first: object, second: object, answer: str, kept: list[str]
) -> None:
    """R6: going back to what waited undoes no decision, and does not hide that."""
    talk.send("Remember that the code is 42", **ON)
    waiting = talk.agent.get_state(talk.config).config
    talk.decide(first, **ON)
    out = talk.agent.invoke(Command(resume=second), waiting, context=talk.context(**ON))
    assert answer_of(out) == answer
    assert contents(me) == kept


def test_a_change_that_is_shown_again_stays_decided(talk: Talk, me: ScopedMemory) -> None:
    """R6: asked anew at an earlier checkpoint, the answer says that it was decided."""
    talk.send("Remember that the code is 42", **ON)
    waiting = talk.agent.get_state(talk.config).config
    talk.decide("reject", **ON)
    assert "__interrupt__" in talk.agent.invoke(None, waiting, context=talk.context(**ON))
    out = talk.decide("approve", **ON)
    assert "decided before, and not approved" in answer_of(out)
    assert contents(me) == []


def test_two_changes_decided_at_one_checkpoint_are_new(talk: Talk, me: ScopedMemory) -> None:
    talk.send("Remember that the code is 42. Forget nothing. Remember: the door is 7.", **ON)
    waiting = talk.agent.get_state(talk.config).config
    talk.agent.invoke(Command(resume="approve"), waiting, context=talk.context(**ON))
    out = talk.agent.invoke(Command(resume="reject"), waiting, context=talk.context(**ON))
    assert "before" not in answer_of(out)
    assert len(contents(me)) == 1
