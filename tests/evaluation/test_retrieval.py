"""R80, R84: what retrieval finds is measured on files that a user supplies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from langgraph_memory import Home
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.evaluation.data import Conversation, conversations
from langgraph_memory.evaluation.retrieval.__main__ import main
from langgraph_memory.evaluation.retrieval.asking import Told
from langgraph_memory.evaluation.retrieval.configurations import CONFIGURATIONS
from langgraph_memory.evaluation.retrieval.sets import (
    HELD_OUT,
    PARAPHRASES,
    hidden_pairs,
    never_mentioned,
)
from langgraph_memory.evaluation.retrieval.table import figures

SAID = (
    ("D1:1", "Ana", "I bought a red bicycle in Porto. It was cheap."),
    ("D1:2", "Ben", "My exam is on the ninth of June."),
    ("D2:1", "Ana", "The landlord wants nine hundred a month."),
)
ASKED = (
    {"question": "What did Ana buy in Porto?", "evidence_turn_ids": ["D1:1"]},
    {"question": "When is Ben's exam?", "evidence_turn_ids": ["D1:2"]},
    {"question": "What is Ben's blood type?", "abstention": True},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with one small set."""
    there = tmp_path / "data" / "locomo"
    there.mkdir(parents=True)
    sessions = [
        {
            "session_id": name,
            "timestamp": "2024-05-01T10:00:00",
            "turns": [
                {"turn_id": turn, "speaker": who, "text": text}
                for turn, who, text in SAID
                if turn.startswith(name)
            ],
        }
        for name in ("D1", "D2")
    ]
    said = {"conversation_id": "c", "sessions": sessions}
    (there / "conversations.jsonl").write_text(json.dumps(said) + "\n", "utf-8")
    asked = [{"conversation_id": "c", "evidence_session_ids": ["D1"], **each} for each in ASKED]
    (there / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    return there.parent


def test_the_table_is_printed_and_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Every configuration on every footing there is data for; the rest is said to be left out."""
    name = "langgraph_memory.evaluation.retrieval.__main__.hidden_pairs"
    monkeypatch.setattr(name, lambda half, among: Conversation(half, among.turns, ()))
    written = tmp_path / "figures.json"
    assert main(["--data", str(folder), "--json", str(written)]) == 0
    printed = capsys.readouterr().out
    assert "memora_weekly: left out" in printed
    assert "never mentioned" in printed
    rows = json.loads(written.read_text("utf-8"))
    of = {each["configuration"]: each for each in rows if each["footing"] == "LoCoMo, turns"}
    assert list(of) == [each.name for each in CONFIGURATIONS]
    assert of["+ authority (default)"]["questions"] == 2
    assert of["+ authority (default)"]["fraction"] == 1.0
    assert of["lexical"]["mrr"] > 0


def test_without_data_only_our_own_pairs_are_asked(home: Home) -> None:
    """The small gate: half of the pairs that were held out, by themselves, in seconds."""
    pairs = hidden_pairs(HELD_OUT, None)
    assert len(pairs.questions) == len(pairs.turns) == 100
    told = Told(home.memory, pairs, context=True)
    orders = [told.ask(question, CONFIGURATIONS[-1]) for question in pairs.questions[::2]]
    assert figures(PARAPHRASES, "default", orders).any >= 0.9
    words = [told.ask(question, CONFIGURATIONS[0]) for question in pairs.questions[::2]]
    assert figures(PARAPHRASES, "lexical", words).any <= 0.2


def test_questions_about_what_was_never_mentioned_name_their_conversation() -> None:
    found = never_mentioned()
    assert sum(map(len, found.values())) == 100
    assert all(each.unanswerable for of in found.values() for each in of)


def test_the_gate_on_a_real_conversation(home: Home, bench: Path) -> None:
    """R22: what the default finds in one LoCoMo conversation does not get worse unseen."""
    first = next(conversations(bench / "locomo"))
    told = Told(home.memory, first, context=True)
    asked = [each for each in first.questions if each.turns and not each.unanswerable][::2]
    orders = [told.ask(question, CONFIGURATIONS[-1]) for question in asked]
    found = [len(each.question.turns & set(each.turns[:10])) for each in orders]
    share = sum(n / len(each.question.turns) for n, each in zip(found, orders, strict=True)) / len(
        orders
    )
    assert share >= 0.76


def test_data_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidInputError, match="docs/evaluation.md"):
        list(conversations(tmp_path))
    there = tmp_path / "locomo"
    there.mkdir()
    (there / "questions.jsonl").write_text('{"question": "?"}\n', "utf-8")
    assert main(["--data", str(tmp_path)]) == 2
    assert "line 1" in capsys.readouterr().err
