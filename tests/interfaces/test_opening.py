"""Ways to open a store, and what runs beside it."""

from __future__ import annotations

import logging
import math
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from langgraph_memory import Kind, MemoryStore, Scope, Settings
from langgraph_memory.errors import InvalidInputError, MemoryLayerError
from langgraph_memory.testing import HashingEmbedder
from langgraph_memory.testing.store_contract.door import Door

PLACE = ("notes",)


def options(**more: Any) -> dict[str, Any]:
    return {"embedder": HashingEmbedder(), **more}


class TestConnString:
    def test_a_folder_for_plain_code(self, tmp_path: Path) -> None:
        with MemoryStore.from_conn_string(str(tmp_path / "home"), **options()) as store:
            store.setup()
            store.put(PLACE, "k", {"n": 1})
        assert (tmp_path / "home" / "memory.sqlite").exists()

    async def test_a_folder_for_asynchronous_code(self, tmp_path: Path) -> None:
        async with MemoryStore.from_conn_string(tmp_path / "home", **options()) as store:
            await store.setup()  # type: ignore[misc]
            await store.aput(PLACE, "k", {"n": 1})
            assert await store.aget(PLACE, "k") is not None

    def test_sqlite_addresses_name_a_folder(self, tmp_path: Path) -> None:
        with MemoryStore.from_conn_string(f"sqlite:///{tmp_path / 'home'}", **options()) as store:
            store.put(PLACE, "k", {"n": 1})
        assert (tmp_path / "home" / "memory.sqlite").exists()

    def test_in_memory_leaves_nothing_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        monkeypatch.setattr("tempfile.tempdir", None)
        monkeypatch.chdir(tmp_path)
        for _ in range(2):
            with MemoryStore.from_conn_string(":memory:", **options()) as store:
                assert store.search(()) == []
                store.put(PLACE, "k", {"n": 1})
        assert list(tmp_path.iterdir()) == []

    def test_another_sort_of_address_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInputError, match="postgresql://"):
            MemoryStore.from_conn_string("postgresql://localhost/x")

    def test_nothing_is_opened_before_the_block(self, tmp_path: Path) -> None:
        MemoryStore.from_conn_string(tmp_path / "home")
        assert not (tmp_path / "home").exists()


def test_the_index_configuration_can_be_read(tmp_path: Path) -> None:
    given: Any = {"dims": 2, "embed": lambda texts: [[1.0, 0.0] for _ in texts], "fields": ["t"]}
    with MemoryStore.from_path(tmp_path, index=given) as store:
        assert store.index_config == given


class TestSweeper:
    async def test_it_is_started_and_stopped_with_and_without_await(self, tmp_path: Path) -> None:
        async with MemoryStore.from_conn_string(tmp_path, **options()) as store:
            running = await store.start_ttl_sweeper()
            assert not running.done()
            assert await store.stop_ttl_sweeper(timeout=5) is True  # type: ignore[misc]
            assert await store.sweep_ttl() == 0  # type: ignore[misc]

    def test_an_interval_in_the_configuration_starts_it(self, tmp_path: Path) -> None:
        ttl: Any = {"sweep_interval_minutes": 0.0005}
        with MemoryStore.from_path(tmp_path, ttl=ttl, **options()) as store:
            store.put(PLACE, "k", {"n": 1}, ttl=0.0005)
            _until(lambda: not _rows(tmp_path))

    def test_it_outlives_a_database_that_is_held(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """R23: expired rows go once the other program is done."""
        settings = Settings.model_construct(timeout_seconds=0.05)
        ttl: Any = {"sweep_interval_minutes": 0.0005}
        with MemoryStore.from_path(tmp_path, ttl=ttl, **options(settings=settings)) as store:
            with closing(sqlite3.connect(tmp_path / "memory.sqlite")) as other:
                store.put(PLACE, "k", {"n": 1}, ttl=0.002)
                with caplog.at_level(logging.WARNING):
                    other.execute("BEGIN IMMEDIATE")
                    _until(lambda: "to be tried again" in caplog.text)
                    assert _rows(tmp_path)
                other.execute("ROLLBACK")
            _until(lambda: not _rows(tmp_path))


def _rows(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path / "memory.sqlite")) as raw:
        return raw.execute("SELECT 1 FROM records").fetchall()


def _until(true: Any) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


