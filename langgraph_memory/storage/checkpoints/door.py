"""The async door of the checkpointer: the sync methods, one hop to a thread away.

LangGraph's own async saver is bound to the event loop it was made in. A thread per call is
not: the same object serves ``invoke`` and ``ainvoke``, in any loop or none.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def in_thread(
    method: Callable[Concatenate[Any, P], R],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """Return the async twin of a method; it calls whatever a subclass made of the method."""

    async def twin(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        bound: Callable[P, R] = getattr(self, method.__name__)
        return await asyncio.to_thread(bound, *args, **kwargs)

    return _named_after(method, twin)


def streamed_in_thread(
    method: Callable[Concatenate[Any, P], Iterator[R]],
) -> Callable[Concatenate[Any, P], AsyncIterator[R]]:
    """Return the async twin of a method that yields; one hop an item."""

    async def twin(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        items: Iterator[R] = getattr(self, method.__name__)(*args, **kwargs)
        while (item := await asyncio.to_thread(next, items, None)) is not None:
            yield item

    return _named_after(method, twin)


def _named_after(method: Callable[..., object], twin: R) -> R:
    """Give the twin the method's signature and text, and its name with an ``a`` in front."""
    functools.update_wrapper(twin, method)  # type: ignore[arg-type]
    for attribute in ("__name__", "__qualname__"):
        *path, name = getattr(method, attribute).split(".")
        setattr(twin, attribute, ".".join([*path, f"a{name}"]))
    return twin
