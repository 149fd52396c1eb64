"""Who has which role in shared scopes, and what was refused and noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from langgraph_memory.domain.counts import Count
from langgraph_memory.domain.roles import Grant, Loss, Role
from langgraph_memory.domain.scope import Scope


class Grants(Protocol):
    """The roles that were given or taken away, one a user and place."""

    def put(self, grant: Grant) -> None:
        """Write a grant; what the user had there before gives way to it."""

    def take(self, loss: Loss) -> None:
        """Take a user's role away, and write who did it; a later grant takes the place of that."""

    def of(self, tenant: str, user: str) -> Mapping[str | None, Role]:
        """Return a user's roles by project; one that cannot be read is none."""

    def at(self, tenant: str, project: str | None) -> list[Grant]:
        """Return who has a role in a place, by user."""

    def lost(self, tenant: str, project: str | None) -> list[Loss]:
        """Return whose role in a place was taken away, by user."""

    def count(self, owner: Scope) -> int:
        """Return how many grants and losses are a user's; without a user, all of the tenant."""

    def erase(self, owner: Scope) -> int:
        """Remove what :meth:`count` counts, and the user's name from what they gave and took."""


class Counts(Protocol):
    """How often things were refused and noticed, by who did it and day."""

    def add(self, counts: Sequence[Count]) -> None:
        """Add to what is there."""

    def since(self, day: date | None) -> list[Count]:
        """Return all counts from a day on, in no order; what cannot be read is left out."""

    def oldest(self) -> str:
        """Return the earliest day of which anything is counted, as ISO 8601; empty without one."""

    def trim(self, *, before: date) -> int:
        """Remove the counts of earlier days; return how many rows went."""

    def count(self, owner: Scope) -> int:
        """Return how many rows there are of what exactly this user, or the program, did."""

    def erase(self, owner: Scope) -> int:
        """Remove them; return how many."""
