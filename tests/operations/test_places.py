"""Whose place a statement without a name takes, where several come into question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.operations.remember import remember_all
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.testing.hashing import HashingEmbedder

OLD, NEW, NEWER = "I work at Google", "I just joined Microsoft", "I just joined Oracle"
PAGE, TOOL = Source(SourceKind.WEB, "http://example.org"), Source(SourceKind.TOOL, "crm")
PAYROLL = Source(SourceKind.SYSTEM, "payroll")


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder(64)) as opened:
        yield opened
        assert opened.memory.verify().whole


@pytest.fixture
def me(home: Home) -> ScopedMemory:
    return home.memory.scope(tenant="acme", user="jane")


def together(me: ScopedMemory, *statements: tuple[str, bool]) -> list[Remembered]:
    """Write statements in one call, each with whether it is to be reviewed."""
    papers = Provenance(Source(SourceKind.USER, "jane"), verification=Verification.USER_STATED)
    return remember_all(
        me._engine,
        [Statement(each, me.bound, papers, review=review) for each, review in statements],
    )


def says(me: ScopedMemory, key: str) -> Any:
    return me.explain(key).data["content"]


# --- Of one call ------------------------------------------------------------------------------


def test_a_statement_takes_the_place_of_one_before_it(me: ScopedMemory) -> None:
    first, then = together(me, (OLD, False), (NEW, False))
    assert (then.key, then.effect) == (first.key, Effect.SUPERSEDE)


@pytest.mark.parametrize(("one", "other"), [(True, True), (True, False), (False, True)])
def test_what_is_to_be_reviewed_neither_gives_its_place_nor_takes_one_of_its_call(
    me: ScopedMemory, one: bool, other: bool
) -> None:
    """R3: nothing of it counts before somebody approved it."""
    first, then = together(me, (OLD, one), (NEW, other))
    assert first.key != then.key
    assert [first.effect, then.effect] == [
        Effect.HOLD if review else Effect.BEGIN for review in (one, other)
    ]


def test_the_last_of_one_call_is_the_one_whose_place_is_taken(me: ScopedMemory) -> None:
    me.remember("I work at Google, and I have a cat", key="me")
    together(me, (NEW, False), (NEWER, False))
    assert says(me, "me") == f"{NEWER}, and I have a cat"


# --- Of what is known -------------------------------------------------------------------------


@pytest.mark.parametrize("trusted_first", [True, False])
def test_the_most_trusted_gives_its_place(me: ScopedMemory, trusted_first: bool) -> None:
    """R15: else a statement would pass by what is verified, and stand beside it."""
    keys = ("billing", "mine") if trusted_first else ("mine", "billing")
    for key in keys:
        me.remember(OLD, key=key)
    me.confirm("billing", by="payroll")
    done = me.remember(NEW)
    assert (done.key, done.effect) == ("billing", Effect.HOLD)
    assert says(me, "mine") == says(me, "billing") == OLD


@pytest.mark.parametrize("trusted_first", [True, False])
def test_trust_is_asked_of_what_holds(me: ScopedMemory, trusted_first: bool) -> None:
    """R51: a claim beside it takes none away, and gives none."""
    keys = ("tool", "mine") if trusted_first else ("mine", "tool")
    for key in keys:
        me.remember(OLD, key=key, source=TOOL if key == "tool" else None)
    me.remember(NEWER, key="mine", source=PAGE)
    assert me.remember(NEW).key == "mine"
    assert me.explain("tool").data["verdict"] == "ended"


def test_what_waits_beside_it_is_not_what_gives_way(me: ScopedMemory) -> None:
    """R51: neither is its place taken for the claim's words, nor are its own overlooked."""
    me.remember("I have a cat", key="pet", metadata={"n": 1})
    me.remember(OLD, key="pet", source=PAGE)
    assert me.remember(NEW).effect is Effect.BEGIN
    me.remember("My favourite colour is red", key="colour", metadata={"n": 1})
    me.remember("My favourite colour and shade is blue", key="colour", source=PAGE,
                metadata={"n": 2})  # fmt: skip
    me.remember("My favourite colour is green")
    assert me.inspect("colour").record.head.value == {
        "content": "My favourite colour is green", "n": 1,
    }  # fmt: skip


def test_only_what_is_contradicted_as_a_whole_ends(me: ScopedMemory) -> None:
    """What says several things goes on saying the others."""
    me.remember("I work at Google, and I have a cat", key="two")
    me.remember(OLD, key="one")
    me.confirm("one", by="payroll")
    me.remember(NEW, source=PAYROLL, verification="verified")
    assert says(me, "one") == NEW
    assert me.explain("two").data["verdict"] == "valid"
    assert says(me, "two") == "I work at Google, and I have a cat"


def test_what_ends_is_kept_as_long_as_it_was_to_be(me: ScopedMemory) -> None:
    """R23: it lives on as history, no longer than anybody chose."""
    me.remember(OLD, key="brief", ttl_minutes=60)
    before = me.inspect("brief").lifetime
    me.remember(OLD, key="vouched")
    me.confirm("vouched", by="payroll")
    me.remember(NEW, source=PAYROLL, verification="verified")
    assert me.explain("brief").data["verdict"] == "ended"
    assert me.inspect("brief").lifetime == before
    assert before.ttl_minutes == 60
