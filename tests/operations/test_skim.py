"""Many memories in a line each, one whole on request (R26)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.operations.skim import GIST_CHARACTERS, gist


def test_compact_candidates_first_and_the_record_on_request(me: ScopedMemory) -> None:
    """R26."""
    told = me.remember("The launch moved to Monday. " + "Details follow. " * 40, key="launch")
    me.remember("Lina likes tea", key="tea")
    first, *_ = me.skim("When is the launch?")
    assert first.id == told.id
    assert (first.key, first.kind, first.source, first.scope) == (
        "launch", "semantic", "you", "personal"
    )  # fmt: skip
    assert first.gist.startswith("The launch moved to Monday.")
    assert len(first.gist) <= GIST_CHARACTERS
    assert 0 < first.score <= 1
    assert len(me.inspect(first.id).record.head.value["content"]) > 400  # type: ignore[index]


def test_the_strongest_come_first_and_no_more_than_asked(me: ScopedMemory) -> None:
    for number in range(30):
        me.remember(f"Oven {number} is tested by Tom", key=f"oven{number}")
    found = me.skim("Who tests oven 7?", limit=5)
    assert len(found) == 5
    assert found[0].key == "oven7"
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_nothing_that_does_not_hold_or_is_somebody_elses(
    home: Home, me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """R41, R42."""
    now = datetime.now(UTC)
    me.remember("The launch is on Friday", key="old", valid_until=now - timedelta(days=1))
    me.remember("The launch is on Sunday", key="later", valid_from=now + timedelta(days=1))
    me.remember("The launch is never", key="gone")
    me.forget("gone")
    stranger.remember("The launch is on Tuesday", key="theirs")
    assert me.skim("When is the launch?") == []
    home.memory.scope(tenant="acme").remember("The launch is on Monday", key="ours")
    [found] = me.skim("When is the launch?")
    assert (found.key, found.scope) == ("ours", "organization")


def test_a_gist_is_one_line_cut_at_a_word() -> None:
    assert gist("a\n b") == "a b"
    assert gist("word " * 100).endswith("word…")
    assert len(gist("x" * 500)) == GIST_CHARACTERS
    assert len(gist("用户喜欢寿司" * 50)) == GIST_CHARACTERS
