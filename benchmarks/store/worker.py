"""One contender in a process of its own: reads commands, one JSON line each, and answers.

``python -m benchmarks.store.worker CONTENDER FOLDER KNOWN`` is started by the driver only.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.store.contenders import (
    Contender,
    InMemory,
    Ours,
    OursFull,
    Sqlite,
    SqliteWal,
    StoreContender,
)
from benchmarks.store.corpus import Corpus
from benchmarks.store.floors import Floor
from benchmarks.store.rows import BATCH, LIMIT, Row

MOST_CALLS = 40
ANSWERS = 10

CONTENDERS: dict[str, Callable[[Corpus, Path], Contender]] = {
    "floor": Floor,
    "ours": lambda corpus, folder: Ours(corpus, folder / "home"),
    "ours, FULL": lambda corpus, folder: OursFull(corpus, folder / "home"),
    "InMemoryStore": lambda corpus, _: InMemory(corpus),
    "SqliteStore": Sqlite,
    "SqliteStore, WAL": SqliteWal,
}


def timed(calls: Iterator[Callable[[], Any]], *, seconds: float, per_call: int) -> list[float]:
    """Return milliseconds of each call: at least one, then as many as fit in the time."""
    took: list[float] = []
    deadline = time.monotonic() + seconds
    for call in islice(calls, MOST_CALLS):
        start = time.perf_counter()
        call()
        took.append(1_000 * (time.perf_counter() - start) / per_call)
        if time.monotonic() > deadline:
            break
    return took


def answers(contender: Contender, row: Row) -> list[list[str]]:
    """Return the keys found for the first questions of a row."""
    if not isinstance(contender, StoreContender):
        return []
    found = []
    for serial in range(ANSWERS):
        query = contender.corpus.question(serial, words=False)
        items = contender.store.search(row.prefix, query=query, limit=LIMIT)
        found.append([item.key for item in items])
    return found


def obey(contender: Contender, order: dict[str, Any]) -> dict[str, Any]:
    """Carry out one command and return the reply."""
    match order.pop("do"):
        case "fill":
            start = time.monotonic()
            done = contender.fill(order["start"], order["stop"], seconds=order["seconds"])
            return {"done": done, "seconds": time.monotonic() - start}
        case "time":
            row = Row(**order["row"])
            per_call = BATCH if row.act == "batch" else 1
            with closing(contender.calls(row)) as calls:
                return {"ms": timed(calls, seconds=order["seconds"], per_call=per_call)}
        case "answer":
            return {"keys": answers(contender, Row(**order["row"]))}
        case unknown:
            raise ValueError(unknown)


def main(name: str, folder: Path, known: int) -> None:
    """Open the contender, say so, and obey until the driver hangs up."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever a library prints is no reply
    contender = CONTENDERS[name](Corpus(folder, known), folder)
    replies.write(json.dumps({"can_search": getattr(contender, "can_search", True)}) + "\n")
    for line in sys.stdin:
        replies.write(json.dumps(obey(contender, json.loads(line))) + "\n")
    contender.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
