"""Look at many memories in few words first: a line each, the whole record on request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.domain.scope import Scope, circle_of, locate
from langgraph_memory.operations.access import reach
from langgraph_memory.operations.cite import readable, said_at
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.recall import seek
from langgraph_memory.policy.validity import Verdict, judge
from langgraph_memory.retrieval.evidence import content_of

GIST_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Compact:
    """One memory in a line; ``inspect(id)`` has the rest.

    Attributes:
        id: The record.
        key: Its name.
        kind: ``semantic``, ``episodic`` or ``procedural``.
        gist: The beginning of what it says.
        source: Who said it, readable.
        scope: Whose knowledge it is: ``personal``, ``project`` or ``organization``.
        said_at: When it was recorded or said, UTC.
        score: How well it fits, in [0, 1]; weak ones are among them.
    """

    id: str
    key: str
    kind: str
    gist: str
    source: str
    scope: str
    said_at: datetime
    score: float


def skim(engine: Engine, scope: Scope, question: str, *, limit: int = 20) -> list[Compact]:
    """Return what holds now and may have to do with a question, strongest first.

    Unlike a recall this decides nothing: weak candidates are shown with their score.

    Raises:
        InvalidInputError: As for a recall.
    """
    sought = seek(engine, scope, question, limit=limit)
    now = engine.clock()
    found: list[Compact] = []
    with engine.database.read() as tx:
        within = reach(engine, tx, scope)
        chains = tx.records.chains([each.row for each in sought.candidates])
        for candidate in sought.candidates:
            if (chain := chains.get(candidate.row)) is None:
                continue
            record, ends = chain.record, chain.lifetime.expires_at
            verdict = judge(record, asker=within, now=now, expires_at=ends)
            place = locate(record.namespace)
            version = verdict.version
            if verdict.verdict is not Verdict.VALID or version is None or place is None:
                continue
            found.append(
                Compact(
                    id=record.id,
                    key=record.key,
                    kind=place[1].value,
                    gist=gist(content_of(version)),
                    source=readable(version.provenance.source, scope),
                    scope=circle_of(record.namespace),
                    said_at=said_at(record, version),
                    score=round(candidate.score, 4),
                )
            )
    return found[:limit]


def gist(content: str) -> str:
    """Return the beginning of a text as one line."""
    line = " ".join(content.split())
    if len(line) <= GIST_CHARACTERS:
        return line
    cut = line[: GIST_CHARACTERS - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[GIST_CHARACTERS // 2 :] else cut) + "…"
