"""An answer rests on evidence: what nothing supports is caught, and a contradiction is named."""

from __future__ import annotations

from typing import Any

import pytest
from talking import Talk, answer_of, calling

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.testing import ScriptedChatModel


@pytest.fixture
def budget(me: ScopedMemory) -> ScopedMemory:
    me.remember("The monthly budget is $150", key="monthly_budget")
    return me


def answered(home: Home, me: ScopedMemory, question: str, *drafts: str) -> tuple[Any, Any]:
    model = ScriptedChatModel(list(drafts))
    out = Talk(home, me, model).send(question)
    assert len(model.requests) == len(drafts)
    return out, model


def test_a_supported_answer_is_given_as_it_is(home: Home, budget: ScopedMemory) -> None:
    out, _ = answered(home, budget, "What is our budget?", "It is $150 a month [m1].")
    assert answer_of(out) == "It is $150 a month [m1]."
    assert out["usage"]["check"] == {
        "unsupported": 0, "outdated": 0, "miscited": [], "regenerated": False, "abstained": False,
    }  # fmt: skip


def test_an_unsupported_statement_is_written_again_once(home: Home, budget: ScopedMemory) -> None:
    """R44: the second request says what was wrong; the draft is in no state and no transcript."""
    out, model = answered(
        home, budget, "What is our budget?",
        "Your budget is $150 [m1]. Last week you told me to raise it to $900.",
        "Your budget is $150 [m1].",
    )  # fmt: skip
    assert answer_of(out) == "Your budget is $150 [m1]."
    check = out["usage"]["check"]
    assert (check["unsupported"], check["regenerated"], check["abstained"]) == (1, True, False)
    told = model.requests[1][-1].text
    assert "$900" in told
    assert "without it" in told
    assert "$900" not in str(out)
    assert "$900" not in str(budget.transcript("t"))
    assert out["messages"][-1].additional_kwargs["citations"][0]["label"] == "m1"


def test_an_answer_that_stays_unsupported_becomes_an_abstention(
    home: Home, budget: ScopedMemory
) -> None:
    """R44: in plain words."""
    out, _ = answered(
        home, budget, "What is our budget?",
        "You told me last week that the budget is $900.",
        "As you said on Tuesday, the budget is $800.",
    )  # fmt: skip
    assert answer_of(out).startswith("I don't know")
    assert out["usage"]["check"]["abstained"] is True
    assert out["messages"][-1].additional_kwargs["citations"] == []


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("Who owns deployment?", "Lina owns deployment [m1]."),
        ("Who owns deployment?", "Lina owns deployment, as you mentioned before."),
        ("What did we decide yesterday?", "The team agreed to postpone the launch to June."),
        ("Do you know my wife's name?", "Yes, Anna."),
        ("Where do I live?", "In Paris."),
    ],
)
def test_what_stands_in_an_empty_memory_nowhere_is_not_told(
    home: Home, me: ScopedMemory, question: str, draft: str
) -> None:
    """R44: neither with a label that no record has, nor as said before, nor in two words."""
    out, _ = answered(home, me, question, draft, draft)
    assert answer_of(out).startswith("I don't know")
    assert out["usage"]["check"]["abstained"] is True


@pytest.mark.parametrize(
    ("record", "question", "draft", "good"),
    [
        ("The budget is $200 per month", "What is our budget?", "It is $200 per year [m1].",
         "It is $200 a month [m1]."),
        ("Lina owns deployment", "Who owns deployment?", "Lina used to own deployment [m1].",
         "Lina owns it [m1]."),
        ("Lina owns deployment", "Who owns deployment?", "Lina sold deployment [m1].",
         "Deployment is owned by Lina [m1]."),
        ("Jane reports to Tom", "Who reports to Tom?", "Tom reports to Jane [m1].",
         "Jane reports to Tom [m1]."),
        ("I might move to Oslo next year", "Do I move to Oslo next year?",
         "You will move to Oslo next year [m1].", "You might move to Oslo next year [m1]."),
    ],
)  # fmt: skip
def test_what_a_record_says_in_another_way_is_not_told_with_its_label(
    home: Home, me: ScopedMemory, record: str, question: str, draft: str, good: str
) -> None:
    """R16, R44: another period, another time, another deed, the other way round, or for sure."""
    me.remember(record)
    out, _ = answered(home, me, question, draft, good)
    assert answer_of(out) == good
    assert out["usage"]["check"]["unsupported"] == 1


