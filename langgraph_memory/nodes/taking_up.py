"""Is this message the turn in the state, sent again, or another one?"""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage, RemoveMessage

from langgraph_memory.nodes.access import latest_question, unanswered, whole_memory
from langgraph_memory.nodes.state import PrivateState


def taken_up(state: PrivateState) -> tuple[HumanMessage, list[Any]]:
    """Return the message of this turn, and what leaves the conversation as a repetition.

    LangGraph gives a message that comes without an id a new one each time. The same words right
    after a message that was never answered, or after several, are those, sent again. So are the
    same words after an answer whose run died before its end: nobody may have seen that answer.
    """
    message = latest_question(state)
    said = [*unanswered(state, message), message]
    before = _of_a_run_that_died(state, said[0])
    if [each.content for each in said] == [each.content for each in before]:
        return before[-1], [RemoveMessage(str(each.id)) for each in said]
    for count in range(len(said) // 2, 0, -1):
        again, before = said[-count:], said[-2 * count : -count]
        if [each.content for each in again] == [each.content for each in before]:
            return before[-1], [RemoveMessage(str(each.id)) for each in again]
    return message, []


def goes_on(state: PrivateState, ours: set[str]) -> bool:
    """Tell whether the turn in the state is the one of these events, and has not ended."""
    run, before = state.get("run_state"), state.get("captured") or {}
    return run is not None and run["status"] != "done" and before.get("event_id") in ours


def costs_so_far(state: PrivateState, event_id: str) -> PrivateState:
    """Return the usage of a turn that begins; of one that is taken up again, what it has so far."""
    if goes_on(state, {event_id}):
        return {}
    return {"usage": {"versions": whole_memory().versions()}, "context_report": None}


def _of_a_run_that_died(state: PrivateState, first: HumanMessage) -> list[HumanMessage]:
    """Return what the answer before ``first`` answers, if its run never came to an end."""
    run = state.get("run_state")
    if run is None or run["status"] != "answered":
        return []
    messages = list(state.get("messages") or [])
    earlier = messages[: [each.id for each in messages].index(first.id)]
    asked = [each for each in earlier if isinstance(each, HumanMessage)]
    return [*unanswered(state, asked[-1]), asked[-1]] if asked else []
