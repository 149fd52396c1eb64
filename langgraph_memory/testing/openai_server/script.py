"""What a script may hold: answers, and what can go wrong on their way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from langgraph_memory.errors import InvalidSettingError


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model asks for a tool. ``arguments`` may be a text, to send broken JSON."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)

    @property
    def json(self) -> str:
        """The arguments as the wire carries them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model declines, in OpenAI's refusal field."""

    refusal: str


End = Literal["stop", "length", "content_filter", "failed"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong, or merely takes its time.

    Attributes:
        status: Answer with this HTTP status and an error body instead of ``answer``.
        message: The text of that error.
        code: Its code; the usual one of the status if omitted.
        retry_after: The ``Retry-After`` header, seconds, fractions allowed.
        delay: Seconds of silence before the first byte.
        pace: Seconds of silence before each token of a stream.
        cut_after: Break the connection after so many tokens of a stream; without
            streaming, in the middle of the body.
        stop_after: End a stream in good order after so many tokens, as a proxy may that
            lost the model: what closes an answer never comes.
        malformed: Send a body, or a stream's first event, that is not JSON.
        end: Why the model stopped: ``length`` and ``content_filter`` leave the answer
            unfinished, ``failed`` is an error of the server after it has begun.
        answer: What is said when ``status`` is not set.
    """

    status: int | None = None
    message: str = "The scripted fault."
    code: str = ""
    retry_after: float | None = None
    delay: float = 0.0
    pace: float = 0.0
    cut_after: int | None = None
    stop_after: int | None = None
    malformed: bool = False
    end: End = "stop"
    answer: str | ToolCall | Refusal | Sequence[ToolCall] = ""


Answer = str | ToolCall | Refusal | Sequence[ToolCall] | Fault
Answers = Sequence[Answer] | Callable[[dict[str, Any]], Answer]


def read_answers(path: Path) -> list[Answer]:
    """Read a script from a JSON file (the form is in the docstring of the package).

    Raises:
        InvalidSettingError: The file is missing or holds something else.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise TypeError("the file is not a list")
        return [_entry(each) for each in entries]
    except (OSError, ValueError, TypeError, KeyError) as exc:
        raise InvalidSettingError(
            "--answers", f"names {path}, which holds no script: {exc}. Give a JSON list of answers."
        ) from exc


def _entry(entry: Any) -> Answer:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict) or not entry:
        raise TypeError(f"{json.dumps(entry)} is not an answer")
    if "name" in entry:
        return ToolCall(**entry)
    if "refusal" in entry:
        return Refusal(**entry)
    if "calls" in entry:
        return [ToolCall(**each) for each in entry["calls"]]
    if "answer" in entry:
        entry = {**entry, "answer": _entry(entry["answer"])}
    return Fault(**entry)
