"""Look at what is kept: lists, one record with its history, and where it came from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.record import Record, Status, Version, check_limits
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import InvalidInputError, StorageError
from langgraph_memory.operations.engine import READS_WAIT_SECONDS, Engine
from langgraph_memory.operations.reference import owned, resolve
from langgraph_memory.ports import Lifetime, Use


@dataclass(frozen=True, slots=True)
class Inspected:
    """One record as its owner may see it.

    Attributes:
        record: The chain of versions.
        lifetime: How long it is kept.
        events: The captured events that it was said in, where they are still there: what holds,
            and what waits for a review beside it.
        use: How often it was evidence, and when last; None if never.
        standing: What is thought now of each version, in the order of the chain.
    """

    record: Record
    lifetime: Lifetime
    events: tuple[Event, ...] = ()
    use: Use | None = None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contents:
    """A page of what a scope holds, and how much there is in all."""

    records: tuple[Inspected, ...]
    total: int
    events: int
    as_of: datetime


def contents(
    engine: Engine, scope: Scope, *, limit: int = 50, offset: int = 0,
    status: Status | str | None = None,
) -> Contents:  # fmt: skip
    """Return a scope's live records, latest write first; ``total`` says how many there are.

    Args:
        engine: The ports.
        scope: Whose.
        limit: At most so many.
        offset: Pass over so many.
        status: Only those whose last version is in it.

    Raises:
        InvalidInputError: There is no such status, or paging is negative.
    """
    check_limits(limit, offset)
    wanted = None if status is None else _status(status)
    with engine.database.read() as tx:
        ours = owned(engine, tx, scope)
        if wanted is not None:
            ours = [each for each in ours if each.head.status is wanted]
        page = []
        for stored in ours[offset : offset + limit]:
            record = tx.records.load_row(stored.row)
            assert record is not None
            told = _standings(record, engine.clock())
            page.append(Inspected(record, stored.lifetime, standing=told))
        events = tx.events.count(scope.owner)
    return Contents(tuple(page), len(ours), events, engine.clock())


def _status(status: Status | str) -> Status:
    try:
        return Status(status)
    except ValueError:
        known = ", ".join(each.value for each in Status)
        raise InvalidInputError(f"There is no status {status!r}. Use one of: {known}.") from None


def inspect(engine: Engine, scope: Scope, reference: str) -> Inspected:
    """Return one record with its history and the events behind what it says.

    Raises:
        NotFoundError, AmbiguousReferenceError: As for any reference.
    """
    with suppress(StorageError):  # a home that cannot be written can still be looked at
        engine.flush_usage(wait_seconds=READS_WAIT_SECONDS)
    with engine.database.read() as tx:
        stored = resolve(engine, tx, scope, reference)
        use = tx.records.use(stored.row)
        record = tx.records.load_row(stored.row)
        assert record is not None
        now = engine.clock()
        stated = record.stated(now)
        said_in = (*stated.provenance.event_ids, *record.head.provenance.event_ids)
        events = tx.events.get(tuple(dict.fromkeys(said_in)))
    own = tuple(each for each in events if each.scope.owner == scope.owner)
    return Inspected(record, stored.lifetime, own, use, _standings(record, now))


def standing(record: Record, version: Version, now: datetime) -> str:
    """Return what is thought of a version now: its status, as whoever asks what holds means it.

    What holds is active, also where something waits or is announced behind it; what waited and
    was passed over or rejected was not approved.
    """
    if version == record.current(now):
        return Status.ACTIVE.value
    if version.status is Status.PENDING and version not in record.waiting:
        return "not approved"
    return version.status.value


def _standings(record: Record, now: datetime) -> tuple[str, ...]:
    return tuple(standing(record, each, now) for each in record.versions)
