"""Starts the contenders and steps them through the rows in turn, round by round."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from filelock import FileLock

from benchmarks.store import corpus
from benchmarks.store.contenders import STAND_IN
from benchmarks.store.rows import Row, rows_for
from benchmarks.store.worker import CONTENDERS
from langgraph_memory.storage.chroma.child import lock_path
from langgraph_memory.wiring import INDEX

FLOOR, OURS, OURS_FULL = "floor", "ours", "ours, FULL"
PEERS = tuple(name for name in CONTENDERS if name not in (FLOOR, OURS, OURS_FULL))
ENDLESS = 1e9
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    Attributes:
        rounds: How often each contender comes to each row.
        seconds: How long it stays there, one call at least.
        fill_seconds: What filling a peer to one size may take.
    """

    sizes: Sequence[int]
    rounds: int
    seconds: float
    fill_seconds: float
    peers: Sequence[str] = PEERS


@dataclass(slots=True)
class Measured:
    """What came of one size.

    Attributes:
        ms: Of each call, by name of the row and of the contender.
        agreement: What share of ours each peer found as well, in [0, 1].
    """

    size: int
    rows: list[Row]
    ms: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    agreement: dict[str, float] = field(default_factory=dict)
    fill_seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def median(self, row: Row, contender: str) -> float | None:
        samples = self.ms.get(row.name, {}).get(contender)
        return median(samples) if samples else None


class Worker:
    """The driver's end of one contender's process."""

    def __init__(self, name: str, folder: Path, known: int) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.store.worker", name, str(folder), str(known)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.can_search = True
        self.filled = 0

    def tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Wait for the reply.

        Raises:
            RuntimeError: The process ended; why is on the error stream.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The process of {self.name} has ended; its error stands above.")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def ask(self, **order: Any) -> dict[str, Any]:
        self.tell(**order)
        return self.hear()

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def run(plan: Plan, folder: Path, progress: Callable[[str], None]) -> Iterator[Measured]:
    """Measure one size after the other, smallest first; the stores only grow."""
    sizes = sorted(set(plan.sizes))
    corpus.make(folder, sizes[-1])
    with _without_chroma(folder), _workers(plan, folder, sizes[-1]) as workers:
        for size in sizes:
            measured = Measured(size, rows_for(size))
            progress(f"{size:,} items: filling")
            present = _fill(plan, workers, measured)
            for turn in range(plan.rounds):
                progress(f"{size:,} items: round {turn + 1} of {plan.rounds}")
                _round(plan, present, measured, turn)
            _compare_answers(present, measured)
            yield measured


def _round(plan: Plan, workers: Sequence[Worker], measured: Measured, turn: int) -> None:
    for number, row in enumerate(measured.rows):
        able = [each for each in workers if _takes_part(each, row)]
        first = (turn + number) % len(able)
        for worker in able[first:] + able[:first]:
            reply = worker.ask(do="time", row=asdict(row), seconds=plan.seconds)
            name = OURS if worker.name == OURS_FULL else worker.name
            measured.ms.setdefault(row.name, {}).setdefault(name, []).extend(reply["ms"])


def _takes_part(worker: Worker, row: Row) -> bool:
    if row.needs_vectors and not worker.can_search:
        return False
    if worker.name == OURS_FULL:
        return row.writes and row.sync == "FULL"
    return not (worker.name == OURS and row.writes and row.sync == "FULL")


def _fill(plan: Plan, workers: Iterable[Worker], measured: Measured) -> list[Worker]:
    """Bring all stores to the size, side by side, and return those that got there."""
    present = []
    stores = [each for each in workers if each.name != FLOOR]
    floors = [each for each in workers if each.name == FLOOR]
    for group in (stores, floors):  # the floor copies what ours has filled
        going = [each for each in group if each.filled >= 0]
        for worker in going:
            seconds = plan.fill_seconds if worker.name in PEERS else ENDLESS
            worker.tell(do="fill", start=worker.filled, stop=measured.size, seconds=seconds)
        for worker in going:
            reply = worker.hear()
            measured.fill_seconds[worker.name] = reply["seconds"]
            worker.filled = measured.size if reply["done"] else -1
            present += [worker] if reply["done"] else []
    measured.notes += [_why_absent(each, plan) for each in workers if each not in present]
    measured.notes += [_why_silent(each) for each in present if not each.can_search]
    return present


def _why_absent(worker: Worker, plan: Plan) -> str:
    return f"{worker.name} is skipped: filling it takes more than {plan.fill_seconds:.0f} s."


def _why_silent(worker: Worker) -> str:
    return (
        f"{worker.name}: its vector rows are skipped; this Python's SQLite loads no extensions "
        f"and the package {STAND_IN}, which would stand in for it, is not installed."
    )


def _compare_answers(workers: Sequence[Worker], measured: Measured) -> None:
    """Note what share of the answers each peer has in common with ours."""
    row = max(
        (each for each in measured.rows if each.act == "search" and each.asks == "meaning"),
        key=lambda each: each.scope,  # the whole store holds what each has put while timed
    )
    able = {each.name: each for each in workers if each.can_search}
    ours = able[OURS].ask(do="answer", row=asdict(row))["keys"]
    for name in filter(able.__contains__, PEERS):
        theirs = able[name].ask(do="answer", row=asdict(row))["keys"]
        shared = [len({*a} & {*b}) / max(1, len(a)) for a, b in zip(ours, theirs, strict=True)]
        measured.agreement[name] = sum(shared) / len(shared)


@contextmanager
def _workers(plan: Plan, folder: Path, known: int) -> Iterator[list[Worker]]:
    with ExitStack() as stack:
        workers = []
        for name in (FLOOR, OURS, *plan.peers):
            workers.append(Worker(name, folder, known))
            stack.callback(workers[-1].end)
        for worker in workers:
            worker.can_search = worker.hear()["can_search"]
        workers.append(Worker(OURS_FULL, folder, known))  # the home is there now
        stack.callback(workers[-1].end)
        workers[-1].hear()
        yield workers


@contextmanager
def _without_chroma(folder: Path) -> Iterator[None]:
    """Own the home's index for the length of the run.

    A home whose index belongs to another process searches exactly, which is what is measured
    here; and no copying to Chroma takes the processor away from any contender.
    """
    home = folder / "home"
    home.mkdir()
    with FileLock(lock_path(home / INDEX)):
        yield
