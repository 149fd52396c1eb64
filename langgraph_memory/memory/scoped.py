"""The memory as one owner sees it: nothing outside the scope can be seen or changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from langgraph_memory.domain.events import Event, Turn
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations import amending
from langgraph_memory.operations import inspect as inspecting
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.capture import (
    Captured,
    Utterance,
    capture,
    check_event,
    check_owner,
    claim,
    is_unclaimed,
)
from langgraph_memory.operations.cite import cite
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.explaining import Explanation, explain, why
from langgraph_memory.operations.forget import Forgotten, forget
from langgraph_memory.operations.importing import Imported, import_conversation
from langgraph_memory.operations.inspect import Contents, Inspected
from langgraph_memory.operations.orders.failing import failed, failures
from langgraph_memory.operations.orders.obey import decline, obey
from langgraph_memory.operations.orders.proposing import propose
from langgraph_memory.operations.purge import Receipt, purge
from langgraph_memory.operations.recall import Recall, Sought, recall, seek, validate
from langgraph_memory.operations.remember import remember
from langgraph_memory.operations.skim import Compact, skim
from langgraph_memory.operations.speaking import is_own
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.operations.transcript import Said, said, transcript
from langgraph_memory.operations.worker import queued
from langgraph_memory.operations.zones import zone_named
from langgraph_memory.policy.commands import Command
from langgraph_memory.policy.trust import check_vouching
from langgraph_memory.policy.when import validity
from langgraph_memory.ports import ChatMessage, Citation, Vectors
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit
from langgraph_memory.text.secrets import redact


class ScopedMemory:
    """The memory as one owner sees it."""

    def __init__(self, engine: Engine, scope: Scope, timezone: str | None = None) -> None:
        self._engine = replace(engine, zone=zone_named(timezone)) if timezone else engine
        self._scope = scope
        self._timezone = timezone

    @property
    def bound(self) -> Scope:
        """Return who is asking."""
        return self._scope

    def context(self) -> dict[str, str]:
        """Return the scope as the ready graph's runtime context."""
        fields = ("tenant", "user", "project", "agent")
        named = {name: part for name in fields if (part := getattr(self._scope, name))}
        return {**named, "timezone": self._timezone} if self._timezone else named

    def remember(
        self, content: str, *, key: str | None = None, kind: Kind | str = Kind.SEMANTIC,
        source: Source | None = None, verification: Verification | str | None = None,
        events: Sequence[str] = (), valid_from: datetime | None = None,
        valid_until: datetime | None = None, ttl_minutes: float | None = None,
        metadata: Mapping[str, Any] | None = None, expected_version: int | None = None,
        purpose: str = "",
    ) -> Remembered:  # fmt: skip
        """Keep a statement, or strengthen what already says it.

        Args:
            content: The statement in its own words, any language.
            key: Its name. A later statement under the same key supersedes this one.
                Without a key, the same words are the same record.
            kind: ``semantic``, ``episodic`` or ``procedural``.
            source: Who said it; this scope's user if omitted.
            verification: ``unverified``, ``user-stated`` or ``verified``; user-stated, if the
                user said it.
            events: Ids of the captured events it was said in.
            valid_from: Holds from this instant in the world; an aware datetime. Where neither
                is given, the words tell: "until Friday", "from next month", 从下个月开始.
            valid_until: No longer holds from this instant; an aware datetime.
            ttl_minutes: How long to keep it instead of the kind's lifetime.
            metadata: Further JSON fields to keep and filter by.
            expected_version: Write only if the record is at this version; 0 for a new one.
            purpose: What it is kept for; the write policy's own for its kind or domain if
                empty. Some personal data is kept only where it is named.

        Raises:
            InvalidInputError: Empty content, naive datetime, reserved metadata name, verified by
                a document, ...
            RefusedError: A credential, a way of working from a tool, a document, a page or a
                model, or what the write policy does not keep.
            VersionConflictError: The record is at another version.
        """
        speaker = source or Source(SourceKind.USER, self._scope.user or self._scope.tenant)
        vouched = _vouched(speaker) if verification is None else as_verification(verification)
        check_vouching(speaker.kind, vouched)
        return remember(
            self._engine,
            Statement(
                content=content,
                scope=self._scope,
                provenance=Provenance(
                    speaker, tuple(events), verification=vouched, purpose=redact(purpose)
                ),
                kind=as_kind(kind),
                key=key,
                valid=self._validity(content, valid_from, valid_until),
                ttl_minutes=ttl_minutes,
                metadata=metadata,
                expected=expected_version,
            ),
        )

    def _validity(self, content: str, start: datetime | None, end: datetime | None) -> Interval:
        if start is None and end is None and isinstance(content, str):
            return validity(content, self._engine.clock(), self._engine.zone)
        return Interval.of(start, end)

    def recall(self, question: str, *, limit: int = 5, threshold: float = STRONG_ENOUGH) -> Recall:
        """Return the evidence for a question, or why there is none. See ``operations.recall``."""
        return recall(self._engine, self._scope, question, limit=limit, threshold=threshold)

    def seek(self, question: str, *, limit: int = 5) -> Sought:
        """Propose candidates for a question: the first half of a recall."""
        return seek(self._engine, self._scope, question, limit=limit)

    def validate(self, sought: Sought, *, limit: int = 5) -> Recall:
        """Judge candidates and choose the evidence: the second half of a recall."""
        return validate(self._engine, self._scope, sought, limit=limit)

    def skim(self, question: str, *, limit: int = 20) -> list[Compact]:
        """Return memories that may fit, a line each; ``inspect`` has the rest of one."""
        return skim(self._engine, self._scope, question, limit=limit)

    def cite(self, record_ids: Sequence[str]) -> list[Citation]:
        """Return records as evidence to quote, read anew; what no longer holds is left out."""
        return cite(self._engine, self._scope, record_ids)

    def propose(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject | None:
        """Return the change an order would make, for review. See ``operations.orders``."""
        return propose(self._engine, self._scope, command, event_id, number=number)

    def obey(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject:
        """Carry out an order that a captured message gave, once. See ``operations.orders``."""
        return obey(self._engine, self._scope, command, event_id, number=number)

    def decline(
        self, event_id: str, *, number: int = 0, effect: str = "rejected", why: str = ""
    ) -> JsonObject:
        """Settle an order that is not carried out, once."""
        return decline(self._engine, event_id, number=number, effect=effect, why=why)

    def failed(
        self, event_id: str, *, step: str, error: str, spent: JsonObject | None = None
    ) -> None:
        """Keep that a run of a captured message's turn failed, and what it had spent."""
        failed(self._engine, event_id, step=step, error=error, spent=spent)

    def failures(self, event_id: str) -> list[JsonObject]:
        """Return how earlier runs of a captured message's turn failed, oldest first."""
        return failures(self._engine, event_id)

    @property
    def has_vectors(self) -> bool:
        """Whether this home finds by meaning."""
        return self._engine.embedder is not None

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return ``(n, dims)`` unit rows, one a text; only in a home that has vectors."""
        found = self._engine.text_vectors(texts)
        assert found is not None
        return found

    def prune(self, thread_id: str, *, keep: int) -> int:
        """Remove all but the newest checkpoints of a thread; return how many went."""
        run_state = self._engine.run_state
        return run_state.prune_thread(thread_id, keep=keep) if run_state else 0

    def forget(self, reference: str, *, reason: str = "") -> Forgotten:
        """Delete one memory by id, key or quoted words. Raises as ``operations.forget``."""
        return forget(self._engine, self._scope, reference, reason=reason)

    def correct(self, reference: str, content: str, *, reason: str = "") -> Remembered:
        """Let a memory say something else, its old words becoming history.

        Args:
            reference: Its id or the beginning of it, its key, or quoted words.
            content: What it shall say.
            reason: Why, kept with the new version.

        Raises:
            NotFoundError, AmbiguousReferenceError: Nothing, or several fit; nothing changed.
        """
        return amending.correct(self._engine, self._scope, reference, content, reason=reason)

    def confirm(
        self, reference: str, *, by: Source | str | None = None, reason: str = ""
    ) -> Amended:
        """Note that somebody vouches for a memory; ``by`` names a system of record.

        Without it, it is this scope's user who says so again. See ``operations.amending``.
        """
        return amending.confirm(self._engine, self._scope, reference, by=by, reason=reason)

    def invalidate(self, reference: str, *, reason: str = "") -> Amended:
        """Mark a memory as false or revoked: it is never recalled, and stays for the record."""
        return amending.invalidate(self._engine, self._scope, reference, reason=reason)

    def restore(self, reference: str, version: int | None = None, *, reason: str = "") -> Amended:
        """Let a memory say again what it said; by default, undo its last change."""
        return amending.restore(self._engine, self._scope, reference, version, reason=reason)

    def approve(self, reference: str, *, by: str, reason: str = "") -> Amended:
        """Let a statement count that waits for review; ``by`` names who decides."""
        return amending.approve(self._engine, self._scope, reference, by=by, reason=reason)

    def reject(self, reference: str, *, by: str, reason: str = "") -> Amended:
        """Set a statement aside that waits for review; what it stood beside counts on."""
        return amending.reject(self._engine, self._scope, reference, by=by, reason=reason)

    def explain(self, reference: str) -> Explanation:
        """Return where a memory came from, since when, why, and whether it holds."""
        return explain(self._engine, self._scope, reference)

    def why(self, hit: Hit) -> Explanation:
        """Return why a recall came up with a hit, and what it was worth."""
        return why(hit, self._scope)

    def inspect(self, reference: str) -> Inspected:
        """Return one memory with its history and sources. Raises ``NotFoundError``."""
        return inspecting.inspect(self._engine, self._scope, reference)

    def contents(
        self, *, limit: int = 50, offset: int = 0, status: Status | str | None = None
    ) -> Contents:
        """Return a page of everything kept here, latest first, with the total.

        With ``status``, only what is in it: ``"pending review"`` is what waits for a decision.

        Raises:
            InvalidInputError: There is no such status, or paging is negative.
        """
        return inspecting.contents(
            self._engine, self._scope, limit=limit, offset=offset, status=status
        )

    def capture(
        self, utterances: Sequence[Utterance], *, consolidate: bool = False, review: bool = False
    ) -> list[Captured]:
        """Write down what was said, once each. Raises ``ThreadOwnershipError``.

        With ``consolidate``, background work keeps what was stated; with ``review``, what it
        keeps counts only once it is approved.
        """
        said = list(utterances)
        return capture(self._engine, self._scope, said, consolidate=consolidate, review=review)

    def is_own(self, event: Event) -> bool:
        """Tell whether the user said it, rather than another participant of the conversation."""
        return is_own(self._engine, event)

    def claim(self, thread_id: str) -> None:
        """Make a thread this owner's. Raises ``ThreadOwnershipError`` if it is another's."""
        claim(self._engine, self._scope, thread_id)

    def is_unclaimed(self, thread_id: str) -> bool:
        """Tell whether nobody has opened a thread yet."""
        return is_unclaimed(self._engine, thread_id)

    def check_event(self, thread_id: str, event_id: str) -> None:
        """Refuse a thread whose state speaks of another owner's message."""
        check_event(self._engine, self._scope, thread_id, event_id)

    def check_thread(self, thread_id: str) -> None:
        """Refuse a thread that is somebody else's: ``ThreadOwnershipError``."""
        check_owner(self._engine, self._scope, thread_id)

    def queued(self, thread_id: str) -> dict[str, Any]:
        """Return the background job that waits for a thread, empty if there is none."""
        return queued(self._engine, self._scope, thread_id)

    def said(self, thread_id: str, message_id: str) -> Said | None:
        """Return one message of a thread of this owner's; None without one."""
        return said(self._engine, self._scope, thread_id, message_id)

    def transcript(self, thread_id: str, *, limit: int = 1000) -> list[ChatMessage]:
        """Return what was said in a thread of this owner's, in order."""
        return transcript(self._engine, self._scope, thread_id, limit=limit)

    def import_conversation(
        self, name: str, turns: Sequence[Turn], *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:  # fmt: skip
        """Bring a conversation into memory, turn by turn, once."""
        return import_conversation(self._engine, self._scope, name, turns, progress=progress)

    def purge(self) -> Receipt:
        """Remove everything this owner has in the home, and return the receipt."""
        return purge(self._engine, self._scope)


def as_kind(kind: Kind | str) -> Kind:
    """Return the kind of a name.

    Raises:
        InvalidInputError: There is no such kind.
    """
    try:
        return Kind(kind)
    except ValueError:
        names = ", ".join(each.value for each in Kind)
        raise InvalidInputError(f"There is no kind {kind!r}. Use one of {names}.") from None


def as_verification(verification: Verification | str) -> Verification:
    """Return the verification of a name.

    Raises:
        InvalidInputError: There is no such verification.
    """
    try:
        return Verification(verification)
    except ValueError:
        names = ", ".join(each.value for each in Verification)
        raise InvalidInputError(
            f"There is no verification {verification!r}. Use one of {names}."
        ) from None


def _vouched(source: Source) -> Verification:
    if source.kind is SourceKind.USER:
        return Verification.USER_STATED
    return Verification.UNVERIFIED
