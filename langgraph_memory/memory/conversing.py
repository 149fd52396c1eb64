"""The conversations of one owner: what was said, and the orders in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langgraph_memory.domain.events import Event, Turn
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.scope import Scope
from langgraph_memory.memory.bound import Bound
from langgraph_memory.operations.capture import (
    Captured,
    Utterance,
    capture,
    check_event,
    check_owner,
    claim,
    is_unclaimed,
)
from langgraph_memory.operations.importing import Imported, import_conversation
from langgraph_memory.operations.orders.doubting import is_meant
from langgraph_memory.operations.orders.failing import failed, failures
from langgraph_memory.operations.orders.obey import ask_back, decline, obey
from langgraph_memory.operations.orders.proposing import propose
from langgraph_memory.operations.speaking import is_own
from langgraph_memory.operations.stops import closed
from langgraph_memory.operations.transcript import Said, said, transcript
from langgraph_memory.operations.worker import queued
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.ports import ChatMessage, Closed


class Conversing(Bound):
    """Threads, events, orders and background work of one owner."""

    def capture(
        self, utterances: Sequence[Utterance], *, consolidate: bool = False, review: bool = False
    ) -> list[Captured]:
        """Write down what was said, once each. Raises ``ThreadOwnershipError``.

        With ``consolidate``, background work keeps what was stated; with ``review``, what it
        keeps counts only once it is approved.
        """
        said = list(utterances)
        return capture(self._own, self._scope, said, consolidate=consolidate, review=review)

    def is_own(self, event: Event) -> bool:
        """Tell whether the user said it, rather than another participant of the conversation."""
        return is_own(self._own, event)

    def where_said(self, event_id: str) -> Scope:
        """Return the scope that a message of this owner's was said in; this one if it is gone."""
        with self._own.database.read() as tx:
            found = tx.events.get([event_id])
        return (
            found[0].scope if found and found[0].scope.owner == self._scope.owner else self._scope
        )

    def claim(self, thread_id: str) -> None:
        """Make a thread this owner's. Raises ``ThreadOwnershipError`` if it is another's."""
        claim(self._own, self._scope, thread_id)

    def is_unclaimed(self, thread_id: str) -> bool:
        """Tell whether nobody has opened a thread yet."""
        return is_unclaimed(self._own, thread_id)

    def check_event(self, thread_id: str, event_id: str) -> None:
        """Refuse a thread whose state speaks of another owner's message."""
        check_event(self._own, self._scope, thread_id, event_id)

    def check_thread(self, thread_id: str) -> None:
        """Refuse a thread that is somebody else's: ``ThreadOwnershipError``."""
        check_owner(self._own, self._scope, thread_id)

    def queued(self, thread_id: str) -> dict[str, Any]:
        """Return the background job that waits for a thread, empty if there is none."""
        return queued(self._own, self._scope, thread_id)

    def said(self, thread_id: str, message_id: str) -> Said | None:
        """Return one message of a thread of this owner's; None without one."""
        return said(self._own, self._scope, thread_id, message_id)

    def closed(self, thread_id: str, sentences: Sequence[str]) -> list[Closed]:
        """Return those of a thread's sentences that a rule of this owner's keeps out of memory."""
        return closed(self._own, self._scope, thread_id, sentences)

    def transcript(self, thread_id: str, *, limit: int = 1000) -> list[ChatMessage]:
        """Return what was said in a thread of this owner's, in order."""
        return transcript(self._own, self._scope, thread_id, limit=limit)

    def import_conversation(
        self, name: str, turns: Sequence[Turn], *, context: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:  # fmt: skip
        """Bring a conversation into memory, turn by turn, once. See ``operations.importing``."""
        return import_conversation(
            self._own, self._scope, name, turns, context=context, progress=progress
        )

    def propose(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject | None:
        """Return the change an order would make, for review. See ``operations.orders``."""
        return propose(self._own, self._scope, command, event_id, number=number)

    def is_meant(self, command: Command, event_id: str, *, number: int = 0) -> bool:
        """Tell whether an order that may mean something else is one to memory."""
        return is_meant(self._own, self._scope, command, event_id, number=number)

    def obey(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject:
        """Carry out an order that a captured message gave, once. See ``operations.orders``."""
        return obey(self._own, self._scope, command, event_id, number=number)

    def ask_back(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject:
        """Settle an order to forget or correct that may be none: what may be meant is shown."""
        return ask_back(self._own, self._scope, command, event_id, number=number)

    def decline(
        self, event_id: str, *, number: int = 0, effect: str = "rejected", why: str = ""
    ) -> JsonObject:
        """Settle an order that is not carried out, once."""
        return decline(self._own, event_id, number=number, effect=effect, why=why)

    def failed(
        self, event_id: str, *, step: str, error: str, spent: JsonObject | None = None
    ) -> None:
        """Keep that a run of a captured message's turn failed, and what it had spent."""
        failed(self._own, event_id, step=step, error=error, spent=spent)

    def failures(self, event_id: str) -> list[JsonObject]:
        """Return how earlier runs of a captured message's turn failed, oldest first."""
        return failures(self._own, event_id)

    def prune(self, thread_id: str, *, keep: int) -> int:
        """Remove all but the newest checkpoints of a thread; return how many went."""
        run_state = self._own.run_state
        return run_state.prune_thread(thread_id, keep=keep) if run_state else 0
