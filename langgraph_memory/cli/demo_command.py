"""demo: the main job on real input, from start to finish, in under a minute."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from langgraph_memory.cli.common import HomeOption, err, say
from langgraph_memory.cli.demo import crash, launch, talks
from langgraph_memory.cli.demo.checks import Checks, title
from langgraph_memory.home import open_memory
from langgraph_memory.models.offline import NAME
from langgraph_memory.wiring import Settings, choose_model

BENCH = Path("..") / "shared" / "bench" / "locomo"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    bench: Annotated[
        Path, typer.Option(help="A folder with LoCoMo's conversations.jsonl and questions.jsonl.")
    ] = BENCH,
    home: HomeOption = None,
) -> None:
    """Show the main job: a story that changes, a real conversation, a killed process.

    Works in a home of its own unless --home names one. Exit code 1 if a check fails.
    """
    started = time.perf_counter()
    model = choose_model(Settings.load()).name
    say(f"Answering: {model}.")
    if model != NAME:
        err.print("The checks expect quotations; a model may put things in its own words.")
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="langgraph-memory-") as folder:
        path = home or Path(folder) / "home"
        with open_memory(path) as open_home:
            launch.run(open_home, checks)
            talks.run(open_home, checks, bench)
        crash.run(path, checks)
    seconds = time.perf_counter() - started
    title(f"{checks.passed} checks passed, {len(checks.failed)} failed, in {seconds:.1f} s.")
    if checks.failed:
        raise typer.Exit(1)
