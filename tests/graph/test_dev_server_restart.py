"""What outlives LangGraph's development server, and what it says when it cannot start.

The home keeps memory, transcript and the state of threads. The server keeps its own list of
threads, runs, assistants and crons in ``.langgraph_api``, in the folder it is started in.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from dev_server import (
    AGENT,
    BACKGROUND,
    DevServer,
    NotStartedError,
    Place,
    answer,
    message,
    running,
)
from langgraph_sdk.errors import NotFoundError

JANE = {"tenant": "acme", "user": "jane.doe@example.com"}
WAITING = {**JANE, "approval": "on"}


async def _begin(server: DevServer) -> tuple[str, str]:
    """Return a thread that is done and one that waits for a decision; leave a cron, too."""
    async with server.client() as client:
        done, waiting = [str((await client.threads.create())["thread_id"]) for _ in range(2)]
        await asyncio.gather(
            client.runs.wait(
                done, AGENT, input=message("Remember that my cat is called Momo"), context=JANE
            ),
            client.runs.wait(
                waiting, AGENT, input=message("Remember that Lina owns deployment"), context=WAITING
            ),
        )
        await client.crons.create(BACKGROUND, schedule="0 0 1 1 *", input={})
    return done, waiting


async def _go_on(server: DevServer, done: str, waiting: str) -> None:
    async with server.client() as client:
        state: Any = await client.threads.get_state(done)
        assert state["values"]["captured"]["event_id"]
        assert len(await client.crons.search()) == 1
        asked, decided = await asyncio.gather(
            client.runs.wait(done, AGENT, input=message("What is my cat called?"), context=JANE),
            client.runs.wait(
                waiting, AGENT, command={"resume": {"decision": "approve"}}, context=WAITING
            ),
        )
    assert "Momo" in answer(asked)
    assert "I will remember: “Lina owns deployment”" in answer(decided)


async def _take_up_again(server: DevServer, done: str) -> None:
    """The server has lost its list: a thread is known again once it is created by its id."""
    async with server.client() as client:
        with pytest.raises(NotFoundError):
            await client.threads.get_state(done)
        await client.threads.create(thread_id=done, graph_id=AGENT)
        state: Any = await client.threads.get_state(done)
        out = await client.runs.wait(
            done, AGENT, input=message("Who owns deployment?"), context=JANE
        )
    assert "Momo" in answer(state["values"])
    assert "Lina owns deployment" in answer(out)


def test_state_memory_and_what_waits_survive_a_restart(tmp_path: Path) -> None:
    """R72: first with the server's own files, then without them."""
    place = Place.made(tmp_path / "dev")
    with running(place) as server:
        done, waiting = asyncio.run(_begin(server))
    assert _kept(place.home / "memory.sqlite", "events") == 3
    with running(place) as server:
        asyncio.run(_go_on(server, done, waiting))
    shutil.rmtree(place.folder / ".langgraph_api")
    with running(place) as server:
        asyncio.run(_take_up_again(server, done))


def _kept(file: Path, table: str) -> int:
    """Count rows; the server has closed the home, so nothing is left in the file's log."""
    assert not Path(f"{file}-wal").exists()
    with closing(sqlite3.connect(file)) as raw:
        return int(raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _colon(place: Place) -> None:
    told = place.folder / "langgraph.json"
    told.write_text(told.read_text().replace(".server.store", ".server:store"))


def _a_file(place: Place) -> None:
    place.home.write_text("not a folder")


def _nothing(place: Place) -> None:
    pass


PROBLEMS: list[tuple[str, dict[str, str], Callable[[Place], None], str]] = [
    ("colon", {}, _colon, "Could not find store 'langgraph_memory.server:store'"),
    ("key", {"MEMORY_MODEL": "openai:gpt-5-mini"}, _nothing,
     "openai:gpt-5-mini: there is no API key. Check MEMORY_MODEL, OPENAI_API_KEY"),
    ("file", {}, _a_file, "a home is a folder, and this is a file. It was left untouched."),
    ("setting", {"MEMORY_TTL_MINUTES": "soon"}, _nothing,
     "is given, and possible is a number."),
]  # fmt: skip


def test_a_server_that_cannot_start_says_why_at_the_end_of_its_log(tmp_path: Path) -> None:
    """The sentences that docs/server.md explains."""
    with ThreadPoolExecutor(len(PROBLEMS)) as pool:
        said = list(pool.map(lambda each: _said(tmp_path / each[0], *each[1:3]), PROBLEMS))
    for (_, _, _, sentence), log in zip(PROBLEMS, said, strict=True):
        assert sentence in log


def _said(folder: Path, variables: dict[str, str], spoil: Callable[[Place], None]) -> str:
    place = Place.made(folder, **variables)
    spoil(place)
    with pytest.raises(NotStartedError) as caught, running(place):
        pass
    return str(caught.value)
