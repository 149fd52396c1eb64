"""A credential in any parameter of any public call reaches no file: R50.

Parameters are read from the signatures. One whose type is new here fails the test until it is
said how text gets in by it, so that no parameter is forgotten.
"""

from __future__ import annotations

import inspect
import itertools
import random
import string
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.store.base import PutOp

from langgraph_memory import Home, Kind, Scope, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.events import Turn
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.domain.trial import Checked
from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.memory import Memory
from langgraph_memory.memory.procedures import Procedures
from langgraph_memory.nodes.context import MemoryContext
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.operations.item_writes import PutItem
from langgraph_memory.operations.recall import Recall
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.updates.contradiction import Told

NO_TEXT = (
    "int", "int | None", "float", "float | None", "bool", "bool | None", "datetime | None",
    "date | None", "float | NotProvided | None", "Moment", "Retention | None",
    "Callable[[int, int], None] | None",
    "Stages",
    "SearchPast", "Sequence[Candidate]", "Hit", "Sought", "Event",  # what memory itself handed out
    "Recall", "Sequence[Hit]",
)  # fmt: skip
"""Types by which no text of the caller's gets in."""

SETTINGS = {"from_path", "from_conn_string"}
"""Calls that open a home: their texts are paths and names of functions."""

GIVEN: dict[str, Any] = {
    "reference": "cat", "name": "way", "content": "The cat is green", "text": "do it so",
    "question": "What colour is the cat?", "to": 1, "older": 1, "keep": 3, "number": 1,
    "thread_id": "t", "message_id": "1", "user": "bob", "tenant": "acme", "role": "member",
    "by": "Ann", "step": "respond", "error": "none", "version": 1,
    "command": Command(Order.REMEMBER, "The dog is red"), "utterances": [], "turns": [],
    "tasks": [("one", 1, lambda said: True)], "run": lambda text, given: text,
    "value": {"content": "The cat is grey"}, "change": {"note": "x"}, "key": "cat",
    "found": Recall("What colour is the cat?"), "waiting": [], "references": [],
    "statements": ["The cat is blue"], "sentences": ["The cat is blue"],
    "record_ids": [], "texts": ["x"], "candidates": [],
    "told": Told("The cat is grey"), "reason": "", "namespace_prefix": ("memory",),
    "scope": Scope("acme", "bob"), "at": Moment(),
}  # fmt: skip
"""What a call is given where the secret is in another parameter, by the parameter's name."""

Poison = Callable[[str], list[Any]]


def _raises(secret: str) -> Callable[[str, Any], Any]:
    def run(text: str, given: Any) -> Any:
        raise RuntimeError(secret)

    return run


def _json(secret: str) -> list[Any]:
    return [{"note": secret}, {"n": {"deep": ["x", {"password": secret}]}}, {secret: 1}]


def _values(secret: str) -> list[Any]:
    return [{"content": "The cat is grey", **each} for each in _json(secret)]


def _places(secret: str) -> list[Any]:
    found = [Scope("acme", secret), Scope(secret, "u"), Scope("acme", "u", project=secret)]
    return [each.namespace(Kind.SEMANTIC) for each in found]


def _puts(secret: str) -> list[Any]:
    place = Scope("acme", "putter").namespace(Kind.SEMANTIC)
    return [PutItem(place, "k", each) for each in _values(secret)] + [
        PutItem(place, secret, {"content": "The cat is grey"})
    ]


def _texts_of(whole: Any, secret: str) -> list[Any]:
    """Return copies of a dataclass, the secret in one field of text each."""
    named = [each.name for each in fields(whole) if isinstance(getattr(whole, each.name), str)]
    return [replace(whole, **{name: f"it is {secret}"}) for name in named]


def _tasks(secret: str) -> list[Any]:
    told = Checked(True, 1.0, f"by {secret}", f"it was {secret}")
    return [
        [(secret, 1, lambda said: True)],
        [("two", secret, lambda said: True)],
        [("three", 1, lambda said: told)],
    ]


