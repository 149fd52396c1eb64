"""Which sentences of an answer go by a memory that the user's latest words contradict."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from langgraph_memory.policy.claims.repeating import only_abstains, repeated, without
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.ports import Citation

ROWS = [
    ("I work at Bosch now.", "I work at Siemens"),
    ("Bob owns deployment.", "Lina owns deployment"),
    ("I am not married to Anna any more.", "I am married to Anna"),
    ("发布日期现在是星期一", "发布日期是星期五"),
]
SIEMENS, LINA, ANNA, FRIDAY = ROWS


def stale(row: tuple[str, str], answer: str) -> tuple[str, ...]:
    said, known = row
    evidence = [Citation("m1", "id-1", known, "you", datetime(2026, 5, 1, tzinfo=UTC))]
    told = Told(said)
    return repeated(answer, told, told.against(evidence), evidence)


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        (SIEMENS, "You work at Siemens [m1]."),
        (SIEMENS, "Siemens."),
        (SIEMENS, "- **You work at Siemens** [m1]"),
        (SIEMENS, "You work at Siemens in Munich."),
        (LINA, "Lina owns deployment."),
        (LINA, "It is Lina [m1]."),
        (ANNA, "You are married to Anna."),
        (ANNA, "You're married to Anna."),
        (FRIDAY, "发布日期是星期五。"),
        (FRIDAY, "是星期五。"),
    ],
)
def test_what_goes_by_the_record_is_found(row: tuple[str, str], answer: str) -> None:
    """R39."""
    assert stale(row, answer) == (answer,)


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        (SIEMENS, "You work at Bosch."),
        (SIEMENS, "You used to work at Siemens."),
        (SIEMENS, "Memory has Siemens [m1]."),
        (SIEMENS, "Do you still work at Siemens?"),
        (SIEMENS, "You do not work at Siemens."),
        (SIEMENS, "If you work at Siemens, take the bus."),
        (SIEMENS, "Bosch makes tools."),
        (LINA, "Bob owns deployment."),
        (LINA, "Lina can help you with the paperwork."),
        (ANNA, "You are no longer married to Anna."),
        (ANNA, "No."),
        (FRIDAY, "发布日期是星期一。"),
        (FRIDAY, "之前是星期五。"),
    ],
)
def test_what_does_not_is_left_alone(row: tuple[str, str], answer: str) -> None:
    assert stale(row, answer) == ()


def test_where_nothing_is_contradicted_nothing_is_looked_at() -> None:
    assert stale(("Where do I work?", "I work at Siemens"), "You work at Siemens.") == ()


def test_what_is_taken_out_leaves_the_rest_as_it_was() -> None:
    answer = "You work at Siemens [m1]. Take the bus.\n\n- It is red\n- You work at Siemens"
    found = stale(SIEMENS, answer)
    assert without(answer, found) == "Take the bus.\n\n- It is red"
    assert without("You work at Siemens. [m1]", ["You work at Siemens."]) == ""


@pytest.mark.parametrize(
    ("answer", "only"),
    [
        ("I don't know.", True),
        ("I don't know. I have no record of that.", True),
        ("I don't know, but Bob might. Ask him.", False),
        ("我不知道。", True),
        ("", False),
    ],
)
def test_an_answer_that_only_abstains_is_known(answer: str, only: bool) -> None:
    assert only_abstains(answer) is only
