"""The memory of one home: its scopes, its plain items, its upkeep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from langgraph_memory.domain.counts import Count, What
from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Version
from langgraph_memory.domain.roles import Grant, Loss, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.memory.scoped import ScopedMemory
from langgraph_memory.operations import access, monitoring
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.item_groups import write_group
from langgraph_memory.operations.item_history import (
    Mergeable,
    Restorable,
    diff,
    history,
    mergeable,
    version_to_restore,
)
from langgraph_memory.operations.item_past import SearchPast, get_past, search_past
from langgraph_memory.operations.item_search import ItemHit
from langgraph_memory.operations.item_writes import PutItem
from langgraph_memory.operations.items import ItemRequest, ItemResult, run_batch
from langgraph_memory.operations.maintain import sweep
from langgraph_memory.operations.rebuild import Rebuilt, rebuild
from langgraph_memory.operations.recall import versions
from langgraph_memory.operations.verify import Report, verify
from langgraph_memory.operations.worker import Worked, all_jobs, do_next, work_off
from langgraph_memory.policy.access import as_role
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import Job


class Memory:
    """The memory of one home. Any thread may use it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def scope(
        self, *, tenant: str, user: str | None = None, project: str | None = None,
        agent: str | None = None, session: str | None = None, timezone: str | None = None,
    ) -> ScopedMemory:  # fmt: skip
        """Return the memory as one owner sees it.

        Args:
            tenant: The customer or company.
            user: The person, any text, an e-mail address too; omit for the organization.
            project: Keeps one project's memories apart.
            agent: Keeps one agent's memories apart.
            session: Keeps one session's memories apart.
            timezone: Where the days begin of which they speak, as ``Europe/Berlin``; where
                ``MEMORY_TIMEZONE`` says, if omitted.

        Raises:
            InvalidScopeError: A part is empty or not text.
            InvalidInputError: There is no such time zone.
        """
        return self.bound_to(Scope(tenant, user, project, agent, session), timezone)

    def bound_to(self, scope: Scope, timezone: str | None = None) -> ScopedMemory:
        """Return the memory as this scope sees it. Raises as :meth:`scope`."""
        return ScopedMemory(self._engine, scope, timezone)

    def grant(
        self, tenant: str, user: str, role: Role | str, *, project: str | None = None, by: str
    ) -> Grant:
        """Give a user a role in the organization, or in one project of it.

        This is the program's own word: nobody's role is asked. Users grant in ``me.shared()``.

        Args:
            tenant: The organization.
            user: Who gets the role, in the place of the one they have there.
            role: ``owner``, ``admin``, ``member``, ``reviewer`` or ``reader``.
            project: Without one, in the organization outside of projects.
            by: Who grants it.

        Raises:
            InvalidInputError: There is no such role, or a name is missing.
        """
        place = Scope(tenant, project=project)
        return access.grant(self._engine, place, user, as_role(role), by=by)

    def revoke(self, tenant: str, user: str, *, project: str | None = None, by: str) -> Role | None:
        """Take a user's role in a place away; return which it was, None without one.

        It is gone with the next call, in every process. Who took it, ``by``, is kept.

        Raises:
            InvalidInputError: A name is missing.
        """
        return access.revoke(self._engine, Scope(tenant, project=project), user, by=by)

    def roles(self, tenant: str, project: str | None = None) -> list[Grant]:
        """Return who was given a role in the organization, or in one project of it, by user."""
        return access.roles(self._engine, Scope(tenant, project=project))

    def losses(self, tenant: str, project: str | None = None) -> list[Loss]:
        """Return whose role there was taken away and not given again, and by whom, by user."""
        return access.losses(self._engine, Scope(tenant, project=project))

    def counts(self, *, tenant: str | None = None, since: date | None = None) -> list[Count]:
        """Return how often things were refused, redacted, quarantined, held or denied, by day.

        Latest first. A count holds no content, is kept for 400 days, and is written within about a
        second; a process that is killed loses what it had not written.

        Args:
            tenant: Of one tenant; of all, and what nobody could be named for, if omitted.
            since: From this day on, UTC.
        """
        return monitoring.counts(self._engine, tenant=tenant, since=since)

    def note_denied(self, scope: Scope | None = None) -> None:
        """Count that somebody reached for what is another's; None where it is not known who."""
        monitoring.note(self._engine, What.DENIED, scope)

    def items(
        self, requests: Sequence[ItemRequest], *, hide_expired: bool = True,
        retention: Retention | None = None,
    ) -> list[ItemResult]:  # fmt: skip
        """Run plain store requests as one atomic batch. Raises as ``run_batch``."""
        return run_batch(self._engine, requests, hide_expired=hide_expired, retention=retention)

    def write_group(
        self, batches: Sequence[Sequence[PutItem]], *, hide_expired: bool = True,
        retention: Retention | None = None,
    ) -> list[MemoryLayerError | None]:  # fmt: skip
        """Write batches of plain puts in one transaction. Raises as ``write_group``."""
        bounds = (retention or self._engine.retention).showing(hide_expired=hide_expired)
        return write_group(self._engine, batches, retention=bounds)

    def past_item(
        self, namespace: Namespace, key: str, at: Moment, *, hide_expired: bool = True
    ) -> ItemHit | None:
        """Return one item as it stood at another moment."""
        return get_past(self._engine, namespace, key, at, hide_expired=hide_expired)

    def search_past(self, asked: SearchPast, *, hide_expired: bool = True) -> list[ItemHit]:
        """Return a page of items as they stood at another moment. Raises as ``search_past``."""
        return search_past(self._engine, asked, hide_expired=hide_expired)

    def history(
        self, namespace: Namespace, key: str, *, hide_expired: bool = True
    ) -> list[Version]:
        """Return every version kept of a plain item, oldest first, tombstones included."""
        return history(self._engine, namespace, key, hide_expired=hide_expired)

    def diff(
        self, namespace: Namespace, key: str, older: int, newer: int | None = None, *,
        hide_expired: bool = True,
    ) -> list[Difference]:  # fmt: skip
        """Return what changed between two versions. Raises ``NotFoundError``."""
        return diff(self._engine, namespace, key, older, newer, hide_expired=hide_expired)

    def mergeable(self, namespace: Namespace, key: str, *, hide_expired: bool = True) -> Mergeable:
        """Return what a change of a plain item is merged into."""
        return mergeable(self._engine, namespace, key, hide_expired=hide_expired)

    def version_to_restore(
        self, namespace: Namespace, key: str, number: int, *, hide_expired: bool = True
    ) -> Restorable:
        """Return a version whose value can be said again. Raises ``NotFoundError``."""
        return version_to_restore(self._engine, namespace, key, number, hide_expired=hide_expired)

    def sweep(self) -> int:
        """Erase what has expired; return how many records went."""
        return sweep(self._engine)

    def work_off(self) -> int:
        """Do all queued background work now; return how many jobs were done.

        Raises ``EmbedderMismatchError`` where it is for a process with another embedder.
        """
        return work_off(self._engine, early=True)

    def work_on(self, owner: Scope | None = None, *, early: bool = True) -> Worked | None:
        """Do one queued job, of one owner or of anybody; None if there is none to do.

        Raises as :meth:`work_off`.
        """
        return do_next(self._engine, early=early, owner=owner)

    def jobs(self, owner: Scope | None = None) -> list[Job]:
        """Return the background jobs not finished yet, failed ones included."""
        return all_jobs(self._engine, owner)

    def verify(
        self, *, repair: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Report:
        """Look at everything the home holds, of all owners.

        Args:
            repair: Make anew what is derived and wrong: words, vectors, indexes. The truth
                is never changed.
            progress: Called with records done and records in all.
        """
        return verify(self._engine, repair=repair, progress=progress)

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
        """Make words and indexes anew from what is kept; nothing is embedded."""
        return rebuild(self._engine, progress=progress)

    def versions(self) -> dict[str, str]:
        """Return the versions of everything that shapes a recall."""
        return versions(self._engine)