def _ops(secret: str) -> list[Any]:
    return [PutOp(each.namespace, each.key, each.value) for each in _puts(secret)]


TEXT: dict[str, Poison] = {
    **dict.fromkeys(
        ("str", "str | None", "Kind | str", "Verification | str", "Verification | str | None",
         "Role | str", "Permission | str | None", "Status | str | None"),
        lambda secret: [secret, f"it is {secret}"],
    ),
    **dict.fromkeys(
        ("Sequence[str]", "Sequence[str | SaidIn]", "Collection[str]"), lambda secret: [[secret]]
    ),
    "Sequence[Role | str]": lambda secret: [[secret]],
    "Source | None": lambda secret: [
        Source(SourceKind.WEB, f"https://h/x?token={secret}"),
        Source(SourceKind.TOOL, f"https://bob:{secret}@h/x"),
    ],
    "Source | str | None": lambda secret: [secret, Source(SourceKind.SYSTEM, secret)],
    "Mapping[str, Any]": _values,
    "Mapping[str, Any] | None": _json,
    "dict[str, Any] | None": _json,
    "JsonObject | None": _json,
    "Sequence[Utterance]": lambda secret: [
        [each] for each in _texts_of(Utterance("t", "9", "user", "I like tea", "jane"), secret)
    ],
    "Sequence[Turn]": lambda secret: [
        [each] for each in _texts_of(Turn("s", "1", "user", "jane", "I like tea", None), secret)
    ],
    "Command": lambda secret: [
        Command(order, *parts)
        for order in Order
        for parts in ((f"that is {secret}",), ("The cat is grey", secret))
    ],
    "Sequence[Task]": _tasks,
    "Run": lambda secret: [_raises(secret)],
    "Scope": lambda secret: [Scope("acme", secret), Scope(secret, "u"), Scope("a", "u", secret)],
    "Scope | None": lambda secret: [Scope("acme", secret), Scope(secret, "u")],
    "Told | None": lambda secret: [Told(f"it is {secret}")],
    "Told": lambda secret: [Told(f"The cat is {secret}")],
    "Namespace": _places,
    "Labels": _places,
    "NamespacePath | None": lambda secret: [(secret,)],
    "Literal[False] | list[str] | None": lambda secret: [[secret]],
    "Literal['patch', 'replace', 'keep'] | MergeRule": lambda secret: [
        secret, lambda theirs, ours: {**(theirs or {}), "note": secret}
    ],
    "Iterable[Op]": lambda secret: [[each] for each in _ops(secret)],
    "Sequence[ItemRequest]": lambda secret: [[each] for each in _puts(secret)],
    "Sequence[Sequence[PutItem]]": lambda secret: [[[each]] for each in _puts(secret)],
}  # fmt: skip


@dataclass
class Secrets:
    """Keys, each for one place, so that a file tells which place leaks."""

    chance: random.Random = field(default_factory=lambda: random.Random(11))
    made: dict[str, str] = field(default_factory=dict)

    def one(self, place: str) -> str:
        key = "sk_live_" + "".join(self.chance.choices(string.ascii_letters + string.digits, k=24))
        self.made[key] = place
        return key

    def in_files(self, folder: Path) -> set[str]:
        data = b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
        low = data.lower()
        return {place for key, place in self.made.items() if key[8:].lower().encode() in low}


def _calls(cls: type) -> Iterator[tuple[str, dict[str, inspect.Parameter]]]:
    for name, function in inspect.getmembers(cls, callable):
        twin = name[:1] == "a" and hasattr(cls, name[1:])
        if not name.startswith("_") and not twin and name not in SETTINGS:
            yield name, dict(list(inspect.signature(function).parameters.items())[1:])


def _prepared(home: Home, number: int) -> tuple[ScopedMemory, str]:
    """Return the memory of a new owner with something to change, and an event's id."""
    me = home.memory.scope(tenant="acme", user=f"u{number}")
    me.remember("The cat is blue", key="cat")
    me.remember("The cat is red", key="cat", source=Source(SourceKind.WEB, "w"))
    me.procedures.propose("way", "do it", by="Lina")
    me.procedures.test("way", GIVEN["tasks"], GIVEN["run"], by="Omar")
    [said] = me.capture([Utterance(f"t{number}", "1", "user", "I like tea")])
    return me, said.event.id


