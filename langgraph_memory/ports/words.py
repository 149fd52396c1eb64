"""Full text: what matches, as rows and as arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports.basics import Rows, Vectors


@dataclass(frozen=True, slots=True)
class WordMatches:
    """The raw material of lexical scoring, from one scope's rows alone.

    Attributes:
        documents: How many live records with words the scope has.
        average_length: Their mean number of tokens; 0.0 when there are none.
        counts: For each matching row, its length in tokens and how often each asked term
            stands in it (terms it lacks are absent).
    """

    documents: int
    average_length: float
    counts: Mapping[int, tuple[int, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class Holders:
    """Where in a :class:`WordTable` a term is held, and how often: ``(n,)`` each."""

    places: npt.NDArray[np.int64]
    times: Vectors


@dataclass(frozen=True, slots=True)
class WordTable:
    """What :class:`WordMatches` says, as arrays: for scoring a whole scope at once.

    Attributes:
        documents: How many live records with words the scope has.
        average_length: Their mean number of tokens; 0.0 when there are none.
        rows: ``(n,)`` the record at each place; at least every one that matches.
        lengths: ``(n,)`` its length in tokens.
        holders: For each asked term that any record holds, who does.
        find: Tells the places of rows, ``(m,)`` each, -1 where a row has none.
    """

    documents: int
    average_length: float
    rows: Rows
    lengths: Vectors
    holders: Mapping[str, Holders]
    find: Callable[[Rows], Rows]


class Words(Protocol):
    """Full text: matching only. Scores are made from the scope's own statistics."""

    def match(
        self, prefix: Namespace, terms: Sequence[str], *,
        only: Collection[Namespace] | None = None,
    ) -> WordMatches:  # fmt: skip
        """Return every row under the prefix that holds at least one term.

        Any text may be a term; nothing in it is read as query syntax. Other scopes' rows
        change nothing in the result. With ``only``, of those very namespaces of the prefix.
        """

    def namespaces(self, prefix: Namespace) -> tuple[Namespace, ...]:
        """Return the namespaces at and under the prefix; some may hold nothing."""

    def under(self, namespace: Namespace) -> dict[int, list[str]]:
        """Return the tokens of every live record in this very namespace."""

    def bodies(self, rows: Sequence[int]) -> dict[int, list[str]]:
        """Return the tokens of those rows that have any."""

    def tidy(self) -> None:
        """Rewrite the full text so that the words of erased rows leave the files."""
