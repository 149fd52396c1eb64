"""What was refused and noticed, by day."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from langgraph_memory.domain.counts import Count, What
from langgraph_memory.domain.scope import Scope

_NOBODY = ""
"""In the column: no user has an empty name."""
_THEIRS = "tenant = ? AND user = ?"


class SqliteCounts:
    """``ports.Counts`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def add(self, counts: Sequence[Count]) -> None:
        self._sql.executemany(
            """
            INSERT INTO counts (tenant, user, day, what, times) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (tenant, user, day, what) DO UPDATE SET times = times + excluded.times
            """,
            [
                (each.tenant, each.user or _NOBODY, each.day.isoformat(), each.what, each.times)
                for each in counts
            ],
        )

    def since(self, day: date | None) -> list[Count]:
        rows = self._sql.execute(
            "SELECT tenant, user, day, what, times FROM counts WHERE day >= ?",
            (day.isoformat() if day else "",),
        )
        found = []
        for tenant, user, each, what, times in rows:
            with suppress(ValueError, TypeError):  # what cannot be read counts for nothing
                found.append(
                    Count(tenant, user or None, date.fromisoformat(each), What(what), int(times))
                )
        return found

    def oldest(self) -> str:
        found = self._sql.execute("SELECT min(day) FROM counts").fetchone()
        return str(found[0] or "")

    def trim(self, *, before: date) -> int:
        gone = self._sql.execute("DELETE FROM counts WHERE day < ?", (before.isoformat(),))
        return gone.rowcount

    def count(self, owner: Scope) -> int:
        found = self._sql.execute(f"SELECT count(*) FROM counts WHERE {_THEIRS}", _owner(owner))
        return int(found.fetchone()[0])

    def erase(self, owner: Scope) -> int:
        return self._sql.execute(f"DELETE FROM counts WHERE {_THEIRS}", _owner(owner)).rowcount


def _owner(owner: Scope) -> tuple[str, str]:
    return owner.tenant, owner.user or _NOBODY
