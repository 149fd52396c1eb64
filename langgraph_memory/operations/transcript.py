"""Read back what was said in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.policy.identity import check_thread
from langgraph_memory.ports import ChatMessage


def transcript(engine: Engine, scope: Scope, thread_id: str, *, limit: int) -> list[ChatMessage]:
    """Return a thread's messages in the order of capture.

    Raises:
        ThreadOwnershipError: The thread is somebody else's.
    """
    with engine.database.read() as tx:
        with noticing(engine, scope):
            check_thread(thread_id, tx.events.owner(thread_id), scope)
        events = tx.events.thread(thread_id, limit=limit)
    return [ChatMessage(_role(event.role), event.content, event.id) for event in events]


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a thread, and whether it is the latest."""

    content: str
    at: datetime
    latest: bool


def said(engine: Engine, scope: Scope, thread_id: str, message_id: str) -> Said | None:
    """Return one message of a thread; None where it was not captured.

    Raises:
        ThreadOwnershipError: The thread is somebody else's.
    """
    with engine.database.read() as tx:
        with noticing(engine, scope):
            check_thread(thread_id, tx.events.owner(thread_id), scope)
        event = tx.events.at(thread_id, message_id)
        latest = tx.events.latest(thread_id)
    if event is None:
        return None
    return Said(event.content, event.at, latest is not None and latest.id == event.id)


def _role(role: str) -> Literal["system", "user", "assistant", "tool"]:
    known = role if role in ("system", "user", "assistant", "tool") else "user"
    return cast(Literal["system", "user", "assistant", "tool"], known)
