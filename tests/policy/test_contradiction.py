"""Where a message contradicts memory, on labelled messages: figures are printed with ``-s``.

``conflicts`` in ``contradiction_cases.jsonl`` are words of the clause and the record's label.
The held-out halves were never tuned on. The ordinary ones are a plain statement of another value
and a question, in one message; of those without a conflict, none may be named.
"""

from __future__ import annotations

import json
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory.policy.updates.contradiction import Conflict, conflicts
from langgraph_memory.ports import Citation

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "contradiction_cases.jsonl")
    .read_text("utf-8")
    .splitlines()
]
FLOORS = {
    "development": (0.97, 0.97),
    "held-out": (0.92, 0.75),
    "ordinary, development": (1.0, 0.97),
    "ordinary, held-out": (1.0, 0.85),
}
"""Precision and recall."""


def found_in(message: str, *records: str) -> tuple[Conflict, ...]:
    said_at = datetime(2026, 5, 1, tzinfo=UTC)
    return conflicts(
        message,
        [Citation(f"m{n}", f"id-{n}", text, "you", said_at) for n, text in enumerate(records, 1)],
    )


def _is(conflict: Conflict, pair: list[str]) -> bool:
    return pair[0] in conflict.clause and pair[1] == conflict.label


def outcome(case: dict[str, Any]) -> tuple[int, int, int]:
    """Return hits, false alarms and misses."""
    found = found_in(case["message"], *case["records"])
    hits = [pair for pair in case["conflicts"] if any(_is(each, pair) for each in found)]
    false = [each for each in found if not any(_is(each, pair) for pair in case["conflicts"])]
    return len(hits), len(false), len(case["conflicts"]) - len(hits)


@pytest.mark.parametrize("half", FLOORS)
def test_precision_and_recall_stay_above_their_floors(half: str) -> None:
    """R39."""
    counts = [outcome(case) for case in CASES if case["half"] == half]
    hits, false, missed = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = hits / (hits + false), hits / (hits + missed)
    print(
        f"\n{half}: {hits} found, {false} false, {missed} missed in {len(counts)} messages; "
        f"precision {precision:.3f}, recall {recall:.3f}"
    )
    assert (precision >= FLOORS[half][0], recall >= FLOORS[half][1]) == (True, True)


def test_the_cases_are_many_and_in_two_languages() -> None:
    assert len(CASES) >= 60
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in c["message"]) for c in CASES) >= 10
    assert sum(not case["conflicts"] for case in CASES) >= 30


def test_a_conflict_names_both_values_and_the_record() -> None:
    [conflict] = found_in(
        "The budget is $200 now, what can we buy?",
        "Lina owns deployment",
        "Monthly budget is $150.",
    )
    assert conflict == Conflict("The budget is $200 now", "m2", "$200", "$150")


@pytest.mark.parametrize(
    "message",
    [
        "Is the budget $200?",
        "The budget is $200, right?",
        "If the budget were $200, what could we buy?",
        "The budget used to be $200.",
        "The travel budget is $200.",
        "Anna's budget is $200.",
        "The budget is $150.",
        "The budget meeting is on Friday.",
        "预算是200美元吗？",
        "Translate this, please. The budget is $200.",
        "Write a story about a shop! The budget is $200.",
        "Their mail reads “The budget is $200 from now on.”",
        "翻译一下：预算是200美元。",
    ],
)
def test_what_states_no_other_value_of_it_is_no_conflict(message: str) -> None:
    assert found_in(message, "Monthly budget is $150.", "每月预算是150美元。") == ()


def test_what_another_says_of_themselves_is_not_contradicted() -> None:
    said = "I work at Bosch now. Where do I work?"
    assert found_in(said, "Bob: I work at Siemens") == ()
    assert [each.recorded for each in found_in(said, "Note: I work at Siemens")] == ["Siemens"]


@pytest.mark.parametrize(
    ("message", "record", "said", "recorded"),
    [
        ("I drive a blue Tesla now.", "I drive a red Volvo", "blue Tesla", "red Volvo"),
        ("I work at Bosch now.", "I work at Siemens", "Bosch", "Siemens"),
        ("Alerts are sent by Slack now.", "Alerts are sent by email", "Slack", "email"),
        (
            "I am not married to Anna any more.", "I am married to Anna",
            "I am not married to Anna any more.", "I am married to Anna",
        ),
    ],
)  # fmt: skip
def test_a_conflict_tells_the_values_or_all_of_both(
    message: str, record: str, said: str, recorded: str
) -> None:
    [conflict] = found_in(message, record)
    assert (conflict.said, conflict.recorded) == (said, recorded)


@pytest.mark.parametrize(
    ("message", "record", "said", "recorded"),
    [
        ("My phone number is 555-9999.", "My phone number is 555-1234", "555-9999", "555-1234"),
        ("My phone number is 020 555-9999.", "My phone number is +44 20 7946 0958",
         "020 555-9999", "+44 20 7946 0958"),
        ("The server IP is 10.0.0.7.", "The server IP is 10.0.0.5", "10.0.0.7", "10.0.0.5"),
        ("My favourite color is green.", "My favourite colour is blue", "green", "blue"),
        ("My favorite colour is green.", "My favourite color is blue", "green", "blue"),
        ("Launch is Monday.", "The launch is on Friday", "Monday", "Friday"),
        ("Lina handed deployment over to Bob.", "Lina owns deployment",
         "Lina handed deployment over to Bob.", "Lina owns deployment"),
        ("Lina has turned over billing to Omar Diaz.", "Lina owns billing",
         "Lina has turned over billing to Omar Diaz.", "Lina owns billing"),
    ],
)  # fmt: skip
def test_values_are_read_whole_and_in_any_spelling(
    message: str, record: str, said: str, recorded: str
) -> None:
    [conflict] = found_in(message, record)
    assert (conflict.said, conflict.recorded) == (said, recorded)


@pytest.mark.parametrize(
    ("message", "record"),
    [
        ("My phone number is +44 20 7946 0958.", "My phone number is +44 (20) 7946-0958"),
        ("Lina handed the report to Bob.", "Lina owns deployment"),
        ("Lina handed Bob a cup of tea.", "Lina owns deployment"),
        ("Lina turned deployment on.", "Lina owns deployment"),
        ("The score was 100-2000.", "The launch is on Friday"),
    ],
)
def test_what_is_another_spelling_or_another_deed_is_no_conflict(message: str, record: str) -> None:
    assert found_in(message, record) == ()


def test_a_record_that_says_both_is_not_contradicted() -> None:
    record = "The billing sync is on Monday. The platform sync is on Thursday."
    assert found_in("The platform sync is on Thursday.", record) == ()


@pytest.mark.parametrize("text", ["", " ", "?", "\x00", "\ud800 is $2", "$200", "不"])
def test_odd_messages_are_no_trouble(text: str) -> None:
    assert found_in(text, "Monthly budget is $150.", "", "不") == ()


def test_it_costs_next_to_nothing() -> None:
    spent = []
    for case in CASES:
        started = time.perf_counter()
        found_in(case["message"], *case["records"])
        spent.append(1000 * (time.perf_counter() - started))
    print(f"\nmedian {statistics.median(spent):.2f} ms")
    assert statistics.median(spent) < 5


@pytest.mark.parametrize("piece", ["and ", "so, ", "not ", "a-", "$1 is $2. ", "不", "a and "])
def test_long_messages_take_no_long_time(piece: str) -> None:
    started = time.perf_counter()
    found_in(piece * 2_000, piece * 2_000)
    assert time.perf_counter() - started < 10
