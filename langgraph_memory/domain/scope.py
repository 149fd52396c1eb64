"""Who is asking, and where what they own is kept.

A scope names an owner inside one tenant: a user, or the organization itself (``user`` is
None). Project, agent and session narrow it. Only this module turns identities into
namespace labels; every label it makes is reversible, so ``a.b``, ``a_b`` and ``a%2Eb`` are
three users.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from langgraph_memory.domain.json import check_text
from langgraph_memory.domain.namespace import Namespace, decode_label, encode_label
from langgraph_memory.errors import InvalidScopeError, InvalidValueError

ROOT = "memory"
ORGANIZATION = "org"
MAX_ID_LENGTH = 256

_TAILS = (("project", "p="), ("agent", "a="), ("session", "s="))


class Kind(StrEnum):
    """What sort of thing is remembered."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


@dataclass(frozen=True, slots=True)
class Scope:
    """An owner of memories.

    Attributes:
        tenant: The customer or company; the outermost wall.
        user: The person, any text, or None for what belongs to the organization.
        project, agent, session: Narrower circles inside the user's, each optional.
        acting: Who acts where the organization, or the one project of it, is shared. Such a scope
            is that place alone: without a project, the organization outside of all projects.

    Raises:
        InvalidScopeError: A part is empty, too long, or not text; or a user's own memory is to be
            shared.
    """

    tenant: str
    user: str | None = None
    project: str | None = None
    agent: str | None = None
    session: str | None = None
    acting: str | None = None

    def __post_init__(self) -> None:
        _check("tenant", self.tenant)
        for field in ("user", "project", "agent", "session", "acting"):
            if (part := getattr(self, field)) is not None:
                _check(field, part)
        if self.acting is not None and self.user is not None:
            raise InvalidScopeError("acting", "names somebody in a user's own memory")

    @property
    def owner(self) -> Self:
        """The tenant and user alone: the identity, without the narrower circles."""
        return replace(self, project=None, agent=None, session=None, acting=None)

    @property
    def speaker(self) -> str:
        """Who speaks here: who acts, the user, or the organization."""
        return self.acting or self.user or self.tenant

    @property
    def root(self) -> Namespace:
        """The namespace above everything this owner has."""
        who = ORGANIZATION if self.user is None else "u=" + encode_label(self.user)
        return (ROOT, "t=" + encode_label(self.tenant), who)

    @property
    def tail(self) -> Namespace:
        """The labels of the narrower circles, widest first."""
        return tuple(
            mark + encode_label(part)
            for field, mark in _TAILS
            if (part := getattr(self, field)) is not None
        )

    def namespace(self, kind: Kind) -> Namespace:
        """Return where records of ``kind`` are kept for exactly this scope."""
        return (*self.root, kind.value, *self.tail)

    def owns(self, namespace: Namespace) -> bool:
        """Tell whether the namespace lies inside this scope's own circle.

        A scope without a project sees every project of the user; one with a project sees
        that project alone and what the user keeps outside all projects.
        """
        place = locate(namespace)
        if place is None or place[0].owner != self.owner:
            return False
        if self.acting is not None and place[0].project != self.project:
            return False
        return all(
            getattr(self, field) is None or getattr(place[0], field) in (None, getattr(self, field))
            for field, _ in _TAILS
        )

    @property
    def circles(self) -> tuple[Namespace, ...]:
        """The namespaces this scope may read: its owner's, and the organization's."""
        organization = Scope(self.tenant).root
        return (self.root,) if self.user is None else (self.root, organization)

    def reads(self, namespace: Namespace) -> bool:
        """Tell whether what stands there lies within what this scope may read.

        Whether its user is allowed to, their roles decide (``policy.access``). Of the
        organization's records, those outside all narrower circles, and those of the
        circles the asker is in.
        """
        if self.owns(namespace):
            return True
        place = locate(namespace)
        if self.acting is not None or place is None or place[0].owner != Scope(self.tenant):
            return False
        return all(getattr(place[0], field) in (None, getattr(self, field)) for field, _ in _TAILS)


def circle_of(namespace: Namespace) -> str:
    """Return whose knowledge a namespace holds: organization, project, session or personal."""
    place = locate(namespace)
    if place is None:
        return "plain"
    scope = place[0]
    if scope.user is None:
        return "organization"
    if scope.session is not None:
        return "session"
    return "personal" if scope.project is None else "project"


def locate(namespace: Namespace) -> tuple[Scope, Kind] | None:
    """Return the scope and kind a memory namespace stands for, or None for any other."""
    if len(namespace) < 4 or namespace[0] != ROOT or not namespace[1].startswith("t="):
        return None
    try:
        return _located(namespace)
    except (ValueError, InvalidScopeError, InvalidValueError):
        return None


def _located(namespace: Namespace) -> tuple[Scope, Kind] | None:
    tenant, who, kind, *tail = namespace[1:]
    if who != ORGANIZATION and not who.startswith("u="):
        return None
    parts = dict.fromkeys(("project", "agent", "session"), "")
    for label in tail:
        field = next((name for name, mark in _TAILS if label.startswith(mark)), None)
        if field is None or parts[field]:
            return None
        parts[field] = decode_label(label[2:])
    scope = Scope(
        tenant=decode_label(tenant[2:]),
        user=None if who == ORGANIZATION else decode_label(who[2:]),
        **{field: part for field, part in parts.items() if part},
    )
    # Only the one spelling that Scope itself writes is an address.
    return (scope, Kind(kind)) if scope.namespace(Kind(kind)) == namespace else None


def in_memory_root(namespace: Namespace) -> bool:
    """Tell whether the namespace lies where the write policy applies."""
    return namespace[:1] == (ROOT,)


def _check(field: str, part: object) -> None:
    if not isinstance(part, str):
        raise InvalidScopeError(field, f"is {part!r}, not text")
    if not part.strip():
        raise InvalidScopeError(field, "is empty")
    if len(part) > MAX_ID_LENGTH:
        raise InvalidScopeError(field, f"is longer than {MAX_ID_LENGTH} characters")
    if "\x00" in part:
        raise InvalidScopeError(field, "holds a NUL character")
    try:
        check_text(part, field)
    except InvalidValueError:
        raise InvalidScopeError(field, "holds a lone surrogate, which is not text") from None
