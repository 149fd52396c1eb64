"""Credentials under a heading: which cells of a table are read, and which are not."""

from __future__ import annotations

import pytest

from langgraph_memory.text.secrets import find

LINE = 2_000
"""Characters of the longest line that is read as one of a table."""


def found(text: str) -> list[str]:
    return [text[each.start : each.end] for each in find(text)]


@pytest.mark.parametrize(
    ("table", "secrets"),
    [
        ("| user | password |\n|---|:-:|\n| bob | hunter2x |\n| amy | sesame99 |",
         ["hunter2x", "sesame99"]),
        ("user | password\n--- | ---\nbob | hunter2x", ["hunter2x"]),
        ("password | user\n--- | ---\nhunter2x | bob", ["hunter2x"]),
        ("| user | password |\n|---|---|\n| bob |\n| amy | hunter2x |", ["hunter2x"]),
        ("| user | | password |\n|---|---|---|\n| bob | | hunter2x |", ["hunter2x"]),
        ("| name | value |\n|---|---|\n| password | hunter2x |", ["hunter2x"]),
        ("| password |\n|---|\n| `ab12` |\n| ab1 |\n| see the vault |\n| <password> |", ["ab12"]),
        ('{"passwords": ["your-password", "hunter2x", "raw_password", "ses"]}', ["hunter2x"]),
    ],
)  # fmt: skip
def test_what_stands_under_a_heading_is_found(table: str, secrets: list[str]) -> None:
    """R50: with borders and without; a value that is one, and no placeholder."""
    assert found(table) == secrets


@pytest.mark.parametrize(
    "text",
    [
        "| user | colour |\n|---|---|\n| bob | hunter2x |",
        "| user | password |\n| bob | hunter2x |",
        "| password |\n|---|\n\n| hunter2x |",
        "| name | value |\n|---|---|\n\n| password | hunter2x |",
        "| password |\n|---|\nThat was it.\n| hunter2x |",
    ],
)
def test_a_table_begins_with_its_rule_and_ends_where_a_line_is_none_of_it(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(("length", "secrets"), [(LINE, ["hunter2x"]), (LINE + 1, [])])
def test_a_line_that_is_too_long_is_no_row(length: int, secrets: list[str]) -> None:
    row = "| hunter2x | |"
    row = row[:-1] + "x" * (length - len(row)) + "|"
    assert len(row) == length
    assert found(f"| password | note |\n|---|---|\n{row}") == secrets
