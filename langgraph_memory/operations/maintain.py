"""Upkeep of the files: expired records go, with everything that was made from them."""

from __future__ import annotations

from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import KEPT

BATCH = 500


def sweep(engine: Engine, *, stop_after: int | None = None) -> int:
    """Erase records whose retention is over and return how many.

    The expiry is looked at again inside each write transaction, so that a record which was
    refreshed a moment ago stays.
    """
    removed = _sweep(engine, stop_after)
    _trim_counts(engine)
    if removed:
        with engine.database.write() as tx:
            tx.words.tidy()  # full text only marks words as gone
    return removed


def _trim_counts(engine: Engine) -> None:
    """Remove the counts of days long past."""
    last = (engine.clock() - KEPT).date()
    with engine.database.read() as tx:
        oldest = tx.counts.oldest()
    if not oldest or oldest >= last.isoformat():
        return
    with engine.database.write() as tx:
        tx.counts.trim(before=last)


def _sweep(engine: Engine, stop_after: int | None) -> int:
    removed = 0
    while stop_after is None or removed < stop_after:
        with engine.database.read() as tx:
            if not tx.records.expired(now=engine.clock(), limit=1):
                return removed
        with engine.database.write() as tx:
            rows = tx.records.expired(now=engine.clock(), limit=BATCH)
            tx.records.erase(rows)
        removed += len(rows)
    return removed
