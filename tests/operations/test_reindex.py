"""Moving a home to another embedding model: nothing mixed, nothing lost, killed at any instant."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from langgraph_memory import MemoryStore, Settings, open_memory, reindex
from langgraph_memory.errors import (
    ConflictError,
    EmbedderMismatchError,
    EmbeddingError,
    HomeNotFoundError,
    InvalidInputError,
    StorageBusyError,
)
from langgraph_memory.operations.reindex import BATCH, PATIENCE
from langgraph_memory.ports import Vectors
from langgraph_memory.testing.hashing import HashingEmbedder

OLD, NEW = HashingEmbedder(64), HashingEmbedder(48)
PLACE = ("notes", "jane")
PATIENCE_SECONDS = 60


class Turned(HashingEmbedder):
    """As many dimensions, another model: every vector is turned by one place."""

    @property
    def model_id(self) -> str:
        return f"turned-{self.dims}"

    def embed_query(self, text: str) -> Vectors:
        return np.roll(super().embed_query(text), 1)


class Picky(HashingEmbedder):
    """Refuses a batch that holds a text with this word."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if any("poison" in text for text in texts):
            raise ValueError("not that")
        return super().embed_documents(texts)


class Watched(HashingEmbedder):
    """Calls somebody before it embeds, so many times."""

    def __init__(self, dims: int, meanwhile: Callable[[], object], *, times: int = 1) -> None:
        super().__init__(dims)
        self._meanwhile = meanwhile
        self._left = times

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if self._left:
            self._left -= 1
            self._meanwhile()
        return super().embed_documents(texts)


class Dead(HashingEmbedder):
    """Never works."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        raise OSError("no route to host")


@contextmanager
def opened(path: Path, embedder: HashingEmbedder = OLD) -> Iterator[MemoryStore]:
    with MemoryStore.from_path(path, embedder=embedder) as store:
        yield store


def fill(path: Path, count: int = 20) -> None:
    """Write items and memories, change one, delete one, keep one from search."""
    with opened(path) as store:
        for number in range(count):
            store.put(PLACE, f"k{number}", {"text": f"note {number} about topic{number % 7}"})
        store.put(PLACE, "k1", {"text": "sushi from Kyoto"})
        store.delete(PLACE, "k2")
        store.put(PLACE, "hidden", {"text": "nobody searches this"}, index=False)
        store.put(PLACE, "long", {"text": "A long story. " * 400})
        me = store.memory.scope(tenant="acme", user="jane.doe@example.com")
        me.remember("The launch moved to Monday", key="launch_date")


def rows(path: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path / "memory.sqlite")) as sql:
        return sql.execute(question).fetchall()


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path / "memory.sqlite")) as sql, sql:
        sql.execute(statement)


def check_moved(path: Path, embedder: HashingEmbedder) -> None:
    """Every vector is the new model's, of the text it says, and everything fits together."""
    with opened(path, embedder) as store:
        report = store.memory.verify()
        assert report.whole, report.faults
        [hit] = store.search(PLACE, query="sushi from Kyoto", limit=1)
        assert hit.key == "k1"
        assert hit.score == pytest.approx(1.0, abs=1e-3)
        me = store.memory.scope(tenant="acme", user="jane.doe@example.com")
        assert me.recall("When is the launch?").evidence[0].content == "The launch moved to Monday"
    for blob, text in rows(
        path,
        "SELECT vector, embedded FROM vectors JOIN texts USING (row) WHERE part = 0 "
        "AND length(embedded) < 200",
    ):
        [only] = json.loads(text)
        assert blob == embedder.embed_documents([only])[0].tobytes()
    assert rows(path, "SELECT count(*) FROM next_vectors") == [(0,)]


