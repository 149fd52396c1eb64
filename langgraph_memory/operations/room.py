"""Keep a namespace within its bound: what was used longest ago gives way."""

from __future__ import annotations

from langgraph_memory.domain.record import Record, Status
from langgraph_memory.errors import NamespaceFullError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import Stored, Transaction


def make_room(engine: Engine, tx: Transaction, written: Stored, retention: Retention) -> None:
    """Erase what a namespace holds beyond its bound, after one record was written in it.

    Raises:
        NamespaceFullError: Everything else there is protected; the write must be undone.
    """
    most = retention.max_items
    if most is None:
        return
    excess = tx.records.crowd(written.namespace, most=most)
    if not excess:
        return
    tx.records.touch(engine.usage.take())  # what was read a moment ago is not idle
    idle = tx.records.idlest(written.namespace, now=engine.clock(), limit=excess + 1)
    victims = [row for row in idle if row != written.row][:excess]
    if len(victims) < excess:
        raise NamespaceFullError(written.namespace, most)
    tx.records.erase(victims)


def trim(tx: Transaction, row: int, record: Record, retention: Retention) -> None:
    """Remove versions beyond the newest that are kept, unless an old one may still hold."""
    keep, head = retention.keep_versions, record.head
    settled = head.status is Status.ACTIVE and head.valid.began(head.recorded_at)
    if keep is not None and head.number > keep and (settled or head.refutes):
        tx.records.trim(row, keep=keep)