MALFORMED = [
    ListNamespacesOp(match_conditions=(MatchCondition("infix", ("a",)),)),  # type: ignore[arg-type]
    ListNamespacesOp(max_depth="x"),  # type: ignore[arg-type]
    ListNamespacesOp(max_depth=-1),
    SearchOp(PLACE, limit=None),  # type: ignore[arg-type]
    SearchOp(PLACE, limit="2"),  # type: ignore[arg-type]
    SearchOp(PLACE, offset=1.5),  # type: ignore[arg-type]
    SearchOp("notes"),  # type: ignore[arg-type]
    GetOp((label for label in "ab"), "k"),  # type: ignore[arg-type]
    PutOp((), "k", {"n": 1}),
    PutOp(PLACE, "x", {"n": 1}, ttl="5"),  # type: ignore[arg-type]
    PutOp(PLACE, "x", {"n": 1}, ttl=True),
    PutOp(PLACE, "x", {"n": 1}, index=True),  # type: ignore[arg-type]
    PutOp(PLACE, "x", {"n": 1}, index=[5]),  # type: ignore[list-item]
]


@pytest.mark.parametrize("op", MALFORMED, ids=lambda op: type(op).__name__)
def test_one_malformed_operation_stops_its_whole_batch_with_a_clear_error(
    ours: Door, op: Any
) -> None:
    with pytest.raises(ValueError) as caught:
        ours.batch([PutOp(PLACE, "k", {"n": 1}), op])
    assert isinstance(caught.value, MemoryLayerError) or "namespace" in str(caught.value).lower()
    assert ours.get(PLACE, "k") is None


def test_huge_pages_are_no_error(ours: Door) -> None:
    ours.put(PLACE, "k", {"n": 1})
    assert ours.keys(PLACE, limit=10**30) == ["k"]
    assert ours.keys(PLACE, offset=10**30) == []
    assert ours.keys(PLACE, query="k", limit=10**30) == ["k"]


def test_a_single_path_may_be_a_text(ours: Door) -> None:
    ours.put(PLACE, "k", {"a": "zebra", "b": "quiz"}, index="a")
    assert ours.search(PLACE, query="zebra")[0].score is not None
    assert ours.search(PLACE, query="quiz")[0].score != ours.search(PLACE, query="zebra")[0].score


def test_numbers_that_json_does_not_have_may_stand_in_a_filter(ours: Door) -> None:
    ours.put(PLACE, "k", {"price": 5})
    assert ours.keys(PLACE, filter={"price": {"$lt": math.inf}}) == ["k"]
    assert ours.keys(PLACE, filter={"price": {"$gt": -math.inf}}) == ["k"]
    assert ours.keys(PLACE, filter={"price": {"$gt": math.inf}}) == []
    for operator in ("$eq", "$gt", "$lt", "$gte", "$lte"):
        assert ours.keys(PLACE, filter={"price": {operator: math.nan}}) == []
    assert ours.keys(PLACE, filter={"price": {"$ne": math.nan}}) == ["k"]
    assert ours.keys(PLACE, filter={"price": {"$in": [math.nan, 5]}}) == ["k"]


def test_opposites_keep_their_order(tmp_path: Path) -> None:
    axes = {"near": [-0.1, 0.995], "mid": [-0.5, 0.866], "far": [-1.0, 0.0], "q": [1.0, 0.0]}
    index: Any = {"dims": 2, "embed": lambda texts: [axes[text] for text in texts],
                  "fields": ["text"]}  # fmt: skip
    with MemoryStore.from_path(tmp_path, index=index) as store:
        for text in ("far", "near", "mid"):
            store.put(PLACE, text, {"text": text})
        found = store.search(PLACE, query="q")
        assert [item.key for item in found] == ["near", "mid", "far"]
        assert [item.score for item in found] == [0.0, 0.0, 0.0]


def test_a_memory_can_be_left_out_of_search_too(ours: Door) -> None:
    place = Scope("acme", "jane").namespace(Kind.SEMANTIC)
    ours.put(place, "quiet", {"content": "zebra quiz"}, index=False)
    ours.put(place, "loud", {"content": "something else"})
    found = {item.key: item.score for item in ours.search(place, query="zebra quiz")}
    assert found["quiet"] is None
    assert ours.value(place, "quiet") == {"content": "zebra quiz"}
