"""Credentials under a heading: columns of a table in Markdown, lists in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.text.secrets import words
from langgraph_memory.text.secrets.names import PASSWORD

_HEADING = re.compile(r"[\w -]{0,24}passw(?:or)?[dt]s?", re.IGNORECASE)
_RULE = re.compile(r":?-+:?")
_LIST = re.compile(
    r"[\w-]{0,24}passw(?:or)?ds?[\"']:\s{0,4}\[(?P<items>[^\]\[]{1,2000})\]", re.IGNORECASE
)
_ITEM = re.compile(r"[\"']([^\"'\n]{4,200})[\"']")
_LONGEST_LINE = 2_000

Cell = tuple[int, str]


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each."""
    if "[" in text:
        for listed in _LIST.finditer(text):
            for item in _ITEM.finditer(text, *listed.span("items")):
                if not words.is_placeholder(item[1]) and not words.is_identifier(item[1]):
                    yield *item.span(1), PASSWORD
    if "|" in text and "-" in text:
        yield from _in_tables(text)


def _in_tables(text: str) -> Iterator[tuple[int, int, str]]:
    above: list[Cell] = []
    columns: list[int] = []
    place, ruled = 0, False
    for line in text.split("\n"):
        cells = _cells(line) if "|" in line and len(line) <= _LONGEST_LINE else []
        if not cells:
            columns, ruled = [], False
        elif all(_RULE.fullmatch(cell) for _, cell in cells):
            columns = [at for at, (_, cell) in enumerate(above) if _HEADING.fullmatch(cell)]
            ruled = True
        elif ruled:
            under = [cells[at] for at in columns if at < len(cells)]
            beside = cells[1:] if len(cells) == 2 and _HEADING.fullmatch(cells[0][1]) else []
            for start, value in under or beside:
                if len(value) >= 4 and " " not in value and not words.is_placeholder(value):
                    yield place + start, place + start + len(value), PASSWORD
        above = cells
        place += len(line) + 1


def _cells(line: str) -> list[Cell]:
    """Return the cells of a line, empty ones too: where the text of each begins, and the text."""
    found: list[Cell] = []
    place = 0
    for part in line.split("|"):
        text = part.strip(" \t`*\r")
        found.append((place + (part.find(text) if text else 0), text))
        place += len(part) + 1
    first = 1 if not found[0][1] else 0  # what stands outside a border is no cell
    last = len(found) - 1 if not found[-1][1] else len(found)
    return found[first:last]
