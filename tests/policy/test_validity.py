"""Verdicts: one for each way a record can fail, with a reason somebody can read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.policy.validity import Verdict, judge

T0 = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY, JUST = timedelta(days=1), timedelta(microseconds=1)
ANA = Scope("acme", "ana")
HERE = ANA.namespace(Kind.SEMANTIC)
OLD, NEW = {"content": "Friday"}, {"content": "Monday"}


def said(valid: Interval = Interval(), status: Status = Status.ACTIVE) -> Record:
    return Record.first("id-1", HERE, "launch", OLD, now=T0, valid=valid, status=status)


ENDED = Interval(None, T0 + DAY)
LATER = Interval(T0 + 9 * DAY)

CASES = [
    (said(), Verdict.VALID, "still holds", 1),
    (said().supersede(NEW, now=T0), Verdict.VALID, "the latest of 2 statements", 2),
    (
        said().supersede(NEW, now=T0).supersede(OLD, now=T0),
        Verdict.VALID,
        "the latest of 3 statements",
        3,
    ),
    (
        said().supersede(NEW, now=T0, valid=LATER),
        Verdict.VALID,
        "holds until the newer statement starts or is approved",
        1,
    ),
    (
        said().supersede(NEW, now=T0, status=Status.PENDING),
        Verdict.VALID,
        "holds until the newer statement starts or is approved",
        1,
    ),
    (said().delete(now=T0), Verdict.DELETED, "deleted on 2026-05-01", None),
    (said().delete(now=T0).supersede(NEW, now=T0), Verdict.VALID, None, 3),
    (
        said().invalidate(now=T0 + DAY),
        Verdict.INVALIDATED,
        "marked as false or revoked on 2026-05-02",
        None,
    ),
    (
        said(status=Status.PENDING),
        Verdict.UNAPPROVED,
        "waits for review since 2026-05-01",
        None,
    ),
    (said(LATER), Verdict.NOT_YET_VALID, "holds from 2026-05-10", None),
    (said(ENDED), Verdict.ENDED, "stopped holding on 2026-05-02", None),
    (said().retract(T0 + DAY, now=T0), Verdict.ENDED, "stopped holding on 2026-05-02", None),
    (said().supersede(NEW, now=T0, valid=ENDED), Verdict.ENDED, None, None),
    (said(ENDED).supersede(NEW, now=T0, valid=LATER), Verdict.NOT_YET_VALID, None, None),
    (
        said().invalidate(now=T0).supersede(NEW, now=T0, status=Status.PENDING),
        Verdict.UNAPPROVED,
        None,
        None,
    ),
]


@pytest.mark.parametrize(("record", "verdict", "reason", "number"), CASES)
def test_each_state_has_its_verdict_and_its_reason(
    record: Record, verdict: Verdict, reason: str | None, number: int | None
) -> None:
    """R16, R42."""
    judgement = judge(record, asker=ANA, now=T0 + 3 * DAY)
    assert judgement.verdict is verdict
    assert reason in (None, judgement.reason)
    assert (judgement.version.number if judgement.version else None) == number


@pytest.mark.parametrize(
    "asker",
    [
        Scope("acme", "bob"),
        Scope("acme"),
        Scope("acme-corp", "ana"),
        Scope("acme", "Ana"),
        Scope("acme", "ana "),
    ],
)
def test_another_identity_gets_the_scope_verdict_before_anything_else(asker: Scope) -> None:
    """R40, R41, B5: nothing about a foreign record's state is told."""
    for record, *_ in CASES:
        judgement = judge(record, asker=asker, now=T0 + 3 * DAY, expires_at=T0)
        assert judgement.verdict is Verdict.WRONG_SCOPE
        assert judgement.version is None
        assert judgement.reason == "belongs to another scope"


def test_a_projects_memory_is_not_another_projects() -> None:
    """R54."""
    alfa, beta = (Scope("acme", "ana", project=name) for name in ("alfa", "beta"))
    record = Record.first("id-1", alfa.namespace(Kind.SEMANTIC), "k", OLD, now=T0)
    assert judge(record, asker=beta, now=T0).verdict is Verdict.WRONG_SCOPE
    assert judge(record, asker=alfa, now=T0).verdict is Verdict.VALID
    assert judge(record, asker=ANA, now=T0).verdict is Verdict.VALID


def test_organization_records_are_everybodys_to_read() -> None:
    """R54."""
    record = Record.first("id-1", Scope("acme").namespace(Kind.SEMANTIC), "k", OLD, now=T0)
    assert judge(record, asker=ANA, now=T0).verdict is Verdict.VALID
    assert judge(record, asker=Scope("other", "ana"), now=T0).verdict is Verdict.WRONG_SCOPE


def test_what_has_expired_is_expired_from_that_instant_on() -> None:
    """B48, B51, R23."""
    end = T0 + DAY
    instants = (end - JUST, end, end + JUST)
    verdicts = [judge(said(), asker=ANA, now=now, expires_at=end).verdict for now in instants]
    assert verdicts == [Verdict.VALID, Verdict.EXPIRED, Verdict.EXPIRED]
    assert judge(said(), asker=ANA, now=end, expires_at=end).reason == "kept until 2026-05-02 12:00"
    assert judge(said(), asker=ANA, now=end, expires_at=end).version is None
    assert judge(said(), asker=ANA, now=end, expires_at=None).verdict is Verdict.VALID


DAYS = st.integers(-20, 20)


@given(DAYS, st.none() | DAYS, st.none() | DAYS, st.sampled_from(Status))
def test_a_version_is_named_exactly_when_it_may_be_used(
    now: int, start: int | None, end: int | None, status: Status
) -> None:
    """R42: valid means visible, approved, begun and not ended."""
    if start is not None and end is not None and end < start:
        return
    days = [None if count is None else T0 + count * DAY for count in (start, end)]
    record = said(Interval(*days), status=Status.ACTIVE)
    match status:
        case Status.PENDING:
            record = said(Interval(*days), status=Status.PENDING)
        case Status.INVALIDATED:
            record = record.invalidate(now=T0)
        case Status.DELETED:
            record = record.delete(now=T0)
    instant = T0 + now * DAY
    judgement = judge(record, asker=ANA, now=instant)
    usable = status in (Status.ACTIVE, Status.SUPERSEDED) and instant in Interval(*days)
    assert (judgement.verdict is Verdict.VALID) == usable
    assert (judgement.version is not None) == usable
    assert judgement.reason
