"""The truth table of docs/filters.md, cell by cell against the reference."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory.domain import filters
from langgraph_memory.domain.filters import check, matches
from langgraph_memory.domain.json import checked_copy, dumps, loads

PAGE = Path(__file__).resolve().parents[2] / "docs" / "filters.md"
MISSING = "missing"


def lines() -> list[list[str]]:
    """Return the cells of the truth table, its heading first."""
    section = PAGE.read_text(encoding="utf-8").split("## The truth table")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def literal(cell: str) -> Any:
    return ast.literal_eval(cell.strip("`"))


HEADING, _, *ROWS = lines()
VALUES = [{} if cell == MISSING else {"x": literal(cell)} for cell in HEADING[1:]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_cell_of_the_documented_table_is_what_happens(row: list[str]) -> None:
    """B45."""
    wanted = {"x": literal(row[0])}
    check(wanted)
    found = [matches(loads(dumps(checked_copy(value))), wanted) for value in VALUES]
    assert dict(zip(HEADING[1:], row[1:], strict=True)) == {
        name: "✓" if met else "·" for name, met in zip(HEADING[1:], found, strict=True)
    }


def test_the_table_knows_every_operator_and_every_kind_of_value() -> None:
    named = {name for row in ROWS for name in re.findall(r"\$[a-z]+", row[0])}
    assert named == {*filters._OPERATORS, "$not"}
    kinds = [type(value.get("x", MISSING)).__name__ for value in VALUES]
    assert kinds == ["int", "int", "float", "bool", "NoneType", "str", "list", "dict", "str"]
    assert VALUES[1]["x"] > 2**53


def test_the_page_explains_every_operator() -> None:
    text = PAGE.read_text(encoding="utf-8").split("## The truth table")[0]
    for name in (*filters._OPERATORS, *filters._LOGIC):
        assert f"`{name}`" in text
