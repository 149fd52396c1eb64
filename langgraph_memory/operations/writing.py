"""Write a prepared statement inside a transaction: read the chain, decide, save."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.json import same
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError, VersionConflictError
from langgraph_memory.operations.addressing import addressed
from langgraph_memory.operations.embedding import entry_as_told
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note
from langgraph_memory.operations.reviewed import check_reviewed
from langgraph_memory.operations.room import make_room, trim
from langgraph_memory.operations.statements import Prepared, Remembered
from langgraph_memory.policy.conflict import Effect, decide
from langgraph_memory.policy.procedures import is_procedure
from langgraph_memory.policy.retention import Retention, protects
from langgraph_memory.policy.trust import UNTRUSTED
from langgraph_memory.ports import Lifetime, Stored, Transaction


def write(
    engine: Engine, tx: Transaction, each: Prepared, *, retention: Retention | None = None
) -> Remembered:
    """Write a prepared statement inside the caller's transaction. Raises as :func:`remember`."""
    bounds = retention or engine.retention
    statement, now = each.statement, engine.clock()
    each = addressed(tx, each)
    stored = standing(tx, each.namespace, each.key, now, keep_expired=bounds.keep_expired)
    check_expected(stored, each.namespace, each.key, statement.expected, now)
    kept = _retention(each, now)
    record = tx.records.load_row(stored.row) if stored else None
    value, papers = each.admission.value, each.papers
    effect = decide(
        record, value, papers, statement.valid,
        now=now, explicit=statement.explicit, same_words=statement.key is None,
        review=statement.review or is_procedure(each.namespace),
        late=_is_late(tx, record, statement.said_at, now),
    )  # fmt: skip
    if record is not None and _replaces_episode(each, record, effect):
        if statement.explicit:
            raise InvalidInputError(
                f"{each.key!r} is an episode already, and no episode is replaced. Leave the key "
                "out or give another, or put its words right with correct()."
            )
        effect = Effect.NOTHING
    if effect is Effect.HOLD:
        note(engine, What.HELD, statement.scope)
    status = Status.PENDING if effect is Effect.HOLD else Status.ACTIVE
    if record is None or stored is None:
        begun = _begun(engine, each, now, status)
        return _saved(engine, tx, begun, None, each, effect, kept, bounds)
    if effect is Effect.NOTHING:
        return _result(record, effect)
    if effect is Effect.STRENGTHEN:
        return _strengthened(tx, stored, record, each, kept, now)
    grown = record.supersede(
        value, now=now, valid=statement.valid, provenance=papers, status=status
    )
    if effect is Effect.HOLD and papers.source.kind in UNTRUSTED:
        kept = stored.lifetime  # what waits prolongs nothing
    elif effect is Effect.HOLD or not statement.valid.began(now):
        kept = longer(stored.lifetime, kept)  # the statement that holds meanwhile outlives it
    if grown.searched is not grown.head:
        each = replace(each, entry=entry_as_told(tx, stored.row))
    return _saved(engine, tx, grown, record, each, effect, kept, bounds)


def _replaces_episode(each: Prepared, record: Record, effect: Effect) -> bool:
    """Tell whether a statement would tell something else under the name of an episode."""
    if each.statement.kind is not Kind.EPISODIC or each.statement.corrects:
        return False
    head, value = record.head, each.admission.value
    again = same(head.value, value) and head.valid == each.statement.valid
    return effect in (Effect.SUPERSEDE, Effect.HOLD) and not head.refutes and not again


def _is_late(
    tx: Transaction, record: Record | None, said_at: datetime | None, now: datetime
) -> bool:
    """Tell whether what a record says was said after ``said_at``."""
    if record is None or said_at is None:
        return False
    return last_said(tx, record.stated(now)) > said_at


def last_said(tx: Transaction, version: Version) -> datetime:
    """Return when a version's words were said last; when it was recorded, where no event tells."""
    events = tx.events.get(version.provenance.event_ids)
    return max((each.at for each in events), default=version.recorded_at)


