"""Roles at work: asked before anything is searched for, and again before anything is done.

Nothing of it is remembered between two transactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from langgraph_memory.domain.json import check_text
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.roles import Grant, Loss, Permission, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import GIVE_BY, AccessDeniedError, InvalidInputError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.policy.access import Reach, Standing, needed
from langgraph_memory.policy.credentials import check_scope
from langgraph_memory.ports import Database, Transaction
from langgraph_memory.text.secrets import redact


def standing(engine: Engine, tx: Transaction, scope: Scope) -> Standing:
    """Return the roles of who asks, as they are in this view."""
    who = scope.acting or scope.user
    granted = {} if who is None else tx.grants.of(scope.tenant, who)
    return Standing(granted, closed=engine.closed)


def reach(engine: Engine, tx: Transaction, scope: Scope) -> Reach:
    """Return what a scope may read, as its roles are in this view."""
    return Reach(scope, standing(engine, tx, scope))


def readable(
    tx: Transaction, scope: Scope, within: Reach
) -> dict[Namespace, tuple[Namespace, ...]]:
    """Return by circle the namespaces of it that may be searched, where that is a choice.

    What a user keeps is theirs, all of it; so is the organization's to the program itself.
    """
    if scope.user is None and scope.acting is None:
        return {}
    shared = Scope(scope.tenant).root
    there = tx.words.namespaces(shared)
    return {shared: tuple(each for each in there if within.reads(each))}


def check(engine: Engine, tx: Transaction, scope: Scope, permission: Permission) -> None:
    """Refuse who acts in a shared scope and may not do so.

    Raises:
        AccessDeniedError: None of their roles there allows it.
    """
    if scope.acting is None:
        return
    with noticing(engine, scope):
        if not standing(engine, tx, scope).permits(permission, scope.project):
            raise AccessDeniedError(scope.acting, permission, place_of(scope), needed(permission))


def place_of(scope: Scope) -> str:
    """Return a shared scope in words."""
    if scope.project is None:
        return f"the organization {scope.tenant!r}"
    return f"the project {scope.project!r} of {scope.tenant!r}"


@dataclass(frozen=True, slots=True)
class CheckedDatabase:
    """``ports.Database`` that asks in each transaction whether who acts may do what they do.

    So a role that was taken away is gone in the next transaction of any process, and no operation
    can forget to ask.
    """

    database: Database
    engine: Engine
    scope: Scope
    permission: Permission

    @property
    def path(self) -> Path:
        """Return where the truth is kept."""
        return self.database.path

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a view. Raises as ``check``."""
        with self.database.read() as tx:
            check(self.engine, tx, self.scope, self.permission)
            yield tx

    @contextmanager
    def write(self, *, wait_seconds: float | None = None) -> Iterator[Transaction]:
        """Open a write. Raises as ``check``."""
        with self.database.write(wait_seconds=wait_seconds) as tx:
            check(self.engine, tx, self.scope, self.permission)
            yield tx

    def filter_fields(self) -> tuple[str, ...]:
        """Return the fields of values that filters find by an index."""
        return self.database.filter_fields()

    def declare_filter_fields(self, fields: Sequence[str]) -> None:
        """Give fields an index."""
        self.database.declare_filter_fields(fields)

    def fold(self) -> bool:
        """Write the file anew without what was erased."""
        return self.database.fold()

    def close(self) -> None:
        """Do nothing: it is somebody else's."""


def acting(engine: Engine, scope: Scope, permission: Permission) -> Engine:
    """Return the engine for one deed in a shared scope, once it is known to be allowed.

    Raises:
        AccessDeniedError: It is not.
    """
    with engine.database.read() as tx:
        check(engine, tx, scope, permission)
    return replace(engine, database=CheckedDatabase(engine.database, engine, scope, permission))


def grant(engine: Engine, place: Scope, user: str, role: Role, *, by: str) -> Grant:
    """Give a user a role in a shared scope, in the place of the one they have there.

    Who acts in ``place`` needs to be allowed to: to give that role, and to take the other.

    Raises:
        AccessDeniedError: They are not.
        InvalidInputError: ``user`` or ``by`` is no name.
        RefusedError: An id holds a credential.
    """
    who = Scope(place.tenant, user)
    check_scope(who)
    check_scope(place)
    given = Grant(place.tenant, place.project, user, role, _giver(by), engine.clock())
    with engine.database.write() as tx:
        before = tx.grants.of(who.tenant, user).get(place.project)
        for each in filter(None, (role, before)):
            _check_giving(engine, tx, place, each)
        tx.grants.put(given)
    return given


def revoke(engine: Engine, place: Scope, user: str, *, by: str) -> Role | None:
    """Take a user's role in a shared scope away; return which it was. Raises as :func:`grant`."""
    who = Scope(place.tenant, user)
    taker = _giver(by)
    with engine.database.write() as tx:
        before = tx.grants.of(who.tenant, user).get(place.project)
        if before is not None:
            _check_giving(engine, tx, place, before)
            tx.grants.take(Loss(place.tenant, place.project, user, before, taker, engine.clock()))
    return before


def roles(engine: Engine, place: Scope) -> list[Grant]:
    """Return who was given a role in a shared scope, by user."""
    with engine.database.read() as tx:
        return tx.grants.at(place.tenant, place.project)


def losses(engine: Engine, place: Scope) -> list[Loss]:
    """Return whose role in a shared scope was taken away and not given again, by user."""
    with engine.database.read() as tx:
        return tx.grants.lost(place.tenant, place.project)


def _giver(by: str) -> str:
    if not check_text(by, "by").strip():
        raise InvalidInputError("Nobody is named who gives or takes the role.", way=GIVE_BY)
    return redact(by.strip())


def _check_giving(engine: Engine, tx: Transaction, place: Scope, role: Role) -> None:
    if place.acting is None:
        return
    with noticing(engine, place):
        if not standing(engine, tx, place).may_give(role, place.project):
            raise AccessDeniedError(
                place.acting, f"give or take the role {role}", place_of(place),
                (Role.OWNER,), "an owner",
            )  # fmt: skip
