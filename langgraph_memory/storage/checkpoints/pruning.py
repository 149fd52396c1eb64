"""Which checkpoints of a thread go, so that a conversation does not grow for ever.

The newest of each namespace stay, and what their delta channels are rebuilt from. So does
the end of a branch that waits for an answer or may be tried again: it can be resumed by its
id. Other ends of branches, left behind by going back in time, go like everything old.

Writes can arrive after their checkpoint was pruned, since LangGraph sends them on another
thread; they belong to nothing and go with the next pruning. Those of a checkpoint that is
not written yet look the same but are newer than what stays, and are left.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT

from langgraph_memory.storage.checkpoints import rows
from langgraph_memory.storage.checkpoints.lineage import Lineage


class Pruning:
    """One pruning of one thread: what goes, found in one snapshot.

    Attributes:
        doomed: The ids that go, by namespace.
        stray_before: Writes of no checkpoint go if they are older than this id.
    """

    def __init__(
        self, cursor: sqlite3.Cursor, thread_id: str, keep: int, serde: SerializerProtocol
    ) -> None:
        self.doomed: dict[str, Collection[str]] = {}
        self.stray_before = ""
        self._cursor = cursor
        self._thread_id = thread_id
        self._look(keep, serde)

    @property
    def count(self) -> int:
        """How many checkpoints go."""
        return sum(map(len, self.doomed.values()))

    @property
    def needless(self) -> bool:
        """Whether there is nothing to remove."""
        strays = rows.has_strays(self._cursor, self._thread_id, self.stray_before)
        return not self.count and not strays

    def carry_out(self) -> None:
        """Remove what goes; the cursor must be that of a write transaction."""
        for namespace, doomed in self.doomed.items():
            rows.delete(self._cursor, self._thread_id, namespace, doomed)
        rows.delete_strays(self._cursor, self._thread_id, self.stray_before)

    def _look(self, keep: int, serde: SerializerProtocol) -> None:
        retained: dict[str, set[str]] = {}
        counts = rows.namespaces(self._cursor, self._thread_id)
        newest: Collection[str]
        for namespace, count in counts.items():
            if count <= keep and ":" not in namespace and len(counts) == 1:
                newest = rows.newest(self._cursor, self._thread_id, namespace, keep)
            else:
                newest = self._look_at(namespace, keep, serde, retained)
            if newest and not self.stray_before:
                self.stray_before = min(newest)

    def _look_at(
        self, namespace: str, keep: int, serde: SerializerProtocol,
        retained: dict[str, set[str]],
    ) -> Collection[str]:  # fmt: skip
        lineage = Lineage.read(self._cursor, self._thread_id, namespace)
        alive = lineage.outlives(retained)
        newest = lineage.newest(keep) if alive else ()
        kept = {*newest, *(self._resumable(lineage) if alive else ())}
        retained[namespace] = lineage.with_ancestors(kept, self._cursor, serde)
        if doomed := lineage.parents.keys() - retained[namespace]:
            self.doomed[namespace] = doomed
        return newest

    def _resumable(self, lineage: Lineage) -> Collection[str]:
        """Return the ends of branches that wait for an answer, or failed."""
        waiting = rows.with_writes(
            self._cursor, self._thread_id, lineage.namespace, (INTERRUPT, ERROR)
        )
        return waiting & lineage.parents.keys() - set(lineage.parents.values())
