"""Evaluation data: a folder with ``conversations.jsonl`` and ``questions.jsonl``.

A conversation a line: ``conversation_id``, ``sessions`` of ``session_id``, ``timestamp`` and
``turns`` of ``turn_id``, ``speaker``, ``text``. A question a line: ``conversation_id``,
``question``, ``abstention``, ``evidence_turn_ids``, ``evidence_session_ids``, and where what
was said became outdated, ``stale_session_ids``. Other fields are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph_memory.domain.events import Turn
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.text.conversations import parse


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what answers it.

    Attributes:
        text: What is asked.
        unanswerable: Whether nothing in the conversation answers it.
        turns, sessions: Ids of what holds the answer; may be empty.
        stale: Ids of sessions that hold what is outdated.
    """

    text: str
    unanswerable: bool = False
    turns: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in one conversation, and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def conversations(folder: Path) -> Iterator[Conversation]:
    """Read a folder, a conversation at a time.

    Raises:
        InvalidInputError: A file is missing, or is not of this shape.
    """
    asked: dict[str, list[Question]] = {}
    for each in _lines(folder / "questions.jsonl"):
        asked.setdefault(str(each["conversation_id"]), []).append(_question(each))
    for each in _lines(folder / "conversations.jsonl"):
        name, turns = parse(json.dumps(each), where=str(folder / "conversations.jsonl"))
        yield Conversation(name, tuple(turns), tuple(asked.get(name, ())))


def _question(each: Mapping[str, Any]) -> Question:
    return Question(
        text=str(each["question"]),
        unanswerable=bool(each.get("abstention")),
        turns=frozenset(each.get("evidence_turn_ids") or ()),
        sessions=frozenset(each.get("evidence_session_ids") or ()),
        stale=frozenset(each.get("stale_session_ids") or ()),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidInputError(
            f"{path} cannot be read ({exc}). Name a folder with conversations.jsonl and "
            "questions.jsonl; docs/evaluation.md shows their shape."
        ) from exc
    for number, line in enumerate(filter(str.strip, text.splitlines()), start=1):
        try:
            each = json.loads(line)
            each["conversation_id"]
            if path.name == "questions.jsonl":
                each["question"]
        except (ValueError, KeyError, TypeError) as exc:
            raise InvalidInputError(
                f"{path}, line {number}: {type(exc).__name__}: {exc}. Each line is a JSON object "
                "with conversation_id, and a question with question; see docs/evaluation.md."
            ) from exc
        yield each
