"""Roles in shared scopes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.roles import Grant, Loss, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.storage.sqlite.codec import from_micros, to_micros
from langgraph_memory.storage.sqlite.standing import once

_NO_PROJECT = ""
"""In the column: no project has an empty name."""

_LOST = "lost "
"""Before the role in its column: it was taken away. It reads as no role, by any release."""


class SqliteGrants:
    """``ports.Grants`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def put(self, grant: Grant) -> None:
        self._write(grant, grant.role.value)

    def take(self, loss: Loss) -> None:
        self._write(loss, f"{_LOST}{loss.role.value}")

    def _write(self, made: Grant | Loss, role: str) -> None:
        self._sql.execute(
            """
            INSERT OR REPLACE INTO grants (tenant, user, project, role, granted_by, granted_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            (
                made.tenant, made.user, made.project or _NO_PROJECT, role, made.by,
                to_micros(made.at),
            ),
        )  # fmt: skip

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
        grants = []
        for user, role, by, at in self._rows(tenant, project):
            with suppress(ValueError):
                grants.append(Grant(tenant, project, user, Role(role), by, from_micros(at)))
        return grants

    def lost(self, tenant: str, project: str | None) -> list[Loss]:
        losses = []
        for user, role, by, at in self._rows(tenant, project):
            if role.startswith(_LOST):
                with suppress(ValueError):
                    had = Role(role.removeprefix(_LOST))
                    losses.append(Loss(tenant, project, user, had, by, from_micros(at)))
        return losses

    def _rows(self, tenant: str, project: str | None) -> list[tuple[str, str, str, int]]:
        return self._sql.execute(
            """
            SELECT user, role, granted_by, granted_at FROM grants
            WHERE tenant = ? AND project = ? ORDER BY user
            """,
            (tenant, project or _NO_PROJECT),
        ).fetchall()

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
    known = [mark + each.value for each in Role for mark in ("", _LOST)]
    for rowid, role in enumerate(sql.execute("SELECT role FROM grants").fetchall(), start=1):
        findings.counted += 1
        if role[0] not in known:
            findings.add("truth", f"grant {rowid}", "its role cannot be read")
    return findings.check()


def _theirs(owner: Scope) -> tuple[str, tuple[str, ...]]:
    if owner.user is None:
        return "tenant = ?", (owner.tenant,)
    return "tenant = ? AND user = ?", (owner.tenant, owner.user)
