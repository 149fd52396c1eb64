"""Statements on their way into memory: let in, given a wording, embedded. No transaction yet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.embedding import Wording
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note, noticing
from langgraph_memory.policy.admission import Admission, admit, check_key
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.keys import content_key, spoken_key
from langgraph_memory.policy.quarantine import suspicion
from langgraph_memory.policy.trust import check_kind
from langgraph_memory.policy.updates import asked_by
from langgraph_memory.ports import IndexEntry
from langgraph_memory.text.secrets import find, redact

_REDACTED = re.compile(r"\[redacted: ([^\]]+)\]")
_WORDS = re.compile(r"[A-Za-z]{2,}(?:[ _-][A-Za-z]{2,}){0,5}")
"""A key that is a name in words, such as ``launch_date``, is embedded with the statement."""


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


def prepare(engine: Engine, statements: Sequence[Statement]) -> list[Prepared]:
    """Decide what can be decided before the transaction; embedding is slow.

    Raises:
        InvalidInputError: The write policy cannot take a statement as it is.
        RefusedError: It holds a credential.
    """
    let_in = [let_in_by(engine, each) for each in statements]
    return embedded(let_in, engine.entries([each.wording for each in let_in]))


def embedded(let_in: Sequence[Admitted], entries: Sequence[IndexEntry]) -> list[Prepared]:
    """Return statements with what search is told of them."""
    return [
        Prepared(each.statement, each.namespace, each.key, each.admission, each.wording, entry)
        for each, entry in zip(let_in, entries, strict=True)
    ]


def let_in_by(engine: Engine, statement: Statement) -> Admitted:
    """Do what :func:`admitted` does, and count what is refused, redacted or quarantined."""
    with noticing(engine, statement.scope):
        done = admitted(statement)
    now = done.statement
    if now.content != statement.content:
        note(engine, What.REDACTED, statement.scope)
    if now.provenance.reason != statement.provenance.reason:
        note(engine, What.QUARANTINED, statement.scope)
    return done


def admitted(statement: Statement) -> Admitted:
    """Let a statement in. Raises as :func:`prepare`."""
    statement = trusted(without_credentials(statement))
    admission = admit(
        statement.content,
        statement.kind,
        metadata=statement.metadata,
        ttl_minutes=statement.ttl_minutes,
        purpose=statement.provenance.purpose,
    )
    content = admission.value["content"]
    key = content_key(content) if statement.key is None else check_key(statement.key)
    name = spoken_key(key)
    asked = asked_by(content) if statement.kind is Kind.SEMANTIC else ""
    named = ": ".join(filter(None, (name, asked, content)))
    label = f"{name}: " if _WORDS.fullmatch(statement.key or "") else ""
    label = label or (f"{asked}: " if asked else "")
    wording = Wording((statement.embed or f"{label}{content}",), statement.words or named)
    if statement.hidden:
        wording = Wording()
    return Admitted(statement, statement.scope.namespace(statement.kind), key, admission, wording)


def trusted(statement: Statement) -> Statement:
    """Put a statement under quarantine that comes from outside and reads like an order.

    Raises:
        RefusedError: It is a way of working from outside.
    """
    papers = statement.provenance
    check_kind(papers, statement.kind)
    beside = json.dumps(statement.metadata or {}, ensure_ascii=False, default=str)
    said = (statement.key or "", papers.source.name, str(statement.content), beside)
    why = suspicion("\n".join(said), papers)
    if not why:
        return statement
    papers = replace(papers, reason=f"quarantined: {why}")
    return replace(statement, provenance=papers, review=True)


def without_credentials(statement: Statement) -> Statement:
    """Refuse a statement with a credential in it; one that nobody made on purpose loses it.

    Raises:
        RefusedError: It was made on purpose.
    """
    said = str(statement.content)  # admission refuses what is no text
    kinds = [each.kind for each in find(said)] or _REDACTED.findall(said)
    if not kinds:
        return statement
    if statement.explicit:
        raise RefusedError("no credentials", f"it holds what looks like a credential ({kinds[0]})")
    embed, words = (each and redact(each) for each in (statement.embed, statement.words))
    return replace(statement, content=redact(said), embed=embed, words=words)
