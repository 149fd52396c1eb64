"""Results of tests are kept as they were, go with their record, and are not changed unseen."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from database_cases import NOW, born, save

from langgraph_memory.domain.trial import Checked, Trial, digest
from langgraph_memory.errors import InvalidInputError, StorageDamagedError
from langgraph_memory.storage.sqlite.database import SqliteDatabase

ONE = Trial(1, digest({"content": "x"}), "a\n🙂", digest(1), Checked(True), "Ann", NOW)
OTHER = Trial(
    2, digest({}), "b", digest([None]), Checked(False, 0.1 + 0.2, "exact match", "Error: ü"),
    "Omar", datetime(2026, 5, 1, 1, 2, 3, 456789, tzinfo=UTC),
)  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    return SqliteDatabase.open(tmp_path / "memory.sqlite")


def kept(database: SqliteDatabase, row: int) -> list[Trial]:
    with database.read() as tx:
        return tx.trials.of(row)


def test_results_come_back_as_they_were_in_the_order_of_writing(database: SqliteDatabase) -> None:
    """R11, R52."""
    with closing(database):
        rows = [save(database, born(name)).row for name in ("r", "s")]
        for each in (OTHER, ONE, OTHER):
            with database.write() as tx:
                tx.trials.add(rows[0], each)
        assert kept(database, rows[0]) == [OTHER, ONE, OTHER]
        assert kept(database, rows[1]) == []


@pytest.mark.parametrize("end", ["erased", "deleted"])
def test_they_go_with_their_record_in_the_same_transaction(
    database: SqliteDatabase, end: str
) -> None:
    """R61, R62: and those of the neighbour stay."""
    with closing(database):
        record = born("r")
        rows = [save(database, each).row for each in (record, born("s"))]
        with database.write() as tx:
            for row in rows:
                tx.trials.add(row, ONE)
        with database.write() as tx:
            if end == "erased":
                tx.records.erase(rows[:1])
            else:
                save(tx, record.delete(now=NOW), known=1)
        assert [len(kept(database, row)) for row in rows] == [0, 1]
        with database.read() as tx:
            [check] = [each for each in tx.audit.truths() if each.name == "trials"]
            assert (check.counted, check.found) == (1, 0)


@pytest.mark.parametrize(
    "change",
    ["passed = 1", "passed = 7", "version = 1", "score = 1.0", "task = 'a'", "run_by = 'Ann'",
     "own = x'00'", "detail = CAST(x'ff' AS TEXT)", "row = row + 1", "at = 'soon'"],
)  # fmt: skip
def test_a_changed_result_is_found(tmp_path: Path, database: SqliteDatabase, change: str) -> None:
    with closing(database):
        row = save(database, born("r")).row
        save(database, born("s"))
        with database.write() as tx:
            tx.trials.add(row, OTHER)
        with closing(sqlite3.connect(tmp_path / "memory.sqlite")) as sql, sql:
            sql.execute(f"UPDATE trials SET {change}")
        with database.read() as tx:
            [check] = [each for each in tx.audit.truths() if each.name == "trials"]
        assert [(each.sort, each.place) for each in check.faults] == [("truth", "trial 1")]


def test_what_cannot_be_read_is_damage_and_no_result(
    tmp_path: Path, database: SqliteDatabase
) -> None:
    with closing(database):
        row = save(database, born("r")).row
        with database.write() as tx:
            tx.trials.add(row, OTHER)
        with closing(sqlite3.connect(tmp_path / "memory.sqlite")) as sql, sql:
            sql.execute("UPDATE trials SET passed = 2")
        with pytest.raises(StorageDamagedError):
            kept(database, row)


def test_no_score_goes_without_its_rule() -> None:
    """R11."""
    with pytest.raises(InvalidInputError, match="Name how it was derived"):
        Checked(True, 0.5)
    for score in (float("nan"), float("inf"), True, "1"):
        with pytest.raises(InvalidInputError, match="finite number"):
            Checked(True, score, "exact match")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="True or False"):
        Checked(1)  # type: ignore[arg-type]


def test_the_digest_is_of_what_a_value_says() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert len({digest(each) for each in (1, 1.0, True, "1", [1], {"1": 1}, None)}) == 7
