"""What happened on a day is kept with its day, and nothing takes its place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.domain.record import Record
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.conflict import Effect


def _on(day: int, hour: int = 12) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


def _say(home: Home, me: ScopedMemory, text: str, at: datetime) -> None:
    message = Utterance("talk", f"{text} {at}", "user", text, at=at)
    me.capture([message], consolidate=True)
    home.memory.work_off()


def _kept(me: ScopedMemory) -> list[Record]:
    return [each.record for each in me.contents().records]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("I swam 2 km today.", 3, 10),
        ("I saw the doctor yesterday.", 2, 9),
        ("I had a migraine.", 3, 10),
        ("I flew to Oslo yesterday.", 2, 9),
        ("The build broke last night.", 2, 9),
        ("I took two aspirin this morning.", 3, 10),
        ("We met the landlord two days ago.", 1, 8),
        ("昨天我吃了药。", 2, 9),
    ],
)
def test_the_same_words_on_two_days_are_two_episodes(
    home: Home, me: ScopedMemory, text: str, first: int, second: int
) -> None:
    """R10, R12: each with its day, and each with its own message."""
    for day in (3, 10):
        _say(home, me, text, _on(day))
    kept = sorted(_kept(me), key=lambda each: each.head.recorded_at)
    assert [each.head.valid.start for each in kept] == [_on(first, 0), _on(second, 0)]
    assert [len(each.head.provenance.event_ids) for each in kept] == [1, 1]


def test_two_days_in_one_batch_of_messages_are_two_episodes(home: Home, me: ScopedMemory) -> None:
    """R10: whether the work was done in between makes no difference."""
    said = [Utterance("talk", str(day), "user", "I ran 5 km today.", at=_on(day)) for day in (3, 4)]
    me.capture([*said, said[0]], consolidate=True)
    home.memory.work_off()
    assert {each.head.valid.start for each in _kept(me)} == {_on(3, 0), _on(4, 0)}


def test_a_message_sent_again_and_the_same_words_of_a_day_are_one_episode(
    home: Home, me: ScopedMemory
) -> None:
    """B22: a resend is no second event."""
    for hour in (9, 9, 18):
        _say(home, me, "I ran 5 km today.", _on(3, hour))
    assert len(_kept(me)) == 1


def test_how_things_are_is_one_memory_whenever_it_is_said(home: Home, me: ScopedMemory) -> None:
    """B22: a state is no event of its day."""
    for day in (3, 10):
        _say(home, me, "My parrot is loud in the mornings.", _on(day))
    [kept] = _kept(me)
    assert kept.head.valid.start is None


def test_yesterday_is_the_day_before_in_the_zone_of_who_says_so(home: Home) -> None:
    """R14: 02:00 in London is the evening before in New York."""
    me = home.memory.scope(tenant="acme", user="ann", timezone="America/New_York")
    _say(home, me, "I painted the fence yesterday.", _on(10, 2))
    assert _kept(me)[0].head.valid.start == datetime(2026, 3, 8, 5, tzinfo=UTC)


def test_an_episode_of_another_time_is_another_episode(me: ScopedMemory) -> None:
    """R10: none of them is superseded, and a recall has all of them."""
    told = [me.remember("I took my pill", kind="episodic", valid_from=_on(day)) for day in (1, 2)]
    again = me.remember("I took my pill", kind="episodic", valid_from=_on(1))
    assert [each.effect for each in (*told, again)] == [
        Effect.BEGIN, Effect.BEGIN, Effect.STRENGTHEN
    ]  # fmt: skip
    assert len(me.recall("When did I take my pill?").evidence) == 2


def test_no_episode_is_replaced_under_its_key(me: ScopedMemory) -> None:
    """R10: a further one needs a name of its own; putting one right is no replacement."""
    me.remember("Version 3 was deployed", kind="episodic", key="deploy")
    with pytest.raises(InvalidInputError, match="Leave the key"):
        me.remember("Version 4 was deployed", kind="episodic", key="deploy")
    assert me.remember("Version 3 was deployed", kind="episodic", key="deploy").version == 1
    me.correct("deploy", "Version 3.1 was deployed")
    assert me.inspect("deploy").record.head.value == {"content": "Version 3.1 was deployed"}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I am on sick leave until Friday.", "Am I on sick leave?"),
        ("Entry is free until Friday.", "Is entry free?"),
        ("I'm staying in Oslo until Friday.", "Am I staying in Oslo?"),
    ],
)
def test_until_a_day_holds_in_conversation_too(
    home: Home, me: ScopedMemory, text: str, question: str
) -> None:
    """R14: what has ended is not recalled as current."""
    _say(home, me, text, _on(2))
    assert _kept(me)[0].head.valid.end == _on(7, 0)
    assert not me.recall(question).evidence


def test_the_same_words_for_two_periods_are_two_memories(home: Home, me: ScopedMemory) -> None:
    """R10: the later one does not rewrite when the first one held."""
    for day in (2, 16):
        _say(home, me, "Entry is free until Friday.", _on(day))
    assert {each.head.valid.end for each in _kept(me)} == {_on(7, 0), _on(21, 0)}
