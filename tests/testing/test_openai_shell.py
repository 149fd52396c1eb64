"""The loopback server's script from a file, and its command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import openai
import pytest
from openai_clients import SENTENCE, port_of

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.testing.openai_server import (
    Fault,
    OpenAIServer,
    Refusal,
    ToolCall,
    read_answers,
)


def test_a_file_holds_every_kind_of_answer(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    call = {"name": "recall", "arguments": {"query": "預算"}}
    entries = [
        "text",
        call,
        {"calls": [call, call]},
        {"refusal": "no"},
        {"status": 429, "retry_after": 0.5},
        {"delay": 1.5, "answer": call},
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")

    expected = ToolCall("recall", {"query": "預算"})
    assert read_answers(path) == [
        "text",
        expected,
        [expected, expected],
        Refusal("no"),
        Fault(status=429, retry_after=0.5),
        Fault(delay=1.5, answer=expected),
    ]


@pytest.mark.parametrize(
    "content", [None, "", "{}", "[1]", "[{}]", '[{"nonsense": 1}]', '[{"calls": 1}]', "[null"]
)
def test_a_file_without_a_script_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "answers.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")

    with pytest.raises(InvalidSettingError, match=r"answers\.json, which holds no script"):
        read_answers(path)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "langgraph_memory.testing.openai_server", *arguments]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True))
        return running[-1]

    yield start
    for each in running:
        each.kill()
        each.communicate()


def test_the_command_prints_its_address_and_serves_until_terminated(
    tmp_path: Path, run: Callable[..., subprocess.Popen[str]]
) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([SENTENCE]), encoding="utf-8")
    process = run("--answers", str(path), "--model", "from-a-file")
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", address)

    with openai.OpenAI(
        base_url=address, api_key="x", http_client=openai.DefaultHttpxClient(trust_env=False)
    ) as sdk:
        assert sdk.responses.create(model="m", input="When?").output_text == SENTENCE
        assert [each.id for each in sdk.models.list()] == ["from-a-file"]

    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0


def test_the_command_explains_a_bad_file_and_a_takenport_of(
    tmp_path: Path, run: Callable[..., subprocess.Popen[str]]
) -> None:
    path = tmp_path / "answers.json"
    path.write_text("[]", encoding="utf-8")
    with OpenAIServer([]) as server:
        missing = run("--answers", str(tmp_path / "absent.json"))
        taken = run("--answers", str(path), "--port", str(port_of(server)))
        for process, says in ((missing, "absent.json"), (taken, "already in use")):
            _, complaint = process.communicate(timeout=60)
            assert process.returncode == 2
            assert says in complaint
            assert "Traceback" not in complaint