@pytest.mark.parametrize("new", [NEW, Turned(64)], ids=["other dimensions", "other model"])
def test_a_home_is_refused_by_name_then_moved_and_searched(
    tmp_path: Path, new: HashingEmbedder
) -> None:
    """R27, B88: a clear error that names both and the command; nothing is ever mixed."""
    fill(tmp_path)
    with pytest.raises(EmbedderMismatchError) as caught, opened(tmp_path, new):
        pass
    for part in ("hashing-64 (64", f"{new.model_id} ({new.dims}", "langgraph-memory reindex"):
        assert part in str(caught.value)
    seen: list[tuple[int, int]] = []
    done = reindex(tmp_path, embedder=new, progress=lambda *each: seen.append(each))
    assert (done.model_id, done.dims, done.records, done.resumed) == (new.model_id, new.dims, 21, 0)
    assert done.before is not None
    assert done.before.model_id == "hashing-64"
    assert seen[-1] == (21, 21)
    check_moved(tmp_path, new)
    with pytest.raises(EmbedderMismatchError), opened(tmp_path, OLD):
        pass


def test_one_name_with_other_dimensions_is_another_model(tmp_path: Path) -> None:
    class Nameless(HashingEmbedder):
        model_id = "nameless"

    with opened(tmp_path, Nameless(64)):
        for _ in ("while it is open", "as it is open"):
            with pytest.raises(EmbedderMismatchError), opened(tmp_path, Nameless(32)):
                pass
    with pytest.raises(EmbedderMismatchError), opened(tmp_path, Nameless(32)):
        pass


def test_a_home_moves_there_and_back(tmp_path: Path) -> None:
    fill(tmp_path)
    for embedder in (NEW, OLD, NEW):
        reindex(tmp_path, embedder=embedder)
        check_moved(tmp_path, embedder)


def test_a_move_to_where_the_home_is_embeds_nothing(tmp_path: Path) -> None:
    fill(tmp_path)
    done = reindex(tmp_path, embedder=Watched(64, pytest.fail))
    assert (done.before, done.records) == (None, 0)
    check_moved(tmp_path, OLD)


def test_an_empty_home_and_a_langgraph_configuration_move_too(tmp_path: Path) -> None:
    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0, 0.0] for _ in texts]

    with opened(tmp_path):
        pass
    assert reindex(tmp_path, index={"embed": embed, "dims": 3}).dims == 3
    with MemoryStore.from_path(tmp_path, index={"embed": embed, "dims": 3}) as store:
        store.put(PLACE, "k", {"text": "tea"})
        assert store.search(PLACE, query="tea")[0].key == "k"


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    with pytest.raises(HomeNotFoundError):
        reindex(tmp_path, embedder=NEW)
    fill(tmp_path, 3)
    with pytest.raises(InvalidInputError, match="Name the new model"):
        reindex(tmp_path)


# --- Interruptions ----------------------------------------------------------------------

SLOW_MOVE = """
import sys, time
from langgraph_memory import reindex
from langgraph_memory.testing import HashingEmbedder

class Slow(HashingEmbedder):
    def embed_documents(self, texts):
        print("embedding", flush=True)
        time.sleep(0.05)
        return super().embed_documents(texts)

reindex(sys.argv[1], embedder=Slow(48))
"""


def killed_on_the_way(path: Path, *, after_batches: int) -> None:
    """Move a home in another process, and kill that one once so many batches are begun."""
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW_MOVE, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for _ in range(after_batches):
        assert child.stdout.readline() == "embedding\n"
    child.kill()
    child.wait(PATIENCE_SECONDS)
    child.stdout.close()


def test_a_move_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """R27: and until it is done, the old model answers and writes."""
    fill(tmp_path, 4 * BATCH)
    killed_on_the_way(tmp_path, after_batches=3)
    prepared = rows(tmp_path, "SELECT count(DISTINCT row) FROM next_vectors")[0][0]
    assert BATCH <= prepared <= 3 * BATCH
    with opened(tmp_path) as store:
        assert store.search(PLACE, query="sushi from Kyoto")[0].key == "k1"
        report = store.memory.verify()
        assert report.whole
        assert "a move to hashing-48 is under way" in str(report)
        store.put(PLACE, "k5", {"text": "changed meanwhile"})
    done = reindex(tmp_path, embedder=NEW)
    assert done.resumed == prepared - 1
    assert done.records + done.resumed == 4 * BATCH + 1
    check_moved(tmp_path, NEW)
    with opened(tmp_path, NEW) as store:
        assert store.search(PLACE, query="changed meanwhile")[0].key == "k5"


