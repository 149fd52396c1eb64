"""Where a statement without a name belongs: under the memory whose place it takes, if any.

Looked for before the write begins, like everything slow: candidates of the very namespace, by
words and by meaning; ``policy.updates`` decides. The nearest that gives way lends its name, any
other is ended in the same transaction, and says by what. What somebody else writes in between
is not seen: then there are two memories, and none is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.scope import Kind
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Statement, admitted
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.keys import content_key
from langgraph_memory.policy.trust import trust
from langgraph_memory.policy.updates import Update
from langgraph_memory.ports import IndexEntry, Transaction
from langgraph_memory.retrieval.candidates import Search
from langgraph_memory.text.tokens import tokens

COMPARED = 20
"""Memories compared with a statement: the nearest, or the latest where meaning is not read."""


def placed(engine: Engine, statements: Sequence[Statement]) -> list[Statement]:
    """Return statements with the name of the memory whose place they take, where there is one.

    Several statements of one call are seen in their order. Embeds: never call it in a
    transaction.
    """
    found: list[Statement] = []
    for each in statements:
        found.append(_placed(engine, each, found))
    return found


def _placed(engine: Engine, said: Statement, before: Sequence[Statement]) -> Statement:
    if said.key is not None or said.hidden or said.kind is Kind.PROCEDURAL:
        return said
    if not said.supersedes or not isinstance(said.content, str):
        return said
    update = Update(said.content)
    if not update.states:
        return said
    for earlier in reversed(before):
        if said.review or earlier.review:
            continue  # what waits is nobody's place
        if earlier.scope == said.scope and (new := _in_place_of(update, earlier.content)):
            key = earlier.key or content_key(earlier.content)
            return replace(said, content=new, key=key, kind=earlier.kind, ends=earlier.ends)
    # An episode was said on its day and stays; what it says of how things are is a fact.
    known = _known(engine, said.content, said.scope.namespace(Kind.SEMANTIC))
    now = engine.clock()
    taken = [(record, new) for record in known if (new := _taken(update, record, now))]
    if not taken:
        return said
    # The most trusted first: a statement of less trust waits beside it, and ends nothing.
    taken.sort(key=lambda each: trust(_papers_now(each[0], now)), reverse=True)
    (record, new), *others = taken
    value = _said_now(record, now)
    further = {name: part for name, part in value.items() if name != CONTENT}
    return replace(
        said,
        content=new,
        key=record.key,
        kind=Kind.SEMANTIC,
        metadata={**further, **(said.metadata or {})} or None,
        ends=tuple(each.key for each, instead in others if instead == said.content),
    )


def _taken(update: Update, record: Record, now: datetime) -> str | None:
    old = _said_now(record, now).get(CONTENT)
    return _in_place_of(update, old) if isinstance(old, str) else None


def _in_place_of(update: Update, old: str) -> str | None:
    """Return what is to be said instead of ``old``, or again; None where it is something else."""
    return old if update.repeats(old) else update.in_place_of(old)


def _known(engine: Engine, content: str, namespace: Namespace) -> Iterator[Record]:
    """Yield the memories that may be about the same, the nearest first."""
    vector = engine.query_vector(content)
    now = engine.clock()

    def looked_up(tx: Transaction) -> list[Record]:
        if vector is not None:
            engine.check_space(tx)
        search = Search(engine.index, engine.word_index, tx, content, vector, [namespace])
        rows = [each.row for each in search.best(COMPARED).found[:COMPARED]]
        if vector is None:
            rows += [each.row for each in tx.records.page(namespace, now=now, limit=COMPARED)]
        chains = tx.records.chains(rows)
        return [chains[row].record for row in dict.fromkeys(rows) if row in chains]

    for record in engine.viewed(looked_up):
        holds = record.current(now)
        waits = holds is not None and record.head.status is Status.PENDING
        if record.namespace == namespace and (waits or holds is record.head):
            yield record


def _papers_now(record: Record, now: datetime) -> Provenance:
    return (record.current(now) or record.head).provenance


def _said_now(record: Record, now: datetime) -> JsonObject:
    """Return what a record says now, whatever waits for a review beside it."""
    holds = record.current(now)
    return (holds.value if holds else None) or {}


def end(engine: Engine, tx: Transaction, said: Statement, by: str) -> None:
    """End what a statement contradicts beside the memory whose name it has."""
    now = engine.clock()
    for key in said.ends:
        record = tx.records.load(said.scope.namespace(Kind.SEMANTIC), key)
        if record is None or record.current(now) is not record.head:
            continue
        papers = replace(said.provenance, reason=f"superseded by {by}")
        stored = tx.records.head(record.namespace, key)
        assert stored is not None
        tx.records.save(
            record.retract(now, now=now, provenance=papers),
            known=record.head.number,
            entry=_told(tx, said, record, stored.row),
            lifetime=stored.lifetime,
        )


def _told(tx: Transaction, said: Statement, record: Record, row: int) -> IndexEntry:
    """Return what search knows of a memory: it stays findable, as something that has ended."""
    content = str((record.head.value or {}).get(CONTENT, ""))
    wording = admitted(Statement(content, said.scope, said.provenance, key=record.key)).wording
    vectors = tx.records.vectors([row]).get(row)
    return IndexEntry(tuple(tokens(wording.words)), vectors, wording.texts, wording.spoken)
