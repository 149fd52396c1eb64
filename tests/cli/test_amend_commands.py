"""The commands that change what memory thinks of a statement: what each passes on and prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Settings, open_memory
from langgraph_memory.cli.main import run
from langgraph_memory.domain.provenance import Source, SourceKind

Cli = Callable[..., tuple[int, str, str]]

OLD, NEW, CLAIM = "The limit is 100", "The limit is 90", "The limit is 900"
JANE = ("--tenant", "acme", "--user", "jane")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """A home where jane of acme keeps a limit that was changed, and a claim beside it."""
    path = tmp_path / "home"
    with open_memory(path, settings=settings) as home:
        me = home.memory.scope(tenant="acme", user="jane")
        me.remember(OLD, key="limit")
        me.remember(NEW, key="limit")
        me.remember(CLAIM, key="limit", source=Source(SourceKind.WEB, "http://example.org"))
    return path


@pytest.fixture
def cli(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command as jane on that home, and return exit code, output and errors."""

    def call(*arguments: str, user: tuple[str, ...] = JANE, home: Path = folder) -> Any:
        monkeypatch.setattr(
            sys, "argv", ["langgraph-memory", *arguments, *user, "--home", str(home)]
        )
        with pytest.raises(SystemExit) as ended:
            run()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call


def kept(folder: Path) -> dict[str, Any]:
    with open_memory(folder) as home:
        told: dict[str, Any] = home.memory.scope(tenant="acme", user="jane").explain("limit").data
        return told


COMMANDS = {
    "correct": (("correct", "limit", "The limit is 80"), 4, "active", "The limit is 80"),
    "confirm": (("confirm", "limit", "--by", "billing"), 4, "active", NEW),
    "invalidate": (("invalidate", "limit"), 4, "invalidated", NEW),
    "restore": (("restore", "limit", "--version", "2"), 4, "active", NEW),
    "approve": (("approve", "limit", "--by", "Ann"), 4, "active", CLAIM),
    "reject": (("reject", "limit", "--by", "Ann"), 4, "active", NEW),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_change_is_made_for_its_reason_and_told_as_json(
    cli: Cli, folder: Path, name: str
) -> None:
    """R60, R74."""
    command, version, status, content = COMMANDS[name]
    code, out, err = cli(*command, "--reason", "audit of May", "--json")
    assert (code, err) == (0, "")
    done = json.loads(out)
    assert (done["key"], done["version"]) == ("limit", version)
    if name != "correct":
        assert (done["status"], done["content"]) == (status, content)
    told = kept(folder)
    assert (told["status"], told["content"]) == (status, content)
    assert "audit of May" in told["because"]


TOLD = {
    "correct": "Corrected ({id}, version 4).\n  before: “The limit is 90”\n",
    "confirm": "Confirmed: “The limit is 90” ({id}, version 4).\n",
    "invalidate": "Marked as false or revoked: “The limit is 90” ({id}, version 4).\n",
    "restore": "Restored: “The limit is 90” ({id}, version 4).\n",
    "approve": "Approved: “The limit is 900” ({id}, version 4).\n",
    "reject": "Rejected ({id}, version 4, active).\n",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_change_is_told_in_words(cli: Cli, folder: Path, name: str) -> None:
    assert cli(*COMMANDS[name][0])[:2] == (0, TOLD[name].format(id=kept(folder)["id"]))


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_made_for_its_user_alone(cli: Cli, folder: Path, name: str) -> None:
    """B5: another user, and another tenant, have no such memory."""
    for user in (("--tenant", "acme", "--user", "omar"), ("--tenant", "other", "--user", "jane")):
        assert cli(*COMMANDS[name][0], user=user)[0] == 1
    assert kept(folder)["version"] == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_where_no_home_is_none_is_made(cli: Cli, tmp_path: Path, name: str) -> None:
    code, _, err = cli(*COMMANDS[name][0], home=tmp_path / "absent")
    assert (code, "no memory home here" in err) == (3, True)
    assert not (tmp_path / "absent").exists()


def test_without_a_name_it_is_the_user_who_confirms(cli: Cli, folder: Path) -> None:
    """R15: that alone verifies nothing."""
    assert cli("confirm", "limit")[0] == 0
    assert (kept(folder)["verification"], kept(folder)["because"]) == (
        "user-stated", "confirmed by user jane",
    )  # fmt: skip
    assert cli("confirm", "limit", "--by", "billing")[0] == 0
    assert kept(folder)["verification"] == "verified"


def test_without_a_version_what_the_last_change_replaced_is_restored(
    cli: Cli, folder: Path
) -> None:
    assert cli("restore", "limit")[0] == 0
    assert kept(folder)["content"] == OLD


@pytest.mark.parametrize("name", ["approve", "reject"])
def test_a_decision_may_name_what_was_looked_at(cli: Cli, folder: Path, name: str) -> None:
    """R52: nothing is decided that its reviewer has not seen."""
    code, _, _ = cli(name, "limit", "--by", "Ann", "--version", "2")
    assert (code, kept(folder)["version"]) == (5, 2)
    assert cli(name, "limit", "--by", "Ann", "--version", "3")[0] == 0
    assert "by Ann" in kept(folder)["because"]


def test_an_explanation_is_for_people_or_for_programs(cli: Cli, folder: Path) -> None:
    """R16."""
    told = json.loads(cli("explain", "limit", "--json")[1])
    assert (told["content"], told["version"]) == (NEW, 2)
    code, out, _ = cli("explain", "limit")
    assert (code, out.splitlines()[0]) == (0, f"“{NEW}”")
    assert f"waits for review: “{CLAIM}”" in out
