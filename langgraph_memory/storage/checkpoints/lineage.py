"""Which checkpoints must stay when others go.

A delta channel is not stored in every checkpoint. Its value is rebuilt from the nearest
ancestor that holds a snapshot and the writes of every checkpoint in between. So a checkpoint
that stays needs those ancestors, however old they are; without them the channel comes back
empty and nothing complains. LangGraph notes in a checkpoint's metadata which delta channels
have moved since their last snapshot.

A subgraph that runs as a task keeps its checkpoints in a namespace that names the task
(``node:task-id``). The task belongs to one checkpoint of its parent; once that one is gone
nothing can resume it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import _DeltaSnapshot

_MOVED = "counters_since_delta_snapshot"


@dataclass(slots=True)
class Lineage:
    """The checkpoints of one thread and namespace, newest first.

    Attributes:
        parents: Parent id by checkpoint id, in order of age; None for a root.
        metadata: What LangGraph noted with each checkpoint.
    """

    thread_id: str
    namespace: str
    parents: dict[str, str | None] = field(default_factory=dict)
    metadata: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, cursor: sqlite3.Cursor, thread_id: str, namespace: str) -> Lineage:
        """Read ids and notes; the state itself stays on disk."""
        lineage = cls(thread_id, namespace)
        rows = cursor.execute(
            """
            SELECT checkpoint_id, parent_checkpoint_id, metadata
            FROM checkpoints
            WHERE thread_id = ? AND checkpoint_ns = ?
            ORDER BY checkpoint_id DESC
            """,
            (thread_id, namespace),
        )
        for checkpoint_id, parent_id, metadata in rows:
            lineage.parents[checkpoint_id] = parent_id
            lineage.metadata[checkpoint_id] = json.loads(metadata) if metadata else {}
        return lineage

    def newest(self, count: int) -> tuple[str, ...]:
        """Return the ids of the newest checkpoints."""
        return tuple(self.parents)[:count]

    def ancestors(self, checkpoint_id: str) -> Iterator[str]:
        """Yield the parent, its parent and so on; a chain that bites its tail ends there."""
        seen = {checkpoint_id}
        while (parent := self.parents[checkpoint_id]) in self.parents and parent not in seen:
            yield parent
            seen.add(parent)
            checkpoint_id = parent

    def with_ancestors(
        self, kept: Collection[str], cursor: sqlite3.Cursor, serde: SerializerProtocol
    ) -> set[str]:
        """Return ``kept`` and every ancestor that their delta channels are rebuilt from."""
        contents = _Contents(self, cursor, serde)
        needed = set(kept)
        for checkpoint_id in kept:
            if missing := contents.missing(checkpoint_id):
                for ancestor in self.ancestors(checkpoint_id):
                    needed.add(ancestor)
                    missing -= contents.stored(ancestor)
                    if not missing:
                        break
        return needed

    def outlives(self, retained: Mapping[str, Collection[str]]) -> bool:
        """Return whether the namespace's task can still be resumed.

        Args:
            retained: The ids that stay, by namespace of this thread. A parent newer than
                all of these is being written at this moment and counts as staying.
        """
        if ":" not in self.namespace or not self.parents:
            return True
        latest = self.metadata[next(iter(self.parents))]
        parents: Mapping[str, str] = latest.get("parents") or {}
        return all(
            parent in retained[namespace] or parent > max(retained[namespace], default="")
            for namespace, parent in parents.items()
            if namespace in retained
        )


@dataclass(frozen=True, slots=True)
class _Content:
    """Channel names of one checkpoint: with a value, with a version, with a snapshot."""

    stored: frozenset[str]
    versioned: frozenset[str]
    snapshots: frozenset[str]


class _Contents:
    """What single checkpoints hold; each is read at most once."""

    def __init__(self, lineage: Lineage, cursor: sqlite3.Cursor, serde: SerializerProtocol) -> None:
        self._lineage = lineage
        self._cursor = cursor
        self._serde = serde
        self._read: dict[str, _Content] = {}

    def missing(self, checkpoint_id: str) -> set[str]:
        """Return the delta channels whose value the checkpoint itself does not hold."""
        moved = self._moved(checkpoint_id)
        if not moved:
            return set()
        content = self._content(checkpoint_id)
        return (moved & content.versioned) - content.stored

    def stored(self, checkpoint_id: str) -> frozenset[str]:
        """Return the channels whose value the checkpoint holds."""
        return self._content(checkpoint_id).stored

    def _moved(self, checkpoint_id: str) -> set[str]:
        """Return the delta channels that may have moved since their last snapshot.

        A step of a graph always notes them. A state changed by hand does so only in newer
        releases of LangGraph; without a note, whatever was a delta channel before it counts.
        """
        notes = self._lineage.metadata[checkpoint_id]
        moved = set(notes.get(_MOVED) or ())
        if not moved and notes.get("source") != "loop":
            for ancestor in self._lineage.ancestors(checkpoint_id):
                notes = self._lineage.metadata[ancestor]
                moved |= {*(notes.get(_MOVED) or ()), *self._content(ancestor).snapshots}
                if _MOVED in notes or notes.get("source") == "loop":
                    break
        return moved

    def _content(self, checkpoint_id: str) -> _Content:
        if checkpoint_id not in self._read:
            row = self._cursor.execute(
                """
                SELECT type, checkpoint
                FROM checkpoints
                WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
                """,
                (self._lineage.thread_id, self._lineage.namespace, checkpoint_id),
            ).fetchone()
            checkpoint = self._serde.loads_typed((row[0], row[1]))
            values = checkpoint.get("channel_values") or {}
            self._read[checkpoint_id] = _Content(
                frozenset(values),
                frozenset(checkpoint.get("channel_versions") or ()),
                frozenset(name for name in values if isinstance(values[name], _DeltaSnapshot)),
            )
        return self._read[checkpoint_id]
