"""The exact facts of the work in progress on a thread: what was done, with its identifiers.

Run state is plain JSON, and lives in the checkpointer. It is never summarised: an identifier
in it is the identifier. Every function returns a new state and leaves the one given alone.
"""

from __future__ import annotations

from typing import (
    Literal,
    NotRequired,  # on 3.11 no schema is made of typing's own
)

from typing_extensions import TypedDict

Status = Literal["working", "waiting for approval", "answered", "done"]
"""``answered``: the answer stands, and the run has not ended; seen of a run that died there."""

MOST_KEPT = 100
"""Actions, and errors, kept of a thread, the latest ones; what they did is in the memory itself."""


class Action(TypedDict, total=False):
    """Something that was done to memory because a message asked for it.

    Attributes:
        id: The event of the message, and which of its orders it was.
        action: The order.
        effect: What came of it.
        record_ids: The records it concerns.
        at: When, ISO 8601 with offset.
    """

    id: str
    action: str
    effect: str
    record_ids: list[str]
    at: str


class Artifact(TypedDict):
    """Something a run made and stored outside the conversation."""

    id: str
    kind: str
    title: str


class Budgets(TypedDict):
    """What the thread has used: turns, and tokens as the providers counted them."""

    turns: int
    input_tokens: int
    output_tokens: int


class Spent(TypedDict):
    """What model calls cost; tokens as the provider counted them, None where it does not."""

    calls: int
    input_tokens: int | None
    output_tokens: int | None
    model_milliseconds: float


class Failure(TypedDict):
    """A run of a turn that failed, and what its model calls cost; a later run took it up again."""

    event_id: str
    step: str
    error: str
    at: str
    spent: NotRequired[Spent]


class Approval(TypedDict, total=False):
    """A change that waits for somebody's decision.

    Attributes:
        id: As of an :class:`Action`.
        order: What would be done.
        content: What would be kept, in the asker's words.
        record_id: The record that would change or go.
        asked: The words of the order, where a record would change or go.
        version: The version of that record when this was proposed; another one is not touched.
        at: When it was proposed.
    """

    id: str
    order: str
    content: str
    record_id: str
    asked: str
    version: int
    at: str


class RunState(TypedDict):
    """Everything at once; see the types of its parts."""

    status: Status
    actions: list[Action]
    artifacts: list[Artifact]
    budgets: Budgets
    errors: list[Failure]
    pending_approvals: list[Approval]


def begun(before: RunState | None) -> RunState:
    """Return the state at the start of a turn; a decision that nobody made is not waited for."""
    state = before or RunState(
        status="working", actions=[], artifacts=[], errors=[], pending_approvals=[],
        budgets=Budgets(turns=0, input_tokens=0, output_tokens=0),
    )  # fmt: skip
    return {**state, "status": "working", "pending_approvals": []}


def acted(state: RunState, action: Action) -> RunState:
    """Return the state with one more action; the same action again is the same one."""
    others = [each for each in state["actions"] if each["id"] != action["id"]]
    return {**state, "actions": [*others, action][-MOST_KEPT:]}


def waiting(state: RunState, approvals: list[Approval]) -> RunState:
    """Return the state while a decision is waited for."""
    if not approvals:
        return state
    return {**state, "status": "waiting for approval", "pending_approvals": approvals}


def decided(state: RunState) -> RunState:
    """Return the state once all decisions were made."""
    return {**state, "status": "working", "pending_approvals": []}


def charged(state: RunState, *, input_tokens: int, output_tokens: int) -> RunState:
    """Return the state with what model calls have read and written in its budgets."""
    spent = state["budgets"]
    return {
        **state,
        "budgets": {
            "turns": spent["turns"],
            "input_tokens": spent["input_tokens"] + input_tokens,
            "output_tokens": spent["output_tokens"] + output_tokens,
        },
    }


def answered(state: RunState, failures: list[Failure]) -> RunState:
    """Return the state once the turn's answer stands.

    Args:
        state: As the turn left it.
        failures: How earlier runs of this turn failed.
    """
    known = [each for each in state["errors"] if each not in failures]
    return {
        **state,
        "status": "answered",
        "errors": [*known, *failures][-MOST_KEPT:],
    }


def finished(state: RunState) -> RunState:
    """Return the state at the end of a turn."""
    spent = state["budgets"]
    return {**state, "status": "done", "budgets": {**spent, "turns": spent["turns"] + 1}}
