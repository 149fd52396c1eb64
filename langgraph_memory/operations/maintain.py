"""Upkeep of the files: expired records go, with everything that was made from them."""

from __future__ import annotations

from langgraph_memory.operations.engine import Engine

BATCH = 500


def sweep(engine: Engine, *, stop_after: int | None = None) -> int:
    """Erase records whose retention is over and return how many.

    The expiry is looked at again inside each write transaction, so that a record which was
    refreshed a moment ago stays.
    """
    removed = _sweep(engine, stop_after)
    if removed:
        with engine.database.write() as tx:
            tx.words.tidy()  # full text only marks words as gone
    return removed


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
