"""Words that are written so that a rule does not read them: spaced out, in digits, encoded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

_SPACED = re.compile(r"(?<!\w)\w(?:[ .\-_*]\w){4,40}(?!\w)")
_DIGITS_IN_WORD = re.compile(
    r"(?<!\w)(?=\w{0,30}[a-zA-Z])(?=\w{0,30}[01345])[a-zA-Z01345]{4,30}(?!\w)"
)
_LETTERS = str.maketrans("01345", "oieas")
_ENCODED = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/]{20,2000}={0,2}(?![\w+/=])")
_MOST = 20
"""Encoded words that are looked at."""


def unveiled(text: str) -> Iterator[str]:
    """Yield the text as it may be meant to be read, where it is veiled."""
    if _SPACED.search(text):
        yield _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), text)
    if _DIGITS_IN_WORD.search(text):
        yield _DIGITS_IN_WORD.sub(lambda found: found[0].translate(_LETTERS), text)
    for number, found in enumerate(_ENCODED.finditer(text)):
        if number >= _MOST:
            return
        if decoded := _decoded(found[0]):
            yield decoded


def _decoded(word: str) -> str:
    bare = word.rstrip("=")
    try:
        said = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return said if said.isprintable() and " " in said else ""
