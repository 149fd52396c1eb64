r"""Characters: one spelling for each, and which of them make words.

``clean`` brings a text to one spelling (NFKC) before words are looked for: full-width
letters, ligatures, typographic apostrophes and hyphens, invisible marks, decimal digits of
other scripts. Case stays, because camelCase is a word border; ``fold`` takes it away later.

``\w`` knows letters and digits but not the vowel signs of Indic scripts, so ``MARKS``
stands beside it in every pattern; ``UNSPACED`` are the scripts written without spaces
between words.
"""

from __future__ import annotations

import re
import unicodedata

_MARK_BLOCKS = ((0x300, 0x3400), (0xA4D0, 0xAC00), (0xFB00, 0xFE30), (0x10A00, 0x12000),
                (0x16A00, 0x17000), (0x1D165, 0x1D245), (0x1E000, 0x1E960))  # fmt: skip


def _ranges(points: list[int]) -> str:
    """Write sorted code points as the inside of a character class."""
    spans: list[list[int]] = []
    for point in points:
        if spans and spans[-1][1] == point - 1:
            spans[-1][1] = point
        else:
            spans.append([point, point])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in spans)


MARKS = _ranges(
    [
        p
        for low, high in _MARK_BLOCKS
        for p in range(low, high)
        if unicodedata.category(chr(p))[0] == "M"
    ]
)
"""Inside of a character class: combining marks of every script."""

UNSPACED = (
    "\u0e01-\u0e4e\u0e80-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1100-\u11ff\u1780-\u17d3"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"
)
"""Inside of a character class: Han, kana, Hangul, Thai, Lao, Burmese, Khmer."""

# Canonical ordering of marks is quadratic in their number: a megabyte of them takes minutes.
_MARK_RUN = re.compile(f"([{MARKS}]{{16}})[{MARKS}]+")

_DROPPED = [
    *(0x00AD, 0x034F, 0x061C, 0x0640, 0x180E, 0x20E3, 0xFEFF),
    *range(0x0591, 0x05BE),  # Hebrew vowels
    *(*range(0x064B, 0x0660), 0x0670),  # Arabic vowels
    *(*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),  # joiners, direction
    *(*range(0xFE00, 0xFE10), *range(0xE0000, 0xE0200)),  # variants, tags
    *range(0x1F3FB, 0x1F400),  # skin tones
]
_SPELLINGS = {
    "\u2018\u2019\u201b\u02bc\u2032": "'",
    "\u2010\u2011\u2012\u2212\ufe63": "-",
    "\u0622\u0623\u0625\u0671": "\u0627",  # alef, yeh and kaf as Arabic and Persian write them
    "\u0649\u06cc": "\u064a",
    "\u06a9": "\u0643",
    "\u200b": " ",
}
_ZEROS = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u1040"
    "\u17e0"
)
_TABLE: dict[int, str | None] = {
    **dict.fromkeys(_DROPPED),
    **{ord(char): plain for chars, plain in _SPELLINGS.items() for char in chars},
    **{ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)},
}

_ACCENTS = re.compile("(?<=[a-z\u03b1-\u03c9])[\u0300-\u036f]+")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "\u0131": "i", "\u0451": "\u0435"}
)


def clean(text: str) -> str:
    """Return the text in one spelling; lone surrogates and invisible characters are gone."""
    if text.isascii():
        return text
    text = text.encode("utf-8", "ignore").decode("utf-8").replace("\u00b4", "'")
    text = _MARK_RUN.sub(r"\1", text)
    return unicodedata.normalize("NFKC", text).translate(_TABLE)


def fold(word: str) -> str:
    """Return a clean word without case and, in Latin and Greek, without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", parts)).translate(_LETTERS)
