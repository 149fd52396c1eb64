"""Serve a script from a shell: ``python -m langgraph_memory.testing.openai_server``."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.testing.openai_server import OpenAIServer, read_answers


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a script from a file until SIGTERM or Ctrl-C; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m langgraph_memory.testing.openai_server",
        description="Serve scripted answers over OpenAI's HTTP API on 127.0.0.1.",
    )
    parser.add_argument("--answers", type=Path, required=True, help="a JSON list of answers")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--model", default="scripted", help="the name that /v1/models lists")
    given = parser.parse_args(arguments)
    stopped = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    try:
        answers = read_answers(given.answers)
        with OpenAIServer(answers, port=given.port, model=given.model) as server:
            print(server.base_url, flush=True)
            stopped.wait()
    except (InvalidSettingError, OSError) as exc:
        parser.error(str(exc))
    return 0


if __name__ == "__main__":
    sys.exit(main())
