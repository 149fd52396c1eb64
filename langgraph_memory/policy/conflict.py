"""What a new statement does to what is already there under its name.

==================================  ===================================================
what stands there                   what the new statement does
==================================  ===================================================
nothing                             begins a record; one that waits, where it needs a review
a tombstone, explicit statement     continues the chain: the user has said it anew
a tombstone, any other statement    nothing: no background work and no untrusted source
                                    revives what was forgotten or invalidated
what holds, or waits, said again    adds its events as further evidence
the same, and now it is verified    supersedes it: what vouches for it has changed
what was said after it              nothing: recency is of the saying, not of the recording
a statement of more trust           is held for review beside it (policy.trust)
anything else                       supersedes it; where it needs a review, waits beside it
==================================  ===================================================
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import JsonObject, same
from langgraph_memory.domain.provenance import Provenance, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.language.spelling import same_words as are_same_words
from langgraph_memory.policy.trust import UNTRUSTED, trust


class Effect(StrEnum):
    """What to do with a statement."""

    BEGIN = "begin"
    SUPERSEDE = "supersede"
    STRENGTHEN = "strengthen"
    HOLD = "hold"
    NOTHING = "nothing"


def decide(
    record: Record | None, value: JsonObject, provenance: Provenance, valid: Interval, *,
    now: datetime, explicit: bool, same_words: bool = False, review: bool = False,
    late: bool = False,
) -> Effect:  # fmt: skip
    """Return the effect of a statement on the record of the same name.

    Args:
        record: What stands there, or None.
        value: What is said now.
        provenance: Who says it.
        valid: When it holds in the world.
        now: The instant of the decision.
        explicit: Whether somebody said it on purpose, rather than background work.
        same_words: Whether the name itself is made from the words, so that a difference in
            spacing, or in a capital that says nothing, is none.
        review: Whether it counts only once somebody approved it.
        late: Whether what stands there was said after it.
    """
    if record is None:
        return Effect.HOLD if review else Effect.BEGIN
    head = record.head
    meant = explicit and provenance.source.kind not in UNTRUSTED
    if head.status in (Status.DELETED, Status.INVALIDATED) and not meant:
        return Effect.NOTHING
    if head.status is Status.DELETED:
        return Effect.HOLD if review else Effect.SUPERSEDE
    verified = provenance.verification is Verification.VERIFIED
    holds = record.current(now)
    again = [
        each
        for each in (head, holds)
        if each is not None and each.valid == valid and _says(each, value, same_words=same_words)
    ]
    counting = [each for each in again if each.status in (Status.ACTIVE, Status.SUPERSEDED)]
    waiting = head.status is Status.PENDING
    if counting and (waiting or counting[0] is head):
        news = verified and counting[0].provenance.verification is not Verification.VERIFIED
        if news:
            return Effect.HOLD if review else Effect.SUPERSEDE
        return Effect.STRENGTHEN
    if late:
        return Effect.NOTHING
    if review or _outranked(record, provenance, now):
        return Effect.STRENGTHEN if again and waiting else Effect.HOLD
    return Effect.SUPERSEDE


def _says(version: Version, value: JsonObject, *, same_words: bool) -> bool:
    if same(version.value, value):
        return True
    if not same_words or not same(_rest(version.value), _rest(value)):
        return False
    return are_same_words(str((version.value or {}).get(CONTENT, "")), str(value.get(CONTENT, "")))


def _rest(value: JsonObject | None) -> JsonObject:
    return {name: part for name, part in (value or {}).items() if name != CONTENT}


def _outranked(record: Record, papers: Provenance, now: datetime) -> bool:
    """Tell whether what holds, or is announced to hold, is of more trust."""
    settled = [each for each in record.versions if each.status is not Status.PENDING]
    standing = [record.current(now), settled[-1] if settled else None]
    return any(
        each is not None
        and not each.refutes
        and not each.valid.ended(now)
        and trust(each.provenance) > trust(papers)
        for each in standing
    )
