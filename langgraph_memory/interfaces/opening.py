"""Open something at the start of a ``with`` or an ``async with`` block, and not before."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from langgraph_memory.errors import InvalidInputError
from langgraph_memory.interfaces.closing import Closing

IN_MEMORY = ":memory:"
_SQLITE = "sqlite:///"

Opened = TypeVar("Opened", bound=Closing)


class Opening(Generic[Opened]):
    """What ``from_conn_string`` returns.

    Args:
        conn_string: A folder, ``sqlite:///`` and a folder, or ``:memory:``.
        opened: Opens it.

    Raises:
        InvalidInputError: The address is of another sort.
    """

    def __init__(self, conn_string: str | Path, opened: Callable[[Path], Opened]) -> None:
        self._address = str(conn_string).removeprefix(_SQLITE)
        self._opened = opened
        self._stack = ExitStack()
        if "://" in self._address:
            sort = self._address.partition("://")[0]
            raise InvalidInputError(
                f"No store behind {sort}:// addresses. Give a folder, or {IN_MEMORY}."
            )

    def __enter__(self) -> Opened:
        place = self._address
        if place == IN_MEMORY:
            place = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="memory-"))
        try:
            opened = self._opened(Path(place))
        except BaseException:
            self._stack.close()
            raise
        self._stack.callback(opened.close)
        return opened

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._stack.close()

    async def __aenter__(self) -> Opened:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        await asyncio.to_thread(self._stack.close)
