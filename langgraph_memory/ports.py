"""The contracts between the memory and everything it stands on.

The prose here is the law; implementations are checked against it by contract tests. A
database that keeps these promises can take SQLite's place without a line changed above.

Theory of the whole. The database is the truth. In one write transaction a statement, its
words, its vectors and one outbox row become visible together or not at all. Indexes read
the outbox in the order of its sequence numbers and may be late, lost or wrong: they only
propose rows, and every proposal is read back from the database, which decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, overload

import numpy as np
import numpy.typing as npt

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.findings import Check
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Version
from langgraph_memory.domain.scope import Scope

Vectors = npt.NDArray[np.float32]
"""``(n, dims)`` float32, C-contiguous, rows of unit length; or ``(dims,)`` for one."""


class Clock(Protocol):
    """The only source of now."""

    def __call__(self) -> datetime:
        """Return the present instant: aware, UTC, microseconds, never running backwards."""


IdFactory = Callable[[], str]
"""Returns a new id on each call: URL-safe text, unguessable, unique."""


# --- The database -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The mutable side of a record: retention, not truth.

    Attributes:
        ttl_minutes: Life after the last write or refreshing read; None is permanent.
        expires_at: When it ends, UTC; None is permanent. Expired records are invisible
            before any sweep removes them.
        protected: Never evicted to make room. It still expires.
    """

    ttl_minutes: float | None = None
    expires_at: datetime | None = None
    protected: bool = False

    def over(self, now: datetime) -> bool:
        """Tell whether the retention has ended."""
        return self.expires_at is not None and self.expires_at <= now


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
    """

    tokens: tuple[str, ...] = ()
    vectors: Vectors | None = None
    texts: tuple[str, ...] = ()
    spoken: str | None = None


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


class Records(Protocol):
    """Records and their chains.

    "Live" means: the head is no tombstone, and it has not expired at ``now``. Every
    ``prefix`` means the namespace itself and its children, compared label by label.
    """

    def load(self, namespace: Namespace, key: str) -> Record | None:
        """Return the whole chain under this address, deleted or not; None if never written."""

    def load_row(self, row: int) -> Record | None:
        """Return the whole chain of a row."""

    def find(self, record_id: str) -> Stored | None:
        """Return the record with this id, whatever its state."""

    def head(self, namespace: Namespace, key: str) -> Stored | None:
        """Return the stored head under this address, whatever its state."""

    def heads(self, rows: Sequence[int]) -> list[Stored]:
        """Return the stored heads of these rows, in the order asked, unknown rows left out."""

    def vectors(self, rows: Sequence[int]) -> dict[int, Vectors]:
        """Return the head's vectors, ``(n, dims)``, of those rows that have any."""

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

    def matching(
        self, prefix: Namespace, *, now: datetime | None, limit: int | None = None,
        wanted: Mapping[str, Any] | None = None, holding: datetime | None = None,
    ) -> list[int]:  # fmt: skip
        """Return the rows of what :meth:`live` would return, in its order."""

    def meeting(self, rows: Sequence[int], wanted: Mapping[str, Any]) -> list[int]:
        """Return those of these rows whose head meets a checked filter, in no order."""

    def indexed(self, wanted: Mapping[str, Any]) -> bool:
        """Tell whether an index over a declared field may name the few rows a filter leaves."""

    def unsettled(self, prefix: Namespace) -> bool:
        """Tell whether the head of any live record under the prefix may not be what holds now.

        That is: a head that is dated, waits for review, or is known to be false.
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
        keeps no words and no vectors.

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
        """Remove records with all versions, words and vectors; one outbox row each."""


Rows = npt.NDArray[np.int64]


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

    def match(self, prefix: Namespace, terms: Sequence[str]) -> WordMatches:
        """Return every row under the prefix that holds at least one term.

        Any text may be a term; nothing in it is read as query syntax. Other scopes' rows
        change nothing in the result.
        """

    def namespaces(self, prefix: Namespace) -> list[Namespace]:
        """Return the namespaces at and under the prefix; some may hold nothing."""

    def under(self, namespace: Namespace) -> dict[int, list[str]]:
        """Return the tokens of every live record in this very namespace."""

    def bodies(self, rows: Sequence[int]) -> dict[int, list[str]]:
        """Return the tokens of those rows that have any."""

    def tidy(self) -> None:
        """Rewrite the full text so that the words of erased rows leave the files."""


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One announcement: look at this record again.

    Attributes:
        sequence: Grows with each commit; never reused.
        row: The record.
        namespace: Where it stands; None when it was erased.
        vectors: The head's vectors at the time of reading, None if it has none or is gone.
    """

    sequence: int
    row: int
    namespace: Namespace | None
    vectors: Vectors | None


