"""Change what memory thinks of a statement: confirm, invalidate, restore, approve, reject.

Each is a new version that says who did it and why, so each can be undone by ``restore``; none
edits what was said. What changes the words themselves is :func:`correct`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import same
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope, locate
from langgraph_memory.errors import (
    InvalidInputError,
    NotFoundError,
    OwnClaimError,
    VersionConflictError,
)
from langgraph_memory.operations.admitting import prepare
from langgraph_memory.operations.embedding import entry_as_told
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.operations.reference import resolve
from langgraph_memory.operations.reviewed import check_reviewed
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.operations.writing import write
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.procedures import EVERY_TASK
from langgraph_memory.policy.trust import check_vouching
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

_NEVER_HELD = (Status.PENDING, Status.INVALIDATED)


def correct(
    engine: Engine, scope: Scope, reference: str, content: str, *, reason: str = ""
) -> Remembered:
    """Let a memory say something else, under its own name; what is beside the words stays.

    Of a statement of more trust the correction waits for review beside it. When it holds, the
    words tell; where they do not, it holds as long as what it corrects.

    Raises:
        NotFoundError, AmbiguousReferenceError: Nothing was changed.
        InvalidInputError, RefusedError: The new words cannot be taken.
        VersionConflictError: Somebody changed it at the same time.
    """
    stored, record = _found(engine, scope, reference)
    holding = validity(content, engine.clock(), engine.zone)
    said = corrected(engine, record, content, _papers(scope, reason), holding)
    [prepared] = prepare(engine, [said])
    with engine.database.write() as tx:
        engine.check_space(tx)
        _unchanged(tx, stored, record)
        return write(engine, tx, prepared)


def corrected(
    engine: Engine, record: Record, content: str, papers: Provenance, holding: Interval
) -> Statement:
    """Return the statement that corrects a record: other words, and what was beside the old ones.

    Of what waits for a review, nothing is taken over. When it holds, ``holding`` says, or what
    it corrects where that says nothing.
    """
    now = engine.clock()
    said = record.stated(now)
    if said.status is Status.PENDING:
        said = said._replace(value=None, valid=Interval())
    unsaid = holding == Interval() and not said.valid.ended(now)
    valid = said.valid if unsaid else holding
    return replace(_said(record, said, papers), content=content, valid=valid)


def confirm(
    engine: Engine,
    scope: Scope,
    reference: str,
    *,
    by: Source | str | None = None,
    reason: str = "",
) -> Amended:
    """Note that somebody vouches for a statement: a system of record makes it verified.

    From then on conversation does not replace it. Raises as :func:`correct`, and
    ``InvalidInputError`` where a document, a page or a model is to vouch, and ``OwnClaimError`` in
    a shared scope where who acts stated it.
    """
    source = Source(SourceKind.SYSTEM, by) if isinstance(by, str) else by or _owner(scope)
    named(source.name)
    vouched = Verification.USER_STATED if source.kind is SourceKind.USER else Verification.VERIFIED
    check_vouching(source.kind, vouched)

    def confirmed(record: Record, now: datetime) -> Record:
        head = _standing(record, now)
        _check_others(engine, scope, head, record.key)
        _nothing_announced(record, now)
        verified = head.provenance.verification is Verification.VERIFIED
        papers = replace(
            head.provenance,
            verification=Verification.VERIFIED if verified else vouched,
            reason=redact(reason or f"confirmed by {source}") + _deed_of(scope, source.name),
        )
        return record.supersede(_value(head), now=now, valid=head.valid, provenance=papers)

    return amend(engine, scope, reference, confirmed)


def invalidate(engine: Engine, scope: Scope, reference: str, *, reason: str = "") -> Amended:
    """Mark a statement as false or revoked: no recall uses it, no background work brings it back.

    Raises as :func:`correct`.
    """
    papers = _papers(scope, reason)

    def invalidated(record: Record, now: datetime) -> Record:
        holds = record.current(now)
        if holds is None or record.head.status is not Status.PENDING:
            return record.invalidate(now=now, provenance=papers)
        return record.supersede(  # what waits beside it is set aside with it
            _value(holds), now=now, valid=holds.valid, provenance=papers, status=Status.INVALIDATED
        )

    return amend(engine, scope, reference, invalidated)


def restore(
    engine: Engine, scope: Scope, reference: str, version: int | None = None, *, reason: str = ""
) -> Amended:
    """Let a memory say again what it said before; by default what its last change replaced.

    What waits for a review beside it is set aside with that. What was forgotten comes back only
    where its version is named.

    Raises:
        NotFoundError: There is no such version, or it says nothing. Else as :func:`correct`.
    """

    def restored(record: Record, now: datetime) -> Record:
        tombs = [each.number for each in record.versions if each.status is Status.DELETED]
        earlier = [
            each
            for each in record.versions[:-1]
            if each.number > max(tombs, default=0) and each.status not in _NEVER_HELD
        ]
        if (holds := record.current(now)) is not None:
            earlier = [each for each in earlier if not same(each.value, holds.value)]
        if version is None and not earlier:
            raise NotFoundError("earlier statement of", record.key)
        number = version if version is not None else earlier[-1].number
        old = next((each for each in record.versions if each.number == number), None)
        if old is not None and old.status in _NEVER_HELD:
            raise InvalidInputError(
                f"Version {number} is {old.status.value}: nothing to go back to. What waits for a "
                "review is approved; else name a version that held."
            )
        if old is not None:
            _check_others(engine, scope, old, record.key)
        papers = old.provenance if old else _papers(scope, reason)
        why = redact(reason) or f"restored from version {number}"
        papers = replace(papers, reason=why + _deed_of(scope))
        return record.restore(number, now=now, provenance=papers)

    return amend(engine, scope, reference, restored)


def approve(
    engine: Engine, scope: Scope, reference: str, *, by: str, version: int | None = None,
    reason: str = "", bar: float = EVERY_TASK,
) -> Amended:  # fmt: skip
    """Let the newest statement count that waits for review; its reviewer vouches for it.

    What waited before it is passed over. With ``version``, only if that is the newest: nothing
    is approved that its reviewer has not seen. Of a way of working, ``bar`` is the share of its
    tasks that must have passed.

    Raises:
        OwnClaimError: In a shared scope, the reviewer stated it.
        UnreviewedError: It is a way of working, and this reviewer may not, or its results do not
            pass (``policy.procedures``).
        InvalidInputError: Nothing waits there, or the reviewer has no name.
        VersionConflictError: Something else than ``version`` is the last now.
        NotFoundError, AmbiguousReferenceError: As :func:`correct`.
    """

    def approved(record: Record, now: datetime) -> Record:
        head = _waiting(record, version)
        _check_others(engine, scope, head, record.key, by)
        papers = replace(
            head.provenance, verification=Verification.VERIFIED, approved_by=named(by),
            reason=redact(f"approved by {named(by)}{_bar(bar)}{because(reason)}"),
        )  # fmt: skip
        return record.supersede(_value(head), now=now, valid=head.valid, provenance=papers)

    return amend(engine, scope, reference, approved, waiting=True, by=by, bar=bar)


def reject(
    engine: Engine, scope: Scope, reference: str, *, by: str, version: int | None = None,
    reason: str = "",
) -> Amended:  # fmt: skip
    """Set aside all that waits for review; what it stood beside counts on.

    With ``version``, that one alone, if it is the newest: what waited before it waits on.
    Raises as :func:`approve`.
    """

    def rejected(record: Record, now: datetime) -> Record:
        waiting = _waiting(record, version)
        why = redact(f"version {waiting.number} rejected by {named(by)}{because(reason)}")
        last = record.settled  # it need not hold yet: then it does from its own day
        if last is None or last.value is None:
            papers = replace(_papers(scope, ""), reason=why)
            grown = record.invalidate(now=now, provenance=papers)
        else:
            grown = record.supersede(
                _value(last),
                now=now,
                valid=last.valid,
                provenance=replace(last.provenance, reason=why),
                status=Status.INVALIDATED if last.refutes else Status.ACTIVE,
            )
        others = [each for each in record.waiting if not _says_the_same(each, waiting)]
        return grown if version is None else waiting_on(grown, others, now)

    return amend(engine, scope, reference, rejected, waiting=True, by=by)


def waiting_on(grown: Record, waited: Sequence[Version], now: datetime) -> Record:
    """Return the record with what waited said again on the end, as what waits, once each."""
    for number, each in enumerate(waited, start=1):
        if not any(_says_the_same(each, later) for later in waited[number:]):
            grown = grown.supersede(
                _value(each), now=now, valid=each.valid, provenance=each.provenance,
                status=Status.PENDING,
            )  # fmt: skip
    return grown


def _says_the_same(one: Version, other: Version) -> bool:
    return same(one.value, other.value) and one.valid == other.valid


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
            :func:`correct`.
    """
    stored, before = _found(engine, scope, reference, waiting=waiting)
    grown = change(before, engine.clock())
    fresh, told = None, grown.searched
    if before.waiting or not same(told.value, before.head.value):  # else search knows the words
        said = _said(before, told, told.provenance)
        fresh = prepare(engine, [replace(said, explicit=False)])[0].entry
    with engine.database.write() as tx:
        engine.check_space(tx)
        now = _unchanged(tx, stored, before)
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


