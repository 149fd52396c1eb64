"""Chroma as a mirror of the vectors: what the follower says, put into messages for the child."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from langgraph_memory.ports import Neighbour, OutboxRow, Space, Vectors
from langgraph_memory.storage.chroma.child import lock_path
from langgraph_memory.storage.chroma.client import Child, ChildGoneError, ChildSlowError
from langgraph_memory.storage.chroma.contract import (
    MirrorBlockedError,
    MirrorFailedError,
    MirrorHeldError,
    MirrorSlowError,
    MirrorWrongError,
    Opened,
    Proposals,
    Rows,
)
from langgraph_memory.storage.chroma.protocol import Message

OPEN_SECONDS = 120.0
WRITE_SECONDS = 120.0
_HELD = "another process owns the index"
_READING = frozenset({"open", "holdings"})


class ChromaMirror:
    """``contract.Mirror`` over the child process. One thread opens and writes; any may ask.

    Args:
        folder: The home's folder for Chroma; made by the child.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._child: Child | None = None

    @property
    def folder(self) -> Path:
        """Return the real path of the folder."""
        return self._folder

    @property
    def pid(self) -> int | None:
        """Return the child's process id, None while there is none."""
        child = self._child
        return child.pid if child is not None and child.alive else None

    def open(self, space: Space, *, base: int, fresh: bool) -> Opened:
        """Start a child and let it open, or begin, a generation."""
        self._probe()
        try:
            self._child = Child(self._folder)
        except OSError as exc:
            raise MirrorFailedError(f"the index process cannot be started: {exc}") from exc
        reply = self._ask("open", seconds=OPEN_SECONDS, model_id=space.model_id, dims=space.dims,
                          base=base, fresh=fresh)  # fmt: skip
        if reply.head.get("held"):
            self.close(grace_seconds=1.0)
            raise MirrorHeldError(_HELD)
        return Opened(reply.head["generation"], reply.head["sequence"], reply.head["complete"])

    def apply(self, changes: Sequence[OutboxRow], sequence: int) -> None:
        """Give each row its vectors, or none."""
        vectors = [each.vectors for each in changes if each.vectors is not None]
        counts = [(each.row, 0 if each.vectors is None else len(each.vectors)) for each in changes]
        body = b"".join(each.astype("<f4", copy=False).tobytes() for each in vectors)
        self._ask("apply", body, seconds=WRITE_SECONDS, counts=counts, sequence=sequence)

    def finish(self) -> None:
        """Declare the generation complete."""
        self._ask("finish", seconds=WRITE_SECONDS)

    def holdings(self) -> tuple[Rows, Rows]:
        """Return the rows that are in, and how many vectors each has."""
        reply = self._ask("holdings", seconds=WRITE_SECONDS)
        numbers = np.frombuffer(reply.body, "<i8")
        return numbers[: reply.head["rows"]], numbers[reply.head["rows"] :]

    def nearest(self, queries: Vectors, *, limit: int, timeout_seconds: float) -> Proposals:
        """Return up to ``limit`` lines for each of ``(n, dims)`` queries."""
        reply = self._ask("nearest", queries.astype("<f4", copy=False).tobytes(),
                          seconds=timeout_seconds, limit=limit)  # fmt: skip
        widths: list[int] = reply.head["widths"]
        size = sum(widths)
        rows = iter(np.frombuffer(reply.body, "<i8", size).tolist())
        cosines = iter(np.frombuffer(reply.body, "<f4", size, offset=size * 8).tolist())
        lines = [[Neighbour(next(rows), next(cosines)) for _ in range(width)] for width in widths]
        return Proposals(lines, reply.head["whole"])

    def ping(self, *, timeout_seconds: float) -> None:
        """Find out whether the child answers."""
        self._ask("count", seconds=timeout_seconds)

    def close(self, *, grace_seconds: float) -> None:
        """End the child; the folder is free afterwards."""
        child, self._child = self._child, None
        if child is not None:
            child.end(grace_seconds=grace_seconds)

    def _probe(self) -> None:
        """Look whether the folder can be had, before paying for a process."""
        if self._folder.exists() and not self._folder.is_dir():
            raise MirrorBlockedError(
                f"a file stands where the index's folder belongs; move {self._folder} away, "
                "and the index is made anew (searches are exact meanwhile)"
            )
        if self._folder.exists() and not os.access(self._folder, os.R_OK | os.W_OK | os.X_OK):
            raise MirrorBlockedError(
                f"the index's folder may not be written; allow this user to write {self._folder} "
                "(searches are exact meanwhile)"
            )
        lock = FileLock(str(lock_path(self._folder)))
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=0)
        except Timeout:
            raise MirrorHeldError(_HELD) from None
        except (OSError, NotImplementedError) as exc:
            raise MirrorBlockedError(
                f"the index folder cannot be locked: {exc}; searches are exact until it can"
            ) from exc
        lock.release()

    def _ask(self, op: str, body: bytes = b"", *, seconds: float, **facts: object) -> Message:
        child = self._child
        if child is None:
            raise MirrorFailedError("the index process is not running")
        try:
            reply = child.ask(op, body, timeout_seconds=seconds, **facts)
        except ChildSlowError as exc:
            raise MirrorSlowError(str(exc)) from exc
        except ChildGoneError as exc:
            raise MirrorFailedError(str(exc)) from exc
        if (problem := reply.head.get("error")) is None:
            return reply
        if op in _READING and not reply.head["files"]:
            raise MirrorWrongError(f"Chroma cannot read its files ({problem})")
        raise MirrorFailedError(f"Chroma refused to {op}: {problem}")
