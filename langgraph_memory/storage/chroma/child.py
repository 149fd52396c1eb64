"""The process that owns a Chroma folder; ``client.Child`` starts it.

It holds a file lock on the folder's real path for its whole life, so that no second process
can write there: two writers lose each other's vectors without an error. It alone imports
chromadb, which may crash on damaged files, holds the interpreter for the length of each
write and hangs after a fork; none of that reaches the process that uses the memory.

It ends when its standard input does, however the parent died, and finishes the write it is
in first. A copy of the pipe in a forked sibling would keep the input open; therefore it also
watches who its parent is.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from filelock import FileLock, Timeout

from langgraph_memory.storage.chroma import generations
from langgraph_memory.storage.chroma.generations import Generation
from langgraph_memory.storage.chroma.protocol import Message, read, write

if TYPE_CHECKING:
    from langgraph_memory.storage.chroma.collection import Collection

LOCK_PATIENCE_SECONDS = 0.5
_PARENT_CHECK_SECONDS = 0.5
_LAST_WRITE_SECONDS = 60.0
_ERROR_LENGTH = 500


def lock_path(folder: Path) -> Path:
    """Return the lock of a folder: beside it, so that deleting the folder does not free it."""
    return folder.with_name(folder.name + ".lock")


class Server:
    """Answers requests about one folder, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.working = threading.Lock()
        """Held while a request is answered."""
        self._folder = folder
        self._lock = FileLock(str(lock_path(folder)))
        self._generation = Generation(0, "", 0, 0, complete=False)
        self._collection: Collection | None = None
        self._operations: dict[str, Callable[[Message], Message]] = {
            "open": self._open,
            "apply": self._apply,
            "finish": self._finish,
            "holdings": self._holdings,
            "nearest": self._nearest,
            "count": self._count,
        }

    def serve(self, requests: BinaryIO, replies: BinaryIO) -> None:
        """Answer until the requests end."""
        while (request := read(requests)) is not None:
            with self.working:
                write(replies, self._answer(request))

    def close(self) -> None:
        """Close Chroma, then give the folder free."""
        if self._collection is not None:
            self._collection.close()
        self._lock.release()

    def _answer(self, request: Message) -> Message:
        try:
            reply = self._operations[request.head["op"]](request)
        except BaseException as exc:  # noqa: BLE001 - Chroma's panics are no Exceptions
            problem = f"{type(exc).__name__}: {exc}"[:_ERROR_LENGTH]
            reply = Message({"error": problem, "files": isinstance(exc, OSError)})
        return Message({**reply.head, "id": request.head["id"]}, reply.body)

    def _open(self, request: Message) -> Message:
        """Take the lock, then open the present generation or begin a new one."""
        try:
            self._lock.acquire(timeout=LOCK_PATIENCE_SECONDS)
        except Timeout:
            return Message({"held": True})
        # Late: whoever finds the folder locked ends without paying for chromadb.
        from langgraph_memory.storage.chroma.collection import Collection

        space = {"model_id": request.head["model_id"], "dims": request.head["dims"]}
        found = None if request.head["fresh"] else generations.present(self._folder)
        if found is None or {"model_id": found.model_id, "dims": found.dims} != space:
            found = generations.begin(self._folder, **space, sequence=request.head["base"])
            self._collection = Collection.create(self._folder / str(found.number))
            generations.save(self._folder, found)
        else:
            self._collection = Collection.open(self._folder / str(found.number))
        self._generation = found
        return Message(
            {"generation": found.number, "sequence": found.sequence, "complete": found.complete}
        )

    def _apply(self, request: Message) -> Message:
        vectors = np.frombuffer(request.body, "<f4").reshape(-1, self._generation.dims)
        counts = [(row, count) for row, count in request.head["counts"]]
        self._opened().apply(counts, vectors, request.head["sequence"])
        return self._save(replace(self._generation, sequence=request.head["sequence"]))

    def _finish(self, request: Message) -> Message:
        """Declare the generation complete, and only then remove the older ones."""
        reply = self._save(replace(self._generation, complete=True))
        generations.sweep(self._folder, self._generation)
        return reply

    def _holdings(self, request: Message) -> Message:
        rows, counts = self._opened().holdings()
        return Message({"rows": len(rows)}, rows.tobytes() + counts.astype("<i8").tobytes())

    def _nearest(self, request: Message) -> Message:
        queries = np.frombuffer(request.body, "<f4").reshape(-1, self._generation.dims)
        widths, rows, cosines = self._opened().nearest(queries, request.head["limit"])
        # A graph with many removed nodes may return less than it has: only counting tells.
        least = min(widths)
        whole = least < request.head["limit"] and least == self._opened().count()
        return Message({"widths": widths, "whole": whole}, rows.tobytes() + cosines.tobytes())

    def _count(self, request: Message) -> Message:
        return Message({"count": self._opened().count()})

    def _save(self, generation: Generation) -> Message:
        generations.save(self._folder, generation)
        self._generation = generation
        return Message({"sequence": generation.sequence})

    def _opened(self) -> Collection:
        assert self._collection is not None, "open comes first"
        return self._collection


def main() -> None:
    """Serve the folder named on the command line."""
    replies = _own_stdout()
    server = Server(Path(sys.argv[1]))
    watch = threading.Thread(target=_watch_parent, args=(os.getppid(), server), daemon=True)
    watch.start()
    try:
        server.serve(sys.stdin.buffer, replies)
    except BrokenPipeError:
        pass
    finally:
        server.close()
    os._exit(0)  # nothing is left to do, and Chroma's threads need not be waited for


def _own_stdout() -> BinaryIO:
    """Return the reply stream; whatever others print from now on goes where errors go."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _watch_parent(parent: int, server: Server) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    server.working.acquire(timeout=_LAST_WRITE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
