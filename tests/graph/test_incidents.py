"""Incidents that must never happen again, each as a user would meet it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from talking import Talk

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import RefusedError, VersionConflictError
from langgraph_memory.models.counting import count_tokens
from langgraph_memory.testing import ScriptedChatModel

BUDGET = 2_000
TURNS = 62


def test_r90_a_long_conversation_overflows_nothing(home: Home, me: ScopedMemory) -> None:
    """R90: no request outgrows its budget, and what is kept in passing has an end."""
    model = ScriptedChatModel([AIMessage("Noted.")] * (2 * TURNS))
    talk = Talk(home, me, model)
    for turn in range(TURNS):
        talk.send(
            f"On day {turn} we moved crate {turn} from bay {turn} to the north hall. " * 6,
            budget_tokens=BUDGET,
        )
    home.memory.work_off()
    while home.memory.jobs():  # the home's own worker may have one in hand
        time.sleep(0.05)
    sizes = [sum(count_tokens(str(each.content)) for each in asked) for asked in model.requests]
    assert len(sizes) >= TURNS
    assert max(sizes) <= BUDGET
    kept = me.contents(limit=1_000).records
    episodes = [each for each in kept if Kind.EPISODIC in each.record.namespace]
    assert episodes
    assert all(each.lifetime.expires_at is not None for each in episodes)


@pytest.fixture(params=["exact", "chroma"])
def routed(request: pytest.FixtureRequest, tmp_path: Path, settings: Settings) -> Iterator[Home]:
    """A home whose searches go by one index alone."""
    ours = settings.model_copy(update={"index": request.param})
    with open_memory(tmp_path / "routed", settings=ours) as opened:
        yield opened


def test_r91_a_revoked_key_is_not_remembered_from_the_index(routed: Home) -> None:
    """R91, R42: neither the key, which is never kept, nor where it was, once that is revoked."""
    me = routed.memory.scope(tenant="acme", user="jane")
    with pytest.raises(RefusedError):
        me.remember("The deploy key is sk-proj-Qx7vT2mLz9Kp4RwB8nYc3HsJ6dFgA1eU")
    me.remember("The deploy key is number 7 in the blue vault", key="deploy_key")
    me.remember("The staging key is number 8 in the blue vault", key="staging_key")
    assert routed.sync_index(timeout_seconds=30)
    me.invalidate("deploy_key", reason="revoked")
    me.remember("The staging key is number 9 in the red vault", key="staging_key")
    for _ in range(2):
        said = " ".join(
            hit.content
            for asked in ("Which number is the deploy key?", "number 7 in the blue vault",
                          "Where is the staging key?")
            for hit in me.recall(asked, limit=10).evidence
        )  # fmt: skip
        assert "number 7" not in said
        assert "number 8" not in said
        assert "number 9" in said
        routed.sync_index(timeout_seconds=30)


def test_r92_a_resumed_session_has_its_own_turns_alone(home: Home, me: ScopedMemory) -> None:
    """R92: by thread, by session, and after another process would have gone on."""
    model = ScriptedChatModel([AIMessage("Noted.")] * 8)
    one, other = Talk(home, me, model, "one"), Talk(home, me, model, "other")
    one.send("The orchid project starts in May")
    other.send("The walnut project starts in June")
    one.send("What did I just tell you?")
    last = " ".join(str(each.content) for each in model.requests[-1])
    assert "orchid" in last
    assert "walnut" not in last
    assert "walnut" not in str(me.transcript("one"))
    mine = home.memory.scope(tenant="acme", user="jane.doe@example.com", session="s1")
    theirs = home.memory.scope(tenant="acme", user="jane.doe@example.com", session="s2")
    mine.remember("The draft of this session is number 4")
    assert mine.recall("Which number is the draft?").evidence
    assert not theirs.recall("Which number is the draft?").evidence


def test_r93_two_agents_do_not_overwrite_each_others_plan(home: Home, me: ScopedMemory) -> None:
    """R93, R25: of two who decided on the same version one is told; agents have own rooms."""
    me.remember("The plan: step 1", key="plan")

    def write(agent: int) -> str:
        try:
            me.remember(f"The plan: step 2 by agent {agent}", key="plan", expected_version=1)
        except VersionConflictError as conflict:
            return f"told that it is at {conflict.actual}"
        return "written"

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(write, range(8)))
    assert sorted(done) == ["told that it is at 2"] * 7 + ["written"]
    assert me.inspect("plan").record.head.number == 2
    planner, coder = (
        home.memory.scope(tenant="acme", user="jane.doe@example.com", agent=name)
        for name in ("planner", "coder")
    )
    planner.remember("The plan: think", key="own_plan")
    coder.remember("The plan: type", key="own_plan")
    assert planner.inspect("own_plan").record.head.value == {"content": "The plan: think"}
    assert coder.inspect("own_plan").record.head.value == {"content": "The plan: type"}