def test_an_abstention_says_what_is_missing(home: Home, budget: ScopedMemory) -> None:
    invented = "You told me in March that your blood type is AB."
    out, _ = answered(home, budget, "What is my blood type?", invented, invented)
    assert answer_of(out).startswith("I don't know. Memory holds no valid evidence")
    assert "blood" in answer_of(out)


@pytest.mark.parametrize(
    ("drafts", "why"),
    [
        (["It is $900.", "Your budget is $800."], "stands in no record"),
        (["I don't know."], "found no answer"),
        (["It is $150 [m1]."], ""),
    ],
)
def test_state_says_why_an_answer_says_that_it_does_not_know(
    home: Home, budget: ScopedMemory, drafts: list[str], why: str
) -> None:
    """R44: also where memory had evidence, and the check, or the model, gave no answer from it."""
    out, _ = answered(home, budget, "What is our budget?", *drafts)
    assert bool(out["abstained"]) == bool(why)
    if why:
        assert why in out["abstained"]["reason"]
        assert out["abstained"]["message"] == answer_of(out)


def test_a_stale_value_is_not_stated_as_the_present_one(home: Home, me: ScopedMemory) -> None:
    """R14: the replaced statement is shown to the model as replaced."""
    me.remember("The launch is on Friday", key="launch")
    me.remember("The launch is on Monday", key="launch")
    out, _ = answered(
        home, me, "When is the launch?",
        "The launch is on Friday [m1].", "The launch is on Monday [m1]; before, it was Friday.",
    )  # fmt: skip
    assert "Monday" in answer_of(out)
    assert out["usage"]["check"]["regenerated"] is True


def test_a_label_on_the_wrong_sentence_is_taken_away(home: Home, budget: ScopedMemory) -> None:
    """R16: citations resolve to records that say so."""
    budget.remember("Lina owns the budget spreadsheet", key="owner")
    out, _ = answered(
        home, budget, "What is our monthly budget, and who owns the spreadsheet?",
        "The monthly budget is $150 [m1]. Lina owns the budget spreadsheet [m2].",
    )  # fmt: skip
    labels = {each["label"]: each["id"] for each in out["evidence"]}
    citations = {
        each["label"]: each["id"] for each in out["messages"][-1].additional_kwargs["citations"]
    }
    assert citations.items() <= labels.items()
    for label, record_id in citations.items():
        said = str(budget.inspect(record_id).record.head.value)
        sentence = next(part for part in answer_of(out).split(". ") if f"[{label}]" in part)
        assert ("$150" in said) == ("$150" in sentence)


def test_talk_that_claims_nothing_is_left_alone(home: Home, budget: ScopedMemory) -> None:
    for draft in (
        "Hello! How can I help?",
        "The capital of France is Paris.",
        "I don't know; I have no record of that.",
        "Would you like me to draft the plan?",
    ):
        out, _ = answered(home, budget, "Hi", draft)
        assert answer_of(out) == draft


@pytest.mark.parametrize("draft", [None, "You can buy a chair [m1].", "You can buy a chair."])
def test_the_latest_message_outranks_memory_and_the_conflict_is_named(
    home: Home, budget: ScopedMemory, draft: str | None
) -> None:
    """R39: with a model and without one."""
    model = None if draft is None else ScriptedChatModel([draft])
    out = Talk(home, budget, model).send(
        "The monthly budget is $250 now. What can we buy with our monthly budget?"
    )
    answer = answer_of(out)
    assert "you now say “The monthly budget is $250 now.”" in answer
    assert "memory has “The monthly budget is $150”" in answer
    assert "I go by what you say now" in answer
    assert out["messages"][-1].additional_kwargs["citations"][0]["label"] == "m1"
    if model:
        assert "The latest message says otherwise than [m1]." in model.requests[0][-2].text


