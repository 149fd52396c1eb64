"""Statements on their way into memory, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.operations.embedding import Wording
from langgraph_memory.policy.admission import Admission
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.ports import IndexEntry


@dataclass(frozen=True, slots=True)
class Statement:
    """Something said that may become a memory.

    Attributes:
        content: The statement, in its own words.
        scope: Whose it is.
        provenance: Who said it, where.
        kind: What sort of memory.
        key: Its name; without one, the same words are the same record.
        valid: When it holds in the world.
        ttl_minutes: A lifetime instead of the kind's.
        metadata: Further JSON fields.
        embed: The text to embed, where it is more than the content.
        words: The text for full-text search, where it is more than the content.
        expected: The version the caller last read; 0 for "must be new".
        protected: Whether it is never evicted to make room.
        hidden: Whether search by query is not to find it.
        explicit: Whether somebody said it on purpose, rather than background work.
        supersedes: Whether, without a key, it may take the place of what it contradicts.
        ends: Keys of further memories of the scope that it contradicts.
        review: Whether it counts only once somebody approved it.
        said_at: When it was said, where that is not now: what was said later stands against it.
        corrects: Whether somebody puts right what stands under its name, an episode too.
    """

    content: str
    scope: Scope
    provenance: Provenance
    kind: Kind = Kind.SEMANTIC
    key: str | None = None
    valid: Interval = Interval()
    ttl_minutes: float | None = None
    metadata: Mapping[str, Any] | None = None
    embed: str | None = None
    words: str | None = None
    expected: int | None = None
    protected: bool = False
    hidden: bool = False
    explicit: bool = True
    supersedes: bool = True
    ends: tuple[str, ...] = ()
    review: bool = False
    said_at: datetime | None = None
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a statement.

    Attributes:
        id, key, namespace: The record's address.
        version: The number of its head.
        effect: What the statement did there.
        replaced: The text it took the place of, if any.
    """

    id: str
    key: str
    namespace: Namespace
    version: int
    effect: Effect
    replaced: str | None = None


@dataclass(frozen=True, slots=True)
class Admitted:
    """A statement that was let in, and the wording by which it is to be found."""

    statement: Statement
    namespace: Namespace
    key: str
    admission: Admission
    wording: Wording

    @property
    def papers(self) -> Provenance:
        """The statement's papers, stamped by the policy that let it in."""
        stamp = self.admission
        return replace(self.statement.provenance, purpose=stamp.purpose, policy=stamp.policy)


@dataclass(frozen=True, slots=True)
class Prepared(Admitted):
    """A statement that was let in and embedded; what is left needs only a transaction."""

    entry: IndexEntry = field(default_factory=IndexEntry)
