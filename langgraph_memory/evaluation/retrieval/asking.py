"""Bring a conversation into a home and ask: what is found, in what order, how fast."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph_memory.domain.record import Status
from langgraph_memory.evaluation.data import Conversation, Question
from langgraph_memory.evaluation.retrieval.configurations import Configuration
from langgraph_memory.memory import Memory, ScopedMemory

WIDTH = 12
"""What is asked for: more than any footing counts."""


@dataclass(frozen=True, slots=True)
class Order:
    """What one question found.

    Attributes:
        question: What was asked.
        turns, sessions: Ids, best first; a session stands where its best turn does.
        strength: How sure the best is, in [0, 1]: its rank, else its fused strength; 0 of nothing.
        milliseconds: How long it took, embedding included.
    """

    question: Question
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    strength: float
    milliseconds: float


class Told:
    """A conversation in memory, with its context or without.

    What waits for a review is approved first: how things are found is measured here, not what
    is let in.
    """

    def __init__(self, memory: Memory, conversation: Conversation, *, context: bool) -> None:
        user = f"{conversation.name}{'' if context else ', plain'}"
        self._me: ScopedMemory = memory.scope(tenant="evaluation", user=user)
        self._me.import_conversation(conversation.name, conversation.turns, context=context)
        waiting = self._me.contents(limit=len(conversation.turns) + 1, status=Status.PENDING)
        for each in waiting.records:
            self._me.approve(each.record.id, by="evaluation", reason="retrieval is measured")
        self._session = {turn.turn_id: turn.session_id for turn in conversation.turns}

    def ask(self, question: Question, configuration: Configuration) -> Order:
        """Ask one question."""
        began = time.perf_counter()
        found = self._me.recall(question.text, limit=WIDTH, stages=configuration.stages)
        took = 1000 * (time.perf_counter() - began)
        turns = [str((hit.version.value or {}).get("turn")) for hit in found.holding]
        best = found.holding[0].candidate if found.holding else None
        strength = 0.0 if best is None else best.score if best.rank is None else best.rank
        return Order(question, tuple(turns), self._sessions(turns), strength, took)

    def _sessions(self, turns: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._session[turn] for turn in turns if turn in self._session))
