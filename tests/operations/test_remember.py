"""Writing statements: through the policy, in a chain, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from langgraph_memory import Home, Kind, ScopedMemory, Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidInputError, VersionConflictError
from langgraph_memory.policy.conflict import Effect

NOW = datetime.now(UTC)


def test_a_later_statement_under_a_key_supersedes_and_keeps_the_earlier(me: ScopedMemory) -> None:
    """R12, R13: the loser is marked and kept."""
    first = me.remember("The launch is on Friday", key="launch_date")
    second = me.remember("The launch moved to Monday", key="launch_date")
    assert (first.effect, second.effect) == (Effect.BEGIN, Effect.SUPERSEDE)
    assert second.replaced == "The launch is on Friday"
    assert second.id == first.id
    old, new = me.inspect("launch_date").record.versions
    assert (old.status, new.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert old.superseded_at == new.recorded_at


def test_the_same_words_are_one_record_with_more_evidence(me: ScopedMemory) -> None:
    """B22: exact repeats strengthen instead of multiplying."""
    for event in ("e1", "e2", "e2", "e3"):
        me.remember("i am  allergic to peanuts" if event == "e2" else "I am allergic to peanuts",
                    events=[event])  # fmt: skip
    page = me.contents()
    assert page.total == 1
    assert page.records[0].record.head.provenance.event_ids[0] == "e1"
    assert page.records[0].record.head.provenance.event_ids[-1] == "e3"


def test_a_record_carries_its_papers(me: ScopedMemory) -> None:
    """R10, R16, R19: source, verification, purpose, policy."""
    me.remember("Lina owns deployment", key="owner", events=["e1"])
    papers = me.inspect("owner").record.head.provenance
    assert papers.source == Source(SourceKind.USER, "jane.doe@example.com")
    assert papers.verification is Verification.USER_STATED
    assert papers.event_ids == ("e1",)
    assert papers.purpose
    assert papers.policy == "write-2"


def test_every_kind_has_a_lifetime_or_says_permanent(me: ScopedMemory) -> None:
    """R23: an episode ends; a fact is permanent by choice; a caller can say otherwise."""
    me.remember("We met in Lisbon", key="a", kind="episodic")
    me.remember("We like Lisbon", key="b")
    me.remember("The offer is 10 %", key="c", ttl_minutes=5)
    now = datetime.now(UTC)
    ends = [me.inspect(key).lifetime.expires_at for key in ("a", "b", "c")]
    assert ends[0] is not None
    assert timedelta(days=729) < ends[0] - now < timedelta(days=731)
    assert ends[1] is None
    assert ends[2] is not None
    assert ends[2] - now < timedelta(minutes=6)


def test_what_has_expired_is_gone_and_can_be_said_anew(
    me: ScopedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R23, B51: an expired statement is no obstacle to saying it again."""
    me.remember("The offer is 10 %", key="offer", ttl_minutes=0.0001)
    while me.contents().total:
        pass
    again = me.remember("The offer is 10 %", key="offer")
    assert again.effect is not Effect.STRENGTHEN
    assert me.recall("What is the offer?").evidence[0].content == "The offer is 10 %"


def test_a_future_statement_leaves_today_alone(me: ScopedMemory) -> None:
    """R14: what starts later does not replace what holds now."""
    me.remember("The budget is $150", key="budget")
    me.remember("The budget is $900", key="budget", valid_from=NOW + timedelta(days=30))
    [hit] = me.recall("What is the budget?").evidence
    assert hit.content == "The budget is $150"


def test_an_ended_statement_is_not_recalled_as_current(me: ScopedMemory) -> None:
    """R14, R42: an ended role is rejected with its reason, and the answer abstains."""
    me.remember("Tom is the release manager", key="manager", valid_from=NOW - timedelta(days=9),
                valid_until=NOW - timedelta(days=1))  # fmt: skip
    found = me.recall("Who is the release manager?")
    assert not found.evidence
    assert found.abstained is not None
    assert found.abstained.value == "what is stored about this no longer holds"
    assert found.rejected[0].judgement.verdict.value == "ended"


def test_conversation_does_not_overwrite_a_verified_record(home: Home, me: ScopedMemory) -> None:
    """R15: the verified statement stays current; the claim waits beside it."""
    billing = Source(SourceKind.SYSTEM, "billing")
    me.remember("The plan is Basic", key="plan", source=billing,
                verification=Verification.VERIFIED)  # fmt: skip
    claim = me.remember("The plan is Enterprise", key="plan")
    assert claim.effect is Effect.HOLD
    assert me.recall("Which plan is it?").evidence[0].content == "The plan is Basic"
    fresh = me.remember("The plan is Pro", key="plan", source=billing,
                        verification=Verification.VERIFIED)  # fmt: skip
    assert fresh.effect is Effect.SUPERSEDE
    assert me.recall("Which plan is it?").evidence[0].content == "The plan is Pro"


