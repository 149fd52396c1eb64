"""Who may do what in a shared scope, and who has which role there.

========  ====  =====  ======  ======  ==========  =========================
role      read  write  review  forget  administer  may give and take
========  ====  =====  ======  ======  ==========  =========================
owner     yes   yes    yes     yes     yes         every role
admin     yes   yes    yes     yes     yes         member, reviewer, reader
member    yes   yes
reviewer  yes          yes
reader    yes
========  ====  =====  ======  ======  ==========  =========================

A personal scope is its user's alone, who may do everything in it; nobody else has any role there.
In a shared scope somebody has the role that was granted. Without a grant, every user of the tenant
is a reader of the organization outside of its projects, unless the operator closed it, and nothing
in a project. An owner or an admin of the organization is one in each of its projects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Scope, locate
from langgraph_memory.errors import InvalidInputError

MAY: Mapping[Role, frozenset[Permission]] = {
    Role.OWNER: frozenset(Permission),
    Role.ADMIN: frozenset(Permission),
    Role.MEMBER: frozenset({Permission.READ, Permission.WRITE}),
    Role.REVIEWER: frozenset({Permission.READ, Permission.REVIEW}),
    Role.READER: frozenset({Permission.READ}),
}

_GIVES: Mapping[Role, frozenset[Role]] = {
    Role.OWNER: frozenset(Role),
    Role.ADMIN: frozenset({Role.MEMBER, Role.REVIEWER, Role.READER}),
}

_EVERYWHERE = frozenset({Role.OWNER, Role.ADMIN})
"""Roles in the organization that hold in its projects."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one user is in the shared scopes of their tenant.

    Attributes:
        granted: Their role by project; under None, in the organization outside of projects.
        closed: Whether the organization is closed to who has no role in it.
    """

    granted: Mapping[str | None, Role] = field(default_factory=dict)
    closed: bool = False

    def roles(self, project: str | None) -> frozenset[Role]:
        """Return the roles that count in a project, or in the organization outside of them."""
        ours = self.granted.get(None)
        if project is None:
            default = frozenset() if self.closed else frozenset({Role.READER})
            return default if ours is None else frozenset({ours})
        here = self.granted.get(project)
        return frozenset({here} if here else ()) | (_EVERYWHERE & {ours})

    def permits(self, permission: Permission, project: str | None) -> bool:
        """Tell whether any of these roles allows it."""
        return any(permission in MAY[role] for role in self.roles(project))

    def may_give(self, role: Role, project: str | None) -> bool:
        """Tell whether this user may give, or take, the role there."""
        return any(role in _GIVES.get(each, ()) for each in self.roles(project))


def permitted(asker: Scope, standing: Standing, permission: Permission, place: Scope) -> bool:
    """Tell whether who asks may do something with what a place keeps.

    Args:
        asker: Who; a scope without a user is the program itself, unless somebody acts in it.
        standing: The asker's roles in the asker's tenant.
        permission: What.
        place: Whose records: a user's, or the organization's.
    """
    if asker.tenant != place.tenant:
        return False
    if place.user is not None:
        return asker.user == place.user
    if asker.user is None and asker.acting is None:
        return True
    return standing.permits(permission, place.project)


class Reach:
    """What a scope may read, each namespace looked at once: a recall asks of the same few."""

    def __init__(self, scope: Scope, standing: Standing) -> None:
        self._scope = scope
        self._standing = standing
        self._known: dict[Namespace, bool] = {}

    def reads(self, namespace: Namespace) -> bool:
        """Tell whether the scope may read what stands there: it is within, and is allowed to."""
        if namespace not in self._known:
            self._known[namespace] = self._reads(namespace)
        return self._known[namespace]

    def _reads(self, namespace: Namespace) -> bool:
        if not self._scope.reads(namespace):
            return False
        place = locate(namespace)
        return place is not None and permitted(
            self._scope, self._standing, Permission.READ, place[0]
        )


def check_stating(acting: str, source: Source, verification: Verification) -> None:
    """Refuse a statement in a shared scope that speaks for somebody else, or vouches for itself.

    Raises:
        InvalidInputError: It does.
    """
    if source.kind is SourceKind.USER and source.name != acting:
        raise InvalidInputError(
            f"In a shared scope {acting!r} speaks, not {source.name!r}. Leave the source out, or "
            "name the document, page, tool or system that says so."
        )
    if verification is Verification.VERIFIED:
        raise InvalidInputError(
            "In a shared scope nobody vouches for what they state themselves. Leave verification "
            "out; another reviewer, admin or owner may confirm it."
        )


def needed(permission: Permission) -> tuple[Role, ...]:
    """Return the roles that allow something, the least first."""
    return tuple(role for role in reversed(Role) if permission in MAY[role])


def as_role(role: Role | str) -> Role:
    """Return the role of a name.

    Raises:
        InvalidInputError: There is no such role.
    """
    try:
        return Role(role)
    except ValueError:
        names = ", ".join(Role)
        raise InvalidInputError(f"There is no role {role!r}. Use one of: {names}.") from None


def as_permission(permission: Permission | str) -> Permission:
    """Return the permission of a name.

    Raises:
        InvalidInputError: There is no such permission.
    """
    try:
        return Permission(permission)
    except ValueError:
        names = ", ".join(Permission)
        raise InvalidInputError(
            f"There is no permission {permission!r}. Use one of: {names}."
        ) from None
