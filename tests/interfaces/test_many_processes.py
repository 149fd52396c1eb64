"""Several processes and many threads on one home (R21, B81, B85)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from store_workers import (
    PATIENCE_SECONDS,
    PROCESSES,
    answer,
    opened,
    text,
    write_and_read,
)


def test_four_processes_of_eight_threads_lose_nothing_and_meet_no_error(tmp_path: Path) -> None:
    """B81, R21."""
    _crowd(tmp_path, processes=4, threads=8, writes=4)


@pytest.mark.deep
def test_four_processes_of_eight_threads_for_long(tmp_path: Path) -> None:
    """B81, R21."""
    _crowd(tmp_path, processes=4, threads=8, writes=60)


def _crowd(path: Path, *, processes: int, threads: int, writes: int) -> None:
    pipes, children = [], []
    for writer in range(processes):
        reader, told = PROCESSES.Pipe(duplex=False)
        child = PROCESSES.Process(target=write_and_read, args=(path, writer, threads, writes, told))
        child.start()
        pipes.append(reader)
        children.append(child)
    for reader, child in zip(pipes, children, strict=True):
        assert reader.poll(PATIENCE_SECONDS)
        assert reader.recv() == "done"
        child.join(PATIENCE_SECONDS)
    with opened(path) as store:
        for writer in range(processes):
            found = store.search(("work", f"w{writer}"), limit=10_000)
            assert {item.value["text"] for item in found} == {
                text(writer, thread, number)
                for thread in range(threads)
                for number in range(writes)
            }
            said = text(writer, 1, writes - 1)
            assert store.search((), query=said, limit=1)[0].value == {"text": said}
        shared = store.search(("work", "shared"), limit=10_000)
        assert [item.value for item in shared] == [{"n": writes - 1}] * (processes * threads)
        assert {item.version for item in shared} == {writes}  # type: ignore[attr-defined]


def test_each_process_sees_the_others_writes_in_its_next_call(tmp_path: Path) -> None:
    """R21, B85: by address, by words, by meaning, in lists; deletions, too."""
    here, there = PROCESSES.Pipe()
    child = PROCESSES.Process(target=answer, args=(tmp_path, there))
    child.start()

    def ask(method: str, *args: Any, **options: Any) -> Any:
        here.send((method, args, options))
        assert here.poll(PATIENCE_SECONDS)
        return here.recv()

    with ExitStack() as stack:
        stack.callback(child.join, PATIENCE_SECONDS)
        stack.callback(here.send, None)
        store = stack.enter_context(opened(tmp_path))
        for number in range(20):
            said = f"sentence{number} of ours"
            store.put(("a",), str(number), {"text": said})
            assert ask("search", ("a",), query=said, limit=1) == [(str(number), {"text": said})]
            answered = f"reply{number} of theirs"
            ask("put", ("b",), str(number), {"text": answered})
            assert store.search(("b",), query=answered, limit=1)[0].value == {"text": answered}
            assert [item.key for item in store.search(("b",), limit=1)] == [str(number)]
            ask("delete", ("b",), str(number))
            assert store.search((), query=answered, limit=1)[0].value != {"text": answered}
            assert store.get(("b",), str(number)) is None
