"""What the write policy makes of a statement: keep it, keep it without a part, hold it, refuse it.

Data by which a person is reached or recognised, and claims that may harm a person, serve a
purpose or are not kept. What the words alone say decides: no lookup, no model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import RefusedError, Way
from langgraph_memory.policy.rulebook import Rule, WritePolicy
from langgraph_memory.policy.sensitive import claim
from langgraph_memory.text.personal import NAMES, Data, find, without

_CLAIMED = {"own": "of oneself", "others": "of somebody else"}


@dataclass(frozen=True, slots=True)
class Governed:
    """A statement as the policy lets it in.

    Attributes:
        content: Its words, without what is not to be kept.
        purpose: What it is kept for, where a rule says so.
        why: Why it waits for a review; empty if it does not.
    """

    content: str
    purpose: str = ""
    why: str = ""


def check_eligible(policy: WritePolicy, papers: Provenance, kind: Kind, circle: str) -> None:
    """Refuse a statement of a source that may state nothing of this kind, or not there.

    Raises:
        RefusedError: The policy does not list it.
    """
    source = papers.source.kind
    if source not in policy.kinds[kind].sources:
        raise RefusedError(
            f"kinds.{kind.value}.sources",
            f"a {source.value} may not state what is {kind.value}; name another source or kind, "
            "or change the write policy",
        )
    place = "personal" if circle == "session" else circle
    if source not in getattr(policy.circles, place):
        raise RefusedError(
            f"circles.{place}",
            f"what a {source.value} says is not kept there; name another source or scope, or "
            "change the write policy",
        )


def govern(
    policy: WritePolicy, content: str, papers: Provenance, *, beside: str = "",
    explicit: bool = True,
) -> Governed:  # fmt: skip
    """Return a statement as the policy lets it in.

    Args:
        policy: The rules.
        content: What is said.
        papers: Who says it, and for which purpose.
        beside: What else is kept with it: its name, its metadata.
        explicit: Whether it is said on purpose, rather than in passing.

    Raises:
        RefusedError: It is not to be kept.
    """
    waits = [_claimed(policy, content, papers, explicit=explicit)]
    if papers.source.kind in policy.review.sources:
        waits.append(f"what comes from a {papers.source.kind.value} is reviewed")
    found = find(content)
    rules = {each.data: _rule(policy, each.data, papers) for each in (*found, *find(beside))}
    refused = next((data for data, rule in rules.items() if rule is Rule.REFUSE), None)
    if refused and explicit:
        raise RefusedError(
            f"personal.{refused.value}",
            f"it holds {NAMES[refused]}",
            way=Way(
                "Leave it out, or name what it is kept for with purpose=.",
                "Leave it out, or name what it is kept for with --purpose.",
            ),
        )
    waits += [f"it holds {NAMES[data]}" for data in rules if rules[data] is Rule.REVIEW]
    dropped = tuple(each for each in found if rules[each.data] in (Rule.REFUSE, Rule.REDACT))
    purpose = policy.personal.purpose if len(found) > len(dropped) else ""
    return Governed(without(content, dropped), purpose, next(filter(None, waits), ""))


def says_little(content: str) -> bool:
    """Tell whether a text says nothing that is worth keeping beside what was taken out of it."""
    return "[redacted: " in content and len(_WORD.findall(_MARK.sub(" ", content))) < LEAST_WORDS


LEAST_WORDS = 3
_MARK = re.compile(r"\[redacted: [^\]\n]{1,40}\]")
_LITTLE = (
    r"(?:my|our|the|a|an|is|are|was|it|its|this|that|here|and|or|to|for|of|on|at|by|be|me|you|your|i"
    r"|please|just|so|now|use|new|old|password|passcode|pin|key|token|secret|code|api|login|number"
    r"|card|iban|account|phone|email|e|mail|address)\b"
)
_WORD = re.compile(rf"\b(?!{_LITTLE})[^\W\d_][\w'-]*", re.IGNORECASE)


def _rule(policy: WritePolicy, data: Data, papers: Provenance) -> Rule:
    rule = Rule(getattr(policy.personal, data.value))
    if rule is Rule.PURPOSE:
        return Rule.KEEP if papers.purpose else Rule.REFUSE
    return rule


def _claimed(policy: WritePolicy, content: str, papers: Provenance, *, explicit: bool) -> str:
    found = claim(content, policy.sensitive.phrases)
    if found is None:
        return ""
    about, sort = found
    rule = Rule(getattr(policy.sensitive, about.value))
    said = f"it speaks of the {sort} {_CLAIMED[about]}"
    if rule is Rule.REFUSE:
        raise RefusedError(f"sensitive.{about.value}", said)
    kept = rule is Rule.KEEP or (rule is Rule.ASKED and explicit)
    if kept or (rule is Rule.PURPOSE and papers.purpose):
        return ""
    return f"{said}, and no purpose is named" if rule is Rule.PURPOSE else said
