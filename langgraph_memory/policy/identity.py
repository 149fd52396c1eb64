"""Whose thread is it? A thread belongs to the identity that opened it."""

from __future__ import annotations

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import ThreadOwnershipError


def check_thread(thread_id: str, owner: Scope | None, asker: Scope) -> bool:
    """Tell whether the thread must still be bound to the asker.

    Raises:
        ThreadOwnershipError: Another identity opened it.
    """
    if owner is None:
        return True
    if owner != asker.owner:
        raise ThreadOwnershipError(thread_id)
    return False
