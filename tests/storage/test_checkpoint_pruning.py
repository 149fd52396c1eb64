"""Removing run state: what goes, and what must stay for the rest to be read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Annotated, Any

import pytest
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from langgraph_memory.errors import ConflictError, InvalidSettingError
from langgraph_memory.storage.checkpoints import CheckpointSaver

NODES = ("capture", "retrieve", "validate", "respond", "consolidate")


def concatenate(state: list[str], writes: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for write in writes for item in write)]


def newest(state: list[str], write: list[str]) -> list[str]:
    return [*state, *write][-8:]


class Plain(TypedDict):
    seen: Annotated[list[str], add]


class Tail(TypedDict):
    seen: Annotated[list[str], newest]


class Single(TypedDict):
    seen: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=1)]
    turn: int


class Delta(TypedDict):
    seen: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=7)]
    rare: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=7)]
    unused: Annotated[list[str], DeltaChannel(concatenate)]
    turn: int


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def thread(name: str, **more: Any) -> Any:
    return {"configurable": {"thread_id": name}, **more}


def chain(saver: SqliteSaver, state: type, *, text: str = "") -> Any:
    """Return a graph of five nodes that each note that they ran."""
    builder: Any = StateGraph(state)
    for name in NODES:
        builder.add_node(name, lambda _, name=name: {"seen": [f"{name} {text}"]})
    builder.add_edge(START, NODES[0])
    for before, after in pairwise(NODES):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=saver)


def delta(saver: SqliteSaver, state: Any = Delta) -> Any:
    """Return a graph whose state is kept as differences; one channel moves now and then."""
    builder: Any = StateGraph(state)

    def note(state: Any) -> dict[str, list[str]]:
        turn = state["turn"]
        return {"seen": [f"s{turn}"]} | ({"rare": [f"r{turn}"]} if turn % 5 == 0 else {})

    builder.add_node("note", note)
    builder.add_edge(START, "note")
    return builder.compile(checkpointer=saver)


def nested(saver: SqliteSaver) -> Any:
    """Return a graph that runs another one as a task; it asks back when told to."""
    inner = StateGraph(Plain)
    inner.add_node("ask", lambda state: {"seen": [_answer(state)]})
    inner.add_edge(START, "ask")
    outer = StateGraph(Plain)
    outer.add_node("inner", inner.compile())
    outer.add_edge(START, "inner")
    return outer.compile(checkpointer=saver)


def _answer(state: Plain) -> str:
    return str(interrupt("sure?")) if state["seen"][-1] == "ask" else "fine"


# --- Pruning ----------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [1, 3])
def test_the_newest_checkpoints_stay_with_their_state(path: Path, keep: int) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = chain(saver, Plain)
        agent.invoke({"seen": ["hello"]}, thread("t"))
        before = list(agent.get_state_history(thread("t"), limit=keep))
        saver.prune(["t"], keep=keep)
        assert [state.values for state in agent.get_state_history(thread("t"))] == [
            state.values for state in before
        ]
        agent.invoke({"seen": ["again"]}, thread("t"))
        assert len(agent.get_state(thread("t")).values["seen"]) == 12


@pytest.mark.parametrize("keep", [1, 3])
def test_a_thread_pruned_each_turn_rebuilds_its_delta_channels(path: Path, keep: int) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver)
        for turn in range(40):
            for name in ("pruned", "whole"):
                agent.invoke({"seen": [f"in{turn}"], "turn": turn}, thread(name))
            saver.prune(["pruned"], keep=keep)
            pruned, whole = (agent.get_state(thread(name)) for name in ("pruned", "whole"))
            assert pruned.values == whole.values
        kept = len(list(saver.list(thread("pruned"))))
        assert kept < 30 < 100 < len(list(saver.list(thread("whole"))))


def test_a_chain_of_checkpoints_that_bites_its_tail_is_walked_once(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        first, second = empty_checkpoint(), empty_checkpoint()
        moved: Any = {"source": "loop", "counters_since_delta_snapshot": {"seen": [1, 1]}}
        for checkpoint, parent in ((first, None), (second, first), (first, second)):
            address = {"thread_id": "t", "checkpoint_ns": ""}
            if parent is not None:
                address["checkpoint_id"] = parent["id"]
            checkpoint["channel_versions"] = {"seen": "1"}
            saver.put({"configurable": address}, checkpoint, moved, {})
        saver.prune(["t"])
        assert saver.count("t") == 2


def test_a_delta_channel_that_was_never_written_keeps_nothing_alive(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver)
        kept = []
        for _ in range(20):
            agent.invoke({"seen": [], "turn": 1}, thread("t"))
            saver.prune(["t"])
            kept.append(len(list(saver.list(thread("t")))))
        assert max(kept) < 12  # 7 updates between snapshots; 2 updates, 3 checkpoints a turn


def test_a_state_set_back_by_hand_survives_pruning(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver)
        for turn in range(9):
            agent.invoke({"seen": [], "turn": turn}, thread("t"))
        older = list(agent.get_state_history(thread("t")))[4]
        agent.update_state(older.config, {"seen": ["by hand"]})
        before = agent.get_state(thread("t")).values
        saver.prune(["t"])
        assert agent.get_state(thread("t")).values == before
        assert before["seen"][-1] == "by hand"


FORGET = """
    UPDATE checkpoints
    SET metadata = CAST(json_remove(CAST(metadata AS TEXT), :note) AS BLOB)
    WHERE json_extract(CAST(metadata AS TEXT), '$.source') = 'update'
