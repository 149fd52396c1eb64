"""Propose records that may answer, and judge which of them may be used."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig

from langgraph_memory.domain.passing import Passing
from langgraph_memory.domain.scope import circle_of
from langgraph_memory.nodes.access import Access, access
from langgraph_memory.nodes.orders import is_order
from langgraph_memory.nodes.saying import Saying, saying
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.operations.recall import Abstention, Recall, Sought
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.policy.updates.update import Known
from langgraph_memory.retrieval.evidence import Hit
from langgraph_memory.retrieval.fusion import Candidate

SHOWN = 20
"""Candidates and verdicts that stay in the state once they were judged, the strongest: every
later step is saved with them."""


def retrieve(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Put candidates into the state: rows and scores, no text.

    What the message asks is looked for first. Where it states something, too, the whole of it is
    looked for beside: for what it may contradict, and for what a question leaves unsaid.
    """
    here = access(config)
    if is_order(state.get("captured", {})):
        return {"candidates": []}
    said = saying(state)
    waiting = here.memory.unread()  # before the search: see operations.passing
    sought = here.memory.seek(said.question, limit=here.settings.top_k)
    beside: tuple[Candidate, ...] = ()
    if said.whole != said.question:
        beside = here.memory.seek(said.whole, limit=here.settings.top_k).candidates
    usage = state.get("usage") or {}
    return {
        "candidates": [each._asdict() for each in sought.candidates],
        "beside": [each._asdict() for each in beside],
        "unread": list(waiting),
        "usage": {
            **usage,
            "stored": sought.stored,
            "milliseconds": sought.milliseconds,
            "versions": {**usage.get("versions", {}), "index": sought.index},
        },
    }


