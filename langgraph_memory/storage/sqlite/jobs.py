"""The durable queue of background work."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from langgraph_memory.domain.scope import Scope
from langgraph_memory.ports import Job
from langgraph_memory.storage.sqlite.codec import to_micros
from langgraph_memory.storage.sqlite.events import OWNED, OWNED_BY_NAME, scope_columns, scope_from
from langgraph_memory.storage.sqlite.problems import sensible

# A worker whose lease ran out may be late: what another one holds by now is not its to give back.
_HELD = "key = ? AND attempts = ? AND leased_until IS NOT NULL"
_COLUMNS = "key, kind, tenant, user, scope, thread_id, attempts, error"


class SqliteJobs:
    """``ports.Jobs`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def submit(self, job: Job, *, due: datetime, latest: datetime | None = None) -> None:
        self._sql.execute(
            """
            INSERT INTO jobs (key, kind, tenant, user, scope, thread_id, due_at,
                              latest_at, leased_until, again, dead, attempts, error)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, 0, 0, '')
            ON CONFLICT (key) DO UPDATE
            SET due_at = min(
                    excluded.due_at, coalesce(latest_at, excluded.latest_at, excluded.due_at)
                ),
                latest_at = coalesce(latest_at, excluded.latest_at),
                again = leased_until IS NOT NULL,
                attempts = iif(dead, 0, attempts),
                dead = 0
            """,
            (
                job.key, job.kind, *scope_columns(job.scope), job.thread_id, to_micros(due),
                None if latest is None else to_micros(latest),
            ),
        )  # fmt: skip

    def lease(
        self, *, now: datetime, seconds: float, early: bool = False, owner: Scope | None = None
    ) -> Job | None:
        theirs = OWNED_BY_NAME if owner else ""
        found = self._sql.execute(
            f"""
            SELECT {_COLUMNS} FROM jobs
            WHERE dead = 0 {theirs}
                AND (due_at <= :now OR (:early AND attempts = 0))
                AND (leased_until IS NULL OR leased_until <= :now)
            ORDER BY due_at, key
            LIMIT 1
            """,
            {
                "now": to_micros(now),
                "early": early,
                "tenant": owner.tenant if owner else None,
                "user": owner.user if owner else None,
            },
        ).fetchone()
        if found is None:
            return None
        self._sql.execute(
            """
            UPDATE jobs
            SET leased_until = ?, latest_at = NULL, again = 0, attempts = attempts + 1
            WHERE key = ?
            """,
            (to_micros(now + timedelta(seconds=seconds)), found[0]),
        )
        return _job(found)

    def finish(self, job: Job) -> None:
        self._sql.execute(f"DELETE FROM jobs WHERE {_HELD} AND again = 0", _holder(job))
        self._sql.execute(
            f"""
            UPDATE jobs SET leased_until = NULL, again = 0, attempts = 0, error = ''
            WHERE {_HELD}
            """,
            _holder(job),
        )

    def fail(self, job: Job, error: str, *, retry: datetime | None) -> None:
        pause = None if retry is None else to_micros(retry)
        self._sql.execute(
            f"""
            UPDATE jobs
            SET leased_until = NULL,
                error = ?,
                dead = (? IS NULL AND again = 0),  -- what came meanwhile is still to be done
                attempts = iif(? IS NULL AND again, 0, attempts),
                due_at = max(due_at, coalesce(?, due_at)),
                again = 0
            WHERE {_HELD}
            """,
            (error, pause, pause, pause, *_holder(job)),
        )

    def give_back(self, job: Job) -> None:
        self._sql.execute(
            f"""
            UPDATE jobs SET leased_until = NULL, again = 0, attempts = attempts - 1
            WHERE {_HELD}
            """,
            _holder(job),
        )

    def waiting(self, owner: Scope | None = None) -> list[Job]:
        where = f"WHERE {OWNED}" if owner else ""
        found = self._sql.execute(
            f"SELECT {_COLUMNS} FROM jobs {where} ORDER BY due_at, key",
            (owner.tenant, owner.user) if owner else (),
        )
        return [_job(each) for each in found]


def _holder(job: Job) -> tuple[str, int]:
    return job.key, job.attempts + 1


@sensible
def _job(row: Sequence[Any]) -> Job:
    key, kind, tenant, user, tail, thread_id, attempts, error = row
    return Job(key, kind, scope_from(tenant, user, tail), thread_id, attempts, error)
