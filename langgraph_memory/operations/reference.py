"""Find the record somebody means: by id, by short id, by key, or by its words."""

from __future__ import annotations

import re
from datetime import datetime

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.json import JsonObject, check_text
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import AmbiguousReferenceError, NotFoundError
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note
from langgraph_memory.ports import Stored, Transaction

SHORTEST_ID = 6
SHORTEST_QUOTE = 3
"""Letters of an alphabet that a quotation needs; a character of a word script is enough."""

_WORD = re.compile(r"[0-9a-z\u00c0-\u1fff]")  # scripts that put borders between words


def resolve(
    engine: Engine, tx: Transaction, scope: Scope, reference: str, *, waiting: bool = False
) -> Stored:
    """Return the one live record of this scope that the reference names.

    A foreign record is not found, in the same words as one that does not exist. Quoted words are
    those that hold; with ``waiting``, also those that wait for a review beside them.

    Raises:
        NotFoundError: Nothing fits.
        AmbiguousReferenceError: Several fit.
    """
    check_text(reference, "reference")
    if named := _by_id(engine, tx, scope, reference) or _by_key(tx, scope, reference):
        return named
    found = _by_text(engine, tx, scope, reference, waiting=waiting)
    if len(found) > 1:
        raise AmbiguousReferenceError(reference, tuple(each.id for each in found))
    if not found:
        raise NotFoundError("memory", reference)
    return found[0]


def owned(engine: Engine, tx: Transaction, scope: Scope) -> list[Stored]:
    """Return the live records of exactly this scope's own circle, newest first."""
    return [
        each
        for each in tx.records.live(scope.root, now=engine.clock())
        if scope.owns(each.namespace)
    ]


def _by_id(engine: Engine, tx: Transaction, scope: Scope, reference: str) -> Stored | None:
    stored = tx.records.find(reference)
    if stored is not None and not scope.reads(stored.namespace):
        note(engine, What.DENIED, scope)  # an id is not guessed by chance
    return stored if stored and _ours(scope, stored) else None


def _by_key(tx: Transaction, scope: Scope, reference: str) -> Stored | None:
    for kind in Kind:
        stored = tx.records.head(scope.namespace(kind), reference)
        if stored and _ours(scope, stored):
            return stored
    return None


def _by_text(
    engine: Engine, tx: Transaction, scope: Scope, reference: str, *, waiting: bool
) -> list[Stored]:
    wanted = _plain(reference)
    if not wanted or (len(wanted) < SHORTEST_QUOTE and wanted.isascii()):
        return []
    ours = owned(engine, tx, scope)
    now = engine.clock()
    said = {each.row: _contents(tx, each, now, waiting=waiting) for each in ours}
    exact = [each for each in ours if wanted in said[each.row]]
    return exact or [
        each
        for each in ours
        if any(_quotes(content, wanted) for content in said[each.row])
        or (len(reference) >= SHORTEST_ID and each.id.startswith(reference))
    ]


def _quotes(content: str, wanted: str) -> bool:
    """Tell whether whole words of ``content`` are quoted: "me" is not in "time"."""
    start = r"\b" if _WORD.match(wanted[0]) else ""
    end = r"\b" if _WORD.match(wanted[-1]) else ""
    return re.search(start + re.escape(wanted) + end, content) is not None


def _ours(scope: Scope, stored: Stored) -> bool:
    return scope.owns(stored.namespace) and stored.head.status is not Status.DELETED


def _contents(tx: Transaction, stored: Stored, now: datetime, *, waiting: bool) -> list[str]:
    """Return what a record says, as a quotation is compared with it."""
    values = [said_now(tx, stored, now), *([stored.head.value] if waiting else [])]
    return [_plain(str((value or {}).get("content", ""))) for value in values]


def said_now(tx: Transaction, stored: Stored, now: datetime) -> JsonObject:
    """Return what a record says, not what waits for a review beside it; alone, that counts."""
    record = tx.records.load_row(stored.row) if stored.head.status is Status.PENDING else None
    said = record.stated(now) if record else stored.head
    return said.value or {}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。")
