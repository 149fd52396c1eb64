"""Ways of working of one scope: proposed, looked at, decided. Their rules: ``policy.procedures``.

A procedure is a record of its own namespace under its name; trying it out is ``operations.trying``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from langgraph_memory.domain.diff import Difference, differences
from langgraph_memory.domain.json import check_text, same
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.domain.trial import Trial, digest
from langgraph_memory.errors import (
    LIST_PROCEDURES,
    InvalidInputError,
    NotFoundError,
    read_versions,
)
from langgraph_memory.operations import reviewing
from langgraph_memory.operations.amending import Amended, amend, because, named
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.remember import remember
from langgraph_memory.operations.reviewing import waiting_on
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.procedures import EVERY_TASK, Stage, stage
from langgraph_memory.policy.stops import stop_in
from langgraph_memory.ports import Stored, Transaction
from langgraph_memory.text.secrets import redact


@dataclass(frozen=True, slots=True)
class ProcedureVersion:
    """What one version of a procedure says, and how far it has come.

    Attributes:
        version: Its number.
        text: The way of working.
        stage: How far it has come.
        proposed_by: Who proposed it.
        approved_by: Who approved it; empty where nobody did.
        at: When the version was written, UTC.
        because: Why it was written.
    """

    version: int
    text: str
    stage: Stage
    proposed_by: str
    approved_by: str
    at: datetime
    because: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure: its name, what is in force, what waits for a review, and all of it.

    Attributes:
        id: The record's.
        name: Its name.
        active: What is in force; None where nothing is.
        waiting: What waits, oldest first.
        versions: All since it was last begun, oldest first.
    """

    id: str
    name: str
    active: ProcedureVersion | None
    waiting: tuple[ProcedureVersion, ...]
    versions: tuple[ProcedureVersion, ...]


def propose(
    engine: Engine, scope: Scope, name: str, text: str, *, by: str | None = None, reason: str = ""
) -> Remembered:
    """Propose other words for a procedure, or a new one; what is in force stays so.

    Raises:
        InvalidInputError, RefusedError: The words cannot be taken, or nobody is named.
    """
    proposer = named(by) if by is not None else scope.speaker
    papers = Provenance(
        Source(SourceKind.USER, proposer), verification=Verification.USER_STATED,
        reason=redact(reason),
    )  # fmt: skip
    return remember(engine, Statement(text, scope, papers, kind=Kind.PROCEDURAL, key=name))


def listed(engine: Engine, scope: Scope) -> list[Procedure]:
    """Return the procedures of exactly this scope, by name."""
    now = engine.clock()
    place = scope.namespace(Kind.PROCEDURAL)
    found = []
    with engine.database.read() as tx:
        for row in tx.records.live_rows(place):
            record = tx.records.load_row(row)
            stored = record and _live(engine, tx, scope, record.key)
            if record is not None and stored:
                found.append(_procedure(record, tx.trials.of(row), now))
    return sorted(found, key=lambda each: each.name)


def procedure(engine: Engine, scope: Scope, name: str) -> Procedure:
    """Return one procedure. Raises ``NotFoundError``."""
    with engine.database.read() as tx:
        stored, record = found(engine, tx, scope, name)
        return _procedure(record, tx.trials.of(stored.row), engine.clock())


def active(engine: Engine, scope: Scope, name: str) -> ProcedureVersion | None:
    """Return what is in force under a name; None where nothing is, or there is no such name."""
    try:
        return procedure(engine, scope, name).active
    except NotFoundError:
        return None


def diff(
    engine: Engine, scope: Scope, name: str, older: int, newer: int | None = None
) -> list[Difference]:
    """Return what changed from one version to another, the last one if not said.

    Raises:
        NotFoundError: There is no such procedure or version.
    """
    with engine.database.read() as tx:
        _, record = found(engine, tx, scope, name)
    last = record.head.number if newer is None else newer
    before, after = (version_of(record, each) for each in (older, last))
    return differences(before.value, after.value)


def results(engine: Engine, scope: Scope, name: str, version: int | None = None) -> list[Trial]:
    """Return the trials of a version's words, oldest first.

    Without a version, of the newest that waits; where none does, of what is in force.

    Raises:
        NotFoundError: There is no such procedure or version.
    """
    with engine.database.read() as tx:
        stored, record = found(engine, tx, scope, name)
        words = digest(chosen(record, version, engine.clock()).value)
        return [each for each in tx.trials.of(stored.row) if each.words == words]


