"""What came of an order, kept beside the message's event.

The deed and its outcome share one transaction. Whoever comes again with the same message,
after a crash or out of impatience, is told that outcome; nothing is done twice, and nothing
that was forgotten since is brought back. One message may give several orders.
"""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.ports import Transaction

MOST_FAILURES = 20

_FURTHER = "further"
_FAILURES = "failures"
_LOOKED = "looked"
_BESIDE = (_FURTHER, _FAILURES, _LOOKED)


@dataclass(frozen=True, slots=True)
class Ordered:
    """An order's identity.

    Attributes:
        event_id: The event of the message that gives it.
        number: Which of the message's orders it is, from 0.
    """

    event_id: str
    number: int = 0


def settled(tx: Transaction, ordered: Ordered) -> JsonObject | None:
    """Return what came of an order before; None if it was not carried out yet."""
    kept = tx.events.outcome(ordered.event_id) or {}
    if ordered.number == 0:
        first = {name: part for name, part in kept.items() if name not in _BESIDE}
        return first or None
    found: JsonObject | None = kept.get(_FURTHER, {}).get(str(ordered.number))
    return found


def settle(tx: Transaction, ordered: Ordered, outcome: JsonObject) -> JsonObject:
    """Keep what came of an order, and return it."""
    kept = tx.events.outcome(ordered.event_id) or {}
    if ordered.number == 0:
        kept = {**outcome, **{each: kept[each] for each in _BESIDE if each in kept}}
    else:
        kept[_FURTHER] = {**kept.get(_FURTHER, {}), str(ordered.number): outcome}
    tx.events.settle(ordered.event_id, kept)
    return outcome


def note_look(tx: Transaction, event_id: str) -> None:
    """Keep that a message asked to see memory. What it shows is looked up each time."""
    tx.events.settle(event_id, {**(tx.events.outcome(event_id) or {}), _LOOKED: True})


def gives_orders(tx: Transaction, event_id: str) -> bool:
    """Tell whether something came of a message as an order, if only that it was refused."""
    return bool((tx.events.outcome(event_id) or {}).keys() - {_FAILURES})


def note_failure(tx: Transaction, event_id: str, failure: JsonObject) -> None:
    """Keep that a run of the message's turn failed, so that its next run can tell."""
    kept = tx.events.outcome(event_id) or {}
    kept[_FAILURES] = [*kept.get(_FAILURES, []), failure][-MOST_FAILURES:]
    tx.events.settle(event_id, kept)


def noted_failures(tx: Transaction, event_id: str) -> list[JsonObject]:
    """Return how earlier runs of the message's turn failed, oldest first."""
    found: list[JsonObject] = (tx.events.outcome(event_id) or {}).get(_FAILURES, [])
    return found
