"""The ways of working of one owner: how they are proposed, tested, decided and gone back to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.roles import Permission
from langgraph_memory.domain.scope import Scope
from langgraph_memory.domain.trial import Trial
from langgraph_memory.operations import procedures
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.procedures import Procedure, ProcedureVersion
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.operations.trying import Run, Task, try_out
from langgraph_memory.policy.procedures import EVERY_TASK

May = Callable[[Permission], Engine]
"""Returns the engine for a deed that is allowed; raises ``AccessDeniedError`` for any other."""

Decides = Callable[[str | None], str]
"""Returns the name of who decides: who is named, or who acts in a shared scope."""


class Procedures:
    """The procedures of exactly one scope, by name. Nothing takes force but by ``approve``.

    Names of people (``by``) are as good as the caller: take them from who is signed in, never
    from a message. In a shared scope who acts is named, needs a role for each call
    (``AccessDeniedError``), and ``by`` may be left out.
    """

    def __init__(self, scope: Scope, may: May, decides: Decides) -> None:
        self._scope = scope
        self._may = may
        self._decides = decides

    def propose(
        self, name: str, text: str, *, by: str | None = None, reason: str = ""
    ) -> Remembered:
        """Propose a procedure, or other words for one; ``by`` is this scope's user if omitted.

        A scope without a user, the organization's, needs ``by``.

        Raises:
            InvalidInputError, RefusedError: The words cannot be taken, or nobody is named.
        """
        return procedures.propose(
            self._may(Permission.WRITE),
            self._scope,
            name,
            text,
            by=None if by is None else self._decides(by),
            reason=reason,
        )

    def test(
        self,
        name: str,
        tasks: Sequence[Task],
        run: Run,
        *,
        by: str | None = None,
        version: int | None = None,
    ) -> list[Trial]:
        """Run it on held-out tasks, each ``(name, input, check)``, and store each result.

        ``run(text, input)`` does a task by the procedure's text; ``check(output)`` returns True,
        False or a ``Checked``. What either raises is a failed task. See ``operations.trying``.

        Raises:
            InvalidInputError: A task that cannot be run; nothing was run.
            NotFoundError: There is no such procedure or version.
        """
        return try_out(
            self._may(Permission.WRITE),
            self._scope,
            name,
            tasks,
            run,
            by=self._decides(by),
            version=version,
        )

    def results(self, name: str, version: int | None = None) -> list[Trial]:
        """Return the trials of a version's words, by default of the newest that waits.

        Raises:
            NotFoundError: There is no such procedure or version.
        """
        return procedures.results(self._may(Permission.READ), self._scope, name, version)

    def approve(
        self, name: str, *, by: str | None = None, version: int | None = None, reason: str = "",
        bar: float = EVERY_TASK,
    ) -> Amended:  # fmt: skip
        """Put the newest proposal in force; with ``version``, only if that is the newest.

        Args:
            name: The procedure.
            by: The reviewer; not who proposed it.
            version: What the reviewer has seen.
            reason: Why, kept with the new version.
            bar: The share of the tasks that must have passed.

        Raises:
            UnreviewedError: This reviewer may not, or the results do not pass.
            VersionConflictError: Something else than ``version`` is the last now.
            InvalidInputError, NotFoundError: Nothing waits there, or nobody is named.
        """
        return procedures.approve(
            self._may(Permission.REVIEW),
            self._scope,
            name,
            by=self._decides(by),
            version=version,
            reason=reason,
            bar=bar,
        )

    def reject(
        self, name: str, *, by: str | None = None, version: int | None = None, reason: str = ""
    ) -> Amended:
        """Set aside all that waits, with ``version`` the newest alone, if it is that."""
        return procedures.reject(
            self._may(Permission.REVIEW),
            self._scope,
            name,
            by=self._decides(by),
            version=version,
            reason=reason,
        )

    def rollback(
        self,
        name: str,
        to: int,
        *,
        by: str | None = None,
        reason: str = "",
        bar: float = EVERY_TASK,
    ) -> Amended:
        """Put an earlier version in force again that was approved, and whose results stand.

        Raises:
            InvalidInputError, NotFoundError: It was never approved, or there is none.
            UnreviewedError: Its results do not pass any more.
        """
        return procedures.rollback(
            self._may(Permission.REVIEW),
            self._scope,
            name,
            to,
            by=self._decides(by),
            reason=reason,
            bar=bar,
        )

    def active(self, name: str) -> ProcedureVersion | None:
        """Return what is in force; None where nothing is."""
        return procedures.active(self._may(Permission.READ), self._scope, name)

    def inspect(self, name: str) -> Procedure:
        """Return one with all its versions. Raises ``NotFoundError``."""
        return procedures.procedure(self._may(Permission.READ), self._scope, name)

    def list(self) -> list[Procedure]:
        """Return all, by name: what is in force, and what waits."""
        return procedures.listed(self._may(Permission.READ), self._scope)

    def diff(self, name: str, older: int, newer: int | None = None) -> Sequence[Difference]:
        """Return what changed from one version to another, the last one if not said.

        Raises:
            NotFoundError: There is no such procedure or version.
        """
        return procedures.diff(self._may(Permission.READ), self._scope, name, older, newer)
