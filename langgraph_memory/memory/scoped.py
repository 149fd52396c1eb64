"""The memory as one owner sees it: nothing outside the scope can be seen or changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.passing import SaidIn
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.roles import Permission
from langgraph_memory.domain.scope import Kind
from langgraph_memory.memory.changing import Changing
from langgraph_memory.memory.conversing import Conversing
from langgraph_memory.memory.naming import as_kind, as_verification
from langgraph_memory.memory.procedures import Procedures
from langgraph_memory.memory.sharing import Sharing
from langgraph_memory.operations import inspect as inspecting
from langgraph_memory.operations.explaining import Explanation, explain, why
from langgraph_memory.operations.inspect import Contents, Inspected
from langgraph_memory.operations.passing import cite_all, unread, with_passing
from langgraph_memory.operations.recall import Recall, Sought, recall, seek, validate
from langgraph_memory.operations.remember import remember
from langgraph_memory.operations.skim import Compact, skim
from langgraph_memory.operations.statements import Remembered, Statement
from langgraph_memory.operations.telling import answering, contradicted
from langgraph_memory.policy.access import check_stating
from langgraph_memory.policy.language.happening import happened
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.trust import check_vouching
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.ports import Citation, Vectors
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.retrieval.stages import EVERY, Stages


class ScopedMemory(Sharing, Conversing, Changing):
    """The memory as one owner sees it."""

    @property
    def procedures(self) -> Procedures:
        """The ways of working of this scope, which change only through review."""
        return Procedures(self._scope, self._may, self._decides)

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
                Without a key, the same words are the same record; of an episode, the same words
                of the same day. No episode is replaced: under the key of one, say the same
                again, or ``correct`` it.
            kind: ``semantic``, ``episodic`` or ``procedural``: that is a proposal, and waits for
                a review (see :attr:`procedures`).
            source: Who said it; this scope's user if omitted.
            verification: ``unverified``, ``user-stated`` or ``verified``; user-stated, if the
                user said it. In a shared scope others verify it: ``confirm``.
            events: Ids of the captured events it was said in.
            valid_from: Holds from this instant in the world; an aware datetime. Where neither
                is given, the words tell: "until Friday", "from next month", 从下个月开始; of an
                episode the day, "yesterday", and today where they name none.
            valid_until: No longer holds from this instant; an aware datetime.
            ttl_minutes: How long to keep it instead of the kind's lifetime.
            metadata: Further JSON fields to keep and filter by.
            expected_version: Write only if the record is at this version; 0 for a new one.
            purpose: What it is kept for; the write policy's own for its kind or domain if
                empty. Some personal data is kept only where it is named.

        Raises:
            InvalidInputError: Empty content, naive datetime, reserved metadata name, verified by
                a document, an episode under the key of another, ...
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
                    purpose=purpose,
                    author=acting or "",
                ),
                kind=as_kind(kind),
                key=key,
                valid=self._validity(content, as_kind(kind), valid_from, valid_until),
                ttl_minutes=ttl_minutes,
                metadata=metadata,
                expected=expected_version,
                review=acting is not None and as_kind(kind) is Kind.PROCEDURAL,
            ),
        )

    def _validity(
        self, content: str, kind: Kind, start: datetime | None, end: datetime | None
    ) -> Interval:
        if start is None and end is None and isinstance(content, str):
            now, zone = self._engine.clock(), self._engine.zone
            if kind is Kind.EPISODIC:
                return happened(content, now, zone, event=True)
            return validity(content, now, zone)
        return Interval.of(start, end)

    def recall(
        self, question: str, *, limit: int = 5, threshold: float = STRONG_ENOUGH,
        stages: Stages = EVERY,
    ) -> Recall:  # fmt: skip
        """Return the evidence for a question, or why there is none. See ``operations.recall``."""
        engine = self._may(Permission.READ)
        waiting = unread(engine, self._scope)
        found = recall(
            engine, self._scope, question, limit=limit, threshold=threshold, stages=stages
        )
        return with_passing(engine, self._scope, found, waiting)

    def unread(self) -> tuple[str, ...]:
        """Return the events that wait for background work; to be asked before a search."""
        return unread(self._may(Permission.READ), self._scope)

    def with_passing(
        self, found: Recall, waiting: Sequence[str], *, beside: Sequence[Hit] = (),
        told: Told | None = None, but: Collection[str] = (),
    ) -> Recall:  # fmt: skip
        """Return a recall with what was said in passing. See ``operations.passing``."""
        engine = self._may(Permission.READ)
        return with_passing(engine, self._scope, found, waiting, beside=beside, told=told, but=but)

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

    def cite(self, references: Sequence[str | SaidIn]) -> list[Citation]:
        """Return evidence to quote, read anew; what no longer holds is left out.

        That is records by id, and words said in passing by their place.
        """
        return cite_all(self._may(Permission.READ), self._scope, references)

    @property
    def has_vectors(self) -> bool:
        """Whether this home finds by meaning."""
        return self._engine.embedder is not None

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return ``(n, dims)`` unit rows, one a text; only in a home that has vectors."""
        found = self._engine.text_vectors(texts)
        assert found is not None
        return found

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


def _vouched(source: Source) -> Verification:
    if source.kind is SourceKind.USER:
        return Verification.USER_STATED
    return Verification.UNVERIFIED