"""


@pytest.mark.parametrize("changes", [1, 2])
@pytest.mark.parametrize(("state", "turns"), [(Single, 1), *((Delta, n) for n in range(1, 9))])
def test_a_state_changed_by_hand_in_an_older_release_survives_pruning(
    path: Path, state: Any, turns: int, changes: int
) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver, state)
        for turn in range(turns):
            agent.invoke({"seen": [], "turn": turn + 1}, thread("t"))
        for _ in range(changes):
            agent.update_state(thread("t"), {"seen": ["by hand"]})
        with saver.cursor() as cursor:
            note = "$.counters_since_delta_snapshot"  # which LangGraph 1.2.0 did not leave
            cursor.execute(FORGET, {"note": note})
        before = agent.get_state(thread("t")).values
        for _ in range(3):  # the first leaves less to go by for the next
            saver.prune(["t"])
            assert agent.get_state(thread("t")).values == before


def test_namespaces_of_finished_tasks_go_and_the_count_stays_level(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = nested(saver)
        counts = []
        for _ in range(6):
            agent.invoke({"seen": ["go"]}, thread("t"))
            saver.prune(["t"])
            counts.append(saver.count("t"))
        assert len(set(counts)) == 1


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_task_that_waits_for_an_answer_resumes_after_pruning(path: Path, durability: Any) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = nested(saver)
        agent.invoke({"seen": ["go"]}, thread("t"), durability=durability)
        agent.invoke({"seen": ["ask"]}, thread("t"), durability=durability)
        saver.prune(["t"])
        state = agent.get_state(thread("t"), subgraphs=True)
        assert state.tasks[0].state.next == ("ask",)
        done = agent.invoke(Command(resume="yes"), thread("t"), durability=durability)
        assert done["seen"][-1] == "yes"


def test_a_task_whose_checkpoint_is_still_being_written_is_spared(path: Path) -> None:
    def put(checkpoint: Any, namespace: str = "", **parents: str) -> None:
        config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": namespace}}
        saver.put(config, checkpoint, {"parents": parents and {"": parents["root"]}}, {})

    first, second = empty_checkpoint(), empty_checkpoint()
    with CheckpointSaver.open(path) as saver:
        put(first)
        put(empty_checkpoint(), "inner:1", root=first["id"])
        put(empty_checkpoint(), "inner:2", root=second["id"])
        saver.prune(["t"])
        assert saver.count("t") == 3
        put(second)
        saver.prune(["t"])
        assert {found.config["configurable"]["checkpoint_ns"] for found in saver.list(None)} == {
            "",
            "inner:2",
        }


def test_pruning_to_nothing_removes_the_threads_and_no_other(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = chain(saver, Plain)
        for name in ("a", "b", "c"):
            agent.invoke({"seen": []}, thread(name))
        others = saver.count("c")
        saver.prune(["a", "b"], strategy="delete")
        assert [saver.count(name) for name in ("a", "b", "c")] == [0, 0, others]


@pytest.mark.parametrize("wrong", [{"strategy": "oldest"}, {"keep": 0}])
def test_an_impossible_pruning_is_refused(path: Path, wrong: dict[str, Any]) -> None:
    with CheckpointSaver.open(path) as saver:
        chain(saver, Plain).invoke({"seen": []}, thread("t"))
        before = saver.count("t")
        with pytest.raises(InvalidSettingError, match="must be"):
            saver.prune(["t"], **wrong)
        assert saver.count("t") == before


def test_a_thread_pruned_each_turn_stops_growing(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = chain(saver, Tail, text="x" * 2000)
        sizes = []
        for _ in range(40):
            agent.invoke({"seen": ["question"]}, thread("t"))
            saver.prune(["t"], keep=3)
            sizes.append(saver.conn.execute("PRAGMA page_count").fetchone()[0])
        assert sizes[-1] == max(sizes[:10])


# --- Deleting and copying ---------------------------------------------------------------


def test_deleting_a_thread_removes_its_bytes_from_every_file(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = chain(saver, Plain, text="swordfish")
        for name in ("t", "other"):
            agent.invoke({"seen": []}, thread(name))
        saver.prune(["other"], strategy="delete")
        assert saver.count("t") > 6
        saver.delete_thread("t")
        assert saver.count("t") == 0
        files = list(path.parent.iterdir())
        assert len(files) == 3
        assert saver.conn.execute("PRAGMA busy_timeout").fetchone() == (30_000,)
        assert not any(b"swordfish" in file.read_bytes() for file in files)


def test_deleting_a_run_spares_what_a_later_run_is_rebuilt_from(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver)
        for turn, run in enumerate(("one", "two", "three")):
            config = thread("t", metadata={"run_id": run})
            agent.invoke({"seen": [f"in{turn}"], "turn": turn}, config)
        before = agent.get_state(thread("t")).values
        saver.delete_for_runs(["one"])
        assert agent.get_state(thread("t")).values == before
        saver.delete_for_runs(["three"])
        assert agent.get_state(thread("t")).values["seen"] == ["in0", "s0", "in1", "s1"]
        runs = {found.metadata.get("run_id") for found in saver.list(thread("t"))}
        assert runs == {"one", "two"}


def test_deleting_a_run_finds_it_in_metadata_that_is_not_strict_json(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        for run in ("gone", 'go"ne é', "kept"):
            config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
            metadata: Any = {"run_id": run, "score": float("nan"), "after": "gone"}
            saver.put(config, empty_checkpoint(), metadata, {})
        saver.delete_for_runs(["gone", 'go"ne é'])
        assert [found.metadata["run_id"] for found in saver.list(thread("t"))] == ["kept"]


def writes(saver: CheckpointSaver, thread_id: str) -> list[Any]:
    with saver.cursor(transaction=False) as cursor:
        rows = cursor.execute(
            "SELECT * FROM writes WHERE thread_id = ? ORDER BY checkpoint_id, task_id, idx",
            (thread_id,),
        )
        return [row[1:] for row in rows]


def test_a_copy_carries_on_by_itself(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = delta(saver)
        for turn in range(5):
            metadata = {"owner": "me"}
            agent.invoke({"seen": [], "turn": turn}, thread("t", metadata=metadata))
        before = agent.get_state(thread("t")).values
        saver.copy_thread("t", "copy")
        assert writes(saver, "copy") == writes(saver, "t")
        agent.invoke({"seen": ["more"], "turn": 5}, thread("copy"))
        assert agent.get_state(thread("t")).values == before
        assert agent.get_state(thread("copy")).values["seen"] == [*before["seen"], "more", "s5"]


def test_a_copy_names_the_new_thread_where_metadata_names_the_old(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        metadata: Any = {"thread_id": "t", "step": 3}
        saver.put(config, empty_checkpoint(), metadata, {})
        saver.copy_thread("t", "copy")
        found = saver.get_tuple(thread("copy"))
        assert found is not None
        assert found.metadata == {"thread_id": "copy", "step": 3}


def test_two_histories_are_never_mixed(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        agent = chain(saver, Plain)
        for name in ("a", "b"):
            agent.invoke({"seen": [name]}, thread(name))
        before = saver.count("b")
        with pytest.raises(ConflictError, match="'b' is not empty"):
            saver.copy_thread("a", "b")
        assert saver.count("b") == before
