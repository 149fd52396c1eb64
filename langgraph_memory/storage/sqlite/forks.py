"""A fork must find no connection open.

SQLite notes in memory which locks its process holds on a file, and a forked child gets the
notes without the locks. For any connection it makes to that file, inherited or new, it then
skips locking: the parent, sure to be alone, deletes the log that the child writes to, and
what the child committed is lost. So everything is closed just before a fork and opened anew
on both sides when it is next used.

A child that was forked in the middle of a transaction cannot be helped; it is told so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

from langgraph_memory.errors import StorageError


class Forkable(Protocol):
    """What has connections to close before a fork."""

    @property
    def path(self) -> Path:
        """The database file."""

    def before_fork(self) -> None:
        """Close everything, and hold users off."""

    def after_fork_in_parent(self) -> None:
        """Let users go on."""

    def after_fork_in_child(self) -> bool:
        """Begin anew; False if a connection was open when the child was made."""


_watched: WeakSet[Forkable] = WeakSet()
_severed: set[Path] = set()


def watch(connections: Forkable) -> None:
    """Tell these connections of every fork, for as long as they live."""
    _watched.add(connections)


def refuse_severed(path: Path) -> None:
    """Refuse a file that this process inherited in the middle of a transaction.

    Raises:
        StorageError: Its locks cannot be trusted here.
    """
    if _severed and path.resolve() in _severed:
        raise StorageError(
            path,
            "this process was forked while the database was in use and cannot share it safely. "
            "Fork outside transactions, or start processes with spawn or forkserver.",
        )


def _before() -> None:
    for each in list(_watched):
        each.before_fork()


def _in_parent() -> None:
    for each in list(_watched):
        each.after_fork_in_parent()


def _in_child() -> None:
    for each in list(_watched):
        if not each.after_fork_in_child():
            _severed.add(each.path.resolve())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
