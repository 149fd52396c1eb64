"""What a user said in passing counts at once: in the next recall, before it is a memory.

Background work keeps it a moment later, by the rules of ``operations.heard``. Until then the events
that wait for it are read here: what they state may answer a question, and what it says otherwise
than a record puts that record out of date, by the rules of what the latest message contradicts
(``policy.updates.contradiction``). Whatever would not be kept, or would wait for a review, does
not count; nor does what was taken back, is older than the record, or is trusted less.

A recall asks first what waits, and searches then. What is consolidated in between is found twice,
and told once; the other way round it would not be found at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.passing import Passing, SaidIn
from langgraph_memory.domain.scope import Kind, Scope, circle_of
from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.access import reach
from langgraph_memory.operations.admitting import examined
from langgraph_memory.operations.capture import REVIEW
from langgraph_memory.operations.cite import cite
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.heard import (
    addresses,
    heard,
    is_gone,
    sentences_of,
    stated,
    statement_of,
)
from langgraph_memory.operations.recall import Recall
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.telling import MOST_STATEMENTS, Asked
from langgraph_memory.operations.writing import last_said
from langgraph_memory.policy.persons import of_another
from langgraph_memory.policy.trust import trust
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.policy.updates.update import Known, Update
from langgraph_memory.ports import Citation, Transaction
from langgraph_memory.retrieval.evidence import Hit

MOST_EVENTS = 20
"""Messages of a user's that are looked at, the latest that wait."""

MOST_SAID = 12
"""Statements in them that count, the latest."""


@dataclass(frozen=True)
class _Said:
    """A statement that waits, read as far as it is asked for."""

    place: SaidIn
    statement: Statement
    namespace: Namespace
    at: datetime

    @cached_property
    def told(self) -> Told:
        return Told(self.statement.content)

    @cached_property
    def known(self) -> Known:
        return Known(self.statement.content)

    @property
    def is_fact(self) -> bool:
        return self.statement.kind is Kind.SEMANTIC

    @property
    def reaches(self) -> tuple[Namespace, ...]:
        """Where it may put memories out of date: where it will stand, and among the episodes."""
        return tuple(self.statement.scope.namespace(each) for each in Kind)


def unread(engine: Engine, scope: Scope) -> tuple[str, ...]:
    """Return the ids of the user's messages that wait for background work, oldest first.

    To be asked before a search. What is to be reviewed first is none of it.
    """
    if scope.acting is not None or engine.policy.review.in_passing:
        return ()
    with engine.database.read() as tx:
        jobs = tx.jobs.waiting(scope.owner)
        reviewed = {each.thread_id for each in jobs if each.kind == REVIEW}
        events = tx.events.unread(scope.owner, limit=MOST_EVENTS) if jobs else []
    return tuple(each.id for each in events if each.thread_id not in reviewed)


def with_passing(
    engine: Engine, scope: Scope, found: Recall, waiting: Sequence[str], *,
    beside: Sequence[Hit] = (), told: Told | None = None, but: Collection[str] = (),
) -> Recall:  # fmt: skip
    """Return what was found, with what was said in passing that answers or says otherwise.

    Args:
        engine: The ports.
        scope: Who asks.
        found: The recall.
        waiting: Events, as :func:`unread` told them before the search.
        beside: Further memories that are going to be shown.
        told: What the user says right now: what that contradicts does not count any more.
        but: Events of the message that asks: what it states is no earlier word.
    """
    said = _said(engine, scope, waiting, but)
    if not said:
        return found
    with engine.database.read() as tx:
        hits = [(hit, last_said(tx, hit.version)) for hit in (*found.evidence, *beside)]
    known = {hit.record.id: Known(hit.content) for hit, _ in hits}
    asked = Asked(engine, found.question)
    passing: list[Passing] = []
    embedded = 0
    for number, each in enumerate(said):
        if (replaced := _replaced(each, hits, known)) is None:
            continue
        score = max((hit.score for hit in replaced), default=0.0)
        content = each.statement.content
        if not replaced and embedded < MOST_STATEMENTS and _may_answer(asked, found, each):
            embedded += 1
            score = asked.fit(content, fact=each.is_fact)
        if score and not _taken_back(each, said[:number], told):
            ids = tuple(hit.record.id for hit in replaced)
            passing.append(Passing(each.place, content, each.namespace, each.at, score, ids))
    if not passing:
        return found
    return replace(found, passing=tuple(passing), abstained=None)


