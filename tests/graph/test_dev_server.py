"""LangGraph's development server opens the project's graph with our store and checkpointer."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from langgraph_sdk import get_client

ROOT = Path(__file__).resolve().parents[2]
JANE = {"tenant": "acme", "user": "jane.doe@example.com"}
ASSISTANT = "memory_agent"


@dataclass
class Server:
    """A running development server."""

    url: str
    home: Path
    log: Path
    started_in: float


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(home: Path) -> dict[str, str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("MEMORY_", "OPENAI_"))
    }
    return kept | {
        "MEMORY_HOME": str(home),
        "MEMORY_TTL_MINUTES": "600",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "no_proxy": "*",
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, started as README says, in a copy of what it reads."""
    folder = tmp_path_factory.mktemp("dev")
    shutil.copytree(ROOT / "graphs", folder / "graphs")
    shutil.copy(ROOT / "langgraph.json", folder)
    port, log = _free_port(), folder / "log.txt"
    command = [str(Path(sys.executable).parent / "langgraph"), "dev", "--no-browser", "--no-reload",
               "--port", str(port), "--n-jobs-per-worker", "4"]  # fmt: skip
    started = time.monotonic()
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=folder, env=_environment(folder / "home"),
                                   stdout=output, stderr=subprocess.STDOUT)  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url, process, log)
        yield Server(url, folder / "home", log, time.monotonic() - started)
    finally:
        process.terminate()
        process.wait(20)


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(400):
        try:
            with urlopen(f"{url}/ok", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.1)
        if process.poll() is not None:
            break
    pytest.fail(f"the server did not start:\n{log.read_text()[-3000:]}")


async def _turn(server: Server, thread_id: str, text: str, context: dict[str, Any]) -> str:
    message: Any = {"role": "user", "content": text}
    async with get_client(url=server.url) as client:
        out = await client.runs.wait(
            thread_id, ASSISTANT, input={"messages": [message]}, context=context
        )
    assert isinstance(out, dict)
    return str(out["messages"][-1]["content"])


async def _thread(server: Server) -> str:
    async with get_client(url=server.url) as client:
        created = await client.threads.create()
    return str(created["thread_id"])


def test_it_starts_offline_within_ten_seconds(server: Server) -> None:
    """R72; a busy machine is given twice the time."""
    assert server.started_in < 20


async def test_a_run_writes_a_memory_that_another_thread_recalls(server: Server) -> None:
    """R72."""
    told = await _turn(server, await _thread(server), "Remember that Lina owns deployment", JANE)
    assert "I will remember" in told
    asked = await _turn(server, await _thread(server), "Who owns deployment?", JANE)
    assert "“Lina owns deployment”" in asked
    other = {**JANE, "user": "jane_doe@example.com"}
    assert (await _turn(server, await _thread(server), "Who owns deployment?", other)).startswith(
        "I don't know."
    )


async def test_state_shows_the_story_of_a_turn(server: Server) -> None:
    """R72: captured, candidates, verdicts, evidence, usage."""
    thread_id = await _thread(server)
    await _turn(server, thread_id, "Remember that Tom tests the ovens", JANE)
    await _turn(server, thread_id, "Who tests the ovens?", JANE)
    async with get_client(url=server.url) as client:
        state = await client.threads.get_state(thread_id)
    values = state["values"]
    assert isinstance(values, dict)
    assert {"captured", "candidates", "verdicts", "evidence", "usage"} <= values.keys()
    assert values["evidence"][0]["label"] == "m1"


async def test_the_store_routes_reach_our_store(server: Server) -> None:
    async with get_client(url=server.url) as client:
        await client.store.put_item(("plain", "x"), "k", {"text": "a hello from afar"})
        item = await client.store.get_item(("plain", "x"), "k")
        found = await client.store.search_items(("plain",), query="a hello from afar")
    assert item["value"] == {"text": "a hello from afar"}
    assert found["items"][0]["key"] == "k"


async def test_the_default_lifetime_holds_over_http_where_a_client_says_none(
    server: Server,
) -> None:
    """R23: the server sends None for what was not said."""
    async with get_client(url=server.url) as client:
        await client.store.put_item(("plain", "x"), "default", {"text": "not said"})
        await client.store.put_item(("plain", "x"), "own", {"text": "said"}, ttl=5)
    with closing(sqlite3.connect(server.home / "memory.sqlite")) as raw:
        minutes = dict(raw.execute("SELECT key, ttl_minutes FROM records WHERE path = 'plain.x.'"))
    assert (minutes["default"], minutes["own"]) == (600, 5)


async def test_studio_reads_the_fields_of_the_context(server: Server) -> None:
    async with get_client(url=server.url) as client:
        [assistant] = await client.assistants.search()
        schemas = await client.assistants.get_schemas(assistant["assistant_id"])
        graph = await client.assistants.get_graph(assistant["assistant_id"])
    context = schemas["context_schema"]
    assert isinstance(context, dict)
    assert {"tenant", "user", "top_k"} <= context["properties"].keys()
    names = {str(node["id"]) for node in graph["nodes"]}
    assert {"capture", "retrieve", "validate", "respond", "consolidate"} <= names


def test_nothing_blocked_the_event_loop(server: Server) -> None:
    """B83: the server reports blocking calls as errors."""
    assert not re.search(r"BlockingError|Blocking call", server.log.read_text())
