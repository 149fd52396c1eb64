"""Any life of a shared statement: time, trust and roles, against a model too simple to be wrong.

The model is a list of what was said, each with its trust and its days, and a table of who has
which role. After each step everybody is asked what they see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as patience
from hypothesis import strategies as st

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import AccessDeniedError, InvalidInputError, NotFoundError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.testing.hashing import HashingEmbedder

DAY = timedelta(days=1)
PEOPLE = ("ana", "bob", "eve")
ROLES = {
    "owner": {"read", "write", "review", "forget"},
    "member": {"read", "write"},
    "reviewer": {"read", "review"},
    "reader": {"read"},
    "none": set(),
}
KEYS = iter(f"limit-{number}" for number in range(10**9))
VERIFIED, PERSON, PAGE = 3, 2, 1

who = st.sampled_from(PEOPLE)
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("say"), who, st.sampled_from([PERSON, PERSON, PAGE]),
            st.sampled_from(["100", "200"]),
            st.sampled_from([(None, None), (None, 3), (2, None), (-3, -1)]),
        ),
        st.tuples(st.sampled_from(["approve", "reject", "invalidate", "forget"]), who),
        st.tuples(st.just("role"), who, st.sampled_from([*ROLES])),
        st.tuples(st.just("wait"), st.integers(1, 4)),
    ),
    min_size=4,
    max_size=18,
)  # fmt: skip


@dataclass
class Said:
    """One statement: what, from when until when, how far it is believed, who brought it."""

    text: str
    start: datetime | None
    end: datetime | None
    trust: int
    by: str
    state: str = "counts"  # or "waits", or "void"


@dataclass
class Model:
    """What was said since it was last forgotten, and whether it ever was."""

    said: list[Said] = field(default_factory=list)
    forgotten: bool = False

    def now(self, at: datetime) -> Said | None:
        for each in reversed(self.said):
            if each.state == "waits" or (each.start and each.start > at and each.state != "void"):
                continue
            ended = each.end is not None and each.end <= at
            return None if each.state == "void" or ended else each
        return None

    def say(self, new: Said, at: datetime) -> None:
        head = self.said[-1] if self.said else None
        if new.trust == PAGE and (self.forgotten if head is None else head.state == "void"):
            return
        settled = [each for each in self.said if each.state != "waits"]
        standing = [each for each in (self.now(at), settled[-1] if settled else None) if each]
        waits = head is not None and head.state == "waits"
        same = [each for each in (head, self.now(at)) if each and _alike(each, new)]
        if any(each.state == "counts" and (waits or each is head) for each in same):
            return
        stronger = any(
            each.trust > new.trust
            for each in standing
            if each.state != "void" and not (each.end and each.end <= at)
        )
        if stronger and same and waits:
            return
        self.said.append(replace(new, state="waits") if stronger else new)

    def approve(self, by: str) -> None:
        if self.said and self.said[-1].state == "waits" and self.said[-1].by != by:
            self.said.append(replace(self.said[-1], state="counts", trust=VERIFIED))

    def reject(self) -> None:
        if self.said and self.said[-1].state == "waits":
            settled = [each for each in self.said if each.state != "waits"]
            self.said.append(replace(settled[-1] if settled else self.said[-1]))
            if not settled:
                self.said[-1].state = "void"

    def invalidate(self, at: datetime) -> None:
        if self.said:
            waits, holds = self.said[-1].state == "waits", self.now(at)
            of = holds if waits and holds else self.said[-1]
            self.said.append(replace(of, state="void"))

    def forget(self) -> None:
        self.forgotten = self.forgotten or bool(self.said)
        self.said = []


def _alike(one: Said, other: Said) -> bool:
    return (one.text, one.start, one.end) == (other.text, other.start, other.end)


@dataclass
class World:
    """The memory under test, with a clock that is moved by hand."""

    home: Home
    at: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def clock(self) -> datetime:
        self.at += timedelta(microseconds=1)
        return self.at

    def shared(self, user: str, project: str) -> ScopedMemory:
        return self._of(Scope("acme", project=project, acting=user))

    def own(self, user: str, project: str) -> ScopedMemory:
        return self._of(Scope("acme", user, project=project))

    def _of(self, scope: Scope) -> ScopedMemory:
        engine: Engine = self.home.memory._engine
        return ScopedMemory(replace(engine, clock=self.clock), scope)


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder(64)) as opened:
        yield opened


@patience(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_everybody_sees_what_a_simple_model_says(
    home: Home, done: list[tuple[object, ...]]
) -> None:
    """R12 to R15, R42, R46, R51, R53."""
    key = next(KEYS)
    project, world, model = f"p-{key}", World(home), Model()
    roles = dict(zip(PEOPLE, ("owner", "member", "reviewer"), strict=True))
    for user, role in roles.items():
        home.memory.grant("acme", user, role, project=project, by="root")
    record = ""
    for step, *rest in done:
        if step == "wait":
            world.at += int(str(rest[0])) * DAY
        elif step == "role":
            user, role = map(str, rest)
            roles[user] = role
            if role == "none":
                with suppress(NotFoundError):
                    home.memory.revoke("acme", user, project=project, by="ops")
            else:
                home.memory.grant("acme", user, role, project=project, by="root")
        else:
            record = _acted(world, model, roles, key, project, str(step), rest) or record
        _compared(world, model, roles, project, record)


def _acted(
    world: World, model: Model, roles: dict[str, str], key: str, project: str, step: str,
    rest: list[Any],
) -> str:  # fmt: skip
    """Take a step in both; return the record's id where one was written."""
    user = str(rest[0])
    me, needs = world.shared(user, project), {"say": "write", "forget": "forget"}
    said = _said(world, *rest) if step == "say" else None
    deeds: dict[str, Callable[[str], Any]] = {
        "approve": me.approve, "reject": me.reject, "invalidate": me.invalidate,
        "forget": me.forget,
    }  # fmt: skip
    act = partial(_state, me, key, said) if said else partial(deeds[step], key)
    if needs.get(step, "review") not in ROLES[roles[user]]:
        with pytest.raises(AccessDeniedError):
            act()
        return ""
    record = ""
    with suppress(NotFoundError, InvalidInputError, AccessDeniedError):
        record = str(act().id)
    if said:
        model.say(said, world.at)
    elif step == "approve":
        model.approve(user)
    elif step == "invalidate":
        model.invalidate(world.at)
    else:
        model.reject() if step == "reject" else model.forget()
    return record


def _said(
    world: World, user: str, trust: int, text: str, days: tuple[int | None, int | None]
) -> Said:
    today = world.at.replace(hour=0, minute=0, second=0, microsecond=0)
    start, end = (None if each is None else today + each * DAY for each in days)
    return Said(f"The limit is {text}", start, end, trust, user)


def _state(me: ScopedMemory, key: str, said: Said) -> Remembered:
    source = Source(SourceKind.WEB, "http://example.org") if said.trust == PAGE else None
    return me.remember(
        said.text, key=key, source=source, valid_from=said.start, valid_until=said.end
    )


def _compared(world: World, model: Model, roles: dict[str, str], project: str, record: str) -> None:
    holds = model.now(world.at)
    for user in PEOPLE:
        seen = [each.content for each in world.own(user, project).cite([record] if record else [])]
        reads = "read" in ROLES[roles[user]]
        assert seen == ([holds.text] if holds and reads else []), (user, model)
