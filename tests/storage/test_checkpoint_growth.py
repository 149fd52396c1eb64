"""A conversation that is pruned each turn stays small, stays fast, and can always go on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.storage.checkpoints import CheckpointSaver

NODES = ("capture", "retrieve", "validate", "respond", "consolidate")
TEXT = ("The launch moved to Monday and Lina owns the deployment now. " * 9)[:500]
KEEP = 20
MB = 1_000_000


def last_forty(state: list[AnyMessage], new: list[AnyMessage]) -> list[AnyMessage]:
    return [*state, *new][-40:]


def concatenate(state: list[str], writes: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for write in writes for item in write)]


class Talk(TypedDict):
    messages: Annotated[list[AnyMessage], last_forty]
    story: dict[str, Any]


class Asked(TypedDict):
    seen: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=7)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def thread(name: str = "t", **more: Any) -> Any:
    return {"configurable": {"thread_id": name, **more}}


def talk(saver: CheckpointSaver) -> Any:
    """Return a graph of five nodes that answers and keeps the last forty messages."""
    builder: Any = StateGraph(Talk)
    for name in NODES:
        builder.add_node(name, lambda state, name=name: {"story": {"node": name}})
    builder.add_node("answer", lambda state: {"messages": [AIMessage(f"{TEXT} yes")]})
    builder.add_edge(START, NODES[0])
    for before, after in pairwise((*NODES, "answer")):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=saver)


def asking(saver: CheckpointSaver) -> Any:
    """Return a graph that asks back when the last word is "ask", inside a subgraph."""

    def ask(state: Asked) -> dict[str, list[str]]:
        return {"seen": [str(interrupt("sure?")) if state["seen"][-1] == "ask" else "fine"]}

    inner: Any = StateGraph(Asked)
    inner.add_node("ask", ask)
    inner.add_edge(START, "ask")
    outer: Any = StateGraph(Asked)
    outer.add_node(
        "inner", lambda state, run=inner.compile(): {"seen": run.invoke(state)["seen"][-1:]}
    )
    outer.add_edge(START, "inner")
    return outer.compile(checkpointer=saver)


def size(path: Path) -> int:
    return sum(each.stat().st_size for each in path.parent.iterdir())


# --- Growth -------------------------------------------------------------------------------


def test_four_hundred_turns_stay_small_and_as_fast_as_the_first(path: Path) -> None:
    turns, prunings, idle, largest, logged = [], [], [], 0, 0
    with CheckpointSaver.open(path) as saver:
        agent = talk(saver)
        for turn in range(400):
            started = time.process_time()  # a turn is compared with turns on a busy machine
            agent.invoke({"messages": [HumanMessage(f"{TEXT} {turn}")]}, thread())
            turns.append(time.process_time() - started)
            answered = time.perf_counter()
            saver.prune_thread("t", keep=KEEP)
            pruned = time.perf_counter()
            assert saver.prune_thread("t", keep=KEEP) == 0
            prunings.append(pruned - answered)
            idle.append(time.perf_counter() - pruned)
            largest = max(largest, size(path))
            logged = max(logged, path.with_name(f"{path.name}-wal").stat().st_size)
        assert len(agent.get_state(thread()).values["messages"]) == 40
    early, late = median(turns[30:130]), median(turns[-100:])
    print(
        f"400 turns: {path.stat().st_size / MB:.1f} MB, {largest / MB:.1f} MB at most with its "
        f"log; turn {1000 * early:.1f} ms early, {1000 * late:.1f} ms late; pruning "
        f"{1000 * median(prunings):.2f} ms, {1000 * median(idle):.3f} ms with nothing to do"
    )
    assert largest < 40 * MB
    assert path.stat().st_size < 4 * MB
    assert logged < 17 * MB  # SQLite folds it every thousand pages
    assert late < 1.5 * early
    assert median(prunings) < 0.010  # 2 ms where nothing else runs
    assert median(idle) < 0.002  # 0.06 ms


def test_freed_pages_are_used_again(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = talk(saver)
        pages = []
        for turn in range(60):
            agent.invoke({"messages": [HumanMessage(f"{TEXT} {turn}")]}, thread())
            saver.prune_thread("t", keep=KEEP)
            pages.append(saver.conn.execute("PRAGMA page_count").fetchone()[0])
        assert pages[-1] <= pages[30] + 4  # a page more or less, as writes fall


def test_pruning_tells_how_many_went_and_keeps_the_newest(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = talk(saver)
        agent.invoke({"messages": [HumanMessage("hello")]}, thread())
        before = [each.checkpoint["id"] for each in saver.list(thread())]
        assert saver.prune_thread("t", keep=3) == len(before) - 3
        assert [each.checkpoint["id"] for each in saver.list(thread())] == before[:3]
        assert saver.prune_thread("nobody", keep=1) == 0


@pytest.mark.parametrize("keep", [0, -1])
def test_keeping_nothing_is_refused(path: Path, keep: int) -> None:
    with CheckpointSaver.open(path) as saver, pytest.raises(InvalidSettingError, match="at least"):
        saver.prune_thread("t", keep=keep)


async def test_pruning_has_an_async_twin(path: Path) -> None:
    async with CheckpointSaver.open(path) as saver:
        await talk(saver).ainvoke({"messages": [HumanMessage("hello")]}, thread())
        assert await saver.aprune_thread("t", keep=2) > 0
        assert await saver.aprune_thread("t", keep=2) == 0


# --- What must stay -----------------------------------------------------------------------


@pytest.mark.parametrize("keep", [1, 2, 5])
def test_state_kept_as_differences_is_whole_after_each_turn(path: Path, keep: int) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = asking(saver)
        for turn in range(40):
            agent.invoke({"seen": [f"in{turn}"]}, thread())
            saver.prune_thread("t", keep=keep)
            assert len(agent.get_state(thread()).values["seen"]) == 2 * (turn + 1)
        assert saver.count("t") < 60


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_question_that_waits_is_answered_after_pruning(path: Path, durability: Any) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = asking(saver)
        agent.invoke({"seen": ["ask"]}, thread(), durability=durability)
        saver.prune_thread("t", keep=1)
        done = agent.invoke(Command(resume="yes"), thread(), durability=durability)
        assert done["seen"] == ["ask", "yes"]


def test_a_question_on_a_branch_left_behind_can_still_be_answered(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = asking(saver)
        agent.invoke({"seen": ["go"]}, thread())
        start = agent.get_state(thread()).config
        agent.invoke({"seen": ["ask"]}, thread())
        waiting = agent.get_state(thread()).config
        for turn in range(6):  # back in time, and on from there
            start = {"configurable": start["configurable"]}
            agent.invoke({"seen": [f"other{turn}"]}, start if turn == 0 else thread())
            saver.prune_thread("t", keep=2)
        assert agent.get_state(waiting).values["seen"] == ["go", "fine", "ask"]
        done = agent.invoke(Command(resume="yes"), waiting)
        assert done["seen"] == ["go", "fine", "ask", "yes"]


def test_questions_that_were_passed_over_do_not_pile_up(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = asking(saver)
        counts = []
        for _ in range(60):  # asked back each time, and each time told something else
            agent.invoke({"seen": ["ask"]}, thread())
            saver.prune_thread("t", keep=2)
            counts.append(saver.count("t"))
        assert max(counts) < 100  # seven turns, as far as the differences reach back


def test_a_finished_branch_left_behind_goes_like_everything_old(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = talk(saver)
        agent.invoke({"messages": [HumanMessage("one")]}, thread())
        start = agent.get_state(thread()).config
        agent.invoke({"messages": [HumanMessage("left behind")]}, thread())
        left = agent.get_state(thread()).config
        agent.invoke({"messages": [HumanMessage("two")]}, start)
        saver.prune_thread("t", keep=3)
        assert saver.count("t") > 0
        assert saver.get_tuple(left) is None


def test_writes_that_arrive_after_their_checkpoint_was_pruned_go_next_time(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        base: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        first = saver.put(base, empty_checkpoint(), {}, {})
        saver.put(first, empty_checkpoint(), {}, {})
        newest = saver.get_tuple(thread())
        assert newest is not None
        saver.prune_thread("t", keep=1)
        saver.put_writes(first, [("seen", "late")], "task")
        early: Any = {"configurable": {**newest.config["configurable"], "checkpoint_id": "2"}}
        saver.put_writes(early, [("seen", "early")], "task")  # its checkpoint is still to come
        assert saver.count("t") == 3
        saver.prune_thread("t", keep=1)
        assert saver.count("t") == 2
        assert saver.prune_thread("t", keep=1) == 0


def test_pruning_one_thread_leaves_every_other_alone(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = talk(saver)
        for name in ("t", "t2"):
            agent.invoke({"messages": [HumanMessage("hello")]}, thread(name))
        before = saver.count("t2")
        saver.prune_thread("t", keep=1)
        assert saver.count("t2") == before