def test_a_conflict_that_the_answer_names_is_not_named_twice(
    home: Home, budget: ScopedMemory
) -> None:
    said = "Memory has $150 [m1], you now say $250; with $250 you can buy a chair."
    out, _ = answered(
        home, budget, "The monthly budget is $250 now. What can we buy with it?", said
    )
    assert answer_of(out) == said


def test_state_names_conflicts_by_id_alone(home: Home, budget: ScopedMemory) -> None:
    talk = Talk(home, budget)
    talk.send("The monthly budget is $250 now. What can we buy with our monthly budget?")
    assert talk.state["conflicts"] == [
        {"label": "m1", "id": budget.inspect("monthly_budget").record.id}
    ]


async def test_the_check_works_asynchronously(home: Home, budget: ScopedMemory) -> None:
    model = ScriptedChatModel(["You told me the budget is $900.", "The budget is $150 [m1]."])
    talk = Talk(home, budget, model)
    out = await talk.agent.ainvoke(
        {"messages": [("user", "What is our budget?")]}, talk.config, context=talk.context()
    )
    assert answer_of(out) == "The budget is $150 [m1]."
    assert out["usage"]["check"]["regenerated"] is True


@pytest.mark.parametrize("stale", ["The launch is on Friday.", "The launch is on Friday [m1]."])
def test_what_was_corrected_in_the_same_thread_is_no_ground(
    home: Home, me: ScopedMemory, stale: str
) -> None:
    """R17, R44: what was asked of memory is in memory, where it has changed since."""
    model = ScriptedChatModel([stale, stale])
    talk = Talk(home, me, model)
    talk.say("Remember that the launch is on Friday")
    talk.say("Correct the launch date to Monday")
    assert talk.say("When is the launch?").startswith("I don't know")


def test_what_was_forgotten_in_the_same_thread_is_no_ground(home: Home, me: ScopedMemory) -> None:
    model = ScriptedChatModel(["Your badge code is 7781.", "Your badge code is 7781."])
    talk = Talk(home, me, model)
    talk.say("Remember that my badge code is 7781")
    talk.say("Forget that my badge code is 7781")
    assert talk.say("What is my badge code?").startswith("I don't know")


def test_what_was_said_in_passing_and_forgotten_is_no_ground(home: Home, me: ScopedMemory) -> None:
    told = "Your locker hint is the blue whale."
    talk = Talk(home, me, ScriptedChatModel(["Good to know.", told, told]))
    talk.say("My locker hint is the blue whale.")
    home.memory.work_off()
    talk.say("Forget my locker hint")
    assert "whale" not in talk.say("What is my locker hint?")


def test_a_models_own_words_are_no_ground(home: Home, me: ScopedMemory) -> None:
    model = ScriptedChatModel(
        ["Many teams have a budget of $900.", "Your budget is $900.", "Your budget is $900."]
    )
    talk = Talk(home, me, model)
    talk.say("Hi")
    assert talk.say("What is my budget?").startswith("I don't know")


def test_a_claim_to_have_changed_memory_is_withdrawn(home: Home, budget: ScopedMemory) -> None:
    out, _ = answered(
        home, budget, "The launch is next week, by the way", "I have saved that in my memory.",
        "Good to know; ask me to remember it, and memory will keep it.",
    )  # fmt: skip
    assert answer_of(out).startswith("Good to know")


def test_a_claim_that_stays_is_taken_out_and_nothing_else(home: Home, budget: ScopedMemory) -> None:
    out, model = answered(
        home, budget, "Please lose the budget.", "Deleted. Your budget is $150 [m1].", "Deleted.",
    )  # fmt: skip
    assert answer_of(out).startswith("I have changed nothing in memory.")
    assert "claims a change of memory" in model.requests[1][-1].text
    assert budget.inspect("monthly_budget").record.head.value


def test_a_second_reply_without_words_is_no_answer(home: Home, budget: ScopedMemory) -> None:
    model = ScriptedChatModel(["You told me the budget is $900.", calling("list_memories")])
    assert answer_of(Talk(home, budget, model).send("What is our budget?"))