def approve(
    engine: Engine, scope: Scope, name: str, *, by: str, version: int | None = None,
    reason: str = "", bar: float = EVERY_TASK,
) -> Amended:  # fmt: skip
    """Put the newest proposal in force. Raises as ``reviewing.approve``."""
    record_id = _id(engine, scope, name)
    return reviewing.approve(
        engine, scope, record_id, by=by, version=version, reason=reason, bar=bar
    )


def reject(
    engine: Engine, scope: Scope, name: str, *, by: str, version: int | None = None,
    reason: str = "",
) -> Amended:  # fmt: skip
    """Set aside what waits. Raises as ``reviewing.reject``."""
    return reviewing.reject(
        engine, scope, _id(engine, scope, name), by=by, version=version, reason=reason
    )


def rollback(
    engine: Engine, scope: Scope, name: str, to: int, *, by: str, reason: str = "",
    bar: float = EVERY_TASK,
) -> Amended:  # fmt: skip
    """Put words in force again that were approved before; what waits for a review waits on.

    Raises:
        NotFoundError: There is no such procedure or version.
        InvalidInputError: That version was never approved, is in force, or nobody is named.
        UnreviewedError: Its results do not pass any more.
    """

    def rolled_back(record: Record, now: datetime) -> Record:
        target = version_of(record, to)
        if target.status is Status.PENDING or not target.provenance.approved_by:
            raise InvalidInputError(
                f"Version {to} of {name!r} was never approved. Go back to one that was, or let "
                "somebody approve it as a proposal."
            )
        holds = record.current(now)
        if holds is not None and same(holds.value, target.value):
            raise InvalidInputError(f"Version {to} of {name!r} says what is in force already.")
        why = redact(f"rolled back to version {to} by {named(by)}{because(reason)}")
        papers = replace(target.provenance, reason=why)
        grown = record.restore(to, now=now, provenance=papers)
        return waiting_on(grown, record.waiting, now)

    return amend(engine, scope, _id(engine, scope, name), rolled_back, by=by, bar=bar)


def found(engine: Engine, tx: Transaction, scope: Scope, name: str) -> tuple[Stored, Record]:
    """Return a live procedure, its versions those since it was last begun.

    Raises:
        NotFoundError: There is none of this name in exactly this scope.
    """
    stored = _live(engine, tx, scope, check_text(name, "name"))
    record = tx.records.load_row(stored.row) if stored else None
    if stored is None or record is None:
        raise NotFoundError("procedure", name, way=LIST_PROCEDURES)
    return stored, _present_life(record)


def version_of(record: Record, number: int) -> Version:
    """Return a version. Raises ``NotFoundError`` where there is none since the record began."""
    for each in _present_life(record).versions:
        if each.number == number:
            return each
    raise NotFoundError(
        "version",
        f"{record.key} v{number}",
        way=read_versions(record.key, f"procedures.inspect({record.key!r})"),
    )


def chosen(record: Record, version: int | None, now: datetime) -> Version:
    """Return the version of a number; without one, the newest that waits, else what is in force."""
    if version is not None:
        return version_of(record, version)
    return record.head if record.waiting else record.stated(now)


def _live(engine: Engine, tx: Transaction, scope: Scope, name: str) -> Stored | None:
    stored = tx.records.head(scope.namespace(Kind.PROCEDURAL), name)
    if stored is None or stored.head.value is None or stored.lifetime.over(engine.clock()):
        return None
    return None if stop_in(stored.head.value) else stored


def _id(engine: Engine, scope: Scope, name: str) -> str:
    with engine.database.read() as tx:
        return found(engine, tx, scope, name)[0].id


def _present_life(record: Record) -> Record:
    """Return a record without what was said before it was last deleted."""
    ends = [each.number for each in record.versions if each.status is Status.DELETED]
    begun = max(ends, default=0)
    return replace(record, versions=tuple(e for e in record.versions if e.number > begun))


def _procedure(record: Record, trials: list[Trial], now: datetime) -> Procedure:
    living = _present_life(record)
    current = living.current(now)
    told = tuple(_told(living, each, trials, current) for each in living.versions)
    waiting = {each.number for each in living.waiting}
    return Procedure(
        record.id,
        record.key,
        next((each for each in told if current and each.version == current.number), None),
        tuple(each for each in told if each.version in waiting),
        told,
    )


def _told(
    record: Record, version: Version, trials: list[Trial], current: Version | None
) -> ProcedureVersion:
    papers = version.provenance
    return ProcedureVersion(
        version.number,
        str((version.value or {}).get(CONTENT, "")),
        stage(record, version, trials, current),
        papers.source.name,
        papers.approved_by,
        version.recorded_at,
        papers.reason,
    )
