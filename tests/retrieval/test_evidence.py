"""From judged hits to evidence: what passes, what does not, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.policy.validity import Judgement, Verdict
from langgraph_memory.retrieval.evidence import (
    BESIDE_THE_BEST,
    STRONG_ENOUGH,
    Hit,
    content_of,
    judged,
    select,
    supported,
)
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.retrieval.support import ENOUGH, ENOUGH_FOR_EPISODE

T0 = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
ANA = Scope("acme", "ana")


def hit(
    row: int = 1, strength: float = 0.5, *, text: str | None = None, kind: Kind = Kind.SEMANTIC,
    verdict: Verdict = Verdict.VALID, support: float | None = None,
) -> Hit:  # fmt: skip
    value = {"content": f"fact {row}" if text is None else text}
    record = Record.first(f"id-{row}", ANA.namespace(kind), f"k{row}", value, now=T0)
    version = record.head if verdict is Verdict.VALID else None
    judgement = Judgement(verdict, f"why {verdict}", version)
    candidate = Candidate(row, semantic=strength, lexical=strength)
    return Hit(record, candidate, judgement, support)


def rows(hits: list[Hit]) -> list[int]:
    return [each.candidate.row for each in hits]


def verdicts(hits: list[Hit]) -> list[Verdict]:
    return [each.judgement.verdict for each in hits]


def test_strong_valid_hits_are_evidence_in_their_order() -> None:
    hits = [hit(3, 0.6), hit(1, 0.58), hit(2, 0.56)]
    assert select(hits, limit=5) == (hits, [])


@pytest.mark.parametrize("verdict", [each for each in Verdict if each is not Verdict.VALID])
def test_what_is_not_valid_is_never_evidence_however_strong(verdict: Verdict) -> None:
    """R42, R91, B5, B51."""
    bad = hit(1, 0.99, verdict=verdict)
    evidence, rejected = select([bad, hit(2, STRONG_ENOUGH)], limit=5)
    assert rows(evidence) == [2]
    assert rejected == [bad]


def test_a_strong_hit_that_no_longer_holds_does_not_raise_the_bar_for_the_others() -> None:
    """B76: a ghost eats no place."""
    ghosts = [hit(n, 0.99, verdict=Verdict.DELETED) for n in range(10, 15)]
    evidence, _ = select([*ghosts, hit(1, STRONG_ENOUGH)], limit=1)
    assert rows(evidence) == [1]


def test_support_of_one_of_the_strongest_lets_its_neighbours_stand() -> None:
    """R44: support decides about the answer as a whole, not about each part of it."""
    hits = [hit(1, 0.9, support=ENOUGH - 0.01), hit(2, 0.8, support=ENOUGH), hit(3, 0.7)]
    assert rows(select(hits, limit=5)[0]) == [1, 2, 3]


def test_without_support_of_any_measured_hit_there_is_no_evidence() -> None:
    """R44, B56: a shared subject is no answer."""
    hits = [hit(1, 0.9, support=ENOUGH - 0.01), hit(2, 0.8, support=0.0), hit(3, 0.7)]
    evidence, rejected = select(hits, limit=5)
    assert evidence == []
    assert {each.judgement.reason for each in rejected} == {"about the subject, but no answer"}


def test_the_limit_is_kept_and_the_rest_told() -> None:
    evidence, rejected = select([hit(n, 0.5) for n in range(6)], limit=2)
    assert rows(evidence) == [0, 1]
    assert verdicts(rejected) == [Verdict.WEAK] * 4
    assert {each.judgement.reason for each in rejected} == {"beyond the best 2"}
    assert select([hit()], limit=0)[0] == []


def test_the_threshold_is_a_floor_that_counts_from_below() -> None:
    """B43, R44: the threshold filters the right end."""
    edge = STRONG_ENOUGH
    evidence, rejected = select([hit(1, edge * 1.1), hit(2, edge), hit(3, edge * 0.9)], limit=5)
    assert rows(evidence) == [1, 2]
    assert rejected[0].judgement.reason == f"strength {edge * 0.9:.2f} of {edge:.2f}"
    assert verdicts(rejected) == [Verdict.WEAK]


def test_a_threshold_of_the_callers_choice_counts() -> None:
    hits = [hit(1, 0.85), hit(2, 0.75)]
    assert rows(select(hits, limit=5, threshold=0.8)[0]) == [1]
    assert rows(select(hits, limit=5, threshold=0.0)[0]) == [1, 2]
    assert select(hits, limit=5, threshold=1.0)[0] == []


def test_what_is_far_weaker_than_the_best_does_not_stand_beside_it() -> None:
    floor = 0.8 * BESIDE_THE_BEST
    hits = [hit(1, 0.8), hit(2, floor + 0.001), hit(3, floor - 0.001)]
    evidence, rejected = select(hits, limit=5)
    assert rows(evidence) == [1, 2]
    assert rejected[0].judgement.reason == f"strength {floor - 0.001:.2f} of {floor:.2f}"


def test_an_episode_needs_less_support_than_a_fact() -> None:
    low = (ENOUGH + ENOUGH_FOR_EPISODE) / 2
    assert rows(select([hit(1, 0.5, kind=Kind.EPISODIC, support=low)], limit=5)[0]) == [1]
    assert rows(select([hit(1, 0.5, kind=Kind.SEMANTIC, support=low)], limit=5)[0]) == []


def test_support_at_the_edge_is_enough_and_just_below_is_not() -> None:
    edges = ((Kind.SEMANTIC, ENOUGH), (Kind.EPISODIC, ENOUGH_FOR_EPISODE))
    for kind, edge in edges:
        assert supported(hit(kind=kind, support=edge))
        assert not supported(hit(kind=kind, support=edge - 0.001))
    assert not supported(hit(support=None))


def test_a_hit_that_no_longer_holds_cannot_answer_for_the_others() -> None:
    """R42: its support says nothing about what may be used."""
    ghost = hit(1, 0.6, support=0.9, verdict=Verdict.ENDED)
    assert select([ghost, hit(2, 0.6, support=0.0)], limit=5)[0] == []


def test_the_same_words_in_one_place_are_evidence_once() -> None:
    """R40, B60."""
    hits = [
        hit(1, 0.6, text="The launch is on Monday"),
        hit(2, 0.6, text="the LAUNCH is on monday"),
        hit(3, 0.6, text="The launch is on Monday", kind=Kind.EPISODIC),
        hit(4, 0.6, text="The launch is on Friday"),
    ]
    evidence, rejected = select(hits, limit=5)
    assert rows(evidence) == [1, 3, 4]
    assert verdicts(rejected) == [Verdict.DUPLICATE]
    assert rejected[0].judgement.reason == "says the same as a stronger one"


def test_a_duplicate_of_something_rejected_is_no_duplicate() -> None:
    hits = [hit(1, 0.6, text="a", verdict=Verdict.EXPIRED), hit(2, 0.5, text="a")]
    assert rows(select(hits, limit=5)[0]) == [2]


def test_duplicates_take_no_place_of_the_limit() -> None:
    hits = [hit(1, 0.6, text="a"), hit(2, 0.6, text="a"), hit(3, 0.6, text="b")]
    assert rows(select(hits, limit=2)[0]) == [1, 3]


def test_a_rejected_hit_keeps_its_record_and_parts() -> None:
    """R16: what was left out can be looked at."""
    weak = hit(2, 0.1)
    rejected = select([hit(1, 0.9), weak], limit=5)[1][0]
    assert (rejected.record, rejected.candidate) == (weak.record, weak.candidate)
    assert rejected.version == weak.version


STRENGTHS = [0.0, 0.1, STRONG_ENOUGH, 0.2, 0.4, 0.8, 0.8 * BESIDE_THE_BEST, 0.999]
HITS = st.lists(
    st.builds(
        hit,
        row=st.integers(1, 99),
        strength=st.sampled_from(STRENGTHS),
        text=st.sampled_from(["a", "A", "b", "c", ""]),
        kind=st.sampled_from(Kind),
        verdict=st.sampled_from([Verdict.VALID] * 3 + [*Verdict]),
        support=st.sampled_from([None, 0.0, ENOUGH - 0.01, ENOUGH, 0.9]),
    ),
    max_size=10,
    unique_by=lambda each: each.candidate.row,
).map(lambda hits: sorted(hits, key=lambda each: -each.score))


@given(HITS, st.integers(0, 4), st.sampled_from([0.0, STRONG_ENOUGH, 0.5, 1.0]))
def test_every_hit_is_either_evidence_or_rejected_with_a_reason(
    hits: list[Hit], limit: int, threshold: float
) -> None:
    """R40, R42, R44."""
    evidence, rejected = select(hits, limit=limit, threshold=threshold)
    assert sorted(rows(evidence) + rows(rejected)) == sorted(rows(hits))
    assert [each for each in hits if each in evidence] == evidence
    assert len(evidence) <= limit
    valid = [each for each in hits if each.judgement.verdict is Verdict.VALID]
    measured = [each for each in valid if each.support is not None]
    usable = valid if not measured or any(map(supported, measured)) else []
    best = max((each.score for each in valid), default=0.0)
    floor = max(threshold, best * BESIDE_THE_BEST)
    strong = [each for each in usable if each.score >= floor]
    places = [_said(each) for each in evidence]
    assert all(each in strong for each in evidence)
    assert len(set(places)) == len(places)
    assert len(evidence) == min(limit, len({_said(each) for each in strong}))
    assert evidence == [] or evidence[0] == strong[0]
    for each in rejected:
        assert each.judgement.verdict is not Verdict.VALID
        assert each.judgement.reason
    untouched = dict(zip(rows(hits), hits, strict=True))
    for each in rejected:
        before = untouched[each.candidate.row]
        if before.judgement.verdict is not Verdict.VALID:
            assert each == before


def _said(each: Hit) -> tuple[Namespace, str]:
    return each.record.namespace, each.content.casefold()


# --- What a hit shows -------------------------------------------------------------------------


def test_a_hit_quotes_the_version_that_holds() -> None:
    """R14, R42."""
    record = Record.first("id-1", ANA.namespace(Kind.SEMANTIC), "k", {"content": "Friday"}, now=T0)
    planned = record.supersede({"content": "Monday"}, now=T0, status=Status.PENDING)
    found = judged(planned, Candidate(1, 0.9), asker=ANA, now=T0 + DAY, expires_at=None)
    assert (found.content, found.replaced) == ("Friday", [])
    moved = record.supersede({"content": "Monday"}, now=T0 + DAY)
    found = judged(moved, Candidate(1, 0.9), asker=ANA, now=T0 + DAY, expires_at=None)
    assert (found.content, [content_of(each) for each in found.replaced]) == ("Monday", ["Friday"])


def test_history_comes_newest_first_and_holds_only_what_was_replaced() -> None:
    record = Record.first("id-1", ANA.namespace(Kind.SEMANTIC), "k", {"content": "1"}, now=T0)
    for said, status in (("2", Status.ACTIVE), ("?", Status.PENDING), ("3", Status.ACTIVE)):
        record = record.supersede({"content": said}, now=T0, status=status)
    found = judged(record, Candidate(1), asker=ANA, now=T0, expires_at=None)
    assert [content_of(each) for each in found.replaced] == ["2", "1"]


def test_a_judged_hit_bears_the_verdict_on_scope_and_retention() -> None:
    """R40, R41, B48."""
    record = Record.first("id-1", ANA.namespace(Kind.SEMANTIC), "k", {"content": "x"}, now=T0)
    bob = judged(record, Candidate(1), asker=Scope("acme", "bob"), now=T0, expires_at=None)
    late = judged(record, Candidate(1), asker=ANA, now=T0 + DAY, expires_at=T0 + DAY)
    assert verdicts([bob, late]) == [Verdict.WRONG_SCOPE, Verdict.EXPIRED]
    assert select([bob, late], limit=5)[0] == []


def test_the_content_of_a_tombstone_is_empty_and_of_an_odd_value_its_whole() -> None:
    record = Record.first("id-1", ("docs",), "k", {"a": 1}, now=T0)
    assert content_of(record.head) == "{'a': 1}"
    assert content_of(record.delete(now=T0).head) == ""
    odd = Record.first("id-1", ("docs",), "k", {"content": 5}, now=T0)
    assert content_of(odd.head) == "{'content': 5}"
