"""Where a statement without a name belongs: under the memory whose place it takes, if any.

Looked for before the write begins, like everything slow: candidates of the very namespace, by
words and by meaning; ``policy.updates.update`` decides. What says the same in other words
(``policy.paraphrases``) is one more witness of the words that are there. Of what gives way the
most trusted, then the nearest, lends its name; any other is ended in the same transaction, and
says by what. What somebody else writes in between is not seen: then there are two memories, and
none is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import same
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Kind
from langgraph_memory.operations.admitting import key_of
from langgraph_memory.operations.embedding import entry_as_told
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.statements import Statement
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.keys import content_key
from langgraph_memory.policy.paraphrases.paraphrase import Paraphrase
from langgraph_memory.policy.stops import stop_in
from langgraph_memory.policy.trust import trust
from langgraph_memory.policy.updates.update import Update
from langgraph_memory.ports import Transaction
from langgraph_memory.retrieval.candidates import Search

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
    again = Paraphrase(said.content)
    for earlier in reversed(before):
        if said.review or earlier.review or earlier.scope != said.scope:
            continue  # what waits is nobody's place
        there = _There(
            earlier.content, earlier.kind, earlier.valid, earlier.metadata or {}, earlier.provenance
        )
        if there.takes_in(said, again):
            episode = earlier.kind is Kind.EPISODIC
            key = earlier.key or (key_of(earlier, earlier.content) if episode else None)
            return replace(said, content=earlier.content, key=key)
        if earlier.kind is Kind.EPISODIC:
            continue  # no episode is replaced
        if new := _in_place_of(update, said, earlier.content):
            key = earlier.key or content_key(earlier.content)
            return replace(said, content=new, key=key, kind=earlier.kind, ends=earlier.ends)
    # An episode was said on its day and stays; what it says of how things are is a fact.
    known = _known(engine, said.content, said.scope.namespace(Kind.SEMANTIC))
    taken = [
        (record, holds, new)
        for record, holds in known
        if (new := _said_again(holds, Kind.SEMANTIC, said, again) or _taken(update, said, holds))
    ]
    if not taken:
        return _joined(engine, said, again) if said.kind is Kind.EPISODIC else said
    # The most trusted first: a statement of less trust waits beside it, and ends nothing.
    taken.sort(key=lambda each: trust(each[1].provenance), reverse=True)
    (record, holds, new), *others = taken
    further = {name: part for name, part in (holds.value or {}).items() if name != CONTENT}
    return replace(
        said,
        content=new,
        key=record.key,
        kind=Kind.SEMANTIC,
        metadata={**further, **(said.metadata or {})} or None,
        ends=tuple(each.key for each, _, instead in others if instead == said.content),
    )


@dataclass(frozen=True, slots=True)
class _There:
    """What a memory says, as far as it decides whether another statement is one more witness."""

    content: str
    kind: Kind
    valid: Interval
    metadata: Mapping[str, Any]
    papers: Provenance

    def takes_in(self, said: Statement, again: Paraphrase) -> bool:
        """Tell whether a statement says nothing but this, in other words, of the same time.

        A system of record vouches for its own words: it verifies no others.
        """
        vouches = said.provenance.verification is Verification.VERIFIED
        if vouches and self.papers.verification is not Verification.VERIFIED:
            return False
        if said.kind is not self.kind or said.valid != self.valid or said.expected is not None:
            return False
        return same(dict(said.metadata or {}), dict(self.metadata)) and again.says(self.content)


def _said_again(holds: Version, kind: Kind, said: Statement, again: Paraphrase) -> str | None:
    """Return what a memory says, where the statement says it in other words."""
    value = dict(holds.value or {})
    content = value.pop(CONTENT, None)
    if not isinstance(content, str):
        return None
    there = _There(content, kind, holds.valid, value, holds.provenance)
    return content if there.takes_in(said, again) else None


def _joined(engine: Engine, said: Statement, again: Paraphrase) -> Statement:
    """Return an episode with the name of the one that says the same in other words, if any."""
    if not again.comparable:
        return said
    for record, holds in _known(engine, said.content, said.scope.namespace(said.kind)):
        if content := _said_again(holds, said.kind, said, again):
            return replace(said, content=content, key=record.key)
    return said


def _taken(update: Update, said: Statement, holds: Version) -> str | None:
    old = (holds.value or {}).get(CONTENT)
    return _in_place_of(update, said, old) if isinstance(old, str) else None


def _in_place_of(update: Update, said: Statement, old: str) -> str | None:
    """Return what is to be said instead of ``old``, or again; None where it is something else.

    What happened on a day is told again by no words of another day.
    """
    if update.repeats(old):
        dated = said.kind is Kind.EPISODIC and said.valid.start is not None
        return None if dated else old
    return update.in_place_of(old)


def _known(engine: Engine, content: str, namespace: Namespace) -> Iterator[tuple[Record, Version]]:
    """Yield the memories that may be about the same, and what holds of each, nearest first.

    What waits for a review is passed over, and so is a rule of what not to keep: they are
    nobody's place.
    """
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
        if record.namespace != namespace or holds is None or stop_in(holds.value):
            continue
        if holds is record.head or record.head.status is Status.PENDING:
            yield record, holds


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
            entry=entry_as_told(tx, stored.row),
            lifetime=stored.lifetime,
        )
