"""Who owns the index, and what is left when one of the processes is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from chroma_home import IndexHome, eventually, near, vectors

from langgraph_memory.storage.chroma import client
from langgraph_memory.storage.chroma.client import Child, ChildGoneError
from langgraph_memory.storage.chroma.patience import Pace

QUERY = vectors(1)[0]
HERE = str(Path(__file__).parent)

OWNER = f"""{client.BARE_PACKAGE}
sys.path.insert(0, sys.argv.pop(1))
import time
from pathlib import Path
from chroma_home import IndexHome, near, vectors
home = IndexHome(Path(sys.argv[1]))
home.put("theirs", near(vectors(1)[0], 0.8))
home.drain()
print(home.mirror.pid, "chromadb" in sys.modules, flush=True)
sys.stdin.readline()
home.close()
"""


@contextmanager
def owner(path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Another process that owns the index of the home at ``path``, and its child's id."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(client.PACKAGE), HERE, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        child, imported = process.stdout.readline().split()
        assert imported == "False", "the caller's process must not import chromadb"
        try:
            yield process, int(child)
        finally:
            process.kill()


def alive(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody has waited for does not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@linux
def test_a_second_process_searches_exactly_and_takes_over_when_the_owner_is_killed(
    tmp_path: Path,
) -> None:
    """B85, R21: and the owner's child does not outlive it."""
    with owner(tmp_path) as (process, child), IndexHome(tmp_path) as home:
        mine = home.put("mine", near(QUERY, 0.9))
        assert home.follower.drain(20.0), "the owner notes that it has our write"
        assert home.follower.state.phase == "held"
        assert "another process" in home.follower.state.problem
        assert home.mirror.pid is None
        found = home.search(QUERY)
        assert len(found) == 2
        assert found[0].row == mine

        process.send_signal(signal.SIGKILL)
        assert eventually(lambda: not alive(child))
        last = home.put("last", near(QUERY, 0.95))
        assert eventually(lambda: home.follower.position() is not None)
        home.drain()
        assert home.generations() == ["1"]
        assert {last, mine} < home.proposed(QUERY)
        home.search(QUERY)


@linux
def test_the_child_ends_although_a_fork_of_its_parent_keeps_the_pipe_open(tmp_path: Path) -> None:
    code = OWNER.replace("print(", "import os\nif os.fork() == 0: time.sleep(60)\nprint(")
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, str(client.PACKAGE), HERE, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        child = int(process.stdout.readline().split()[0])
        try:
            process.kill()
            assert eventually(lambda: not alive(child))
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.deep)])
def test_a_child_killed_at_random_moments_is_restarted_and_catches_up(
    tmp_path: Path, kills: int
) -> None:
    """R21"""
    chance = np.random.default_rng(kills)
    pace = Pace(gather=0.0, tick=0.02, back_off=(0.01,), healthy=0.0)
    with IndexHome(tmp_path, pace=pace) as home:
        home.follower.start()
        rows: list[int] = []
        for each in range(kills):
            rows += home.put_many(300, seed=100 + each)
            sleep(float(chance.uniform(0.0, 0.8)))
            if (pid := home.mirror.pid) is not None:
                os.kill(pid, signal.SIGKILL)
            home.search(QUERY)
        home.drain()
        held, _ = home.mirror.holdings()
        assert held.tolist() == sorted(rows)
        for each in range(kills):
            home.search(vectors(100 + each, 300)[150])


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
def test_a_child_that_hangs_costs_a_search_little_and_is_replaced(tmp_path: Path) -> None:
    pace = Pace(gather=0.0, query=0.3, ping=0.3, grace=0.2, back_off=(0.05,))
    with IndexHome(tmp_path, pace=pace) as home:
        home.put("k", near(QUERY, 0.9))
        home.drain()
        hanging = home.mirror.pid
        assert hanging is not None
        os.kill(hanging, signal.SIGSTOP)
        started = monotonic()
        assert len(home.search(QUERY)) == 1
        assert monotonic() - started < 1.5
        started = monotonic()
        assert len(home.search(QUERY)) == 1
        assert monotonic() - started < 0.25, "a mirror in doubt is not asked again"
        home.drain()
        assert home.mirror.pid not in (None, hanging)


def test_closing_is_quick_and_ends_the_child(tmp_path: Path) -> None:
    home = IndexHome(tmp_path)
    home.put_many(50)
    home.drain()
    child = home.mirror.pid
    assert child is not None
    started = monotonic()
    home.close()
    assert monotonic() - started < 1.0
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    home.close()


def test_closing_in_the_middle_of_a_filling_is_quick(tmp_path: Path) -> None:
    with IndexHome(tmp_path, dims=384) as home:
        home.put_many(3000)
        home.follower.start()
        assert eventually(lambda: home.follower.state.generation == 1)
        started = monotonic()
        home.follower.close()
        assert monotonic() - started < 2.5
        assert not home.follower.drain(10.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_after_a_fork_the_child_process_leaves_the_index_alone(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        row = home.put("k", near(QUERY, 0.9))
        home.drain()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork: the point
            pid = os.fork()
        if pid == 0:
            try:
                home.follower.start()
                home.follower.poke()
                home.follower.rebuild()
                right = (
                    home.follower.position() is None
                    and not home.follower.drain(1.0)
                    and [each.row for each in home.chroma.nearest(QUERY, (), limit=5)] == [row]
                )
                home.follower.close()
                os._exit(0 if right else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        home.put("later", near(QUERY, 0.95))
        home.drain()
        assert len(home.search(QUERY)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_ctrl_c_for_the_caller_does_not_reach_the_child(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.drain()
        assert home.mirror.pid is not None
        assert os.getpgid(home.mirror.pid) != os.getpgrp()


def test_what_others_print_does_not_reach_the_replies() -> None:
    noisy = client.BARE_PACKAGE + (
        "import os\nfrom langgraph_memory.storage.chroma.child import _own_stdout\n"
        "replies = _own_stdout()\nprint('noise', flush=True)\nos.write(1, b'noise')\n"
        "replies.write(b'reply')\nreplies.flush()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", noisy, str(client.PACKAGE)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    assert done.stdout == b"reply"


def test_the_child_knows_nothing_of_langgraph(tmp_path: Path) -> None:
    """Its start and its memory are paid by every home: the package's public names stay out."""
    look = client.BARE_PACKAGE + (
        "import langgraph_memory.storage.chroma.child, langgraph_memory.storage.chroma.collection\n"
        "print([each for each in sys.modules if each.partition('.')[0] == 'langgraph'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(client.PACKAGE)],
        stdout=subprocess.PIPE, check=True, text=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_a_child_that_is_gone_says_so_at_once(tmp_path: Path) -> None:
    child = Child(tmp_path / "chroma")
    os.kill(child.pid, signal.SIGTERM)
    with pytest.raises(ChildGoneError):
        child.ask("count", timeout_seconds=30.0)
    assert eventually(lambda: not child.alive)
    with pytest.raises(ChildGoneError):
        child.ask("count", timeout_seconds=30.0)
    child.end(grace_seconds=1.0)


def test_an_unknown_or_untimely_request_is_refused_and_the_child_goes_on(tmp_path: Path) -> None:
    child = Child(tmp_path / "chroma")
    for op in ("dance", "count"):
        assert "error" in child.ask(op, timeout_seconds=30.0).head
    child.end(grace_seconds=5.0)
