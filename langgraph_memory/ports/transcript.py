"""What was said, and the background work it gives rise to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.scope import Scope


class Events(Protocol):
    """The transcript."""

    def add(self, event: Event) -> bool:
        """Write an event; False, and nothing written, if its address is already there."""

    def at(self, thread_id: str, message_id: str) -> Event | None:
        """Return the event at this address."""

    def latest(self, thread_id: str) -> Event | None:
        """Return the event of a thread that was captured last."""

    def settle(self, event_id: str, outcome: JsonObject) -> None:
        """Keep what came of an order in an event, beside the event."""

    def outcome(self, event_id: str) -> JsonObject | None:
        """Return what came of the order in an event, None if it was not carried out yet."""

    def get(self, event_ids: Sequence[str]) -> list[Event]:
        """Return these events in the order asked, unknown ids left out."""

    def thread(self, thread_id: str, *, after: int = 0, limit: int = 1000) -> list[Event]:
        """Return a thread's events in the order of capture, past the first ``after``."""

    def before(self, event: Event) -> Event | None:
        """Return what the same speaker said last in its thread before an event."""

    def fresh(self, thread_id: str, *, limit: int) -> list[Event]:
        """Return a thread's oldest events that no consolidation has read yet."""

    def unread(self, owner: Scope, *, limit: int) -> list[Event]:
        """Return an owner's latest user messages that wait for a consolidation, oldest first.

        Those of all their threads for which a job is in the queue, held or dead ones included.
        """

    def consolidated(self, event: Event) -> None:
        """Note that a consolidation has read the event's thread up to and with this event."""

    def count(self, owner: Scope) -> int:
        """Return how many events an owner has."""

    def owner(self, thread_id: str) -> Scope | None:
        """Return the identity a thread is bound to."""

    def bind(self, thread_id: str, owner: Scope, *, now: datetime) -> None:
        """Bind a thread to an identity. The caller has checked that it is free or theirs."""

    def threads(self, owner: Scope) -> list[str]:
        """Return the threads an identity has opened, oldest first."""

    def erase(self, owner: Scope) -> dict[str, int]:
        """Remove an owner's events, jobs and thread bindings; return counts by table."""


@dataclass(frozen=True, slots=True)
class Job:
    """Background work that must happen once.

    Attributes:
        key: Names the work; a second job with the key of a waiting one is the same job.
        kind: What sort of work.
        scope: Whose.
        thread_id: The thread it is about.
        attempts: How often it was started.
        error: What the last failure said; empty if none.
    """

    key: str
    kind: str
    scope: Scope
    thread_id: str
    attempts: int = 0
    error: str = ""


class Jobs(Protocol):
    """A durable queue: leased, so that two workers never hold one job at a time."""

    def submit(self, job: Job, *, due: datetime, latest: datetime | None = None) -> None:
        """Queue a job, or move the waiting one of the same key to the new ``due``.

        It is never moved past the ``latest`` that it was first queued with; one that a worker has
        taken in hand since, or that failed, is queued anew.
        """

    def lease(
        self, *, now: datetime, seconds: float, early: bool = False, owner: Scope | None = None
    ) -> Job | None:
        """Take the longest due job that nobody holds, for ``seconds``; None if there is none.

        With ``early``, a job that was never tried counts as due. With an ``owner``, only theirs.
        """

    def finish(self, job: Job) -> None:
        """Remove a leased job, unless it was submitted again meanwhile: then it stays due."""

    def fail(self, job: Job, error: str, *, retry: datetime | None) -> None:
        """Give a job back with its error; without ``retry`` it is kept as dead."""

    def give_back(self, job: Job) -> None:
        """Give a leased job back as if nobody had tried it: another process is to do it."""

    def waiting(self, owner: Scope | None = None) -> list[Job]:
        """Return the jobs not finished, dead ones included, oldest due first."""
