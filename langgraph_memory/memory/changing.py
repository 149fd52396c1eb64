"""What changes, or takes away, what memory says."""

from __future__ import annotations

from langgraph_memory.domain.provenance import Source
from langgraph_memory.domain.roles import Permission
from langgraph_memory.memory.bound import Bound
from langgraph_memory.operations import changing, reviewing
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.forget import Forgotten, forget
from langgraph_memory.operations.purge import Receipt, purge
from langgraph_memory.operations.statements import Remembered


class Changing(Bound):
    """Corrections, reviews and forgetting, each as a new version or a tombstone."""

    def correct(self, reference: str, content: str, *, reason: str = "") -> Remembered:
        """Let a memory say something else, its old words becoming history.

        Args:
            reference: Its id or the beginning of it, its key, or quoted words.
            content: What it shall say.
            reason: Why, kept with the new version.

        Raises:
            NotFoundError, AmbiguousReferenceError: Nothing, or several fit; nothing changed.
        """
        return changing.correct(
            self._may(Permission.WRITE), self._scope, reference, content, reason=reason
        )

    def confirm(
        self, reference: str, *, by: Source | str | None = None, reason: str = ""
    ) -> Amended:
        """Note that somebody vouches for a memory; ``by`` names a system of record.

        Without it, it is this scope's user who says so again. See ``operations.changing``.
        """
        return changing.confirm(
            self._may(Permission.REVIEW), self._scope, reference, by=by, reason=reason
        )

    def invalidate(self, reference: str, *, reason: str = "") -> Amended:
        """Mark a memory as false or revoked: it is never recalled, and stays for the record."""
        return changing.invalidate(
            self._may(Permission.REVIEW), self._scope, reference, reason=reason
        )

    def restore(self, reference: str, version: int | None = None, *, reason: str = "") -> Amended:
        """Let a memory say again what it said; by default, undo its last change."""
        return changing.restore(
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
        return reviewing.approve(
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
        return reviewing.reject(
            self._may(Permission.REVIEW),
            self._scope,
            reference,
            by=self._decides(by),
            version=version,
            reason=reason,
        )

    def forget(self, reference: str, *, reason: str = "") -> Forgotten:
        """Delete one memory by id, key or quoted words. Raises as ``operations.forget``."""
        return forget(self._may(Permission.FORGET), self._scope, reference, reason=reason)

    def purge(self) -> Receipt:
        """Remove everything this owner has in the home, and return the receipt."""
        return purge(self._own, self._scope)
