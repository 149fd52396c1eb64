"""What is said on condition that it is not kept, told from what is only said."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from langgraph_memory.policy.orders.discretion import asks_discretion, means_before

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "discretion_cases.jsonl").read_text("utf-8").splitlines()
]
BARE = [
    "Please don't save that.", "Don't keep that in memory, please.", "Forget I said that.",
    "Ne garde pas ça.", "Bitte merk dir das nicht.", "别记。", "这个不要保存，谢谢。",
    "No lo guardes, por favor.", "Please don't save that, it's private.", "Off the record, please.",
    "Don't save that. What is the weather like?", "覚えないでください。", "Keep that to yourself.",
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["text"]))
def test_a_message_asks_for_discretion_or_only_tells(case: dict[str, object]) -> None:
    """R64: wherever it stands in the message, and in whichever words."""
    assert asks_discretion(str(case["text"])) is not case["kept"]


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget that the key is in the safe.",
        "Don't forget to note that I live in Bonn.",
        "Vergiss nicht, dass ich in Bonn wohne.",
        "别忘了我住在波恩。",
        "N'oublie pas que j'habite à Lyon.",
    ],
)
def test_not_to_forget_is_to_keep(text: str) -> None:
    assert not asks_discretion(text)


@pytest.mark.parametrize("text", BARE)
def test_a_message_that_only_asks_means_the_one_before(text: str) -> None:
    """R64: it says nothing that could be meant itself."""
    assert means_before(text, "My salary is 90k.")


@pytest.mark.parametrize(
    "text",
    [
        "I'm pregnant, please don't save that.",
        "我的工资是九万，别记。",
        "I never keep milk at home.",
        "Thanks!",
        "Don't keep anything about my health.",
    ],
)
def test_a_message_that_says_what_it_means_leaves_the_one_before(text: str) -> None:
    assert not means_before(text, "The launch is on Friday.")


def test_what_is_named_is_meant_where_it_was_said_before() -> None:
    assert means_before("Don't keep anything about my salary.", "My salary is 90k.")


@pytest.mark.parametrize(
    "part", ["don't ", "no guardes ", "erase ", "别", "no ", "nicht a ", "ne a ", "write a "]
)
def test_a_long_message_is_read_in_little_time(part: str) -> None:
    """Seconds; what is looked at is bounded, and so is every pattern."""
    began = perf_counter()
    asks_discretion(part * 100_000)
    assert perf_counter() - began < 2