def _unchanged(tx: Transaction, stored: Stored, before: Record) -> Record:
    """Return the record anew. Raises ``VersionConflictError`` if it grew meanwhile."""
    now = tx.records.load_row(stored.row)
    if now is None or now.head.number != before.head.number:
        actual = now.head.number if now else 0
        raise VersionConflictError(before.namespace, before.key, before.head.number, actual)
    return now


def _found(
    engine: Engine, scope: Scope, reference: str, *, waiting: bool = False
) -> tuple[Stored, Record]:
    with engine.database.read() as tx:
        stored = resolve(engine, tx, scope, reference, waiting=waiting)
        record = tx.records.load_row(stored.row)
    assert record is not None
    return stored, record


def _said(record: Record, version: Version, papers: Provenance) -> Statement:
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


def _standing(record: Record, now: datetime) -> Version:
    current = record.current(now)
    if current is None:
        raise NotFoundError("memory that holds now", record.key)
    return current


def _nothing_announced(record: Record, now: datetime) -> None:
    """Refuse to say again what holds behind what is to hold later: that would be lost."""
    start = record.head.valid.start
    if (
        record.head.status is Status.ACTIVE
        and start is not None
        and not record.head.valid.began(now)
    ):
        raise InvalidInputError(
            f"{record.key!r} says something else from {start:%Y-%m-%d}. Confirm it after that day, "
            "or say anew what holds, with its verification."
        )


