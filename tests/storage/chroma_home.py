"""A small home for index tests: real SQLite, real Chroma, vectors made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Self

import numpy as np

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record
from langgraph_memory.ports import IndexEntry, Lifetime, Neighbour, Space, Vectors
from langgraph_memory.storage.chroma.index import ChromaIndex
from langgraph_memory.storage.chroma.mirror import ChromaMirror
from langgraph_memory.storage.chroma.patience import Pace
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.follow import Follower
from langgraph_memory.storage.sqlite.database import SqliteDatabase

DIMS = 32
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLACE: Namespace = ("notes",)
PATIENCE = 60.0
QUICK = Pace(gather=0.01, held=0.2, note=0.1)
SLEEPY = Pace(tick=3600.0, gather=3600.0)
"""Follows only when told to, so that a test can look at an index that is behind."""


def vectors(seed: int, count: int = 1, dims: int = DIMS) -> Vectors:
    """Return ``(count, dims)`` unit rows, the same for the same seed."""
    made: Vectors = np.random.default_rng(seed).standard_normal((count, dims)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def near(vector: Vectors, cosine: float) -> Vectors:
    """Return a unit vector at exactly this cosine from another."""
    other = vectors(987_654, dims=len(vector))[0]
    other -= (other @ vector) * vector
    other /= np.linalg.norm(other)
    made: Vectors = (cosine * vector + np.sqrt(1 - cosine**2) * other).astype(np.float32)
    return made


@dataclass
class IndexHome:
    """The database and the indexes of one home, wired as ``wiring`` does it."""

    path: Path
    dims: int = DIMS
    pace: Pace = QUICK
    database: SqliteDatabase = field(init=False)
    exact: ExactIndex = field(init=False)
    mirror: ChromaMirror = field(init=False)
    follower: Follower = field(init=False)
    chroma: ChromaIndex = field(init=False)

    def __post_init__(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.database = SqliteDatabase.open(self.path / "memory.sqlite")
        with self.database.write() as tx:
            tx.bind_space(Space("hand", self.dims))
        self.exact = ExactIndex(self.database, self.dims)
        self.mirror = ChromaMirror(self.path / "chroma")
        self.follower = Follower(self.database, self.mirror, pace=self.pace)
        self.chroma = ChromaIndex(self.database, self.follower, self.exact)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all, the follower first."""
        self.follower.close()
        self.exact.close()
        self.database.close()

    def put(self, key: str, *found_by: Vectors, namespace: Namespace = PLACE) -> int:
        """Write a record, or its next version, with these vectors; return its row."""
        with self.database.write() as tx:
            entry = IndexEntry(vectors=np.stack(found_by) if found_by else None)
            record, known = tx.records.load(namespace, key), 0
            if record is None:
                record = Record.first(f"{namespace}/{key}", namespace, key, {}, now=NOW)
            else:
                known = record.head.number
                record = record.supersede({}, now=NOW)
            row = tx.records.save(record, known=known, entry=entry, lifetime=Lifetime()).row
        self.follower.poke()
        return row

    def put_many(self, count: int, *, seed: int = 0, namespace: Namespace = PLACE) -> list[int]:
        """Write so many records at once; record ``i`` has ``vectors(seed, count)[i]``."""
        made = vectors(seed, count, self.dims)
        with self.database.write() as tx:
            return [
                tx.records.save(
                    Record.first(f"{seed}-{each}", namespace, f"{seed}-{each}", {}, now=NOW),
                    known=0,
                    entry=IndexEntry(vectors=made[each : each + 1]),
                    lifetime=Lifetime(),
                ).row
                for each in range(count)
            ]

    def delete(self, key: str, *, namespace: Namespace = PLACE) -> None:
        """Leave a tombstone."""
        with self.database.write() as tx:
            record = tx.records.load(namespace, key)
            assert record is not None
            tx.records.save(
                record.delete(now=NOW), known=record.head.number, entry=IndexEntry(),
                lifetime=Lifetime(),
            )  # fmt: skip

    def erase(self, *rows: int) -> None:
        """Remove records without a trace."""
        with self.database.write() as tx:
            tx.records.erase(rows)

    def empty(self) -> None:
        """Remove all records, from the index too."""
        with self.database.read() as tx:
            rows = tx.records.rows((), limit=100_000)
        self.erase(*rows)
        self.drain()

    def drain(self) -> None:
        """Wait until the index is in step."""
        assert self.follower.drain(PATIENCE), self.follower.state

    def search(
        self, query: Vectors, *, limit: int = 5, namespace: Namespace = ()
    ) -> Sequence[Neighbour]:
        """Search through Chroma, which must agree with exact search."""
        found = self.chroma.nearest(query, namespace, limit=limit)
        right = self.exact.nearest(query, namespace, limit=limit)
        assert [each.row for each in found] == [each.row for each in right]
        assert np.allclose([each.cosine for each in found], [each.cosine for each in right],
                           atol=1e-5)  # fmt: skip
        return found

    def proposed(self, query: Vectors) -> set[int]:
        """Return the rows that Chroma itself proposes, right or wrong."""
        found = self.mirror.nearest(query[np.newaxis], limit=50, timeout_seconds=PATIENCE)
        return {each.row for each in found.lines[0]}

    def generations(self) -> list[str]:
        """Return the names of the generation folders."""
        return sorted(each.name for each in (self.path / "chroma").iterdir())


def eventually(happens: Callable[[], bool], *, seconds: float = 20.0) -> bool:
    """Wait until something is so; tell whether it came to be."""
    deadline = monotonic() + seconds
    while not happens():
        if monotonic() > deadline:
            return False
        sleep(0.02)
    return True
