"""Read back what was said in a thread."""

from __future__ import annotations

from typing import Literal, cast

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.identity import check_thread
from langgraph_memory.ports import ChatMessage


def transcript(engine: Engine, scope: Scope, thread_id: str, *, limit: int) -> list[ChatMessage]:
    """Return a thread's messages in the order of capture.

    Raises:
        ThreadOwnershipError: The thread is somebody else's.
    """
    with engine.database.read() as tx:
        check_thread(thread_id, tx.events.owner(thread_id), scope)
        events = tx.events.thread(thread_id, limit=limit)
    return [ChatMessage(_role(event.role), event.content, event.id) for event in events]


def _role(role: str) -> Literal["system", "user", "assistant", "tool"]:
    known = role if role in ("system", "user", "assistant", "tool") else "user"
    return cast(Literal["system", "user", "assistant", "tool"], known)
