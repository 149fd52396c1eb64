"""Credentials never reach the checkpoint file, and nothing else in run state is touched."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from copy import deepcopy
from dataclasses import dataclass, field
from operator import add
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, Send, interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict

from langgraph_memory.errors import RefusedError
from langgraph_memory.storage.checkpoints import CheckpointSaver
from langgraph_memory.storage.checkpoints.redaction import Redactor
from langgraph_memory.storage.checkpoints.serializer import StrictSerializer

KEY = "sk-" + "proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
GONE = "[redacted: OpenAI API key]"
CALL = {"name": "connect", "args": {"dsn": f"key {KEY}", "n": 3}, "id": "1", "type": "tool_call"}


@dataclass
class Order:
    note: str
    tags: list[str] = field(default_factory=list)


class Login(BaseModel):
    user: str
    password: str


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def thread(name: str = "t") -> Any:
    return {"configurable": {"thread_id": name}}


def stored(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in path.parent.iterdir() if each.is_file())


def put(saver: CheckpointSaver, value: Any) -> Any:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    return saver.put(config, {**empty_checkpoint(), "channel_values": {"state": value}}, {}, {})


def get(saver: CheckpointSaver) -> Any:
    found = saver.get_tuple(thread())
    assert found is not None
    return found.checkpoint["channel_values"]["state"]


def concatenate(state: list[str], writes: Any) -> list[str]:
    return [*state, *(item for write in writes for item in write)]


HOLDERS: dict[str, Any] = {
    "a text": f"my key is {KEY}",
    "a message": HumanMessage(f"my key is {KEY}", id="1"),
    "a message in parts": HumanMessage([{"type": "text", "text": f"key {KEY}"}, f"and {KEY}"]),
    "a tool call": AIMessage("", tool_calls=[CALL]),
    "additional arguments": AIMessage("", additional_kwargs={"function_call": {"args": KEY}}),
    "metadata of an answer": AIMessage("", response_metadata={"headers": {"authorization": KEY}}),
    "a tool's result": ToolMessage(f"found {KEY}", tool_call_id="1", artifact={"raw": [KEY]}),
    "a system message": SystemMessage(KEY),
    "nested": [{"a": ({"b": [f"x {KEY}"]},)}],
    "a name of a field": {f"key {KEY}": 1},
    "a task": Send("node", {"question": f"use {KEY}"}),
    "a command": Command(update={"note": KEY}),
    "an object of the application": Order(KEY, [f"tag {KEY}"]),
    "a model of the application": Login(user=KEY, password="x"),
    "a set": {f"one {KEY}"},
}


@pytest.mark.parametrize("value", HOLDERS.values(), ids=HOLDERS)
def test_a_credential_is_taken_out_wherever_it_stands(path: Path, value: Any) -> None:
    """R50."""
    with CheckpointSaver.open(path, allowed_types=[Order, Login]) as saver:
        before = deepcopy(value)
        address = put(saver, value)
        saver.put_writes(address, [("state", value)], "task")
        assert value == before  # the caller's own object
        assert KEY.encode() not in stored(path)
        assert GONE.encode() in stored(path)
        assert KEY not in repr(get(saver))
        assert GONE in repr(get(saver))
        assert type(get(saver)) is type(value)


def test_a_field_named_for_a_credential_is_emptied_in_dictionaries_and_channels(
    path: Path,
) -> None:
    args = {"user": "bob", "password": "swordfish", "api_key": "none"}
    with CheckpointSaver.open(path, allowed_types=[Login]) as saver:
        put(saver, [args, Login(user="bob", password="swordfish")])
        plain, model = get(saver)
        assert plain == {**args, "password": "[redacted: password]"}
        assert model == Login(user="bob", password="[redacted: password]")
        address = put(saver, 1)
        saver.put_writes(address, [("password", "swordfish"), ("count", 2)], "task")
        found = saver.get_tuple(thread())
        assert found is not None
        assert found.pending_writes == [
            ("task", "password", "[redacted: password]"), ("task", "count", 2)
        ]  # fmt: skip
        assert b"swordfish" not in stored(path)


EXACT: list[Any] = [
    str(uuid.UUID(int=7)), "3df633b8a1c9d0e4f5a6b7c8d9e0f1a2b3c4d5e6",
    f"sha256:{hashlib.sha256(b'x').hexdigest()}", hashlib.sha512(b"x").hexdigest(),
    {"id": "7f3d2a10c0ffee", "n": 4111111111111111, "x": 0.1, "big": 2**63, "none": None},
    {1: "a", 2.5: "b", None: "c", "t": (1, 2)}, [float("inf"), -0.0], b"sk-proj-in-bytes\x00\xff",
    uuid.UUID(int=9), {"checksum": "sha256:" + "ab" * 32, "thread_id": "user-42"},
]  # fmt: skip


@pytest.mark.parametrize("kept", EXACT, ids=repr)
def test_ids_hashes_and_numbers_come_back_exactly_beside_a_redacted_text(
    path: Path, kept: Any
) -> None:
    theirs = JsonPlusSerializer()
    with CheckpointSaver.open(path) as saver:
        put(saver, [kept, f"my key is {KEY}", kept])
        expected = theirs.loads_typed(theirs.dumps_typed(kept))
        assert get(saver) == [expected, f"my key is {GONE}", expected]


def test_a_checkpoints_own_ids_and_versions_are_never_looked_at(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        checkpoint: Any = {**empty_checkpoint(), "channel_values": {"state": KEY}}
        checkpoint["channel_versions"] = {"password": "00000000000000000000000000000003.0.84442182"}
        checkpoint["versions_seen"] = {"node": {"password": "3.4111111111111111"}}
        saver.put({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}, checkpoint, {}, {})
        found = saver.get_tuple(thread())
        assert found is not None
        assert found.checkpoint == {**checkpoint, "channel_values": {"state": GONE}}


def test_metadata_and_configuration_reach_the_file_without_credentials(path: Path) -> None:
    config: Any = {
        "configurable": {"thread_id": "t", "checkpoint_ns": "", "openai_api_key": "abcd1234efgh"},
        "metadata": {"note": f"called with {KEY}", "run_id": str(uuid.UUID(int=3))},
    }
    before = deepcopy(config)
    with CheckpointSaver.open(path) as saver:
        noted: Any = {"source": "input", "step": -1, "writes": {"node": [f"wrote {KEY}"]}}
        saver.put(config, empty_checkpoint(), noted, {})
        found = saver.get_tuple(thread())
        assert found is not None
        assert found.metadata == {
            "source": "input", "step": -1, "writes": {"node": [f"wrote {GONE}"]},
            "note": f"called with {GONE}",
            "run_id": str(uuid.UUID(int=3)), "openai_api_key": "[redacted: API key]",
        }  # fmt: skip
        assert config == before


@pytest.mark.parametrize("name", ["thread_id", "run_id"])
def test_nothing_is_written_under_an_id_that_holds_a_credential(path: Path, name: str) -> None:
    """R50: another text in its place would be another thread."""
    with CheckpointSaver.open(path) as saver:
        plain = {"configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": "1"}}
        config = {"configurable": {**plain["configurable"], name: KEY}}
        with pytest.raises(RefusedError, match="no credentials"):
            saver.put(config, empty_checkpoint(), {}, {})
        with pytest.raises(RefusedError, match="no credentials"):
            saver.put_writes(config, [("x", 1)], "task")
        saver.put(plain, empty_checkpoint(), {}, {})
        with pytest.raises(RefusedError, match="no credentials"):
            saver.copy_thread("t", KEY)
        assert saver.count(KEY) == 0


def test_where_credentials_are_kept_an_id_may_look_like_one(path: Path) -> None:
    with CheckpointSaver.open(path, redact=False) as saver:
        config = {"configurable": {"thread_id": KEY, "checkpoint_ns": "", "run_id": KEY}}
        saver.put(config, empty_checkpoint(), {}, {})
        assert saver.count(KEY) == 1


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    notes: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=3)]
    log: Annotated[list[str], add]


def leaky(saver: CheckpointSaver) -> Any:
    """Return a graph with a credential in every channel; it asks back, and fails once."""
    failures = ["once"]

    def note(state: State) -> Any:
        assert any(KEY in str(each.content) for each in state["messages"])  # live, it is there
        return {"notes": [f"note {KEY}"], "log": [KEY], "messages": [AIMessage(f"got {KEY}")]}

    def ask(state: State) -> Any:
        answer = interrupt({"confirm": f"use {KEY}?"})
        if failures:
            failures.clear()
            raise RuntimeError(f"401: {KEY} is wrong")
        return {"log": [f"answer {answer}"]}

    builder = StateGraph(State)
    builder.add_node("note", note)
    builder.add_node("ask", ask)
    builder.add_edge(START, "note")
    builder.add_edge("note", "ask")
    return builder.compile(checkpointer=saver)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_no_step_of_a_graph_leaves_a_credential_in_a_file(path: Path, durability: Any) -> None:
    """R50: the input is written before the first node runs."""
    question: Any = {"messages": [HumanMessage(f"my key is {KEY}", id="q")]}
    with CheckpointSaver.open(path) as saver:
        agent = leaky(saver)
        agent.invoke(question, thread(), durability=durability)
        assert KEY.encode() not in stored(path)
        resume: Any = Command(resume=f"it is {KEY}")
        with pytest.raises(RuntimeError, match="401"):
            agent.invoke(resume, thread(), durability=durability)
        assert KEY.encode() not in stored(path)
        values = agent.get_state(thread()).values
        assert values["notes"] == [f"note {GONE}"]
        assert values["messages"][0] == HumanMessage(f"my key is {GONE}", id="q")
        agent.invoke(None, thread(), durability=durability)
        assert agent.get_state(thread()).values["log"] == [GONE, f"answer it is {GONE}"]
        assert question["messages"][0].content == f"my key is {KEY}"
    assert KEY.encode() not in stored(path)
    assert GONE.encode() in stored(path)


def test_redaction_is_the_same_by_the_async_door(path: Path) -> None:
    async def run() -> None:
        async with CheckpointSaver.open(path) as saver:
            await leaky(saver).ainvoke({"messages": [("user", f"my key is {KEY}")]}, thread())

    asyncio.run(run())
    assert KEY.encode() not in stored(path)


def test_a_file_may_be_opened_to_keep_texts_as_they_are(path: Path) -> None:
    with CheckpointSaver.open(path, redact=False) as saver:
        address = put(saver, KEY)
        saver.put_writes(address, [("password", "swordfish")], "task")
        assert get(saver) == KEY
        assert b"swordfish" in stored(path)


def test_two_fields_named_by_credentials_stay_two(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, {KEY: 1, f"{KEY}x": 2, "other": 3})
        assert get(saver) == {GONE: 1, f"{GONE}*": 2, "other": 3}


def test_a_credential_is_found_in_a_channel_that_had_none_before(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        for said in ("nothing", "still nothing", f"it is {KEY}", "nothing"):
            put(saver, {"log": ["of the same shape", said], "password": None})
            assert get(saver)["log"][1] == said.replace(KEY, GONE)
        put(saver, {"log": ["of the same shape", "nothing"], "password": "swordfish"})
        assert get(saver)["password"] != "swordfish"
    assert KEY.encode() not in stored(path)
    assert b"swordfish" not in stored(path)


def test_deleting_a_thread_forgets_the_hashes_of_its_texts(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        put(saver, "nothing to hide in this text")
        redactor = saver.strict_serde.redactor
        assert redactor is not None
        assert redactor.remembered > 0
        saver.delete_thread("t")
        assert redactor.remembered == 0


def test_a_conversation_of_forty_messages_costs_less_than_a_millisecond_more(
    tmp_path: Path,
) -> None:
    text = "The launch moved to Monday, and the password policy is in section 4-b. " * 7
    messages = [HumanMessage(f"{text[:490]} {n}", id=str(uuid.UUID(int=n))) for n in range(40)]
    state: Any = {**empty_checkpoint(), "channel_values": {"messages": messages}}
    plain, strict = JsonPlusSerializer(), StrictSerializer(tmp_path, redactor=Redactor())
    strict.dumps_typed(state)
    more = median_of(lambda: strict.dumps_typed(state)) - median_of(
        lambda: plain.dumps_typed(state)
    )
    print(f"redaction and the check of types: {more:.2f} ms a checkpoint")
    assert more < 1.0


def median_of(work: Any) -> float:
    """Return the milliseconds of the middle one of many calls."""
    taken = []
    for _ in range(60):
        started = perf_counter()
        work()
        taken.append(1000 * (perf_counter() - started))
    return sorted(taken)[30]
