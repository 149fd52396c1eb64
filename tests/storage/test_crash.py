"""Killed at any instant: what was acknowledged is whole, and nothing is there by half."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from database_cases import NOW
from database_workers import PATIENCE_SECONDS, PROCESSES, step, write_until_killed

from langgraph_memory.ports import Database
from langgraph_memory.storage.sqlite.database import SqliteDatabase

QUERY = [
    "all",
    *(f"w{number}" for number in range(50)),
    *(f"again{number}" for number in range(50)),
]


def everything(database: Database) -> dict[str, Any]:
    """Return all that a database holds, as every door shows it."""
    with database.read() as tx:
        rows = sorted(tx.records.rows((), limit=10**6))
        return {
            "chains": [tx.records.load_row(row) for row in rows],
            "heads": tx.records.heads(rows),
            "live": tx.records.live((), now=NOW),
            "vectors": {row: each.tolist() for row, each in tx.records.vectors(rows).items()},
            "words": tx.words.match((), QUERY),
            "scope": tx.words.match(("a", "1"), QUERY),
            "outbox": [
                (each.sequence, each.row, each.namespace)
                for each in tx.outbox.after(0, limit=10**6)
            ],
            "namespaces": tx.records.namespaces(now=NOW),
        }


def killed(path: Path, seconds: float) -> int:
    """Run a writer, kill it so long after its start, and return how many steps it acknowledged."""
    reader, writer = PROCESSES.Pipe(duplex=False)
    child = PROCESSES.Process(target=write_until_killed, args=(path, writer))
    child.start()
    writer.close()
    acknowledged = 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    if seconds > 0:  # else it may die while it opens the file
        assert reader.poll(PATIENCE_SECONDS)
    ends = time.monotonic() + abs(seconds)
    while time.monotonic() < min(ends, deadline):
        if reader.poll(max(0.0, ends - time.monotonic())):
            acknowledged = _next(reader)
    child.kill()
    child.join(PATIENCE_SECONDS)
    try:
        while reader.poll():
            acknowledged = _next(reader)
    except EOFError:
        pass
    reader.close()
    return acknowledged


def _next(reader: Any) -> int:
    return int.from_bytes(reader.recv_bytes()) + 1


def check_survivor(folder: Path, acknowledged: int) -> None:
    """The file must equal one where exactly the acknowledged steps were done, or one more."""
    with closing(sqlite3.connect(folder / "memory.sqlite")) as sql:
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with (
        closing(SqliteDatabase.open(folder / "memory.sqlite")) as survivor,
        closing(SqliteDatabase.open(folder / "model.sqlite")) as model,
    ):
        for number in range(acknowledged):
            step(model, number)
        found = everything(survivor)
        if found != everything(model):
            step(model, acknowledged)
            assert found == everything(model), f"after {acknowledged} acknowledged steps"
        step(survivor, acknowledged + 1)


def crash(folder: Path, seconds: float) -> int:
    folder.mkdir()
    acknowledged = killed(folder / "memory.sqlite", seconds)
    check_survivor(folder, acknowledged)
    return acknowledged


def test_a_writer_killed_at_random_instants_leaves_every_acknowledged_write_whole(
    tmp_path: Path,
) -> None:
    chance = random.Random(81)
    steps = [crash(tmp_path / str(n), chance.uniform(0.001, 0.06)) for n in range(10)]
    assert max(steps) > 3, "it was killed in the midst of its work"


def test_a_process_killed_while_it_makes_the_file_leaves_one_that_opens(tmp_path: Path) -> None:
    for number in range(5):
        crash(tmp_path / str(number), -0.004 * (number + 1))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_two_hundred_kills(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(10):
        crash(tmp_path / str(number), chance.uniform(-0.03, 0.3))
