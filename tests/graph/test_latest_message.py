"""The latest message outranks memory: it is answered by, and what memory has instead is named."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from talking import Talk, answer_of

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.nodes.checking import naming
from langgraph_memory.policy.updates.contradiction import Conflict
from langgraph_memory.ports import Citation
from langgraph_memory.testing import ScriptedChatModel

ROWS = [
    ("Lina owns deployment", "Bob owns deployment.", "Who owns deployment?",
     "Lina owns deployment."),
    ("Anna leads the Berlin team", "Tom leads the Berlin team.", "Who leads the Berlin team?",
     "Anna leads the Berlin team."),
    ("Alerts are sent by email", "Alerts are sent by Slack now.", "How are alerts sent?",
     "Alerts are sent by email."),
    ("I work at Siemens", "I work at Bosch now.", "Where do I work?",
     "You work at Siemens [m1]."),
    ("I am married to Anna", "I am not married to Anna any more.", "Am I married?",
     "You are married to Anna [m1]."),
    ("I prefer tea", "I prefer coffee.", "What do I prefer?", "You prefer tea [m1]."),
    ("I drive a red Volvo", "I drive a blue Tesla now.", "What do I drive?",
     "You drive a red Volvo [m1]."),
    ("My manager is Anna", "My manager is Tom.", "Who is my manager?", "I don't know."),
    ("My dog is named Rex", "My dog is named Max.", "What is my dog called?", "I don't know."),
    ("My manager is Anna", "My manager is Hanna.", "Who is my manager?",
     "Your manager is Anna [m1]."),
    ("发布日期是星期五", "发布日期现在是星期一", ",发布日期是什么时候?", "发布日期是星期五。"),
    ("我在西门子工作", "我现在在博世工作。", "我在哪里工作？", "你在西门子工作 [m1]。"),
]  # fmt: skip


def message(said: str, asked: str) -> str:
    return f"{said}{'' if any(char > '一' for char in said) else ' '}{asked}"


def named(talk: Talk, out: Any, known: str, said: str) -> bool:
    """Tell whether the answer goes by what was said, and both it and the state name the record."""
    [evidence] = out["evidence"]
    assert talk.state["conflicts"] == [{"label": "m1", "id": evidence["id"]}]
    [citation] = out["messages"][-1].additional_kwargs["citations"]
    assert citation["id"] == evidence["id"]
    answer, _, note = answer_of(out).partition("\n")
    return f"“{said}”" in answer and known not in answer and f"“{said}”" in note and known in note


@pytest.mark.parametrize(("known", "said", "asked", "draft"), ROWS)
def test_without_a_model_the_answer_is_what_the_user_just_said(
    home: Home, me: ScopedMemory, known: str, said: str, asked: str, draft: str
) -> None:
    """R39."""
    me.remember(known)
    talk = Talk(home, me)
    assert named(talk, talk.send(message(said, asked)), known, said)
    assert talk.state["abstained"] is None


@pytest.mark.parametrize(("known", "said", "asked", "draft"), ROWS)
def test_a_model_that_goes_by_memory_is_told_and_then_corrected(
    home: Home, me: ScopedMemory, known: str, said: str, asked: str, draft: str
) -> None:
    """R39: it is asked once more; what it still gets wrong is taken out."""
    me.remember(known)
    model = ScriptedChatModel([draft, draft])
    talk = Talk(home, me, model)
    out = talk.send(message(said, asked))
    assert named(talk, out, known, said)
    assert "says otherwise than [m1]" in model.requests[0][-2].text
    assert draft in model.requests[1][-1].text
    assert out["usage"]["check"]["outdated"] == 1


@pytest.mark.parametrize(
    "draft",
    ["Bob owns deployment.", "You say Bob; memory has Lina [m1].", "That is Bob, as you say."],
)
def test_an_answer_that_goes_by_the_message_is_given_as_it_is(
    home: Home, me: ScopedMemory, draft: str
) -> None:
    me.remember("Lina owns deployment")
    model = ScriptedChatModel([draft])
    answer = Talk(home, me, model).say("Bob owns deployment. Who owns deployment?")
    assert answer.startswith(draft)
    assert ("Note: you now say" in answer) == ("Lina" not in draft)


@pytest.mark.parametrize(
    ("known", "said", "asked", "draft"),
    [
        ("The budget is $500", "The budget is $700.", "What is the budget?",
         "The budget is $500, not $700 [m1]."),
        ("Lina owns deployment", "Bob owns deployment.", "Who should I ask about deployment?",
         "Ask Lina, she owns it [m1]."),
        ("My manager is Anna", "My manager is Tom.", "Who is my manager?",
         "Your manager is Anna [m1]; Tom is not your manager."),
    ],
)  # fmt: skip
def test_a_draft_that_names_both_values_and_decides_for_memory_is_not_given(
    home: Home, me: ScopedMemory, known: str, said: str, asked: str, draft: str
) -> None:
    """R39."""
    me.remember(known)
    out = Talk(home, me, ScriptedChatModel([draft, draft])).send(f"{said} {asked}")
    assert draft not in answer_of(out)
    assert f"Note: you now say “{said}”; memory has “{known}”" in answer_of(out)
    assert out["usage"]["check"]["outdated"] == 1


@pytest.mark.parametrize(
    ("known", "message", "said"),
    [
        ("My phone number is 555-1234", "My phone number is 555-9999. What's my phone number?",
         "My phone number is 555-9999."),
        ("My office is on floor 2", "My office is on floor 3, room 2. Where is my office?",
         "My office is on floor 3"),
        ("The launch is on Friday", "Sorry, the launch is on Monday, not Friday. When is it?",
         "the launch is on Monday"),
        ("The launch is on Friday", "Launch is Monday. When do we launch?", "Launch is Monday."),
        ("The launch is on Friday", "Since the launch is on Monday, how many days are left?",
         "the launch is on Monday"),
        ("Lina owns deployment", "Lina handed deployment over to Bob. Who owns deployment?",
         "Lina handed deployment over to Bob."),
    ],
)  # fmt: skip
def test_a_conflict_in_the_state_is_named_in_the_answer(
    home: Home, me: ScopedMemory, known: str, message: str, said: str
) -> None:
    """R39: that the user's words have both values in them names no record."""
    me.remember(known)
    talk = Talk(home, me)
    answer = talk.say(message)
    assert [each["label"] for each in talk.state["conflicts"]] == ["m1"]
    assert f"you now say “{said}”; memory has “{known}”" in answer


