"""Roles in shared scopes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.roles import Grant, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.storage.sqlite.codec import from_micros, to_micros
from langgraph_memory.storage.sqlite.standing import once

_NO_PROJECT = ""
"""In the column: no project has an empty name."""


class SqliteGrants:
    """``ports.Grants`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def put(self, grant: Grant) -> None:
        self._sql.execute(
            """
            INSERT OR REPLACE INTO grants (tenant, user, project, role, granted_by, granted_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            (
                grant.tenant, grant.user, grant.project or _NO_PROJECT, grant.role.value, grant.by,
                to_micros(grant.at),
            ),
        )  # fmt: skip

    def remove(self, tenant: str, project: str | None, user: str) -> Role | None:
        had = self.of(tenant, user).get(project)
        self._sql.execute(
            "DELETE FROM grants WHERE tenant = ? AND user = ? AND project = ?",
            (tenant, user, project or _NO_PROJECT),
        )
        return had

    def of(self, tenant: str, user: str) -> Mapping[str | None, Role]:
        return once(self._sql, ("grants", tenant, user), self._of, tenant, user)

    def _of(self, tenant: str, user: str) -> dict[str | None, Role]:
        found: dict[str | None, Role] = {}
        for project, role in self._sql.execute(
            "SELECT project, role FROM grants WHERE tenant = ? AND user = ?", (tenant, user)
        ):
            with suppress(ValueError):
                found[project or None] = Role(role)
        return found

    def at(self, tenant: str, project: str | None) -> list[Grant]:
        found = self._sql.execute(
            """
            SELECT user, role, granted_by, granted_at FROM grants
            WHERE tenant = ? AND project = ? ORDER BY user
            """,
            (tenant, project or _NO_PROJECT),
        )
        grants = []
        for user, role, by, at in found:
            with suppress(ValueError):
                grants.append(Grant(tenant, project, user, Role(role), by, from_micros(at)))
        return grants

    def count(self, owner: Scope) -> int:
        where, values = _theirs(owner)
        found = self._sql.execute(f"SELECT count(*) FROM grants WHERE {where}", values)
        return int(found.fetchone()[0])

    def erase(self, owner: Scope) -> int:
        where, values = _theirs(owner)
        gone = self._sql.execute(f"DELETE FROM grants WHERE {where}", values).rowcount
        if owner.user is not None:
            self._sql.execute(
                "UPDATE grants SET granted_by = '' WHERE tenant = ? AND granted_by = ?",
                (owner.tenant, owner.user),
            )
        return gone


def grants(sql: sqlite3.Connection) -> Check:
    """Check that every grant can be read: one that cannot counts as none."""
    findings = Findings("grants")
    known = [each.value for each in Role]
    for rowid, role in enumerate(sql.execute("SELECT role FROM grants").fetchall(), start=1):
        findings.counted += 1
        if role[0] not in known:
            findings.add("truth", f"grant {rowid}", "its role cannot be read")
    return findings.check()


def _theirs(owner: Scope) -> tuple[str, tuple[str, ...]]:
    if owner.user is None:
        return "tenant = ?", (owner.tenant,)
    return "tenant = ? AND user = ?", (owner.tenant, owner.user)
