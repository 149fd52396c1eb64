"""What an audit of the index calls a fault, what it calls a note, and how soon it answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
from chroma_home import QUICK, IndexHome, eventually, near, vectors

from langgraph_memory.domain.findings import Check
from langgraph_memory.ports import Neighbour, OutboxRow, Space, Vectors
from langgraph_memory.storage.chroma import copying, index
from langgraph_memory.storage.chroma.collection import Collection
from langgraph_memory.storage.chroma.contract import (
    MirrorFailedError,
    MirrorSlowError,
    Opened,
    Proposals,
    Rows,
)
from langgraph_memory.storage.chroma.copying import Copy
from langgraph_memory.storage.chroma.index import ChromaIndex
from langgraph_memory.storage.follow import Follower

MANY = 72
PROMPT = 5.0


class Shelf:
    """A mirror in memory that answers as told.

    Attributes:
        blind: How many of the next queries find nothing at all.
        before_query: Called before each query.
        refusals: Raised by the next openings, one each.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blind = self.generation = 0
        self.before_query: Callable[[], object] = bool
        self.refusals: list[MirrorFailedError] = []
        self.rows: dict[int, Vectors] = {}
        self._opened = Opened(0, 0, complete=False)

    def open(self, space: Space, *, base: int, fresh: bool) -> Opened:
        self.folder.mkdir(exist_ok=True)
        if self.refusals:
            raise self.refusals.pop(0)
        if fresh or not self.generation:
            self.generation += 1
            self.rows.clear()
            self._opened = Opened(self.generation, base, complete=False)
        return self._opened

    def apply(self, changes: Sequence[OutboxRow], sequence: int) -> None:
        for each in changes:
            self.rows.pop(each.row, None)
            if each.vectors is not None:
                self.rows[each.row] = each.vectors
        self._opened = Opened(self.generation, sequence, self._opened.complete)

    def finish(self) -> None:
        self._opened = Opened(self.generation, self._opened.sequence, complete=True)

    def holdings(self) -> tuple[Rows, Rows]:
        rows = sorted(self.rows)
        counts = [len(self.rows[each]) for each in rows]
        return np.array(rows, np.int64), np.array(counts, np.int64)

    def nearest(self, queries: Vectors, *, limit: int, timeout_seconds: float) -> Proposals:
        self.before_query()
        if self.blind:
            self.blind -= 1
            return Proposals([[] for _ in queries], whole=False)
        return Proposals([self._lines(each)[:limit] for each in queries], whole=False)

    def ping(self, *, timeout_seconds: float) -> None:
        pass

    def close(self, *, grace_seconds: float) -> None:
        pass

    def _lines(self, query: Vectors) -> list[Neighbour]:
        lines = [Neighbour(row, float(np.max(each @ query))) for row, each in self.rows.items()]
        return sorted(lines, key=lambda each: -each.cosine)


@contextmanager
def shelved(path: Path) -> Iterator[tuple[IndexHome, Shelf, ChromaIndex]]:
    """Open a home of a few records whose index is a shelf, in step."""
    with IndexHome(path) as home:
        home.put_many(MANY)
        shelf = Shelf(path / "shelf")
        follower = Follower(home.database, shelf, pace=QUICK)
        try:
            assert follower.drain(PROMPT)
            yield home, shelf, ChromaIndex(home.database, follower, home.exact)
        finally:
            follower.close()


def checked(audited: ChromaIndex) -> Check:
    (check,) = audited.check()
    return check


def test_an_index_that_finds_nothing_for_a_moment_is_asked_again(tmp_path: Path) -> None:
    with shelved(tmp_path) as (_, shelf, chroma):
        shelf.blind = 2
        check = checked(chroma)
        assert (check.well, check.counted, check.note) == (True, MANY, "")
        assert shelf.generation == 1


def test_an_index_worn_by_changes_is_filled_anew_without_a_fault(tmp_path: Path) -> None:
    with shelved(tmp_path) as (_, shelf, chroma):
        shelf.blind = 1 + len(copying.SECOND_LOOKS)
        check = checked(chroma)
        assert (check.well, check.counted) == (True, MANY)
        assert "filled anew" in check.note
        assert shelf.generation == 2


