"""A message in pieces: its sentences, each where it stands.

What is quoted, or is code, is no sentence of the user's: no piece begins or ends inside of it,
and one that is nothing else is marked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(
    r'"[^"]{0,2000}"|“[^“”]{0,2000}”|„[^„“”]{0,2000}[“”]|«[^«»]{0,2000}»|「[^「」]{0,2000}」'
    r"|『[^『』]{0,2000}』|`[^`\n]{0,500}`"
)
_INSIDE, _FOREIGN = "\ue001", "\ue002"
_ENDS = ".!?…。！？؟।"
_GAP = re.compile(
    r"(?<![.!?…؟।])[.!?…؟।]++[)\]]*+\s+|(?<![。！？])[。！？]++[)）]?\s*+|[;；]\s*+|\n\s*+"
)
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|st|vs|approx|ca|bzw|hr|fr|sr|sra|tel|e\.g|i\.e|z\.\s?b|d\.\s?h"
    r"|u\.\s?a|[ap]\.m|[a-hj-z])$",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(r"\b(?:no|nr)$", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:^|\n)\s*\d{1,2}$")
_DAY = re.compile(r"\b\d{1,2}$")
_MONTH = re.compile(r"[a-zäé]|(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])")
_SMALL = re.compile(r"[a-zà-öø-ÿа-яё]")
_BULLET = re.compile(r"[-*•+]\s|\d{1,2}[.)]\s")
_ORDERING = re.compile(
    r"(?:please\s+|also\s+|and\s+)?(?:remember|forget|correct|stop|don['’]?t|do not|note|keep in"
    r"|delete|erase|thanks?|thank you|what|who|where|when|how|is|can|could)\b",
    re.IGNORECASE,
)
_LONGEST_LOOK = 40


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a message.

    Attributes:
        start, end: Where it stands.
        text: What it says.
        own: Whether it is the user's: no code, and no line quoted from somebody else.
        listed: Whether it is a point of a list.
    """

    start: int
    end: int
    text: str
    own: bool = True
    listed: bool = False


def pieces(message: str) -> list[Piece]:
    """Return the sentences of a message, in order; nothing but white space is left out."""
    hidden = masked(message)
    found: list[Piece] = []
    start = 0
    for border in [*_borders(hidden), len(hidden)]:
        if border > start and (text := message[start:border].strip()):
            begins = start + len(message[start:border]) - len(message[start:border].lstrip())
            own = hidden[begins] != _FOREIGN
            listed = bool(_BULLET.match(text))
            found.append(Piece(begins, begins + len(text), text, own, listed))
        start = max(start, border)
    return found


def masked(message: str) -> str:
    """Return a message of the same length in which quotations and code hold no words."""
    hidden = _CODE.sub(lambda each: _FOREIGN * len(each[0]), message)
    return _QUOTED.sub(_emptied, hidden)


def _emptied(found: re.Match[str]) -> str:
    """Return a quotation without words; a stop at its end is behind it."""
    inner, last = found[0][1:-1], found[0][-1]
    stop = inner[-1:] if inner[-1:] in _ENDS else last
    return found[0][0] + _INSIDE * len(inner) + (stop or last)


def _borders(hidden: str) -> list[int]:
    """Return where sentences begin, beyond the first."""
    found = [each.end() for each in _GAP.finditer(hidden) if _parts(hidden, each)]
    for each in re.finditer(f"{_FOREIGN}+", hidden):
        found += [each.start(), each.end()]
    return sorted(set(found))


def _parts(hidden: str, gap: re.Match[str]) -> bool:
    before = hidden[max(0, gap.start() - _LONGEST_LOOK) : gap.start()]
    after = hidden[gap.end() : gap.end() + _LONGEST_LOOK]
    if "\n" in gap[0] and gap[0].strip() == "":
        wrapped = _SMALL.match(after) and not _BULLET.match(after)
        return not wrapped or bool(_ORDERING.match(after)) or gap[0].count("\n") > 1
    if gap[0].strip() == ".":
        numbered = _ORDINAL.search(before) or (_DAY.search(before) and _MONTH.match(after)
                                               and not _ORDERING.match(after))  # fmt: skip
        counts = _NUMBER_SIGN.search(before) and after[:1].isdigit()
        return not (_ABBREVIATION.search(before) or numbered or counts)
    return True
