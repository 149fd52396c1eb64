"""Names, codes and numbers: found whole, and found in parts.

``multi-agent`` becomes multiagent, multi, agent; ``jane.doe@example.com`` itself and its
parts; ``getUserId`` and ``user_id`` by part. Hyphens, underscores and inner apostrophes are
not part of the whole (e-mail is email), but between digits they are (2023-05-08), and so
are all other connectors: ``1.2.3`` is not ``123``, ``C++`` is not ``C``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from langgraph_memory.text.scripts import fold
from langgraph_memory.text.stems import stem

LONGEST = 64
"""Characters kept of a word; longer ones (hashes, base64) are cut there."""

_MOST_PARTS = 4
_PREFIXES = "@#$€£¥₹."
_SUFFIX = re.compile(r"(?:\+\+|[+#%$€£¥₹])$")
_CLITIC = re.compile(r"(?i)(?<=\w)'(?:s|m|re|ve|ll|d)$")
_NEGATED = re.compile(
    r"(?i)(?:ai|are|ca|could|did|do|does|had|has|have|is|might|must|need|sha|should|was|were|wo"
    r"|would)n't"
)
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt_](\d\d:[\w:.+-]*)")
_STRONG = re.compile(r"[/@:&+]")
_WEAK = re.compile(r"[-_.']+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_PLAIN = re.compile(r"[-_']")
_CLOCK = re.compile(r"0?(\d?\d:\d\d)[\d.:]*(?:[Zz]|[-+][\d:]+)?")
_NUMBER = re.compile(r"[\d.]+")
_DATE = re.compile(r"[\d-]+")
_VERSION = re.compile(r"v?((\d+\.\d+)\.[\w.]+)", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_RUN = re.compile(r"[A-Za-z]+|\d+")
_SUB = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

Word = tuple[str, str]
"""A term as it stands in the index, and the folded word it was made from."""


def expand(raw: str) -> tuple[Word, ...]:
    """Return the words of one compound that was cut out of a clean text, each once."""
    return _remembered(raw) if len(raw) <= LONGEST else _distinct(raw)


def _distinct(raw: str) -> tuple[Word, ...]:
    return tuple(dict.fromkeys(pair for pair in _expand(raw) if pair[0]))


_remembered = lru_cache(maxsize=16_384)(_distinct)


def forget() -> None:
    """Drop every word remembered in this process for speed, after an erasure."""
    _remembered.cache_clear()
    stem.cache_clear()


def _expand(raw: str) -> Iterator[Word]:
    prefix = raw[0] if raw[0] in _PREFIXES else ""
    body = _THOUSANDS.sub("", raw[len(prefix) :])
    found = _SUFFIX.search(body)
    suffix = found[0] if found else ""
    core = body[: len(body) - len(suffix)].strip("_")
    if core and (prefix or suffix):
        yield _exactly(prefix + fold(core) + suffix)
        if len(core) == 1 and not core.isdigit():  # C++ and C# are not C
            return
    yield from _connected(core)


def _connected(core: str) -> Iterator[Word]:
    if _NEGATED.fullmatch(core):
        yield _exactly("not")
        return
    if clock := _CLOCK.fullmatch(core):
        yield from (_exactly(fold(core)), _exactly(clock[1]))
        return
    if instant := _INSTANT.fullmatch(core):
        yield _exactly(fold(core))
        yield from _hyphened(instant[1])
        yield from _connected(instant[2])
        return
    pieces = [piece for piece in _STRONG.split(core) if piece]
    if len(pieces) > 1:
        yield _exactly(fold(core))
    for piece in pieces:
        if len(pieces) == 1 or len(piece) > 1 or piece.isdigit():
            yield from _hyphened(_CLITIC.sub("", piece))


def _hyphened(piece: str) -> Iterator[Word]:
    atoms = [atom for atom in _WEAK.split(piece) if atom]
    if len(atoms) < 2:
        yield from (pair for atom in atoms for pair in _atom(atom))
    elif all(len(atom) == 1 and atom.isalpha() for atom in atoms):  # U.S.A.
        yield word("".join(atoms))
    elif _NUMBER.fullmatch(piece) or _VERSION.fullmatch(piece):
        yield from _numbers(piece)
    else:
        plain = "." in piece or _DATE.fullmatch(piece)
        yield word(piece if plain else _PLAIN.sub("", piece))
        for atom in atoms:
            if len(atom) > 1 or atom.isdigit():
                yield from _atom(atom)


def _numbers(piece: str) -> Iterator[Word]:
    yield _exactly(fold(piece))
    if version := _VERSION.fullmatch(piece):
        yield from (_exactly(fold(part)) for part in version.groups())


def _atom(atom: str) -> Iterator[Word]:
    yield word(atom)
    ordinal = _ORDINAL.fullmatch(atom)
    if ordinal:
        yield word(ordinal[1])
    elif atom.isascii() and len(atom) <= LONGEST:
        parts = _SUB.findall(atom)
        if _telling(parts):
            parts = [*_RUN.findall(atom), *parts]
            yield from (word(part) for part in parts if len(part) > 1 or part.isdigit())


def _telling(parts: list[str]) -> bool:
    """Tell parts worth finding (iPhone 15, XMLHttpRequest) from the crumbs of a hash."""
    if len(parts) < 3:
        return len(parts) == 2
    return len(parts) <= _MOST_PARTS and any(part[1:].isalpha() for part in parts)


def word(raw: str) -> Word:
    """Return one word of a clean text as it stands in the index."""
    folded = fold(raw)
    if folded.isascii() and folded.isalpha() and len(folded) <= LONGEST:
        return stem(folded), folded
    if folded.isdigit() and len(folded) == 2:  # 08 is 8
        return folded.lstrip("0") or "0", folded
    return _exactly(folded)


def _exactly(folded: str) -> Word:
    cut = folded[:LONGEST]
    return cut, cut
