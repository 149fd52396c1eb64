"""A list of words and phrases, looked for in a text as whole words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from langgraph_memory.text.scripts import clean

_SPACED = re.compile(r"^[\w'-]", re.ASCII)
"""Scripts that put spaces between words begin with one of these; others are found anywhere."""


class Phrases:
    """Words to look for; case, spelling of the characters and extra spaces do not matter."""

    def __init__(self, phrases: Iterable[str]) -> None:
        each = [_pattern(phrase) for phrase in phrases if phrase.strip()]
        self._any = re.compile("|".join(each), re.IGNORECASE) if each else None

    def first(self, text: str) -> str:
        """Return the first of the phrases that the text holds, as it stands there; else empty."""
        found = self._any.search(clean(text)) if self._any else None
        return found[0] if found else ""


def _pattern(phrase: str) -> str:
    words = r"\s+".join(re.escape(word) for word in clean(phrase).split())
    return rf"\b{words}\b" if _SPACED.match(phrase) else words