def test_another_model_than_the_one_begun_starts_over(tmp_path: Path) -> None:
    fill(tmp_path, 3 * BATCH)
    killed_on_the_way(tmp_path, after_batches=2)
    other = Turned(64)
    assert reindex(tmp_path, embedder=other).resumed == 0
    check_moved(tmp_path, other)


def test_a_rebuild_with_the_old_model_drops_nothing_and_coming_home_drops_all(
    tmp_path: Path,
) -> None:
    fill(tmp_path, 3 * BATCH)
    killed_on_the_way(tmp_path, after_batches=2)
    with opened(tmp_path) as store:
        store.memory.rebuild()
    assert rows(tmp_path, "SELECT count(*) FROM next_vectors")[0][0] >= BATCH
    reindex(tmp_path, embedder=OLD)
    assert rows(tmp_path, "SELECT count(*) FROM next_vectors") == [(0,)]
    check_moved(tmp_path, OLD)


def test_an_embedder_that_does_not_work_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path)
    with pytest.raises(EmbeddingError, match="no route to host"):
        reindex(tmp_path, embedder=Dead(48))
    assert rows(tmp_path, "SELECT DISTINCT length(vector) FROM vectors") == [(4 * 64,)]
    reindex(tmp_path, embedder=NEW)
    check_moved(tmp_path, NEW)


# --- Others at work meanwhile -----------------------------------------------------------


def test_what_is_written_and_deleted_meanwhile_is_moved_as_it_is_then(tmp_path: Path) -> None:
    fill(tmp_path)
    with opened(tmp_path) as store:

        def meanwhile() -> None:
            store.put(PLACE, "k5", {"text": "changed meanwhile"})
            store.put(PLACE, "new", {"text": "quite new"})
            store.delete(PLACE, "k6")

        done = reindex(tmp_path, embedder=Watched(48, meanwhile))
    assert done.records == 21 + 2
    check_moved(tmp_path, NEW)
    with opened(tmp_path, NEW) as store:
        assert store.search(PLACE, query="changed meanwhile")[0].key == "k5"
        assert store.search(PLACE, query="quite new")[0].key == "new"
        assert store.get(PLACE, "k6") is None


def test_writers_that_never_pause_cannot_put_the_move_off_for_ever(
    tmp_path: Path, settings: Settings
) -> None:
    fill(tmp_path)
    impatient = settings.model_copy(update={"timeout_seconds": 0.2})
    with MemoryStore.from_path(tmp_path, embedder=OLD, settings=impatient) as store:
        refused: list[str] = []

        def relentless() -> None:
            try:
                store.put(PLACE, f"n{next(names)}", {"text": "more"})
            except StorageBusyError as error:
                refused.append(str(error))

        names = iter(range(100))
        reindex(tmp_path, embedder=Watched(48, relentless, times=100))
    assert next(names) == PATIENCE + 2
    assert len(refused) == 1, "the last round is done while writers wait"
    check_moved(tmp_path, NEW)


def test_whoever_still_has_the_old_model_is_refused_and_reads_nothing_mixed(
    tmp_path: Path,
) -> None:
    """B88: in this process, with every mirror already filled by the old vectors."""
    fill(tmp_path)
    new = Turned(64)
    with open_memory(tmp_path, embedder=OLD) as home:
        me = home.memory.scope(tenant="acme", user="jane.doe@example.com")
        assert me.recall("When is the launch?").evidence
        assert home.sync_index()
        reindex(tmp_path, embedder=new)
        for call in (
            lambda: me.remember("Lina owns deployment"),
            lambda: me.recall("When is the launch?"),
            lambda: home.store.search(PLACE, query="sushi"),
            lambda: home.store.put(PLACE, "late", {"text": "too late"}),
        ):
            with pytest.raises(EmbedderMismatchError, match="turned-64"):
                call()
        assert home.store.get(PLACE, "k1") is not None
    check_moved(tmp_path, new)
    with opened(tmp_path, new) as store:
        assert store.get(PLACE, "late") is None


WRITER = """
import sys
from langgraph_memory import MemoryStore
from langgraph_memory.errors import EmbedderMismatchError
from langgraph_memory.testing import HashingEmbedder

with MemoryStore.from_path(sys.argv[1], embedder=HashingEmbedder(64)) as store:
    try:
        for number in range(1_000_000):
            store.put(("from", "old"), f"k{number}", {"text": f"written {number} by the old"})
            print(number, flush=True)
    except EmbedderMismatchError:
        print("refused", flush=True)
"""


