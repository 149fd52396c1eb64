"""Finding checkpoints again: back in time, by metadata, by age, under any thread id."""

from __future__ import annotations

from operator import add
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.checkpoints import CheckpointSaver


class State(TypedDict):
    seen: Annotated[list[str], add]


@pytest.fixture
def saver(tmp_path: Path) -> Any:
    with CheckpointSaver.open(tmp_path / "checkpoints.sqlite") as opened:
        yield opened


def thread(name: str = "t", **more: Any) -> Any:
    return {"configurable": {"thread_id": name, **more}}


def agent_on(saver: CheckpointSaver) -> Any:
    builder: Any = StateGraph(State)
    builder.add_node("draft", lambda state: {"seen": [f"draft of {state['seen'][-1]}"]})
    builder.add_node("send", lambda state: {"seen": ["sent"]})
    builder.add_edge(START, "draft")
    builder.add_edge("draft", "send")
    return builder.compile(checkpointer=saver)


def put(saver: CheckpointSaver, metadata: Any, name: str = "t", namespace: str = "") -> str:
    config = thread(name, checkpoint_ns=namespace)
    return str(saver.put(config, empty_checkpoint(), metadata, {})["configurable"]["checkpoint_id"])


def found(saver: CheckpointSaver, config: Any = None, **how: Any) -> list[str]:
    return [str(each.checkpoint["id"]) for each in saver.list(config, **how)]


# --- Back in time -------------------------------------------------------------------------


def test_the_history_of_a_thread_is_told_newest_first(saver: CheckpointSaver) -> None:
    agent = agent_on(saver)
    agent.invoke({"seen": ["one"]}, thread())
    history = list(agent.get_state_history(thread()))
    assert [each.next for each in history] == [(), ("send",), ("draft",), ("__start__",)]
    assert history[0].values["seen"] == ["one", "draft of one", "sent"]
    assert [each.parent_config for each in history[:-1]] == [each.config for each in history[1:]]
    assert len(list(agent.get_state_history(thread(), limit=2))) == 2
    before = list(agent.get_state_history(thread(), before=history[1].config))
    assert [each.config for each in before] == [each.config for each in history[2:]]


def test_a_run_can_be_taken_up_again_at_an_old_checkpoint(saver: CheckpointSaver) -> None:
    agent = agent_on(saver)
    agent.invoke({"seen": ["one"]}, thread())
    agent.invoke({"seen": ["two"]}, thread())
    old = next(
        each for each in agent.get_state_history(thread())
        if each.next == ("send",) and len(each.values["seen"]) == 2
    )  # fmt: skip
    assert agent.invoke(None, old.config)["seen"] == ["one", "draft of one", "sent"]
    assert agent.get_state(thread()).values["seen"] == ["one", "draft of one", "sent"]


def test_a_state_changed_at_an_old_checkpoint_is_a_branch_that_goes_on(
    saver: CheckpointSaver,
) -> None:
    agent = agent_on(saver)
    agent.invoke({"seen": ["one"]}, thread())
    whole = agent.get_state(thread())
    old = next(each for each in agent.get_state_history(thread()) if each.next == ("send",))
    fork = agent.update_state(old.config, {"seen": ["corrected"]}, as_node="draft")
    assert agent.invoke(None, fork)["seen"] == ["one", "draft of one", "corrected", "sent"]
    assert agent.get_state(whole.config).values == whole.values  # the first branch is as it was
    newest = saver.get_tuple(thread())
    assert newest is not None
    assert newest.metadata["step"] > whole.metadata["step"] - 1


async def test_going_back_in_time_works_by_the_async_door(saver: CheckpointSaver) -> None:
    agent = agent_on(saver)
    await agent.ainvoke({"seen": ["one"]}, thread())
    history = [each async for each in agent.aget_state_history(thread())]
    fork = await agent.aupdate_state(history[1].config, {"seen": ["corrected"]}, as_node="draft")
    done = await agent.ainvoke(None, fork)
    assert done["seen"] == ["one", "draft of one", "corrected", "sent"]


def test_a_write_made_twice_is_kept_once_and_an_answer_gives_way_to_the_next(
    saver: CheckpointSaver,
) -> None:
    address = saver.put(thread(checkpoint_ns=""), empty_checkpoint(), {}, {})
    for value in ("first", "second"):
        saver.put_writes(address, [("seen", value), ("more", value)], "task", "path")
        saver.put_writes(address, [("__resume__", value)], "task")
    stored = saver.get_tuple(thread())
    assert stored is not None
    assert sorted(stored.pending_writes or ()) == [
        ("task", "__resume__", "second"), ("task", "more", "first"), ("task", "seen", "first"),
    ]  # fmt: skip


# --- By metadata and age ------------------------------------------------------------------

MOOD: dict[str, Any] = {
    "source": "loop", "step": 3, "final": True, "score": 0.5, "nothing": None, "stadt": "Köln",
    "user": {"name": "李娜", "roles": ["owner", "editor"], "at": {"city": "上海"}},
    "a.b": "with a dot", "a-b": "with a hyphen", "键": "值", "id": str(UUID(int=5)),
}  # fmt: skip


