"""The folder of a home: what may stand there, and whether it is all there.

The database is the first file of a new home. So the rest of a home without its database, or
beside an empty one, is what is left after an accident: a new database in its place would hide
that, and SQLite would delete the log of an empty one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from langgraph_memory.errors import (
    HomeIncompleteError,
    HomeReadOnlyError,
    NotAHomeError,
    StorageFullError,
)
from langgraph_memory.storage.checkpoints.file import is_ours

DATABASE = "memory.sqlite"
CHECKPOINTS = "checkpoints.sqlite"
INDEX = "chroma"


def has_home(path: Path) -> bool:
    """Tell whether something stands at the path: a home, or what is in its way.

    Raises:
        NotAHomeError: The path cannot be looked at.
        HomeIncompleteError: The database is gone, or empty, and the rest of the home is there.
    """
    try:
        if path.is_file():
            return True
        _check_complete(path)
        return (path / DATABASE).exists()
    except OSError as exc:
        raise NotAHomeError(path, exc.strerror or "this path cannot be looked at") from exc


def check_place(path: Path) -> None:
    """Check that a home could be made at the path, without making it.

    Raises:
        NotAHomeError, HomeReadOnlyError: It could not.
    """
    nearest = path.resolve()
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        raise NotAHomeError(path, "a file stands where a folder of the path should be")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise HomeReadOnlyError(path)


def prepare_folder(path: Path) -> Path:
    """Return the real path of a home's folder, made if absent.

    Raises:
        NotAHomeError: Something that is not a folder stands there.
        HomeReadOnlyError: The folder cannot be made.
        HomeIncompleteError: A home stands there whose database is gone, or empty.
    """
    has_home(path)
    if path.exists() and not path.is_dir():
        raise NotAHomeError(path, "a home is a folder, and this is a file")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as exc:
        raise NotAHomeError(path, "a file stands where a folder of the path should be") from exc
    except PermissionError as exc:
        raise HomeReadOnlyError(path) from exc
    except OSError as exc:
        raise (StorageFullError(path) if exc.errno == 28 else HomeReadOnlyError(path)) from exc
    real = path.resolve()
    if not os.access(real, os.W_OK | os.X_OK):
        raise HomeReadOnlyError(path)
    return real


def _check_complete(folder: Path) -> None:
    """Refuse a home without its database.

    The rest is looked at first and the database again after it: another process may be making
    a home here just now.
    """
    database = folder / DATABASE
    if _size(database) or not (rest := tuple(_rest(folder))):
        return
    size = _size(database)
    if not size:
        raise HomeIncompleteError(database, "is missing" if size is None else "is empty", rest)


def _rest(folder: Path) -> Iterator[str]:
    if _size(folder / f"{DATABASE}-wal"):
        yield f"{DATABASE}-wal"
    if _size(folder / CHECKPOINTS) and is_ours(folder / CHECKPOINTS):
        yield CHECKPOINTS
    if any(folder.glob(f"{INDEX}/*/state.json")):
        yield INDEX


def _size(path: Path) -> int | None:
    """Return the size of a file, None if there is none."""
    return path.stat().st_size if path.is_file() else None
