"""From candidates to evidence: verdicts, duplicates, strength, a small set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import Record, Version
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.validity import Asker, Judgement, Verdict, judge
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.retrieval.support import enough_for

STRONG_ENOUGH = 0.18
"""Fused strength below which a candidate is no evidence, whatever else speaks for it."""

BESIDE_THE_BEST = 0.4
"""Share of the best candidate's strength that another needs to stand beside it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate with its record and the verdict on it.

    Attributes:
        record: The whole chain.
        candidate: How it was found, with the score by part.
        judgement: The verdict, its reason, and the version that holds.
        support: How well it answers, in [0, 1]; None where it was not measured.
    """

    record: Record
    candidate: Candidate
    judgement: Judgement
    support: float | None = None

    @property
    def version(self) -> Version:
        """Return the version quoted: the one that holds, else the head."""
        return self.judgement.version or self.record.head

    @property
    def content(self) -> str:
        """Return the statement; empty in a tombstone."""
        return content_of(self.version)

    @property
    def score(self) -> float:
        """Return the fused strength, in [0, 1]."""
        return self.candidate.score

    @property
    def replaced(self) -> list[Version]:
        """Return what it superseded since it last began, newest first: history, no evidence."""
        return self.record.replaced(self.version)


def content_of(version: Version) -> str:
    """Return the text of a version's statement; any item without one gives its whole value."""
    if version.value is None:
        return ""
    content = version.value.get(CONTENT)
    return content if isinstance(content, str) else str(version.value)


def judged(
    record: Record, candidate: Candidate, *, asker: Asker, now: datetime,
    expires_at: datetime | None,
) -> Hit:  # fmt: skip
    """Return the candidate with the verdict on its record."""
    return Hit(record, candidate, judge(record, asker=asker, now=now, expires_at=expires_at))


def select(
    hits: list[Hit], *, limit: int, threshold: float = STRONG_ENOUGH
) -> tuple[list[Hit], list[Hit]]:
    """Part judged hits, strongest first, into evidence and the rejected with their reasons.

    Support decides about the answer as a whole: when none of the strongest valid hits
    answers the question, there is no evidence. When one does, it says nothing against its
    neighbours, each of which may hold another part of the answer.
    """
    evidence: list[Hit] = []
    rejected: list[Hit] = []
    seen: set[tuple[Namespace, str, Interval]] = set()
    valid = [hit for hit in hits if _valid(hit)]
    best = max((hit.score for hit in valid), default=0.0)
    floor = max(threshold, BESIDE_THE_BEST * best)
    measured = [hit for hit in valid if hit.support is not None]
    answered = not measured or any(supported(hit) for hit in measured)
    for hit in hits:
        # The same words of another day tell of another episode.
        same = (hit.record.namespace, hit.content.casefold(), hit.version.valid)
        if not _valid(hit):
            rejected.append(hit)
        elif hit.score < floor:
            rejected.append(_again(hit, Verdict.WEAK, f"strength {hit.score:.2f} of {floor:.2f}"))
        elif not answered:
            rejected.append(_again(hit, Verdict.WEAK, "about the subject, but no answer"))
        elif same in seen:
            rejected.append(_again(hit, Verdict.DUPLICATE, "says the same as a stronger one"))
        elif len(evidence) == limit:
            rejected.append(_again(hit, Verdict.WEAK, f"beyond the best {limit}"))
        else:
            seen.add(same)
            evidence.append(hit)
    return evidence, rejected


def _valid(hit: Hit) -> bool:
    return hit.judgement.verdict is Verdict.VALID


def supported(hit: Hit) -> bool:
    """Tell whether the hit was measured to answer."""
    return hit.support is not None and hit.support >= enough_for(hit.record)


def _again(hit: Hit, verdict: Verdict, reason: str) -> Hit:
    return replace(hit, judgement=replace(hit.judgement, verdict=verdict, reason=reason))
