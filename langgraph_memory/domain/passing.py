"""What was said in passing, before it is a memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from langgraph_memory.domain.namespace import Namespace


class SaidIn(NamedTuple):
    """Where something was said: in which event, and as which of its statements, from 0."""

    event_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Passing:
    """Something that the user said in passing and that no background work has read yet.

    Attributes:
        place: Where it was said.
        content: The words.
        namespace: Where it is going to be kept.
        said_at: When it was said, UTC.
        score: How well it fits what was asked, in [0, 1].
        replaces: Ids of the memories that say otherwise, and are out of date by it.
    """

    place: SaidIn
    content: str
    namespace: Namespace
    said_at: datetime
    score: float = 0.0
    replaces: tuple[str, ...] = ()
