"""Records and their chains: the contract, and SQLite keeping it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from database_cases import (
    KEYS,
    LOOK_ALIKES,
    NOW,
    DatabaseContract,
    Make,
    Model,
    OnSqlite,
    born,
    entry,
    erase,
    filters,
    find,
    histories,
    live,
    load,
    moments,
    patient,
    prefixes,
    save,
    seconds,
    units,
)
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.filters import check
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import PLAIN, Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.errors import VersionConflictError
from langgraph_memory.ports import Chain, Database, IndexEntry, Lifetime, Use

Fresh = Callable[[], closing[Database]]

# --- What may stand in a version --------------------------------------------------------

instants = st.datetimes(
    min_value=datetime(1, 1, 1),
    max_value=datetime.max,
    timezones=st.just(UTC),
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
huge = st.sampled_from((10**400, -(10**4299), 2**63, 2**64 + 1, -(2**63) - 1))
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | huge | texts
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
spans = st.tuples(st.none() | instants, st.none() | instants).map(
    lambda ends: Interval(*sorted(ends)) if all(ends) else Interval(*ends)  # type: ignore[type-var]
)
papers = st.builds(
    Provenance,
    source=st.builds(Source, st.sampled_from(SourceKind), texts),
    event_ids=st.lists(texts, max_size=3).map(tuple),
    derived_from=st.lists(texts, max_size=3).map(tuple),
    verification=st.sampled_from(Verification),
    purpose=texts,
    policy=texts,
    reason=texts,
)
versions = st.builds(
    Version,
    number=st.just(0),
    value=st.none() | st.dictionaries(texts, anything, max_size=3),
    recorded_at=instants,
    superseded_at=st.none() | instants,
    valid=spans,
    status=st.sampled_from(Status),
    provenance=papers,
)
chains = st.lists(versions, min_size=1, max_size=4).map(
    lambda chain: tuple(each._replace(number=n) for n, each in enumerate(chain, start=1))
)
labels = texts.filter(lambda label: label and "." not in label and "\0" not in label)


class RecordsContract(DatabaseContract):
    """``ports.Records``."""

    # --- Against a model ----------------------------------------------------------------

    @patient
    @given(histories, prefixes, st.none() | moments)
    def test_every_listing_equals_a_model_of_plain_python(
        self, make_fresh: Fresh, history: Any, prefix: Any, now: datetime | None
    ) -> None:
        """B1: prefixes mean labels, never text, wildcards or case."""
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            with database.read() as tx:
                records = tx.records
                assert records.live(prefix, now=now) == [
                    twin.stored for twin in model.live(prefix, now)
                ]
                assert records.count(prefix) == len(model.under(prefix))
                rows = {twin.row for twin in model.under(prefix)}
                assert set(records.rows(prefix, limit=1000)) == rows
                assert len(records.rows(prefix, limit=2)) == min(2, len(rows))
                assert records.namespaces(now=now) == sorted(
                    {twin.record.namespace for twin in model.live((), now)}
                )
                over = {twin.row for twin in model.under(()) if now and twin.lifetime.over(now)}
                assert set(records.expired(now=now or seconds(-100), limit=1000)) == over

    @patient
    @given(histories)
    def test_every_reading_by_address_equals_a_model_of_plain_python(
        self, make_fresh: Fresh, history: Any
    ) -> None:
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            with database.read() as tx:
                for namespace in LOOK_ALIKES:
                    for key in KEYS:
                        twin = model.twins.get((namespace, key))
                        assert tx.records.load(namespace, key) == (twin and twin.record)
                        assert tx.records.head(namespace, key) == (twin and twin.stored)
                for twin in model.twins.values():
                    assert tx.records.find(twin.record.id) == twin.stored
                    assert tx.records.load_row(twin.row) == twin.record
                rows = [*sorted(model.rows_given, reverse=True), 10**9]
                by_row = {twin.row: twin for twin in model.twins.values()}
                assert tx.records.heads(rows) == [
                    by_row[row].stored for row in rows if row in by_row
                ]
                assert tx.records.chains(rows) == {
                    row: Chain(twin.record, twin.lifetime) for row, twin in by_row.items()
                }
                assert tx.records.places(rows) == {
                    row: twin.record.namespace for row, twin in by_row.items()
                }
                kept = tx.records.vectors(rows)
                assert {row: each.tolist() for row, each in kept.items()} == {
                    row: twin.entry.vectors.tolist()
                    for row, twin in by_row.items()
                    if twin.entry.vectors is not None
                }

    @patient
    @given(histories, prefixes, filters, st.integers(0, 3), st.none() | st.integers(0, 4))
    @example([], (), {"a": {"$lt": float("inf")}}, 0, None)
    def test_filters_mean_what_the_truth_table_says_and_apply_before_paging(
        self, make_fresh: Fresh, history: Any, prefix: Any, wanted: Any, offset: int,
        limit: int | None,
    ) -> None:  # fmt: skip
        check(wanted)
        with make_fresh() as database:
            model = Model()
            model.do(database, history)
            stop = None if limit is None else offset + limit
            with database.read() as tx:
                found = tx.records.live(prefix, now=NOW, wanted=wanted, offset=offset, limit=limit)
            assert found == [twin.stored for twin in model.live(prefix, NOW, wanted)[offset:stop]]

    # --- Round trip ---------------------------------------------------------------------

    @patient
    @given(chains, st.lists(labels, min_size=1, max_size=4).map(tuple), texts)
    def test_every_field_of_every_version_comes_back_equal(
        self, make_fresh: Fresh, chain: Any, namespace: Any, key: str
    ) -> None:
        record = Record("id", namespace, key, chain)
        with make_fresh() as database:
            stored = save(database, record)
            loaded = load(database, namespace, key)
            assert loaded == record
            assert loaded is not None
            for kept, said in zip(loaded.versions, chain, strict=True):
                assert repr(kept.value) == repr(said.value), "1, 1.0 and True are equal"
            assert find(database, "id") == stored
            assert stored.head == record.head

    @pytest.mark.parametrize("minutes", [None, 0.1, 5, 1e-6, 60 * 24 * 365.25])
    @pytest.mark.parametrize("ends", [None, NOW, datetime.max.replace(tzinfo=UTC)])
    def test_a_lifetime_comes_back_equal(
        self, database: Database, minutes: float | None, ends: datetime | None
    ) -> None:
        life = Lifetime(minutes, ends)
        assert save(database, born(), lifetime=life).lifetime == life
        found = find(database, "r")
        assert found is not None
        assert found.lifetime == life

    def test_vectors_come_back_bit_for_bit_in_order(self, database: Database) -> None:
        given = units([1, 2, 3, 4], [4, 3, 2, 1], [-1, 0, 0, 1e-6])
        row = save(database, born(), entry=IndexEntry((), given)).row
        with database.read() as tx:
            found = tx.records.vectors([row])[row]
        assert found.dtype == np.float32
        assert found.flags.c_contiguous
        assert found.tobytes() == given.tobytes()

    def test_a_strided_matrix_is_stored_as_it_reads(self, database: Database) -> None:
        given = np.asfortranarray(units([1, 2, 3, 4], [4, 3, 2, 1]))
        row = save(database, born(), entry=IndexEntry((), given)).row
        with database.read() as tx:
            assert tx.records.vectors([row])[row].tolist() == given.tolist()

    # --- Saving -------------------------------------------------------------------------

    def test_a_late_writer_is_told_which_version_came_before(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        first = born()
        save(one, first)
        save(one, first.supersede({"n": 2}, now=seconds(1)), known=1)
        with pytest.raises(VersionConflictError) as caught:
            save(two, first.supersede({"n": "late"}, now=seconds(2)), known=1)
        assert (caught.value.expected, caught.value.actual) == (1, 2)
        kept = load(two, ("a",), "r")
        assert kept is not None
        assert [version.value for version in kept.versions] == [{"said": "r"}, {"n": 2}]

    def test_two_first_versions_of_one_address_are_a_conflict(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        save(one, born("first", key="k"))
        with pytest.raises(VersionConflictError) as caught:
            save(two, born("second", key="k"))
        assert (caught.value.expected, caught.value.actual) == (0, 1)
        assert live(one) == ["first"]

    def test_a_version_of_a_record_that_was_erased_is_a_conflict(self, database: Database) -> None:
        first = born()
        erase(database, save(database, first))
        with pytest.raises(VersionConflictError) as caught:
            save(database, first.supersede({}, now=NOW), known=1)
        assert caught.value.actual == 0
        assert load(database, ("a",), "r") is None

    def test_a_conflict_leaves_the_rest_of_its_transaction_to_the_caller(
        self, database: Database
    ) -> None:
        save(database, born("taken"))
        with database.write() as tx:
            with pytest.raises(VersionConflictError):
                save(tx, born("other", key="taken"))
            save(tx, born("kept"))
        assert sorted(live(database)) == ["kept", "taken"]

    def test_several_versions_can_be_saved_at_once(self, database: Database) -> None:
        first = born()
        save(database, first)
        grown = first.supersede({"n": 2}, now=seconds(1)).delete(now=seconds(2))
        grown = grown.supersede({"n": 4}, now=seconds(3))
        save(database, grown, known=1)
        assert load(database, ("a",), "r") == grown
        found = find(database, "r")
        assert found is not None
        assert found.created_at == seconds(3)

    def test_a_tombstone_keeps_no_words_and_no_vectors_whatever_it_is_given(
        self, database: Database
    ) -> None:
        first, told = born(), entry("red", vectors=[[1, 0, 0, 0]])
        row = save(database, first, entry=told).row
        save(database, first.delete(now=seconds(1)), known=1, entry=told)
        with database.read() as tx:
            assert tx.records.vectors([row]) == {}
            assert tx.words.match((), ["red"]).counts == {}
            assert tx.words.match((), ["red"]).documents == 0

    def test_saving_an_unchanged_chain_renews_what_search_is_told(self, database: Database) -> None:
        first = born()
        row = save(database, first, entry=entry("old", vectors=[[1, 0, 0, 0]])).row
        save(database, first, known=1, entry=entry("new", vectors=[[0, 1, 0, 0]]))
        assert load(database, ("a",), "r") == first
        with database.read() as tx:
            assert tx.records.vectors([row])[row].tolist() == [[0, 1, 0, 0]]
            assert tx.words.match((), ["old"]).counts == {}
            assert tx.words.match((), ["new"]).counts == {row: (1, {"new": 1})}

    # --- Papers, retention, hits --------------------------------------------------------

    def test_amending_replaces_the_papers_of_the_head_and_the_retention_alone(
        self, database: Database
    ) -> None:
        first = born()
        save(database, first)
        grown = first.supersede({"n": 2}, now=seconds(1))
        stored = save(database, grown, known=1)
        papers = PLAIN.with_events(("e1", "e2"))
        life = Lifetime(5.0, seconds(300))
        with database.write() as tx:
            tx.records.amend(stored, stored.head._replace(provenance=papers), life)
        loaded = load(database, ("a",), "r")
        assert loaded is not None
        assert loaded.versions == (grown.versions[0], grown.head._replace(provenance=papers))
        found = find(database, "r")
        assert found is not None
        assert found.lifetime == life

    @pytest.mark.parametrize("minutes", [0.05, 1, 1 / 3, 1e-7, 525_600])
    def test_refreshing_lets_the_retention_run_anew(
        self, database: Database, minutes: float
    ) -> None:
        pause = timedelta(minutes=minutes)
        mortal = save(database, born("mortal"), lifetime=Lifetime(minutes, NOW + pause))
        permanent = save(database, born("permanent"))
        with database.write() as tx:
            tx.records.refresh([mortal.row, permanent.row, 10**9], now=seconds(7))
        with database.read() as tx:
            renewed, untouched = tx.records.heads([mortal.row, permanent.row])
        assert renewed.lifetime == Lifetime(minutes, seconds(7) + pause)
        assert untouched.lifetime == Lifetime()

    def test_a_retention_refreshed_past_the_last_year_stays_readable(
        self, database: Database
    ) -> None:
        last = datetime.max.replace(tzinfo=UTC)
        row = save(database, born(), lifetime=Lifetime(4.19e9, last)).row
        with database.write() as tx:
            tx.records.refresh([row], now=seconds(10**9))
        found = find(database, "r")
        assert found is not None
        assert found.lifetime.expires_at == last

    def test_what_has_expired_is_hidden_at_the_very_instant(self, database: Database) -> None:
        save(database, born(), lifetime=Lifetime(1.0, NOW))
        just_before = NOW - timedelta(microseconds=1)
        assert live(database, now=just_before) == ["r"]
        assert live(database, now=NOW) == []
        assert live(database, now=None) == ["r"]
        with database.read() as tx:
            assert tx.records.expired(now=just_before, limit=10) == []
            assert len(tx.records.expired(now=NOW, limit=10)) == 1
            assert tx.records.namespaces(now=NOW) == []
            assert tx.records.namespaces(now=None) == [("a",)]

    def test_touching_changes_nothing_that_is_listed(self, database: Database) -> None:
        stored = save(database, born())
        with database.write() as tx:
            tx.records.touch({stored.row: Use(2, seconds(5)), 10**9: Use(1, seconds(5))})
        assert find(database, "r") == stored

    # --- Many ---------------------------------------------------------------------------

    def test_more_rows_than_a_statement_takes_are_read_in_the_order_asked(
        self, database: Database
    ) -> None:
        with database.write() as tx:
            stored = [
                save(tx, born(f"r{n}"), entry=entry(vectors=[[1, n, 0, 0]])) for n in range(1200)
            ]
        known = [each.row for each in stored]
        asked = [*known[::-1], 0, -1, known[0], *range(10**6, 10**6 + 40_000)]
        with database.read() as tx:
            assert [each.id for each in tx.records.heads(asked)] == [
                *(f"r{n}" for n in reversed(range(1200))),
                "r0",
            ]
            assert len(tx.records.vectors(asked)) == 1200
            assert tx.records.heads([]) == []
            assert tx.records.vectors([]) == {}

    def test_erasing_removes_the_record_and_frees_the_address(self, database: Database) -> None:
        stored = save(database, born(), entry=entry("red", vectors=[[1, 0, 0, 0]]))
        erase(database, stored)
        erase(database, stored)
        with database.read() as tx:
            assert tx.records.load_row(stored.row) is None
            assert tx.records.find("r") is None
            assert tx.records.vectors([stored.row]) == {}
            assert tx.records.count(()) == 0
        again = save(database, born())
        assert again.row > stored.row, "row numbers are never reused"
        assert again.head.number == 1


class TestSqliteRecords(OnSqlite, RecordsContract):
    """SQLite keeps the contract."""
