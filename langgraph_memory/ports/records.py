"""Records and their chains, as the database keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Version
from langgraph_memory.ports.basics import Lifetime, Vectors
from langgraph_memory.ports.embedders import Signs


class Stored(NamedTuple):
    """A record as the database lists it: the address and the head, without the chain.

    Attributes:
        row: The database's own number for the record; never reused.
        created_at: The start of the present life (see ``Record.created_at``).
    """

    row: int
    id: str
    namespace: Namespace
    key: str
    created_at: datetime
    head: Version
    lifetime: Lifetime


class Chain(NamedTuple):
    """A record with all it ever said, and how long it stays."""

    record: Record
    lifetime: Lifetime


class Shown(NamedTuple):
    """A record as a page shows it: what it says, and no more than a page needs.

    Attributes:
        row: As :class:`Stored` has it, like ``created_at``.
        updated_at: When what it says was recorded.
        number: Which version says it.
        value: What it says; None in a tombstone.
        settled: Whether what the head says simply holds: it is not dated, does not wait for
            review, and is not false.
    """

    row: int
    namespace: Namespace
    key: str
    created_at: datetime
    updated_at: datetime
    number: int
    value: JsonObject | None
    ttl_minutes: float | None
    expires_at: datetime | None
    settled: bool


@dataclass(frozen=True, slots=True)
class Use:
    """How often a record was used since that was last written down, and when last, UTC."""

    hits: int
    last: datetime


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What search is told about a new head; an empty entry makes it findable by address only.

    Attributes:
        tokens: The words of the full text, in order, as ``text.tokens`` makes them.
        vectors: ``(n, dims)`` unit rows, several for one record; a search scores the best.
        texts: What was embedded, kept so that another embedder can take over.
        spoken: The text the tokens were made from, where it is not all of ``texts``.
        pieces: ``(n, dims / 8)`` signs of its word pieces, for late interaction.
    """

    tokens: tuple[str, ...] = ()
    vectors: Vectors | None = None
    texts: tuple[str, ...] = ()
    spoken: str | None = None
    pieces: Signs | None = None


