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
from langgraph_memory.domain.roles import Grant, Permission, Role
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import InvalidInputError, InvalidScopeError
from langgraph_memory.memory.procedures import Procedures
from langgraph_memory.operations import access, amending
from langgraph_memory.operations import inspect as inspecting
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.authorizing import Authorized, Wanted, authorize
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
from langgraph_memory.operations.orders.obey import ask_back, decline, obey
from langgraph_memory.operations.orders.proposing import propose
from langgraph_memory.operations.purge import Receipt, purge
from langgraph_memory.operations.recall import Recall, Sought, recall, seek, validate
from langgraph_memory.operations.remember import remember
from langgraph_memory.operations.skim import Compact, skim
from langgraph_memory.operations.speaking import is_own
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.operations.telling import answering, contradicted
from langgraph_memory.operations.transcript import Said, said, transcript
from langgraph_memory.operations.worker import queued
from langgraph_memory.operations.zones import zone_named
from langgraph_memory.policy.access import as_permission, as_role, check_stating
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.policy.trust import check_vouching
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.ports import ChatMessage, Citation, Vectors
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.text.secrets import redact

_NOT_SHARED = "acts in a shared scope, and conversations, orders and a purge are of one owner alone"


class ScopedMemory:
    """The memory as one owner sees it."""

    def __init__(self, engine: Engine, scope: Scope, timezone: str | None = None) -> None:
        self._engine = replace(engine, zone=zone_named(timezone)) if timezone else engine
        self._scope = scope
        self._timezone = timezone

    def _may(self, permission: Permission) -> Engine:
        """Return the engine for a deed; in a shared scope, once it is known to be allowed.

        Raises:
            AccessDeniedError: It is not.
        """
        return access.acting(self._engine, self._scope, permission)

    @property
    def _own(self) -> Engine:
        """The engine for what a user, or the program, does with what is theirs alone.

        Raises:
            InvalidScopeError: This is a shared scope.
        """
        if self._scope.acting is not None:
            raise InvalidScopeError("user", _NOT_SHARED)
        return self._engine

    def shared(self, project: str | None = None) -> ScopedMemory:
        """Return the organization's memory, or that of one project of it, with me acting in it.

        Each call asks anew whether my role there allows it, and raises ``AccessDeniedError`` where
        it does not. What I state there says that it was me.

        Args:
            project: Without one, the organization outside of all projects.

        Raises:
            InvalidScopeError: Nobody acts here: the scope has no user.
        """
        return ScopedMemory(self._engine, self._shared(project), self._timezone)

    def _shared(self, project: str | None) -> Scope:
        who = self._scope.acting or self._scope.user
        if who is None:
            raise InvalidScopeError("user", "is missing, and somebody has to act in what is shared")
        return Scope(self._scope.tenant, project=project, acting=who)

    def authorize(
        self, permission: Permission | str | None = None, *, project: str | None = None,
        roles: Sequence[Role | str] = (), evidence: Sequence[str] = (),
        verified: Verification | str = Verification.UNVERIFIED,
    ) -> Authorized:  # fmt: skip
        """Ask right before an action whether I may take it, and whether its reasons still hold.

        All is read anew. Nothing that memory says can answer this: only roles that were granted.

        Args:
            permission: What I need to be allowed to do in the shared scope.
            project: Which; of a shared scope, its own. Without, the organization.
            roles: I need one of these there.
            evidence: Ids of the memories that the action is based on: each must hold, for me.
            verified: Who at least must vouch for each of them.

        Raises:
            AccessDeniedError: I may not.
            UnsupportedActionError: A memory does not hold, or too little vouches for it.
            InvalidInputError: Nothing was asked, or there is no such role or permission.
        """
        here = self._scope
        place = here if here.acting is not None and project is None else self._shared(project)
        wanted = Wanted(
            None if permission is None else as_permission(permission),
            tuple(as_role(each) for each in roles),
            tuple(evidence),
            as_verification(verified),
        )
        return authorize(self._engine, here, place, wanted)

    def grant(self, user: str, role: Role | str) -> Grant:
        """Give a user a role in this shared scope. Raises as ``operations.access.grant``."""
        place = self._acted_in
        return access.grant(
            self._may(Permission.ADMINISTER), place, user, as_role(role), by=place.speaker
        )

    def revoke(self, user: str) -> Role | None:
        """Take a user's role in this shared scope away; return which it was. Raises as above."""
        return access.revoke(self._may(Permission.ADMINISTER), self._acted_in, user)

    def roles(self) -> list[Grant]:
        """Return who was given a role in this shared scope, by user. Raises as above."""
        return access.roles(self._may(Permission.ADMINISTER), self._acted_in)

    @property
    def _acted_in(self) -> Scope:
        if self._scope.acting is None:
            raise InvalidScopeError("user", "has this memory alone; roles are in shared() ones")
        return self._scope

    @property
    def bound(self) -> Scope:
        """Return who is asking."""
        return self._scope

    @property
    def procedures(self) -> Procedures:
        """The ways of working of this scope, which change only through review."""
        return Procedures(self._scope, self._may, self._decides)

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
            kind: ``semantic``, ``episodic`` or ``procedural``: that is a proposal, and waits for
                a review (see :attr:`procedures`).
            source: Who said it; this scope's user if omitted.
            verification: ``unverified``, ``user-stated`` or ``verified``; user-stated, if the
                user said it. In a shared scope others verify it: ``confirm``.
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
                model, or that nobody named proposes, or what the write policy does not keep.
            VersionConflictError: The record is at another version.
        """
        acting = self._scope.acting
        speaker = source or Source(SourceKind.USER, self._scope.speaker)
        vouched = _vouched(speaker) if verification is None else as_verification(verification)
        check_vouching(speaker.kind, vouched)
        if acting is not None:
            check_stating(acting, speaker, vouched)
        return remember(
            self._may(Permission.WRITE),
            Statement(
                content=content,
                scope=self._scope,
                provenance=Provenance(
                    speaker,
                    tuple(events),
                    verification=vouched,
                    purpose=redact(purpose),
                    author=acting or "",
                ),
                kind=as_kind(kind),
                key=key,
                valid=self._validity(content, valid_from, valid_until),
                ttl_minutes=ttl_minutes,
                metadata=metadata,
                expected=expected_version,
                review=acting is not None and as_kind(kind) is Kind.PROCEDURAL,
            ),
        )

    def _validity(self, content: str, start: datetime | None, end: datetime | None) -> Interval:
        if start is None and end is None and isinstance(content, str):
            return validity(content, self._engine.clock(), self._engine.zone)
        return Interval.of(start, end)

    def recall(self, question: str, *, limit: int = 5, threshold: float = STRONG_ENOUGH) -> Recall:
        """Return the evidence for a question, or why there is none. See ``operations.recall``."""
        return recall(
            self._may(Permission.READ), self._scope, question, limit=limit, threshold=threshold
        )

    def seek(self, question: str, *, limit: int = 5) -> Sought:
        """Propose candidates for a question: the first half of a recall."""
        return seek(self._may(Permission.READ), self._scope, question, limit=limit)

    def validate(self, sought: Sought, *, limit: int = 5) -> Recall:
        """Judge candidates and choose the evidence: the second half of a recall."""
        return validate(self._may(Permission.READ), self._scope, sought, limit=limit)

    def contradicted(self, told: Told, candidates: Sequence[Candidate]) -> list[Hit]:
        """Return the valid memories among the candidates that the user's words contradict."""
        return contradicted(self._may(Permission.READ), self._scope, told, candidates)

    def answering(self, question: str, statements: Sequence[str]) -> list[int]:
        """Return the places of the statements that answer a question by themselves."""
        return answering(self._engine, question, statements)

    def skim(self, question: str, *, limit: int = 20) -> list[Compact]:
        """Return memories that may fit, a line each; ``inspect`` has the rest of one."""
        return skim(self._may(Permission.READ), self._scope, question, limit=limit)

    def cite(self, record_ids: Sequence[str]) -> list[Citation]:
        """Return records as evidence to quote, read anew; what no longer holds is left out."""
        return cite(self._may(Permission.READ), self._scope, record_ids)

    def propose(self, command: Command, event_id: str, *, number: int = 0) -> JsonObject | None:
        """Return the change an order would make, for review. See ``operations.orders``."""
        return propose(self._own, self._scope, command, event_id, number=number)

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
        run_state = self._own.run_state
        return run_state.prune_thread(thread_id, keep=keep) if run_state else 0

    def forget(self, reference: str, *, reason: str = "") -> Forgotten:
        """Delete one memory by id, key or quoted words. Raises as ``operations.forget``."""
        return forget(self._may(Permission.FORGET), self._scope, reference, reason=reason)

    def correct(self, reference: str, content: str, *, reason: str = "") -> Remembered:
        """Let a memory say something else, its old words becoming history.

        Args:
            reference: Its id or the beginning of it, its key, or quoted words.
            content: What it shall say.
            reason: Why, kept with the new version.

        Raises:
            NotFoundError, AmbiguousReferenceError: Nothing, or several fit; nothing changed.
        """
        return amending.correct(
            self._may(Permission.WRITE), self._scope, reference, content, reason=reason
        )

    def confirm(
        self, reference: str, *, by: Source | str | None = None, reason: str = ""
    ) -> Amended:
        """Note that somebody vouches for a memory; ``by`` names a system of record.

        Without it, it is this scope's user who says so again. See ``operations.amending``.
        """
        return amending.confirm(
            self._may(Permission.REVIEW), self._scope, reference, by=by, reason=reason
        )

    def invalidate(self, reference: str, *, reason: str = "") -> Amended:
        """Mark a memory as false or revoked: it is never recalled, and stays for the record."""
        return amending.invalidate(
            self._may(Permission.REVIEW), self._scope, reference, reason=reason
        )

    def restore(self, reference: str, version: int | None = None, *, reason: str = "") -> Amended:
        """Let a memory say again what it said; by default, undo its last change."""
        return amending.restore(
            self._may(Permission.REVIEW), self._scope, reference, version, reason=reason
        )

    def approve(
        self, reference: str, *, by: str | None = None, version: int | None = None,
        reason: str = "",
    ) -> Amended:  # fmt: skip
        """Let the newest statement count that waits for review; ``by`` names who decides.

        With ``version``, only if that is the newest: else ``VersionConflictError``. In a shared
        scope who acts decides, about what somebody else stated: ``OwnClaimError``.
        """
        return amending.approve(
            self._may(Permission.REVIEW),
            self._scope,
            reference,
            by=self._decides(by),
            version=version,
            reason=reason,
        )

    def reject(
        self, reference: str, *, by: str | None = None, version: int | None = None,
        reason: str = "",
    ) -> Amended:  # fmt: skip
        """Set aside all that waits for review; with ``version`` the newest alone, if it is that."""
        return amending.reject(
            self._may(Permission.REVIEW),
            self._scope,
            reference,
            by=self._decides(by),
            version=version,
            reason=reason,
        )

    def _decides(self, named: str | None) -> str:
        acting = self._scope.acting
        if acting is not None and named not in (None, acting):
            raise InvalidInputError(f"by is {named!r}, and here {acting!r} decides. Leave by out.")
        return acting or named or ""

    def explain(self, reference: str) -> Explanation:
        """Return where a memory came from, since when, why, and whether it holds."""
        return explain(self._may(Permission.READ), self._scope, reference)

    def why(self, hit: Hit) -> Explanation:
        """Return why a recall came up with a hit, and what it was worth."""
        return why(hit, self._scope)

    def inspect(self, reference: str) -> Inspected:
        """Return one memory with its history and sources. Raises ``NotFoundError``."""
        return inspecting.inspect(self._may(Permission.READ), self._scope, reference)

    def contents(
        self, *, limit: int = 50, offset: int = 0, status: Status | str | None = None
    ) -> Contents:
        """Return a page of everything kept here, latest first, with the total.

        With ``status``, only what is in it: ``"pending review"`` is what waits for a decision.

        Raises:
            InvalidInputError: There is no such status, or paging is negative.
        """
        return inspecting.contents(
            self._may(Permission.READ), self._scope, limit=limit, offset=offset, status=status
        )

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

    def transcript(self, thread_id: str, *, limit: int = 1000) -> list[ChatMessage]:
        """Return what was said in a thread of this owner's, in order."""
        return transcript(self._own, self._scope, thread_id, limit=limit)

    def import_conversation(
        self, name: str, turns: Sequence[Turn], *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Imported:  # fmt: skip
        """Bring a conversation into memory, turn by turn, once."""
        return import_conversation(self._own, self._scope, name, turns, progress=progress)

    def purge(self) -> Receipt:
        """Remove everything this owner has in the home, and return the receipt."""
        return purge(self._own, self._scope)


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