def test_an_index_that_finds_nothing_when_it_is_opened_is_a_fault_told_once(
    tmp_path: Path,
) -> None:
    with shelved(tmp_path) as (home, shelf, _):
        reopened = Follower(home.database, shelf, pace=QUICK)
        shelf.blind = 2 * (1 + len(copying.SECOND_LOOKS))  # the new generation's check too
        try:
            check = checked(ChromaIndex(home.database, reopened, home.exact))
        finally:
            reopened.close()
        assert [each.problem for each in check.faults] == [
            f"the index finds 0 of {MANY} vectors that are in it"
        ]
        assert check.note == "it was filled anew"


def test_a_process_that_was_slow_or_killed_once_is_no_fault(tmp_path: Path) -> None:
    with shelved(tmp_path) as (home, shelf, _):
        reopened = Follower(home.database, shelf, pace=QUICK)
        shelf.refusals = [MirrorSlowError("open took over 120 s")]
        try:
            check = checked(ChromaIndex(home.database, reopened, home.exact))
        finally:
            reopened.close()
        assert (check.well, check.counted, check.note) == (True, MANY, "")


def test_an_audit_beside_a_refill_waits_for_it(tmp_path: Path) -> None:
    with shelved(tmp_path) as (_, shelf, chroma):
        chroma.follower.rebuild()
        check = checked(chroma)
        assert (check.well, check.counted, check.note) == (True, MANY, "")
        assert shelf.generation == 2


def test_an_audit_that_cannot_wait_for_the_refill_says_so_and_finds_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "AUDIT_SECONDS", 0.3)
    with shelved(tmp_path) as (_, shelf, chroma):
        released = monotonic() + 1.0
        shelf.before_query = lambda: eventually(lambda: monotonic() > released)
        chroma.follower.rebuild()
        check = checked(chroma)
        assert (check.well, check.counted) == (True, 0)
        assert check.note == "not compared: being filled; searches are exact meanwhile"


def test_writes_in_any_number_beside_an_audit_are_left_out_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PASS", 10)
    with IndexHome(tmp_path) as home:
        home.put_many(30)
        shelf = Shelf(tmp_path / "shelf")
        copy = Copy(home.database, shelf, stopping=bool)
        assert copy.open(fresh=False)
        copy.fill()
        home.put_many(35, seed=1)
        assert copy.verify() == 30


def test_a_query_that_finds_nothing_takes_nothing_from_the_others(tmp_path: Path) -> None:
    made = vectors(0, 5)
    collection = Collection.create(tmp_path / "1")
    try:
        collection.apply([(row, 1) for row in range(1, 6)], made, 1)
        widths, rows, cosines = collection.nearest(made[:2], 3)
    finally:
        collection.close()
    assert widths == [3, 3]
    assert (rows[0], rows[3]) == (1, 2)
    assert cosines[[0, 3]] == pytest.approx([1.0, 1.0], abs=1e-5)


@pytest.mark.skipif(sys.platform == "win32", reason="file in place of a folder")
def test_a_file_in_place_of_the_folder_is_told_once_at_once_and_left_alone(
    tmp_path: Path,
) -> None:
    query = vectors(1)[0]
    (tmp_path / "chroma").write_text("a file of somebody else")
    with IndexHome(tmp_path) as home:
        row = home.put("k", near(query, 0.9))
        started = monotonic()
        for _ in range(2):
            check = checked(home.chroma)
            (fault,) = check.faults
            assert fault.sort == "derived"
            assert f"move {tmp_path / 'chroma'} away" in fault.problem
            assert not home.chroma.rebuild()
        assert monotonic() - started < PROMPT
        assert [each.row for each in home.search(query)] == [row]
        assert (tmp_path / "chroma").read_text() == "a file of somebody else"


@pytest.mark.skipif(sys.platform == "win32", reason="file in place of a folder")
def test_once_the_file_is_moved_away_the_index_is_made_without_being_asked(
    tmp_path: Path,
) -> None:
    query = vectors(1)[0]
    (tmp_path / "chroma").write_text("a file of somebody else")
    with IndexHome(tmp_path) as home:
        row = home.put("k", query)
        assert not checked(home.chroma).well
        (tmp_path / "chroma").rename(tmp_path / "aside")
        home.drain()
        assert home.proposed(query) == {row}
        assert checked(home.chroma).well
