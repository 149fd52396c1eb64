"""The same fact in other words is one more witness, not one more memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from langgraph_memory import Home, Kind, ScopedMemory
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.policy.conflict import Effect

SIX = (
    "My favourite colour is blue.", "Blue is my favorite color", "The color I like best is blue",
    "By the way, my favorite color is blue.", "my favourite colour is blue",
    "The colour I like most is blue.",
)  # fmt: skip
ALLERGY = (
    "I'm allergic to peanuts.", "I have a peanut allergy",
    "Just so you know, I am allergic to peanuts", "I am allergic to peanuts",
    "I am currently allergic to peanuts", "I've got a peanut allergy.",
)  # fmt: skip


@pytest.mark.parametrize("said", [SIX, ALLERGY, SIX[::-1], ALLERGY[::-1]])
def test_six_wordings_over_three_sessions_are_one_memory_with_six_witnesses(
    home: Home, me: ScopedMemory, said: tuple[str, ...]
) -> None:
    """B22: in the background, fact and episode, whichever is said first."""
    agent = home.agent()
    for number, each in enumerate(said):
        config: Any = {"configurable": {"thread_id": f"t{number // 2}"}}
        agent.invoke({"messages": [("user", each)]}, config, context=me.context())
        home.memory.work_off()
    [shown] = me.contents().records
    head = shown.record.head
    assert (head.number, head.value) == (1, {"content": said[0]})
    events = me.inspect(shown.record.id).events
    assert [each.content for each in events] == list(said)
    assert home.memory.verify().whole


def test_one_message_may_say_it_twice(home: Home, me: ScopedMemory) -> None:
    agent = home.agent()
    config: Any = {"configurable": {"thread_id": "t"}}
    said = " ".join(f"{each.rstrip('.')}." for each in ALLERGY[:3])
    agent.invoke({"messages": [("user", said)]}, config, context=me.context())
    home.memory.work_off()
    assert len(me.contents().records) == 1


def test_what_is_remembered_again_in_other_words_is_strengthened(me: ScopedMemory) -> None:
    first = me.remember(SIX[0])
    for each in SIX[1:]:
        done = me.remember(each)
        assert (done.id, done.version, done.effect) == (first.id, 1, Effect.STRENGTHEN)
    assert me.remember("My favourite colour is green").effect is Effect.SUPERSEDE


def test_another_time_kind_scope_field_or_name_is_another_memory(
    home: Home, me: ScopedMemory
) -> None:
    """R13."""
    me.remember(ALLERGY[0])
    soon = datetime.now(UTC) + timedelta(days=30)
    others = [
        me.remember(ALLERGY[1], valid_from=soon),
        me.remember(ALLERGY[2], kind=Kind.EPISODIC),
        me.remember(ALLERGY[4], metadata={"team": "web"}),
        me.remember(ALLERGY[5], key="allergy"),
        home.memory.scope(tenant="acme", user="omar").remember(ALLERGY[1]),
    ]
    assert [each.effect for each in others] == [Effect.BEGIN] * len(others)
    assert me.remember(ALLERGY[2], kind=Kind.PROCEDURAL).effect is Effect.HOLD


def test_a_page_may_bear_witness_and_is_believed_no_more_for_it(me: ScopedMemory) -> None:
    """R51: evidence is added, trust and words are not."""
    page = Source(SourceKind.WEB, "http://example.org")
    first = me.remember(ALLERGY[0], source=page)
    assert me.remember(ALLERGY[1], source=page).effect is Effect.STRENGTHEN
    head = me.inspect(first.id).record.head
    assert head.provenance.source == page
    assert head.provenance.verification is Verification.UNVERIFIED


def test_a_system_vouches_for_its_own_words_alone(me: ScopedMemory) -> None:
    """R15: what it says in other words verifies nothing that somebody said."""
    me.remember(ALLERGY[0])
    clinic = Source(SourceKind.SYSTEM, "clinic")
    done = me.remember(ALLERGY[1], source=clinic, verification=Verification.VERIFIED)
    assert done.effect is Effect.BEGIN
    again = me.remember(ALLERGY[2])
    assert again.effect is Effect.STRENGTHEN


def test_who_asks_for_a_new_memory_gets_one(me: ScopedMemory) -> None:
    """R25: a compare-and-set is decided on its own words."""
    me.remember(ALLERGY[0])
    assert me.remember(ALLERGY[1], expected_version=0).effect is Effect.BEGIN


def test_a_difference_in_one_word_is_another_fact(me: ScopedMemory) -> None:
    for each in (
        "I'm allergic to peanuts", "I'm allergic to walnuts", "My son is allergic to peanuts",
        "Bob manages Alice", "Alice manages Bob", "I might be allergic to peanuts",
    ):  # fmt: skip
        assert me.remember(each).effect is Effect.BEGIN


@pytest.mark.parametrize(
    ("one", "other"),
    [("The invite code is xK9p", "The invite code is Xk9P"),
     ("Der Code ist aB3", "Der Code ist Ab3"),
     ("I wish the wifi were HomeNet", "I wish the wifi were homenet"),
     ("We run Python 3.1", "We run Python 3.10"), ("It uses 5 mW", "It uses 5 MW")],
)  # fmt: skip
def test_what_differs_in_a_capital_or_a_digit_stands_beside_it(
    me: ScopedMemory, one: str, other: str
) -> None:
    """B22: each is known again by its own words, and none hides the other."""
    done = [me.remember(each).effect for each in (one, other, other, one)]
    assert done == [Effect.BEGIN, Effect.BEGIN, Effect.STRENGTHEN, Effect.STRENGTHEN]
    assert sorted(str(each.record.head.value) for each in me.contents().records) == sorted(
        str({"content": each}) for each in (one, other)
    )


def test_who_says_anew_what_was_corrected_is_heard(me: ScopedMemory) -> None:
    """Its name is made from the first words; what it says now is another thing."""
    me.remember("I like tea")
    me.correct("I like tea", "I like milk")
    assert me.remember("I like tea").effect is Effect.SUPERSEDE
