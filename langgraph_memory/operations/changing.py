"""Correct, confirm, invalidate and restore a statement.

Each is a new version that says who did it and why, so each can be undone by :func:`restore`;
none edits what was said.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import same
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import (
    InvalidInputError,
    NotFoundError,
    read_versions,
)
from langgraph_memory.operations.admitting import prepare
from langgraph_memory.operations.amending import (
    Amended,
    amend,
    check_others,
    deed_of,
    found,
    named,
    owner_of,
    papers_by,
    said_again,
    unchanged,
    value_of,
)
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.operations.writing import write
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.trust import check_vouching
from langgraph_memory.text.secrets import redact

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
    stored, record = found(engine, scope, reference)
    holding = validity(content, engine.clock(), engine.zone)
    said = corrected(engine, record, content, papers_by(scope, reason), holding)
    [prepared] = prepare(engine, [said])
    with engine.database.write() as tx:
        engine.check_space(tx)
        unchanged(tx, stored, record)
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
    again = said_again(record, said, papers)
    return replace(again, content=content, valid=valid, corrects=True)


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
    source = Source(SourceKind.SYSTEM, by) if isinstance(by, str) else by or owner_of(scope)
    named(source.name)
    vouched = Verification.USER_STATED if source.kind is SourceKind.USER else Verification.VERIFIED
    check_vouching(source.kind, vouched)

    def confirmed(record: Record, now: datetime) -> Record:
        head = _standing(record, now)
        check_others(engine, scope, head, record.key)
        _nothing_announced(record, now)
        verified = head.provenance.verification is Verification.VERIFIED
        papers = replace(
            head.provenance,
            verification=Verification.VERIFIED if verified else vouched,
            reason=redact(reason or f"confirmed by {source}") + deed_of(scope, source.name),
        )
        return record.supersede(value_of(head), now=now, valid=head.valid, provenance=papers)

    return amend(engine, scope, reference, confirmed)


def invalidate(engine: Engine, scope: Scope, reference: str, *, reason: str = "") -> Amended:
    """Mark a statement as false or revoked: no recall uses it, no background work brings it back.

    Raises as :func:`correct`.
    """
    papers = papers_by(scope, reason)

    def invalidated(record: Record, now: datetime) -> Record:
        holds = record.current(now)
        if holds is None or record.head.status is not Status.PENDING:
            return record.invalidate(now=now, provenance=papers)
        return record.supersede(  # what waits beside it is set aside with it
            value_of(holds),
            now=now,
            valid=holds.valid,
            provenance=papers,
            status=Status.INVALIDATED,
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
            raise NotFoundError("earlier statement of", record.key, way=read_versions(record.key))
        number = version if version is not None else earlier[-1].number
        old = next((each for each in record.versions if each.number == number), None)
        if old is not None and old.status in _NEVER_HELD:
            raise InvalidInputError(
                f"Version {number} is {old.status.value}: nothing to go back to. What waits for a "
                "review is approved; else name a version that held."
            )
        if old is not None:
            check_others(engine, scope, old, record.key)
        papers = old.provenance if old else papers_by(scope, reason)
        why = redact(reason) or f"restored from version {number}"
        papers = replace(papers, reason=why + deed_of(scope))
        return record.restore(number, now=now, provenance=papers)

    return amend(engine, scope, reference, restored)


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
