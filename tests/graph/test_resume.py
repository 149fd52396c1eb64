"""Killed at any node, before, within or after it, a turn is resumed as one turn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig

from langgraph_memory import ScopedMemory, open_memory

_CHILD = """
import os, signal, sys, threading
from langgraph_memory import open_memory
path, node, moment, said = sys.argv[1:]


def watch(frame, event, argument):
    code = frame.f_code
    if code.co_name == node and code.co_filename.endswith(f"nodes/{node}.py") and event == moment:
        os.kill(os.getpid(), signal.SIGKILL)

with open_memory(path) as home:
    me = home.memory.scope(tenant="t", user="u")
    me.remember("Lina owns deployment", key="owner")
    agent = home.agent()
    if moment in ("call", "return"):
        threading.setprofile(watch)
        sys.setprofile(watch)
    steps = agent.stream(
        {"messages": [("user", said)]}, {"configurable": {"thread_id": "x"}},
        context=me.context(), stream_mode="updates")
    for step in steps:
        if node in step and moment == "after":
            os.kill(os.getpid(), signal.SIGKILL)
print("not killed")
"""
_FILES = {"validate": "retrieve"}
NODES = ["capture", "retrieve", "validate", "respond", "consolidate"]


def killed(folder: Path, node: str, moment: str, said: str) -> None:
    """Run a turn in a process that dies at a node."""
    child = _CHILD.replace('f"nodes/{node}.py"', repr(f"nodes/{_FILES.get(node, node)}.py"))
    done = subprocess.run(
        [sys.executable, "-c", child, str(folder), node, moment, said],
        stdout=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == -9, done.stdout


def resumed(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """Finish the turn; return who spoke, in state and in the transcript, and what is known."""
    with open_memory(folder) as home:
        me = home.memory.scope(tenant="t", user="u")
        agent = home.agent()
        config: RunnableConfig = {"configurable": {"thread_id": "x"}}
        if agent.get_state(config).next:
            agent.invoke(None, config, context=me.context())
        home.memory.work_off()
        assert home.memory.verify().whole
        messages = agent.get_state(config).values["messages"]
        return (
            [each.type for each in messages],
            [each.role for each in me.transcript("x")],
            contents(me),
        )


def contents(me: ScopedMemory) -> list[str]:
    return sorted(str((each.record.head.value or {})["content"]) for each in me.contents().records)


@pytest.mark.parametrize("node", NODES)
@pytest.mark.parametrize("moment", ["call", "return", "after"])
def test_a_turn_killed_at_a_node_is_finished_once(tmp_path: Path, node: str, moment: str) -> None:
    """R6, R70, B31: one question, one answer, whenever it died."""
    killed(tmp_path / "home", node, moment, "Who owns deployment?")
    spoke, said, known = resumed(tmp_path / "home")
    assert spoke == ["human", "ai"]
    assert said == ["user", "assistant"]
    assert known == ["Lina owns deployment"]


@pytest.mark.parametrize(
    ("node", "moment"),
    [("capture", "return"), ("respond", "return"), ("respond", "after"), ("consolidate", "call"),
     ("consolidate", "return")],
)  # fmt: skip
@pytest.mark.parametrize("words", ["Who owns deployment?", "Remember that Tom tests"])
def test_the_same_words_again_after_a_death_are_the_same_turn(
    tmp_path: Path, node: str, moment: str, words: str
) -> None:
    """R6: without an id, too, and also where the answer stood and only the end was missing."""
    killed(tmp_path / "home", node, moment, words)
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="t", user="u")
        agent = home.agent()
        config: RunnableConfig = {"configurable": {"thread_id": "x"}}
        out = agent.invoke({"messages": [("user", words)]}, config, context=me.context())
        assert [each.type for each in out["messages"]] == ["human", "ai"]
        assert [each.role for each in me.transcript("x")] == ["user", "assistant"]
        assert out["run_state"]["budgets"]["turns"] == 1
        assert out["run_state"]["status"] == "done"
        # Said once more after an end, it is said once more.
        out = agent.invoke({"messages": [("user", words)]}, config, context=me.context())
        assert [each.type for each in out["messages"]] == ["human", "ai"] * 2
        assert out["run_state"]["budgets"]["turns"] == 2


def test_other_words_after_a_death_are_another_turn(tmp_path: Path) -> None:
    """The one before counts all the same: its answer stands."""
    killed(tmp_path / "home", "consolidate", "call", "Who owns deployment?")
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="t", user="u")
        config: RunnableConfig = {"configurable": {"thread_id": "x"}}
        out = home.agent().invoke(
            {"messages": [("user", "Who tests?")]}, config, context=me.context()
        )
        assert [each.type for each in out["messages"]] == ["human", "ai"] * 2
        assert out["run_state"]["budgets"]["turns"] == 2


@pytest.mark.parametrize("moment", ["call", "return", "after"])
@pytest.mark.parametrize("node", ["capture", "respond"])
def test_an_order_killed_at_a_node_is_carried_out_once(
    tmp_path: Path, node: str, moment: str
) -> None:
    """R6: one memory, with one version."""
    killed(tmp_path / "home", node, moment, "Remember that Tom tests")
    spoke, said, known = resumed(tmp_path / "home")
    assert (spoke, said) == (["human", "ai"], ["user", "assistant"])
    assert known == ["Lina owns deployment", "Tom tests"]
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="t", user="u")
        assert me.inspect("Tom tests").record.head.number == 1


def test_going_back_in_time_answers_from_what_holds_now(tmp_path: Path) -> None:
    """R70: a fork is a turn of its own; the old answer stays in the transcript."""
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="t", user="u")
        agent = home.agent()
        config: RunnableConfig = {"configurable": {"thread_id": "x"}}
        me.remember("The launch is on Friday", key="launch")
        agent.invoke({"messages": [("user", "When is the launch?")]}, config, context=me.context())
        before = next(
            each for each in agent.get_state_history(config) if each.next == ("retrieve",)
        )
        me.remember("The launch is on Monday", key="launch")
        out = agent.invoke(None, before.config, context=me.context())
        assert "Monday" in out["messages"][-1].text
        assert [each.type for each in out["messages"]] == ["human", "ai"]
        assert [each.role for each in me.transcript("x")] == ["user", "assistant", "assistant"]
        again = agent.invoke(None, before.config, context=me.context())
        assert again["messages"][-1].text == out["messages"][-1].text
