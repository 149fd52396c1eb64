"""Roles in shared scopes: who may do what with what the organization, or a project of it, keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """What somebody is in a shared scope."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    REVIEWER = "reviewer"
    READER = "reader"


class Permission(StrEnum):
    """What a role may allow.

    ``read`` to recall and look at, ``write`` to state and correct, ``review`` to decide about
    what others stated (approve, reject, confirm, invalidate, restore), ``forget`` to delete,
    ``administer`` to give and take roles.
    """

    READ = "read"
    WRITE = "write"
    REVIEW = "review"
    FORGET = "forget"
    ADMINISTER = "administer"


@dataclass(frozen=True, slots=True)
class Grant:
    """A role that somebody was given.

    Attributes:
        tenant: The organization.
        project: The project of it; None is the organization outside of its projects.
        user: Who has the role.
        role: Which.
        by: Who gave it; empty where that is not known any more.
        at: When, UTC.
    """

    tenant: str
    project: str | None
    user: str
    role: Role
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Loss:
    """A role that was taken away, and not given again since.

    Attributes:
        tenant, project, user: As in :class:`Grant`.
        role: Which they had.
        by: Who took it; empty where that is not known any more.
        at: When, UTC.
    """

    tenant: str
    project: str | None
    user: str
    role: Role
    by: str
    at: datetime
