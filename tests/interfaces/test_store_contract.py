"""The store contract, run on LangGraph's own stores and on ours (R20).

The gaps listed here are statements about LangGraph's stores as of langgraph-checkpoint 4.3
and langgraph-checkpoint-sqlite 3.1; a release that closes one makes its test fail here, so
that it is taken off the list.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from langgraph.store.base import BaseStore, IndexConfig, TTLConfig
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import AsyncSqliteStore, SqliteStore

from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.store_contract import (
    MemoryStoreContract,
    StoreContract,
    StoreHarness,
    TtlContract,
)

pytest_plugins = ["pytester"]

_UNCHECKED = "namespaces of operations that are passed to batch directly are not checked"
_STALE = "vectors of an item are added to, never taken away"
_ALIASED = "the stored dictionary itself is handed out"
_DICTS = "every dictionary in a filter is read as operators"
_FLOATS = "numbers in filters are compared as floats"
_BOOLS = "True and 1 are taken for equal"
_REPLACED = "an update replaces the row and its created_at"
_UNSCORED = "a question finds only items that have a vector"
_ORDER = "updated_at has whole seconds, so that items of one second come in any order"
_REFRESH = "refresh_ttl works only with refresh_on_read set to True in the configuration"
_OMIT = "omit_expired is ignored"

IN_MEMORY_GAPS = {
    "test_a_bad_label_is_refused_inside_a_batch": _UNCHECKED,
    "test_a_bad_namespace_anywhere_stops_the_whole_batch": _UNCHECKED,
    "test_a_bad_read_stops_the_whole_batch": _UNCHECKED,
    "test_a_value_that_is_not_json_stops_the_whole_batch": "any Python object is kept",
    "test_the_latest_written_comes_first": "items come in the order of their first put",
    "test_a_namespace_without_items_is_not_listed": "emptied namespaces stay",
    "test_reading_a_namespace_does_not_create_it": "get() leaves an empty namespace behind",
    "test_an_update_keeps_created_at_and_moves_updated_at": _REPLACED,
    "test_true_is_not_one_and_false_is_not_zero": _BOOLS,
    "test_integers_beyond_2_53_are_put_in_order": _FLOATS,
    "test_another_type_in_the_field_does_not_break_a_comparison": "float() raises on it",
    "test_changing_what_was_put_changes_nothing_stored": "only the outer dictionary is copied",
    "test_changing_what_was_got_changes_nothing_stored": _ALIASED,
    "test_changing_what_was_found_changes_nothing_stored": _ALIASED,
    "test_a_list_that_shrank_leaves_no_vector_behind": _STALE,
    "test_another_path_takes_the_place_of_the_old": _STALE,
    "test_an_update_with_index_false_takes_the_vector_away": _STALE,
    "test_an_update_without_the_field_takes_the_vector_away": _STALE,
    "test_equal_texts_in_one_batch_are_indexed_each": "texts are counted once, items twice",
    "test_pages_with_items_without_a_score_neither_overlap_nor_miss": (
        "every page begins anew with the items that have no vector"
    ),
}
SQLITE_GAPS = {
    "test_an_unknown_operation_is_refused": "unknown operations are passed over",
    "test_the_latest_written_comes_first": _ORDER,
    "test_a_dictionary_equals_the_same_dictionary": _DICTS,
    "test_eq_compares_a_list_as_a_bare_value_does": "$eq compares text with bytes",
    "test_true_is_not_one_and_false_is_not_zero": _BOOLS,
    "test_integers_beyond_2_53_are_told_apart": _FLOATS,
    "test_integers_beyond_2_53_are_put_in_order": _FLOATS,
    "test_integers_beyond_64_bits_come_back_exactly": "orjson refuses them",
    "test_timestamps_are_aware_and_utc": "the time zone is dropped",
    "test_timestamps_are_finer_than_a_second": "CURRENT_TIMESTAMP has whole seconds",
    "test_an_update_keeps_created_at_and_moves_updated_at": _REPLACED,
}
SQLITE_TTL_GAPS = {
    "test_a_read_renews_unless_told_otherwise": _REFRESH,
    "test_a_single_read_may_renew_against_the_default": _REFRESH,
    "test_each_read_of_a_batch_decides_for_itself": "one read that renews renews its neighbours",
    "test_get_omits_what_has_expired": _OMIT,
    "test_search_omits_what_has_expired": _OMIT,
    "test_listing_omits_what_has_expired": _OMIT,
    "test_a_question_omits_what_has_expired": _OMIT,
}
SQLITE_INDEX_GAPS = {
    "test_an_item_put_with_index_false_has_no_score": _UNSCORED,
    "test_items_without_a_score_fill_only_what_is_left_of_a_page": _UNSCORED,
    "test_pages_with_items_without_a_score_neither_overlap_nor_miss": _UNSCORED,
    "test_a_filter_holds_for_items_without_a_score": _UNSCORED,
    "test_a_list_that_shrank_leaves_no_vector_behind": _STALE,
    "test_another_path_takes_the_place_of_the_old": _STALE,
    "test_an_update_with_index_false_takes_the_vector_away": _STALE,
    "test_an_update_without_the_field_takes_the_vector_away": _STALE,
    "test_the_vector_of_a_deleted_item_does_not_return_with_its_key": _STALE,
    "test_pages_of_a_ranking_neither_overlap_nor_miss": "nothing is found past twice the limit",
    "test_many_vectors_of_one_item_do_not_crowd_out_others": (
        "only twice as many vectors as items are looked at"
    ),
}
ASYNC_SQLITE_GAPS = {
    "test_a_key_of_another_type_is_its_text": "get() does not turn the key into text",
    "test_a_store_without_lifetimes_refuses_one": (
        "supports_ttl is False by the order of the base classes, though lifetimes work"
    ),
    "test_a_put_that_fails_does_not_take_its_neighbours_along": "puts of one tick share a batch",
}


class TestInMemoryStore(StoreContract):
    persistent = False
    gaps: ClassVar[Mapping[str, str]] = IN_MEMORY_GAPS

    def make_store(
        self, tmp_path: Path, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> BaseStore:
        return InMemoryStore(index=index)


class SqliteHarness(StoreHarness):
    """Lifetimes are in whole seconds of the database's clock: the items are moved, not the clock.

    Vectors need a Python with loadable SQLite extensions, which many builds are not.
    """

    supports_index = hasattr(sqlite3.Connection, "enable_load_extension")
    lifetime = 600.0
    path: Path

    def settings(self, index: IndexConfig | None) -> Any:
        """Return the configuration as SqliteStore reads it: it knows ``fields`` by another name."""
        return {**index, "text_fields": index.get("fields")} if index else None

    def let_time_pass(self, seconds: float) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute(
                "UPDATE store SET expires_at = datetime(expires_at, ?) WHERE expires_at NOT NULL",
                [f"-{seconds} seconds"],
            )


@pytest.mark.filterwarnings("ignore:The default datetime adapter:DeprecationWarning")
class TestSqliteStore(SqliteHarness, StoreContract):
    doors = ("sync",)
    gaps: ClassVar[Mapping[str, str]] = SQLITE_GAPS | SQLITE_INDEX_GAPS | SQLITE_TTL_GAPS

    @contextmanager
    def make_store(
        self, tmp_path: Path, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> Iterator[BaseStore]:
        self.path = tmp_path / "store.db"
        with SqliteStore.from_conn_string(
            str(self.path), index=self.settings(index), ttl=ttl
        ) as store:
            store.conn.execute("PRAGMA synchronous = OFF")
            store.setup()
            yield store


class AsyncSqliteHarness(SqliteHarness):
    doors = ("async",)
    loop_bound = True
    kind: ClassVar[type[AsyncSqliteStore]] = AsyncSqliteStore

    @asynccontextmanager
    async def make_store(
        self, tmp_path: Path, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> AsyncIterator[BaseStore]:
        self.path = tmp_path / "store.db"
        async with self.kind.from_conn_string(
            str(self.path), index=self.settings(index), ttl=ttl
        ) as store:
            await store.conn.execute("PRAGMA synchronous = OFF")
            await store.setup()
            yield store


class TestAsyncSqliteStore(AsyncSqliteHarness, StoreContract):
    gaps: ClassVar[Mapping[str, str]] = SQLITE_GAPS | SQLITE_INDEX_GAPS | ASYNC_SQLITE_GAPS


class AdmittedLifetimes(AsyncSqliteStore):
    """What AsyncSqliteStore is meant to be: it has lifetimes, and says so."""

    supports_ttl = True


@pytest.mark.filterwarnings("ignore:The default datetime adapter:DeprecationWarning")
class TestAsyncSqliteStoreLifetimes(AsyncSqliteHarness, TtlContract):
    gaps: ClassVar[Mapping[str, str]] = SQLITE_TTL_GAPS
    kind = AdmittedLifetimes


class TestMemoryStore(MemoryStoreContract):
    """Ours: no gaps."""

    lifetime = 600.0
    store: MemoryStore

    def make_store(
        self, tmp_path: Path, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> BaseStore:
        embedder = None if index else HashingEmbedder()
        self.store = MemoryStore.from_path(tmp_path, index=index, ttl=ttl, embedder=embedder)
        return self.store

    def let_time_pass(self, seconds: float) -> None:
        # The clock never runs backwards, so that it goes on from where it is put.
        clock: Any = self.store._parts.engine.clock
        clock._last = clock() + timedelta(seconds=seconds)


AUTHORS_FILE = """
from langgraph.store.memory import InMemoryStore
from langgraph_memory.testing.store_contract import ListingContract, SearchContract, TtlContract

