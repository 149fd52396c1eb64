"""LangGraph's development server, started as docs/server.md says, in a copy of what it reads.

Nothing here lets blocking calls through: the server's own detector is on, and its log shows
what it found.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import URLError
from urllib.request import urlopen

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

ROOT = Path(__file__).resolve().parents[2]
AGENT, BACKGROUND = "memory_agent", "consolidate"
Seen = TypeVar("Seen")


class NotStartedError(Exception):
    """The server ended before it answered; the message is its log."""


@dataclass
class Place:
    """The folder a server is started in.

    Attributes:
        folder: Holds ``langgraph.json``, ``graphs``, the home and the server's own files.
        variables: What is set in its environment.
    """

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @classmethod
    def made(cls, folder: Path, *, auth: str = "", **variables: str) -> Place:
        """Copy what the server reads; ``auth`` is the source of an ``auth.py``."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(ROOT / "graphs", folder / "graphs")
        told = json.loads((ROOT / "langgraph.json").read_text())
        if auth:
            (folder / "auth.py").write_text(auth)
            told["auth"] = {"path": "./auth.py:auth", "disable_studio_auth": True}
        (folder / "langgraph.json").write_text(json.dumps(told))
        return cls(folder, variables)

    @property
    def home(self) -> Path:
        """The memory home."""
        return self.folder / "home"

    @property
    def log(self) -> Path:
        """What the servers here have printed, one after the other."""
        return self.folder / "log.txt"

    def environment(self) -> dict[str, str]:
        """Return the environment: nobody's settings but those of this place."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MEMORY_", "OPENAI_", "LANGSMITH_", "LANGGRAPH_"))
        }
        return kept | {
            "MEMORY_HOME": str(self.home),
            "LANGSMITH_TRACING": "false",
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            "NO_COLOR": "1",
            "no_proxy": "*",
            **self.variables,
        }

    def command(self, port: int) -> list[str]:
        """Return the command that starts the server here."""
        program = str(Path(sys.executable).parent / "langgraph")
        return [program, "dev", "--no-browser", "--no-reload", "--port", str(port),
                "--n-jobs-per-worker", "4"]  # fmt: skip


@dataclass
class DevServer:
    """A running server.

    Attributes:
        place: Where it runs.
        url: Its address.
        started_in: Seconds until it answered.
    """

    place: Place
    url: str
    started_in: float

    def client(self, user: str | None = None) -> LangGraphClient:
        """Return a client, signed in as a user; use it in an ``async with`` block."""
        headers = {"authorization": f"Bearer {user}"} if user else None
        return get_client(url=self.url, headers=headers, timeout=60)


@contextmanager
def running(place: Place) -> Iterator[DevServer]:
    """Start a server at a place and stop it as Ctrl-C does.

    Raises:
        NotStartedError: It ended, or did not answer within a minute.
    """
    port = _free_port()
    url, started = f"http://127.0.0.1:{port}", time.monotonic()
    with place.log.open("a") as output:
        process = subprocess.Popen(
            place.command(port), cwd=place.folder, env=place.environment(),
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        _wait_until_up(url, process, place.log)
        yield DevServer(place, url, time.monotonic() - started)
    finally:
        process.terminate()
        process.wait(30)


def blocking_calls(place: Place) -> list[str]:
    """Return what the server said of calls that blocked its event loop."""
    lines = place.log.read_text().splitlines()
    return [line for line in lines if re.search(r"BlockingError|Blocking call", line)]


def message(text: str) -> dict[str, Any]:
    """Return the input of a run: one message of the user's."""
    return {"messages": [{"role": "user", "content": text}]}


def answer(values: Any) -> str:
    """Return the text of the last message of a state."""
    return str(values["messages"][-1]["content"])


async def until(look: Callable[[], Awaitable[Seen]], *, seconds: float = 20.0) -> Seen:
    """Look again and again until there is something to see; return it."""
    async with asyncio.timeout(seconds):
        while not (seen := await look()):  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.05)
    return seen


async def background_runs(client: LangGraphClient) -> list[Any]:
    """Return the threads of background runs that have ended, well or badly."""
    found = await client.threads.search(metadata={"graph_id": BACKGROUND})
    return [each for each in found if each["status"] in ("idle", "error") and each["values"]]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            with urlopen(f"{url}/ok", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.1)
        if process.poll() is not None:
            break
    raise NotStartedError(log.read_text()[-8000:])
