"""The queue from the truth to its indexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports.basics import Vectors


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One announcement: look at this record again.

    Attributes:
        sequence: Grows with each commit; never reused.
        row: The record.
        namespace: Where it stands; None when it was erased.
        vectors: The head's vectors at the time of reading, None if it has none or is gone.
    """

    sequence: int
    row: int
    namespace: Namespace | None
    vectors: Vectors | None


class Outbox(Protocol):
    """The queue from the truth to its indexes."""

    def last(self) -> int:
        """Return the highest sequence number ever given, 0 in an empty home."""

    def floor(self) -> int:
        """Return the highest sequence number pruned away; who stands below it reloads."""

    def after(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        """Return announcements after ``sequence``, oldest first, one per record: its last."""

    def changed(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        """Return the same without vectors."""

    def snapshot(self) -> Iterator[OutboxRow]:
        """Yield one row for each record that has vectors now, for a mirror that starts anew."""

    def followed(self, follower: str) -> int:
        """Return how far a follower has come; 0 when it never reported."""

    def follow(self, follower: str, sequence: int) -> None:
        """Note how far a follower has come, and prune what no follower still owes."""

    def restart(self) -> None:
        """Drop all announcements and raise the floor past them, so that every mirror reloads."""
