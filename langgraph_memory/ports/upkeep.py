"""What moving to another embedder, and a look at everything, need of a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from langgraph_memory.domain.findings import Check
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports.basics import Space, Vectors


@dataclass(frozen=True, slots=True)
class Told:
    """A live record, and what search was told of it.

    Attributes:
        row, id, namespace: The record; see ``Stored``.
        head: The number of the version that all of this is about.
        value: What that version says.
        texts: What was embedded; None where nothing is noted: search was told nothing, or by
            a release that took no notes.
        spoken: As in ``IndexEntry``.
    """

    row: int
    id: str
    namespace: Namespace
    head: int
    value: JsonObject
    texts: tuple[str, ...] | None = None
    spoken: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What search has of a live record, to be compared with what it was told.

    Attributes:
        told: The record.
        words: Its full text, None if it has none.
        length: The number of tokens it is counted with.
        placed: Whether the full text stands in the record's namespace and all above.
        vectors: How many vectors it has.
        sound: Whether each is finite, of the right length and of unit length (or nought),
            and none is missing between them.
    """

    told: Told
    words: tuple[str, ...] | None
    length: int
    placed: bool
    vectors: int
    sound: bool


class Reindexing(Protocol):
    """The move of a home to another embedding space, in steps that may be far apart.

    Prepared vectors stand beside the present ones, which answer until the switch. A record
    that is written meanwhile loses what was prepared for it. Whoever is killed between two
    steps loses the last of them at most.
    """

    def goal(self) -> Space | None:
        """Return the space that vectors are being prepared for; None if none is."""

    def begin(self, space: Space) -> None:
        """Prepare for a space from now on; what was prepared for another one goes."""

    def abandon(self) -> None:
        """Drop all that was prepared."""

    def count(self) -> tuple[int, int]:
        """Return how many records are prepared, and how many there are to prepare in all."""

    def owed(self, *, after: int, limit: int) -> list[Told]:
        """Return records past the row ``after`` that are not prepared yet, by row.

        To prepare is every live record with texts that were embedded, or that has vectors.
        """

    def prepare(self, row: int, head: int, vectors: Vectors | None) -> None:
        """Keep the vectors of a record; None for one that the new embedder cannot read.

        Nothing is kept for a record whose head is not ``head`` any more.
        """

    def switch(self) -> bool:
        """Put the prepared vectors in the place of the present ones, and bind the new space.

        The outbox starts anew, so that every mirror, of any process, reloads.

        Returns:
            Whether it was done; not while any record is still to be prepared.
        """


class Audit(Protocol):
    """A look at everything a database holds, and the repair of what is derived in it."""

    def checks(self) -> list[Check]:
        """Compare all that can be compared without knowing how texts become words.

        Damage is a finding, never an exception.
        """

    def heard(self, *, after: int, limit: int) -> list[Heard]:
        """Return live records past the row ``after``, by row; unreadable ones left out."""

    def full_text(self) -> Check:
        """Check the full-text index against its own rows. Only in a write."""

    def remake_full_text(self) -> None:
        """Make the full-text index anew from its own rows. Only in a write."""

    def tell_words(self, row: int, head: int, tokens: Sequence[str]) -> bool:
        """Give a record these words, and announce it; False if its head is another by now."""

    def tell_vectors(self, row: int, head: int, vectors: Vectors | None) -> bool:
        """Give a record these vectors, or none; the rest as above."""

    def tidy(self) -> int:
        """Put in order what needs no embedder and no words; return how many rows changed.

        What belongs to no live record goes, missing namespaces come, and an outbox whose
        numbers make no sense starts anew.
        """
