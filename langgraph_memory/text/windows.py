"""Cut long text into windows that an embedder sees whole, so that its middle is findable too.

The default embedder reads 254 word pieces and forgets the rest. Here pieces are estimated
from characters alone, on the safe side: ordinary words by length, numbers and mixed codes
by the character, other scripts one piece a character, Hangul three. Letters thrown together
at random look like words and may run over; such a window loses its tail when embedded.
"""

from __future__ import annotations

import re

MOST_WINDOWS = 8
PIECES = 244
"""Estimated pieces in a window: 254 less a margin for what the estimate misses."""

_DENSEST_ASCII, _DENSEST = 1.1, 3.0  # pieces a character makes at most

_UNIT = re.compile(r"[A-Za-z0-9]{1,64}|[^\sA-Za-z0-9]|\s+")
_BORDER = re.compile("(?<=[.!?])\\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_SPACE = re.compile(r"\s+")
_REACH = 2400  # characters that no window exceeds by much
_SEARCH = 300  # characters in which a sentence should end


def windows(text: str) -> list[str]:
    """Return the parts of a text to embed, in order: none if blank, the text itself if short.

    Windows end with a sentence where one ends in their second half, else with a word. A
    text too long for eight windows is sampled evenly: its beginning, its end, and stretches
    between. The last window reaches back to be full, so it may repeat what came before.
    """
    text = text.strip()
    if len(text) * (_DENSEST_ASCII if text.isascii() else _DENSEST) <= PIECES:
        return [text] if text else []
    spans = _consecutive(text)
    if len(spans) > MOST_WINDOWS:
        last = MOST_WINDOWS - 1
        spans = [_stretch(text, len(text) * i // last) for i in range(MOST_WINDOWS)]
    if len(spans) > 1:
        spans[-1] = (_tail(text), len(text))
    return [part for start, end in spans if (part := text[start:end].strip())]


def _consecutive(text: str) -> list[tuple[int, int]]:
    """Return window after window, one more than allowed at most."""
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(text) and len(spans) <= MOST_WINDOWS:
        spans.append((at, _end(text, at)))
        at = spans[-1][1]
    return spans


def _end(text: str, start: int) -> int:
    """Return where a window that begins at ``start`` ends; always past ``start``."""
    pieces, word = 0.0, start
    for found in _UNIT.finditer(text, start):
        if found[0].isspace() or not found[0].isascii():
            word = found.start()
        pieces += _pieces(found[0])
        if pieces > PIECES:
            cut = word if word > start else found.start()
            borders = [b.end() for b in _BORDER.finditer(text, (start + cut) // 2, cut)]
            return borders[-1] if borders else cut
    return len(text)


def _stretch(text: str, near: int) -> tuple[int, int]:
    """Return a window that begins with the next sentence, or word, after ``near``."""
    if near:
        reach = near + _SEARCH
        border = _BORDER.search(text, near, reach) or _SPACE.search(text, near, reach)
        near = border.end() if border else near
    return near, _end(text, near)


def _tail(text: str) -> int:
    """Return where the last window begins."""
    pieces, start, word = 0.0, len(text), len(text)
    for found in reversed(list(_UNIT.finditer(text, max(0, len(text) - _REACH)))):
        pieces += _pieces(found[0])
        if pieces > PIECES:
            return word if word < len(text) else start
        start = found.start()
        if found[0].isspace() or not found[0].isascii():
            word = found.end() if found[0].isspace() else start
    return start


def _pieces(unit: str) -> float:
    """Estimate how many word pieces a unit makes."""
    size = len(unit)
    if unit.isspace():
        return 0.0
    if not unit.isascii():
        return 3.0 if "\uac00" <= unit <= "\ud7a3" else 1.0
    if unit.isalpha() and (unit[1:].islower() or (unit.isupper() and size < 4)):
        return max(1.06, 0.5 + size * 0.09) if size < 13 else size / 3
    return max(1.1, size * 0.75)
