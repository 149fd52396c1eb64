"""Write the user's message down, then do what it asks of memory itself."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig

from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.nodes.access import access, latest_question, text_of
from langgraph_memory.nodes.state import State
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.commands import Command, Order, parse

LISTED = 20


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
    if command := parse(text):
        story |= {"order": command.order.value}
        story |= _obey(here.memory, command, captured.event.id)
    return {
        "captured": story,
        "candidates": [],
        "verdicts": [],
        "evidence": [],
        "abstained": None,
        "recalled": [],
    }


def _obey(memory: ScopedMemory, command: Command, event_id: str) -> dict[str, Any]:
    match command.order:
        case Order.REMEMBER:
            done = memory.remember(command.argument, events=[event_id])
            return {"record_id": done.id, "effect": done.effect.value}
        case Order.FORGET:
            return _forget(memory, command.argument)
        case Order.LIST:
            page = memory.contents(limit=LISTED)
            return {"record_ids": [each.record.id for each in page.records], "total": page.total}


def _forget(memory: ScopedMemory, reference: str) -> dict[str, Any]:
    try:
        gone = memory.forget(reference, reason="asked in conversation")
    except AmbiguousReferenceError as exc:
        return {"effect": "ambiguous", "record_ids": list(exc.matches)}
    except NotFoundError:
        near = memory.recall(reference, limit=3)
        return {"effect": "not found", "record_ids": [hit.record.id for hit in near.evidence]}
    return {"record_id": gone.id, "effect": "deleted"}
