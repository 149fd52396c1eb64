"""Which of the words in a conversation are to be kept unasked, by the rules of whoever said them.

Background work keeps them, and a recall before that goes by them (``operations.passing``): what
is said in passing must not count by other rules than those by which it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.operations.admitting import key_of
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.orders.outcomes import gives_orders
from langgraph_memory.operations.orders.withdrawing import IN_PASSING, meant_by
from langgraph_memory.operations.speaking import spoken_by_user
from langgraph_memory.operations.statements import Statement
from langgraph_memory.operations.stops import kept_of, stops
from langgraph_memory.operations.zones import zone_of
from langgraph_memory.policy.keys import content_key
from langgraph_memory.policy.language.happening import happened, is_visit
from langgraph_memory.policy.language.when import validity
from langgraph_memory.policy.orders.discretion import asks_discretion
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.paraphrases.paraphrase import forms
from langgraph_memory.policy.selection import statements
from langgraph_memory.policy.sensitive import claim
from langgraph_memory.policy.stops import Stop
from langgraph_memory.policy.updates.update import Update
from langgraph_memory.ports import Transaction

_KINDS = (Kind.SEMANTIC, Kind.EPISODIC)
_GONE = (Status.DELETED, Status.INVALIDATED)


@dataclass(frozen=True, slots=True)
class Heard:
    """Events, and what was decided about them, as they stood in one view.

    Attributes:
        events: In the order of saying.
        rules: What is not to be kept, by scope.
        others: Ids of what another participant said.
        ordered: Ids of messages that give orders.
        unkept: Ids of messages said on condition that they are not kept; there may be earlier
            ones among them than the events.
    """

    events: Sequence[Event]
    rules: dict[Scope, list[Stop]]
    others: set[str]
    ordered: set[str]
    unkept: set[str]


def heard(engine: Engine, tx: Transaction, events: Sequence[Event]) -> Heard:
    """Return events with what decides whether they are kept."""
    scopes = dict.fromkeys(event.scope for event in events)
    asking = [each for each in events if each.role == "user" and asks_discretion(each.content)]
    meant = [meant_by(tx, each) for each in asking]
    return Heard(
        events,
        {each: [rule for _, rule in stops(engine, tx, each)] for each in scopes},
        {event.id for event in events if not spoken_by_user(tx, event)},
        {event.id for event in events if gives_orders(tx, event.id)},
        {each.id for each in (*asking, *meant) if each is not None},
    )


def stated(engine: Engine, said: Heard, event: Event) -> list[Statement]:
    """Return what of an event may be kept unasked; nothing of one that gives orders. May embed."""
    sentences = sentences_of(engine, event)
    if not sentences or event.id in said.ordered | said.unkept or read(event.content).orders:
        return []
    made = _quoted if event.id in said.others else _statement
    kept = kept_of(engine, event, sentences, said.rules[event.scope])
    return [made(event, text, zone_of(engine, event)) for text in kept]


def sentences_of(engine: Engine, event: Event) -> list[str]:
    """Return what a message states; a claim that may harm somebody is one in any length."""
    phrases = engine.policy.sensitive.phrases
    return statements(event, claims=lambda each: claim(each, phrases) is not None)


def addresses(said: Statement) -> list[tuple[Namespace, str]]:
    """Return where these words may stand: as a fact, as an episode, as one of their day."""
    plain = content_key(said.content)
    found = [(said.scope.namespace(each), plain) for each in _KINDS]
    if said.kind is Kind.EPISODIC:
        found.append((said.scope.namespace(Kind.EPISODIC), key_of(said, said.content)))
    return found


def is_gone(tx: Transaction, said: Statement) -> bool:
    """Tell whether these words were forgotten, or found false: as a fact or as an episode."""
    heads = [tx.records.head(*each) for each in addresses(said)]
    return any(each is not None and each.head.status in _GONE for each in heads)


def statement_of(engine: Engine, event: Event, text: str) -> Statement:
    """Return one of the sentences of a user's message as it is kept."""
    return _statement(event, text, zone_of(engine, event))


def _statement(event: Event, text: str, zone: tzinfo) -> Statement:
    """Return what the user said of how things are, or of what happened."""
    fact = any(Update(each).is_fact for each in (text, *forms(text)))
    dated = happened(text, event.at, zone)
    fact = fact and not is_visit(text, dated)
    return Statement(
        content=text,
        scope=event.scope,
        provenance=_papers(event, event.scope.user or "user", Verification.USER_STATED),
        kind=Kind.SEMANTIC if fact else Kind.EPISODIC,
        valid=validity(text, event.at, zone) if fact else dated,
        explicit=False,
        said_at=event.at,
    )


def _quoted(event: Event, text: str, zone: tzinfo) -> Statement:
    """Return what another participant said, under their name: nothing the user says of things."""
    return Statement(
        content=f"{event.speaker}: {text}",
        scope=event.scope,
        provenance=_papers(event, event.speaker, Verification.UNVERIFIED),
        kind=Kind.EPISODIC,
        valid=happened(text, event.at, zone),
        explicit=False,
        supersedes=False,
        said_at=event.at,
    )


def _papers(event: Event, speaker: str, verification: Verification) -> Provenance:
    return Provenance(
        Source(SourceKind.USER, speaker), event_ids=(event.id,), verification=verification,
        reason=IN_PASSING,
    )  # fmt: skip
