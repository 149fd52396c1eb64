"""Answers that plain code can use and asynchronous code can await."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=int)


class Done(int, Generic[T]):
    """A number, or a truth, that is there already; ``await`` gives it back as it is.

    LangGraph's synchronous and asynchronous stores have methods of one name, called with and
    without ``await``; this store is both.
    """

    answer: T

    @classmethod
    def of(cls, answer: T) -> T | Done[T]:
        """Return the answer itself to plain code, and one that can be awaited inside a loop."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return answer
        done: Done[T] = cls(answer)
        done.answer = answer
        return done

    def __await__(self) -> Generator[Any, None, T]:
        yield from ()
        return self.answer
