"""Run state as bytes: what comes back as it was, and what is refused by name."""

from __future__ import annotations

import pickle
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Interrupt, Send
from pydantic import BaseModel
from typing_extensions import TypedDict

from langgraph_memory.errors import (
    ClosedError,
    InvalidSettingError,
    InvalidValueError,
    StorageDamagedError,
    StorageError,
)
from langgraph_memory.storage.checkpoints import CheckpointSaver

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@dataclass
class Order:
    number: int


class Invoice(BaseModel):
    order: Any


class Ordered(TypedDict):
    order: Any


class Moment(datetime):
    pass


class Mood(StrEnum):
    CALM = "calm"


CALL = {"name": "search", "args": {"q": "x"}, "id": "1", "type": "tool_call"}
MESSAGES: list[AnyMessage] = [
    HumanMessage("何時ですか", id="1"),
    AIMessage("", id="2", tool_calls=[CALL]),
    ToolMessage("found", tool_call_id="1", artifact={"rows": [1, 2]}),
]
KEPT: dict[str, Any] = {
    "messages": MESSAGES,
    "documents": [Document("text", metadata={"page": 1})],
    "plain values": {"when": NOW, "set": {1, 2}, "id": UUID(int=7), "price": Decimal("1.50")},
    "LangGraph's own": [Send("node", {"a": 1}), Interrupt("why", id="i"), Command(goto="x")],
    "bytes and big numbers": [b"\x00\xff", 2**63, -(2**62), 1e300],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def put(saver: SqliteSaver, value: Any) -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    saver.put(config, {**empty_checkpoint(), "channel_values": {"state": value}}, {}, {})


def get(saver: SqliteSaver) -> Any:
    found = saver.get_tuple({"configurable": {"thread_id": "t"}})
    assert found is not None
    return found.checkpoint["channel_values"]["state"]


@pytest.mark.parametrize("value", KEPT.values(), ids=KEPT)
def test_a_value_comes_back_as_it_was(path: Path, value: Any) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, value)
        assert get(saver) == value


def test_an_array_comes_back_as_it_was(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, np.eye(3, dtype=np.float32))
        assert np.array_equal(get(saver), np.eye(3))


UNKNOWN: dict[str, tuple[Any, str]] = {
    "a dataclass": (Order(1), r"\bOrder\b"),
    "a model": (Invoice(order=None), r"\bInvoice\b"),
    "an enumeration": (Mood.CALM, r"\bMood\b"),
    "deep inside": ([{"orders": (Order(1),)}], r"\bOrder\b"),
    "a moment of another kind": (Moment.now(UTC), r"\bMoment\b"),
    "inside a class that is allowed": (Send("node", Order(1)), r"\bOrder\b"),
}