def test_a_second_draft_that_goes_by_the_message_is_given(home: Home, me: ScopedMemory) -> None:
    me.remember("I work at Siemens")
    model = ScriptedChatModel(["You work at Siemens [m1].", "You work at Bosch."])
    out = Talk(home, me, model).send("I work at Bosch now. Where do I work?")
    assert answer_of(out).startswith("You work at Bosch.\nNote: you now say")
    assert "go by the latest message" in model.requests[1][-1].text


def test_only_the_outdated_sentence_is_taken_out(home: Home, me: ScopedMemory) -> None:
    me.remember("I work at Siemens")
    draft = "You work at Siemens [m1]. Shall I look up the way?"
    model = ScriptedChatModel([draft, draft])
    answer = Talk(home, me, model).say("I work at Bosch now. Where do I work?")
    assert answer.startswith("Shall I look up the way?\nNote:")


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("Lina owns deployment", "Bob owns billing. Who owns deployment?"),
        ("I work at Siemens", "My brother works at Bosch now. Where do I work?"),
        ("I prefer tea", "I prefer short answers. What do I prefer to drink?"),
        ("I work at Siemens", "I used to work at Bosch. Where do I work?"),
        ("I drive a red Volvo", "I also drive a blue Tesla. What do I drive?"),
        ("我住在重庆", "我妹妹住在成都。我住在哪里？"),
    ],
)
def test_what_is_no_contradiction_is_not_named(
    home: Home, me: ScopedMemory, known: str, text: str
) -> None:
    """R39: memory answers, as if nothing had been said beside."""
    me.remember(known)
    talk = Talk(home, me)
    assert talk.say(text).startswith(f"“{known}” — you,")
    assert talk.state["conflicts"] == []


def test_what_the_user_just_said_answers_without_any_memory(home: Home, me: ScopedMemory) -> None:
    talk = Talk(home, me)
    assert (
        talk.say("My manager is Tom. Who is my manager?") == "“My manager is Tom.” — you, just now"
    )
    assert talk.state["abstained"] is None


@pytest.mark.parametrize(
    "text",
    [
        "Tom leads the Paris team. Who leads the Berlin team?",
        "I talked to my manager today. Who is my manager?",
        "The monthly budget is $250 now. What is my blood type?",
    ],
)
def test_what_does_not_answer_is_not_given_for_an_answer(
    home: Home, me: ScopedMemory, text: str
) -> None:
    """R44."""
    me.remember("The monthly budget is $150")
    assert Talk(home, me).say(text).startswith("I don't know.")


def test_a_conflict_beside_an_abstention_is_named(home: Home, me: ScopedMemory) -> None:
    """R39, R44: both, to the model as well."""
    me.remember("The monthly budget is $150")
    model = ScriptedChatModel(["I don't know your blood type."])
    talk = Talk(home, me, model)
    answer = talk.say("The monthly budget is $250 now. What is my blood type?")
    assert "you now say “The monthly budget is $250 now.”" in answer
    shown = model.requests[0][-2].text
    assert "says otherwise than [m1]" in shown
    assert "Nothing else was found. Memory holds no valid evidence" in shown
    assert "blood" in talk.state["abstained"]["missing"]


