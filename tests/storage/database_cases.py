"""What the contract tests of every database share: records to write, and a twin to compare with.

A contract class asks for ``make_database``; an implementation gives it by a mixin such as
:class:`OnSqlite` and inherits every contract unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.namespace import Namespace, starts_with
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.ports import (
    Database,
    IndexEntry,
    Lifetime,
    Stored,
    Transaction,
    Vectors,
    WordMatches,
)
from langgraph_memory.storage.sqlite.database import SqliteDatabase

NOW = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
DIMS = 4

Make = Callable[[str], Database]

patient = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow,
    ],
)  # fmt: skip
"""Fixtures may be shared by examples: each example opens a database of its own."""


def seconds(number: float) -> datetime:
    """Return an instant so long after ``NOW``."""
    return NOW + timedelta(seconds=number)


# --- Databases --------------------------------------------------------------------------


class DatabaseContract:
    """The base of the contracts. ``make_database(name)`` opens the database of that name.

    The same name twice gives two openings of one database, as two programs would have.
    """

    @pytest.fixture
    def make_database(self, tmp_path: Path) -> Iterator[Make]:
        raise NotImplementedError

    @pytest.fixture
    def database(self, make_database: Make) -> Database:
        return make_database("memory")

    @pytest.fixture
    def make_fresh(self, make_database: Make) -> Callable[[], closing[Database]]:
        """Open a new database for each example of a property."""
        numbers = count(1)
        return lambda: closing(make_database(f"example {next(numbers)}"))


class OnSqlite:
    """Runs a contract on SQLite files in a temporary folder."""

    @pytest.fixture
    def make_database(self, tmp_path: Path) -> Iterator[Make]:
        with ExitStack() as opened:

            def make(name: str) -> Database:
                database = SqliteDatabase.open(tmp_path / f"{name}.sqlite", timeout_seconds=10)
                opened.callback(database.close)
                return database

            yield make


# --- Records ----------------------------------------------------------------------------


def born(
    name: str = "r", namespace: Namespace = ("a",), key: str | None = None,
    value: dict[str, Any] | None = None, *, now: datetime = NOW,
) -> Record:  # fmt: skip
    """Return a new record."""
    said = {"said": name} if value is None else value
    return Record.first(name, namespace, name if key is None else key, said, now=now)


def entry(*tokens: str, vectors: Sequence[Sequence[float]] = ()) -> IndexEntry:
    """Return an entry of these words and, brought to unit length, these vectors."""
    said = (" ".join(tokens),) if tokens else ()
    return IndexEntry(tokens, units(*vectors) if vectors else None, said)


def units(*rows: Sequence[float]) -> Vectors:
    """Return ``(n, dims)`` float32, rows of unit length."""
    matrix: Vectors = np.array(rows, dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix


def save(
    place: Database | Transaction, record: Record, *, known: int = 0,
    entry: IndexEntry = IndexEntry(), lifetime: Lifetime = Lifetime(),
) -> Stored:  # fmt: skip
    """Save a record, in a transaction of its own where a database is given."""
    if hasattr(place, "records"):
        return place.records.save(record, known=known, entry=entry, lifetime=lifetime)
    with place.write() as tx:
        return tx.records.save(record, known=known, entry=entry, lifetime=lifetime)


@contextmanager
def undone(
    database: Database, error: type[BaseException] = ZeroDivisionError
) -> Iterator[Transaction]:
    """Open a write that raises at its end."""
    with pytest.raises(error), database.write() as tx:  # noqa: PT012  the point of it
        yield tx
        raise error


def erase(database: Database, *stored: Stored) -> None:
    with database.write() as tx:
        tx.records.erase([each.row for each in stored])


def load(database: Database, namespace: Namespace, key: str) -> Record | None:
    with database.read() as tx:
        return tx.records.load(namespace, key)


def find(database: Database, record_id: str) -> Stored | None:
    with database.read() as tx:
        return tx.records.find(record_id)


def live(database: Database, prefix: Namespace = (), **how: Any) -> list[str]:
    """Return the ids of the live records under a prefix, as listed."""
    with database.read() as tx:
        return [each.id for each in tx.records.live(prefix, **{"now": NOW, **how})]


def match(database: Database, prefix: Namespace, *terms: str) -> WordMatches:
    with database.read() as tx:
        return tx.words.match(prefix, terms)


# --- Histories and their twin -----------------------------------------------------------

LOOK_ALIKES: tuple[Namespace, ...] = (
    ("t", "acme"), ("t", "acme-corp"), ("t", "acme", "x"), ("t", "acme", "x", "y"), ("t", "acme x"),
    ("u", "john_doe"), ("u", "john-doe"), ("u", "johnXdoe"), ("FOO",), ("foo",), ("a*",), ("ab",),
    ("a%",), ("a_",), ("a/",), ("a",), ("a", "b"), ("ß",), ("ss",), ("é",), ("e\u0301",), ("会",),
    ("t=a", "u=x@y%2Ecom"),
)  # fmt: skip
"""Namespaces that joined text, wildcards, case folding or normal forms would confuse."""

KEYS = ("k", "K", "k ", "", "ключ", "k.k", "%")
VOCABULARY = ("red", "blue", "Red", "redder", "寿", "寿司", "c++", "a'b", '"', "*", "👍🏽", "and")
FIELDS = ("a", "b", "a.b")

scalars = st.sampled_from(
    (None, True, False, 0, 1, 1.0, 1.5, -1, 2**53 + 1, 10**400, "", "1", "a", "ab", "b", "é")
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=2)
    ),
    max_leaves=4,
)
objects = st.dictionaries(st.sampled_from(FIELDS), values, max_size=3)
operands = scalars | st.sampled_from(
    (float("inf"), float("-inf"), float("nan"), NOW, (1, "a"), b"a", "\ud800", {"b": 1}, [1, "a"])
)
conditions = st.one_of(
    operands,
    st.dictionaries(st.sampled_from(("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$contains")),
                    operands, min_size=1, max_size=2),
    st.dictionaries(st.sampled_from(("$in", "$nin")), st.lists(operands, max_size=3), min_size=1),
    st.builds(lambda there: {"$exists": there}, st.booleans()),
)  # fmt: skip
plain_filters = st.dictionaries(st.sampled_from(FIELDS), conditions, max_size=2)
filters = st.one_of(
    plain_filters,
    st.builds(lambda inner: {"$not": inner}, plain_filters),
    st.builds(lambda each: {"$or": each}, st.lists(plain_filters, max_size=3)),
    st.builds(lambda each: {"$and": each}, st.lists(plain_filters, max_size=3)),
)
namespaces = st.sampled_from(LOOK_ALIKES)
prefixes = namespaces | st.sampled_from(
    ((), ("t",), ("u",), ("acme",), ("*",), ("%",), ("nobody",))
)
vectors = st.lists(
    st.lists(st.integers(-3, 3), min_size=DIMS, max_size=DIMS).filter(any), max_size=3
).map(lambda rows: units(*rows) if rows else None)
entries = st.builds(
    IndexEntry, st.lists(st.sampled_from(VOCABULARY), max_size=6).map(tuple), vectors
)
moments = st.integers(0, 4).map(seconds)
lifetimes = st.one_of(
    st.just(Lifetime()),
    st.builds(Lifetime, st.sampled_from((0.05, 1.0, 60.0)), st.integers(-2, 6).map(seconds)),
)


@dataclass(frozen=True)
class Put:
    namespace: Namespace
    key: str
    value: dict[str, Any]
    now: datetime
    entry: IndexEntry
    lifetime: Lifetime


@dataclass(frozen=True)
class Delete:
    namespace: Namespace
    key: str
    now: datetime
    entry: IndexEntry  # a careless caller's: a tombstone keeps none of it


@dataclass(frozen=True)
class Erase:
    prefix: Namespace


puts = st.builds(Put, namespaces, st.sampled_from(KEYS), objects, moments, entries, lifetimes)
deletes = st.builds(Delete, namespaces, st.sampled_from(KEYS), moments, entries)
steps = st.one_of(puts, puts, puts, deletes, st.builds(Erase, namespaces))
histories = st.lists(steps, max_size=20)


@dataclass
class Twin:
    """One record as plain Python."""

    row: int
    record: Record
    entry: IndexEntry
    lifetime: Lifetime

    @property
    def live(self) -> bool:
        return self.record.head.value is not None

    @property
    def stored(self) -> Stored:
        record = self.record
        return Stored(
            self.row, record.id, record.namespace, record.key, record.created_at, record.head,
            self.lifetime,
        )  # fmt: skip


@dataclass
class Model:
    """A database too simple to be wrong; every step is done to it and to the real one."""

    twins: dict[tuple[Namespace, str], Twin] = field(default_factory=dict)
    rows_given: set[int] = field(default_factory=set)
    steps: int = 0

    def do(self, database: Database, history: Sequence[Put | Delete | Erase]) -> None:
        for step in history:
            self.steps += 1
            with database.write() as tx:
                self._one(tx, step)

    def _one(self, tx: Transaction, step: Put | Delete | Erase) -> None:
        match step:
            case Put():
                self._put(tx, step)
            case Delete():
                twin = self.twins.get((step.namespace, step.key))
                if twin is not None and twin.live:
                    gone = twin.record.delete(now=step.now)
                    self._save(tx, gone, step.entry, Lifetime())
                    self.twins[step.namespace, step.key].entry = IndexEntry()
            case Erase():
                erased = self.under(step.prefix)
                tx.records.erase([twin.row for twin in erased])
                for twin in erased:
                    del self.twins[twin.record.namespace, twin.record.key]

    def _put(self, tx: Transaction, put: Put) -> None:
        twin = self.twins.get((put.namespace, put.key))
        if twin is None:
            name = f"r{self.steps}"
            record = Record.first(name, put.namespace, put.key, put.value, now=put.now)
        else:
            record = twin.record.supersede(put.value, now=put.now)
        self._save(tx, record, put.entry, put.lifetime)

    def _save(self, tx: Transaction, record: Record, entry: IndexEntry, life: Lifetime) -> None:
        address = (record.namespace, record.key)
        twin = self.twins.get(address)
        known = twin.record.head.number if twin else 0
        stored = save(tx, record, known=known, entry=entry, lifetime=life)
        if twin is None:
            assert stored.row not in self.rows_given, "a row number was given twice"
            self.rows_given.add(stored.row)
        else:
            assert stored.row == twin.row
        self.twins[address] = Twin(stored.row, record, entry, life)
        assert stored == self.twins[address].stored

    def under(self, prefix: Namespace) -> list[Twin]:
        return [twin for twin in self.twins.values() if starts_with(twin.record.namespace, prefix)]

    def live(
        self, prefix: Namespace, now: datetime | None, wanted: dict[str, Any] | None = None
    ) -> list[Twin]:
        found = [
            twin
            for twin in self.under(prefix)
            if (value := twin.record.head.value) is not None
            and not (now is not None and twin.lifetime.over(now))
            and (not wanted or matches(value, wanted))
        ]
        return sorted(found, key=lambda twin: (twin.record.head.recorded_at, twin.row))[::-1]

    def words(self, prefix: Namespace, terms: Sequence[str]) -> WordMatches:
        bodies = {
            twin.row: twin.entry.tokens
            for twin in self.under(prefix)
            if twin.live and twin.entry.tokens
        }
        total = sum(map(len, bodies.values()))
        counts = {
            row: (len(body), Counter(each for each in body if each in terms))
            for row, body in bodies.items()
        }
        matching = {row: found for row, found in counts.items() if found[1]}
        return WordMatches(len(bodies), total / len(bodies) if bodies else 0.0, matching)

    def nearest(self, query: Vectors, prefix: Namespace) -> dict[int, float]:
        """Return the cosine of the best vector of each row under the prefix."""
        return {
            twin.row: float(np.clip((twin.entry.vectors @ query).max(), -1, 1))
            for twin in self.under(prefix)
            if twin.entry.vectors is not None
        }


def tombstones(model: Model) -> int:
    return sum(twin.record.head.status is Status.DELETED for twin in model.twins.values())
