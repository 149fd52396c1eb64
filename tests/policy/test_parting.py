"""A message in what it states and what it asks."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.policy.updates.parting import LONGEST, Parted, parted


@pytest.mark.parametrize(
    ("message", "states", "asks", "leans"),
    [
        ("Bob owns deployment. Who owns deployment?", ("Bob owns deployment.",),
         "Who owns deployment?", False),
        ("The budget is $200 now, what can we buy?", ("The budget is $200 now",),
         "what can we buy?", True),
        ("The budget is $200. What can we buy with it?", ("The budget is $200.",),
         "What can we buy with it?", True),
        ("I work at bosch now. where do i work?", ("I work at bosch now.",),
         "where do i work?", False),
        ("发布日期现在是星期一,发布日期是什么时候?", ("发布日期现在是星期一",),
         "发布日期是什么时候?", True),
        ("Draft a letter. The rent is 1,300 now.", ("The rent is 1,300 now.",),
         "Draft a letter.", True),
        ("Hi! I live in Berlin.", ("I live in Berlin.",), "", False),
        ("I prefer tea.", ("I prefer tea.",), "", False),
    ],
)  # fmt: skip
def test_what_is_stated_is_parted_from_what_is_asked(
    message: str, states: tuple[str, ...], asks: str, leans: bool
) -> None:
    """R39."""
    assert parted(message) == Parted(states, asks, leans)


@pytest.mark.parametrize(
    "message",
    [
        "Who owns deployment?", "where do i live", "launch date", "Thanks!", "Hello, how are you?",
        "My manager is Tom, right?", "Tell me about deployment", "I'd like to know who owns it",
        "I don't know who owns deployment.", "Translate this to French. I live in Paris now.",
        "请翻译：我住在巴黎。", "如果我住在巴黎呢？", "", "?",
    ],
)  # fmt: skip
def test_what_states_nothing_asks_as_a_whole(message: str) -> None:
    assert parted(message) == Parted((), message)


@given(st.text(max_size=300))
def test_odd_messages_are_no_trouble(message: str) -> None:
    found = parted(message)
    assert found.states or found.asks == message


@pytest.mark.parametrize("piece", ["I am. ", "and ", "a, ", "is it? ", "我，", "> ", '"'])
def test_long_messages_take_no_long_time(piece: str) -> None:
    started = time.perf_counter()
    parted((piece * LONGEST)[:LONGEST])
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("message", "states", "asks"),
    [
        ("Launch is Monday. When do we launch?", ("Launch is Monday.",), "When do we launch?"),
        ("Since the launch is on Monday, how many days are left?", ("the launch is on Monday",),
         "how many days are left?"),
        ("As I'm vegan now, what can I cook?", ("I'm vegan now",), "what can I cook?"),
    ],
)  # fmt: skip
def test_a_short_statement_and_the_ground_of_a_question_are_stated(
    message: str, states: tuple[str, ...], asks: str
) -> None:
    found = parted(message)
    assert (found.states, found.asks) == (states, asks)


@pytest.mark.parametrize("message", ["It is Monday. What now?", "Is Monday fine?", "Rome is big."])
def test_talk_is_no_short_statement_with_a_value(message: str) -> None:
    assert parted(message).states == ()