def test_a_process_that_writes_on_is_refused_after_the_switch_and_loses_nothing(
    tmp_path: Path,
) -> None:
    """B88: every write it was told of is there, with a vector of the new model."""
    fill(tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "0\n"
    reindex(tmp_path, embedder=NEW)
    told = child.stdout.read().split()
    assert child.wait(PATIENCE_SECONDS) == 0
    child.stdout.close()
    assert told[-1] == "refused"
    last = int(told[-2]) if len(told) > 1 else 0
    assert rows(tmp_path, "SELECT DISTINCT length(vector) FROM vectors") == [(4 * 48,)]
    check_moved(tmp_path, NEW)
    with opened(tmp_path, NEW) as store:
        for number in (0, last):
            [hit] = store.search(("from",), query=f"written {number} by the old", limit=1)
            assert hit.key == f"k{number}"
        assert store.get(("from", "old"), f"k{last + 1}") is None


def test_two_moves_to_one_model_share_the_work(tmp_path: Path) -> None:
    fill(tmp_path, 3 * BATCH)
    threads = [
        threading.Thread(target=reindex, args=(tmp_path,), kwargs={"embedder": NEW})
        for _ in range(2)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE_SECONDS)
    check_moved(tmp_path, NEW)


def test_of_two_moves_to_two_models_the_first_gives_way(tmp_path: Path) -> None:
    fill(tmp_path)
    other = Turned(64)
    with pytest.raises(ConflictError, match="not to hashing-48 any more"):
        reindex(tmp_path, embedder=Watched(48, lambda: reindex(tmp_path, embedder=other)))
    check_moved(tmp_path, other)


# --- Texts ------------------------------------------------------------------------------


def test_a_text_that_the_new_model_refuses_is_left_to_words(tmp_path: Path) -> None:
    fill(tmp_path)
    with opened(tmp_path) as store:
        store.put(PLACE, "bad", {"text": "poison ivy"})
    done = reindex(tmp_path, embedder=Picky(48))
    assert done.unread == 1
    check_moved(tmp_path, Picky(48))
    with opened(tmp_path, Picky(48)) as store:
        assert store.search(PLACE, query="ivy")[0].key == "bad"
        assert "refuses texts of 1 records" in str(store.memory.verify())


def test_a_text_that_only_the_old_model_refused_is_embedded_now(tmp_path: Path) -> None:
    with opened(tmp_path, Picky(64)) as store:
        store.put(PLACE, "bad", {"text": "poison ivy"})
    reindex(tmp_path, embedder=NEW)
    assert rows(tmp_path, "SELECT length(vector) FROM vectors") == [(4 * 48,)]


def test_records_of_a_release_that_kept_no_texts_are_embedded_by_their_values(
    tmp_path: Path,
) -> None:
    fill(tmp_path)
    words = rows(tmp_path, "SELECT rowid, body FROM words ORDER BY rowid")
    change(tmp_path, "DELETE FROM texts")
    reindex(tmp_path, embedder=NEW)
    with opened(tmp_path, NEW) as store:
        assert store.memory.verify().whole
        [hit] = store.search(PLACE, query="sushi from Kyoto", limit=1)
        assert hit.score == pytest.approx(1.0, abs=1e-3)
        found = store.search(("memory",), query="The launch moved to Monday", limit=1)
        assert found[0].key == "launch_date"
    assert rows(tmp_path, "SELECT rowid, body FROM words ORDER BY rowid") == words


def test_chroma_follows_to_the_new_model(tmp_path: Path, settings: Settings) -> None:
    """R21: the index is filled anew from the new vectors."""
    fill(tmp_path)
    with open_memory(tmp_path, settings=settings, embedder=OLD) as home:
        assert home.sync_index()
    reindex(tmp_path, embedder=NEW)
    with open_memory(tmp_path, settings=settings, embedder=NEW) as home:
        assert home.sync_index()
        check = {each.name: each for each in home.memory.verify().checks}["chroma index"]
    [(count,)] = rows(tmp_path, "SELECT count(*) FROM vectors")
    assert (check.well, check.counted, check.note) == (True, count, "")
