"""Credentials that are known by what the text calls them: ``password=…``, "my token is …".

How much a word must look like a credential depends on how plainly it is called one. What
stands in quotes after ``password=`` is one, whatever it is, unless it is a placeholder or
code; what follows "the password is" must not be a word of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.text.secrets import words
from langgraph_memory.text.secrets.names import (
    KINDS,
    PASSWORD,
    SIGN,
    TOKEN,
    Name,
    end_of,
    name_of,
    places,
)

__all__ = ["KINDS", "find", "kind_of"]

Span = tuple[int, int, str]

LONGEST = 512
_LONGEST_NAME = 64
_QUOTES = {"“": "”", "「": "」", "『": "』", "‘": "’", '"': '"', "'": "'", "`": "`"}
_OPENING = re.compile(r"\\{0,3}[\"'`“「『‘]")
_VALUE = re.compile(
    rf"[^\s\u3000-\u303f\uff00-\uffef\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\"'`“”‘’]{{1,{LONGEST}}}"
)
_HEADER = re.compile(
    r"(?:bearer\s{1,4}(?P<bearer>[A-Za-z0-9._~+/=-]{16,4000})"
    r"|authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?:basic|token|digest|apikey)\s{1,4}"
    r"(?P<basic>[A-Za-z0-9._~+/=-]{8,4000}))",
    re.IGNORECASE,
)
_END = re.compile(r"&(?=[\w.-]{1,64}=)|;|,(?=[\w.-]{1,64}[=:])|\\[nrt]|\\?[\"']|\[redacted:")
_MARK = re.compile(r"\[redacted: [^\]\n]{1,40}\]")
_AUTHORIZES = re.compile(r"[Bb]earer|BEARER|[Aa]uthorization|AUTHORIZATION")
_LOOSE = re.compile(
    r"(?:[,;/]|\b(?:and|with|use|using|as|user\w{0,4}|my|the)\b)[^\n.?!]{0,16}$", re.IGNORECASE
)


def find(text: str) -> Iterator[Span]:
    """Yield start, end and kind of each."""
    done = 0
    marks = [mark.span() for mark in _MARK.finditer(text)] if "[redacted: " in text else []
    for place in places(text):
        while marks and marks[0][1] <= place:
            marks.pop(0)
        if marks and marks[0][0] <= place:
            continue  # what was redacted before is the name of nothing
        word = end_of(text, place) if place >= done else None
        if word is None:
            continue
        sign = SIGN.match(text, word.end())
        found = _beside(text, word) if sign is None else _after(text, word, sign)
        if found:
            yield found
            done = found[1]
    if _AUTHORIZES.search(text):
        for header in _HEADER.finditer(text):
            which = header.lastgroup or ""
            if words.mixed(header[which]):
                yield *header.span(which), "access token"


def is_name(name: str) -> bool:
    """Tell whether a field of this name may hold a credential."""
    return _named(name) is not None


def kind_of(name: str, value: str) -> str | None:
    """Return what a value is by the name it has in a dictionary, None if not a credential."""
    found = _named(name) if 4 <= len(value) <= LONGEST else None
    if found is None:
        return None
    good = _written_down(value.strip(), found.kind, bare=found.bare)
    return found.kind if good else None


def _named(name: str) -> Name | None:
    if len(name) > _LONGEST_NAME:
        return None
    for place in places(name):
        word = end_of(name, place)
        if word is None:
            continue
        several = word.lastgroup in ("password", "key") and name[word.end() :] in ("s", "S")
        if several or word.end() == len(name):
            return name_of(name, word)
    return None


def _after(text: str, word: re.Match[str], sign: re.Match[str]) -> Span | None:
    """Return the credential that a name and a sign stand before, if any."""
    place = sign.end()
    opening = _OPENING.match(text, place)
    found = None if opening else _VALUE.match(text, place)
    if not (opening or found) or not (name := name_of(text, word)):
        return None
    if found is None:
        return _quoted(text, opening, sign, name) if opening else None
    value = _cut(found[0])
    if sign["sign"] and (words.CODE.match(value) or (value.isdigit() and _is_json(sign))):
        return None
    span = place, place + len(value), name.kind
    if sign["sign"] is None:
        good = _told(value, name, text[span[1] : span[1] + 2])
    elif not sign["space"] and not sign["after"]:
        good = _tight(value, name, sign["sign"])
    else:
        alone = not name.bare and _is_own_line(text, name.start, span[1])
        good = _apart(value, name, alone=alone)
    return span if good else None


def _quoted(text: str, opening: re.Match[str], sign: re.Match[str], name: Name) -> Span | None:
    start = opening.end()
    closing = opening[0][:-1] + _QUOTES[opening[0][-1]]
    end = text.find(closing, start, start + LONGEST)
    if end < 0 or "\n" in text[start:end]:
        return None
    value = text[start:end]
    if sign["sign"]:
        good = _written_down(value, name.kind, bare=name.bare)
    else:
        good = not words.is_placeholder(value) and (
            len(value) >= 3 and not re.search(r"\s", value)
            if name.kind == PASSWORD
            else len(value) >= 6 and words.mixed(value)
        )
    return (start, end, name.kind) if good else None


def _beside(text: str, word: re.Match[str]) -> Span | None:
    """Return what follows "user bob, password " with nothing between, if it is no word."""
    start, end = word.span()
    if word.lastgroup != "password" or text[end : end + 1] != " ":
        return None
    found = _VALUE.match(text, end + 1)
    if found is None or not words.mixed((value := _cut(found[0])).rstrip("!?")):
        return None
    near = _LOOSE.search(text[max(0, start - 24) : start])
    good = near and len(value) >= 6 and not words.is_technical(value)
    return (end + 1, end + 1 + len(value), PASSWORD) if good else None


# --- How much it must look like one ------------------------------------------------------


def _written_down(value: str, kind: str, *, bare: bool) -> bool:
    """Judge a value in quotes or in a dictionary: ``"password": "…"``."""
    if words.is_placeholder(value):
        return False
    if re.search(r"\s", value):
        return kind == PASSWORD and words.is_passphrase(value)
    if kind == PASSWORD:
        return len(value) >= 4 and (not bare or words.mixed(value))
    if kind == TOKEN:
        return len(value) >= 8 and words.mixed(value)
    return len(value) >= 6


def _tight(value: str, name: Name, sign: str) -> bool:
    """Judge ``password=value`` without quotes and without spaces."""
    if words.is_placeholder(value) or words.is_identifier(value):
        return False
    if name.kind == PASSWORD and not name.bare:
        return len(value) >= 4
    if name.kind == TOKEN or name.bare:
        return len(value) >= (6 if name.bare else 12) and words.mixed(value)
    plain = words.is_word(value) or value.isdigit()
    return len(value) >= 6 and (not plain or (sign != ":" and len(value) >= 8))


def _apart(value: str, name: Name, *, alone: bool) -> bool:
    """Judge ``password: value`` without quotes."""
    if words.is_placeholder(value) or words.is_technical(value):
        return False
    if name.kind == PASSWORD:
        return len(value) >= 4 and (words.mixed(value) or (alone and not words.is_measure(value)))
    return len(value) >= (12 if name.kind == TOKEN else 8) and words.mixed(value)


def _told(value: str, name: Name, after: str) -> bool:
    """Judge "my password is value" and 密码是value."""
    if words.is_placeholder(value) or words.is_technical(value) or words.is_measure(value):
        return False
    if name.kind != PASSWORD or name.bare:
        return len(value) >= 8 and words.mixed(value)
    ends = not after.strip() or not (after[0].isalnum() or after[:2].strip().isalnum())
    if words.mixed(value):
        return len(value) >= 4
    if value.isdigit():
        return len(value) >= 4 and ends
    return ends and len(value) >= 5 and words.is_word(value) and not words.is_said_of_one(value)


# --- The text around ---------------------------------------------------------------------


def _is_json(sign: re.Match[str]) -> bool:
    """Tell whether the name stood in quotes, so that a number after it is a number."""
    return any(quote in sign["close"] for quote in "\"'")


def _is_own_line(text: str, start: int, end: int) -> bool:
    """Tell whether nothing but a name and a value stands on a line."""
    before = text[max(0, start - 24) : start].rpartition("\n")[2]
    after = text[end : end + 3].partition("\n")[0]
    return not after.strip(" .\\*") and bool(
        re.fullmatch(r"[\s\-*•>#]{0,8}(?:[\w-]{1,12} ?)?", before)
    )


def _cut(value: str) -> str:
    """Return a value without what belongs to the text around it."""
    if not value.isalnum() and (end := _END.search(value)):
        value = value[: end.start()]
    stripped = value.rstrip(".,:*")
    while stripped and stripped[-1] in ")]}>" and not {"(", "[", "{", "<"} & set(stripped):
        stripped = stripped[:-1].rstrip(".,:*")
    return stripped
