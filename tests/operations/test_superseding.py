"""A statement without a name takes the place of what it contradicts, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, Kind, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.policy.conflict import Effect


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    with open_memory(tmp_path / "home", settings=settings) as opened:
        yield opened


@pytest.fixture
def me(home: Home) -> ScopedMemory:
    return home.memory.scope(tenant="acme", user="jane@example.com")


def told(me: ScopedMemory, *statements: str) -> list[Effect]:
    return [me.remember(each).effect for each in statements]


def answer(me: ScopedMemory, question: str) -> list[str]:
    return [hit.content for hit in me.recall(question).evidence]


def test_a_new_employer_is_current_and_the_old_one_history(me: ScopedMemory) -> None:
    """B20: linked, in one chain."""
    old = me.remember("I work at Google")
    new = me.remember("I just joined Microsoft")
    assert (new.id, new.version, new.effect) == (old.id, 2, Effect.SUPERSEDE)
    assert new.replaced == "I work at Google"
    [hit] = me.recall("Where do I work?").evidence
    assert hit.content == "I just joined Microsoft"
    assert [each.value for each in hit.replaced] == [{"content": "I work at Google"}]


def test_what_is_loved_and_then_hated_is_hated(me: ScopedMemory) -> None:
    """B19."""
    assert told(me, "I love Chinese food", "I hate Chinese food")[1] is Effect.SUPERSEDE
    assert answer(me, "Do I like Chinese food?") == ["I hate Chinese food"]


def test_two_people_may_use_one_thing(me: ScopedMemory) -> None:
    assert told(me, "Bob uses Redis", "Alice uses Redis") == [Effect.BEGIN, Effect.BEGIN]
    assert sorted(answer(me, "Who uses Redis?")) == ["Alice uses Redis", "Bob uses Redis"]


def test_a_permission_is_taken_back_and_given_again(me: ScopedMemory) -> None:
    statements = (
        "Production deployment is allowed", "Production deployment is not allowed",
        "Production deployment is allowed",
    )  # fmt: skip
    assert told(me, *statements) == [Effect.BEGIN, Effect.SUPERSEDE, Effect.SUPERSEDE]
    assert answer(me, "Is production deployment allowed?") == [statements[2]]


def test_a_statement_that_replaced_another_is_known_again(me: ScopedMemory) -> None:
    assert told(
        me, "I live in Paris", "I moved to Lyon", "I moved to Lyon.", "i moved to  lyon"
    ) == [Effect.BEGIN, Effect.SUPERSEDE, Effect.STRENGTHEN, Effect.STRENGTHEN]


def test_a_memory_with_a_name_is_found_by_what_it_says(me: ScopedMemory) -> None:
    """What is beside the statement stays (B25)."""
    me.remember("The launch is on Friday", key="launch_date", metadata={"team": "web"})
    done = me.remember("The launch moved to Monday")
    assert (done.key, done.version) == ("launch_date", 2)
    [hit, *_] = me.recall("When is the launch?").evidence
    assert hit.version.value == {"content": "The launch moved to Monday", "team": "web"}


def test_of_several_things_in_one_memory_the_others_stay(me: ScopedMemory) -> None:
    me.remember("I work at Google and I have a cat.")
    me.remember("I just joined Microsoft.")
    assert answer(me, "Do I have a cat?") == ["I just joined Microsoft, and I have a cat"]


def test_all_that_is_contradicted_ends(home: Home, me: ScopedMemory) -> None:
    me.remember("I work at Google", key="employer")
    me.remember("I work for Google in Zurich", key="office")
    done = me.remember("I just joined Microsoft")
    found = me.recall("Where do I work?")
    assert [hit.content for hit in found.evidence] == ["I just joined Microsoft"]
    [ended] = [hit for hit in found.rejected if "Google" in hit.content]
    assert ended.judgement.verdict == "ended"
    assert done.id in ended.version.provenance.reason
    assert home.memory.verify().whole


@pytest.mark.parametrize(
    ("one", "other"),
    [({"user": "omar"}, {"user": "jane"}), ({"user": "jane"}, {"user": "jane", "project": "p"}),
     ({"user": "jane", "project": "p"}, {"user": "jane"}), ({}, {"user": "jane"})],
)  # fmt: skip
def test_another_scope_is_never_touched(home: Home, one: Any, other: Any) -> None:
    """R13, R41: not of another user, project, or the organization."""
    theirs = home.memory.scope(tenant="acme", **one)
    theirs.remember("I work at Google")
    home.memory.scope(tenant="acme", **other).remember("I just joined Microsoft")
    assert answer(theirs, "Do I work at Google?")[0] == "I work at Google"


def test_what_a_system_of_record_vouches_for_is_not_replaced(me: ScopedMemory) -> None:
    """R15: the claim is kept beside it, for review."""
    me.remember(
        "The refund limit is 100 dollars", source=Source(SourceKind.SYSTEM, "billing"),
        verification=Verification.VERIFIED,
    )  # fmt: skip
    assert me.remember("The refund limit is 900 dollars").effect is Effect.HOLD
    assert answer(me, "What is the refund limit?") == ["The refund limit is 100 dollars"]


def test_what_begins_later_leaves_today_as_it_is(me: ScopedMemory) -> None:
    """R14."""
    me.remember("I work at Google")
    soon = datetime.now(UTC) + timedelta(days=30)
    me.remember("I work at Microsoft", valid_from=soon)
    assert answer(me, "Where do I work?") == ["I work at Google"]


def test_what_was_forgotten_is_nobodys_place(me: ScopedMemory) -> None:
    me.remember("I work at Google")
    me.forget("I work at Google")
    done = me.remember("I just joined Microsoft")
    assert (done.effect, done.version) == (Effect.BEGIN, 1)


def test_a_way_of_working_and_an_episode_replace_nothing(me: ScopedMemory) -> None:
    me.remember("Deploys are allowed on Friday", kind=Kind.PROCEDURAL)
    done = me.remember("Deploys are not allowed on Friday", kind=Kind.PROCEDURAL)
    assert (done.effect, done.version, done.replaced) == (Effect.HOLD, 1, None)


@pytest.mark.parametrize(
    ("before", "after", "question", "right"),
    [
        ("Kiran works on project A", "Kiran moved to project B", "What does Kiran work on?",
         "Kiran moved to project B"),
        ("The monthly budget is $150.", "We raised the monthly budget to $200.",
         "What is the monthly budget?", "We raised the monthly budget to $200."),
        ("我在谷歌工作。", "我刚加入了微软。", "我在哪里工作？", None),
    ],
)  # fmt: skip
def test_what_is_said_in_passing_replaces_what_was_said_in_passing(
    home: Home, me: ScopedMemory, before: str, after: str, question: str, right: str | None
) -> None:
    """B58: in the background, from the conversation."""
    agent = home.agent()
    for number, said in enumerate((before, after)):
        config: Any = {"configurable": {"thread_id": f"t{number}"}}
        agent.invoke({"messages": [("user", said)]}, config, context=me.context())
        home.memory.work_off()
    [record] = [each for each in _chains(home, me) if each.head.value == {"content": after}]
    assert [each.status for each in record.versions] == [Status.SUPERSEDED, Status.ACTIVE]
    assert before == (record.versions[0].value or {})["content"]
    if right:
        assert answer(me, question) == [right]


def test_one_message_may_correct_itself(home: Home, me: ScopedMemory) -> None:
    agent = home.agent()
    config: Any = {"configurable": {"thread_id": "t"}}
    said = "I live in Paris with my family. Last month I moved to Lyon with them."
    agent.invoke({"messages": [("user", said)]}, config, context=me.context())
    home.memory.work_off()
    assert len(_chains(home, me)) == 1
    assert home.memory.verify().whole


def test_asking_and_wondering_replace_nothing(me: ScopedMemory) -> None:
    me.remember("I work at Google")
    for said in ("Maybe I will join Microsoft", "I used to work at IBM for years"):
        assert me.remember(said).effect is Effect.BEGIN
    assert "I work at Google" in answer(me, "Where do I work?")


def _chains(home: Home, me: ScopedMemory) -> list[Any]:
    """Return the semantic records of an owner, whole."""
    place = me.bound.namespace(Kind.SEMANTIC)
    with home.store._parts.database.read() as tx:
        rows = tx.records.rows(place, limit=100)
        return [each.record for each in tx.records.chains(rows).values()]


def test_what_begins_next_month_leaves_this_months_in_place(me: ScopedMemory) -> None:
    """R14: the words tell when."""
    me.remember("The monthly budget is $200")
    done = me.remember("From next month the monthly budget is $300")
    assert done.version == 2
    assert answer(me, "What is the monthly budget?") == ["The monthly budget is $200"]
    assert me.inspect(done.id).record.head.valid.start is not None


def test_what_holds_until_a_day_ends_with_it(me: ScopedMemory) -> None:
    done = me.remember("I am in Berlin until tomorrow")
    ends = me.inspect(done.id).record.head.valid.end
    assert ends is not None
    assert timedelta(0) < ends - datetime.now(UTC) <= timedelta(days=2)
    always = me.remember("I am in Rome until Friday", valid_from=datetime(2020, 1, 1, tzinfo=UTC))
    assert me.inspect(always.id).record.head.valid.end is None


def test_a_zone_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_TIMEZONE", "Mars/Olympus")
    with pytest.raises(InvalidSettingError, match="MEMORY_TIMEZONE"):
        Settings.load()


def test_a_second_statement_does_not_pass_by_what_is_verified(me: ScopedMemory) -> None:
    """R15: what waits for review beside it does not hide it."""
    me.remember("I work at Google")
    me.confirm("I work at Google", by=Source(SourceKind.SYSTEM, "payroll"))
    for text in ("I just joined Microsoft.", "I just joined Oracle."):
        assert me.remember(text).effect is Effect.HOLD
    assert [hit.content for hit in me.recall("Where do I work?").evidence] == ["I work at Google"]


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [("I live in Berlin, Germany", "I moved to Paris", "I moved to Paris"),
     ("I work at Google, and I have a cat", "I just joined Microsoft",
      "I just joined Microsoft, and I have a cat")],
)  # fmt: skip
def test_what_states_nothing_by_itself_goes_with_its_sentence(
    me: ScopedMemory, old: str, new: str, holds: str
) -> None:
    me.remember(old)
    me.remember(new)
    assert [str((each.record.head.value or {})["content"]) for each in me.contents().records] == [
        holds
    ]
