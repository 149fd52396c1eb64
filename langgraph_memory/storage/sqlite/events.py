"""The transcript, and the binding of threads to identities."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.json import JsonObject, dumps, loads
from langgraph_memory.domain.scope import Scope
from langgraph_memory.storage.sqlite.codec import from_micros, to_micros
from langgraph_memory.storage.sqlite.problems import sensible

_COLUMNS = "id, thread_id, message_id, tenant, user, scope, role, speaker, content, at, zone"
_EVENT_COLUMNS = ", ".join(f"events.{each}" for each in _COLUMNS.split(", "))
OWNED = "tenant = ? AND user IS ?"
OWNED_BY_NAME = "AND tenant = :tenant AND user IS :user"
_ERASED = ("events", "jobs", "threads")


class SqliteEvents:
    """``ports.Events`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def add(self, event: Event) -> bool:
        cursor = self._sql.execute(
            f"""
            INSERT INTO events ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)
            ON CONFLICT (thread_id, message_id) DO NOTHING
            """,
            (
                event.id, event.thread_id, event.message_id, *scope_columns(event.scope),
                event.role, event.speaker, event.content, to_micros(event.at), event.zone,
            ),
        )  # fmt: skip
        return cursor.rowcount == 1

    def at(self, thread_id: str, message_id: str) -> Event | None:
        found = self._sql.execute(
            f"SELECT {_COLUMNS} FROM events WHERE thread_id = ? AND message_id = ?",
            (thread_id, message_id),
        ).fetchone()
        return _event(found) if found else None

    def latest(self, thread_id: str) -> Event | None:
        found = self._sql.execute(
            f"SELECT {_COLUMNS} FROM events WHERE thread_id = ? ORDER BY sequence DESC LIMIT 1",
            (thread_id,),
        ).fetchone()
        return _event(found) if found else None

    def settle(self, event_id: str, outcome: JsonObject) -> None:
        self._sql.execute("UPDATE events SET outcome = ? WHERE id = ?", (dumps(outcome), event_id))

    def outcome(self, event_id: str) -> JsonObject | None:
        found = self._sql.execute("SELECT outcome FROM events WHERE id = ?", (event_id,)).fetchone()
        if found is None or found[0] is None:
            return None
        return _outcome(found[0])

    def get(self, event_ids: Sequence[str]) -> list[Event]:
        found = {
            each[0]: _event(each)
            for each in self._sql.execute(
                f"SELECT {_COLUMNS} FROM events WHERE id IN (SELECT value FROM json_each(?))",
                (dumps(list(event_ids)),),
            )
        }
        return [found[event_id] for event_id in event_ids if event_id in found]

    def thread(self, thread_id: str, *, after: int = 0, limit: int = 1000) -> list[Event]:
        found = self._sql.execute(
            f"""
            SELECT {_COLUMNS} FROM events
            WHERE thread_id = ? ORDER BY sequence LIMIT ? OFFSET ?
            """,
            (thread_id, limit, after),
        )
        return [_event(each) for each in found]

    def before(self, event: Event) -> Event | None:
        found = self._sql.execute(
            f"""
            SELECT {_COLUMNS} FROM events
            WHERE thread_id = :thread AND role = :role AND speaker = :speaker
                AND sequence < (SELECT sequence FROM events WHERE id = :id)
            ORDER BY sequence DESC LIMIT 1
            """,
            {"thread": event.thread_id, "role": event.role, "speaker": event.speaker,
             "id": event.id},
        ).fetchone()  # fmt: skip
        return _event(found) if found else None

    def fresh(self, thread_id: str, *, limit: int) -> list[Event]:
        found = self._sql.execute(
            f"""
            SELECT {_COLUMNS} FROM events
            WHERE thread_id = :thread
                AND sequence > (SELECT consolidated FROM threads WHERE thread_id = :thread)
            ORDER BY sequence LIMIT :limit
            """,
            {"thread": thread_id, "limit": limit},
        )
        return [_event(each) for each in found]

    def unread(self, owner: Scope, *, limit: int) -> list[Event]:
        # CROSS JOIN: from the few threads that wait, each read from where its reading ended
        found = self._sql.execute(
            f"""
            SELECT {_EVENT_COLUMNS}
            FROM threads CROSS JOIN events ON events.thread_id = threads.thread_id
                AND events.sequence > threads.consolidated
            WHERE threads.thread_id IN (SELECT thread_id FROM jobs WHERE {OWNED})
                AND events.role = 'user'
            ORDER BY events.sequence DESC LIMIT ?
            """,
            (owner.tenant, owner.user, limit),
        )
        return [_event(each) for each in found][::-1]

    def consolidated(self, event: Event) -> None:
        self._sql.execute(
            """
            UPDATE threads
            SET consolidated = max(
                consolidated, coalesce((SELECT sequence FROM events WHERE id = ?), 0)
            )
            WHERE thread_id = ?
            """,
            (event.id, event.thread_id),
        )

    def count(self, owner: Scope) -> int:
        found = self._sql.execute(
            f"SELECT count(*) FROM events WHERE {OWNED}", (owner.tenant, owner.user)
        )
        return int(found.fetchone()[0])

    def owner(self, thread_id: str) -> Scope | None:
        found = self._sql.execute(
            "SELECT tenant, user FROM threads WHERE thread_id = ?", (thread_id,)
        ).fetchone()
        return Scope(*found) if found else None

    def bind(self, thread_id: str, owner: Scope, *, now: datetime) -> None:
        self._sql.execute(
            "INSERT INTO threads (thread_id, tenant, user, opened_at) VALUES (?, ?, ?, ?)",
            (thread_id, owner.tenant, owner.user, to_micros(now)),
        )

    def threads(self, owner: Scope) -> list[str]:
        found = self._sql.execute(
            f"SELECT thread_id FROM threads WHERE {OWNED} ORDER BY opened_at, thread_id",
            (owner.tenant, owner.user),
        )
        return [thread_id for (thread_id,) in found]

    def erase(self, owner: Scope) -> dict[str, int]:
        return {
            table: self._sql.execute(
                f"DELETE FROM {table} WHERE {OWNED}", (owner.tenant, owner.user)
            ).rowcount
            for table in _ERASED
        }


def scope_columns(scope: Scope) -> tuple[str, str | None, str]:
    """Return a scope as the columns tenant, user, scope."""
    parts = {"project": scope.project, "agent": scope.agent, "session": scope.session}
    tail = {name: part for name, part in parts.items() if part is not None}
    return scope.tenant, scope.user, dumps(tail)


def scope_from(tenant: str, user: str | None, tail: str) -> Scope:
    """Return the scope of the columns tenant, user, scope."""
    return Scope(tenant, user, **loads(tail))


@sensible
def _event(row: Sequence[Any]) -> Event:
    event_id, thread_id, message_id, tenant, user, tail, role, speaker, content, at, zone = row
    scope = scope_from(tenant, user, tail)
    when = from_micros(at)
    return Event(event_id, thread_id, message_id, scope, role, speaker, content, when, zone)


@sensible
def _outcome(text: str) -> JsonObject:
    outcome: JsonObject = loads(text)
    return outcome