class Records(Protocol):
    """Records and their chains.

    "Live" means: the head is no tombstone, and it has not expired at ``now``. Every
    ``prefix`` means the namespace itself and its children, compared label by label.
    """

    def load(self, namespace: Namespace, key: str) -> Record | None:
        """Return the whole chain under this address, deleted or not; None if never written."""

    def load_row(self, row: int) -> Record | None:
        """Return the whole chain of a row."""

    def chains(self, rows: Sequence[int]) -> dict[int, Chain]:
        """Return the whole chains of these rows, by row, unknown rows left out."""

    def places(self, rows: Sequence[int]) -> dict[int, Namespace]:
        """Return the namespaces of these rows, by row, unknown rows left out."""

    def find(self, record_id: str) -> Stored | None:
        """Return the record with this id, whatever its state."""

    def head(self, namespace: Namespace, key: str) -> Stored | None:
        """Return the stored head under this address, whatever its state."""

    def heads(self, rows: Sequence[int]) -> list[Stored]:
        """Return the stored heads of these rows, in the order asked, unknown rows left out."""

    def shown(self, rows: Sequence[int]) -> list[Shown]:
        """Return what the heads of these rows show, as :meth:`heads` does."""

    def shown_at(self, namespace: Namespace, key: str) -> Shown | None:
        """Return what the head under this address shows, whatever its state."""

    def vectors(self, rows: Sequence[int]) -> dict[int, Vectors]:
        """Return the head's vectors, ``(n, dims)``, of those rows that have any."""

    def first_vectors(self, rows: Sequence[int]) -> tuple[list[int], Vectors]:
        """Return which of those rows have vectors, and ``(n, dims)``: the first of each."""

    def texts(self, rows: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Return the texts that search was told of these rows' heads, where it was told any."""

    def told(self, row: int) -> tuple[tuple[str, ...], str | None]:
        """Return what search was told of a row's head: the texts and what was spoken.

        As in :class:`IndexEntry`; nothing where it was told nothing.
        """

    def live(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        offset: int = 0, wanted: Mapping[str, Any] | None = None,
        holding: datetime | None = None,
    ) -> list[Stored]:  # fmt: skip
        """Return live records, latest write first, ties by row, newest row first.

        Args:
            prefix: Where to look; empty is everywhere.
            now: The instant that decides about expiry; None lets expired ones through.
            limit: At most so many; None is all.
            offset: How many matching records to pass over first.
            wanted: A filter that ``domain.filters.check`` accepted, applied to the value
                before paging.
            holding: Leave out heads after which nothing holds at this instant: they have
                ended, or are false. One that waits for review or begins later comes through
                untested, since an older statement may hold in its place. None looks at
                heads alone, whatever they say of the world.
        """

    def page(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        offset: int = 0, wanted: Mapping[str, Any] | None = None,
        holding: datetime | None = None, judged: bool = True, among: Sequence[int] | None = None,
    ) -> list[Shown]:  # fmt: skip
        """Return what the heads of :meth:`live` show.

        Not ``judged``, there may be others among them that do not meet the filter: for who
        looks at them anyhow. With ``among``, only these rows, and no others are looked at.
        """

    def live_rows(self, namespace: Namespace, *, limit: int | None = None) -> list[int]:
        """Return the rows of live records in this very namespace, in no order."""

    def values(self, rows: Sequence[int]) -> dict[int, JsonObject]:
        """Return what the heads of these rows say, by row; tombstones and unknown rows left out.

        What is damaged is left out, too: it harms whoever reads it, and no other.
        """

    def matching(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        wanted: Mapping[str, Any] | None = None, holding: datetime | None = None,
        judged: bool = True,
    ) -> list[int]:  # fmt: skip
        """Return the rows of what :meth:`page` would return, in its order."""

    def meeting(self, rows: Sequence[int], wanted: Mapping[str, Any]) -> list[int]:
        """Return those of these rows whose head may meet a checked filter, in no order."""

    def indexed(self, wanted: Mapping[str, Any]) -> bool:
        """Tell whether an index over a declared field may name the few rows a filter leaves."""

    def unsettled(self, prefix: Namespace) -> bool:
        """Tell whether the head of any live record under the prefix may not be what holds now.

        That is: a head that is dated, waits for review, or is known to be false.
        """

    def refuted(self, namespace: Namespace) -> list[int]:
        """Return rows of this very namespace that are deleted, invalidated or wait, in no order.

        What was taken back in any other way is not among them.
        """

    def namespaces(self, *, now: datetime | None) -> list[Namespace]:
        """Return the namespaces that hold live records, each once, sorted."""

    def count(self, prefix: Namespace, *, living: bool = False) -> int:
        """Return how many records stand under the prefix, tombstones left out if ``living``."""

    def rows(self, prefix: Namespace, *, limit: int) -> list[int]:
        """Return up to ``limit`` rows under the prefix, in whatever state."""

    def save(self, record: Record, *, known: int, entry: IndexEntry, lifetime: Lifetime) -> Stored:
        """Write what is new in ``record``: versions after ``known``, and how they closed it.

        In the same transaction: the words and vectors of the old head go, those of
        ``entry`` come, and one outbox row is written. A record whose head is a tombstone
        keeps no words, no vectors and no trials.

        Args:
            record: The chain as it shall be.
            known: The head number the chain was loaded with; 0 for a new record.
            entry: What search is told about the new head.
            lifetime: The new retention.

        Raises:
            VersionConflictError: The stored head is not ``known`` any more.
        """

    def amend(self, stored: Stored, version: Version, lifetime: Lifetime) -> None:
        """Replace the papers of the head (more events behind it) and the retention."""

    def trim(self, row: int, *, keep: int) -> None:
        """Remove the versions of a row before its newest ``keep``."""

    def refresh(self, rows: Sequence[int], *, now: datetime) -> None:
        """Let the retention of these rows run anew from ``now``."""

    def use(self, row: int) -> Use | None:
        """Return how often a row was hit in all, and when last; None if never."""

    def touch(self, used: Mapping[int, Use]) -> None:
        """Count hits, and note when the last was."""

    def crowd(self, namespace: Namespace, *, most: int) -> int:
        """Return how many live records stand in this very namespace beyond ``most``, not below 0.

        Expired ones that no sweep has removed count.
        """

    def idlest(self, namespace: Namespace, *, now: datetime, limit: int) -> list[int]:
        """Return unprotected live rows of this very namespace, the first to give way first.

        Expired ones come first, then those that were written or used longest ago, ties by
        row, oldest row first.
        """

    def expired(self, *, now: datetime, limit: int) -> list[int]:
        """Return rows whose retention is over."""

    def erase(self, rows: Sequence[int]) -> None:
        """Remove records with all versions, words, vectors and trials; one outbox row each."""
