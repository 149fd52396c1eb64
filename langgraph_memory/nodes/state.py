"""What the graph carries from step to step, and who is asking.

State is plain JSON and tells the story of a turn: ids, scores, verdicts, reasons. Recalled
text stays out of it, and so out of the checkpoint: it travels in ``recalled``, which is
seen live and never saved, and is read again by id after a resume.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field


class MemoryContext(BaseModel):
    """Who is asking, and how much evidence an answer may use. A role is never taken from here."""

    model_config = ConfigDict(extra="ignore")

    tenant: str | None = Field(
        default=None, max_length=256, description="The customer or company the user belongs to."
    )
    user: str | None = Field(
        default=None, max_length=256, description="The user: any text, an e-mail address too."
    )
    project: str | None = Field(
        default=None, max_length=256, description="Optional: keep this work's memories apart."
    )
    agent: str | None = Field(
        default=None, max_length=256, description="Optional: keep this agent's memories apart."
    )
    top_k: int = Field(
        default=5, ge=1, le=20, description="How many pieces of evidence an answer may use."
    )
    window_tokens: int = Field(
        default=16_000, ge=1_000, le=1_000_000, description="How much one model request may hold."
    )


class InputState(TypedDict):
    """What a caller sends: the new message."""

    messages: Annotated[list[AnyMessage], add_messages]


class OutputState(TypedDict, total=False):
    """What a caller gets back.

    Attributes:
        messages: The conversation, the answer last.
        evidence: What the answer may rest on: label, id, version, score by part, reason.
        abstained: Why there was no evidence, or None.
        usage: Model, tokens, milliseconds, and the versions that shaped the turn.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    evidence: list[dict[str, Any]]
    abstained: dict[str, Any] | None
    usage: dict[str, Any]


class State(OutputState, total=False):
    """Everything Studio shows.

    Attributes:
        captured: The event of the user's message, and what was done with an order in it.
        candidates: Proposed records: row, score by part, matched words.
        verdicts: The verdict on each candidate, with its reason.
        consolidation: The background job queued for this thread.
        recalled: The text of the evidence; live only.
    """

    captured: dict[str, Any]
    candidates: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    consolidation: dict[str, Any]
    recalled: Annotated[list[dict[str, Any]], UntrackedValue]
