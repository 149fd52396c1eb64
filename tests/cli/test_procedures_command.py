"""The command line of procedures: what it prints, and how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from langgraph_memory import Checked, Settings, open_memory
from langgraph_memory.cli.main import run

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cli:  # fmt: skip
    """Run a command of procedures in this process; return exit code, output and errors."""
    monkeypatch.setenv("MEMORY_HOME", str(tmp_path / "home"))

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["langgraph-memory", "procedures", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call


def try_out(path: Path, passed: bool) -> None:
    said = Checked(passed, 0.5, "share of steps", "1 of 2")
    with open_memory(path) as home:
        home.memory.scope(tenant="local", user="me").procedures.test(
            "deploy", [("roll out", 1, lambda out: said)], lambda text, given: given, by="Omar"
        )


def test_a_procedure_from_proposal_to_rollback(cli: Cli, tmp_path: Path) -> None:
    """R52, R74."""
    assert cli("list")[0] == 3  # no home there
    code, out, _ = cli("propose", "deploy", "Deploy by canary", "--by", "Lina")
    assert (code, out.startswith("Held for review")) == (0, True)
    code, out, _ = cli("list")
    assert "proposed, version 1: “Deploy by canary” (proposed by Lina)" in out
    assert "were not tested" in cli("results", "deploy")[1]
    code, _, err = cli("approve", "deploy", "--by", "Ann")
    assert (code, "there are no results" in err) == (5, True)
    try_out(tmp_path / "home", passed=False)
    code, out, _ = cli("results", "deploy")
    assert out == "failed  roll out (version 1, by Omar, 0.5 by share of steps): 1 of 2\n"
    assert cli("approve", "deploy", "--by", "Ann")[0] == 5
    try_out(tmp_path / "home", passed=True)
    assert cli("approve", "deploy", "--by", "lina")[0] == 5
    assert cli("approve", "deploy", "--by", "Ann", "--version", "9")[0] == 5
    assert "In force: “Deploy by canary”" in cli("approve", "deploy", "--by", "Ann")[1]
    cli("propose", "deploy", "Deploy on Friday", "--by", "Omar")
    assert "Rejected" in cli("reject", "deploy", "--by", "Ann", "--reason", "no")[1]
    code, _, err = cli("reject", "deploy", "--by", "Ann")
    assert (code, "langgraph-memory procedures list" in err) == (1, True)
    cli("propose", "deploy", "Deploy by hand", "--by", "Omar")
    try_out(tmp_path / "home", passed=True)
    cli("approve", "deploy", "--by", "Ann", "--bar", "0.5")
    assert (
        cli("diff", "deploy", "2", "6")[1] == "$.content: 'Deploy by canary' → 'Deploy by hand'\n"
    )
    assert cli("diff", "deploy", "6")[1] == "Nothing changed.\n"
    assert "In force: “Deploy by canary”" in cli("rollback", "deploy", "2", "--by", "Omar")[1]
    assert cli("rollback", "deploy", "1", "--by", "Omar")[0] == 2
    assert cli("rollback", "deploy", "99", "--by", "Omar")[0] == 1
    [told] = json.loads(cli("list", "--json")[1])
    assert (told["active"]["text"], told["active"]["stage"]) == ("Deploy by canary", "active")
    found = json.loads(cli("results", "deploy", "--version", "6", "--json")[1])
    assert [(each["version"], each["checked"]["passed"]) for each in found] == [(5, True)]


def test_where_there_is_none_it_says_so(cli: Cli) -> None:
    cli("propose", "deploy", "Deploy by canary")
    assert cli("list", "--user", "omar")[1] == "There are no procedures here.\n"
    for command in (["results", "x"], ["approve", "x", "--by", "A"], ["reject", "x", "--by", "A"],
                    ["diff", "x", "1"], ["rollback", "x", "1", "--by", "A"]):  # fmt: skip
        assert cli(*command)[0] == 1
