"""Raw events: what was said, by whom, when. The transcript, kept apart from memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Event:
    """One message or happening, captured before anything else is done with it.

    Attributes:
        id: Our name for it.
        thread_id, message_id: Its address; capturing the same address twice is one event.
        scope: Whose it is.
        role: ``user``, ``assistant``, ``tool`` or ``system``.
        speaker: The name of who said it, where one is known.
        content: The text as it was said.
        at: When it was said, UTC.
        zone: The time zone of who said it, by name; empty where none was noted.
    """

    id: str
    thread_id: str
    message_id: str
    scope: Scope
    role: str
    speaker: str
    content: str
    at: datetime
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance of a conversation file, before it has a scope or an id.

    Attributes:
        session_id, turn_id: Its address in the file.
        role: ``user``, ``assistant``, ``tool`` or ``system``.
        speaker: The name of who said it.
        text: What was said.
        at: When it was said, UTC, or None where the file does not say.
    """

    session_id: str
    turn_id: str
    role: str
    speaker: str
    text: str
    at: datetime | None
