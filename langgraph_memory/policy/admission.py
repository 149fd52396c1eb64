"""What may become a memory, for which task, and for how long, by the write policy.

Nothing is permanent by omission: every kind and every domain has a lifetime there, and
"permanent" is one that was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_memory.domain.json import JsonObject, check_text, checked_copy
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError, InvalidValueError, Way
from langgraph_memory.policy.rulebook import Domain, WritePolicy, minutes

MAX_CHARACTERS = 4_000_000
MAX_KEY_LENGTH = 512
LONGEST_FACT = 400
"""Characters of a fact that is of one domain; a longer text speaks of many things."""
MAX_TTL_MINUTES = 1_000 * 365 * 24 * 60
CONTENT = "content"
DOMAIN = "domain"
"""The metadata field by which a statement names its domain."""

RESERVED = frozenset(
    {"content", "scope", "namespace", "kind"}
    | {"tenant", "user", "project", "agent", "session"}
    | {"tenant_id", "user_id", "project_id", "agent_id", "session_id"}
)
"""Names that say whose a record is or what it says; metadata may not bear them."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Let in: the value to store, how long, for what, by which policy."""

    value: JsonObject
    ttl_minutes: float | None
    purpose: str
    policy: str


def admit(
    policy: WritePolicy, content: object, kind: Kind, *, circle: str = "personal",
    metadata: Mapping[str, Any] | None = None, ttl_minutes: float | None = None, purpose: str = "",
) -> Admission:  # fmt: skip
    """Let a statement in, or say why not.

    Args:
        policy: The rules.
        content: The statement, in its own words and language.
        kind: What sort of memory.
        circle: Whose knowledge it becomes, as ``domain.scope.circle_of`` has it.
        metadata: Further JSON fields to keep and filter by.
        ttl_minutes: A lifetime of the caller's choice instead of the domain's or the kind's.
        purpose: The task it serves; the domain's or the kind's own if empty.

    Raises:
        InvalidInputError: The content is empty or too long, a lifetime is not positive or
            not finite, or metadata is no dictionary or claims a reserved name.
    """
    if not isinstance(content, str) or not content.strip():
        raise InvalidInputError(
            "There is nothing to remember: the content is empty.",
            way=Way(
                "Give a statement as text.",
                'Give a statement, as in: langgraph-memory remember "The launch is on Friday".',
            ),
        )
    if len(content) > MAX_CHARACTERS:
        raise InvalidInputError(
            f"The content has {len(content):,} characters; {MAX_CHARACTERS:,} fit in one memory. "
            "Store it as a file and remember where it is."
        )
    _check_ttl(ttl_minutes)
    if "\x00" in content:
        raise InvalidValueError("$.content", "holds a NUL character")
    fields = {} if metadata is None else _metadata(metadata)
    value = {CONTENT: check_text(content.strip(), "$.content"), **fields}
    rule = domain_of(policy, content, kind, circle, fields) or policy.kinds[kind]
    lifetime = minutes(rule.keep_days) if ttl_minutes is None else ttl_minutes
    return Admission(value, lifetime, purpose or rule.purpose, policy.version)


def domain_of(
    policy: WritePolicy, content: str, kind: Kind, circle: str, fields: Mapping[str, Any]
) -> Domain | None:
    """Return the domain of a fact: the one it names, else the first it is known to be of."""
    if kind is not Kind.SEMANTIC:
        return None
    named = fields.get(DOMAIN)
    if isinstance(named, str) and named in policy.domains:
        return policy.domains[named]
    short = len(content) <= LONGEST_FACT
    known = (
        each
        for each in policy.domains.values()
        if each.circle == circle or (short and each.phrases.first(content))
    )
    return next(known, None)


def check_key(key: object) -> str:
    """Return a key that can be stored.

    Raises:
        InvalidInputError: It is empty or too long.
    """
    if not isinstance(key, str) or not key.strip():
        raise InvalidInputError("The key is empty. Leave it out, or give a name for the fact.")
    if len(key) > MAX_KEY_LENGTH:
        raise InvalidInputError(f"The key is longer than {MAX_KEY_LENGTH} characters.")
    return check_text(key, "key")


def _check_ttl(minutes: object) -> None:
    if minutes is None:
        return
    number = minutes if isinstance(minutes, int | float) and minutes is not True else 0
    if not 0 < number <= MAX_TTL_MINUTES:
        raise InvalidInputError(
            f"ttl_minutes is {minutes!r}; give a number above 0 and up to {MAX_TTL_MINUTES:,},",
            way=Way("or None.", "or leave --ttl-minutes out."),
        )


def _metadata(metadata: Mapping[str, Any]) -> JsonObject:
    fields = checked_copy(metadata, path="metadata")
    claimed = sorted(RESERVED & fields.keys())
    if claimed:
        raise InvalidInputError(
            f"metadata may not contain {', '.join(claimed)}: whose a memory is comes from the "
            "scope alone. Rename the field."
        )
    return fields