class Outbox(Protocol):
    """The queue from the truth to its indexes."""

    def last(self) -> int:
        """Return the highest sequence number ever given, 0 in an empty home."""

    def floor(self) -> int:
        """Return the highest sequence number pruned away; who stands below it reloads."""

    def after(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        """Return announcements after ``sequence``, oldest first, one per record: its last."""

    def changed(self, sequence: int, *, limit: int) -> list[OutboxRow]:
        """Return the same without vectors."""

    def snapshot(self) -> Iterator[OutboxRow]:
        """Yield one row for each record that has vectors now, for a mirror that starts anew."""

    def followed(self, follower: str) -> int:
        """Return how far a follower has come; 0 when it never reported."""

    def follow(self, follower: str, sequence: int) -> None:
        """Note how far a follower has come, and prune what no follower still owes."""

    def restart(self) -> None:
        """Drop all announcements and raise the floor past them, so that every mirror reloads."""


class Events(Protocol):
    """The transcript."""

    def add(self, event: Event) -> bool:
        """Write an event; False, and nothing written, if its address is already there."""

    def at(self, thread_id: str, message_id: str) -> Event | None:
        """Return the event at this address."""

    def settle(self, event_id: str, outcome: JsonObject) -> None:
        """Keep what came of an order in an event, beside the event."""

    def outcome(self, event_id: str) -> JsonObject | None:
        """Return what came of the order in an event, None if it was not carried out yet."""

    def get(self, event_ids: Sequence[str]) -> list[Event]:
        """Return these events in the order asked, unknown ids left out."""

    def thread(self, thread_id: str, *, after: int = 0, limit: int = 1000) -> list[Event]:
        """Return a thread's events in the order of capture, past the first ``after``."""

    def fresh(self, thread_id: str, *, limit: int) -> list[Event]:
        """Return a thread's oldest events that no consolidation has read yet."""

    def consolidated(self, event: Event) -> None:
        """Note that a consolidation has read the event's thread up to and with this event."""

    def count(self, owner: Scope) -> int:
        """Return how many events an owner has."""

    def owner(self, thread_id: str) -> Scope | None:
        """Return the identity a thread is bound to."""

    def bind(self, thread_id: str, owner: Scope, *, now: datetime) -> None:
        """Bind a thread to an identity. The caller has checked that it is free or theirs."""

    def threads(self, owner: Scope) -> list[str]:
        """Return the threads an identity has opened, oldest first."""

    def erase(self, owner: Scope) -> dict[str, int]:
        """Remove an owner's events, jobs and thread bindings; return counts by table."""


@dataclass(frozen=True, slots=True)
class Job:
    """Background work that must happen once.

    Attributes:
        key: Names the work; a second job with the key of a waiting one is the same job.
        kind: What sort of work.
        scope: Whose.
        thread_id: The thread it is about.
        attempts: How often it was started.
        error: What the last failure said; empty if none.
    """

    key: str
    kind: str
    scope: Scope
    thread_id: str
    attempts: int = 0
    error: str = ""


class Jobs(Protocol):
    """A durable queue: leased, so that two workers never hold one job at a time."""

    def submit(self, job: Job, *, due: datetime) -> None:
        """Queue a job, or move the waiting one of the same key to the new ``due``."""

    def lease(self, *, now: datetime, seconds: float, early: bool = False) -> Job | None:
        """Take the longest due job that nobody holds, for ``seconds``; None if there is none.

        With ``early``, a job that was never tried counts as due.
        """

    def finish(self, job: Job) -> None:
        """Remove a leased job, unless it was submitted again meanwhile: then it stays due."""

    def fail(self, job: Job, error: str, *, retry: datetime | None) -> None:
        """Give a job back with its error; without ``retry`` it is kept as dead."""

    def waiting(self, owner: Scope | None = None) -> list[Job]:
        """Return the jobs not finished, dead ones included, oldest due first."""


@dataclass(frozen=True, slots=True)
class Space:
    """An embedding space. Vectors of two spaces never meet."""

    model_id: str
    dims: int


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


class Transaction(Protocol):
    """One consistent view of the truth; in a write, everything or nothing."""

    @property
    def records(self) -> Records:
        """Records and their chains."""

    @property
    def words(self) -> Words:
        """Full text."""

    @property
    def outbox(self) -> Outbox:
        """The queue to the indexes."""

    @property
    def events(self) -> Events:
        """The transcript."""

    @property
    def jobs(self) -> Jobs:
        """Background work."""

    @property
    def reindexing(self) -> Reindexing:
        """The move to another embedder."""

    @property
    def audit(self) -> Audit:
        """The look at everything."""

    def attempt(self) -> AbstractContextManager[None]:
        """Open a part of the write that is undone alone if it raises."""

    def space(self) -> Space | None:
        """Return the embedding space this home is bound to; None before the first bind."""

    def bind_space(self, space: Space) -> None:
        """Bind a home to its embedding space, once."""


class Database(Protocol):
    """The truth. Any thread may use it; several processes may open it at once.

    A write that returned survives the death of the process. A read sees every write that
    returned before it began, in whichever process.

    Raises (from either method):
        StorageBusyError, StorageFullError, HomeReadOnlyError, StorageDamagedError,
        ClosedError: As their names say; the transaction left no trace.
    """

    @property
    def path(self) -> Path:
        """Return where the truth is kept."""

    def read(self) -> AbstractContextManager[Transaction]:
        """Open a view that later writes do not change."""

    def write(self) -> AbstractContextManager[Transaction]:
        """Open a write; commit on leaving, roll back on an exception. One at a time.

        Never embed text, call a model or wait for anything inside.
        """

    def filter_fields(self) -> tuple[str, ...]:
        """Return the fields of values that filters find by an index."""

    def declare_filter_fields(self, fields: Sequence[str]) -> None:
        """Give fields an index, beside those that have one; nothing is searched differently.

        Raises:
            InvalidInputError: A field that can have no index; none was given one.
        """

    def fold(self) -> None:
        """Bring the log into the file, so that erased bytes stand in neither.

        A reader of another process may keep it from happening; closing does it then.
        """

    def close(self) -> None:
        """Close all connections; a second call does nothing."""


# --- Indexes ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A row proposed by an index, with the cosine of its best vector, in [-1, 1]."""

    row: int
    cosine: float


class Neighbours(Sequence[Neighbour]):
    """Rows proposed by an index, best cosine first, each row once.

    Attributes:
        rows, cosines: ``(n,)`` each.
    """

    def __init__(self, rows: Rows, cosines: Vectors) -> None:
        self.rows = rows
        self.cosines = cosines

    @classmethod
    def of(cls, found: Sequence[Neighbour]) -> Neighbours:
        """Return these, in their order."""
        rows = np.array([each.row for each in found], dtype=np.int64)
        return cls(rows, np.array([each.cosine for each in found], dtype=np.float32))

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
    """Scores by words. Complete, and as fresh as the view it is given, or fresher."""

    def match(self, tx: Transaction, prefix: Namespace, terms: Sequence[str]) -> WordTable:
        """Return the table of a scope for these terms. Other scopes' rows change nothing in it."""

    def check(self, tx: Transaction) -> Check:
        """Compare all that is held with the database; what proves wrong is told and dropped."""

    def forget(self) -> None:
        """Drop what is held in memory: it is read anew when it is asked for."""


class VectorIndex(Protocol):
    """Proposes rows by meaning. May be late or incomplete; the database decides."""

    def nearest(
        self, query: Vectors, prefix: Namespace, *, limit: int, view: Transaction | None = None
    ) -> Neighbours:
        """Return up to ``limit`` rows under the prefix, best cosine first, each row once.

        With a ``view``, as of that or later, which saves opening one. An exact index sees
        every write that returned before the call, of any process.
        """

    def scan(
        self, query: Vectors, prefix: Namespace, *, view: Transaction | None = None
    ) -> Neighbours | None:
        """Return every row under the prefix that has a vector, each once, in no order.

        None where comparing all would cost too much: ask for the nearest.
        """

    def cosines(self, query: Vectors, rows: Rows) -> Vectors:
        """Return ``(n,)``: the cosine of the best vector of each row, 0.0 where it has none."""

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

    def close(self) -> None:
        """Free what is held; a second call does nothing."""


# --- Models -----------------------------------------------------------------------------


class Embedder(Protocol):
    """Turns text into vectors. Deterministic for a text, whatever its batch mates."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; vectors are comparable only within one id."""

    @property
    def dims(self) -> int:
        """Length of a vector."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows. Any text is accepted, the empty one too.

        Raises:
            EmbeddingError: The model could not be run; nothing is half done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector."""

    def reads(self, text: str) -> bool:
        """Tell whether the model knows the script of a text.

        All texts in a script that it does not know lie close together, whatever they say: a
        question in one is answered by words alone.
        """


class TokenCounter(Protocol):
    """Counts what a model will count; may overcount, must not undercount by over 5 %."""

    def __call__(self, text: str) -> int:
        """Return the number of tokens of ``text``."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request: who speaks, and what."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence, as a responder sees it.

    Attributes:
        label: The short name the answer cites it by, such as ``m1``.
        record_id: The record it quotes.
        content: The quoted text.
        source: Who said it, readable.
        said_at: When it was recorded or said, UTC.
        history: Earlier statements it replaced, newest first: text and when they ended.
        score: How well it fits, in [0, 1].
        scope: Whose knowledge it is: ``personal``, ``project`` or ``organization``.
    """

    label: str
    record_id: str
    content: str
    source: str
    said_at: datetime
    history: tuple[tuple[str, datetime], ...] = ()
    score: float = 0.0
    scope: str = "personal"


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one answer may rest on.

    Attributes:
        messages: What a model is shown, in order, the latest user message last.
        evidence: What validation let through, best first; empty means abstain.
        missing: What memory was asked and does not hold, in plain words.
    """

    messages: tuple[ChatMessage, ...]
    evidence: tuple[Citation, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Attributes:
        text: What to say.
        cited: Labels of the evidence it uses.
        model: Which model spoke.
        input_tokens, output_tokens: As the provider counted; None where it does not.
        milliseconds: How long it took.
    """

    text: str
    cited: tuple[str, ...] = ()
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    milliseconds: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)


class ChatModel(Protocol):
    """Answers from the evidence, or says that there is none."""

    @property
    def name(self) -> str:
        """Which model is at work, in words a user understands."""

    def answer(self, request: Request) -> Reply:
        """Answer.

        Raises:
            ModelUnavailableError, ModelRefusedError, ModelSetupError: As their names say.
        """

    async def aanswer(self, request: Request) -> Reply:
        """Answer without blocking the event loop. Raises as ``answer``."""


# --- Run state --------------------------------------------------------------------------


class RunState(Protocol):
    """What runs have in progress, by thread; the checkpointer's side of a purge."""

    def count(self, thread_id: str) -> int:
        """Return how many rows a thread has."""

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything kept for a thread."""

    def check(self) -> Check:
        """Check the files that it is kept in."""
