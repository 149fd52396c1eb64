"""The checkpointer among threads, programs and event loops."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from operator import add
from pathlib import Path
from threading import Barrier, Timer
from typing import Annotated, Any

import pytest
from blockbuster import blockbuster_ctx
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from langgraph_memory.errors import ClosedError, StorageBusyError
from langgraph_memory.storage.checkpoints import CheckpointSaver

TWINS = ("get", "get_tuple", "list", "put", "put_writes", "get_delta_channel_history")
OUR_TWINS = (
    "count", "delete_thread", "delete_for_runs", "copy_thread", "prune", "prune_thread", "close",
)  # fmt: skip


class State(TypedDict):
    seen: Annotated[list[str], add]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def put(saver: SqliteSaver, thread_id: str) -> None:
    config = {"thread_id": thread_id, "checkpoint_ns": ""}
    stored = saver.put({"configurable": config}, empty_checkpoint(), {"step": 1}, {})
    saver.put_writes(stored, [("seen", "a")], "task")


def graph(saver: SqliteSaver) -> Any:
    builder = StateGraph(State)
    builder.add_node("note", lambda state: {"seen": [f"noted {len(state['seen'])}"]})
    builder.add_edge(START, "note")
    return builder.compile(checkpointer=saver)


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


# --- Sharing ----------------------------------------------------------------------------


def test_a_writer_that_waits_too_long_says_so_and_readers_do_not_wait(path: Path) -> None:
    CheckpointSaver.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with CheckpointSaver.open(path, timeout_seconds=0.1) as saver:
            assert saver.get_tuple(thread("t")) is None
            with pytest.raises(StorageBusyError, match=r"checkpoints\.sqlite.*try again"):
                put(saver, "t")
            other.execute("ROLLBACK")
            put(saver, "t")


WORKER = """
import sys
from langgraph.checkpoint.base import empty_checkpoint
from langgraph_memory.storage.checkpoints import CheckpointSaver
with CheckpointSaver.open(sys.argv[1]) as saver:
    for _ in range(200):
        config = {"configurable": {"thread_id": sys.argv[2], "checkpoint_ns": ""}}
        stored = saver.put(config, empty_checkpoint(), {"step": 1}, {})
        saver.put_writes(stored, [("seen", "a")], "task")
        saver.prune([sys.argv[2]], keep=50)
"""


def test_two_programs_create_and_fill_one_file_without_an_error(path: Path) -> None:
    command = [sys.executable, "-c", WORKER, str(path)]
    workers = [subprocess.Popen([*command, name]) for name in ("a", "b")]
    assert [worker.wait() for worker in workers] == [0, 0]
    with CheckpointSaver.open(path) as saver:
        assert (saver.count("a"), saver.count("b")) == (100, 100)


def test_eight_threads_share_one_saver_without_an_error(path: Path) -> None:
    def work(number: int) -> None:
        put(saver, f"t{number % 8}")
        put(saver, f"passing{number}")
        saver.delete_thread(f"passing{number}")

    with CheckpointSaver.open(path) as saver, ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
        assert [saver.count(f"t{number}") for number in range(8)] == [50] * 8


def test_eight_threads_open_a_new_file_at_once_without_an_error(tmp_path: Path) -> None:
    together = Barrier(8, timeout=20)

    def work(number: int) -> None:
        together.wait()
        with CheckpointSaver.open(tmp_path / f"{number // 8}.sqlite") as saver:
            put(saver, "t")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(80)))


def test_a_new_file_that_another_program_writes_to_is_waited_for(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        Timer(0.1, other.execute, ("ROLLBACK",)).start()
        with CheckpointSaver.open(path) as saver:
            put(saver, "t")


def test_two_savers_of_one_program_do_not_drop_each_others_locks(path: Path) -> None:
    with CheckpointSaver.open(path) as first:
        put(first, "t")
        CheckpointSaver.open(path).close()
        command = [sys.executable, "-c", WORKER, str(path), "other"]
        subprocess.run(command, check=True)  # the last to leave would remove the log
        put(first, "t")
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT count(*) FROM checkpoints").fetchone() == (52,)


def test_a_caller_may_write_while_it_lists(path: Path) -> None:
    with CheckpointSaver.open(path) as saver:
        for _ in range(3):
            put(saver, "t")
        for _ in saver.list(thread("t"), limit=2):
            put(saver, "t")
        assert saver.count("t") == 10


FORK = """
import os, sys
from langgraph.checkpoint.base import empty_checkpoint
from langgraph_memory.storage.checkpoints import CheckpointSaver
def put(name):
    config = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
    saver.put(config, empty_checkpoint(), {"step": 1}, {})
saver = CheckpointSaver.open(sys.argv[1])
put("before")
child = os.fork()
put("parent" if child else "child")
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
saver.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_forked_child_opens_connections_of_its_own(path: Path) -> None:
    subprocess.run([sys.executable, "-c", FORK, str(path)], check=True)
    with CheckpointSaver.open(path) as saver:
        assert [saver.count(name) for name in ("before", "parent", "child")] == [1, 1, 1]


# --- Async ------------------------------------------------------------------------------


def test_one_saver_serves_plain_calls_and_any_event_loop(path: Path) -> None:
    saver = CheckpointSaver.open(path)  # no loop is running
    agent = graph(saver)
    agent.invoke({"seen": ["hello"]}, thread("t"))
    for _ in range(2):
        asyncio.run(agent.ainvoke({"seen": ["again"]}, thread("t")))
    assert len(agent.get_state(thread("t")).values["seen"]) == 6

    async def leave() -> None:
        async with saver:
            assert await saver.acount("t") > 0

    asyncio.run(leave())
    with pytest.raises(ClosedError):
        saver.count("t")


async def test_no_async_call_blocks_the_event_loop(path: Path) -> None:
    saver = await asyncio.to_thread(CheckpointSaver.open, path)
    with blockbuster_ctx():
        with pytest.raises(Exception, match="Blocking call"):
            saver.conn.execute("SELECT 1")  # the guard is awake, for SQLite too
        agent = graph(saver)
        await agent.ainvoke({"seen": ["hello"]}, thread("t"))
        assert [found async for found in saver.alist(thread("t"), limit=1)]
        await saver.aget_delta_channel_history(config=thread("t"), channels=["seen"])
        await saver.acopy_thread("t", "copy")
        await saver.aprune(["t"], keep=1)
        await saver.adelete_for_runs(["none"])
        await saver.adelete_thread("t")
        assert await saver.acount("copy") > 0
        await saver.aclose()


@pytest.mark.parametrize("name", [*TWINS, *OUR_TWINS])
def test_every_method_has_an_async_twin_with_the_same_arguments(name: str) -> None:
    twin = getattr(CheckpointSaver, f"a{name}")
    assert twin.__name__ == f"a{name}"
    assert twin is not getattr(SqliteSaver, f"a{name}", None) or name == "get"


async def test_many_tasks_of_one_loop_write_without_an_error(path: Path) -> None:
    async with CheckpointSaver.open(path) as saver:
        agent = graph(saver)
        turns = (agent.ainvoke({"seen": []}, thread(f"t{number}")) for number in range(16))
        assert len(await asyncio.gather(*turns)) == 16
