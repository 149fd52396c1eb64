"""Where a statement came from, and who vouches for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self


class SourceKind(StrEnum):
    """What sort of speaker a statement came from."""

    USER = "user"
    SYSTEM = "system"
    APPLICATION = "application"
    TOOL = "tool"
    DOCUMENT = "document"
    WEB = "web"
    MODEL = "model"


class Verification(StrEnum):
    """Who vouches for a statement."""

    UNVERIFIED = "unverified"
    USER_STATED = "user-stated"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class Source:
    """A speaker: its sort and its name (a user id, a file, a system of record)."""

    kind: SourceKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Provenance:
    """The papers of one version.

    Attributes:
        source: Who said it.
        event_ids: The captured events it was said in.
        derived_from: Ids of the records it was made from, for summaries and the like.
        verification: Who vouches for it.
        purpose: The task it serves.
        policy: The version of the write policy that let it in; empty for plain items.
        reason: Why this version was written, where it is more than "it was said".
        approved_by: Who let it count, where it had to wait for a review.
        author: The user who stated it in a shared scope, whatever the source; empty elsewhere.
    """

    source: Source
    event_ids: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    verification: Verification = Verification.UNVERIFIED
    purpose: str = ""
    policy: str = ""
    reason: str = ""
    approved_by: str = ""
    author: str = ""

    def with_events(self, event_ids: tuple[str, ...]) -> Self:
        """Return the same papers with more events behind them, each once, in order."""
        return replace(self, event_ids=tuple(dict.fromkeys((*self.event_ids, *event_ids))))


PLAIN = Provenance(Source(SourceKind.APPLICATION))
