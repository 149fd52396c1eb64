"""Indexes: they only propose rows, by meaning or by words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, overload

import numpy as np

from langgraph_memory.domain.findings import Check
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports.basics import Rows, Vectors
from langgraph_memory.ports.database import Transaction
from langgraph_memory.ports.words import WordTable

EXACT = "exact"
"""The name of the index that compares everything in a scope."""


class PassedError(Exception):
    """What an index holds is newer than the view it was asked in: ask again in a new view.

    Else an answer would be put together of two states. See ``Engine.viewed``.
    """


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A row proposed by an index, with the cosine of its best vector, in [-1, 1]."""

    row: int
    cosine: float


class Neighbours(Sequence[Neighbour]):
    """Rows proposed by an index, best cosine first, each row once.

    Attributes:
        rows, cosines: ``(n,)`` each.
        by: Which index proposed them, in words: where there are several, one may stand in for
            another from search to search.
    """

    def __init__(self, rows: Rows, cosines: Vectors, *, by: str = EXACT) -> None:
        self.rows = rows
        self.cosines = cosines
        self.by = by

    @classmethod
    def of(cls, found: Sequence[Neighbour], *, by: str = EXACT) -> Neighbours:
        """Return these, in their order."""
        rows = np.array([each.row for each in found], dtype=np.int64)
        return cls(rows, np.array([each.cosine for each in found], dtype=np.float32), by=by)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Neighbour: ...
    @overload
    def __getitem__(self, at: slice) -> list[Neighbour]: ...
    def __getitem__(self, at: int | slice) -> Neighbour | list[Neighbour]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return Neighbour(int(self.rows[at]), float(self.cosines[at]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class WordIndex(Protocol):
    """Scores by words. Complete, and of the very state of the view it is given.

    Raises:
        PassedError: It is past that state.
    """

    def match(
        self, tx: Transaction, prefix: Namespace, terms: Sequence[str], *,
        only: Collection[Namespace] | None = None,
    ) -> WordTable:  # fmt: skip
        """Return the table of a scope for these terms. Other scopes' rows change nothing in it.

        With ``only``, the scope is those very namespaces of the prefix, without what is under them.
        """

    def check(self, tx: Transaction) -> Check:
        """Compare all that is held with the database; what proves wrong is told and dropped."""

    def forget(self) -> None:
        """Drop what is held in memory: it is read anew when it is asked for."""


class Meeting(NamedTuple):
    """The rows that meet a filter, in no order.

    Attributes:
        rows: Which.
        of: How many were looked at.
    """

    rows: frozenset[int]
    of: int


class FieldIndex(Protocol):
    """Names rows by the fields of their values. Raises as :class:`WordIndex`."""

    def meeting(
        self, tx: Transaction, prefix: Namespace, wanted: Mapping[str, Any]
    ) -> Meeting | None:
        """Return the live rows under a prefix whose heads meet a checked filter.

        None where that is not known here: ask the database.
        """

    def check(self, tx: Transaction) -> Check:
        """As :meth:`WordIndex.check`."""

    def forget(self) -> None:
        """Drop what is held in memory: it is read anew when it is asked for."""


class VectorIndex(Protocol):
    """Proposes rows by meaning. May be late or incomplete; the database decides."""

    def nearest(
        self, query: Vectors, prefix: Namespace, *, limit: int, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours:  # fmt: skip
        """Return up to ``limit`` rows under the prefix, best cosine first, each row once.

        With a ``view``, of that very state; without, of the latest. An exact index sees every
        write that returned before the call, of any process. With ``only``, of those very
        namespaces of the prefix.

        Raises:
            PassedError: What is held is newer than the view.
        """

    def scan(
        self, query: Vectors, prefix: Namespace, *, view: Transaction | None = None,
        only: Collection[Namespace] | None = None,
    ) -> Neighbours | None:  # fmt: skip
        """Return every row under the prefix that has a vector, each once, in no order.

        With ``only``, of those very namespaces of the prefix.

        None where comparing all would cost too much: ask for the nearest.
        """

    def cosines(self, query: Vectors, rows: Rows, *, view: Transaction | None = None) -> Vectors:
        """Return ``(n,)``: the cosine of the best vector of each row, NaN where it has none.

        Args:
            query: One unit vector.
            rows: Which records.
            view: As for :meth:`nearest`.
        """

    def scrub(self) -> bool:
        """Rewrite what is kept in files, so that erased vectors leave them.

        Returns:
            Whether it is done; it may take longer than a caller should wait, or need a
            process that is not this one.
        """

    def check(self) -> list[Check]:
        """Compare all that is held with the database. Damage is a finding, never an exception.

        What proves wrong is told, and dropped at once: an index is nobody's truth.
        """

    def rebuild(self) -> bool:
        """Make all that is held anew from the vectors in the database. Returns as ``scrub``."""

    def forget(self) -> None:
        """Drop what is held in memory: it is read anew when it is asked for."""

    def close(self) -> None:
        """Free what is held; a second call does nothing."""
