"""SQLite's errors, told as ours: translated once, at this border."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from langgraph_memory.errors import (
    FileLimitError,
    HomeReadOnlyError,
    MemoryLayerError,
    NotAHomeError,
    StorageBusyError,
    StorageDamagedError,
    StorageError,
    StorageFullError,
)

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
# What is said, without a code of its own, of stored bytes that make no sense: text that is not
# UTF-8, and JSON that our own SQL function, or one of SQLite's, cannot read.
_SENSELESS = (
    "Could not decode to UTF-8", "user-defined function raised exception", "malformed JSON",
)  # fmt: skip

_LARGEST_STEP_BYTES = 2**16
"""SQLite's files grow by pages, by 32 KB at most: the step that failed may not show."""

_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
P = ParamSpec("P")
T = TypeVar("T")


class SenselessRowError(sqlite3.DatabaseError):
    """A row holds what was never written; translated like SQLite's own errors."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def sensible(decode: Callable[P, T]) -> Callable[P, T]:
    """Let a function that decodes what is stored raise :class:`SenselessRowError` if it stumbles.

    Python's module itself raises ``UnicodeDecodeError`` where SQLite quotes a damaged schema.
    """

    @wraps(decode)
    def careful(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return decode(*args, **kwargs)
        except _NONSENSE as exc:
            raise SenselessRowError(f"what is stored makes no sense: {type(exc).__name__}") from exc

    return careful


def translated(exc: sqlite3.Error, path: Path, timeout_seconds: float) -> MemoryLayerError:
    """Return our error for one of SQLite's."""
    code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
    if code in _BUSY:
        return StorageBusyError(path, timeout_seconds)
    if code == sqlite3.SQLITE_FULL:
        return StorageFullError(path)
    if code in _READ_ONLY:
        return HomeReadOnlyError(path)
    if code == sqlite3.SQLITE_CORRUPT or str(exc).startswith(_SENSELESS):
        return StorageDamagedError(path, _without_text(str(exc)))
    if code == sqlite3.SQLITE_IOERR and (limit := _file_limit(path)):
        return FileLimitError(path, limit)
    if code == sqlite3.SQLITE_NOTADB:
        return NotAHomeError(path, "this file is not an SQLite database")
    return StorageError(path, f"{str(exc).rstrip('.')}. Nothing of this call was written.")


def is_damage(exc: sqlite3.DatabaseError) -> bool:
    """Tell whether an error is about what is stored, and none of the disk or of other programs."""
    code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
    return code in (0, 1, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT)


def _without_text(problem: str) -> str:
    """Return what SQLite or Python says of damage, without the stored text it quotes."""
    said, quoted, _ = problem.partition(" with text ")
    if quoted and said.endswith(_DERIVED):
        return f"{said}; it is derived: langgraph-memory verify --repair makes it anew"
    return said


_DERIVED = tuple(f"'{name}'" for name in ("body", "circles", "embedded", "words", "vector"))


def _file_limit(path: Path) -> int | None:
    """Return the most bytes of a file of this process, if a file of the database has so many.

    SQLite tells that limit as any other fault of a disk.
    """
    try:
        import resource
    except ImportError:  # not POSIX
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit == resource.RLIM_INFINITY:
        return None
    largest = 0
    for each in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            largest = max(largest, path.with_name(path.name + each).stat().st_size)
    return limit if largest + _LARGEST_STEP_BYTES > limit else None