def standing(
    tx: Transaction, namespace: Namespace, key: str, now: datetime, *, keep_expired: bool = False
) -> Stored | None:
    """Return the record at an address. What has expired there is erased: it is gone for good.

    With ``keep_expired`` it is there until a sweep removes it.
    """
    stored = tx.records.head(namespace, key)
    if stored is None or keep_expired or not stored.lifetime.over(now):
        return stored
    tx.records.erase([stored.row])
    return None


def check_expected(
    stored: Stored | None, namespace: Namespace, key: str, expected: int | None, now: datetime
) -> None:
    """Refuse a compare-and-set that was decided on another version than the present one.

    What was never written, is deleted, has expired or has ended is at version 0: a reader
    finds nothing. What has expired and is shown until a sweep is at its number, too.

    Raises:
        VersionConflictError: ``expected`` is another version.
    """
    there = stored and stored.head.value is not None and not stored.head.valid.ended(now)
    actual = stored.head.number if stored and there else 0
    if expected == 0 and stored and stored.lifetime.over(now):
        return
    if expected is not None and expected != actual:
        raise VersionConflictError(namespace, key, expected, actual)


def lifetime(ttl_minutes: float | None, now: datetime) -> Lifetime:
    """Return the retention that begins at ``now``."""
    if ttl_minutes is None:
        return Lifetime()
    return Lifetime(ttl_minutes, now + timedelta(minutes=ttl_minutes))


def longer(one: Lifetime, other: Lifetime) -> Lifetime:
    """Return the lifetime that ends later; a permanent one never ends."""
    both = one.protected or other.protected
    if one.expires_at is None or other.expires_at is None:
        return replace(one if one.expires_at is None else other, protected=both)
    return replace(one if one.expires_at >= other.expires_at else other, protected=both)


def _retention(each: Prepared, now: datetime) -> Lifetime:
    protected = each.statement.protected or protects(each.statement.kind, each.papers)
    return replace(lifetime(each.admission.ttl_minutes, now), protected=protected)


def _begun(engine: Engine, each: Prepared, now: datetime, status: Status) -> Record:
    return Record.first(
        engine.new_id(), each.namespace, each.key, each.admission.value,
        now=now, valid=each.statement.valid, provenance=each.papers, status=status,
    )  # fmt: skip


def _saved(
    engine: Engine, tx: Transaction, grown: Record, before: Record | None, each: Prepared,
    effect: Effect, kept: Lifetime, bounds: Retention,
) -> Remembered:  # fmt: skip
    known = before.head.number if before else 0
    check_reviewed(tx, before, grown)
    stored = tx.records.save(grown, known=known, entry=each.entry, lifetime=kept)
    if before is None or before.head.value is None:
        make_room(engine, tx, stored, bounds)
    trim(tx, stored.row, grown, bounds)
    old = (
        before.stated(grown.head.recorded_at).value
        if before and effect is Effect.SUPERSEDE
        else None
    )
    return _result(grown, effect, replaced=old.get("content") if old else None)


def _strengthened(
    tx: Transaction, stored: Stored, record: Record, each: Prepared, fresh: Lifetime, now: datetime
) -> Remembered:
    """Put more events behind the same statement, and let its retention run anew, never shorter.

    Background work and what is not trusted change no retention: what somebody chose stands.
    """
    holds = record.current(now)
    waits = record.head.status is Status.PENDING
    if waits and holds is not None and not same(record.head.value, each.admission.value):
        return replace(_result(record, Effect.STRENGTHEN), version=holds.number)  # what waits stays
    papers = record.head.provenance.with_events(each.papers.event_ids)
    kept = stored.lifetime
    if each.statement.explicit and each.papers.source.kind not in UNTRUSTED:
        kept = longer(kept, fresh)
    tx.records.amend(stored, record.head._replace(provenance=papers), kept)
    return _result(record, Effect.STRENGTHEN)


def _result(record: Record, effect: Effect, *, replaced: str | None = None) -> Remembered:
    return Remembered(record.id, record.key, record.namespace, record.head.number, effect, replaced)
