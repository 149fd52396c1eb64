"""One Chroma collection: the only module that imports chromadb. Runs in the child alone.

An id is ``<row>``, and ``<row>#<i>`` for the further vectors of a record; the metadata is
the sequence number that brought the vector. No text, no key and no namespace ever enters.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import chromadb
import numpy as np
import numpy.typing as npt
from chromadb.api import ClientAPI
from chromadb.api.collection_configuration import CreateHNSWConfiguration
from chromadb.config import Settings

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

NAME = "vectors"
BATCH = 1000

HNSW: CreateHNSWConfiguration = {
    "space": "cosine",
    "max_neighbors": 16,
    "ef_construction": 100,
    "ef_search": 400,
    # Chroma folds its queue into the graph every so many writes. Below 1,000 a kill in the
    # wrong moment was seen to leave a collection unreadable.
    "sync_threshold": 1000,
}


class Collection:
    """The vectors of one generation."""

    def __init__(self, client: ClientAPI, collection: chromadb.Collection) -> None:
        self._client = client
        self._chroma = collection
        self._several: dict[int, int] = {}

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Make an empty collection in an empty folder."""
        client = _client(folder)
        made = client.create_collection(NAME, embedding_function=None, configuration={"hnsw": HNSW})
        return cls(client, made)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open what is there. Raises whatever Chroma raises when it cannot be read."""
        client = _client(folder)
        opened = cls(client, client.get_collection(NAME, embedding_function=None))
        rows, parts = opened.holdings()
        several = parts > 1
        opened._several = dict(zip(rows[several].tolist(), parts[several].tolist(), strict=True))
        return opened

    def apply(self, counts: Sequence[tuple[int, int]], vectors: Floats, sequence: int) -> None:
        """Give each row exactly these vectors.

        Args:
            counts: Rows, each with its number of vectors; 0 removes it.
            vectors: ``(sum of the numbers, dims)``, in the order of ``counts``.
            sequence: Written beside each vector.
        """
        surplus = [
            _id(row, part)
            for row, count in counts
            for part in range(count, max(1, self._several.get(row, 1)))
        ]
        for start in range(0, len(surplus), BATCH):
            self._chroma.delete(ids=surplus[start : start + BATCH])
        self._upsert([_id(row, part) for row, count in counts for part in range(count)],
                     vectors, sequence)  # fmt: skip
        for row, count in counts:
            self._several.pop(row, None)
            if count > 1:
                self._several[row] = count

    def nearest(self, queries: Floats, limit: int) -> tuple[list[int], Rows, Floats]:
        """Return how many each query found, and the rows and cosines of all, end to end.

        Each query's are best first; a row may repeat. What one query fails to find takes
        nothing away from the others.
        """
        found = self._chroma.query(query_embeddings=queries, n_results=limit, include=["distances"])
        assert found["distances"] is not None
        widths = [len(ids) for ids in found["ids"]]
        rows = np.array([_row(each) for ids in found["ids"] for each in ids], np.int64)
        distances = np.array([each for line in found["distances"] for each in line], np.float32)
        return widths, rows, (1.0 - distances).astype(np.float32)

    def holdings(self) -> tuple[Rows, Rows]:
        """Return each row that is in, and how many vectors it has."""
        ids = self._chroma.get(include=[])["ids"]
        return np.unique(np.array([_row(each) for each in ids], np.int64), return_counts=True)

    def count(self) -> int:
        """Return how many vectors are in."""
        return self._chroma.count()

    def close(self) -> None:
        """Let Chroma finish what it does behind our back; early releases have no such call."""
        if close := getattr(self._client, "close", None):
            close()

    def _upsert(self, ids: list[str], vectors: Floats, sequence: int) -> None:
        for start in range(0, len(ids), BATCH):
            chunk = ids[start : start + BATCH]
            self._chroma.upsert(
                ids=chunk,
                embeddings=vectors[start : start + BATCH],
                metadatas=[{"sequence": sequence}] * len(chunk),
            )


def _client(folder: Path) -> ClientAPI:
    settings = Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(path=str(folder), settings=settings)


def _id(row: int, part: int) -> str:
    return f"{row}#{part}" if part else str(row)


def _row(chroma_id: str) -> int:
    return int(chroma_id.partition("#")[0])
