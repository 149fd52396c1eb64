"""Write what changes the mind of memory about a statement: one version more, with who and why.

The changes are ``changing`` (by who owns it) and ``reviewing`` (of what waits).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from langgraph_memory.domain.json import same
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope, locate
from langgraph_memory.errors import (
    GIVE_BY,
    InvalidInputError,
    OwnClaimError,
    VersionConflictError,
)
from langgraph_memory.operations.admitting import prepare
from langgraph_memory.operations.embedding import entry_as_told
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.operations.reference import resolve
from langgraph_memory.operations.reviewed import check_reviewed
from langgraph_memory.operations.statements import Statement
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.procedures import EVERY_TASK
from langgraph_memory.ports import Stored, Transaction
from langgraph_memory.text.secrets import redact


@dataclass(frozen=True, slots=True)
class Amended:
    """A record after a change.

    Attributes:
        id, key: The record.
        version: The number of the version that the change made.
        status: What is thought of it now.
        content: What it says.
    """

    id: str
    key: str
    version: int
    status: Status
    content: str


Change = Callable[[Record, datetime], Record]


def amend(
    engine: Engine, scope: Scope, reference: str, change: Change, *, waiting: bool = False,
    by: str = "", bar: float = EVERY_TASK,
) -> Amended:  # fmt: skip
    """Write what a change adds, with what search is told of it; embeds before the transaction.

    Args:
        engine: The ports.
        scope: Whose.
        reference: Which record.
        change: Returns the record as it shall be.
        waiting: Whether words that wait for a review name it, too.
        by: Who decides, where a review needs somebody.
        bar: The share of a procedure's tasks that must have passed.

    Raises:
        UnreviewedError: A way of working would take force without a review. Else as
            ``changing.correct``.
    """
    stored, before = found(engine, scope, reference, waiting=waiting)
    grown = change(before, engine.clock())
    fresh, told = None, grown.searched
    if before.waiting or not same(told.value, before.head.value):  # else search knows the words
        said = said_again(before, told, told.provenance)
        fresh = prepare(engine, [replace(said, explicit=False)])[0].entry
    with engine.database.write() as tx:
        engine.check_space(tx)
        now = unchanged(tx, stored, before)
        grown = change(now, engine.clock())
        check_reviewed(tx, now, grown, row=stored.row, by=by, bar=bar)
        entry = entry_as_told(tx, stored.row)
        if fresh is not None and (entry.texts or entry.spoken):  # what is hidden stays hidden
            entry = fresh
        tx.records.save(grown, known=now.head.number, entry=entry, lifetime=stored.lifetime)
    made = next(each for each in grown.versions if each.number > before.head.number)
    content = str((made.value or {}).get(CONTENT, ""))
    # What only waits behind it does not end it.
    status = Status.ACTIVE if made.status is Status.SUPERSEDED else made.status
    return Amended(grown.id, grown.key, made.number, status, content)


def unchanged(tx: Transaction, stored: Stored, before: Record) -> Record:
    """Return the record anew. Raises ``VersionConflictError`` if it grew meanwhile."""
    now = tx.records.load_row(stored.row)
    if now is None or now.head.number != before.head.number:
        actual = now.head.number if now else 0
        raise VersionConflictError(before.namespace, before.key, before.head.number, actual)
    return now


def found(
    engine: Engine, scope: Scope, reference: str, *, waiting: bool = False
) -> tuple[Stored, Record]:
    """Return the record that a reference names. Raises as ``resolve``."""
    with engine.database.read() as tx:
        stored = resolve(engine, tx, scope, reference, waiting=waiting)
        record = tx.records.load_row(stored.row)
    assert record is not None
    return stored, record


def said_again(record: Record, version: Version, papers: Provenance) -> Statement:
    """Return the statement that a version of a record makes."""
    place = locate(record.namespace)
    assert place is not None  # only a scope's own records are resolved
    value = version.value or {}
    return Statement(
        content=str(value.get(CONTENT, "")),
        scope=place[0],
        provenance=papers,
        kind=place[1],
        key=record.key,
        valid=version.valid,
        metadata={name: part for name, part in value.items() if name != CONTENT} or None,
    )


def value_of(version: Version) -> dict[str, object]:
    """Return the value of a version that says something."""
    assert version.value is not None
    return version.value


def papers_by(scope: Scope, reason: str) -> Provenance:
    """Return the papers of a change that the scope's owner, or who acts there, makes."""
    return Provenance(
        owner_of(scope), verification=Verification.USER_STATED, reason=redact(reason),
        author=scope.acting or "",
    )  # fmt: skip


def check_others(engine: Engine, scope: Scope, version: Version, key: str, by: str = "") -> None:
    """Refuse who vouches in a shared scope for what they stated there themselves.

    Raises:
        OwnClaimError: They do.
    """
    author = version.provenance.author
    with noticing(engine, scope):
        if author and author in (scope.acting, redact(by.strip())):
            raise OwnClaimError(author, key)


def deed_of(scope: Scope, named: str = "") -> str:
    """Return who acted in a shared scope, to be added to a reason that does not name them."""
    return f" (by {scope.acting})" if scope.acting and scope.acting != named else ""


def owner_of(scope: Scope) -> Source:
    """Return who speaks in a scope as a source."""
    return Source(SourceKind.USER, scope.speaker)


def named(reviewer: str) -> str:
    """Return the name of who decides. Raises ``InvalidInputError`` where there is none."""
    if not reviewer.strip():
        raise InvalidInputError("Nobody is named who decides.", way=GIVE_BY)
    return redact(reviewer.strip())


def because(reason: str) -> str:
    """Return a reason as the end of a sentence."""
    return f": {redact(reason)}" if reason else ""