@pytest.mark.parametrize(
    "wanted",
    [
        {"source": "loop"}, {"source": "loop", "step": 3}, {"final": True}, {"score": 0.5},
        {"nothing": None}, {"never said": None}, {"stadt": "Köln"}, {"user.name": "李娜"},
        {"user.at.city": "上海"}, {"user.roles": ["owner", "editor"]},
        {"user.roles": ("owner", "editor")}, {"user.at": {"city": "上海"}},
        {"user": {"at": {"city": "上海"}, "roles": ["owner", "editor"], "name": "李娜"}},
        {"a.b": "with a dot"}, {"a-b": "with a hyphen"}, {"键": "值"}, {"id": UUID(int=5)}, {},
    ],
    ids=repr,
)  # fmt: skip
def test_metadata_is_found_by_what_it_says(saver: CheckpointSaver, wanted: Any) -> None:
    put(saver, {"source": "input", "score": float("nan"), "nothing": 1, "never said": 1})
    meant = put(saver, MOOD)
    put(saver, {"source": "update", "user": "a text", "nothing": 0, "never said": 0})
    matching = found(saver, thread(), filter=wanted)
    assert matching == [meant] if wanted else len(matching) == 3


@pytest.mark.parametrize(
    "wanted",
    [
        {"source": "Loop"}, {"step": 4}, {"step": "3"}, {"user.name": "Lina"}, {"user": "李娜"},
        {"user.roles": ["owner"]}, {"user.name.first": "李"}, {"x'] OR 1=1 --": 1},
    ],
    ids=repr,
)  # fmt: skip
def test_metadata_that_says_something_else_is_not_found(
    saver: CheckpointSaver, wanted: Any
) -> None:
    put(saver, MOOD)
    assert found(saver, thread(), filter=wanted) == []


def test_a_list_is_bounded_by_a_limit_and_by_an_older_end(saver: CheckpointSaver) -> None:
    ids = [put(saver, {"step": step, "even": step % 2 == 0}) for step in range(6)][::-1]
    assert found(saver, thread()) == ids
    assert found(saver, thread(), limit=2) == ids[:2]
    assert found(saver, thread(), limit=0) == []
    before = thread(checkpoint_id=ids[1])
    assert found(saver, thread(), before=before) == ids[2:]
    assert found(saver, thread(), before=before, limit=1, filter={"even": True}) == [ids[3]]
    assert found(saver, thread(), before=thread()) == ids  # names no checkpoint
    assert found(saver, thread(checkpoint_id=ids[2])) == [ids[2]]
    with pytest.raises(InvalidInputError, match="limit is -1"):
        found(saver, thread(), limit=-1)


def test_a_list_is_of_a_thread_a_namespace_or_everything(saver: CheckpointSaver) -> None:
    root, inner = put(saver, {}), put(saver, {}, namespace="inner:1")
    other = put(saver, {}, name="other")
    assert found(saver, thread()) == [inner, root]
    assert found(saver, thread(checkpoint_ns="")) == [root]
    assert found(saver, thread(checkpoint_ns="inner:1")) == [inner]
    assert found(saver) == [other, inner, root]


# --- Thread ids ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["会议记录", "🚀 launch 🎉", "o'brien; DROP TABLE checkpoints --", "x" * 300, "a/b\\c%d_*?",
     " ", "line\nbreak", "é" + "e\u0301", 17, UUID(int=3)],
    ids=repr,
)  # fmt: skip
def test_any_text_is_a_thread_id(saver: CheckpointSaver, name: Any) -> None:
    agent = agent_on(saver)
    agent.invoke({"seen": ["theirs"]}, thread("somebody else"))
    agent.invoke({"seen": ["one"]}, thread(name))
    agent.invoke({"seen": ["two"]}, thread(name))
    assert agent.get_state(thread(name)).values["seen"][3:] == ["two", "draft of two", "sent"]
    assert len(found(saver, thread(name))) == len(found(saver, thread("somebody else"))) * 2
    saver.copy_thread(name, f"{name} again")
    assert saver.prune_thread(str(name), keep=1) > 0
    saver.delete_thread(name)
    assert saver.count(name) == 0
    assert saver.count("somebody else") > 0


@pytest.mark.parametrize(("name", "problem"), [("a\x00b", "NUL"), ("a\ud83d", "surrogate")])
def test_a_thread_id_that_cannot_be_kept_is_refused_before_anything_is_written(
    saver: CheckpointSaver, name: str, problem: str
) -> None:
    refused = pytest.raises(InvalidInputError, match=f"{problem}.*Choose another")
    address = thread(name, checkpoint_ns="", checkpoint_id="1")
    for call in (
        lambda: agent_on(saver).invoke({"seen": ["one"]}, thread(name)),
        lambda: saver.get_tuple(thread(name)),
        lambda: found(saver, thread(name)),
        lambda: put(saver, {}, name=name),
        lambda: saver.put_writes(address, [("seen", 1)], "task"),
        lambda: saver.copy_thread("t", name),
    ):
        with refused:
            call()
    assert found(saver) == []


def test_a_run_without_a_thread_id_is_told_to_name_one(saver: CheckpointSaver) -> None:
    with pytest.raises(InvalidInputError, match="no thread id.*configurable"):
        saver.get_tuple({"configurable": {}})
