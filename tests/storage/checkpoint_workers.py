"""What other programs do with a checkpoint file in tests; run with the name of a job."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from langgraph_memory.storage.checkpoints import CheckpointSaver


def concatenate(state: list[str], writes: Sequence[list[str]]) -> list[str]:
    return [*state, *(item for write in writes for item in write)]


class Counted(TypedDict):
    seen: Annotated[list[str], DeltaChannel(concatenate, snapshot_frequency=7)]
    turn: int


def counting(saver: CheckpointSaver) -> Any:
    """Return a graph of three steps that notes each of them as a difference."""
    builder: Any = StateGraph(Counted)
    names = ("a", "b", "c")
    for name in names:
        builder.add_node(name, lambda state, name=name: {"seen": [f"{name}{state['turn']}"]})
    builder.add_edge(START, "a")
    builder.add_edge("a", "b")
    builder.add_edge("b", "c")
    return builder.compile(checkpointer=saver)


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def expected(turns: int) -> list[str]:
    """Return what the graph has noted after so many turns."""
    return [f"{name}{turn}" for turn in range(turns) for name in ("a", "b", "c")]


def write(path: Path, name: str) -> None:
    """Write forty checkpoints to a thread of its own, and one to a shared thread each time."""
    with CheckpointSaver.open(path) as saver:
        for number in range(40):
            for thread_id in (name, "shared"):
                config: Any = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
                stored = saver.put(config, empty_checkpoint(), {"step": number}, {})
                saver.put_writes(stored, [("seen", "x" * 2000)], f"task-{name}")
            saver.prune_thread(name, keep=20)


def crowd(path: Path, count: str) -> None:
    """Write as so many programs at once; each is a process that opens the file itself."""
    children = []
    for number in range(int(count)):
        child = os.fork()
        if not child:
            try:
                write(path, f"t{number}")
            except BaseException:  # noqa: BLE001  a child must not go on as the test
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    if any(os.waitpid(child, 0)[1] for child in children):
        sys.exit("a writer failed")


def turns(path: Path, name: str, count: str) -> None:
    """Run turns on a thread, pruned after each; tell how many are done."""
    with CheckpointSaver.open(path) as saver:
        agent = counting(saver)
        for turn in range(int(count)):
            done = agent.invoke({"turn": turn}, thread(name))["seen"]
            if done != expected(turn + 1):
                sys.exit(f"turn {turn}: {done[-4:]}")
            print(turn, flush=True)
            saver.prune_thread(name, keep=2)


def prune(path: Path, name: str, until: str) -> None:
    """Prune a thread without pause until a file appears."""
    with CheckpointSaver.open(path) as saver:
        while not Path(until).exists():
            saver.prune_thread(name, keep=1)


if __name__ == "__main__":
    job, where, *rest = sys.argv[1:]
    jobs: dict[str, Callable[..., None]] = {"crowd": crowd, "turns": turns, "prune": prune}
    jobs[job](Path(where), *rest)