def cite_all(engine: Engine, scope: Scope, references: Sequence[str | SaidIn]) -> list[Citation]:
    """Return records and words said in passing as citations ``m1``, ``m2``, …, read anew.

    Words that were kept since are quoted from their record; those that are kept by another piece
    of the evidence, or not to be kept any more, are left out.
    """
    places = {f"m{n}": each for n, each in enumerate(references, 1) if isinstance(each, SaidIn)}
    waiting = unread(engine, scope) if places else ()  # before the records are read
    records = cite(engine, scope, ["" if isinstance(each, SaidIn) else each for each in references])
    if not places:
        return records
    said = {each.place: each for each in _said(engine, scope, waiting)}
    told = {each.content.casefold() for each in records}
    found = {each.label: each for each in records}
    for label, place in places.items():
        again = said.get(place)
        quoted = _quoted(label, again) if again else _from_record(engine, scope, label, place)
        if quoted and quoted.content.casefold() not in told:
            found[label] = quoted
    labels = [f"m{number}" for number in range(1, len(references) + 1)]
    return [found[each] for each in labels if each in found]


def _said(
    engine: Engine, scope: Scope, event_ids: Sequence[str], but: Collection[str] = ()
) -> list[_Said]:
    """Return what these events state that is going to be kept and holds now, latest first."""
    with engine.database.read() as tx:
        events = tx.events.get(event_ids)
        if not any(sentences_of(engine, each) for each in events if each.id not in but):
            return []
        view, within = heard(engine, tx, events), reach(engine, tx, scope)
    found: list[_Said] = []
    for event in reversed(events):
        if event.id in view.others or event.id in but:
            continue
        sentences = sentences_of(engine, event)
        for each in reversed(stated(engine, view, event)):
            place = SaidIn(event.id, sentences.index(each.content))
            let_in, namespace = _let_in(engine, each), each.scope.namespace(each.kind)
            if let_in and within.reads(namespace) and engine.clock() in let_in.valid:
                found.append(_Said(place, let_in, namespace, event.at))
    found = found[:MOST_SAID]
    with engine.database.read() as tx:
        return [each for each in found if not is_gone(tx, each.statement)]


def _let_in(engine: Engine, said: Statement) -> Statement | None:
    """Return a statement as the write policy is going to keep it at once; None if it is not."""
    try:
        let_in = examined(engine.policy, said)
    except RefusedError:
        return None
    return None if let_in.review else let_in


def _replaced(
    said: _Said, hits: Sequence[tuple[Hit, datetime]], known: Mapping[str, Known]
) -> list[Hit] | None:
    """Return the memories that a statement puts out of date; None where it does not count."""
    found: list[Hit] = []
    for hit, last in hits:
        papers = hit.version.provenance
        if said.place.event_id in papers.event_ids or Update(hit.content).repeats(
            said.statement.content
        ):
            return None  # it is kept already
        if hit.record.namespace not in said.reaches:
            continue
        if last > said.at:
            if Told(hit.content).contradicts(said.known):
                return None
        elif said.told.contradicts(known[hit.record.id]):
            if trust(papers) > trust(said.statement.provenance):
                return None
            found.append(hit)
    return found


def _may_answer(asked: Asked, found: Recall, said: _Said) -> bool:
    content = said.statement.content
    if not said.told.statements:
        return False  # a wish, a supposition
    return asked.may_hold(content, fact=said.is_fact) and not of_another(found.question, content)


def _taken_back(said: _Said, later: Sequence[_Said], told: Told | None) -> bool:
    """Tell whether the user has said otherwise since, in passing or right now."""
    if told is not None and told.contradicts(said.known):
        return True
    return any(
        each.told.contradicts(said.known) for each in later if said.namespace in each.reaches
    )


def _quoted(label: str, said: _Said) -> Citation:
    return Citation(
        label=label,
        record_id="",
        content=said.statement.content,
        source="you",
        said_at=said.at,
        scope=circle_of(said.namespace),
        event_id=said.place.event_id,
    )


def _from_record(engine: Engine, scope: Scope, label: str, place: SaidIn) -> Citation | None:
    """Return words that were kept since they were proposed, as their record has them."""
    with engine.database.read() as tx:
        ids = list(_kept_as(engine, tx, place))
    return next((replace(each, label=label) for each in cite(engine, scope, ids)), None)


def _kept_as(engine: Engine, tx: Transaction, place: SaidIn) -> Iterator[str]:
    for event in tx.events.get([place.event_id]):
        for text in sentences_of(engine, event)[place.number : place.number + 1]:
            for namespace, key in addresses(statement_of(engine, event, text)):
                record = tx.records.load(namespace, key)
                if record is not None:
                    yield record.id
