"""Decide about what waits for a review: approve it, or set it aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from langgraph_memory.domain.json import same
from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import LIST_PROCEDURES, NothingWaitsError, VersionConflictError
from langgraph_memory.operations.amending import (
    Amended,
    amend,
    because,
    check_others,
    named,
    papers_by,
    value_of,
)
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.procedures import EVERY_TASK, check_bar, is_procedure
from langgraph_memory.text.secrets import redact


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
        NothingWaitsError: Nothing waits there.
        InvalidInputError: The reviewer has no name.
        VersionConflictError: Something else than ``version`` is the last now.
        NotFoundError, AmbiguousReferenceError: As ``changing.correct``.
    """
    check_bar(bar)

    def approved(record: Record, now: datetime) -> Record:
        head = _waiting(record, version)
        check_others(engine, scope, head, record.key, by)
        papers = replace(
            head.provenance, verification=Verification.VERIFIED, approved_by=named(by),
            reason=redact(f"approved by {named(by)}{_bar(bar)}{because(reason)}"),
        )  # fmt: skip
        return record.supersede(value_of(head), now=now, valid=head.valid, provenance=papers)

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
            papers = replace(papers_by(scope, ""), reason=why)
            grown = record.invalidate(now=now, provenance=papers)
        else:
            grown = record.supersede(
                value_of(last),
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
                value_of(each), now=now, valid=each.valid, provenance=each.provenance,
                status=Status.PENDING,
            )  # fmt: skip
    return grown


def _says_the_same(one: Version, other: Version) -> bool:
    return same(one.value, other.value) and one.valid == other.valid


def _waiting(record: Record, version: int | None) -> Version:
    if version not in (None, record.head.number):
        raise VersionConflictError(record.namespace, record.key, version, record.head.number)
    if record.head.status is not Status.PENDING:
        if is_procedure(record.namespace):
            raise NothingWaitsError(record.key, way=LIST_PROCEDURES)
        raise NothingWaitsError(record.key)
    return record.head


def _bar(share: float) -> str:
    return "" if share == EVERY_TASK else f" at a bar of {share:g}"
