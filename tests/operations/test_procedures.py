"""Ways of working: proposed, tested on held-out tasks, approved by somebody else, gone back to."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, Kind, ScopedMemory, Settings, Source, SourceKind, open_memory
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.trial import Checked, Trial, digest
from langgraph_memory.errors import (
    AccessDeniedError,
    InvalidInputError,
    MemoryLayerError,
    NotFoundError,
    RefusedError,
    UnreviewedError,
    VersionConflictError,
)
from langgraph_memory.memory.procedures import Procedures
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.procedures import Stage
from langgraph_memory.ports import IndexEntry, Lifetime, Vectors
from langgraph_memory.testing.hashing import HashingEmbedder

NOW = datetime(2026, 5, 1, tzinfo=UTC)
BLUE, CANARY, FRIDAY = "Deploy by blue and green", "Deploy by canary", "Deploy on Friday"
OUTSIDE = [SourceKind.TOOL, SourceKind.DOCUMENT, SourceKind.WEB, SourceKind.MODEL]


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder(64)) as opened:
        yield opened
        assert opened.memory.verify().whole


@pytest.fixture
def me(home: Home) -> ScopedMemory:
    return home.memory.scope(tenant="acme", user="jane")


@pytest.fixture
def ways(me: ScopedMemory) -> Procedures:
    return me.procedures


def tried(ways: Procedures, *passed: bool, version: int | None = None) -> list[Trial]:
    tasks = [(f"task {n}", n, lambda out, says=says: says) for n, says in enumerate(passed)]
    return ways.test("deploy", tasks, lambda text, given: text, by="Omar", version=version)


def in_force(ways: Procedures) -> str | None:
    active = ways.active("deploy")
    return active.text if active else None


def put(ways: Procedures, text: str) -> int:
    """Let a procedure take force the proper way; return its version."""
    ways.propose("deploy", text, by="Lina")
    tried(ways, True)
    return ways.approve("deploy", by="Ann").version


def test_a_procedure_is_proposed_tested_and_approved(me: ScopedMemory, ways: Procedures) -> None:
    """R52: and recalled from then on, no sooner."""
    done = ways.propose("deploy", BLUE, by="Lina", reason="no downtime")
    assert (done.effect, done.version, in_force(ways)) == (Effect.HOLD, 1, None)
    [one] = ways.list()
    assert [(each.stage, each.because) for each in one.waiting] == [(Stage.PROPOSED, "no downtime")]
    tried(ways, True, True)
    assert ways.inspect("deploy").waiting[0].stage is Stage.TESTED
    assert me.recall("How do we deploy?").evidence == ()
    approved = ways.approve("deploy", by="Ann", version=1, reason="it works")
    assert (approved.status, approved.content) == (Status.ACTIVE, BLUE)
    active = ways.active("deploy")
    assert active is not None
    assert (active.proposed_by, active.approved_by) == ("Lina", "Ann")
    assert active.because == "approved by Ann: it works"
    assert [hit.content for hit in me.recall("How do we deploy?").evidence] == [BLUE]


def test_what_is_in_force_stays_so_while_another_waits(me: ScopedMemory, ways: Procedures) -> None:
    """R42, R52: and is found by its own words."""
    put(ways, BLUE)
    ways.propose("deploy", "Bananas are peeled first", by="Lina")
    assert in_force(ways) == BLUE
    for question in ("How do we deploy by blue and green?", "Are bananas peeled first?"):
        assert [hit.content for hit in me.recall(question).evidence] in ([], [BLUE])
    assert me.recall("How do we deploy by blue and green?").evidence
    ways.reject("deploy", by="Ann", reason="off topic")
    assert in_force(ways) == BLUE
    assert [each.stage for each in ways.inspect("deploy").versions] == [
        Stage.SET_ASIDE, Stage.PAST, Stage.SET_ASIDE, Stage.ACTIVE,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "by", "why"),
    [
        ((), "Ann", "no results"),
        ((True, False), "Ann", "1 of 2 tasks failed"),
        ((True,), "lina ", "let somebody else review it"),
    ],
)
@pytest.mark.parametrize("door", [Procedures.approve, ScopedMemory.approve])
def test_nothing_takes_force_without_another_person_and_passing_results(
    me: ScopedMemory, ways: Procedures, before: tuple[bool, ...], by: str, why: str,
    door: Callable[..., Any],
) -> None:  # fmt: skip
    """R52: through either door."""
    ways.propose("deploy", BLUE, by="Lina")
    if before:
        tried(ways, *before)
    with pytest.raises(UnreviewedError, match=why):
        door(ways if door is Procedures.approve else me, "deploy", by=by)
    assert in_force(ways) is None
    assert len(ways.inspect("deploy").versions) == 1
    for nobody in ("", "  "):
        with pytest.raises(InvalidInputError, match="Nobody is named who decides"):
            door(ways if door is Procedures.approve else me, "deploy", by=nobody)


def test_results_are_of_words_and_not_of_a_name(ways: Procedures) -> None:
    ways.propose("deploy", BLUE, by="Lina")
    tried(ways, True)
    ways.propose("deploy", CANARY, by="Lina")
    with pytest.raises(UnreviewedError, match="other words"):
        ways.approve("deploy", by="Ann")
    tried(ways, True, False)
    assert [(each.version, each.passed) for each in ways.results("deploy")] == [
        (2, True), (2, False),
    ]  # fmt: skip
    assert [each.version for each in ways.results("deploy", 1)] == [1]
    ways.approve("deploy", by="Ann", bar=0.5)
    active = ways.active("deploy")
    assert active is not None
    assert (active.text, active.because) == (CANARY, "approved by Ann at a bar of 0.5")
    assert [each.version for each in ways.results("deploy")] == [2, 2]


def test_a_reviewer_approves_what_they_saw(ways: Procedures) -> None:
    ways.propose("deploy", BLUE, by="Lina")
    tried(ways, True)
    ways.propose("deploy", FRIDAY, by="Eve")
    with pytest.raises(VersionConflictError):
        ways.approve("deploy", by="Ann", version=1)
    ways.reject("deploy", by="Ann", version=2)
    waits = ways.inspect("deploy").waiting
    assert [(each.text, each.proposed_by, each.stage) for each in waits] == [
        (BLUE, "Lina", Stage.TESTED)
    ]
    ways.approve("deploy", by="Ann", version=waits[0].version)
    assert in_force(ways) == BLUE


# --- The trials -------------------------------------------------------------------------


def test_a_result_says_what_was_tried_on_what_by_whom(home: Home, ways: Procedures) -> None:
    """R11: the held-out input itself is kept nowhere."""
    ways.propose("deploy", BLUE, by="Lina")
    held_out = {"service": "quetzalcoatl"}
    seen: list[Any] = []

    def run(text: str, given: Any) -> str:
        seen.append((text, given))
        return "ok"

    check = lambda out: Checked(out == "ok", 0.75, "share of steps done", "3 of 4")  # noqa: E731
    [done] = ways.test("deploy", [("roll out", held_out, check)], run, by=" Omar ")
    assert seen == [(BLUE, held_out)]
    assert ways.results("deploy") == [done]
    assert (done.version, done.task, done.by) == (1, "roll out", "Omar")
    assert done.checked == Checked(True, 0.75, "share of steps done", "3 of 4")
    assert (done.words, done.input) == (digest({"content": BLUE}), digest(held_out))
    for file in home.path.rglob("*"):
        assert not file.is_file() or b"quetzalcoatl" not in file.read_bytes()


def test_what_is_raised_fails_its_task_and_no_other(ways: Procedures) -> None:
    """R52: with its error, of which no credential is kept."""
    ways.propose("deploy", BLUE, by="Lina")

    class UnspeakableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def run(text: str, given: Any) -> Any:
        if given == 1:
            raise ValueError("password: hunter2x9qq\x00" + "x" * 9_000)
        if given == 2:
            raise UnspeakableError
        return given

    def broken(out: Any) -> bool:
        raise KeyError(out)

    tasks = [("a", 0, lambda out: True), ("b", 1, lambda out: True), ("c", 2, lambda out: True),
             ("d", 3, broken), ("e", 4, lambda out: "yes"), ("f", 5, lambda out: None),
             ("g", 6, lambda out: True)]  # fmt: skip
    done = ways.test("deploy", tasks, run, by="Omar")  # type: ignore[arg-type]
    assert done == ways.results("deploy")
    assert [each.passed for each in done] == [True, False, False, False, False, False, True]
    details = [each.checked.detail for each in done]
    assert details[1].startswith("ValueError: ")
    assert "hunter2" not in details[1]
    assert len(details[1]) <= 2_000
    assert "UnspeakableError" in details[2]
    assert details[3] == "KeyError: 3"
    assert "returned a str: return True, False" in details[4]


def test_what_stops_the_program_loses_no_result(ways: Procedures) -> None:
    """Each result is one transaction."""
    ways.propose("deploy", BLUE, by="Lina")

    def run(text: str, given: int) -> int:
        if given == 2:
            raise KeyboardInterrupt
        return given

    tasks = [(str(number), number, lambda out: True) for number in range(4)]
    with pytest.raises(KeyboardInterrupt):
        ways.test("deploy", tasks, run, by="Omar")
    assert [each.task for each in ways.results("deploy")] == ["0", "1"]


async def later(text: str, given: Any) -> Any:
    return given


@pytest.mark.parametrize(
    ("tasks", "run", "why"),
    [
        ([], str, "There are no tasks"),
        ([("a", 1, bool), ("a ", 2, bool)], str, "called 'a'"),
        ([("", 1, bool)], str, "1 to 512 characters"),
        ([("x" * 513, 1, bool)], str, "1 to 512 characters"),
        ([("a", 1, bool), ("b", object(), bool)], str, "Convert it"),
        ([("a", 1)], str, r"Task 1 has 2 parts: \(.a., 1\) \(tuple\)\. Give a list of tasks"),
        (
            [("b", 1, bool), "abc"],
            str,
            r"Task 2 is 'abc' \(str\)\. .*a name, an input .*, and a ch",
        ),
        (("a", 1, bool), str, r"Task 1 is 'a' \(str\)"),
        (7, str, r"The tasks are 7 \(int\)"),
        ([("x" * 900,)], str, r"Task 1 has 1 parts: .{,90}… \(tuple\)"),
        ([(1, "a", bool)], str, r"name of task 1 is 1 \(int\)"),
        ([("a", 1, 2)], str, r"check of task 'a' is 2 \(int\)"),
        ([("a", 1, later)], str, "asynchronous"),
        ([("a", 1, bool)], "wait", r"run is 'wait' \(str\)\. Give a function"),
        ([("a", 1, bool)], later, "asynchronous"),
    ],
)
def test_a_task_that_cannot_be_run_runs_none(
    ways: Procedures, tasks: Any, run: Any, why: str
) -> None:
    ways.propose("deploy", BLUE, by="Lina")
    with pytest.raises(InvalidInputError, match=why):
        ways.test("deploy", tasks, run, by="Omar")
    with pytest.raises(InvalidInputError, match="Nobody is named who decides"):
        ways.test("deploy", [("a", 1, bool)], lambda text, given: given, by=" ")
    assert ways.results("deploy") == []


def test_forgetting_removes_the_results_and_a_late_one_brings_nothing_back(
    home: Home, me: ScopedMemory, ways: Procedures
) -> None:
    """R61, R63: whatever was proposed under the name since."""
    ways.propose("deploy", BLUE, by="Lina")
    tried(ways, True)

    def run(text: str, given: Any) -> bool:
        me.forget("deploy")
        ways.propose("deploy", BLUE, by="Lina")
        return True

    with pytest.raises(NotFoundError):
        ways.test("deploy", [("late", 1, bool)], run, by="Omar")
    assert ways.results("deploy") == []
    with pytest.raises(UnreviewedError, match="no results"):
        ways.approve("deploy", by="Ann")
    with pytest.raises(NotFoundError):
        ways.results("deploy", 1)
    tried(ways, True)
    me.purge()
    with closing(sqlite3.connect(home.path / "memory.sqlite")) as sql:
        assert sql.execute("SELECT count(*) FROM trials").fetchone() == (0,)


# --- The way back -----------------------------------------------------------------------


def test_the_way_back_leads_to_what_was_approved(ways: Procedures) -> None:
    """R12, R52: recorded, and what waits for a review waits on."""
    first, second = put(ways, BLUE), put(ways, CANARY)
    ways.propose("deploy", FRIDAY, by="Eve")
    [changed] = ways.diff("deploy", first, second)
    assert (changed.path, changed.before, changed.after) == ("$.content", BLUE, CANARY)
    done = ways.rollback("deploy", first, by="Omar", reason="too slow")
    assert (done.status, done.content, in_force(ways)) == (Status.ACTIVE, BLUE, BLUE)
    active = ways.active("deploy")
    assert active is not None
    assert active.because == f"rolled back to version {first} by Omar: too slow"
    assert (active.proposed_by, active.approved_by) == ("Lina", "Ann")
    assert [each.text for each in ways.inspect("deploy").waiting] == [FRIDAY]
    with pytest.raises(InvalidInputError, match="in force already"):
        ways.rollback("deploy", first, by="Omar")
    with pytest.raises(InvalidInputError, match="Nobody is named who decides"):
        ways.rollback("deploy", second, by=" ")


def test_it_does_not_lead_to_what_was_not_approved_or_fails_now(
    me: ScopedMemory, ways: Procedures
) -> None:
    first = put(ways, BLUE)
    put(ways, CANARY)
    with pytest.raises(InvalidInputError, match="never approved"):
        ways.rollback("deploy", 1, by="Omar")
    with pytest.raises(NotFoundError):
        ways.rollback("deploy", 99, by="Omar")
    tried(ways, False, version=first)
    with pytest.raises(UnreviewedError, match="1 of 1 tasks failed"):
        ways.rollback("deploy", first, by="Omar")
    me.forget("deploy")
    put(ways, FRIDAY)
    with pytest.raises(NotFoundError):  # of what was forgotten nothing comes back
        ways.rollback("deploy", first, by="Omar")
    with pytest.raises(NotFoundError):
        ways.diff("deploy", first)
    assert in_force(ways) == FRIDAY


def test_what_was_revoked_may_be_put_in_force_again_by_somebody_named(
    me: ScopedMemory, ways: Procedures
) -> None:
    first = put(ways, BLUE)
    me.invalidate("deploy")
    assert in_force(ways) is None
    ways.rollback("deploy", first, by="Omar")
    assert in_force(ways) == BLUE


# --- Every other way in -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["user", "system", "application"])
def test_remembering_a_way_of_working_proposes_it(
    me: ScopedMemory, ways: Procedures, kind: str
) -> None:
    """R52: whoever says it, and however verified it claims to be."""
    put(ways, BLUE)
    source = Source(SourceKind(kind), "robot")
    for text, effect in ((FRIDAY, Effect.HOLD), (BLUE, Effect.STRENGTHEN)):
        done = me.remember(
            text, key="deploy", kind="procedural", source=source, verification="verified"
        )
        assert done.effect is effect
    assert in_force(ways) == BLUE
    assert [each.proposed_by for each in ways.inspect("deploy").waiting] == ["robot"]


@pytest.mark.parametrize("kind", OUTSIDE)
def test_what_comes_from_outside_does_not_even_propose(
    me: ScopedMemory, ways: Procedures, kind: SourceKind
) -> None:
    """R51."""
    with pytest.raises(RefusedError, match="a person may state it"):
        me.remember(BLUE, key="deploy", kind=Kind.PROCEDURAL, source=Source(kind, "x"))
    assert ways.list() == []


def test_a_store_neither_puts_nor_restores_a_way_of_working(
    home: Home, me: ScopedMemory, ways: Procedures
) -> None:
    """R52: nobody is named there; nothing of the batch is written, and it may be deleted."""
    first = put(ways, BLUE)
    put(ways, CANARY)
    place = me.bound.namespace(Kind.PROCEDURAL)
    for value in ({"content": FRIDAY}, {"content": CANARY, "reviewer": "Ann"}):
        with pytest.raises(UnreviewedError, match=r"procedures\.propose"):
            home.store.put(place, "deploy", value)
    with pytest.raises(UnreviewedError):
        home.store.restore(place, "deploy", first)
    item = home.store.get(place, "deploy")
    assert item is not None
    assert item.value == {"content": CANARY}
    home.store.delete(place, "deploy")
    assert ways.list() == []


@pytest.mark.parametrize(
    "change",
    [lambda me: me.confirm("deploy"), lambda me: me.confirm("deploy", by="billing"),
     lambda me: me.restore("deploy"), lambda me: me.restore("deploy", 2)],
)  # fmt: skip
@pytest.mark.parametrize("revoked", [True, False])
def test_amending_lets_no_way_of_working_take_force(
    me: ScopedMemory, ways: Procedures, change: Callable[[ScopedMemory], Any], revoked: bool
) -> None:
    """R52: the error names the way; what waits is not set aside by it."""
    put(ways, BLUE)
    put(ways, CANARY)
    if revoked:
        me.invalidate("deploy")
    ways.propose("deploy", FRIDAY, by="Eve")
    before = ways.inspect("deploy")
    with pytest.raises((UnreviewedError, NotFoundError)) as caught:
        change(me)
    assert isinstance(caught.value, NotFoundError) <= revoked
    assert ways.inspect("deploy") == before


def test_a_correction_is_a_proposal(me: ScopedMemory, ways: Procedures) -> None:
    put(ways, BLUE)
    assert me.correct("deploy", CANARY).effect is Effect.HOLD
    assert in_force(ways) == BLUE
    assert [each.proposed_by for each in ways.inspect("deploy").waiting] == ["jane"]


def test_an_order_in_a_conversation_proposes_at_most(
    home: Home, me: ScopedMemory, ways: Procedures
) -> None:
    """R52, R64: the order to stop only takes away, and holds at once; it is no procedure."""
    put(ways, BLUE)
    agent, config = home.agent(), {"configurable": {"thread_id": "t"}}
    for text in ("Correct deploy to Deploy on Friday", "Stop remembering anything about deploys",
                 "We always deploy on Friday."):  # fmt: skip
        agent.invoke({"messages": [("user", text)]}, config, context=me.context())  # type: ignore[call-overload]
    home.memory.work_off()
    assert in_force(ways) == BLUE
    assert [each.name for each in ways.list()] == ["deploy"]
    kept = [str(each.record.head.value) for each in me.contents().records]
    assert any("Do not remember anything about: deploys" in each for each in kept)


def test_taking_away_needs_no_review(me: ScopedMemory, ways: Procedures) -> None:
    """R60."""
    put(ways, BLUE)
    me.invalidate("deploy", reason="it broke")
    assert in_force(ways) is None
    put(ways, CANARY)
    me.forget("deploy")
    assert ways.active("deploy") is None
    with pytest.raises(NotFoundError):
        ways.inspect("deploy")


def test_procedures_are_those_of_one_scope(home: Home, me: ScopedMemory, ways: Procedures) -> None:
    """R41: neither another user's nor another project's, though all read the organization's."""
    put(ways, BLUE)
    other = home.memory.scope(tenant="acme", user="omar").procedures
    calls: tuple[Callable[[str], Any], ...] = (
        other.inspect, other.results, lambda name: other.diff(name, 1),
        lambda name: other.approve(name, by="Ann"), lambda name: other.reject(name, by="Ann"),
        lambda name: other.rollback(name, 1, by="Ann"),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(NotFoundError):
            call("deploy")
    assert (other.list(), other.active("deploy")) == ([], None)
    ours = home.memory.scope(tenant="acme").procedures
    put(ours, CANARY)
    assert CANARY in [hit.content for hit in me.recall("How do we deploy by canary?").evidence]


def test_where_no_user_speaks_who_proposes_is_named(home: Home) -> None:
    """R52: the organization's name would stand for anybody, its reviewer among them."""
    ours = home.memory.scope(tenant="acme")
    calls: tuple[Callable[[], Any], ...] = (
        lambda: ours.procedures.propose("deploy", BLUE),
        lambda: ours.procedures.propose("deploy", BLUE, by="ACME "),
        lambda: ours.remember(BLUE, key="deploy", kind=Kind.PROCEDURAL),
    )
    for call in calls:
        with pytest.raises(UnreviewedError, match=r"nobody is named who proposes.* by=\.\.\."):
            call()
    assert ours.procedures.list() == []
    assert ours.procedures.propose("deploy", BLUE, by="Lina").effect is Effect.HOLD
    [told] = ours.procedures.list()
    assert [each.proposed_by for each in told.waiting] == ["Lina"]
    janes = home.memory.scope(tenant="acme", user="acme").procedures
    assert janes.propose("deploy", BLUE).effect is Effect.HOLD  # a user may be called so


# --- Two at once ------------------------------------------------------------------------


def _approve(path: Path, version: int, told: Any) -> None:
    with open_memory(path, embedder=HashingEmbedder(64)) as home:
        ways = home.memory.scope(tenant="acme", user="jane").procedures
        told.put("ready")
        try:
            told.put(ways.approve("deploy", by="Ann", version=version).content)
        except MemoryLayerError as error:
            told.put(type(error).__name__)


def test_two_processes_approve_once(tmp_path: Path) -> None:
    """R25: one is told that somebody else was first."""
    with open_memory(tmp_path / "home", embedder=HashingEmbedder(64)) as home:
        ways = home.memory.scope(tenant="acme", user="jane").procedures
        ways.propose("deploy", BLUE, by="Lina")
        tried(ways, True)
    spawn = multiprocessing.get_context("spawn")
    told = spawn.Queue()
    both = [spawn.Process(target=_approve, args=(tmp_path / "home", 1, told)) for _ in range(2)]
    for each in both:
        each.start()
    said = [told.get(timeout=120) for _ in range(4)]
    for each in both:
        each.join()
    assert sorted(said) == sorted([BLUE, "VersionConflictError", "ready", "ready"])
    with open_memory(tmp_path / "home", embedder=HashingEmbedder(64)) as home:
        ways = home.memory.scope(tenant="acme", user="jane").procedures
        assert len(ways.inspect("deploy").versions) == 2


class Interrupted(HashingEmbedder):
    """Lets something happen between an operation's look and its transaction."""

    def __init__(self) -> None:
        super().__init__(64)
        self.meanwhile: list[Callable[[], Any]] = []

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        while self.meanwhile:
            self.meanwhile.pop()()
        return super().embed_documents(texts)


def test_a_result_that_fails_meanwhile_counts(tmp_path: Path) -> None:
    """What is approved is held against what is stored in that very transaction."""
    embedder = Interrupted()
    with open_memory(tmp_path / "home", embedder=embedder) as home:
        ways = home.memory.scope(tenant="acme", user="jane").procedures
        ways.propose("deploy", BLUE, by="Lina")
        tried(ways, True)
        embedder.meanwhile.append(lambda: tried(ways, False))
        with pytest.raises(UnreviewedError, match="1 of 1 tasks failed"):
            ways.approve("deploy", by="Ann")
        assert (in_force(ways), embedder.meanwhile) == (None, [])


def test_what_held_before_there_were_reviews_holds_on_and_is_not_gone_back_to(
    home: Home, me: ScopedMemory, ways: Procedures
) -> None:
    """An older release let it in at once: nobody is claimed to have approved it."""
    papers = Provenance(Source(SourceKind.USER, "jane"))
    place = me.bound.namespace(Kind.PROCEDURAL)
    record = Record.first("old", place, "deploy", {"content": BLUE}, now=NOW, provenance=papers)
    with me._engine.database.write() as tx:
        tx.records.save(record, known=0, entry=IndexEntry(), lifetime=Lifetime())
    active = ways.active("deploy")
    assert active is not None
    assert (active.text, active.approved_by) == (BLUE, "")
    ways.propose("deploy", FRIDAY, by="Eve")
    ways.reject("deploy", by="Ann")
    assert in_force(ways) == BLUE
    put(ways, CANARY)
    tried(ways, True, version=1)
    with pytest.raises(InvalidInputError, match="never approved"):
        ways.rollback("deploy", 1, by="jane")


def test_in_a_shared_scope_a_role_is_needed_and_who_acts_is_named(home: Home) -> None:
    """R52, R53: nobody reviews under another's name, or without the role."""
    for user, role in (("ann", "reviewer"), ("bob", "member"), ("eve", "reader")):
        home.memory.grant("acme", user, role, by="root")
    ann, bob, eve = (
        home.memory.scope(tenant="acme", user=user).shared().procedures
        for user in ("ann", "bob", "eve")
    )
    with pytest.raises(AccessDeniedError):
        eve.propose("deploy", "Deploy on Mondays")
    bob.propose("deploy", "Deploy on Mondays")
    bob.test("deploy", [("monday", "Monday", lambda done: done == "yes")], lambda text, day: "yes")
    with pytest.raises(AccessDeniedError):
        bob.approve("deploy")
    with pytest.raises(InvalidInputError, match="here 'ann' decides"):
        ann.approve("deploy", by="carl")
    ann.approve("deploy")
    in_force = eve.active("deploy")
    assert in_force is not None
    assert (in_force.proposed_by, in_force.approved_by) == ("bob", "ann")
    with pytest.raises(AccessDeniedError):
        home.memory.scope(tenant="acme", user="zoe").shared("secret").procedures.list()


def test_what_was_taken_back_needs_a_reviewer_again(me: ScopedMemory, ways: Procedures) -> None:
    """Its own proposer does not bring it back alone."""
    version = put(ways, BLUE)
    me.invalidate("deploy", reason="unsafe")
    with pytest.raises(UnreviewedError, match="proposed it"):
        ways.rollback("deploy", version, by="Lina")
    assert in_force(ways) is None
    ways.rollback("deploy", version, by="Ann")
    assert in_force(ways) == BLUE


@pytest.mark.parametrize("bar", ["0.5", 0, 1.5, True, None])
def test_a_bar_is_a_share(ways: Procedures, bar: Any) -> None:
    """What is none is refused in words."""
    ways.propose("deploy", BLUE, by="Lina")
    tried(ways, True)
    with pytest.raises(InvalidInputError, match="give a share"):
        ways.approve("deploy", by="Ann", bar=bar)
