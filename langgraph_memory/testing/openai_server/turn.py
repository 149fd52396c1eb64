"""What a client sent, what it is answered, and the events that a stream is made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_memory.testing.openai_server.script import End, ToolCall
from langgraph_memory.testing.scripted import tokens

Json = dict[str, Any]

CREATED = 1_750_000_000  # a date in every object, the same each time


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """What a client sent.

    Attributes:
        method, path: As in the request line, without the query.
        headers: Names in small letters; credentials read ``***``.
        body: The JSON object; None if there was none.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json | None


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; ``tokens`` counts those of the answer that it carries."""

    data: Json
    name: str = ""
    tokens: int = 0

    def encode(self) -> bytes:
        """Return the event as the wire carries it."""
        head = f"event: {self.name}\n" if self.name else ""
        return f"{head}data: {json.dumps(self.data)}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Turn:
    """A request for an answer, with what both routes need to word it."""

    request: Json
    model: str
    new_id: Callable[[str], str]
    text: str = ""
    refusal: str = ""
    calls: tuple[tuple[str, ToolCall], ...] = ()  # call id, call
    end: End = "stop"

    @property
    def counts(self) -> tuple[int, int]:
        """Tokens of the request and of the answer."""
        asked = self.request.get("messages", self.request.get("input", ""))
        spoken = [self.text, self.refusal, *(call.json for _, call in self.calls)]
        return _count(asked), sum(len(tokens(each)) for each in spoken)


def _count(asked: Any) -> int:
    """Return the tokens of every ``content``, ``text`` and ``output`` in a request."""
    match asked:
        case str():
            return len(tokens(asked))
        case [*entries]:
            return sum(_count(each) for each in entries)
        case {**entry}:
            return sum(_count(entry.get(each, "")) for each in ("content", "text", "output"))
    return 0
