"""Messages that order something of memory, and messages that do not: how many are told apart.

``order_messages.jsonl`` is read by rule, in English and Chinese; ``order_calls.jsonl`` holds calls
of a model in fifteen languages and a few more, each with whether the message asks for it. The
held-out half was written before the rules and never tuned on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.consent import asked_for
from langgraph_memory.policy.orders.reading import read

HERE = Path(__file__).parent
FLOORS = {"chosen": 1.0, "held out": 0.95}


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


MESSAGES, CALLS = cases("order_messages.jsonl"), cases("order_calls.jsonl")


def is_read(case: dict[str, Any]) -> bool:
    reading = read(case["text"])
    orders = [[each.order.value, each.argument.rstrip(".!?。！ "), each.about]
              for each in reading.orders]  # fmt: skip
    return bool(orders == case["orders"] and reading.rest == case["rest"])


def is_judged(case: dict[str, Any]) -> bool:
    command = Command(Order(case["order"]), case["argument"], case["about"])
    return asked_for(command, case["text"]) is bool(case["asked"])


@pytest.mark.parametrize("half", FLOORS)
def test_a_message_is_read_as_it_is_meant(half: str) -> None:
    """R60, R64: every order in it, in order, and what else it asks."""
    for kind in (True, False):
        told = [is_read(each) for each in MESSAGES
                if each["half"] == half and bool(each["orders"]) is kind]  # fmt: skip
        print(f"{half}, {'orders' if kind else 'no orders'}: {sum(told)} of {len(told)} read")
        assert sum(told) >= FLOORS[half] * len(told)


@pytest.mark.parametrize("half", FLOORS)
def test_a_call_counts_where_it_was_asked_for(half: str) -> None:
    """R51, R53: in each language, and with each order."""
    for asked in (True, False):
        told = [is_judged(each) for each in CALLS
                if each["half"] == half and each["asked"] is asked]  # fmt: skip
        print(f"{half}, {'asked for' if asked else 'not asked for'}: {sum(told)} of {len(told)}")
        assert sum(told) >= (FLOORS[half] if asked else 1.0) * len(told)
