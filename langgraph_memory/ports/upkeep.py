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
        row, id, namespace, key: The record; see ``Stored``.
        head: The number of the version that all of this is about.
        value: What that version says.
        texts: What was embedded; None where nothing is noted: search was told nothing, or by
            a release that took no notes.
        spoken: As in ``IndexEntry``.
    """

    row: int
    id: str
    namespace: Namespace
    key: str
    head: int
    value: JsonObject
    texts: tuple[str, ...] | None = None
    spoken: str | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """What of a live record is as it was written; None where nothing is known of it.

    Attributes:
        whole: Whether it has its seal. None: it was last written before there were seals.
        texts: Whether search was told the same texts.
        vectors: Whether it has the same vectors, of the same texts.
        model: Whether they are of the model the home is bound to.
    """

    whole: bool | None = None
    texts: bool | None = None
    vectors: bool | None = None
    model: bool | None = None


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
        seal: What is known of all this.
    """

    told: Told
    words: tuple[str, ...] | None
    length: int
    placed: bool
    vectors: int
    sound: bool
    seal: Seal = Seal()


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
    """A look at everything a database holds, and the repair of what is derived in it.

    Damage is a finding, never an exception. A table that is gone is told by ``tables``; what
    else looks at derived things may only be asked while those are all there.
    """

    def tables(self) -> Check:
        """Check that every table is there and can be asked."""

    def truths(self) -> list[Check]:
        """Check what cannot be made again, and what records note of it.

        A note of the check named ``records`` says that a repair would seal what never was.
        """

    def model(self) -> Check:
        """Compare the name of the embedding model with what the vectors say of theirs.

        The check is named ``embedding model``.
        """

    def derivations(self) -> list[Check]:
        """Compare what is derived, as far as that takes no words and no vectors."""

    def heard(self, *, after: int, limit: int) -> list[Heard]:
        """Return live records past the row ``after``, by row; unreadable ones left out."""

    def full_text(self) -> Check:
        """Check the full-text index against its own rows. Only in a write."""

    def mend(self) -> None:
        """Make anew what needs no embedder and no words.

        Missing tables and indexes come, the model is named as its vectors name it, records
        note what their versions say, as far as those are what was written, versions that have
        no seal get one, what belongs to no live record goes, missing namespaces come, the
        full-text index is made from its own rows, and an outbox whose numbers make no sense
        starts anew. What damage to the truth hinders is left, the rest is done.
        """

    def remake_full_text(self) -> None:
        """Make the full-text index, and the others that are wrong, anew from their own rows."""

    def tell_texts(
        self, row: int, head: int, candidates: Sequence[str],
        otherwise: tuple[tuple[str, ...], str | None],
    ) -> bool:  # fmt: skip
        """Give a record the texts back that its seal speaks of; False as below.

        Args:
            row: The record.
            head: The version they are of.
            candidates: Where to find them.
            otherwise: Texts to embed, and the text for full text, if they are not all there.
        """

    def tell_words(self, row: int, head: int, tokens: Sequence[str]) -> bool:
        """Give a record these words, and announce it; False if its head is another by now."""

    def tell_vectors(self, row: int, head: int, vectors: Vectors | None) -> bool:
        """Give a record these vectors, or none, and seal them; the rest as above."""

    def seal(self, row: int, head: int, *, vectors: bool) -> bool:
        """Seal a record as it stands; the rest as above.

        Args:
            row: The record.
            head: The version it is about.
            vectors: Whether its vectors are known to be those of its texts.
        """
