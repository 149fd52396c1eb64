"""The conversation that ships with the demo: well formed, and asked about fairly."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from itertools import chain, pairwise
from typing import Any

import pytest

from langgraph_memory.domain.events import Turn
from langgraph_memory.text.conversations import parse
from langgraph_memory.text.tokens import query_terms, tokens

FOLDER = resources.files("langgraph_memory.cli.demo")
ASKED_BY_THE_DEMO = 10
FEWEST = {"single": 3, "multi": 2, "temporal": 3, "update": 2, "paraphrase": 3, "abstain": 2}


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(_read("conversation.json"))
    return loaded


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(_read("questions.json"))
    return loaded


@pytest.fixture(scope="module")
def turns() -> dict[str, Turn]:
    _, parsed = parse(_read("conversation.json"), where="conversation.json")
    return {turn.turn_id: turn for turn in parsed}


def test_the_parser_reads_every_turn_as_written(document: dict[str, Any]) -> None:
    name, parsed = parse(_read("conversation.json"), where="conversation.json")
    written = list(chain.from_iterable(each["turns"] for each in document["sessions"]))
    assert name == document["conversation_id"] == "garden-workshop"
    assert [(each.turn_id, each.session_id, each.speaker, each.text) for each in parsed] == [
        (each["turn_id"], each["session_id"], each["speaker"], each["text"]) for each in written
    ]
    assert all(each.role == "user" for each in parsed)
    assert {each.speaker for each in parsed} == {"Mara", "Tobias"}


def test_it_is_a_long_conversation(document: dict[str, Any], turns: dict[str, Turn]) -> None:
    assert len(document["sessions"]) == 9
    assert all(14 <= len(each["turns"]) <= 18 for each in document["sessions"])
    first, *_, last = (turn.at for turn in turns.values())
    assert first is not None
    assert last is not None
    assert 200 < (last - first).days < 220


def test_ids_are_unique(document: dict[str, Any], questions: list[dict[str, Any]]) -> None:
    sessions = document["sessions"]
    ids = {
        "session": [each["session_id"] for each in sessions],
        "turn": [turn["turn_id"] for each in sessions for turn in each["turns"]],
        "question": [each["question_id"] for each in questions],
        "text": [each["question"] for each in questions],
    }
    for kind, found in ids.items():
        assert len(found) == len(set(found)), kind


def test_a_turn_is_numbered_by_its_session(document: dict[str, Any]) -> None:
    for number, session in enumerate(document["sessions"], start=1):
        assert session["session_id"] == f"session_{number}"
        for index, turn in enumerate(session["turns"], start=1):
            assert (turn["turn_id"], turn["session_id"]) == (
                f"S{number}:{index}",
                session["session_id"],
            )


def test_time_runs_forward(document: dict[str, Any], turns: dict[str, Turn]) -> None:
    times = [turn.at for turn in turns.values()]
    assert all(
        earlier is not None and later is not None and earlier < later
        for earlier, later in pairwise(times)
    )
    for session in document["sessions"]:
        assert session["timestamp"] == session["turns"][0]["timestamp"]


def test_speakers_take_turns(document: dict[str, Any]) -> None:
    for session in document["sessions"]:
        assert all(a["speaker"] != b["speaker"] for a, b in pairwise(session["turns"]))


def test_questions_point_at_turns_that_exist(
    questions: list[dict[str, Any]], turns: dict[str, Turn], document: dict[str, Any]
) -> None:
    for each in questions:
        evidence, stale = each["evidence_turn_ids"], each["stale_turn_ids"]
        assert each["conversation_id"] == document["conversation_id"]
        assert turns.keys() >= {*evidence, *stale}, each["question_id"]
        assert len({*evidence, *stale}) == len(evidence) + len(stale), each["question_id"]
        assert each["question"].strip()
        assert each["answer"].strip()


def test_each_category_has_the_evidence_it_needs(questions: list[dict[str, Any]]) -> None:
    for each in questions:
        category, name = each["category"], each["question_id"]
        needed = len(each["evidence_turn_ids"])
        assert each["abstention"] == (category == "abstain") == (needed == 0), name
        assert (needed > 1) == (category == "multi"), name
        assert bool(each["stale_turn_ids"]) == (category == "update"), name


def test_an_old_value_was_said_before_the_new_one(
    questions: list[dict[str, Any]], turns: dict[str, Turn]
) -> None:
    order = list(turns)
    for each in questions:
        for stale in each["stale_turn_ids"]:
            assert order.index(stale) < min(map(order.index, each["evidence_turn_ids"]))


def test_categories_are_mixed_from_the_start(questions: list[dict[str, Any]]) -> None:
    assert len(questions) == 16
    assert Counter(each["category"] for each in questions) == FEWEST | {"multi": 3}
    asked = {each["category"] for each in questions[:ASKED_BY_THE_DEMO]}
    assert asked == FEWEST.keys()


def test_a_paraphrase_shares_no_weighty_word_with_its_evidence(
    questions: list[dict[str, Any]], turns: dict[str, Turn]
) -> None:
    for each in questions:
        if each["category"] == "paraphrase":
            said = {word for turn in each["evidence_turn_ids"] for word in tokens(turns[turn].text)}
            assert said.isdisjoint(query_terms(each["question"])), each["question"]


def test_it_speaks_german_and_chinese_and_has_a_code(turns: dict[str, Turn]) -> None:
    """B35: what is not English survives the trip through the file."""
    assert "Die Säge ist schon verkauft" in turns["S4:9"].text
    assert "深绿色" in turns["S7:8"].text
    assert [name for name, turn in turns.items() if "HB-7304-Q" in turn.text] == ["S1:6"]
