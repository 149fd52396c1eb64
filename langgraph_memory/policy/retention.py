"""How much is kept: the room of a namespace, the length of a chain, what never gives way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from langgraph_memory.domain.provenance import Provenance, Verification
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError

KEEP_VERSIONS = 1_000
"""Versions kept of one record: what an agent writes every turn must not grow for ever."""


@dataclass(frozen=True, slots=True)
class Retention:
    """What bounds the growth of a namespace and of a record.

    Attributes:
        max_items: Live items in one namespace, its children not counted; None is no bound.
            Past it, expired items give way first, then those that were written or used
            longest ago; protected ones never.
        keep_versions: The newest versions kept of a record; None keeps all.
        keep_expired: Whether what has expired is there until a sweep: a write goes on from it,
            instead of erasing it first.

    Raises:
        InvalidInputError: A bound below 1.
    """

    max_items: int | None = None
    keep_versions: int | None = KEEP_VERSIONS
    keep_expired: bool = False

    def __post_init__(self) -> None:
        for name in ("max_items", "keep_versions"):
            bound = getattr(self, name)
            if bound is not None and (type(bound) is not int or bound < 1):
                raise InvalidInputError(f"{name} is {bound!r}; give 1 or more, or None for all.")

    def but(self, max_items: int | None, keep_versions: int | None) -> Retention:
        """Return these bounds with others in the place of those given; 0 versions keeps all.

        Raises:
            InvalidInputError: An impossible bound.
        """
        kept = self.keep_versions if keep_versions is None else keep_versions or None
        most = self.max_items if max_items is None else max_items
        return replace(self, max_items=most, keep_versions=kept)

    def showing(self, *, hide_expired: bool) -> Retention:
        """Return these bounds for a reader that is, or is not, shown what has expired."""
        return replace(self, keep_expired=not hide_expired)


def protects(kind: Kind, provenance: Provenance) -> bool:
    """Tell whether a memory never gives way to newer ones.

    What a system of record vouches for and what was agreed as a way of working do not
    become less true by being read seldom.
    """
    return kind is Kind.PROCEDURAL or provenance.verification is Verification.VERIFIED
