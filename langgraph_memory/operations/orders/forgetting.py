"""The order to forget."""

from __future__ import annotations

import re

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.operations.consolidate import consolidate
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.forget import forget_in
from langgraph_memory.operations.orders.outcomes import Ordered, settle, settled
from langgraph_memory.operations.orders.reference import similar
from langgraph_memory.operations.reference import resolve, said_now
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.language.sentences import clauses
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.ports import Stored, Transaction
from langgraph_memory.text.tokens import query_terms, tokens

_EVERYTHING = re.compile(
    r"^\W*(?:everything|all|anything)\b(?:\s+(?:that\s+)?(?:you|i)\b.*)?(?:\s+about\s+me)?\W*$"
    r"|^\W*(?:关于我的?)?(?:一切|所有|全部)(?:事情|内容)?\W*$",
    re.IGNORECASE,
)


def forget(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    """Forget what is meant, and what was said of it a moment ago and waits to become a memory.

    That is kept first, so that it goes with the rest instead of coming after it.
    """
    reference = command.argument
    if _EVERYTHING.match(reference):
        with engine.database.write() as tx:
            return settle(tx, ordered, {"effect": "everything", "record_ids": []})
    consolidate_now(engine, scope, ordered.event_id)
    try:
        return _delete(engine, scope, command, ordered)
    except AmbiguousReferenceError as exc:
        outcome: JsonObject = {"effect": "ambiguous", "record_ids": list(exc.matches)}
    except NotFoundError:
        outcome = {"effect": "not found", "record_ids": similar(engine, scope, reference)}
    with engine.database.write() as tx:
        return settle(tx, ordered, outcome)


def meant(engine: Engine, scope: Scope, reference: str, event_id: str) -> str | None:
    """Return the id of the one memory that an order to forget, in a message, would delete."""
    consolidate_now(engine, scope, event_id)
    try:
        with engine.database.read() as tx:
            found = resolve(engine, tx, scope, reference)
            return None if _says_more(engine, tx, found, reference) else found.id
    except (AmbiguousReferenceError, NotFoundError):
        return None


def consolidate_now(engine: Engine, scope: Scope, event_id: str) -> None:
    """Do the owner's waiting consolidation, so that what is to be forgotten can be found.

    The message that gives the order is none of it: it is not settled yet, and may read like a
    statement.
    """
    with engine.database.read() as tx:
        jobs = tx.jobs.waiting(scope.owner)
    for job in jobs:
        consolidate(engine, job, without=event_id)


def _says_more(engine: Engine, tx: Transaction, stored: Stored, reference: str) -> bool:
    """Tell whether a memory says several things, and the reference is the words of one."""
    if reference in (stored.id, stored.key):
        return False
    content = str(said_now(tx, stored, engine.clock()).get(CONTENT, ""))
    words = set(query_terms(reference))
    others = [each for each in clauses(content) if not words & set(tokens(each))]
    return bool(others)


def _delete(engine: Engine, scope: Scope, command: Command, ordered: Ordered) -> JsonObject:
    reference = command.argument
    with engine.database.write() as tx:
        if (before := settled(tx, ordered)) is not None:
            return before
        stored = resolve(engine, tx, scope, reference)
        if command.version not in (0, stored.head.number):
            return settle(tx, ordered, {"effect": "changed", "record_ids": [stored.id]})
        if _says_more(engine, tx, stored, reference):
            return settle(tx, ordered, {"effect": "partial", "record_ids": [stored.id]})
        gone = forget_in(engine, tx, scope, reference, reason="asked in conversation")
        return settle(tx, ordered, {"record_id": gone.id, "effect": "deleted"})
