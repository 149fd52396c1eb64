"""A put that says more than LangGraph's: on which version, when it holds, whether it may go."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from langgraph.store.base import PutOp

from langgraph_memory.domain.interval import Interval


class VersionedPut(PutOp):
    """LangGraph's ``PutOp`` with conditions; goes into a ``batch`` like any other.

    Attributes:
        expected_version: Write only if the item is at this version: the one a read of the same
            store shows, 0 where it shows none. 0 is also true of what has expired.
        valid: When the value holds in the world.
        protected: Never evicted to make room.
    """

    expected_version: int | None = None
    valid: Interval = Interval()
    protected: bool = False

    @classmethod
    def of(
        cls, op: PutOp, *, expected_version: int | None = None,
        valid_from: datetime | None = None, valid_until: datetime | None = None,
        protected: bool = False,
    ) -> Self:  # fmt: skip
        """Return a put with conditions.

        Raises:
            InvalidInputError: An instant without a time zone, or an end before its start.
        """
        put = cls(*op)
        put.expected_version = expected_version
        put.valid = Interval.of(valid_from, valid_until)
        put.protected = protected
        return put