@pytest.mark.parametrize(
    ("said", "starts"),
    [
        ("I live in Berlin.", "Noted: “I live in Berlin.”"),
        ("我住在成都。", "知道了：“我住在成都。”"),
    ],
)
def test_a_statement_is_taken_note_of_and_no_more_is_claimed(
    home: Home, me: ScopedMemory, said: str, starts: str
) -> None:
    """What of it is kept is decided by the background work."""
    talk = Talk(home, me)
    answer = talk.say(said)
    assert answer.startswith(starts)
    assert "remember" not in answer.replace("say “remember that …”", "")
    assert talk.state["abstained"]["message"] == "Nothing was asked."


def test_what_is_known_already_is_quoted_beside_the_note(home: Home, me: ScopedMemory) -> None:
    me.remember("I live in Berlin")
    answer = Talk(home, me).say("I live in Berlin.")
    assert answer.startswith("Noted:")
    assert "“I live in Berlin” — you," in answer


def test_a_statement_that_contradicts_is_noted_and_named(home: Home, me: ScopedMemory) -> None:
    me.remember("I live in Munich")
    talk = Talk(home, me)
    answer = talk.say("I live in Berlin.")
    assert answer.startswith("Noted: “I live in Berlin.”")
    assert "memory has “I live in Munich”" in answer
    assert len(talk.state["conflicts"]) == 1


def test_what_was_said_in_an_earlier_message_of_the_turn_counts(
    home: Home, me: ScopedMemory
) -> None:
    """R2, R39."""
    me.remember("I work at Siemens")
    talk = Talk(home, me)
    out = talk.agent.invoke(
        {"messages": [("user", "I work at Bosch now."), ("user", "Where do I work?")]},
        talk.config, context=talk.context(),
    )  # fmt: skip
    assert answer_of(out).startswith("“I work at Bosch now.” — you, just now\nNote:")


def test_the_words_of_another_participant_contradict_nothing(home: Home, me: ScopedMemory) -> None:
    me.remember("I work at Siemens")
    talk = Talk(home, me)
    talk.agent.invoke(
        {"messages": [HumanMessage("Hello there", name="jane.doe")]},
        talk.config, context=talk.context(),
    )  # fmt: skip
    talk.agent.invoke(
        {"messages": [HumanMessage("I work at Bosch now.", name="Bob")]},
        talk.config, context=talk.context(),
    )  # fmt: skip
    assert talk.state["conflicts"] == []


def test_a_credential_is_not_said_again(home: Home, me: ScopedMemory) -> None:
    secret = "sk-proj-" + "a1B2c3D4" * 5
    talk = Talk(home, me)
    assert secret not in talk.say(f"My manager is Tom and my key is {secret}. Who is my manager?")
    assert secret not in str(talk.state)


def test_a_short_fact_is_kept_in_passing(home: Home, me: ScopedMemory) -> None:
    """R39: what outranked memory in one turn is memory in the next."""
    me.remember("Lina owns deployment")
    talk = Talk(home, me)
    talk.say("Bob owns deployment.")
    home.memory.work_off()
    assert [hit.content for hit in me.recall("Who owns deployment?").evidence] == [
        "Bob owns deployment."
    ]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("My salary is 90k. Please don't keep that in memory.", "I keep nothing of this message."),
        ("我的工资是九万，别记。", "这条消息我什么都不会保存。"),
    ],
)
def test_what_is_not_to_be_kept_is_not_said_to_be_noted(
    home: Home, me: ScopedMemory, said: str, answer: str
) -> None:
    """R64."""
    assert Talk(home, me).say(said) == answer
    home.memory.work_off()
    assert me.contents().total == 0


@pytest.mark.parametrize(
    ("recorded", "said", "answer", "noted"),
    [
        ("B1", "B12", "Your bus is B12.", True),
        ("B1", "B12", "Your bus is B12, no more B1 [m1].", False),
        ("$50", "$500", "It is $500.", True),
        ("$50", "$500", "It is $500, not $50.", True),
        ("$50", "$500", "It is $500, not $50 [m1].", False),
        ("red", "dark red", "It is dark red.", True),
        ("安娜", "安娜莉", "是安娜莉。", True),
        ("安娜", "安娜莉", "是安娜莉，不是安娜 [m1]。", False),
    ],
)
def test_a_value_inside_another_is_not_named_by_it(
    recorded: str, said: str, answer: str, noted: bool
) -> None:
    record = Citation("m1", "r1", recorded, "you", datetime(2026, 11, 30, tzinfo=UTC))
    conflict = Conflict(said, "m1", said, recorded)
    assert (naming(answer, [conflict], [record]) != answer) == noted
