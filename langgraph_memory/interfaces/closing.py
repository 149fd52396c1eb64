"""``with`` and ``async with`` for whatever has a ``close()``."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from types import TracebackType
from typing import Self


class Closing:
    """Closes at the end of a block; an asynchronous one is not held up by it."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Give everything back; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        await asyncio.to_thread(self.close)
