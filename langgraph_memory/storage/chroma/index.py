"""Search through a mirror that may be late, without ever showing what is not so.

What Chroma proposes is only where to look. Rows with announcements it has not had yet are
scored from the database instead, every other row is looked up there, and the cosines that
are returned come from the vectors stored there, all under one view. Chroma can therefore
cost a hit, and only by what its graph overlooks; it cannot show a deleted, moved or changed
record.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext

import numpy as np

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.namespace import Namespace, starts_with
from langgraph_memory.ports import (
    Database,
    Neighbour,
    Neighbours,
    OutboxRow,
    Rows,
    Transaction,
    VectorIndex,
    Vectors,
)
from langgraph_memory.storage.follow import FOLLOWER, Follower

OWED = 1000
"""Announcements worth scoring one by one; a mirror further behind is not asked."""
FEWEST, MOST, MULTIPLE = 64, 2000, 4
SCRUB_SECONDS = 20.0
"""How long a purge waits for the new generation; filling 30,000 vectors took 21 s."""
AUDIT_SECONDS = 60.0
_ROUNDING = 1e-5


class ChromaIndex:
    """``ports.VectorIndex`` that asks the mirror first and searches exactly when in doubt.

    Args:
        database: The truth.
        follower: Keeps the mirror in step; started by the first search.
        exact: Answers whenever the mirror cannot, or proposes too little.
    """

    def __init__(self, database: Database, follower: Follower, exact: VectorIndex) -> None:
        self._database = database
        self._follower = follower
        self._exact = exact

    @property
    def follower(self) -> Follower:
        """Return what keeps the mirror in step."""
        return self._follower

    def behind(self) -> int:
        """Return how many changes the mirror has not had, by the word of its owner."""
        state = self._follower.state
        with self._database.read() as tx:
            known = state.sequence if state.sequence >= 0 else tx.outbox.followed(FOLLOWER)
            return max(0, tx.outbox.last() - known)

    def nearest(
        self, query: Vectors, prefix: Namespace, *, limit: int, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours:  # fmt: skip
        """Return up to ``limit`` rows under the prefix, best cosine first, each row once."""
        if limit <= 0:
            return Neighbours.of([])
        found = self._through_mirror(query, prefix, limit) if only is None else None
        if found is None:
            return self._exact.nearest(query, prefix, limit=limit, view=view, only=only)
        return Neighbours.of(found, by=f"chroma, generation {self._follower.state.generation}")

    def scan(
        self, query: Vectors, prefix: Namespace, *, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours | None:  # fmt: skip
        """Return None: Chroma compares only what it proposes."""
        return None

    def cosines(self, query: Vectors, rows: Rows, *, view: Transaction | None = None) -> Vectors:
        """Return ``(n,)`` cosines of these rows, from the database."""
        with nullcontext(view) if view else self._database.read() as tx:
            stored = tx.records.vectors(rows.tolist())
        best = [_cosine(query, stored[row]) if row in stored else np.nan for row in rows.tolist()]
        return np.array(best, dtype=np.float32)

    def scrub(self) -> bool:
        """Fill a new generation and remove the old one; False if that cannot be done now."""
        if not self._follower.folder.exists():
            return True
        self._follower.rebuild()
        return self._follower.drain(SCRUB_SECONDS) and self._follower.state.phase == "following"

    def check(self) -> list[Check]:
        """Compare the mirror with the database, as far as this process may ask it."""
        findings = Findings("chroma index")
        if not self._follower.folder.exists():
            findings.notes.append("not made yet; searches are exact")
            return [findings.check()]
        audited = self._follower.audit(AUDIT_SECONDS)
        findings.counted = audited.vectors
        for problem in audited.problems:
            findings.add("derived", "chroma index", problem)
        state = self._follower.state
        if not audited.done and state.phase == "failed" and state.problem not in audited.problems:
            findings.add("derived", "chroma index", state.problem)
        if not audited.done:
            findings.notes.append(self._why_unfinished())
        elif audited.problems:
            findings.notes.append("it was filled anew")
        elif audited.worn:
            findings.notes.append("worn by many changes, it was filled anew")
        return [findings.check()]

    def rebuild(self) -> bool:
        """Fill a new generation, as :meth:`scrub`."""
        return self.scrub()

    def forget(self) -> None:
        """Drop what is held in memory."""
        self._exact.forget()

    def close(self) -> None:
        """Do nothing: the follower and the exact index are closed by their owner."""

    def _why_unfinished(self) -> str:
        if self._follower.state.phase == "held":
            return "another process owns it and keeps it in step"
        if self._follower.state.phase == "failed":
            return "not compared; searches are exact meanwhile"
        return "not compared: being filled; searches are exact meanwhile"

    def _through_mirror(
        self, query: Vectors, prefix: Namespace, limit: int
    ) -> list[Neighbour] | None:
        """Return the answer, or None if the mirror is not good enough for this one."""
        position = self._follower.position()
        if position is None:
            self._follower.start()
            return None
        width = min(max(FEWEST, MULTIPLE * limit), max(MOST, limit))
        proposed = self._follower.propose(position, query, limit=width)
        if proposed is None:
            return None
        lines = proposed.lines[0]
        with self._database.read() as tx:
            owed = _owed(tx, position.sequence)
            if owed is None:
                return None
            found = _merged(tx, query, prefix, limit, lines, owed)
        return found if proposed.whole or _settled(found, lines, limit) else None


def _owed(tx: Transaction, sequence: int) -> list[OutboxRow] | None:
    """Return what was announced after ``sequence``, or None if it is too much, or pruned."""
    owed = tx.outbox.after(sequence, limit=OWED)
    reached = owed[-1].sequence if owed else sequence
    if tx.outbox.floor() > sequence or reached < tx.outbox.last():
        return None
    return owed


def _merged(
    tx: Transaction, query: Vectors, prefix: Namespace, limit: int,
    lines: Sequence[Neighbour], owed: Sequence[OutboxRow],
) -> list[Neighbour]:  # fmt: skip
    """Return the best rows of both, each looked up and scored in this view."""
    vectors = {
        each.row: each.vectors
        for each in owed
        if each.vectors is not None
        and each.namespace is not None
        and starts_with(each.namespace, prefix)
    }
    late = {each.row for each in owed}
    proposed = [row for row in dict.fromkeys(near.row for near in lines) if row not in late]
    vectors.update(tx.records.vectors(_survivors(tx, proposed, prefix, limit)))
    scored = [Neighbour(row, _cosine(query, each)) for row, each in vectors.items()]
    return sorted(scored, key=lambda near: (-near.cosine, -near.row))[:limit]


def _survivors(tx: Transaction, rows: list[int], prefix: Namespace, limit: int) -> list[int]:
    """Return the first rows, a few over ``limit``, that are there, live, and under the prefix."""
    alive: list[int] = []
    chunk = limit + limit // 2 + 1
    for start in range(0, len(rows), chunk):
        alive += [
            stored.row
            for stored in tx.records.heads(rows[start : start + chunk])
            if stored.head.value is not None and starts_with(stored.namespace, prefix)
        ]
        if len(alive) >= limit:
            break
    return alive


def _settled(found: Sequence[Neighbour], lines: Sequence[Neighbour], limit: int) -> bool:
    """Tell whether no row that was not proposed can belong to the answer.

    Such a row is worse than the last proposal; so ``limit`` rows must be as good as that one.
    """
    if not lines:
        return False
    return len(found) == limit and found[-1].cosine >= lines[-1].cosine - _ROUNDING


def _cosine(query: Vectors, vectors: Vectors) -> float:
    return float(np.clip(np.max(vectors @ query), -1.0, 1.0))
