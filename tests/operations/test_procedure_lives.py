"""Any life of a procedure, step by step, against a model that is too simple to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as patience
from hypothesis import strategies as st

from langgraph_memory import Home, Kind, ScopedMemory, Settings, open_memory
from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.testing.hashing import HashingEmbedder

TEXTS, PEOPLE = ("by blue and green", "by canary", "by hand"), ("Lina", "Ann", "jane")
NAMES = iter(f"way-{number}" for number in range(10**9))

texts, people = st.sampled_from(TEXTS), st.sampled_from(PEOPLE)
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["propose", "remember"]), texts, people),
        st.tuples(st.just("correct"), texts, st.just("jane")),
        st.tuples(st.just("put"), texts, people),
        st.tuples(st.just("test"), st.lists(st.booleans(), min_size=1, max_size=2), people),
        st.tuples(st.sampled_from(["approve", "approve anyhow", "reject", "reject one"]),
                  st.none(), people),
        st.tuples(st.just("rollback"), st.integers(0, 5), people),
        st.tuples(st.sampled_from(["invalidate", "forget", "confirm", "restore"]), st.none(),
                  people),
    ),
    max_size=16,
)  # fmt: skip


@dataclass
class Model:
    """What is in force and what waits, by words; who approved which words, on what."""

    lives: bool = False
    active: str | None = None
    waiting: list[tuple[str, str]] = field(default_factory=list)
    results: dict[str, dict[int, bool]] = field(default_factory=dict)
    approved: list[tuple[int, str]] = field(default_factory=list)
    justified: set[str] = field(default_factory=set)
    proposers: dict[int, str] = field(default_factory=dict)
    proposer: str = ""
    unsafe: bool = False

    def propose(self, text: str, who: str) -> None:
        self.lives = True
        if text != self.active and [each for each, _ in self.waiting[-1:]] != [text]:
            self.waiting.append((text, who))

    def test(self, passed: list[bool]) -> None:
        text = self.waiting[-1][0] if self.waiting else self.active
        if text is not None:
            self.results.setdefault(text, {}).update(enumerate(passed))

    def passes(self, text: str) -> bool:
        return bool(self.results.get(text)) and all(self.results[text].values())

    def approve(self, who: str) -> bool:
        if not self.waiting or self.waiting[-1][1] == who or not self.passes(self.waiting[-1][0]):
            return False
        self.active, self.proposer = self.waiting[-1]
        self.unsafe = False
        self.justified.add(self.active)
        self.waiting = []
        return True

    def reject_one(self) -> None:
        if self.waiting:
            gone = self.waiting[-1][0]
            self.waiting = once([each for each in self.waiting if each[0] != gone])

    def rollback(self, version: int, who: str) -> bool:
        text = next(text for at, text in self.approved if at == version)
        proposer = self.proposers[version]
        if text == self.active or not self.passes(text) or (self.unsafe and who == proposer):
            return False
        self.active, self.waiting, self.proposer = text, once(self.waiting), proposer
        self.unsafe = False
        return True


def once(waiting: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the last of each words, in order."""
    return [
        each
        for number, each in enumerate(waiting, start=1)
        if each[0] not in [text for text, _ in waiting[number:]]
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    path: Path = tmp_path_factory.mktemp("lives") / "home"
    with open_memory(path, settings=Settings(home=path), embedder=HashingEmbedder(16)) as opened:
        yield opened
        assert opened.memory.verify().whole


def act(home: Home, me: ScopedMemory, name: str, step: tuple[str, Any, str]) -> Any:
    """Do a step in memory; what is refused comes to nothing."""
    deed, what, who = step
    ways = me.procedures
    place = me.bound.namespace(Kind.PROCEDURAL)
    with suppress(MemoryLayerError):
        match deed:
            case "propose":
                ways.propose(name, what, by=who)
            case "remember":
                me.remember(what, key=name, kind="procedural")
            case "correct":
                me.correct(name, what)
            case "put":
                home.store.put(place, name, {"content": what})
            case "test":
                tasks = [(str(n), n, lambda out, says=says: says) for n, says in enumerate(what)]
                ways.test(name, tasks, lambda text, given: text, by=who)
            case "approve":
                return ways.approve(name, by=who)
            case "approve anyhow":
                return me.approve(name, by=who)
            case "reject":
                ways.reject(name, by=who)
            case "reject one":
                me.reject(name, by=who, version=ways.inspect(name).versions[-1].version)
            case "rollback":
                return ways.rollback(name, what, by=who)
            case "invalidate" | "forget" | "confirm" | "restore":
                getattr(me, deed)(name)
    return None


def expect(model: Model, step: tuple[str, Any, str]) -> bool:
    """Do a step in the model; tell whether it lets words take force."""
    deed, what, who = step
    match deed:
        case "propose" | "remember":
            model.propose(what, who if deed == "propose" else "jane")
        case "correct" if model.lives:
            model.propose(what, who)
        case "test":
            model.test(what)
        case "approve" | "approve anyhow":
            return model.approve(who)
        case "reject":
            model.waiting = []
        case "reject one":
            model.reject_one()
        case "rollback":
            return model.rollback(what, who)
        case "invalidate":
            model.unsafe = model.unsafe or model.active is not None
            model.active, model.waiting = None, []
        case "forget":
            model.lives, model.active, model.unsafe = False, None, False
            for each in (model.waiting, model.results, model.approved):
                each.clear()
    return False


A, B = TEXTS[:2]
PUT = [("propose", A, "Lina"), ("test", [True], "Lina"), ("approve", None, "Ann")]


@patience(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
@example([*PUT, ("propose", B, "Ann"), ("rollback", 0, "Lina"), ("test", [True], "Ann"),
          ("approve", None, "Ann"), ("approve", None, "Lina"), ("rollback", 0, "Ann")])  # fmt: skip
@example([*PUT, ("invalidate", None, "Ann"), ("restore", None, "Ann"), ("rollback", 0, "Lina")])
@example([*PUT, ("forget", None, "Ann"), ("propose", A, "Ann"), ("approve", None, "Lina")])
@example([("propose", A, "Lina"), ("propose", B, "Ann"), ("propose", A, "jane"),
          ("test", [True], "Ann"), ("reject one", None, "Ann"),
          ("approve", None, "Lina")])  # fmt: skip
def test_nothing_is_in_force_that_nobody_else_approved_on_passing_results(
    home: Home, done: list[tuple[str, Any, str]]
) -> None:
    """R52: whatever else is written there."""
    me = home.memory.scope(tenant="acme", user="jane")
    model, name = Model(), next(NAMES)
    for step in done:
        if step[0] == "rollback":
            if not model.approved:
                continue
            step = ("rollback", model.approved[step[1] % len(model.approved)][0], step[2])
        if step[0] == "test" and not model.waiting and model.active is None:
            continue
        changed = act(home, me, name, step)
        takes_force = expect(model, step)
        assert (changed is not None) == takes_force, step
        if takes_force:
            assert model.active is not None
            model.approved.append((changed.version, model.active))
            model.proposers[changed.version] = model.proposer
        active = me.procedures.active(name)
        assert (active.text if active else None) == model.active, step
        assert model.active is None or model.active in model.justified
        with suppress(MemoryLayerError):
            waits = [(each.text, each.proposed_by) for each in me.procedures.inspect(name).waiting]
            assert waits == model.waiting, step
