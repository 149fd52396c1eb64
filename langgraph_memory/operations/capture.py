"""Write down what was said, before anything else is done with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.events import Event
from langgraph_memory.domain.interval import utc
from langgraph_memory.domain.json import check_text
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import ThreadOwnershipError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note, noticing
from langgraph_memory.policy.credentials import check_named, check_scope
from langgraph_memory.policy.identity import check_thread
from langgraph_memory.ports import Job, Transaction
from langgraph_memory.text.secrets import redact

CONSOLIDATE = "consolidate"
REVIEW = "consolidate for review"
"""The kinds of background work on a thread: what it keeps counts, or waits for a review."""

QUIET = timedelta(seconds=2)
"""How long a thread must be quiet before its consolidation is due."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message on its way into the transcript.

    Attributes:
        thread_id, message_id: Its address; the same address is the same message.
        role: ``user``, ``assistant``, ``tool`` or ``system``.
        content: What was said; any text, the empty one too. Credentials are not written down.
        speaker: Who said it, where there is a name.
        at: When it was said; now if omitted.
    """

    thread_id: str
    message_id: str
    role: str
    content: str
    speaker: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """The event, and whether this call wrote it or it was there already."""

    event: Event
    new: bool


def capture(
    engine: Engine, scope: Scope, utterances: list[Utterance], *, consolidate: bool = False,
    review: bool = False,
) -> list[Captured]:  # fmt: skip
    """Write utterances as events, once each, and bind their threads to the scope's owner.

    Args:
        engine: The ports.
        scope: Who speaks.
        utterances: What was said, in order.
        consolidate: Whether to queue background work for the threads, in the same
            transaction.
        review: Whether what that work keeps waits for a review.

    Raises:
        ThreadOwnershipError: A thread belongs to somebody else; nothing was written.
        RefusedError: An id holds a credential; nothing was written.
    """
    with engine.database.write() as tx:
        captured = [_capture(engine, tx, scope, each) for each in utterances]
        if consolidate:
            for thread_id in dict.fromkeys(each.thread_id for each in utterances):
                queue(engine, tx, scope, thread_id, kind=REVIEW if review else CONSOLIDATE)
    return captured


def claim(engine: Engine, scope: Scope, thread_id: str) -> None:
    """Bind a thread to the scope's owner, or check that it is theirs. Raises as ``capture``."""
    check_text(thread_id, "thread")
    with noticing(engine, scope):
        check_named("the id of the thread", thread_id)
    with engine.database.read() as tx, noticing(engine, scope):
        if not check_thread(thread_id, tx.events.owner(thread_id), scope):
            return
    with engine.database.write() as tx:
        open_thread(engine, tx, scope, thread_id)


def is_unclaimed(engine: Engine, thread_id: str) -> bool:
    """Tell whether nobody has opened a thread yet."""
    with engine.database.read() as tx:
        return tx.events.owner(thread_id) is None


def inherit(engine: Engine, source: str, target: str) -> None:
    """Give the copy of a thread the owner of the thread, before anything is copied.

    Raises:
        ThreadOwnershipError: Another identity opened the target.
    """
    with engine.database.write() as tx:
        owner, other = tx.events.owner(source), tx.events.owner(target)
        if owner is None and other is not None:
            raise ThreadOwnershipError(target)
        if owner is not None and check_thread(target, other, owner):
            check_named("the id of the thread", target)
            tx.events.bind(target, owner, now=engine.clock())


def check_event(engine: Engine, scope: Scope, thread_id: str, event_id: str) -> None:
    """Refuse a thread whose state speaks of another owner's message: it is a copy of theirs.

    A message that is not known any more was somebody's, too: who that was is not known.

    Raises:
        ThreadOwnershipError: It is.
    """
    with engine.database.read() as tx:
        said = tx.events.get([event_id])
    with noticing(engine, scope):
        if not said:
            raise ThreadOwnershipError(thread_id)
        check_thread(thread_id, said[0].scope.owner, scope)


def check_owner(engine: Engine, scope: Scope, thread_id: str) -> None:
    """Refuse a thread that is somebody else's; one that nobody opened is nobody's.

    Raises:
        ThreadOwnershipError: Another identity opened it.
    """
    with engine.database.read() as tx, noticing(engine, scope):
        check_thread(thread_id, tx.events.owner(thread_id), scope)


def open_thread(engine: Engine, tx: Transaction, scope: Scope, thread_id: str) -> None:
    """Bind a thread to the scope's owner, or check that it is theirs.

    Raises:
        ThreadOwnershipError: Another identity opened it.
    """
    with noticing(engine, scope, writes=True):
        check_scope(scope)
        is_new = check_thread(thread_id, tx.events.owner(thread_id), scope)
    if is_new:
        tx.events.bind(thread_id, scope.owner, now=engine.clock())


def queue(engine: Engine, tx: Transaction, scope: Scope, thread_id: str, *, kind: str) -> None:
    """Queue the thread's consolidation, due once it has been quiet for a moment.

    A thread that is never quiet does not put it off for longer than ``engine.patience``.
    """
    job = Job(f"{kind}:{thread_id}", kind, scope, thread_id)
    now = engine.clock()
    tx.jobs.submit(job, due=now + min(QUIET, engine.patience), latest=now + engine.patience)


def _capture(engine: Engine, tx: Transaction, scope: Scope, utterance: Utterance) -> Captured:
    check_text(utterance.thread_id, "thread")
    check_text(utterance.message_id, "message id")
    check_text(utterance.content, "message")
    with noticing(engine, scope):
        check_named("the id of the thread", utterance.thread_id)
        check_named("the id of the message", utterance.message_id)
    open_thread(engine, tx, scope, utterance.thread_id)
    event = Event(
        id=engine.new_id(),
        thread_id=utterance.thread_id,
        message_id=utterance.message_id,
        scope=scope,
        role=redact(utterance.role),
        speaker=redact(utterance.speaker),
        content=redact(utterance.content),
        at=engine.clock() if utterance.at is None else utc(utterance.at, "at"),
        zone=str(engine.zone),
    )
    if tx.events.add(event):
        if event.content != utterance.content:
            note(engine, What.REDACTED, scope)
        return Captured(event, new=True)
    present = tx.events.at(utterance.thread_id, utterance.message_id)
    assert present is not None
    return Captured(present, new=False)
