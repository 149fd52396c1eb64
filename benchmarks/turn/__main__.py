"""``python -m benchmarks.turn``: time turns of both graphs in turns, print medians.

The plain graph has one node, which answers from the conversation alone, and LangGraph's own
checkpointer. The ready graph captures, retrieves, validates, answers and tidies up, embedding
included; nobody's model is waited for. What memory adds is the difference of the medians.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph

from langgraph_memory import open_memory

BAR_MILLISECONDS = 25.0
WORDS = [
    "budget", "launch", "server", "meeting", "sister", "coffee", "report", "design", "review",
    "team", "plan", "order", "invoice", "travel", "hotel", "flight", "database", "index", "garden",
    "window", "contract", "office", "kitchen", "bridge", "river",
]  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("benchmarks.turn", description=(__doc__ or "").strip())
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=100, help="of each graph")
    parser.add_argument("--strict", action="store_true", help="exit with 1 past the bar")
    return parser.parse_args()


def main() -> int:
    """Return 1 with ``--strict`` if memory adds more than the bar."""
    chosen = arguments()
    with tempfile.TemporaryDirectory(prefix="turn-benchmark-") as folder:
        ours, plain = _measured(Path(folder), chosen.records, chosen.turns)
    added = statistics.median(ours) - statistics.median(plain)
    print(f"{chosen.records:,} records, {chosen.turns} turns of each graph, milliseconds a turn")
    for name, times in (("ready graph", ours), ("plain graph", plain)):
        worst = sorted(times)[int(0.9 * len(times))]
        print(f"  {name}   median {statistics.median(times):6.1f}   90 % below {worst:6.1f}")
    print(f"  memory adds {added:.1f} (bar: {BAR_MILLISECONDS:g})")
    return bool(chosen.strict and added > BAR_MILLISECONDS)


def _measured(folder: Path, records: int, turns: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each turn; the two graphs take turns, so noise meets both."""
    with (
        open_memory(folder / "home") as home,
        SqliteSaver.from_conn_string(str(folder / "plain.sqlite")) as saver,
    ):
        me = home.memory.scope(tenant="bench", user="jane@example.com")
        for number in range(records):
            me.remember(f"Note {number}: {_words(number)}.")
        agent, plain = home.agent(), _plain(saver)
        context = me.context()
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(turns + 10):
            message = {"messages": [("user", f"What does note {number} say of {_words(number)}?")]}
            config: RunnableConfig = {"configurable": {"thread_id": str(number % 4)}}
            ours.append(_timed(partial(agent.invoke, message, config, context=context)))
            theirs.append(_timed(partial(plain.invoke, message, config)))
    return ours[10:], theirs[10:]


def _words(number: int) -> str:
    return " ".join(Random(number).sample(WORDS, 4))


def _plain(saver: SqliteSaver) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("answer", lambda state: {"messages": [AIMessage("I don't know.")]})
    graph.add_edge(START, "answer")
    return graph.compile(checkpointer=saver)


def _timed(run: Callable[[], Any]) -> float:
    started = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
