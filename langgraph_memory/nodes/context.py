"""Who is asking, and how a run is to go: what Studio shows as editable fields."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from langgraph_memory.context.prompt import INSTRUCTIONS
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.policy.presets import PRESETS, Preset, PresetName
from langgraph_memory.text.complaints import complaint

LONGEST_INSTRUCTIONS = 20_000
SMALLEST_BUDGET = 1_000
NEARLY = 0.8
"""How alike two names are, by difflib's measure in [0, 1], of which one is meant by the other."""

_OTHERS = frozenset(("mode", "models", "agents", "users", "projects", "tenants"))
"""Near one of ours, and as likely a field of somebody else's."""


class Approval(StrEnum):
    """Whether a change to memory that a message asks for waits for a review."""

    PRESET = "as the preset has it"
    ON = "on"
    OFF = "off"


def _field(default: Any, description: str, *nodes: str, **bounds: Any) -> Any:
    """Return a field that Studio shows on these nodes."""
    extra: dict[str, Any] = {"langgraph_nodes": list(nodes)} if nodes else {}
    if kind := bounds.pop("kind", None):
        extra["langgraph_type"] = kind
    return Field(default=default, description=description, json_schema_extra=extra, **bounds)


class MemoryContext(BaseModel):
    """Who is asking, and how the run is to go. A role is never taken from here."""

    model_config = ConfigDict(extra="ignore")

    tenant: str | None = _field(
        None, "The customer or company the user belongs to.", max_length=256
    )
    user: str | None = _field(None, "The user: any text, an e-mail address too.", max_length=256)
    project: str | None = _field(None, "Optional: keep this work's memories apart.", max_length=256)
    agent: str | None = _field(None, "Optional: keep this agent's memories apart.", max_length=256)
    timezone: str | None = _field(
        None, "Where the user's days begin, as in Europe/Berlin; empty: as the home has it.",
        "capture", max_length=64,
    )  # fmt: skip
    preset: PresetName = _field(
        PresetName.PERSONAL, "The sort of work; it fills whatever is not said below."
    )
    top_k: int = _field(
        0, "How many pieces of evidence an answer may use; 0: as the preset has it.",
        "retrieve", "validate", ge=0, le=20,
    )  # fmt: skip
    model: str | None = _field(
        None, "Who answers: a name the server offers; empty: its own choice.",
        "respond", max_length=256,
    )  # fmt: skip
    approval: Approval = _field(
        Approval.PRESET, "Whether a change to memory waits for a review.", "capture"
    )
    budget_tokens: int = _field(
        0, "How many tokens one model request may hold, from 1,000; 0: as the preset has it.",
        "respond", ge=0, le=1_000_000,
    )  # fmt: skip
    instructions: str = _field(
        INSTRUCTIONS, "The system prompt. How memory is to be used is added to it.",
        "respond", kind="prompt", max_length=LONGEST_INSTRUCTIONS,
    )  # fmt: skip

    @field_validator("budget_tokens")
    @classmethod
    def _large_enough(cls, value: int) -> int:
        if 0 < value < SMALLEST_BUDGET:
            raise ValueError(f"give 0, or {SMALLEST_BUDGET:,} or more")
        return value

    @model_validator(mode="before")
    @classmethod
    def _meant(cls, given: Any) -> Any:
        """Refuse what is nearly the name of a field that is not given: it would be lost silently.

        Anything else may be there: a context is shared with graphs that have fields of their own.
        """
        if not isinstance(given, dict):
            return given
        fields = {_bare(each): each for each in cls.model_fields if each not in given}
        for name in given.keys() - cls.model_fields.keys() - _OTHERS:
            for near in get_close_matches(_bare(str(name)), fields, n=1, cutoff=NEARLY):
                raise ValueError(f"it has no field {name!r}; did you mean {fields[near]}?")
        return given

    @property
    def settled(self) -> Preset:
        """What the run goes by: what it says, and what its preset fills."""
        preset = PRESETS[self.preset]
        approval = {Approval.ON: True, Approval.OFF: False}.get(self.approval, preset.approval)
        return Preset(
            top_k=self.top_k or preset.top_k,
            budget_tokens=self.budget_tokens or preset.budget_tokens,
            tail=preset.tail,
            approval=approval,
        )


_IDENTITY = ("tenant", "user", "project", "agent")


def identity_in(given: Any) -> MemoryContext:
    """Return who is asking, of a run's context of any shape; nothing else in it is looked at.

    Raises:
        InvalidInputError: A name is no text.
    """
    if given is None or isinstance(given, MemoryContext):
        return given or MemoryContext()
    read = given.get if isinstance(given, Mapping) else partial(_field_of, given)
    context = as_context({name: part for name in _IDENTITY if (part := read(name)) is not None})
    assert context is not None
    return context


def _field_of(given: Any, name: str) -> Any:
    return getattr(given, name, None)


def _bare(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "")


def as_context(given: Any) -> MemoryContext | None:
    """Return a run's context, as it was given or read from a dictionary.

    Raises:
        InvalidInputError: A field has a value that it cannot have.
    """
    if not isinstance(given, dict):
        context: MemoryContext | None = given
        return context
    try:
        return MemoryContext(**given)
    except ValidationError as exc:
        wrong = complaint(exc, MemoryContext)
        if not wrong.path:
            raise InvalidInputError(
                f"The context is wrong: {wrong.problem} Rename it, or give both."
            ) from exc
        name = ".".join(wrong.path)
        raise InvalidInputError(f"The context's {name} is wrong: {wrong.problem}.") from exc
