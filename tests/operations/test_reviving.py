"""What was deleted or invalidated comes back only where somebody says it on purpose."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from langgraph_memory import Home, ScopedMemory, Source, SourceKind
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.conflict import Effect

SAID = "The staging port is 8443"


def _in_passing(home: Home, me: ScopedMemory, *said: str, at: datetime | None = None) -> list[str]:
    for text in said:
        message = Utterance(f"{me.context()} {text}", f"{at}", "user", text, at=at)
        me.capture([message], consolidate=True)
    home.memory.work_off()
    now = datetime.now(UTC)
    found = [each.record.current(now) for each in me.contents(limit=100).records]
    return [str((each.value or {})["content"]) for each in found if each is not None]


@pytest.mark.parametrize("away", ["invalidate", "forget"])
@pytest.mark.parametrize("key", [None, "port"])
@pytest.mark.parametrize(
    "again",
    [
        SAID,
        "The staging port is 8443.",
        "the  staging port is 8443!",
        "Actually, the staging port is still 8443.",
        "8443 is the staging port.",
    ],
)
def test_in_passing_nothing_comes_back(
    home: Home, me: ScopedMemory, away: str, key: str | None, again: str
) -> None:
    """R91: whatever its name, in whatever spelling."""
    me.remember(SAID, key=key)
    getattr(me, away)(key or SAID)
    assert _in_passing(home, me, again) == []


@pytest.mark.parametrize("kind", [SourceKind.MODEL, SourceKind.TOOL, SourceKind.WEB])
def test_no_untrusted_source_brings_it_back(me: ScopedMemory, kind: SourceKind) -> None:
    """R91: under no name."""
    me.remember(SAID, key="port")
    me.invalidate("port", reason="moved")
    for key in (None, "port", "other"):
        assert me.remember(SAID, key=key, source=Source(kind, "x")).effect is Effect.NOTHING


def test_the_user_brings_it_back_on_purpose(home: Home, me: ScopedMemory) -> None:
    """R91: and what was said in passing after that is one more witness."""
    me.remember(SAID, key="port")
    me.invalidate("port")
    assert me.remember(SAID).effect is Effect.BEGIN
    assert _in_passing(home, me, SAID) == [SAID]


def test_other_words_and_other_owners_are_not_kept_away(home: Home, me: ScopedMemory) -> None:
    """R91: what was taken back is this and nothing near it."""
    me.remember(SAID, key="port")
    me.invalidate("port")
    me.remember("The fee is 3.5 euros")
    me.forget("The fee is 3.5 euros")
    told = _in_passing(home, me, "The staging port is 8444.", "The fee is 35 euros.")
    assert told == ["The fee is 35 euros.", "The staging port is 8444."]
    bob = home.memory.scope(tenant="acme", user="bob")
    assert _in_passing(home, bob, f"{SAID}.") == [f"{SAID}."]


def test_a_forgotten_day_says_nothing_of_another(home: Home, me: ScopedMemory) -> None:
    """R10: the same words tell of another episode."""
    told = "I had a migraine."
    days = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (3, 10)]
    assert _in_passing(home, me, told, at=days[0]) == [told]
    me.forget(told)
    assert _in_passing(home, me, f"{told} ", at=days[0]) == []
    assert _in_passing(home, me, told, at=days[1]) == [told]


def test_what_was_taken_back_for_all_projects_stays_away_in_each(home: Home) -> None:
    """R91: a narrower circle is no way around."""
    me = home.memory.scope(tenant="acme", user="ann")
    me.remember(SAID)
    me.forget(SAID)
    inside = home.memory.scope(tenant="acme", user="ann", project="x")
    assert _in_passing(home, inside, f"{SAID}.") == []
