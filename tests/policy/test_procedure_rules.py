"""Who may let a way of working take force, and on what: decided purely."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.domain.trial import Checked, Trial, digest
from langgraph_memory.errors import InvalidInputError, UnreviewedError
from langgraph_memory.policy.procedures import (
    Stage,
    check_change,
    check_proposer,
    is_procedure,
    may_approve,
    of_words,
    stage,
)

NOW = datetime(2026, 5, 1, tzinfo=UTC)
JANE = Scope("acme", "jane")
OLD, NEW = {"content": "old"}, {"content": "new"}
PAPERS = Provenance(Source(SourceKind.USER, "Lina"))
APPROVED = replace(PAPERS, approved_by="Ann")


def trial(task: str = "a", passed: bool = True, words: dict[str, str] = NEW) -> Trial:
    return Trial(1, digest(words), task, digest(1), Checked(passed), "Omar", NOW)


def why(reviewer: str, *results: Trial, proposer: str = "Lina", bar: float = 1.0) -> str:
    return may_approve(proposer, reviewer, results, words=digest(NEW), bar=bar)


def test_another_named_person_approves_what_passed() -> None:
    """R52."""
    assert why("Ann", trial(), trial("b")) == ""


@pytest.mark.parametrize(
    "reviewer", ["Lina", "lina", " LINA ", "ｌｉｎａ", "Li\u200bna", "\u2066Lina\u2069"]
)
def test_the_proposer_is_no_reviewer_however_the_name_is_spelled(reviewer: str) -> None:
    """R52: neither by case, nor by width, nor by marks that nobody sees."""
    assert "let somebody else review" in why(reviewer, trial())


@pytest.mark.parametrize("reviewer", ["", "  ", "\u200b"])
def test_somebody_must_be_named(reviewer: str) -> None:
    assert "no reviewer is named" in why(reviewer, trial())
    assert "nobody is named who proposed it" in why("Ann", trial(), proposer=reviewer)


def test_results_are_of_these_words_and_pass() -> None:
    assert "there are no results" in why("Ann")
    assert "other words" in why("Ann", trial(words=OLD))
    assert "1 of 2 tasks failed ('b')" in why("Ann", trial(), trial("b", passed=False))


def test_the_last_result_of_each_task_counts() -> None:
    """A failure is not left behind by testing less; a task that passes at last has passed."""
    assert "1 of 2" in why("Ann", trial("b", passed=False), trial("a"), trial("a"))
    assert why("Ann", trial(passed=False), trial()) == ""
    assert "1 of 1" in why("Ann", trial(), trial(passed=False))
    assert of_words([trial(), trial(words=OLD)], digest(NEW)) == [trial()]


def test_a_bar_says_how_many_must_pass() -> None:
    results = [trial(str(number), passed=number > 0) for number in range(10)]
    assert why("Ann", *results, bar=0.9) == ""
    assert "1 of 10 tasks failed ('0')" in why("Ann", *results, bar=0.91)
    for bar in (0, -1, 1.01, True, float("nan")):
        with pytest.raises(InvalidInputError, match="above 0 and up to 1"):
            why("Ann", *results, bar=bar)


def begun(status: Status = Status.ACTIVE, papers: Provenance = APPROVED) -> Record:
    return Record.first(
        "r", JANE.namespace(Kind.PROCEDURAL), "k", OLD, now=NOW, provenance=papers, status=status
    )


def check(
    grown: Record, before: Record | None, by: str = "", results: tuple[Trial, ...] = ()
) -> None:
    check_change(before, grown.head, name="k", by=by, results=results)


def test_proposing_and_taking_away_need_no_review() -> None:
    """R52, R60."""
    check(begun(Status.PENDING, PAPERS), None)
    check(begun().supersede(NEW, now=NOW, provenance=PAPERS, status=Status.PENDING), begun())
    check(begun().invalidate(now=NOW), begun())
    check(begun().delete(now=NOW), begun())


@pytest.mark.parametrize("value", [OLD, NEW])
def test_nothing_takes_force_that_nobody_decided(value: dict[str, str]) -> None:
    """R52: also not the same words with other papers, whatever they claim."""
    for before in (None, begun(), begun().invalidate(now=NOW), begun().delete(now=NOW)):
        grown = (before or begun()).supersede(value, now=NOW, provenance=APPROVED)
        with pytest.raises(UnreviewedError, match=r"Propose it by procedures\.propose"):
            check(grown, before, results=(trial(), trial(words=OLD)))


def test_a_rejection_says_again_what_is_in_force_and_nothing_else() -> None:
    before = begun().supersede(NEW, now=NOW, provenance=PAPERS, status=Status.PENDING)
    again = replace(APPROVED, reason="rejected by Omar")
    check(before.supersede(OLD, now=NOW, provenance=again), before, by="Omar")
    for other in (
        before.supersede(NEW, now=NOW, provenance=again),
        before.supersede(OLD, now=NOW, provenance=replace(again, approved_by="Omar")),
        before.supersede(OLD, now=NOW, valid=Interval(NOW), provenance=again),
    ):
        with pytest.raises(UnreviewedError):
            check(other, before, by="Omar")
    revoked = begun().invalidate(now=NOW)
    with pytest.raises(UnreviewedError):
        check(revoked.supersede(OLD, now=NOW, provenance=again), revoked, by="Omar")


def test_an_approval_is_held_against_proposer_results_and_words() -> None:
    before = begun().supersede(NEW, now=NOW, provenance=PAPERS, status=Status.PENDING)
    grown = before.supersede(NEW, now=NOW, provenance=APPROVED)
    check(grown, before, by="Ann", results=(trial(),))
    with pytest.raises(UnreviewedError, match="other words"):
        check(grown, before, by="Ann", results=(trial(words=OLD),))
    own = before.supersede(NEW, now=NOW, provenance=replace(PAPERS, approved_by="Lina"))
    with pytest.raises(UnreviewedError, match="somebody else"):
        check(own, before, by="Ann", results=(trial(),))


def test_a_proposal_comes_from_somebody_named() -> None:
    for name in ("", " ", "\u200b"):
        papers = Provenance(Source(SourceKind.APPLICATION, name))
        with pytest.raises(UnreviewedError, match="nobody is named who proposes"):
            check_proposer(papers, Kind.PROCEDURAL, "k", Scope("acme", "jane"))
        check_proposer(papers, Kind.SEMANTIC, "k", Scope("acme", "jane"))
    check_proposer(PAPERS, Kind.PROCEDURAL, "k", Scope("acme", "jane"))


def test_only_a_scope_has_procedures() -> None:
    assert is_procedure(Scope("acme", None, "p").namespace(Kind.PROCEDURAL))
    assert not is_procedure(JANE.namespace(Kind.SEMANTIC))
    assert not is_procedure(("notes", "procedural"))


def test_each_version_has_a_stage() -> None:
    record = begun(Status.PENDING, PAPERS)
    results = [trial(words=OLD)]
    assert stage(record, record.head, [], None) is Stage.PROPOSED
    assert stage(record, record.head, results, None) is Stage.TESTED
    for value, status, papers in (
        (OLD, Status.ACTIVE, APPROVED), (NEW, Status.PENDING, PAPERS),
        (NEW, Status.ACTIVE, APPROVED), (OLD, Status.PENDING, PAPERS),
        (OLD, Status.ACTIVE, APPROVED),
    ):  # fmt: skip
        later = Interval(NOW + timedelta(days=1) if len(record.versions) == 5 else None)
        record = record.supersede(value, now=NOW, provenance=papers, status=status, valid=later)
    now = record.current(NOW)
    assert [stage(record, each, results, now).value for each in record.versions] == [
        "set aside", "past", "set aside", "active", "set aside", "approved",
    ]  # fmt: skip
