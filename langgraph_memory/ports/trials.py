"""What was found when ways of working were tested."""

from __future__ import annotations

from typing import Protocol

from langgraph_memory.domain.trial import Trial


class Trials(Protocol):
    """The results of tests, each of a record.

    They are never changed. They go with their record: when it is erased, and when it is deleted,
    in the same transaction (:class:`Records`).
    """

    def add(self, row: int, trial: Trial) -> None:
        """Write one result of the record of a row."""

    def of(self, row: int) -> list[Trial]:
        """Return all results of the record of a row, in the order of writing."""
