"""What the graph carries from step to step.

State is plain JSON and tells the story of a turn: ids, scores, verdicts, reasons. Recalled
text stays out of it, and so out of the checkpoint: it travels in ``recalled``, which is
seen live and never saved, and is read again by id after a resume.
"""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict  # on 3.11 no schema is made of typing's own

from langgraph_memory.domain.run_state import RunState


class InputState(TypedDict):
    """What a caller sends: the new message."""

    messages: Annotated[list[AnyMessage], add_messages]


class OutputState(TypedDict, total=False):
    """What a caller gets back.

    Attributes:
        messages: The latest part of the conversation, the answer last; the transcript has all.
        evidence: What the answer may rest on: label, id, version, score by part, reason.
        abstained: Why there was no evidence, or None.
        run_state: What was done on this thread, with exact identifiers.
        usage: Who answered, tokens, milliseconds, and the versions that shaped the turn, all of
            this turn alone.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    evidence: list[dict[str, Any]]
    abstained: dict[str, Any] | None
    run_state: RunState
    usage: dict[str, Any]


class State(OutputState, total=False):
    """Everything Studio shows.

    Attributes:
        captured: The event of the user's message, and what came of the orders in it.
        candidates: Proposed records: row, score by part, matched words.
        verdicts: The verdict on each candidate, with its reason.
        conflicts: Where the user's words and a record say different things: label and id.
        context_report: What the model was shown, part by part in tokens, and what was left out;
            None where neither a model nor the offline responder was asked.
        consolidation: The background job queued for this thread.
    """

    captured: dict[str, Any]
    candidates: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    conflicts: list[dict[str, Any]]
    context_report: dict[str, Any] | None
    consolidation: dict[str, Any]


class PrivateState(State, total=False):
    """What one step leaves for another, and nobody else.

    Attributes:
        asked: Orders that the model understood in the message, and which message that was.
        beside: Candidates for the whole message, where it states something beside what it asks.
        unread: Events that waited for background work before memory was asked.
        answering: Which of the statements in the message answer what it asks, by number.
        recalled: The text of the evidence; live only.
    """

    asked: dict[str, Any]
    beside: list[dict[str, Any]]
    unread: list[str]
    answering: list[int]
    recalled: Annotated[list[dict[str, Any]], UntrackedValue]
