"""Puts and deletions of the plain store, from request to transaction.

Inside the memory root a put is a statement like any other and passes the write policy;
outside it an item is kept as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import PLAIN, Provenance, Source, SourceKind
from langgraph_memory.domain.record import Record
from langgraph_memory.domain.scope import in_memory_root, locate
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.admitting import embedded, let_in
from langgraph_memory.operations.embedding import Wording
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import bury
from langgraph_memory.operations.monitoring import note
from langgraph_memory.operations.room import make_room, trim
from langgraph_memory.operations.statements import Admitted, Statement
from langgraph_memory.operations.writing import check_expected, lifetime, standing, write
from langgraph_memory.policy.admission import CONTENT, check_key
from langgraph_memory.policy.retention import Retention
from langgraph_memory.ports import IndexEntry, Stored, Transaction


@dataclass(frozen=True, slots=True)
class PutItem:
    """Write one item, or delete it where ``value`` is None.

    Attributes:
        texts: What search is told of it; empty keeps it out of search by query.
        ttl_minutes: Its retention; None is permanent.
        valid: When it holds in the world.
        expected: The version the caller last read; 0 for "must not be there", which is true of
            what has expired.
        protected: Never evicted to make room.
    """

    namespace: Namespace
    key: str
    value: JsonObject | None
    texts: tuple[str, ...] = ()
    ttl_minutes: float | None = None
    valid: Interval = Interval()
    expected: int | None = None
    protected: bool = False


@dataclass(frozen=True, slots=True)
class _Plain:
    """An item outside the memory root, before it is embedded."""

    put: PutItem
    wording: Wording


ItemWrite = _Plain | Admitted


def last_puts(puts: Sequence[PutItem]) -> list[PutItem]:
    """Return the last put of each address."""
    return list({(each.namespace, each.key): each for each in puts}.values())


def planned(engine: Engine, put: PutItem) -> ItemWrite:
    """Return what a put comes to, before anything is embedded.

    Raises:
        InvalidInputError: The write policy cannot take it as it is.
    """
    if in_memory_root(put.namespace) and put.value is not None:
        return let_in(engine, _as_statement(engine, put))
    return _Plain(put, Wording(put.texts))


def write_all(
    engine: Engine, tx: Transaction, writes: Sequence[ItemWrite],
    entries: Sequence[IndexEntry], retention: Retention,
) -> None:  # fmt: skip
    """Write planned puts inside the caller's transaction, what makes room first.

    Raises:
        VersionConflictError, NamespaceFullError: As their names say; roll back.
    """
    for each, entry in sorted(zip(writes, entries, strict=True), key=_takes_room):
        if isinstance(each, Admitted):
            [prepared] = embedded([each], [entry])
            write(engine, tx, prepared, retention=retention)
        else:
            _write_plain(engine, tx, each.put, entry, retention)


def _takes_room(planned_write: tuple[ItemWrite, IndexEntry]) -> bool:
    each, _ = planned_write
    return isinstance(each, Admitted) or each.put.value is not None


def _as_statement(engine: Engine, put: PutItem) -> Statement:
    place = locate(put.namespace)
    if place is None:
        note(engine, What.UNEXPECTED_WRITER, None)
        raise InvalidInputError(
            f"{put.namespace} is no memory namespace. Make one with scope(...).namespace(kind), "
            'or keep plain items under another root, such as "memories"; a server that confines '
            "you to your own root keeps memories alone."
        )
    scope, kind = place
    content = (put.value or {}).get(CONTENT)
    if not isinstance(content, str):
        raise InvalidInputError(
            f'A memory under {put.namespace} is a value with its text under "{CONTENT}".'
        )
    return Statement(
        content=content,
        scope=scope,
        provenance=Provenance(Source(SourceKind.APPLICATION)),
        kind=kind,
        key=check_key(put.key),
        valid=put.valid,
        ttl_minutes=put.ttl_minutes,
        metadata={name: part for name, part in (put.value or {}).items() if name != CONTENT},
        expected=put.expected,
        protected=put.protected,
        hidden=not put.texts,
        corrects=True,  # who puts at an address says what stands there
    )


def _write_plain(
    engine: Engine, tx: Transaction, put: PutItem, entry: IndexEntry, retention: Retention
) -> None:
    now = engine.clock()
    stored = standing(tx, put.namespace, put.key, now, keep_expired=retention.keep_expired)
    check_expected(stored, put.namespace, put.key, put.expected, now)
    if put.value is None:
        if stored is not None:
            bury(engine, tx, _with_head_only(stored), PLAIN)
        return
    kept = replace(lifetime(put.ttl_minutes, now), protected=put.protected)
    if stored is None:
        grown = Record.first(
            engine.new_id(), put.namespace, put.key, put.value, now=now, valid=put.valid
        )
        saved = tx.records.save(grown, known=0, entry=entry, lifetime=kept)
    else:
        grown = _with_head_only(stored).supersede(put.value, now=now, valid=put.valid)
        saved = tx.records.save(grown, known=stored.head.number, entry=entry, lifetime=kept)
    if stored is None or stored.head.value is None:
        make_room(engine, tx, saved, retention)
    trim(tx, saved.row, grown, retention)


def _with_head_only(stored: Stored) -> Record:
    """Return a record without what came before its head: enough to go on from."""
    return Record(stored.id, stored.namespace, stored.key, (stored.head,), since=stored.created_at)
