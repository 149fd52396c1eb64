"""Write the user's message down, then do what it asks of memory itself."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig

from langgraph_memory.nodes.access import access, latest_question, text_of
from langgraph_memory.nodes.state import State
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.commands import parse


def capture(state: State, config: RunnableConfig) -> State:
    """Capture the latest user message as an event, once, and carry out an order in it."""
    here = access(config)
    message = latest_question(state)
    text = text_of(message)
    [captured] = here.memory.capture(
        [Utterance(here.thread_id, str(message.id), "user", text)], consolidate=True
    )
    story: dict[str, Any] = {
        "event_id": captured.event.id,
        "new": captured.new,
        "at": captured.event.at.isoformat(),
    }
    if command := parse(captured.event.content):
        story |= {"order": command.order.value}
        story |= here.memory.obey(command, captured.event.id)
    return {
        "captured": story,
        "candidates": [],
        "verdicts": [],
        "evidence": [],
        "abstained": None,
        "recalled": [],
    }
