"""Days are those of who speaks, counted from when they spoke."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from langgraph.types import Command

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.domain.interval import Interval
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.language.when import validity

SHANGHAI, HONOLULU = "Asia/Shanghai", "Pacific/Honolulu"
AWAY = "I am away until Friday"


def away(at: datetime, zone: str) -> Interval:
    return validity(AWAY, at, ZoneInfo(zone))


def held(me: ScopedMemory, words: str = AWAY) -> Interval:
    return me.inspect(words).record.head.valid


@pytest.mark.parametrize("zone", [SHANGHAI, HONOLULU])
def test_a_day_is_the_speakers(home: Home, zone: str) -> None:
    """R14, B38: on purpose, in passing, by correction."""
    me = home.memory.scope(tenant="acme", user="jane", timezone=zone)
    before = datetime.now(UTC)
    me.remember(AWAY)
    assert held(me) in (away(before, zone), away(datetime.now(UTC), zone))
    friday = held(me).end
    assert friday is not None
    assert friday.astimezone(ZoneInfo(zone)).hour == 0
    boat = me.remember("The boat is away", key="boat")
    me.correct("boat", "The boat is away until Friday")
    assert me.inspect(boat.id).record.head.valid == held(me)


def test_what_is_said_in_passing_keeps_its_zone_until_it_is_read(home: Home) -> None:
    """A worker of another process knows nothing of who spoke but what stands in the event."""
    me = home.memory.scope(tenant="acme", user="jane", timezone=SHANGHAI)
    at = datetime(2026, 5, 5, 16, 30, tzinfo=UTC)  # half past midnight, the day after
    me.capture(
        [Utterance("t", "m", "user", "I live in Lyon until Friday.", at=at)], consolidate=True
    )
    home.memory.work_off()
    [kept] = me.contents().records
    assert kept.record.head.valid == away(at, SHANGHAI)
    assert kept.record.head.valid != away(at, HONOLULU)


def test_an_order_is_counted_from_its_message_and_not_from_its_approval(home: Home) -> None:
    me = home.memory.scope(tenant="acme", user="jane", timezone=SHANGHAI)
    said = datetime(2020, 1, 1, 20, tzinfo=UTC)
    order = f"Remember that {AWAY}"
    agent = home.agent()
    config: Any = {"configurable": {"thread_id": "t"}}
    me.capture([Utterance("t", "m1", "user", order, at=said)])
    message = {"messages": [{"role": "user", "content": order, "id": "m1"}]}
    context = {**me.context(), "approval": "on"}
    assert "__interrupt__" in agent.invoke(message, config, context=context)
    agent.invoke(Command(resume="approve"), config, context=context)
    assert held(me) == away(said, SHANGHAI)


def test_the_graph_takes_the_zone_from_its_context(home: Home) -> None:
    me = home.memory.scope(tenant="acme", user="jane", timezone=HONOLULU)
    assert me.context() == {"tenant": "acme", "user": "jane", "timezone": HONOLULU}
    config: Any = {"configurable": {"thread_id": "t"}}
    message = {"messages": [("user", f"Remember that {AWAY}")]}
    home.agent().invoke(message, config, context=me.context())
    end = held(me).end
    assert end is not None
    assert end.astimezone(ZoneInfo(HONOLULU)).hour == 0


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "x" * 300, " "])
def test_a_zone_that_does_not_exist_is_refused(home: Home, zone: str) -> None:
    with pytest.raises(InvalidInputError, match="no time zone"):
        home.memory.scope(tenant="acme", user="jane", timezone=zone)
