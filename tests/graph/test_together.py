"""Several at once on one compiled graph: each gets their own memory, and one turn a message."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from langchain_core.runnables import RunnableConfig
from talking import Talk, answer_of

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.testing import ScriptedChatModel

TURNS = 50


def config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}


def two(home: Home) -> list[ScopedMemory]:
    users = [home.memory.scope(tenant="acme", user=name) for name in ("a.b", "a_b")]
    for user in users:
        user.remember(f"My code name is {user.bound.user}", key="code")
    return users


async def test_two_users_interleaved_on_one_event_loop(home: Home) -> None:
    """B8: fifty turns of each, at the same time."""
    agent, users = home.agent(), two(home)

    async def ask(user: ScopedMemory, turn: int) -> str:
        message = {"messages": [("user", "What is my code name?")]}
        thread = config(f"{user.bound.user}-{turn % 5}")
        # Turns of one thread follow each other; threads and users do not wait.
        async with locks[f"{user.bound.user}-{turn % 5}"]:
            out = await agent.ainvoke(message, thread, context=user.context())
        return answer_of(out)

    locks = {f"{user.bound.user}-{n}": asyncio.Lock() for user in users for n in range(5)}
    asked = [(user, turn) for turn in range(TURNS) for user in users]
    answers = await asyncio.gather(*(ask(user, turn) for user, turn in asked))
    for (user, _), answer in zip(asked, answers, strict=True):
        assert f"“My code name is {user.bound.user}”" in answer
    for user in users:
        for number in range(5):
            said = user.transcript(f"{user.bound.user}-{number}")
            assert [each.role for each in said] == ["user", "assistant"] * (TURNS // 5)


def test_two_users_in_threads_with_a_model(home: Home) -> None:
    """B8: a model sees the memory of who asks, and of nobody else."""
    users = two(home)
    model = ScriptedChatModel(lambda messages: "Hello.")
    agent = home.agent(model)

    def ask(turn: int) -> None:
        user = users[turn % 2]
        agent.invoke(
            {"messages": [("user", f"What is my code name? I am {user.bound.user}")]},
            config(f"t{turn}"),
            context=user.context(),
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(TURNS)))
    assert len(model.requests) == TURNS
    for request in model.requests:
        who = request[-1].text.rpartition(" ")[2]
        other = "a_b" if who == "a.b" else "a.b"
        assert f"My code name is {who}" in request[-2].text
        assert f"My code name is {other}" not in request[-2].text


def test_what_one_thread_wrote_the_others_of_the_user_know(home: Home, me: ScopedMemory) -> None:
    """R5: parallel threads of one user share the memory, not the conversation."""
    with ThreadPoolExecutor(4) as pool:
        told = pool.map(
            lambda number: Talk(home, me, thread=f"t{number}").say(
                f"Remember that room {number} is painted blue"
            ),
            range(8),
        )
        assert all("I will remember" in each for each in told)
    assert "room 3 is painted blue" in Talk(home, me, thread="new").say("What colour is room 3?")
    assert me.contents().total == 8
