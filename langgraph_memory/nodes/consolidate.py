"""Show the background work that capture queued; the worker does it, the answer never waits."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig

from langgraph_memory.nodes.access import access
from langgraph_memory.nodes.state import State


def consolidate(state: State, config: RunnableConfig) -> State:
    """Put the thread's queued job into the state."""
    here = access(config)
    return {"consolidation": here.memory.queued(here.thread_id)}
