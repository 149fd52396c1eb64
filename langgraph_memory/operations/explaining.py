"""Say of a memory where it came from, since when, why it was recalled, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Scope, circle_of, locate
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.cite import readable, said_at
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.inspect import Inspected, inspect, standing
from langgraph_memory.operations.recall import versions
from langgraph_memory.policy.validity import judge
from langgraph_memory.retrieval.evidence import Hit, content_of

LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Explanation:
    """The papers of a memory.

    Attributes:
        data: The same as plain JSON: instants are ISO 8601 in UTC.
        text: For a person to read.
    """

    data: dict[str, Any]
    text: str

    def __str__(self) -> str:
        return self.text


def explain(engine: Engine, scope: Scope, reference: str) -> Explanation:
    """Return everything that is known about one memory of a scope.

    Raises:
        NotFoundError, AmbiguousReferenceError: As for any reference.
    """
    found = inspect(engine, scope, reference)
    data = _data(found, scope, engine.clock()) | {"versions": versions(engine)}
    return Explanation(data, _text(data))


def why(hit: Hit, asker: Scope) -> Explanation:
    """Return why a recall came up with a hit, what it was worth, and whether it holds.

    Raises:
        InvalidInputError: It is no hit.
    """
    if not isinstance(hit, Hit):
        raise InvalidInputError(
            "why() explains a hit: one of recall(...).evidence. For a memory, use explain()."
        )
    version = hit.version
    data: dict[str, Any] = {
        "id": hit.record.id,
        "content": hit.content,
        "source": readable(version.provenance.source, asker),
        "said_at": _iso(said_at(hit.record, version)),
        "reason": hit.candidate.reason,
        "score": round(hit.score, 4),
        "parts": hit.candidate.parts,
        "support": hit.support,
        "verdict": hit.judgement.verdict.value,
        "validity": hit.judgement.reason,
        "whose": circle_of(hit.record.namespace),
        "policy": version.provenance.policy,
    }
    parts = ", ".join(f"{name} {part:.2f}" for name, part in hit.candidate.parts.items())
    text = (
        f"“{_quote(data['content'])}” {data['reason']} (score {hit.score:.2f}: {parts}). "
        f"Said by {data['source']} on {data['said_at'][:10]}; {data['validity']}."
    )
    return Explanation(data, text)


def _data(found: Inspected, asker: Scope, now: datetime) -> dict[str, Any]:
    record, ends = found.record, found.lifetime.expires_at
    judgement = judge(record, asker=asker, now=now, expires_at=ends)
    version = judgement.version or record.head
    place = locate(record.namespace)
    papers = version.provenance
    waiting = {each.number for each in record.waiting}
    return {
        "id": record.id,
        "key": record.key,
        "kind": place[1].value if place else "plain",
        "whose": circle_of(record.namespace),
        "content": content_of(version),
        "version": version.number,
        "status": standing(record, version, now),
        "verdict": judgement.verdict.value,
        "validity": judgement.reason,
        "source": readable(papers.source, asker),
        "verification": papers.verification.value,
        "events": [
            {"id": each.id, "at": _iso(each.at), "said": _quote(each.content)}
            for each in found.events
            if each.id in papers.event_ids
        ],
        "derived_from": list(papers.derived_from),
        "purpose": papers.purpose,
        "policy": papers.policy,
        "because": papers.reason,
        "created_at": _iso(record.created_at),
        "updated_at": _iso(version.recorded_at),
        "valid_from": _iso(version.valid.start),
        "valid_until": _iso(version.valid.end),
        "hits": found.use.hits if found.use else 0,
        "last_used_at": _iso(found.use.last) if found.use else "",
        "kept_until": _iso(ends) or "permanent",
        "history": [
            _past(each, asker, standing(record, each, now))
            for each in _earlier(record, version)
            if each.number not in waiting
        ],
        "waiting": [_past(each, asker, each.status.value) for each in record.waiting],
    }


def _past(version: Version, asker: Scope, status: str) -> dict[str, Any]:
    return {
        "version": version.number,
        "content": content_of(version),
        "status": status,
        "source": readable(version.provenance.source, asker),
        "recorded_at": _iso(version.recorded_at),
        "superseded_at": _iso(version.superseded_at),
        "because": version.provenance.reason,
    }


def _text(data: dict[str, Any]) -> str:
    lines = [
        f"“{_quote(data['content'])}”",
        f"  {data['verdict']}: {data['validity']}",
        f"  said by {data['source']} ({_vouched(data)})",
        f"  {data['whose']} {data['kind']} memory, {_kept(data)}",
        f"  first kept {data['created_at'][:10]}, last updated {data['updated_at'][:10]}",
    ]
    if data["hits"]:
        lines.append(f"  evidence {_times(data['hits'])}, last on {data['last_used_at'][:10]}")
    if data["policy"]:
        lines.append(f"  let in by policy {data['policy']}, to {data['purpose']}")
    if data["valid_from"] or data["valid_until"]:
        start, end = (data[name] or "…" for name in ("valid_from", "valid_until"))
        lines.append(f"  holds from {start[:10]} until {end[:10]}")
    if data["because"]:
        lines.append(f"  because: {data['because']}")
    lines += [f"  said in: {each['at'][:10]} “{each['said']}”" for each in data["events"]]
    lines += [
        f"  waits for review: “{_quote(each['content'])}” (version {each['version']}, said by "
        f"{each['source']})"
        for each in data["waiting"]
        if each["version"] != data["version"]
    ]
    lines += [
        f"  before: “{_quote(each['content'])}” ({each['status']}, {each['recorded_at'][:10]} to "
        f"{each['superseded_at'][:10]})"
        for each in reversed(data["history"])
    ]
    return "\n".join(lines)


def _earlier(record: Record, version: Version) -> Iterator[Version]:
    """Yield what was thought before a version: other statements, and what was not approved.

    The forgotten is not told, nor what said the same, as before a confirmation.
    """
    gone = [each.number for each in record.versions[:-1] if each.status is Status.DELETED]
    counted = record.replaced(version)
    for each in record.versions[: version.number]:
        told = each in counted or each.status is not Status.SUPERSEDED
        if told and max(gone, default=0) < each.number < version.number:
            yield each


def _times(number: int) -> str:
    return "1 time" if number == 1 else f"{number} times"


def _kept(data: dict[str, Any]) -> str:
    until = data["kept_until"]
    return "kept permanently" if until == "permanent" else f"kept until {until[:10]}"


def _vouched(data: dict[str, Any]) -> str:
    """Return who vouches, in words: of what is verified, by whom stands beside it."""
    verified = data["verification"] == Verification.VERIFIED and data["because"]
    return f"{data['verification']}: {data['because']}" if verified else data["verification"]


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


def _iso(instant: datetime | None) -> str:
    return "" if instant is None else instant.isoformat()
