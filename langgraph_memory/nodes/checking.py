"""Hold a draft against what it may rest on, and name what the user and memory disagree about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph_memory.context.prompt import cited_in, without_invented
from langgraph_memory.models.offline import NAME as OFFLINE
from langgraph_memory.models.offline import as_just_said, as_said_before
from langgraph_memory.nodes.access import Access
from langgraph_memory.nodes.asking import FirstRequest, grounds
from langgraph_memory.policy.claims.checking import check
from langgraph_memory.policy.claims.deeds import claimed_deeds
from langgraph_memory.policy.claims.repeating import only_abstains, repeated, without
from langgraph_memory.policy.claims.siding import cites, value_pattern
from langgraph_memory.policy.updates.contradiction import Conflict
from langgraph_memory.ports import Citation, Reply, Request

CLAIMS = "claims-3"
"""The version of the check of statements about the past."""

_DONT_KNOW = "I don't know: no remembered record says so, and neither does this conversation."
_UNFOUNDED = "what the model answered stands in no record, and not in this conversation"
_NOT_TOLD = "the model found no answer in what memory holds"
_NOT_DONE = (
    "I have changed nothing in memory. To have it changed, say it in one plain sentence: "
    "“Remember that …”, “Forget …” or “Correct … to …”."
)
_AS_YOU_SAY = "I go by what you say."
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft after the check.

    Attributes:
        reply: The draft, without labels of records that do not say what they stand on.
        unsupported: What it says of the past and nothing supports.
        miscited: The labels that were taken out.
        stale: Sentences that go by something else than the user's latest words.
        deeds: Sentences that claim a change of memory, which a model cannot make.
    """

    reply: Reply
    unsupported: tuple[str, ...] = ()
    miscited: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Tell whether it may be given as it is."""
        return not self.unsupported and not self.stale and not self.deeds


def judged(reply: Reply, asked: FirstRequest, here: Access) -> Judged:
    """Return a draft with what is wrong about it; quotations without a model need no check."""
    if reply.cited or reply.model == OFFLINE:
        return Judged(reply)
    request = asked.request
    embed = here.memory.vectors if here.memory.has_vectors else None
    found = check(reply.text, request.evidence, grounds(request), embed=embed)
    kept = [each for each in request.evidence if each.label not in found.miscited]
    text = without_invented(reply.text, kept)
    return Judged(
        replace(reply, text=text, cited=cited_in(text, kept)),
        tuple(each.text for each in found.unsupported),
        found.miscited,
        _stale(text, asked),
        tuple(claimed_deeds(text, request.messages[-1].content)),
    )


def corrected(last: Judged, request: Request) -> Reply:
    """Return the last draft without what is still wrong about it.

    What nothing supports makes it an abstention; what is outdated, or claims a change of memory, is
    taken out. Where nothing is left, the user's own words answer.
    """
    if last.passed:
        return last.reply
    text = "" if last.unsupported else without(last.reply.text, (*last.stale, *last.deeds))
    if not text and request.told:
        text = as_just_said(request.told)
    elif not text and last.deeds:
        text = _NOT_DONE
    elif not text and (said := [each for each in request.evidence if each.event_id]):
        return replace(
            last.reply, text=as_said_before(said), cited=tuple(each.label for each in said)
        )
    elif not text and not last.unsupported:
        text = _AS_YOU_SAY
    elif not text:
        text = f"I don't know. {request.missing}".strip() if request.missing else _DONT_KNOW
    return replace(last.reply, text=text, cited=())


def withholding(text: str, last: Judged) -> dict[str, Any] | None:
    """Return why an answer only says that it does not know, as state shows it; None where not."""
    if not only_abstains(text):
        return None
    reason = _UNFOUNDED if last.unsupported else _NOT_TOLD
    return {"reason": reason, "missing": [], "message": text}


def naming(text: str, conflicts: Sequence[Conflict], evidence: Sequence[Citation]) -> str:
    """Return an answer that names each contradiction between the message and a record."""
    records = {each.label: each for each in evidence}
    notes = [
        _note(each, records[each.label])
        for each in conflicts
        if each.label in records and not _named(text, each, records[each.label])
    ]
    return "\n".join([text, *notes]).strip()


def story_of(first: Judged, last: Judged) -> dict[str, Any]:
    """Return the check of a turn as state shows it: counts and labels, nothing that was said."""
    return {
        "unsupported": len(first.unsupported) + len(first.deeds),
        "outdated": len(first.stale),
        "miscited": list(dict.fromkeys((*first.miscited, *last.miscited))),
        "regenerated": not first.passed,
        "abstained": bool(last.unsupported),
    }


def _stale(text: str, asked: FirstRequest) -> tuple[str, ...]:
    """Return what an answer says against the user's last words.

    That is what memory has instead, and that nobody knows what the user just said.
    """
    if asked.request.told and only_abstains(text):
        return tuple(text.splitlines())
    found = [
        sentence
        for told, conflicts in ((asked.told, asked.conflicts), (asked.since, asked.passed))
        for sentence in repeated(text, told, conflicts, asked.request.evidence)
    ]
    return tuple(dict.fromkeys(found))


def _named(text: str, conflict: Conflict, record: Citation) -> bool:
    """Tell whether an answer has both values side by side already, and cites the record."""
    if not cites(text, conflict):
        return False
    said, recorded = (
        _spelled(conflict.said, conflict.clause),
        _spelled(conflict.recorded, record.content),
    )
    longer, shorter = sorted((said, recorded), key=len, reverse=True)
    rest, found = value_pattern(longer).subn("\n", text)
    return bool(found and value_pattern(shorter).search(rest))


def _spelled(value: str, said: str) -> str:
    """Return a bare number with the word before it: a 2 may stand anywhere, "floor 2" may not."""
    found = re.search(rf"[^\W\d]+\s+{re.escape(value)}(?!\w)", said) if value.isdigit() else None
    return found[0] if found else value


def _note(conflict: Conflict, record: Citation) -> str:
    day = f"{record.said_at:%Y-%m-%d}"
    if _HAN.search(conflict.clause):
        return (
            f"注意：你现在说“{conflict.clause}”，记忆中是“{record.content}”（{day}）"
            f"[{record.label}]。以你现在说的为准。"
        )
    return (
        f"Note: you now say “{conflict.clause}”; memory has “{record.content}”, said on {day} "
        f"[{record.label}]. I go by what you say now."
    )
