"""What a reader was told of one state of the file, so that it need not ask again.

Between two writes most searches ask the same first: how far the outbox is, which namespaces
there are, whether anything waits. SQLite numbers the states of a file as each connection sees
them (``PRAGMA data_version``), whichever process writes; an answer is kept as long as the
number stays. A connection that writes keeps none: it does not see its own changes in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

MOST = 1_000
"""Answers kept of one state; past that, all are dropped."""

T = TypeVar("T")


class Reader(sqlite3.Connection):
    """A connection that only reads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._state: int | None = None
        self._answers: dict[Any, Any] = {}

    def begin(self) -> None:
        """Begin a view that later writes do not change."""
        self.execute("BEGIN")  # takes no snapshot yet: the next statement does
        (state,) = self.execute("PRAGMA data_version").fetchone()
        if state != self._state:
            self.forget()
            self._state = state

    def once(self, question: Any, ask: Callable[..., T], *args: Any) -> T:
        """Return the answer to a question, asked once in each state of the file."""
        try:
            found: T = self._answers[question]
        except KeyError:
            found = ask(*args)
            if len(self._answers) >= MOST:
                self._answers.clear()
            self._answers[question] = found
        return found

    def forget(self) -> None:
        """Drop all answers: some name namespaces."""
        self._answers.clear()


def once(sql: sqlite3.Connection, question: Any, ask: Callable[..., T], *args: Any) -> T:
    """Return ``ask(*args)``; a reader that knows the answer to the question does not ask."""
    return sql.once(question, ask, *args) if isinstance(sql, Reader) else ask(*args)
