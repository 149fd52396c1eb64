"""The decision table of conflicts, row by row, and what no row may allow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.policy.conflict import Effect, decide

T0 = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
ALWAYS = Interval()
PLACE = ("memory", "t=acme", "u=ana", "semantic")
OLD, NEW = {"content": "$150"}, {"content": "$200"}
USER = Provenance(Source(SourceKind.USER, "ana"), verification=Verification.USER_STATED)
MODEL = Provenance(Source(SourceKind.MODEL, "m"))
WEB = Provenance(Source(SourceKind.WEB, "http://evil"))
LEDGER = Provenance(Source(SourceKind.SYSTEM, "erp"), verification=Verification.VERIFIED)


def stands(papers: Provenance = USER, value: dict[str, Any] = OLD, **more: Any) -> Record:
    return Record.first("id-1", PLACE, "budget", value, now=T0, provenance=papers, **more)


def told(
    record: Record | None, value: dict[str, Any] = NEW, papers: Provenance = USER, *,
    valid: Interval = ALWAYS, explicit: bool = True, same_words: bool = False,
) -> Effect:  # fmt: skip
    return decide(record, value, papers, valid, now=T0, explicit=explicit, same_words=same_words)


BURIED = stands().delete(now=T0)
REVOKED = stands().invalidate(now=T0, provenance=USER)
VERIFIED = stands(LEDGER)
HELD = VERIFIED.supersede(NEW, now=T0, provenance=USER, status=Status.PENDING)


@pytest.mark.parametrize("explicit", [True, False])
@pytest.mark.parametrize("papers", [USER, MODEL, WEB, LEDGER], ids=lambda p: p.source.kind)
def test_the_first_statement_begins_a_record(papers: Provenance, explicit: bool) -> None:
    assert told(None, papers=papers, explicit=explicit) is Effect.BEGIN


@pytest.mark.parametrize("value", [OLD, NEW], ids=["same", "new"])
@pytest.mark.parametrize("papers", [USER, MODEL, WEB, LEDGER], ids=lambda p: p.source.kind)
class TestWhatWasForgotten:
    def test_it_is_said_anew_on_purpose(self, value: Any, papers: Provenance) -> None:
        trusted = papers not in (MODEL, WEB)
        for gone in (BURIED, REVOKED):
            effect = told(gone, value, papers)
            assert effect is (Effect.SUPERSEDE if trusted else Effect.NOTHING)

    def test_background_work_never_revives_it(self, value: Any, papers: Provenance) -> None:
        """B74, R63: neither a tombstone nor what was marked as false."""
        assert told(BURIED, value, papers, explicit=False) is Effect.NOTHING
        assert told(REVOKED, value, papers, explicit=False) is Effect.NOTHING


@pytest.mark.parametrize("explicit", [True, False])
def test_the_same_statement_is_further_evidence(explicit: bool) -> None:
    """B22, B27, B60."""
    for papers in (USER, MODEL, WEB):
        assert told(stands(), OLD, papers, explicit=explicit) is Effect.STRENGTHEN
    for papers in (USER, MODEL, WEB, LEDGER):
        assert told(VERIFIED, OLD, papers, explicit=explicit) is Effect.STRENGTHEN


def test_the_same_fields_in_another_order_are_the_same_statement() -> None:
    record = stands(value={"content": "x", "a": 1, "b": 2})
    assert told(record, {"b": 2, "content": "x", "a": 1}) is Effect.STRENGTHEN


@pytest.mark.parametrize(("old", "new"), [(1, True), (0, False), (1, 1.0), ("1", 1), (None, 0)])
def test_a_field_of_another_type_is_another_statement(old: Any, new: Any) -> None:
    """What is stored comes back as it was said last: True is not 1."""
    record = stands(value={"content": "x", "flag": old})
    assert told(record, {"content": "x", "flag": new}) is Effect.SUPERSEDE


def test_the_same_words_for_another_time_are_another_statement() -> None:
    """R13: statements for different dates are never merged."""
    assert told(stands(), OLD, valid=Interval(T0 + DAY)) is Effect.SUPERSEDE
    dated = stands(valid=Interval(T0))
    assert told(dated, OLD) is Effect.SUPERSEDE
    assert told(dated, OLD, valid=Interval(T0)) is Effect.STRENGTHEN


def test_case_and_spacing_count_unless_the_name_is_made_from_the_words() -> None:
    record = stands(value={"content": "I like tea"})
    assert told(record, {"content": "i like  tea"}) is Effect.SUPERSEDE
    assert told(record, {"content": "i like  tea"}, same_words=True) is Effect.STRENGTHEN
    other_field = {"content": "i like  tea", "tag": "x"}
    assert told(record, other_field, same_words=True) is Effect.SUPERSEDE


LADDER = [
    MODEL, WEB, Provenance(Source(SourceKind.TOOL, "search")),
    Provenance(Source(SourceKind.SYSTEM, "crm")), USER, LEDGER,
]  # fmt: skip
"""From the least to the most trusted."""


@pytest.mark.parametrize("before", range(len(LADDER)))
@pytest.mark.parametrize("now", range(len(LADDER)))
def test_a_newer_statement_supersedes_what_is_of_no_more_trust(before: int, now: int) -> None:
    """R13, R51, B19, B20: authority first, then recency."""
    effect = told(stands(LADDER[before]), NEW, LADDER[now])
    assert effect is (Effect.SUPERSEDE if now >= before else Effect.HOLD)


def test_sources_of_one_rank_follow_recency() -> None:
    page = Provenance(Source(SourceKind.DOCUMENT, "a.pdf"))
    program = Provenance(Source(SourceKind.APPLICATION))
    for one, other in ((page, WEB), (program, USER)):
        assert told(stands(one), NEW, other) is told(stands(other), NEW, one) is Effect.SUPERSEDE


def test_what_needs_a_review_waits_whatever_stands_there() -> None:
    """R3."""
    assert decide(None, NEW, USER, ALWAYS, now=T0, explicit=False, review=True) is Effect.HOLD
    assert decide(stands(), NEW, USER, ALWAYS, now=T0, explicit=False, review=True) is Effect.HOLD
    assert (
        decide(stands(), OLD, USER, ALWAYS, now=T0, explicit=False, review=True)
        is Effect.STRENGTHEN
    )


def test_a_vouching_that_needs_a_review_waits_beside_what_it_vouches_for() -> None:
    """R3, R15."""
    told_again = decide(stands(), OLD, LEDGER, ALWAYS, now=T0, explicit=True, review=True)
    assert told_again is Effect.HOLD
    assert told(stands(), OLD, LEDGER) is Effect.SUPERSEDE


def test_what_was_forgotten_comes_back_by_review_where_one_is_wanted() -> None:
    """R3, R63: said anew on purpose it waits, too; background work brings nothing back."""
    for gone in (BURIED, REVOKED):
        told_anew = decide(gone, OLD, USER, ALWAYS, now=T0, explicit=True, review=True)
        assert told_anew is Effect.HOLD
        late = decide(gone, OLD, USER, ALWAYS, now=T0, explicit=False, review=True)
        assert late is Effect.NOTHING


# --- Verified statements ----------------------------------------------------------------------


@pytest.mark.parametrize("papers", [USER, MODEL, WEB], ids=lambda p: p.source.kind)
@pytest.mark.parametrize("explicit", [True, False])
def test_nobody_but_a_system_of_record_overwrites_what_it_vouched_for(
    papers: Provenance, explicit: bool
) -> None:
    """R15, R51."""
    assert told(VERIFIED, NEW, papers, explicit=explicit) is Effect.HOLD
    assert told(VERIFIED, OLD, papers, valid=Interval(T0), explicit=explicit) is Effect.HOLD
    assert told(HELD, {"content": "$300"}, papers, explicit=explicit) is Effect.HOLD


def test_a_system_of_record_overwrites_itself_and_what_waits() -> None:
    assert told(VERIFIED, NEW, LEDGER) is Effect.SUPERSEDE
    assert told(HELD, {"content": "$300"}, LEDGER) is Effect.SUPERSEDE
    assert told(HELD, NEW, LEDGER) is Effect.SUPERSEDE


def test_what_waits_for_review_is_not_held_a_second_time() -> None:
    """B22: the same claim repeated adds evidence, not versions."""
    assert told(HELD, NEW, USER) is Effect.STRENGTHEN


def test_a_statement_that_becomes_verified_is_protected_from_then_on() -> None:
    """R15: the system of record confirms what the user had said; both say the same."""
    record = stands(USER)
    assert told(record, OLD, LEDGER) is Effect.SUPERSEDE
    confirmed = record.supersede(OLD, now=T0, provenance=LEDGER)
    assert told(confirmed, NEW, USER) is Effect.HOLD


def test_repetition_does_not_wear_a_verified_statement_down() -> None:
    """R51: however often it repeats."""
    record = VERIFIED
    for n in range(20):
        claim = {"content": f"${n}"}
        assert told(record, claim, WEB) is Effect.HOLD
        record = record.supersede(claim, now=T0, provenance=WEB, status=Status.PENDING)
    assert record.current(T0) == record.versions[0]


def test_once_it_is_revoked_or_deleted_it_protects_nothing() -> None:
    """The revocation and the tombstone have papers of their own."""
    revoked = VERIFIED.invalidate(now=T0, provenance=LEDGER)
    assert told(revoked, NEW, USER) is Effect.SUPERSEDE
    assert told(VERIFIED.delete(now=T0, provenance=LEDGER), NEW, USER) is Effect.SUPERSEDE


STATUSES = st.sampled_from([Status.ACTIVE, Status.PENDING])
PAPERS = st.sampled_from([USER, MODEL, WEB, LEDGER])
SAID = st.sampled_from([OLD, NEW])


PAST = st.lists(st.tuples(SAID, PAPERS, STATUSES, st.booleans()), max_size=6)


@given(PAST, SAID, PAPERS, st.booleans())
def test_whatever_happened_before_no_unverified_word_changes_a_verified_fact(
    past: list[tuple[dict[str, Any], Provenance, Status, bool]],
    value: dict[str, Any],
    papers: Provenance,
    explicit: bool,
) -> None:
    """R15, B74: the invariants, over any chain."""
    record = stands()
    for said, by, status, dies in past:
        record = record.supersede(said, now=T0, provenance=by, status=status)
        record = record.delete(now=T0) if dies else record
    effect = told(record, value, papers, explicit=explicit)
    standing = record.current(T0)
    if record.head.status is Status.DELETED:
        meant = explicit and papers not in (MODEL, WEB)
        assert effect is (Effect.SUPERSEDE if meant else Effect.NOTHING)
    elif record.head.status is Status.INVALIDATED:
        assert effect is not Effect.BEGIN
    elif standing and standing.provenance == LEDGER and papers is not LEDGER:
        assert effect in (Effect.HOLD, Effect.STRENGTHEN)
    if effect is Effect.STRENGTHEN:
        heard = [each for each in (record.head, standing) if each and each.value == value]
        assert heard
        assert papers is not LEDGER or any(each.provenance == LEDGER for each in heard)


def test_a_hold_is_never_current() -> None:
    assert HELD.current(T0 + DAY) == HELD.versions[0]
    assert HELD.versions[0]._replace(superseded_at=None, status=Status.ACTIVE) == VERIFIED.head


def test_what_holds_said_again_leaves_what_waits_in_review() -> None:
    """R3: it is one more witness, whoever says it."""
    waiting = stands().supersede(NEW, now=T0, provenance=WEB, status=Status.PENDING)
    for papers in (USER, WEB):
        assert told(waiting, OLD, papers) is Effect.STRENGTHEN
    assert told(waiting, NEW, WEB) is Effect.STRENGTHEN
    assert told(waiting, OLD, LEDGER) is Effect.SUPERSEDE


def test_what_has_ended_is_in_nobodys_way() -> None:
    """R14: trust is asked of what holds, or is announced to hold."""
    ended = stands(LEDGER, valid=Interval(None, T0))
    assert told(ended, NEW, USER) is Effect.SUPERSEDE
    announced = stands(LEDGER, valid=Interval(T0 + DAY))
    assert told(announced, NEW, USER) is Effect.HOLD
