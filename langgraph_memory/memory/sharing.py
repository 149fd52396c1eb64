"""What the organization keeps, as one who acts in it sees it, and who may do what there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.roles import Grant, Loss, Permission, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import InvalidScopeError
from langgraph_memory.memory.bound import Bound
from langgraph_memory.memory.naming import as_verification
from langgraph_memory.operations import access
from langgraph_memory.operations.authorizing import Authorized, Wanted, authorize
from langgraph_memory.policy.access import as_permission, as_role


class Sharing(Bound):
    """Roles in what is shared, and acting there."""

    def shared(self, project: str | None = None) -> Self:
        """Return the organization's memory, or that of one project of it, with me acting in it.

        Each call asks anew whether my role there allows it, and raises ``AccessDeniedError`` where
        it does not. What I state there says that it was me.

        Args:
            project: Without one, the organization outside of all projects.

        Raises:
            InvalidScopeError: Nobody acts here: the scope has no user.
        """
        return type(self)(self._engine, self._shared(project), self._timezone)

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
        place = self._acted_in
        return access.revoke(self._may(Permission.ADMINISTER), place, user, by=place.speaker)

    def roles(self) -> list[Grant]:
        """Return who was given a role in this shared scope, by user. Raises as above."""
        return access.roles(self._may(Permission.ADMINISTER), self._acted_in)

    def losses(self) -> list[Loss]:
        """Return whose role here was taken away, and by whom, by user. Raises as above."""
        return access.losses(self._may(Permission.ADMINISTER), self._acted_in)

    @property
    def _acted_in(self) -> Scope:
        if self._scope.acting is None:
            raise InvalidScopeError("user", "has this memory alone; roles are in shared() ones")
        return self._scope
