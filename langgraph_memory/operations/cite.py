"""Read evidence anew by its ids: what is quoted is what holds at the moment of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.domain.record import Record, Version
from langgraph_memory.domain.scope import Kind, Scope, circle_of, locate
from langgraph_memory.operations.access import reach
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note
from langgraph_memory.policy.updates.outdated import Told, outdated
from langgraph_memory.policy.validity import Verdict, judge
from langgraph_memory.ports import Citation
from langgraph_memory.retrieval.evidence import content_of

HISTORY = 3
"""Replaced statements shown with a record, newest first."""


def cite(engine: Engine, scope: Scope, record_ids: Sequence[str]) -> list[Citation]:
    """Return these records as citations ``m1``, ``m2``, … in the order asked.

    A record that was deleted, replaced by nothing, or is not the asker's to read is left
    out without a word; its label stays unused. An episode that a later one of them contradicts
    says so.
    """
    now = engine.clock()
    citations: list[Citation] = []
    told: list[Told] = []
    with engine.database.read() as tx:
        within = reach(engine, tx, scope)
        for number, record_id in enumerate(record_ids, start=1):
            stored = tx.records.find(record_id)
            record = tx.records.load_row(stored.row) if stored else None
            if stored is None or record is None:
                continue
            judgement = judge(record, asker=within, now=now, expires_at=stored.lifetime.expires_at)
            if judgement.verdict is Verdict.WRONG_SCOPE:
                note(engine, What.DENIED, scope)
            if judgement.verdict is Verdict.VALID and judgement.version is not None:
                cited = _citation(f"m{number}", record, judgement.version, scope)
                citations.append(cited)
                told.append(
                    Told(cited.content, cited.source, cited.said_at, episode=_is_episode(record))
                )
    later = outdated(told)
    return [
        replace(each, outdated_by=citations[later[place]].label) if place in later else each
        for place, each in enumerate(citations)
    ]


def said_at(record: Record, version: Version) -> datetime:
    """Return when a statement was made: an episode's own time, else when it was recorded."""
    if _is_episode(record) and version.valid.start is not None:
        return version.valid.start
    return version.recorded_at


def _is_episode(record: Record) -> bool:
    place = locate(record.namespace)
    return place is not None and place[1] is Kind.EPISODIC


def readable(source: Source, asker: Scope) -> str:
    """Return a source as its reader would put it."""
    if source.kind is SourceKind.USER and source.name in ("", asker.speaker):
        return "you"
    return source.name if source.kind is SourceKind.USER else str(source)


def _citation(label: str, record: Record, version: Version, asker: Scope) -> Citation:
    return Citation(
        label=label,
        record_id=record.id,
        content=content_of(version),
        source=readable(version.provenance.source, asker),
        said_at=said_at(record, version),
        history=tuple(
            (content_of(old), old.superseded_at or version.recorded_at)
            for old in record.replaced(version)[:HISTORY]
        ),
        scope=circle_of(record.namespace),
    )
