"""Write one statement into long-term memory: the only way in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.record import Record, Status, check_new
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import VersionConflictError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.admission import Admission, admit, check_key
from langgraph_memory.policy.conflict import Effect, decide
from langgraph_memory.ports import IndexEntry, Lifetime, Stored, Transaction
from langgraph_memory.text.scripts import clean

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
        explicit: Whether somebody said it on purpose, rather than background work.
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
    explicit: bool = True


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
class Prepared:
    """A statement that was let in and embedded; what is left needs only a transaction."""

    statement: Statement
    namespace: Namespace
    key: str
    admission: Admission
    entry: IndexEntry

    @property
    def papers(self) -> Provenance:
        """The statement's papers, stamped by the policy that let it in."""
        stamp = self.admission
        return replace(self.statement.provenance, purpose=stamp.purpose, policy=stamp.policy)


def remember(engine: Engine, statement: Statement) -> Remembered:
    """Write a statement, or strengthen what already says it.

    Raises:
        InvalidInputError: The write policy cannot take it as it is.
        VersionConflictError: ``expected`` is not the head any more.
    """
    return remember_all(engine, [statement])[0]


def remember_all(
    engine: Engine, statements: list[Statement], *, read: Event | None = None
) -> list[Remembered]:
    """Write statements in one transaction: all or none. Raises as :func:`remember`.

    Args:
        engine: The ports.
        statements: What to write, in order.
        read: The last event they were taken from; noted in the same transaction.
    """
    prepared = [prepare(engine, statement) for statement in statements]
    with engine.database.write() as tx:
        if read is not None and not tx.events.get([read.id]):
            return []  # purged while the texts were embedded: nothing of it comes back
        results = [write(engine, tx, each) for each in prepared]
        if read is not None:
            tx.events.consolidated(read)
    return results


def content_key(content: str) -> str:
    """Return the key of a statement without a name: the same words are the same record."""
    plain = " ".join(clean(content).casefold().split())
    return "c-" + hashlib.blake2b(plain.encode(), digest_size=12).hexdigest()


def lifetime(ttl_minutes: float | None, now: datetime) -> Lifetime:
    """Return the retention that begins at ``now``."""
    if ttl_minutes is None:
        return Lifetime()
    return Lifetime(ttl_minutes, now + timedelta(minutes=ttl_minutes))


def prepare(engine: Engine, statement: Statement) -> Prepared:
    """Decide what can be decided before the transaction; embedding is slow."""
    admission = admit(
        statement.content,
        statement.kind,
        metadata=statement.metadata,
        ttl_minutes=statement.ttl_minutes,
        purpose=statement.provenance.purpose,
    )
    content = admission.value["content"]
    key = content_key(content) if statement.key is None else check_key(statement.key)
    named = content if statement.key is None else f"{_spoken(key)}: {content}"
    label = f"{_spoken(key)}: " if _WORDS.fullmatch(statement.key or "") else ""
    entry = engine.entry([statement.embed or f"{label}{content}"], words=statement.words or named)
    return Prepared(statement, statement.scope.namespace(statement.kind), key, admission, entry)


def _spoken(key: str) -> str:
    return key.replace("_", " ")


def write(engine: Engine, tx: Transaction, each: Prepared) -> Remembered:
    """Write a prepared statement inside the caller's transaction. Raises as :func:`remember`."""
    statement, now = each.statement, engine.clock()
    stored = tx.records.head(each.namespace, each.key)
    if stored is None:
        check_new(each.namespace, each.key, statement.expected)
        kept = lifetime(each.admission.ttl_minutes, now)
        return _saved(tx, _begun(engine, each, now), None, each, Effect.BEGIN, kept)
    record = tx.records.load_row(stored.row)
    assert record is not None
    _check_expected(record, statement.expected)
    # What has expired is gone for its readers: what is said now begins a new life.
    before = record.delete(now=now) if stored.lifetime.over(now) else record
    value, papers = each.admission.value, each.papers
    effect = decide(
        before, value, papers, statement.valid,
        explicit=statement.explicit, same_words=statement.key is None,
    )  # fmt: skip
    if effect is Effect.NOTHING:
        return _result(record, effect)
    if effect is Effect.STRENGTHEN:
        return _strengthened(tx, stored, record, each, now)
    status = Status.PENDING if effect is Effect.HOLD else Status.ACTIVE
    grown = before.supersede(
        value, now=now, valid=statement.valid, provenance=papers, status=status
    )
    kept = lifetime(each.admission.ttl_minutes, now)
    if effect is Effect.HOLD or not statement.valid.began(now):
        kept = longer(stored.lifetime, kept)  # the statement that holds meanwhile outlives it
    return _saved(tx, grown, record, each, effect, kept)


def longer(one: Lifetime, other: Lifetime) -> Lifetime:
    """Return the lifetime that ends later; a permanent one never ends."""
    if one.expires_at is None or other.expires_at is None:
        return one if one.expires_at is None else other
    return one if one.expires_at >= other.expires_at else other


def _begun(engine: Engine, each: Prepared, now: datetime) -> Record:
    return Record.first(
        engine.new_id(), each.namespace, each.key, each.admission.value,
        now=now, valid=each.statement.valid, provenance=each.papers,
    )  # fmt: skip


def _saved(
    tx: Transaction, grown: Record, before: Record | None, each: Prepared, effect: Effect,
    kept: Lifetime,
) -> Remembered:  # fmt: skip
    known = before.head.number if before else 0
    tx.records.save(grown, known=known, entry=each.entry, lifetime=kept)
    old = before.head.value if before else None
    return _result(grown, effect, replaced=old.get("content") if old else None)


def _strengthened(
    tx: Transaction, stored: Stored, record: Record, each: Prepared, now: datetime
) -> Remembered:
    """Put more events behind the same statement, and let its retention run anew, never shorter.

    Background work changes no retention: what somebody chose stands.
    """
    papers = record.head.provenance.with_events(each.papers.event_ids)
    kept = stored.lifetime
    if each.statement.explicit:
        kept = longer(kept, lifetime(each.admission.ttl_minutes, now))
    tx.records.amend(stored, replace(record.head, provenance=papers), kept)
    return _result(record, Effect.STRENGTHEN)


def _result(record: Record, effect: Effect, *, replaced: str | None = None) -> Remembered:
    return Remembered(record.id, record.key, record.namespace, record.head.number, effect, replaced)


def _check_expected(record: Record, expected: int | None) -> None:
    if expected is not None and expected != record.head.number:
        raise VersionConflictError(record.namespace, record.key, expected, record.head.number)