async def aretrieve(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(retrieve, state, config)


def validate(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Put a verdict on every candidate into the state, and choose the evidence.

    What the user's words contradict is evidence, too: the answer names it. So is what they said in
    passing and is not kept yet; what that says otherwise than is out of date.
    """
    here = access(config)
    if is_order(state.get("captured", {})):
        return {"verdicts": [], "evidence": [], "abstained": None}
    said, limit = saying(state), here.settings.top_k
    asked, whole = _sought(state, said)
    found = here.memory.validate(asked, limit=limit)
    against = here.memory.contradicted(said.told(), whole.candidates) if said.states else []
    answers = _answering(here, said, found, against)
    if found.abstained and said.leans and not answers:
        again = here.memory.validate(whole, limit=limit)
        found = found if again.abstained else again
    known = {hit.record.id for hit in found.evidence}
    further = [hit for hit in against if hit.record.id not in known][:limit]
    found = here.memory.with_passing(
        found, state.get("unread", []), beside=further, told=said.told(), but=_own_events(state)
    )
    passing = _passing(found, said)[: limit - len(further)]
    evidence = [*found.evidence[: limit - len(further) - len(passing)], *further]
    ids = {hit.record.id for hit in further}
    rejected = [hit for hit in found.rejected if hit.record.id not in ids]
    usage = state.get("usage") or {}
    return {
        "candidates": state.get("candidates", [])[:SHOWN],
        "beside": [],
        "unread": [],
        "verdicts": [_verdict(hit) for hit in (*evidence, *rejected)][:SHOWN],
        "evidence": _told([*passing, *evidence]),
        "recalled": [
            *({"event_id": each.place.event_id, "content": each.content} for each in passing),
            *({"id": hit.record.id, "content": hit.content} for hit in evidence),
        ],
        "answering": answers,
        "abstained": None if answers else _abstained(found, said),
        "usage": {
            **usage,
            "stored": found.stored,
            "milliseconds": found.milliseconds,
            "versions": {**usage.get("versions", {}), **found.versions},
        },
    }


async def avalidate(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(validate, state, config)


def missing_words(found: Recall) -> str:
    """Return, in plain words, what memory was asked and does not hold."""
    if found.abstained is None:
        return ""
    if found.abstained is Abstention.NO_QUESTION:
        return "Nothing was asked. Ask a question, or tell me something to remember."
    reason = f"Memory holds no valid evidence: {found.abstained.value}"
    words = f" (no record answers: {', '.join(found.missing[:6])})" if found.missing else ""
    return f"{reason}{words}."


def _sought(state: PrivateState, said: Saying) -> tuple[Sought, Sought]:
    """Return what was sought for the question, and for the whole message."""
    usage = state.get("usage") or {}
    asked = Sought(
        said.question,
        tuple(_candidate(each) for each in state.get("candidates", [])),
        usage.get("stored", 0),
        usage.get("milliseconds", {}),
        usage.get("versions", {}).get("index", ""),
    )
    if said.whole == said.question:
        return asked, asked
    beside = tuple(_candidate(each) for each in state.get("beside", []))
    return asked, replace(asked, question=said.whole, candidates=beside)


def _answering(here: Access, said: Saying, found: Recall, against: list[Hit]) -> list[int]:
    """Return which statements answer what is asked, by number.

    One that takes the place of a record which would have answered; else one that would answer if
    it were a record, where memory has no answer, or another one than the user.
    """
    if not said.does_both:
        return []
    outdated = {hit.record.id for hit in against}
    would = [hit for hit in found.evidence if hit.record.id in outdated]
    telling = [
        number
        for number, each in enumerate(said.states)
        if any(Told(each).contradicts(Known(hit.content)) for hit in would)
    ]
    if telling or (found.evidence and not against):
        return telling
    return here.memory.answering(said.asks, said.states)


def _own_events(state: PrivateState) -> set[str]:
    """Return the events of the message that asks, and of those before it that nobody answered."""
    captured = state.get("captured", {})
    return {captured.get("event_id", ""), *captured.get("follows", ())}


def _passing(found: Recall, said: Saying) -> list[Passing]:
    """Return what was said in passing and is to be shown.

    Where nothing is asked, that is only what puts a memory out of date.
    """
    return [each for each in found.passing if each.replaces or not said.notes]


def _told(evidence: Sequence[Passing | Hit]) -> list[dict[str, Any]]:
    """Return the evidence as state shows it, what was said last first where it fits as well."""
    ranked = sorted(evidence, key=lambda each: -each.score)
    labelled = [(f"m{number}", each) for number, each in enumerate(ranked, start=1)]
    since = {
        record: label
        for label, each in reversed(labelled)
        if isinstance(each, Passing)
        for record in each.replaces
    }
    return [
        _waiting(label, each)
        if isinstance(each, Passing)
        else _evidence(label, each, since.get(each.record.id))
        for label, each in labelled
    ]


def _candidate(fields: dict[str, Any]) -> Candidate:
    return Candidate(**{**fields, "matched": tuple(fields["matched"])})


def _verdict(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.record.id,
        "verdict": hit.judgement.verdict.value,
        "reason": hit.judgement.reason,
        "score": round(hit.score, 3),
    }


def _waiting(label: str, said: Passing) -> dict[str, Any]:
    """Return words that no record has yet: their event stands for it."""
    return {
        "label": label,
        "id": "",
        "event_id": said.place.event_id,
        "statement": said.place.number,
        "score": round(said.score, 3),
        "reason": "said in passing",
        "validity": "not kept yet",
        "scope": circle_of(said.namespace),
        "recorded_at": said.said_at.isoformat(),
    }


def _evidence(label: str, hit: Hit, since: str | None) -> dict[str, Any]:
    """Return a record as evidence; ``since`` is the label of what says otherwise since."""
    found = {
        "label": label,
        "id": hit.record.id,
        "version": hit.version.number,
        "score": round(hit.score, 3),
        "parts": hit.candidate.parts,
        "reason": hit.candidate.reason,
        "validity": hit.judgement.reason,
        "scope": circle_of(hit.record.namespace),
        "recorded_at": hit.version.recorded_at.isoformat(),
    }
    if since:
        found |= {"validity": "the user has said otherwise since", "outdated_by": since}
    return found


def _abstained(found: Recall, said: Saying) -> dict[str, Any] | None:
    if found.abstained is None:
        return None
    if said.notes:
        nothing = Abstention.NO_QUESTION.value
        return {"reason": nothing, "missing": [], "message": "Nothing was asked."}
    return {
        "reason": found.abstained.value,
        "missing": list(found.missing),
        "message": missing_words(found),
    }