def _poisoned(home: Home, secrets: Secrets) -> None:
    count = itertools.count()
    subjects: dict[type, Callable[[ScopedMemory], Any]] = {
        ScopedMemory: lambda me: me,
        Procedures: lambda me: me.procedures,
        Memory: lambda me: home.memory,
        MemoryStore: lambda me: home.store,
    }
    for cls, subject in subjects.items():
        for name, parameters in _calls(cls):
            for poisoned, parameter in parameters.items():
                if parameter.annotation in NO_TEXT or parameter.kind is parameter.VAR_KEYWORD:
                    continue
                place = f"{cls.__name__}.{name}({poisoned})"
                assert parameter.annotation in TEXT, f"how does text get into {place}?"
                for value in TEXT[parameter.annotation](secrets.one(place)):
                    me, event = _prepared(home, next(count))
                    given = {**GIVEN, "event_id": event, "namespace": me.bound.namespace(
                        Kind.SEMANTIC), poisoned: value}  # fmt: skip
                    wanted = {
                        each: given[each]
                        for each, it in parameters.items()
                        if each == poisoned or (it.default is it.empty and each in given)
                    }
                    if name in ("approve", "reject", "test", "rollback") and "by" not in wanted:
                        wanted["by"] = "Ann"
                    args = [wanted.pop(each) for each, it in parameters.items()
                            if it.kind is it.POSITIONAL_ONLY and each in wanted]  # fmt: skip
                    with suppress(MemoryLayerError):
                        getattr(subject(me), name)(*args, **wanted)


def _said(home: Home, secrets: Secrets) -> None:
    """Send a secret through everything a run of the graph is given."""
    me = home.memory.scope(tenant="acme", user="jane")
    agent: Any = home.agent()

    def run(place: str, message: dict[str, Any], config: dict[str, Any], **context: Any) -> None:
        asked = HumanMessage(**{"content": "Remember that tea is hot", **message})
        configurable = {"thread_id": place, **config.pop("configurable", {})}
        with suppress(MemoryLayerError):
            agent.invoke(
                {"messages": [asked]}, {"configurable": configurable, **config},
                context={**me.context(), **context},
            )  # fmt: skip

    for text in ("My key is {}", "Remember that my key is {}", "Forget {}", "Correct tea to {}",
                 "Stop remembering anything about {}", "What is {}?"):  # fmt: skip
        for approval in ("on", "off"):
            run(f"say {text} {approval}", {"content": text.format(secrets.one(text))}, {},
                approval=approval)  # fmt: skip
    for name in ("name", "id"):
        run(f"message {name}", {name: secrets.one(f"message {name}")}, {})
    for name in ("additional_kwargs", "response_metadata"):
        run(f"message {name}", {name: {"x": secrets.one(f"message {name}")}}, {})
    for name in MemoryContext.model_fields:
        run(f"context {name}", {}, {}, **{name: secrets.one(f"context {name}")})
    for name in ("thread_id", "note", "user"):
        run(f"configurable {name}", {}, {"configurable": {name: secrets.one(name)}})
    run("metadata", {}, {"metadata": {"k": secrets.one("metadata")}})
    run("tags", {}, {"tags": [secrets.one("tags")]})
    run("run name", {}, {"run_name": secrets.one("run name")})


def test_a_credential_in_any_parameter_reaches_no_file(tmp_path: Path, settings: Settings) -> None:
    """R50: neither while the home is open nor when it is closed, in no spelling."""
    secrets = Secrets()
    with open_memory(tmp_path / "home", settings=settings) as home:
        _poisoned(home, secrets)
        _said(home, secrets)
        home.memory.work_off()
        home.memory.counts(since=datetime.now(UTC).date())
        assert len(secrets.made) > 100
        assert secrets.in_files(tmp_path) == set()
    assert secrets.in_files(tmp_path) == set()