def _waiting(record: Record, version: int | None) -> Version:
    if version not in (None, record.head.number):
        raise VersionConflictError(record.namespace, record.key, version, record.head.number)
    if record.head.status is not Status.PENDING:
        raise InvalidInputError(f"Nothing waits for review under {record.key!r}.")
    return record.head


def _value(version: Version) -> dict[str, object]:
    assert version.value is not None
    return version.value


def _papers(scope: Scope, reason: str) -> Provenance:
    return Provenance(
        _owner(scope), verification=Verification.USER_STATED, reason=redact(reason),
        author=scope.acting or "",
    )  # fmt: skip


def _check_others(engine: Engine, scope: Scope, version: Version, key: str, by: str = "") -> None:
    """Refuse who vouches in a shared scope for what they stated there themselves.

    Raises:
        OwnClaimError: They do.
    """
    author = version.provenance.author
    with noticing(engine, scope):
        if author and author in (scope.acting, by.strip()):
            raise OwnClaimError(author, key)


def _deed_of(scope: Scope, named: str = "") -> str:
    """Return who acted in a shared scope, to be added to a reason that does not name them."""
    return f" (by {scope.acting})" if scope.acting and scope.acting != named else ""


def _owner(scope: Scope) -> Source:
    return Source(SourceKind.USER, scope.speaker)


def named(reviewer: str) -> str:
    """Return the name of who decides. Raises ``InvalidInputError`` where there is none."""
    if not reviewer.strip():
        raise InvalidInputError("by is empty. Name who decides.")
    return reviewer.strip()


def _bar(share: float) -> str:
    return "" if share == EVERY_TASK else f" at a bar of {share:g}"


def because(reason: str) -> str:
    """Return a reason as the end of a sentence."""
    return f": {redact(reason)}" if reason else ""
