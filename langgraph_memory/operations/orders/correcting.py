"""The order to correct: the memory that is wrong gets a new statement under its own name."""

from __future__ import annotations

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.record import Record, Status
from langgraph_memory.domain.scope import Scope, locate
from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.operations.changing import corrected
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.forgetting import consolidate_now
from langgraph_memory.operations.orders.keeping import holding, keep, remember, user_said
from langgraph_memory.operations.orders.outcomes import Ordered, settle
from langgraph_memory.operations.orders.reference import naming, told_of
from langgraph_memory.operations.reference import resolve
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.language.sentences import clauses, together
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.policy.orders.parts import with_part
from langgraph_memory.policy.orders.restating import restated
from langgraph_memory.policy.orders.righting import statement
from langgraph_memory.policy.orders.subjects import ARTICLE
from langgraph_memory.policy.orders.unclear import holds_order, says_no_value
from langgraph_memory.text.tokens import query_terms, tokens


def correct(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Supersede the memory that is meant. If there is none, the statement is simply kept.

    Where no value is said, or it is not certain what the rest of the memory becomes, nothing is
    changed: the outcome is ``unclear``.
    """
    if says_no_value(command.argument) or holds_order(command.argument):
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "unclear"})
    ids = meant(engine, scope, command)
    if not ids and not command.doubtful:  # it may have been said a moment ago
        consolidate_now(engine, scope, ordered.event_id)
        ids = meant(engine, scope, command)
    if len(ids) > 1:
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "ambiguous", "record_ids": ids})
    record = _record(engine, ids[0]) if ids else None
    if record is None or locate(record.namespace) is None:
        return remember(
            engine,
            scope,
            Command(command.order, statement(command.about, command.argument)),
            ordered,
        )
    if command.version not in (0, record.head.number):
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "changed", "record_ids": ids})
    words = said_anew(engine, record.id, command)
    if not words:
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "unclear", "record_ids": ids})
    holds = holding(engine, words, ordered)
    said = corrected(engine, record, words, user_said(scope, ordered), holds)
    return keep(engine, said, ordered, {"corrected": record.head.number})


def meant(engine: Engine, scope: Scope, command: Command) -> list[str]:
    """Return the ids of the memories that may be wrong; one, if it is clear which."""
    for reference in filter(None, _spellings(command.about)):
        try:
            with engine.database.read() as tx:
                return [resolve(engine, tx, scope, reference).id]
        except AmbiguousReferenceError as exc:
            return list(exc.matches)
        except NotFoundError:
            continue
    if command.doubtful:
        return naming(engine, scope, command.about)
    return told_of(engine, scope, command.about or command.argument)


def said_anew(engine: Engine, record_id: str, command: Command) -> str:
    """Return what a memory is to say: where it says several things, the others stay.

    Empty where it is not certain which of them the correction replaces.
    """
    record = _record(engine, record_id)
    old = str(_told(engine, record).get(CONTENT, "")) if record else ""
    if command.doubtful:
        return restated(old, command.about, command.argument)
    new = statement(command.about, command.argument, old)
    pieces = clauses(old)
    named = command.about if record and command.about not in (record.id, record.key) else ""
    meant_by = set(query_terms(ARTICLE.sub("", named) or new))
    near = [sum(term in set(tokens(each)) for term in meant_by) for each in pieces]
    if len(pieces) < 2 and (whole := with_part(old, command.argument)) is not None:
        return whole
    if len(pieces) < 2 or not max(near) or near.count(max(near)) > 1:
        return new
    pieces[near.index(max(near))] = new
    return together(pieces)


def _spellings(about: str) -> tuple[str, ...]:
    """Return how the subject may be named: as it is spelled, without "the", as a key."""
    bare = ARTICLE.sub("", about).strip()
    return (about, bare, "_".join(bare.casefold().split()))


def _told(engine: Engine, record: Record) -> JsonObject:
    """Return what a record says now, or said at last; what waits for a review is not said yet."""
    said = record.stated(engine.clock())
    return {} if said.status is Status.PENDING else said.value or {}


def _record(engine: Engine, record_id: str) -> Record | None:
    with engine.database.read() as tx:
        stored = tx.records.find(record_id)
        return tx.records.load_row(stored.row) if stored else None
