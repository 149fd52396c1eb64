"""What runs have in progress."""

from __future__ import annotations

from typing import Protocol

from langgraph_memory.domain.findings import Check


class RunState(Protocol):
    """What runs have in progress, by thread; the checkpointer's side of a purge."""

    def count(self, thread_id: str) -> int:
        """Return how many rows a thread has."""

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything kept for a thread."""

    def prune_thread(self, thread_id: str, *, keep: int) -> int:
        """Remove all but the newest ``keep`` states of a thread; return how many went.

        Cheap enough for every turn. What can still be resumed stays.
        """

    def check(self) -> Check:
        """Check the files that it is kept in."""
