"""Propose records that may answer, and judge which of them may be used."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.runnables import RunnableConfig

from langgraph_memory.domain.scope import circle_of
from langgraph_memory.nodes.access import access, latest_question, text_of
from langgraph_memory.nodes.orders import is_order
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.operations.recall import Abstention, Recall, Sought
from langgraph_memory.retrieval.evidence import Hit
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.text.secrets import redact

SHOWN = 20
"""Candidates and verdicts that stay in the state once they were judged, the strongest: every
later step is saved with them."""


def retrieve(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Put candidates into the state: rows and scores, no text."""
    here = access(config)
    if is_order(state.get("captured", {})):
        return {"candidates": []}
    question = redact(text_of(latest_question(state)))
    sought = here.memory.seek(question, limit=here.settings.top_k)
    usage = state.get("usage") or {}
    return {
        "candidates": [each._asdict() for each in sought.candidates],
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
    """Put a verdict on every candidate into the state, and choose the evidence."""
    here = access(config)
    if is_order(state.get("captured", {})):
        return {"verdicts": [], "evidence": [], "abstained": None}
    usage = state.get("usage") or {}
    sought = Sought(
        redact(text_of(latest_question(state))),
        tuple(_candidate(each) for each in state.get("candidates", [])),
        usage.get("stored", 0),
        usage.get("milliseconds", {}),
        usage.get("versions", {}).get("index", ""),
    )
    found = here.memory.validate(sought, limit=here.settings.top_k)
    return {
        "candidates": state.get("candidates", [])[:SHOWN],
        "verdicts": [_verdict(hit) for hit in (*found.evidence, *found.rejected)][:SHOWN],
        "evidence": [_evidence(f"m{n}", hit) for n, hit in enumerate(found.evidence, start=1)],
        "recalled": [{"id": hit.record.id, "content": hit.content} for hit in found.evidence],
        "abstained": _abstained(found),
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


def _candidate(fields: dict[str, Any]) -> Candidate:
    return Candidate(**{**fields, "matched": tuple(fields["matched"])})


def _verdict(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.record.id,
        "verdict": hit.judgement.verdict.value,
        "reason": hit.judgement.reason,
        "score": round(hit.score, 3),
    }


def _evidence(label: str, hit: Hit) -> dict[str, Any]:
    return {
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


def _abstained(found: Recall) -> dict[str, Any] | None:
    if found.abstained is None:
        return None
    return {
        "reason": found.abstained.value,
        "missing": list(found.missing),
        "message": missing_words(found),
    }
