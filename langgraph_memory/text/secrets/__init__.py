"""Credentials in text: where they stand, of what kind, and the text without them.

Two sorts are told apart. A *shaped* credential says by its own form what it is: the keys of
providers, tokens in three parts, private key blocks, an address with a password in it. An
*assigned* one is any word that the text around calls a password or a key.

Precision comes first: identifiers, checksums, numbers of orders and books, prose about
passwords, and code that reads a credential from elsewhere stay as they are. What no rule can
tell from ordinary words, such as a password in the middle of a sentence that does not call
it one, stays too.

Everything here takes time in proportion to the length of the text, whatever stands in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_memory.text.secrets import assigned, fields, shapes, spoken, told

SECRETS = "secrets-5"
"""The version of these rules."""

_MARK = re.compile(r"\[redacted: [^\]\n]{1,40}\]")
_UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e01ef]"
)
"""Characters that nobody sees: a soft hyphen, joiners, marks of direction, tags."""

LONGEST_TOLD = 100_000
"""Characters in which is looked for what a sentence tells; a longer text is a file."""

_SHORTEST = 7  # "pwd=abc1" is a password, "pwd=a" is not worth a rule


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential in a text.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends, exclusive.
        kind: What it is, in words: "OpenAI API key", "password".
    """

    start: int
    end: int
    kind: str


def find(text: str) -> tuple[Secret, ...]:
    """Return the credentials in a text, in order; none overlaps another."""
    if len(text) < _SHORTEST:
        return ()
    found = _firm(text)
    looser = _told(text)
    if _UNSEEN.search(text):  # as it stands, and as it is read
        found += _between(text, _firm)
        looser += _between(text, _told)
    if looser:
        found += _apart(looser, list(_merged(found)))
    if found and "[redacted: " in text:
        found = _outside(found, [mark.span() for mark in _MARK.finditer(text)])
    return tuple(_merged(found)) if found else ()


def _outside(found: list[Secret], marks: list[tuple[int, int]]) -> list[Secret]:
    """Return what was found, as far as it is not what stands in a credential's place already."""
    kept = []
    for each in found:
        touched = [start for start, end in marks if start < each.end and each.start < end]
        if not touched:
            kept.append(each)
        elif each.start < touched[0]:
            kept.append(Secret(each.start, touched[0], each.kind))
    return kept


def _firm(text: str) -> list[Secret]:
    return [
        Secret(*each) for each in (*shapes.find(text), *assigned.find(text), *spoken.find(text))
    ]


def _told(text: str) -> list[Secret]:
    return [Secret(*each) for each in told.find(text[:LONGEST_TOLD])]


def _between(text: str, rules: Callable[[str], list[Secret]]) -> list[Secret]:
    """Return the credentials in a text as it is read: without what nobody sees of it."""
    seen = [place for place, char in enumerate(text) if not _UNSEEN.match(char)]
    read = rules("".join(text[place] for place in seen))
    return [Secret(seen[each.start], seen[each.end - 1] + 1, each.kind) for each in read]


def _apart(looser: list[Secret], firm: list[Secret]) -> list[Secret]:
    """Return what no firmer rule has found a part of; those are in order, and apart."""
    ends = [each.end for each in firm]
    kept = []
    for each in looser:
        place = bisect_right(ends, each.start)
        if place == len(firm) or firm[place].start >= each.end:
            kept.append(each)
    return kept


def redact(text: str) -> str:
    """Return the text with ``[redacted: kind]`` in place of each credential.

    A text without one is returned as it is. To redact twice is to redact once.
    """
    return _without(text, find(text))


def is_name(name: str) -> bool:
    """Tell whether a field of this name may hold a credential."""
    return assigned.is_name(name)


def redact_named(name: str, text: str) -> str:
    """Return the text as :func:`redact` does, or no text where its name makes it a credential.

    Args:
        name: What the text is called: the key of a dictionary, the name of a field.
        text: What stands under that name.
    """
    kind = assigned.kind_of(name, text)
    return redact(text) if kind is None else f"[redacted: {kind}]"


def redact_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return JSON fields without credentials: names, values and what is nested, by its name too."""
    return fields.redacted(given, redact)


def _merged(found: Iterable[Secret]) -> Iterable[Secret]:
    """Join what overlaps; the kind is that of the shape, which knows more than a name does."""
    current: Secret | None = None
    for each in sorted(found, key=lambda secret: secret.start):
        if current is None or each.start >= current.end:
            if current is not None:
                yield current
            current = each
        else:
            vague = current.kind in assigned.KINDS
            kind = each.kind if vague else current.kind
            current = Secret(current.start, max(current.end, each.end), kind)
    if current is not None:
        yield current


def _without(text: str, found: tuple[Secret, ...]) -> str:
    if not found:
        return text
    parts, place = [], 0
    for secret in found:
        parts += [text[place : secret.start], f"[redacted: {secret.kind}]"]
        place = secret.end
    return "".join([*parts, text[place:]])