class Memory:
    persistent = False
    def make_store(self, tmp_path, *, index=None, ttl=None):
        return InMemoryStore(index=index)

class TestListing(Memory, ListingContract):
    gaps = {
        "test_the_latest_written_comes_first": "a true gap",
        "test_an_empty_store_finds_nothing[sync]": "an excuse",
    }

class TestNoIndex(Memory, SearchContract):
    supports_index = False

class TestSync(Memory, TtlContract):
    doors = ("sync",)
"""


class TestWhatAuthorsSee:
    @pytest.fixture
    def outcomes(self, pytester: pytest.Pytester) -> dict[str, str]:
        pytester.makepyfile(AUTHORS_FILE)
        run = pytester.inline_run("-p", "no:cacheprovider", "-p", "no:asyncio")
        reports = run.getreports("pytest_runtest_logreport")
        return {
            report.nodeid.partition("::")[2]: str(report.longrepr)
            if report.failed
            else str(getattr(report, "wasxfail", report.outcome))
            for report in reports
            if report.when == "call" or not report.passed
        }

    def test_a_gap_must_fail_and_one_that_passes_is_an_error(
        self, outcomes: dict[str, str]
    ) -> None:
        gap, excuse = "test_the_latest_written_comes_first", "test_an_empty_store_finds_nothing"
        for way in ("sync", "async"):
            assert outcomes[f"TestListing::{gap}[{way}]"].startswith("a true gap")
        assert "an excuse (when fixed: drop the gap)" in outcomes[f"TestListing::{excuse}[sync]"]
        assert outcomes[f"TestListing::{excuse}[async]"] == "passed"

    def test_what_a_store_cannot_do_is_skipped_and_a_missing_door_not_tried(
        self, outcomes: dict[str, str]
    ) -> None:
        without_index = {outcomes[name] for name in outcomes if name.startswith("TestNoIndex")}
        one_door = [name for name in outcomes if name.startswith("TestSync")]
        assert without_index == {"skipped"}
        assert any("[sync" in name for name in one_door)
        assert not any("[async" in name for name in one_door)

    def test_a_gap_that_names_no_test_is_refused_at_once(self) -> None:
        with pytest.raises(TypeError, match="test_of_nothing"):
            type("Mine", (StoreContract,), {"gaps": {"test_of_nothing[sync]": "a typo"}})

    def test_no_two_areas_have_a_test_of_one_name(self) -> None:
        """One of the two would never run."""
        names = [
            name for area in MemoryStoreContract.__mro__ for name in vars(area) if "test_" in name
        ]
        assert len(names) == len(set(names)) > 150
