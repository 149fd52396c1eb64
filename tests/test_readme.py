"""The examples of README and docs/ run as they stand, and print what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_memory.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SAID = (
    ("The launch moved to Monday", "the latest of 2 statements", "shares 'launch'", "Friday",
     "nothing stored here is about this"),
    ("likes sushi from Kyoto",),
    ("I will remember: “Lina owns deployment”", "“Lina owns deployment” — you,"),
)  # fmt: skip


@pytest.mark.parametrize(("snippet", "said"), list(zip(SNIPPETS, SAID, strict=True)))
def test_a_snippet_runs_and_says_what_it_should(
    tmp_path: Path, snippet: str, said: tuple[str, ...]
) -> None:
    printed = _run(snippet, tmp_path)
    for part in said:
        assert part in printed


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_the_examples_of_a_page_run_and_print_what_their_comments_say(
    tmp_path: Path, page: Path
) -> None:
    code = "\n".join(
        re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    )
    if not code:
        pytest.skip(f"{page.name} has no example")
    printed = _run(code, tmp_path)
    for comment in re.findall(r"print\(.*\)\s+# (.*)$", code, re.MULTILINE):
        assert comment in printed


def _run(code: str, folder: Path) -> str:
    env = {key: value for key, value in os.environ.items() if not key.startswith("MEMORY_")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_command_is_named() -> None:
    names = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    assert len(names) == 20
    groups = {
        f"{group.name} {command.name or command.callback.__name__}"  # type: ignore[union-attr]
        for group in app.registered_groups
        for command in group.typer_instance.registered_commands  # type: ignore[union-attr]
    }
    assert len(groups) == 10
    for name in groups:
        assert f"`{name}`" in README or f"`langgraph-memory {name}" in README
    for name in names:
        assert f"`langgraph-memory {name}" in README


def test_the_two_commands_of_a_newcomer_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "make demo\nmake test" in README
    assert "\ndemo:" in makefile
    assert "\ntest:" in makefile
    assert "make test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
