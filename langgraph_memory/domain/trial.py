"""What became of a way of working on one held-out task.

A trial is of words, not of a name: it carries the digest of what was tested, so that the results
of one wording are never taken for those of another. Of the task's input it keeps a digest alone:
what is held out stays out of memory, and whoever has the input can tell that it was this one.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.json import JsonValue
from langgraph_memory.errors import InvalidInputError


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says of what came out.

    Attributes:
        passed: Whether the task counts as done.
        score: How well, where that is known; a finite number, larger is not always better.
        rule: By which rule the score was derived; no score goes without.
        detail: What a reviewer should see.

    Raises:
        InvalidInputError: A score without a rule, or one that is no finite number.
    """

    passed: bool
    score: float | None = None
    rule: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        if type(self.passed) is not bool:
            raise InvalidInputError(f"passed is {self.passed!r}; give True or False.")
        score: object = self.score
        if score is None:
            return
        if not isinstance(score, int | float) or score is True or not math.isfinite(score):
            raise InvalidInputError(f"score is {score!r}; give a finite number, or None.")
        if not self.rule.strip():
            raise InvalidInputError(
                f"The score {self.score} has no rule. Name how it was derived: rule='exact match'."
            )


@dataclass(frozen=True, slots=True)
class Trial:
    """One held-out task, run once.

    Attributes:
        version: Which version of the procedure was run.
        words: The digest of what that version says.
        task: The task's name.
        input: The digest of the task's input.
        checked: What its check said; where something was raised, failed, with the error as detail.
        by: Who ran it.
        at: When it was done, UTC.
    """

    version: int
    words: str
    task: str
    input: str
    checked: Checked
    by: str
    at: datetime

    @property
    def passed(self) -> bool:
        """Whether the task counts as done."""
        return self.checked.passed


def digest(value: JsonValue) -> str:
    """Return the SHA-256 of a JSON value, as hexadecimal digits: alike for ``same`` values."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