def test_two_writers_with_one_expectation_are_one_winner(me: ScopedMemory) -> None:
    """R25, R93: compare-and-set lets exactly one through, and loses nothing."""
    me.remember("Plan: nothing yet", key="plan")

    def write(agent: int) -> bool:
        try:
            me.remember(f"Plan of agent {agent}", key="plan", expected_version=1)
        except VersionConflictError as error:
            assert error.actual == 2
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(write, range(8))) == 1
    assert len(me.inspect("plan").record.versions) == 2


def test_expecting_a_version_of_nothing_is_a_conflict(me: ScopedMemory) -> None:
    """R25: 0 means new; anything else needs a record."""
    with pytest.raises(VersionConflictError):
        me.remember("x y z", key="new", expected_version=3)
    assert me.remember("x y z", key="new", expected_version=0).version == 1


@pytest.mark.parametrize("field", ["tenant", "user", "namespace", "scope", "content"])
def test_metadata_cannot_move_a_record(me: ScopedMemory, field: str) -> None:
    """B6: whose a memory is comes from the scope alone."""
    with pytest.raises(InvalidInputError, match=field):
        me.remember("hello there", metadata={field: "victim"})
    assert me.contents().total == 0


def test_an_unknown_kind_is_refused_by_name(me: ScopedMemory) -> None:
    with pytest.raises(InvalidInputError, match="semantic, episodic, procedural"):
        me.remember("hello there", kind="factual")


def test_naive_times_are_refused(me: ScopedMemory) -> None:
    """B38: which hour a naive time means cannot be known."""
    with pytest.raises(InvalidInputError, match="no time zone"):
        me.remember("hello there", valid_from=datetime(2026, 5, 1))
    assert me.contents().total == 0


@pytest.mark.parametrize(
    "text", ["用户喜欢寿司", "Пользователь любит чай", "المستخدم يحب الشاي", "❤️🍣", "a" * 1_000_000]
)
def test_any_language_is_kept_as_it_is_and_found(me: ScopedMemory, text: str) -> None:
    """B33, B34, B36: no script is dropped, and a megabyte is no obstacle."""
    me.remember(text)
    assert me.recall(text).evidence[0].content == text


def test_the_tail_of_a_long_text_is_found_by_its_words(me: ScopedMemory) -> None:
    """B36: beyond what the embedder reads, words still find it."""
    filler = "nothing of interest happened on that long and quiet day. " * 4000
    me.remember(filler + "The vault code is ZX-4711-Q.")
    assert me.recall("What is ZX-4711-Q?").evidence
    assert Kind.SEMANTIC.value in me.contents().records[0].record.namespace


def test_a_held_claim_does_not_shorten_the_life_of_what_holds(me: ScopedMemory) -> None:
    """R15, R24: the verified statement outlives the claim beside it."""
    billing = Source(SourceKind.SYSTEM, "billing")
    me.remember("The plan is Basic", key="plan", source=billing,
                verification=Verification.VERIFIED)  # fmt: skip
    assert me.remember("The plan is Gold", key="plan", ttl_minutes=0.0001).effect is Effect.HOLD
    assert me.inspect("plan").lifetime.expires_at is None


def test_a_repeat_never_shortens_a_life(me: ScopedMemory) -> None:
    me.remember("I am allergic to nuts", key="allergy")
    me.remember("I am allergic to nuts", key="allergy", ttl_minutes=1)
    assert me.inspect("allergy").lifetime.expires_at is None


def test_what_was_forgotten_is_no_history_of_what_is_said_anew(me: ScopedMemory) -> None:
    """R62: the statement before the tombstone does not come back as history."""
    me.remember("My therapist is Dr. Quill", key="therapist")
    me.forget("therapist")
    me.remember("My therapist is Dr. Marsh", key="therapist")
    [hit] = me.recall("Who is my therapist?").evidence
    assert hit.replaced == []


def test_another_projects_text_is_not_even_a_rejected_candidate(home: Home) -> None:
    """R41, R54."""
    home.memory.scope(tenant="t", user="u", project="beta").remember("Beta launches on Friday")
    alpha = home.memory.scope(tenant="t", user="u", project="alpha")
    found = alpha.recall("When does beta launch?")
    assert (found.evidence, found.rejected) == ((), ())
