"""One checkpoint file and several programs: none fails, none loses what it has written."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import perf_counter

import pytest
from checkpoint_workers import counting, expected, thread

from langgraph_memory.storage.checkpoints import CheckpointSaver

WORKERS = Path(__file__).with_name("checkpoint_workers.py")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.sqlite"


def start(*job: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(WORKERS), *map(str, job)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finish(worker: subprocess.Popen[str]) -> int:
    worker.communicate(timeout=120)
    return worker.returncode


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_eight_programs_write_to_one_file_without_an_error(path: Path) -> None:
    started = perf_counter()
    assert finish(start("crowd", path, 8)) == 0
    print(f"8 programs, 1,280 writes and 320 prunings: {perf_counter() - started:.1f} s")
    with CheckpointSaver.open(path) as saver:
        assert [saver.count(f"t{number}") for number in range(8)] == [40] * 8
        assert saver.count("shared") == 640
        assert saver.check().well


def test_two_programs_take_turns_on_threads_of_their_own(path: Path) -> None:
    workers = [start("turns", path, name, 20) for name in ("a", "b")]
    assert [finish(worker) for worker in workers] == [0, 0]
    with CheckpointSaver.open(path) as saver:
        for name in ("a", "b"):
            assert counting(saver).get_state(thread(name)).values["seen"] == expected(20)


def test_a_run_goes_on_while_another_program_prunes_its_thread(path: Path) -> None:
    done = path.with_name("done")
    pruner = start("prune", path, "t", done)
    runner = start("turns", path, "t", 30)
    code = finish(runner)
    done.touch()
    assert (code, finish(pruner)) == (0, 0)
    with CheckpointSaver.open(path) as saver:
        assert counting(saver).get_state(thread("t")).values["seen"] == expected(30)
        saver.prune_thread("t", keep=1)
        assert saver.count("t") < 60


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_program_killed_at_any_moment_leaves_a_file_that_opens_and_goes_on(path: Path) -> None:
    for kill in range(4):
        name = f"t{kill}"
        worker = start("turns", path, name, 10_000)
        assert worker.stdout is not None
        for _ in range(2 + 3 * kill):  # each in another place of another turn
            done = int(worker.stdout.readline())
        threading.Event().wait(0.0017 * kill)
        worker.send_signal(signal.SIGKILL)
        last = [int(line) for line in worker.communicate(timeout=60)[0].split()]
        done = max([done, *last])
        with CheckpointSaver.open(path) as saver:
            assert saver.check().well
            agent = counting(saver)
            state = agent.get_state(thread(name))
            noted = state.values["seen"]
            assert len(noted) >= 3 * (done + 1)
            if state.tasks:  # its steps may be done and noted, and no checkpoint made yet
                noted = agent.invoke(None, thread(name))["seen"]
            turn = len(noted) // 3
            assert noted == expected(turn)
            assert agent.invoke({"turn": turn}, thread(name))["seen"] == expected(turn + 1)
            saver.prune_thread(name, keep=1)


def test_every_thread_of_a_program_may_have_an_event_loop_of_its_own(path: Path) -> None:
    problems: list[BaseException] = []

    async def turn(number: int) -> None:
        name = thread(f"t{number}")
        await counting(saver).ainvoke({"turn": 0}, name)
        await saver.aprune_thread(f"t{number}", keep=2)
        assert [found async for found in saver.alist(name)]
        await saver.acopy_thread(f"t{number}", f"copy{number}")
        await saver.adelete_thread(f"t{number}")

    def work(number: int) -> None:
        try:
            asyncio.run(turn(number))
            asyncio.run(counting(saver).ainvoke({"turn": 1}, thread(f"copy{number}")))
        except BaseException as problem:  # noqa: BLE001  told by the test's own thread
            problems.append(problem)

    with CheckpointSaver.open(path) as saver:
        workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert problems == []
        for number in range(6):
            state = counting(saver).get_state(thread(f"copy{number}"))
            assert state.values["seen"] == expected(2)
