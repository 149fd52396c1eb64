"""Processes that use one home through its store; started by name, so that nothing is inherited."""

from __future__ import annotations

import itertools
import multiprocessing
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from langgraph.store.base import PutOp

from langgraph_memory import MemoryStore, Settings
from langgraph_memory.testing import HashingEmbedder

PROCESSES = multiprocessing.get_context("spawn")
PATIENCE_SECONDS = 120.0
JANE = {"tenant": "acme", "user": "jane"}


def opened(path: Path, index: Any = "auto") -> MemoryStore:
    """Open a home with an embedder that costs nothing."""
    settings = Settings.model_construct(index=index)
    return MemoryStore.from_path(path, embedder=HashingEmbedder(), settings=settings)


def text(writer: int, thread: int, number: int) -> str:
    """Return a text that no other write has."""
    return f"writer{writer} thread{thread} number{number}"


def write_and_read(path: Path, writer: int, threads: int, writes: int, told: Connection) -> None:
    """Write from several threads, each reading its own write back at once, by every way."""
    try:
        with opened(path) as store, ThreadPoolExecutor(threads) as pool:
            list(
                pool.map(lambda thread: _one_thread(store, writer, thread, writes), range(threads))
            )
        told.send("done")
    except BaseException as exc:
        told.send(f"{type(exc).__name__}: {exc}")
        raise


def _one_thread(store: MemoryStore, writer: int, thread: int, writes: int) -> None:
    place = ("work", f"w{writer}")
    for number in range(writes):
        key, said = f"{thread}-{number}", text(writer, thread, number)
        store.put(place, key, {"text": said})
        assert store.get(place, key).value == {"text": said}  # type: ignore[union-attr]
        assert store.search(place, query=said, limit=1)[0].key == key
        store.put(("work", "shared"), f"{writer}-{thread}", {"n": number})


def answer(path: Path, told: Connection) -> None:
    """Keep a home open, and answer what is asked of it until told to end."""
    with opened(path) as store:
        while (asked := told.recv()) is not None:
            method, args, options = asked
            found = getattr(store, method)(*args, **options)
            told.send([(item.key, item.value) for item in found] if method == "search" else found)


def write_until_killed(path: Path, seed: int, told: Connection) -> None:
    """Do one mixed write after another, and tell each once it is acknowledged."""
    with opened(path, index="chroma") as store:
        for number, (work, key, said) in enumerate(steps(seed)):
            work(store, key, said)
            told.send_bytes(number.to_bytes(4))


def steps(seed: int) -> Any:
    """Yield what a writer does, one step after another: the work, a key and a text."""
    chance = random.Random(seed)
    for number in itertools.count():
        key, said = f"k{chance.randrange(12)}", f"said{number} word{chance.randrange(5)}"
        kinds: dict[str, Callable[[MemoryStore, str, str], Any]] = {
            "put": lambda store, key, text: store.put(("a",), key, {"text": text}),
            "delete": lambda store, key, text: store.delete(("a",), key),
            "batch": _pair,
            "lists": lambda store, key, text: store.put(
                ("c",), key, {"t": [text, "x"]}, index=["t[*]"]
            ),
            "remember": lambda store, key, text: store.memory.scope(**JANE).remember(text, key=key),
            "short": lambda store, key, text: store.put(("d",), key, {"text": text}, ttl=60.0),
        }
        yield chance.choice([*kinds.values()]), key, said


def _pair(store: MemoryStore, key: str, text: str) -> None:
    store.batch([PutOp(("b", str(number)), "pair", {"text": text}) for number in range(3)])
