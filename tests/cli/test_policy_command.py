"""policy on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from langgraph_memory import Settings
from langgraph_memory.cli.main import run


def laws(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "policy.toml").write_text(text, encoding="utf-8")


def test_a_printed_policy_is_the_policy(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def cli(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["langgraph-memory", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    laws(tmp_path / "home", '[personal]\nemail = "redact"\n')
    code, printed, _ = cli("policy", "--home", str(tmp_path / "home"))
    assert code == 0
    assert 'email = "redact"' in printed
    again = tmp_path / "again"
    laws(again, printed)
    assert cli("policy", "--home", str(again))[1] == printed
    shipped = cli("policy", "--shipped")[1]
    assert "# --- Personal data" in shipped
    as_json = json.loads(cli("policy", "--home", str(again), "--json")[1])
    assert as_json["personal"]["email"] == "redact"
    laws(again, '[personal]\nemails = "keep"\n')
    code, _, complaint = cli("policy", "--home", str(again))
    assert code == 2
    assert "personal.emails" in complaint
