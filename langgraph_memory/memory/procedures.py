"""The ways of working of one owner: how they are proposed, tested, decided and gone back to."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.scope import Scope
from langgraph_memory.domain.trial import Trial
from langgraph_memory.operations import procedures
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.procedures import Procedure, ProcedureVersion
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.operations.trying import Run, Task, try_out
from langgraph_memory.policy.procedures import EVERY_TASK


class Procedures:
    """The procedures of exactly one scope, by name. Nothing takes force but by ``approve``.

    Names of people (``by``) are as good as the caller: take them from who is signed in, never
    from a message.
    """

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self._engine = engine
        self._scope = scope

    def propose(
        self, name: str, text: str, *, by: str | None = None, reason: str = ""
    ) -> Remembered:
        """Propose a procedure, or other words for one; ``by`` is this scope's user if omitted.

        Raises:
            InvalidInputError, RefusedError: The words cannot be taken, or nobody is named.
        """
        return procedures.propose(self._engine, self._scope, name, text, by=by, reason=reason)

    def test(
        self, name: str, tasks: Sequence[Task], run: Run, *, by: str, version: int | None = None
    ) -> list[Trial]:
        """Run it on held-out tasks, each ``(name, input, check)``, and store each result.

        ``run(text, input)`` does a task by the procedure's text; ``check(output)`` returns True,
        False or a ``Checked``. What either raises is a failed task. See ``operations.trying``.

        Raises:
            InvalidInputError: A task that cannot be run; nothing was run.
            NotFoundError: There is no such procedure or version.
        """
        return try_out(self._engine, self._scope, name, tasks, run, by=by, version=version)

    def results(self, name: str, version: int | None = None) -> list[Trial]:
        """Return the trials of a version's words, by default of the newest that waits.

        Raises:
            NotFoundError: There is no such procedure or version.
        """
        return procedures.results(self._engine, self._scope, name, version)

    def approve(
        self, name: str, *, by: str, version: int | None = None, reason: str = "",
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
            self._engine, self._scope, name, by=by, version=version, reason=reason, bar=bar
        )

    def reject(
        self, name: str, *, by: str, version: int | None = None, reason: str = ""
    ) -> Amended:
        """Set aside all that waits, with ``version`` the newest alone, if it is that."""
        return procedures.reject(
            self._engine, self._scope, name, by=by, version=version, reason=reason
        )

    def rollback(
        self, name: str, to: int, *, by: str, reason: str = "", bar: float = EVERY_TASK
    ) -> Amended:
        """Put an earlier version in force again that was approved, and whose results stand.

        Raises:
            InvalidInputError, NotFoundError: It was never approved, or there is none.
            UnreviewedError: Its results do not pass any more.
        """
        return procedures.rollback(
            self._engine, self._scope, name, to, by=by, reason=reason, bar=bar
        )

    def active(self, name: str) -> ProcedureVersion | None:
        """Return what is in force; None where nothing is."""
        return procedures.active(self._engine, self._scope, name)

    def inspect(self, name: str) -> Procedure:
        """Return one with all its versions. Raises ``NotFoundError``."""
        return procedures.procedure(self._engine, self._scope, name)

    def list(self) -> list[Procedure]:
        """Return all, by name: what is in force, and what waits."""
        return procedures.listed(self._engine, self._scope)

    def diff(self, name: str, older: int, newer: int | None = None) -> Sequence[Difference]:
        """Return what changed from one version to another, the last one if not said.

        Raises:
            NotFoundError: There is no such procedure or version.
        """
        return procedures.diff(self._engine, self._scope, name, older, newer)
