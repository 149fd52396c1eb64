"""Which statement takes the place of which, on labelled pairs: figures are printed with ``-s``.

The rules were made on the set ``own``; ``plain`` and ``natural`` were written by others who had
not seen them, and a part of their misses was mended afterwards. ``natural`` is how people talk
at length, where rules find two in five. ``hostile`` looks like changes and has none. ``ends`` are
our own, of what is left, sold, closed, finished or dead, and of what is not though the words fit.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.policy.updates.update import Update, asked_by, replaces

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "update_cases.jsonl").read_text("utf-8").splitlines()
]
FLOORS = {"own": 0.87, "plain": 0.8, "natural": 0.4, "hostile": 0.0, "ends": 0.98}
"""Share of the changes that are found."""


@pytest.mark.parametrize("name", FLOORS)
def test_changes_are_found_and_next_to_nothing_else(name: str) -> None:
    """R13, B19, B20, B58: nearly no false alarm, and as many changes as rules can find."""
    cases = [case for case in CASES if case["set"] == name]
    changes = [case for case in cases if case["change"]]
    others = [case for case in cases if not case["change"]]
    found = [case for case in changes if replaces(case["new"], case["old"])]
    false = [case for case in others if replaces(case["new"], case["old"])]
    print(f"\n{name}: {len(found)} of {len(changes)} changes, {len(false)} of {len(others)} others")
    assert len(false) <= len(others) // 200, false
    assert len(found) >= FLOORS[name] * len(changes)


def test_the_cases_are_many_and_in_two_languages() -> None:
    assert sum(case["change"] for case in CASES) >= 150
    assert sum(not case["change"] for case in CASES) >= 150
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in case["new"]) for case in CASES) >= 60


@pytest.mark.parametrize("case", [case for case in CASES if case["set"] == "own"][:45:3])
def test_nothing_takes_its_own_place(case: dict[str, str]) -> None:
    for text in (case["old"], case["new"]):
        assert not replaces(text, text)
        assert not replaces(text.upper(), text)


def test_of_several_things_one_gives_way_and_the_others_stay() -> None:
    update = Update("I just joined Microsoft.")
    assert update.in_place_of("I work at Google") == "I just joined Microsoft."
    assert update.in_place_of("I work at Google and I have a cat.") == (
        "I just joined Microsoft, and I have a cat"
    )
    assert update.in_place_of("I have a cat and a dog.") is None


@pytest.mark.parametrize(
    "new",
    ["Do I work at Microsoft?", "I used to work at Microsoft", "Maybe I will join Microsoft",
     "If I joined Microsoft, I would move", "My friend joined Microsoft",
     "Remind me to join Microsoft", "In 2012 I joined Microsoft", "Bob thinks I joined Microsoft"],
)  # fmt: skip
def test_what_is_not_stated_changes_nothing(new: str) -> None:
    assert not replaces(new, "I work at Google")


@pytest.mark.parametrize(
    ("new", "old", "changes"),
    [
        ("I drive a blue Tesla now", "I drive a red Volvo", True),
        ("I drive a blue Tesla", "I drive a red Volvo", False),
        ("I also drive a blue Tesla now", "I drive a red Volvo", False),
        ("I drive carefully now", "I drive a red Volvo", False),
        ("I drive a Volvo now", "I drive a red Volvo", False),
        ("I take the train to work now", "I take the bus to work", True),
        ("I take my laptop to work now", "I take the bus to work", False),
        ("I prefer coffee", "I prefer tea", True),
        ("I prefer short answers", "I prefer tea", False),
        ("I prefer coffee at work", "I prefer tea at home", False),
        ("Alerts are sent by Slack now", "Alerts are sent by SMS", True),
        ("Alerts are sent by Slack", "Alerts are sent by SMS", False),
        ("Alerts are sent in bulk now", "Alerts are sent by SMS", False),
        ("我现在开特斯拉", "我开沃尔沃", True),
        ("我现在开会", "我开沃尔沃", False),
        ("警报现在通过短信发送", "警报通过邮件发送", True),
    ],
)
def test_of_what_one_does_one_of_at_a_time_the_other_takes_the_place(
    new: str, old: str, changes: bool
) -> None:
    """R13: with a word of change, or of one kind."""
    assert replaces(new, old) is changes


def test_people_ask_for_an_attribute_in_other_words() -> None:
    assert "work" in asked_by("I just joined Microsoft")
    assert asked_by("The sky is wide") == ""


@given(st.text(max_size=200), st.text(max_size=200))
def test_odd_texts_are_no_trouble(new: str, old: str) -> None:
    assert replaces(new, old) in (True, False)
    Update(new).in_place_of(old)


@pytest.mark.parametrize("piece", ["I work at ", "the ", "A, ", "not ", "to ", "我在", "because "])
def test_long_texts_take_no_long_time(piece: str) -> None:
    text = (piece * 2_000)[:2_000]
    started = time.process_time()
    replaces(text, f"{text[:-1]}x")
    assert time.process_time() - started < 2.0


def test_a_comparison_costs_next_to_nothing() -> None:
    update = Update("We switched from Jenkins to GitHub Actions")
    taken = []
    for case in CASES[:100]:
        started = time.perf_counter()
        update.replaces(case["old"])
        taken.append(time.perf_counter() - started)
    assert statistics.median(taken) < 0.002
