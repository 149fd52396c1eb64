"""How results look to a person: source, date and reason beside every statement."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from langgraph_memory.domain.provenance import Source
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope, locate
from langgraph_memory.operations.cite import readable, said_at
from langgraph_memory.operations.inspect import Contents, Inspected
from langgraph_memory.operations.purge import Receipt
from langgraph_memory.operations.recall import Recall
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.retrieval.evidence import Hit, content_of

_LONGEST = 300
_EFFECTS = {
    Effect.BEGIN: "Remembered",
    Effect.SUPERSEDE: "Remembered; the earlier statement is superseded",
    Effect.STRENGTHEN: "Known already",
    Effect.HOLD: "Held for review; nothing else was changed",
    Effect.NOTHING: "Not kept: it was forgotten before",
}


def remembered(done: Remembered) -> str:
    """Return what became of a statement."""
    effect = _EFFECTS[done.effect]
    if done.effect is Effect.SUPERSEDE and not done.replaced:
        effect = _EFFECTS[Effect.BEGIN]  # it was forgotten, and is said anew
    line = f"{effect} ({done.id}, version {done.version})."
    if done.effect is Effect.SUPERSEDE and done.replaced:
        line += f"\n  before: “{short(done.replaced)}”"
    return line


def corrected(done: Remembered) -> str:
    """Return what became of a correction."""
    line = remembered(done)
    known = _EFFECTS[Effect.SUPERSEDE]
    return line.replace(known, "Corrected", 1) if done.effect is Effect.SUPERSEDE else line


def recall(found: Recall, *, rejected: bool) -> str:
    """Return evidence with dates and reasons, or the abstention."""
    lines = [hit(each, f"m{number}") for number, each in enumerate(found.evidence, start=1)]
    if found.abstained is not None:
        lines.append(f"No evidence: {found.abstained.value}.")
        if found.missing:
            lines.append(f"  nothing answers: {', '.join(found.missing)}")
    if rejected:
        lines += ["left out:", *(_rejected(each) for each in found.rejected)]
    return "\n".join(lines)


def recall_data(found: Recall, *, rejected: bool) -> dict[str, Any]:
    """Return a recall as data for programs."""
    return {
        "question": found.question,
        "evidence": [_hit_data(each) for each in found.evidence],
        "rejected": [_hit_data(each) for each in found.rejected] if rejected else [],
        "abstained": found.abstained,
        "missing": found.missing,
        "stored": found.stored,
        "milliseconds": found.milliseconds,
        "versions": found.versions,
    }


def hit(found: Hit, label: str) -> str:
    """Return one piece of evidence: text, source, date, reason, history."""
    version = found.version
    origin = f"{source(version, found.record)} · {day(said_at(found.record, version))}"
    lines = [
        f"[{label}] “{short(found.content)}”",
        f"     {origin} · {found.judgement.reason} · score {found.score:.2f}",
        f"     because it {found.candidate.reason}",
    ]
    lines += [
        f"     before that, superseded on {day(old.superseded_at)}: “{short(content_of(old))}”"
        for old in found.replaced[:3]
    ]
    return "\n".join(lines)


def contents(page: Contents, *, offset: int, pending: bool = False) -> str:
    """Return a page of what is kept, and how much there is in all."""
    if not page.total and pending:
        return "Nothing waits for review."
    if not page.total:
        return f"Nothing is kept here ({page.events} events in the transcript)."
    lines = [_line(each) for each in page.records]
    shown = f"{offset + 1} to {offset + len(page.records)}" if page.records else "none"
    lines.append(f"{shown} of {page.total} memories, {page.events} events in the transcript.")
    return "\n".join(lines)


def inspected(one: Inspected) -> str:
    """Return one memory with its chain of versions and the events behind it."""
    record = one.record
    keeps = one.lifetime.expires_at
    lines = [
        f"{record.id}  {'/'.join(record.namespace)}  key {record.key}",
        f"kept {'until ' + day(keeps) if keeps else 'permanently'}",
    ]
    for version, status in reversed(list(zip(record.versions, one.standing, strict=True))):
        lines.append(f"  v{version.number} {status}: “{short(content_of(version))}”")
        lines.append(f"     {source(version, record)} · recorded {day(version.recorded_at)}"
                     f"{_validity(version)}")  # fmt: skip
        lines.append(f"     {version.provenance.verification.value} · "
                     f"policy {version.provenance.policy or 'none'}")  # fmt: skip
        if version.provenance.reason:
            lines.append(f"     {version.provenance.reason}")
    lines += [f"  said in: {day(each.at)} “{short(each.content)}”" for each in one.events]
    return "\n".join(lines)


def receipt(done: Receipt) -> str:
    """Return what a purge removed where, and what lies outside."""
    counts = ", ".join(f"{count} {place}" for place, count in done.removed.items())
    left = ", ".join(f"{count} {place}" for place, count in done.remaining.items() if count)
    lines = [
        f"Purged user {done.owner.user!r} of tenant {done.owner.tenant!r}: {counts}.",
        f"Looked again: {left or 'nothing left'}.",
        "Not reached from here: " + "; ".join(done.outside) + ".",
    ]
    return "\n".join(lines)


def quoted(record: Record) -> str:
    """Return in quotes what a record says now."""
    return f"“{short(content_of(record.stated(datetime.now(UTC))))}”"


def source(version: Version, record: Record) -> str:
    """Return who said it, as its owner would put it."""
    place = locate(record.namespace)
    speaker: Source = version.provenance.source
    return readable(speaker, place[0] if place else Scope("unknown"))


def day(instant: datetime | None) -> str:
    """Return a day, ISO 8601."""
    return f"{instant:%Y-%m-%d}" if instant else "unknown"


def short(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _line(one: Inspected) -> str:
    head = one.record.head
    line = f"{one.record.id}  {day(head.recorded_at)}  {quoted(one.record)}"
    if head.status is Status.ACTIVE:
        return line
    line += f"  ({head.status.value})"
    waiting = content_of(head)
    if head.status is Status.PENDING and waiting != _said_beside(one):
        line += f"\n  waits for review, version {head.number}: “{short(waiting)}”"
    return line


def _said_beside(one: Inspected) -> str:
    """Return what a record says beside what waits."""
    settled = one.record.settled
    return content_of(settled) if settled is not None else content_of(one.record.head)


def _validity(version: Version) -> str:
    start, end = version.valid.start, version.valid.end
    if start is None and end is None:
        return ""
    return f" · holds {day(start) if start else '…'} to {day(end) if end else '…'}"


def _rejected(found: Hit) -> str:
    verdict = found.judgement.verdict.value
    text = short(found.content) or "(deleted)"
    return f"  {verdict}: “{text}” ({found.judgement.reason}; score {found.score:.2f})"


def _hit_data(found: Hit) -> dict[str, Any]:
    version = found.version
    return {
        "id": found.record.id,
        "key": found.record.key,
        "content": found.content,
        "version": version.number,
        "source": str(version.provenance.source),
        "said_at": said_at(found.record, version),
        "recorded_at": version.recorded_at,
        "verification": version.provenance.verification,
        "verdict": found.judgement.verdict,
        "validity": found.judgement.reason,
        "score": round(found.score, 4),
        "parts": found.candidate.parts,
        "support": found.support,
        "reason": found.candidate.reason,
        "history": [
            {"content": content_of(old), "superseded_at": old.superseded_at}
            for old in found.replaced
        ],
    }
