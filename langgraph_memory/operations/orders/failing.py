"""Runs of a turn that failed: kept with the message, told by the run that succeeds."""

from __future__ import annotations

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.outcomes import note_failure, noted_failures
from langgraph_memory.text.secrets import redact, redact_fields

LONGEST_ERROR = 500


def failed(
    engine: Engine, event_id: str, *, step: str, error: str, spent: JsonObject | None = None
) -> None:
    """Keep that a run of a message's turn failed, at which step, and what it had spent."""
    failure: JsonObject = {
        "event_id": event_id,
        "step": redact(step),
        "error": redact(error)[:LONGEST_ERROR],
        "at": engine.clock().isoformat(),
    }
    if spent is not None:
        failure["spent"] = redact_fields(spent)
    with engine.database.write() as tx:
        note_failure(tx, event_id, failure)


def failures(engine: Engine, event_id: str) -> list[JsonObject]:
    """Return how earlier runs of a message's turn failed, oldest first."""
    with engine.database.read() as tx:
        return noted_failures(tx, event_id)
