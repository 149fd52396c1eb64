"""Part 3: killed in the middle of a turn, started again, resumed: one turn, not two."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.cli.common import say
from langgraph_memory.cli.demo.checks import Checks, title
from langgraph_memory.cli.demo.launch import TENANT, USER
from langgraph_memory.cli.talk import Talk
from langgraph_memory.home import open_memory

THREAD = "interrupted"
QUESTION = "Who owns deployment?"
_PAUSED = "paused after retrieve"


def run(path: Path, checks: Checks) -> None:
    """Start a turn in a process of its own, kill it half way, and finish the turn here."""
    title("3. A process killed in the middle of a turn")
    child = subprocess.Popen(
        [sys.executable, "-m", "langgraph_memory.cli.demo.crash", str(path)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    line = child.stdout.readline().strip()
    child.kill()
    child.wait()
    say(f"  the process was {line or 'not ready'}, then killed (signal {-child.returncode})")
    checks.that(child.returncode == -signal.SIGKILL, "it died without a chance to tidy up")
    child.stdout.close()
    _finish(path, checks)


def _finish(path: Path, checks: Checks) -> None:
    with open_memory(path) as home:
        me = home.memory.scope(tenant=TENANT, user=USER)
        talk = Talk(home, me, THREAD)
        before = me.transcript(THREAD)
        checks.that([each.role for each in before] == ["user"], "the question was on record")
        finished = talk.resume()
        checks.that(finished is not None, "the turn could be resumed")
        say(f"  > {QUESTION}\n    {finished.answer if finished else ''}")
        checks.that(talk.resume() is None, "a second resume finds nothing to do")
        roles = [each.role for each in me.transcript(THREAD)]
        checks.that(roles == ["user", "assistant"], "one turn stands in the transcript, not two")


def _begin(path: Path) -> None:
    """Run a turn as far as its retrieval, say so, and wait to be killed."""
    with open_memory(path) as home:
        me = home.memory.scope(tenant=TENANT, user=USER)
        config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
        steps = home.agent().stream(
            {"messages": [HumanMessage(QUESTION)]}, config, context=me.context(),
            stream_mode="updates", durability="sync",
        )  # fmt: skip
        for step in steps:
            if "retrieve" in step:
                sys.stdout.write(_PAUSED + "\n")
                sys.stdout.flush()
                sys.stdin.read()


if __name__ == "__main__":
    _begin(Path(sys.argv[1]))
