"""Show the background work that capture queued, and leave the thread tidy.

The worker does the work; the answer never waits for it. What the conversation no longer needs
in sight leaves the state here: the transcript keeps it, and memory finds it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.messages import RemoveMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.domain import run_state
from langgraph_memory.nodes.access import access
from langgraph_memory.nodes.state import PrivateState

CHECKPOINTS_KEPT = 140
"""Of a thread: the last 20 turns, at least, can be gone back to."""

TURNS_BETWEEN = 10
"""Turns after which what is older goes: a look at the thread each time would cost more."""


def consolidate(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Put the thread's queued job into the state, and take out what is out of sight."""
    here = access(config)
    run = run_state.finished(state["run_state"])
    found: PrivateState = {
        "run_state": run,
        "consolidation": here.memory.queued(here.thread_id),
        "recalled": [],  # a server keeps what it streamed last
    }
    messages = state.get("messages") or []
    gone: list[Any] = [RemoveMessage(str(each.id)) for each in messages[: -here.settings.tail]]
    if gone:
        found["messages"] = gone
    if run["budgets"]["turns"] % TURNS_BETWEEN == 0:
        here.memory.prune(here.thread_id, keep=CHECKPOINTS_KEPT)
    return found


async def aconsolidate(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(consolidate, state, config)
