"""A thread has one owner, its copies included, and its steps are written as a caller asks."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from talking import Talk

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import ThreadOwnershipError
from langgraph_memory.storage.checkpoints import rows


def unclaimed(home: Home, thread: str) -> None:
    """Write a checkpoint of a program's own, past every owner."""
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    home.checkpointer.put(config, empty_checkpoint(), {}, {})


def copied_past_us(home: Home, source: str, target: str) -> None:
    with home.checkpointer.cursor() as cursor:
        rows.copy(cursor, source, target)


def test_nobodys_thread_is_not_copied_to_somebodys(home: Home, stranger: ScopedMemory) -> None:
    """R46: what somebody claimed begins with nobody else's conversation."""
    unclaimed(home, "free")
    stranger.claim("theirs")
    with pytest.raises(ThreadOwnershipError):
        home.checkpointer.copy_thread("free", "theirs")
    assert home.checkpointer.count("theirs") == 0


def test_nobodys_thread_is_copied_to_nobodys(home: Home, me: ScopedMemory) -> None:
    unclaimed(home, "free")
    home.checkpointer.copy_thread("free", "copy")
    assert home.checkpointer.count("copy") == 1
    assert me.is_unclaimed("copy")


def test_an_owner_may_copy_to_what_they_claimed(home: Home, me: ScopedMemory) -> None:
    Talk(home, me).say("Remember that p is TULIP")
    me.claim("copy")
    home.checkpointer.copy_thread("t", "copy")
    assert "TULIP" in Talk(home, me, thread="copy").say("What is p?")


def test_a_copy_that_was_made_past_us_is_its_owners(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """R46: its state says whose message it speaks of."""
    Talk(home, me).say("Remember that p is TULIP")
    copied_past_us(home, "t", "copy")
    with pytest.raises(ThreadOwnershipError):
        Talk(home, stranger, thread="copy").say("What is p?")
    assert me.is_unclaimed("copy")
    assert "TULIP" in Talk(home, me, thread="copy").say("What is p?")
    assert not me.is_unclaimed("copy")


async def test_it_is_refused_by_the_async_door_too(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    Talk(home, me).say("Remember that p is TULIP")
    copied_past_us(home, "t", "copy")
    other = Talk(home, stranger, thread="copy")
    with pytest.raises(ThreadOwnershipError):
        await other.agent.ainvoke(
            {"messages": [("user", "What is p?")]}, other.config, context=stranger.context()
        )


def test_a_project_and_an_agent_of_an_owner_share_their_threads(home: Home) -> None:
    """R46: a thread is a person's, whatever they work on."""
    one, other = (home.memory.scope(tenant="acme", user="jane", project=each) for each in "ab")
    Talk(home, one).say("Remember that p is TULIP")
    copied_past_us(home, "t", "copy")
    Talk(home, other, thread="copy").say("Hello")
    assert not other.is_unclaimed("copy")


@pytest.mark.parametrize("how", [{"durability": "exit"}, {"checkpoint_during": False}])
@pytest.mark.filterwarnings("ignore:`checkpoint_during` is deprecated")
def test_who_chooses_how_steps_are_written_is_heard(
    home: Home, me: ScopedMemory, how: dict[str, Any]
) -> None:
    """In the old words, too: written at the end alone."""
    message = {"messages": [("user", "Hello there")]}
    for thread, options in (("each", {}), ("end", how)):
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        home.agent().invoke(message, config, context=me.context(), **options)
    assert home.checkpointer.count("end") == 1
    assert home.checkpointer.count("each") > 1
