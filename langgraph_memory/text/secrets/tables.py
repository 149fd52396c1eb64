"""Credentials under a heading: columns of a table in Markdown, lists in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.text.secrets import words
from langgraph_memory.text.secrets.names import PASSWORD

_HEADING = re.compile(r"[\w -]{0,24}passw(?:or)?ds?(?: [\w-]{1,12})?", re.IGNORECASE)
_RULE = re.compile(r"\|?(?:[ \t]{0,8}:?-{1,40}:?[ \t]{0,8}\|?){1,30}")
_LIST = re.compile(
    r"[\w-]{0,24}passw(?:or)?ds?[\"']:\s{0,4}\[(?P<items>[^\]\[]{1,2000})\]", re.IGNORECASE
)
_ITEM = re.compile(r"[\"']([^\"'\n]{4,200})[\"']")
_CELL = re.compile(r"[^|]+")
_LONGEST_LINE = 2_000


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each."""
    if "[" in text:
        for listed in _LIST.finditer(text):
            for item in _ITEM.finditer(text, *listed.span("items")):
                if not words.is_placeholder(item[1]):
                    yield *item.span(1), PASSWORD
    if "|" in text and "--" in text:
        yield from _in_tables(text)


def _in_tables(text: str) -> Iterator[tuple[int, int, str]]:
    above, place = "", 0
    columns: list[int] = []
    for line in text.split("\n"):
        if "|" not in line or len(line) > _LONGEST_LINE:
            columns = []
        elif _RULE.fullmatch(line.strip()):
            columns = [at for at, cell in enumerate(_cells(above)) if _HEADING.fullmatch(cell[2])]
        elif columns:
            cells = _cells(line)
            for start, end, value in (cells[at] for at in columns if at < len(cells)):
                if len(value) >= 4 and " " not in value and not words.is_placeholder(value):
                    yield place + start, place + end, PASSWORD
        above = line
        place += len(line) + 1


def _cells(line: str) -> list[tuple[int, int, str]]:
    """Return the cells of a line: where the text of each begins and ends, and the text."""
    found: list[tuple[int, int, str]] = []
    for cell in _CELL.finditer(line):
        text = cell[0].strip(" \t`*\r")
        if text or found:
            start = cell.start() + cell[0].find(text) if text else cell.start()
            found.append((start, start + len(text), text))
    return found
