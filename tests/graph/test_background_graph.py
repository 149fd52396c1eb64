"""The second graph: background work by hand."""

from __future__ import annotations

import pytest
from talking import Talk

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import InvalidScopeError


def _tell(home: Home, who: ScopedMemory, thread: str, text: str) -> None:
    Talk(home, who, thread=thread).say(text)


def test_an_owners_run_does_that_owners_work_alone(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """R41, R5."""
    _tell(home, me, "a", "My sister lives in Lisbon with her cats.")
    _tell(home, stranger, "b", "My brother lives in Porto with his dogs.")
    out = home.background().invoke({}, context=me.context())
    assert out == {
        "done": [
            {
                "job": "consolidate:a",
                "thread_id": "a",
                "read": 2,
                "kept": 1,
                "known": 0,
                "held": 0,
                "refused": 0,
            }
        ],
        "left": 0,
    }
    assert me.contents().total == 1
    assert stranger.contents().total == 0


def test_a_run_that_names_nobody_does_everybodys(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    _tell(home, me, "a", "My sister lives in Lisbon with her cats.")
    _tell(home, stranger, "b", "My brother lives in Porto with his dogs.")
    out = home.background().invoke({})
    assert {each["thread_id"] for each in out["done"]} == {"a", "b"}
    assert stranger.contents().total == 1


def test_a_limit_leaves_the_rest_for_later(home: Home, me: ScopedMemory) -> None:
    for thread in "abc":
        _tell(home, me, thread, f"My sister number {thread} lives in Lisbon.")
    out = home.background().invoke({"limit": 2})
    assert (len(out["done"]), out["left"]) == (2, 1)
    assert home.background().invoke({})["left"] == 0
    assert home.background().invoke({}) == {"done": [], "left": 0}


async def test_it_runs_asynchronously(home: Home, me: ScopedMemory) -> None:
    agent = home.agent()
    await agent.ainvoke(
        {"messages": [("user", "My sister lives in Lisbon with her cats.")]},
        {"configurable": {"thread_id": "a"}},
        context=me.context(),
    )
    out = await home.background().ainvoke({}, context=me.context())
    assert out["done"][0]["kept"] == 1


def test_a_signed_in_user_cannot_do_anothers_work(home: Home, me: ScopedMemory) -> None:
    """R53: what the server says counts, and nobody signed in is nobody."""
    _tell(home, me, "a", "My sister lives in Lisbon with her cats.")
    eve = {"langgraph_auth_user": {"identity": "eve", "tenant": "acme"}}
    with pytest.raises(InvalidScopeError, match="claimed as"):
        home.background().invoke({}, {"configurable": eve}, context=me.context())
    out = home.background().invoke({}, {"configurable": eve})
    assert out == {"done": [], "left": 0}
