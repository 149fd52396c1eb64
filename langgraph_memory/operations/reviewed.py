"""Hold the review of procedures where versions are written: whoever writes one asks here."""

from __future__ import annotations

from langgraph_memory.domain.record import Record
from langgraph_memory.policy.procedures import EVERY_TASK, check_change, is_procedure
from langgraph_memory.ports import Transaction


def check_reviewed(
    tx: Transaction, before: Record | None, grown: Record, *, row: int | None = None,
    by: str = "", bar: float = EVERY_TASK,
) -> None:  # fmt: skip
    """Refuse new versions of a way of working that would take force without a review.

    Args:
        tx: The write that is to save them.
        before: The record as it stands; None where it is new.
        grown: As it shall be.
        row: Its row, where it is tested for.
        by: Who decides; empty where nobody does.
        bar: The share of the tasks that must have passed.

    Raises:
        UnreviewedError: The rule that it breaks, and the way.
    """
    if not is_procedure(grown.namespace):
        return
    results = [] if row is None else tx.trials.of(row)
    known = before.head.number if before else 0
    for version in grown.versions:
        if version.number > known:
            check_change(before, version, name=grown.key, by=by, results=results, bar=bar)
