"""A home that was moved to another embedder while somebody had it open (R27, B88)."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, Settings, open_memory, reindex
from langgraph_memory.errors import EmbedderMismatchError, EmbedderMovedError
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.operations.worker import ATTEMPTS
from langgraph_memory.ports import Embedder, Vectors
from langgraph_memory.testing.hashing import HashingEmbedder

OLD, NEW = HashingEmbedder(64), HashingEmbedder(48)
PLACE = ("notes", "jane")


def opened(path: Path, embedder: Embedder | None, settings: Settings) -> Home:
    return open_memory(path, embedder=embedder, settings=settings)


def say(home: Home, text: str) -> None:
    me = home.memory.scope(tenant="acme", user="jane")
    me.capture([Utterance("t", text[:20], "user", text)], consolidate=True)


def asked(home: Home) -> list[Callable[[], Any]]:
    me = home.memory.scope(tenant="acme", user="jane")
    return [
        lambda: me.remember("Lina owns deployment"),
        lambda: me.recall("When is the launch?"),
        lambda: home.store.search(PLACE, query="sushi"),
        lambda: home.store.put(PLACE, "late", {"text": "too late"}),
        home.memory.work_off,
    ]


def check_refused(home: Home) -> None:
    for call in asked(home):
        with pytest.raises(EmbedderMovedError) as caught:
            call()
        for part in ("opened with hashing-64 (64", "moved to hashing-48 (48", "Open the home anew"):
            assert part in str(caught.value)


def test_a_handle_that_was_open_is_told_to_open_the_home_anew(
    tmp_path: Path, settings: Settings
) -> None:
    """By a sentence that names what the handle has and what the home has now."""
    with opened(tmp_path, OLD, settings) as home:
        home.store.put(PLACE, "k", {"text": "sushi"})
        reindex(tmp_path, embedder=NEW)
        say(home, "The launch moved to Monday.")
        check_refused(home)
        assert home.store.get(PLACE, "k") is not None
        home.store.put(PLACE, "unsearched", {"n": 1}, index=False)


def test_opening_it_anew_works_while_the_old_handle_is_still_open(
    tmp_path: Path, settings: Settings
) -> None:
    with opened(tmp_path, OLD, settings) as home:
        home.store.put(PLACE, "k", {"text": "sushi from Kyoto"})
        reindex(tmp_path, embedder=NEW)
        for embedder in (None, OLD):
            with pytest.raises(EmbedderMismatchError, match=r"built with hashing-48.*was given"):
                opened(tmp_path, embedder, settings)
        with opened(tmp_path, NEW, settings) as anew:
            assert anew.store.search(PLACE, query="sushi from Kyoto")[0].key == "k"
            anew.store.put(PLACE, "new", {"text": "written anew"})
            with opened(tmp_path, None, settings) as shared:
                assert shared.store.search(PLACE, query="written anew")[0].key == "new"
            home.close()
            assert anew.store.search(PLACE, query="written anew")[0].key == "new"
        with opened(tmp_path, NEW, settings) as again:
            assert again.memory.verify().whole


HOLDER = """
import sys
from langgraph_memory import open_memory
from langgraph_memory.errors import EmbedderMovedError
from langgraph_memory.testing.hashing import HashingEmbedder

with open_memory(sys.argv[1], embedder=HashingEmbedder(64)) as home:
    print("open", flush=True)
    sys.stdin.readline()
    try:
        home.store.search(("notes",), query="sushi")
    except EmbedderMovedError as error:
        print(error, flush=True)
"""


def test_a_handle_in_another_process_is_told_the_same(tmp_path: Path, settings: Settings) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        reindex(tmp_path, embedder=NEW, settings=settings)
        told, _ = child.communicate("go\n", timeout=60)
    assert "opened with hashing-64" in told
    assert "moved to hashing-48" in told


# --- Background work --------------------------------------------------------------------


def test_jobs_are_left_to_a_process_with_the_new_embedder_and_lose_no_attempt(
    tmp_path: Path, settings: Settings
) -> None:
    with opened(tmp_path, OLD, settings) as home:
        reindex(tmp_path, embedder=NEW)
        say(home, "The launch moved to Monday.")
        for _ in range(ATTEMPTS + 1):
            with pytest.raises(EmbedderMovedError):
                home.memory.work_off()
        [job] = home.memory.jobs()
        assert (job.attempts, job.error) == (0, "")
        with opened(tmp_path, NEW, settings) as anew:
            assert anew.memory.work_off() == 1
            me = anew.memory.scope(tenant="acme", user="jane")
            [hit] = me.recall("When is the launch?").evidence
            assert hit.content == "The launch moved to Monday."


def test_the_background_thread_says_so_once(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path, OLD, settings) as home, caplog.at_level(logging.WARNING):
        reindex(tmp_path, embedder=NEW)
        say(home, "The launch moved to Monday.")
        time.sleep(3.5)
        told = [each for each in caplog.messages if "left to other processes" in each]
        assert len(told) == 1
        assert "failed" not in caplog.text
        [job] = home.memory.jobs()
        assert job.attempts == 0


class Moving(HashingEmbedder):
    """Lets somebody move the home while it embeds."""

    def __init__(self, path: Path) -> None:
        super().__init__(64)
        self._path = path

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if self._path.exists():
            reindex(self._path, embedder=NEW)
        return super().embed_documents(texts)


def test_a_job_in_hand_while_the_home_is_moved_is_given_back_untried(
    tmp_path: Path, settings: Settings
) -> None:
    with opened(tmp_path, Moving(tmp_path), settings) as home:
        say(home, "The launch moved to Monday.")
        with pytest.raises(EmbedderMovedError):
            home.memory.work_off()
        [job] = home.memory.jobs()
        assert (job.attempts, job.error) == (0, "")
        with opened(tmp_path, NEW, settings) as anew:
            assert anew.memory.work_off() == 1
            assert anew.memory.jobs() == []
