"""The benchmarks run. What they find is looked at by people, not asserted here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARK = ROOT / "benchmarks" / "store"


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The figures of a run too short to mean anything."""
    if not BENCHMARK.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    path = tmp_path_factory.mktemp("figures") / "new" / "store.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.store", "--sizes", "120", "--rounds", "1",
         "--seconds", "0.001", "--peers", "InMemoryStore", "--json", str(path)],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert path.is_file(), done.stdout + done.stderr
    assert "120 items" in done.stdout
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def test_how_surely_paraphrases_are_known_is_printed(tmp_path: Path) -> None:
    """B22: of both halves, and of real conversations on demand."""
    if not BENCHMARK.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    turns = [{"speaker": "Ann", "text": text} for text in (
        "I really love hiking in Norway.", "I love hiking in Norway.", "I love hiking in Sweden.",
    )]  # fmt: skip
    talk = json.dumps({"sessions": [{"turns": turns}]})
    (tmp_path / "conversations.jsonl").write_text(talk, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.paraphrases", "--real", str(tmp_path)],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:3]] == [
        "development",
        "held-out",
    ]
    assert "3 different statements, 1 pairs joined" in done.stdout


def test_every_row_is_timed_for_ours_its_floor_and_the_peer(figures: dict[str, Any]) -> None:
    (size,) = figures["sizes"]
    assert size["items"] == 120
    assert len(size["rows"]) == 17
    for name, contenders in size["rows"].items():
        assert contenders.keys() == {"floor", "ours", "InMemoryStore"}, name
        assert all(each["median_ms"] > 0 and each["calls"] for each in contenders.values()), name


def test_ours_finds_what_the_peer_finds(figures: dict[str, Any]) -> None:
    """A fast wrong answer is not measured by mistake."""
    (size,) = figures["sizes"]
    assert size["answers_shared_with_ours"] == {"InMemoryStore": 1.0}
