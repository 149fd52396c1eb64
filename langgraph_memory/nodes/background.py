"""The second graph: background work by hand, by cron, or wherever no worker runs.

A signed-in user's run does that user's work alone; a run that names nobody, on a server where
nobody signs in, does everybody's. Each job is a step of its own, so that one sees what was done;
the queue keeps what was not, and its lease keeps a worker off the job in hand.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from langgraph_memory.domain.scope import Scope
from langgraph_memory.nodes.access import anybody, identify, run_context, whole_memory
from langgraph_memory.nodes.context import MemoryContext
from langgraph_memory.operations.worker import Worked

MOST_JOBS = 100


class ConsolidateInput(TypedDict, total=False):
    """What a caller may send: how many jobs to do at most, 100 if omitted."""

    limit: int


class ConsolidateOutput(TypedDict, total=False):
    """What was done.

    Attributes:
        done: Each job: its thread, what was read, kept, known already and held, or its error.
        left: Jobs that wait still, failed ones included.
    """

    done: list[dict[str, Any]]
    left: int


class ConsolidateState(ConsolidateInput, ConsolidateOutput, total=False):
    """Everything at once.

    Attributes:
        found: Whether the last look found a job.
    """

    found: bool


def find(state: ConsolidateState, config: RunnableConfig) -> ConsolidateState:
    """Count what waits, and begin a new report."""
    waiting = len(whole_memory().jobs(_owner(config)))
    return {"done": [], "left": waiting, "found": waiting > 0}


def consolidate(state: ConsolidateState, config: RunnableConfig) -> ConsolidateState:
    """Do one job."""
    memory, owner = whole_memory(), _owner(config)
    worked = memory.work_on(owner)
    done = state.get("done") or []
    if worked is not None:
        done = [*done, _told(worked)]
    return {"done": done, "left": len(memory.jobs(owner)), "found": worked is not None}


async def afind(state: ConsolidateState, config: RunnableConfig) -> ConsolidateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(find, state, config)


async def aconsolidate(state: ConsolidateState, config: RunnableConfig) -> ConsolidateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(consolidate, state, config)


def build_background() -> StateGraph[Any, MemoryContext, Any, Any]:
    """Return the graph, not yet compiled: bind one of our stores."""
    graph: StateGraph[Any, MemoryContext, Any, Any] = StateGraph(
        ConsolidateState,
        context_schema=MemoryContext,
        input_schema=ConsolidateInput,
        output_schema=ConsolidateOutput,
    )
    graph.add_node("find", RunnableLambda(find, afunc=afind, name="find"))
    graph.add_node(
        "consolidate", RunnableLambda(consolidate, afunc=aconsolidate, name="consolidate")
    )
    graph.add_edge(START, "find")
    graph.add_conditional_edges("find", _goes_on, {"consolidate": "consolidate", "end": END})
    graph.add_conditional_edges("consolidate", _goes_on, {"consolidate": "consolidate", "end": END})
    return graph


def _goes_on(state: ConsolidateState) -> Literal["consolidate", "end"]:
    limit = min(state.get("limit") or MOST_JOBS, MOST_JOBS)
    more = state.get("found") and len(state.get("done") or []) < limit
    return "consolidate" if more else "end"


def _owner(config: RunnableConfig) -> Scope | None:
    context, configurable = run_context(), dict(config.get("configurable") or {})
    return None if anybody(context, configurable) else identify(context, configurable).owner


def _told(worked: Worked) -> dict[str, Any]:
    told: dict[str, Any] = {"job": worked.job.key, "thread_id": worked.job.thread_id}
    if worked.done is None:
        return {**told, "error": worked.error}
    return {**told, **asdict(worked.done)}