@pytest.mark.parametrize(("value", "name"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_class_that_could_not_be_read_back_is_refused_when_written(
    path: Path, value: Any, name: str
) -> None:
    with CheckpointSaver.open(path, allowed_types=[Moment]) as saver:
        with pytest.raises(InvalidSettingError, match=rf"allowed_types.*{name}.*Add the class"):
            put(saver, value)
        with pytest.raises(InvalidSettingError, match=name):
            saver.put_writes(_address(), [("state", value)], "task")
        assert saver.count("t") == 0


def test_the_refusal_names_the_channel(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        with pytest.raises(InvalidSettingError, match=r"Order.*\(channel state\)"):
            put(saver, {"fine": 1, "order": Order(1)})
        writes = [("fine", 1), ("orders", [Order(1)])]
        with pytest.raises(InvalidSettingError, match=r"Order.*\(channel orders\)"):
            saver.put_writes(_address(), writes, "task")
        with pytest.raises(InvalidValueError, match=r"run state / hook.*function"):
            saver.put_writes(_address(), [("fine", 1), ("hook", print_nothing)], "task")
        assert saver.count("t") == 0


def test_the_refusal_reaches_who_runs_the_graph(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        builder: Any = StateGraph(Ordered)
        builder.add_node("order", lambda state: {"order": Order(1)})
        builder.add_edge(START, "order")
        agent = builder.compile(checkpointer=saver)
        config: Any = {"configurable": {"thread_id": "t"}}
        with pytest.raises(InvalidSettingError, match=r"Order.*\(channel order\).*allowed_types"):
            agent.invoke({"order": None}, config)
        assert agent.get_state(config).next == ("order",)


def _address() -> Any:
    return {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "1"}}


@pytest.mark.parametrize("value", [Order(1), [Mood.CALM], Invoice(order={"number": 2})])
def test_a_class_of_the_application_is_kept_once_it_is_allowed(path: Path, value: Any) -> None:
    with CheckpointSaver.open(path, allowed_types=[Order, Invoice, Mood]) as saver:
        put(saver, value)
        assert get(saver) == value
        assert type(get(saver)) is type(value)


def test_more_classes_can_be_allowed_on_a_file_that_is_open(path: Path) -> None:
    with CheckpointSaver.open(path, allowed_types=[Invoice]) as saver:
        more = saver.allowing(Order, Mood)
        put(more, [Order(1), Mood.CALM, Invoice(order=None)])
        assert get(more) == [Order(1), Mood.CALM, Invoice(order=None)]
        with pytest.raises(InvalidSettingError, match="Order"):
            get(saver)


def test_a_class_that_cannot_be_imported_again_is_refused_at_opening(path: Path) -> None:
    @dataclass
    class Hidden:
        number: int

    with pytest.raises(InvalidSettingError, match="Hidden.*Define the class at the top"):
        CheckpointSaver.open(path, allowed_types=[Hidden])
    with CheckpointSaver.open(path) as saver, pytest.raises(InvalidSettingError, match="Hidden"):
        saver.allowing(Hidden)


def test_what_cannot_be_written_at_all_is_named_by_its_place(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        with pytest.raises(InvalidValueError, match=r"channel_values / state / hook.*function"):
            put(saver, {"fine": 1, "hook": print_nothing})
        assert saver.count("t") == 0


def print_nothing() -> None:
    """Stand for any function that found its way into a state."""


def test_a_class_in_a_file_from_elsewhere_is_refused_and_not_imported(path: Path) -> None:
    stranger = type("Stranger", (Order,), {"__module__": "this"})  # importing it would print
    with SqliteSaver.from_conn_string(str(path)) as theirs:
        put(theirs, stranger(1))
    with CheckpointSaver.open(path) as ours, pytest.raises(InvalidSettingError, match="Stranger"):
        get(ours)
    assert "this" not in sys.modules


def overwrite(path: Path, kind: str, content: bytes) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE checkpoints SET type = ?, checkpoint = ?", (kind, content))


def test_a_format_of_another_serializer_is_named(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, 1)
        overwrite(path, "pickle", b"cos\nsystem\n.")
        with pytest.raises(StorageError, match=r"checkpoints\.sqlite: unknown format 'pickle'"):
            get(saver)


def test_nothing_is_pickled_and_no_pickle_is_opened(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        assert not saver.strict_serde.pickle_fallback
        assert not saver.jsonplus_serde.pickle_fallback
        with pytest.raises(InvalidValueError):
            saver.serde.dumps_typed({1, print_nothing})
        with pytest.raises(StorageError, match="unknown format 'pickle'"):
            saver.serde.loads_typed(("pickle", pickle.dumps(1)))


def test_bytes_that_are_no_run_state_are_reported_as_damage(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, 1)
        overwrite(path, "msgpack", b"\x85\xa1")
        with pytest.raises(StorageDamagedError, match=r"checkpoints\.sqlite"):
            get(saver)


def test_a_clone_that_allows_more_shares_the_file(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        clone = saver.with_allowlist([(Order.__module__, "Order")])
        assert isinstance(clone, CheckpointSaver)
        put(clone, Order(1))
        assert get(clone) == Order(1)
        with pytest.raises(InvalidSettingError):
            put(saver, Order(1))
    with pytest.raises(ClosedError):
        get(clone)
