"""The words of full-text search: what a text is found by, and what a query asks for.

Law: a query that is a word or phrase of a text shares all its terms with ``tokens`` of that
text. Both sides go through the same function; only runs of unspaced scripts differ: the
index holds each character and each pair, a query asks for the pairs alone, so that 寿司 is
found inside 用户喜欢寿司 and a query of a single character still finds its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from langgraph_memory.text.compounds import LONGEST, Word, expand, word
from langgraph_memory.text.scripts import MARKS, UNSPACED, clean
from langgraph_memory.text.stopwords import stop_words, without_function_words

_W = rf"[\w{MARKS}]+"
_LINK = r"(?:[-./'@+]|(?<=[A-Za-z])&(?=[A-Za-z])|(?<=\d):(?=\d)|(?<=\d),(?=\d{3}(?!\d)))"
_SYMBOLS = "\u2300-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
_WORD = re.compile(
    # @nasa, .NET, $150
    r"(?:(?<![\w@#$€£¥₹.])(?:[@#](?=\w)|\.(?=[A-Za-z]))|(?<![\d@#$€£¥₹])[$€£¥₹](?=\d))?"
    rf"{_W}(?:{_LINK}{_W})*"
    r"(?:\+\+|(?:[+#%]|[$€£¥₹](?!\d))(?![\w+]))?"  # C++, C#, 50%, 150€
    rf"|[\U0001f1e6-\U0001f1ff]{{2}}|[{_SYMBOLS}]"  # flags, emoji
)
_UNSPACED_RUN = re.compile(f"[{UNSPACED}{MARKS}]+")
_HAS_UNSPACED = re.compile(f"[{UNSPACED}]")
_CLUSTER = re.compile(f"[^{MARKS}][{MARKS}]*|[{MARKS}]+")


def tokens(text: str) -> list[str]:
    """Return the words a text is indexed by, repeated as often as they stand in it."""
    return [term for raw in _WORD.findall(clean(text)) for term, _ in _words(raw, index=True)]


def query_terms(text: str) -> list[str]:
    """Return the words a query asks for: each once, stop words left out.

    A query of stop words alone keeps them.
    """
    plain = clean(text)
    asked = without_function_words(plain) if _HAS_UNSPACED.search(plain) else plain
    found = _asked(asked) or _asked(plain)
    stops = stop_words({folded for _, folded in found})
    told = [term for term, folded in found if folded not in stops]
    return list(dict.fromkeys(told or [term for term, _ in found]))


def _asked(text: str) -> list[Word]:
    return [pair for raw in _WORD.findall(text) for pair in _words(raw, index=False)]


def _words(raw: str, *, index: bool) -> Iterable[Word]:
    if raw.isascii():
        if raw.isalpha() and (raw[1:].islower() or len(raw) == 1) and len(raw) <= LONGEST:
            return (word(raw),)
        return expand(raw)
    return _mixed(raw, index=index) if _HAS_UNSPACED.search(raw) else expand(raw)


def _mixed(raw: str, *, index: bool) -> Iterator[Word]:
    start = 0
    for found in _UNSPACED_RUN.finditer(raw):
        yield from _spaced(raw[start : found.start()])
        clusters = _CLUSTER.findall(found[0])
        if index or len(clusters) == 1:
            yield from zip(clusters, clusters, strict=True)
        pairs = ["".join(pair) for pair in pairwise(clusters)]
        yield from zip(pairs, pairs, strict=True)
        start = found.end()
    yield from _spaced(raw[start:])


def _spaced(raw: str) -> tuple[Word, ...]:
    raw = raw.strip("-./'@&+:,")
    return expand(raw) if raw else ()
