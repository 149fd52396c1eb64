"""Killed at any node, a turn is resumed as one turn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig

from langgraph_memory import open_memory

_CHILD = """
import sys
from langgraph_memory import open_memory
path, node = sys.argv[1:]
with open_memory(path) as home:
    me = home.memory.scope(tenant="t", user="u")
    me.remember("Lina owns deployment", key="owner")
    steps = home.agent().stream(
        {"messages": [("user", "Remember that Tom tests. Who owns deployment?"
                               if node == "capture" else "Who owns deployment?")]},
        {"configurable": {"thread_id": "x"}}, context=me.context(),
        stream_mode="updates", durability="sync")
    for step in steps:
        if node in step:
            print("reached", flush=True)
            sys.stdin.read()
"""


@pytest.mark.parametrize("node", ["capture", "retrieve", "validate", "respond", "consolidate"])
def test_a_turn_killed_after_a_node_is_finished_once(tmp_path: Path, node: str) -> None:
    """R6, R70, B31: one question, one answer, one memory, whichever node it died after."""
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(tmp_path / "home"), node],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == "reached\n"
    child.kill()
    child.wait()
    child.stdout.close()
    child.stdin.close()
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="t", user="u")
        agent = home.agent()
        config: RunnableConfig = {"configurable": {"thread_id": "x"}}
        if agent.get_state(config).next:
            agent.invoke(None, config, context=me.context())
        assert [each.role for each in me.transcript("x")] == ["user", "assistant"]
        messages = agent.get_state(config).values["messages"]
        assert [each.type for each in messages] == ["human", "ai"]
        home.memory.work_off()
        assert me.contents().total <= 2
