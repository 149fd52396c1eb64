"""Whose words a named message is."""

from __future__ import annotations

import pytest

from langgraph_memory.policy.speakers import is_users


@pytest.mark.parametrize(
    ("speaker", "user", "speakers", "own"),
    [
        ("", "jane", ["Bob", ""], True),
        ("user", "u-123", ["Bob", "user"], True),
        ("Jane", "jane", ["Bob", "Jane"], True),
        ("jane doe", "Jane.Doe@example.com", ["Bob", "jane doe"], True),
        ("JANE.DOE@example.com", "jane.doe@example.com", [], True),
        ("Bob", "jane", ["Bob", "Jane"], False),
        ("Bob", "jane", ["", "Bob"], False),
        ("Jane", "u-123", ["Jane"], True),
        ("Jane", "u-123", ["Jane", "Bob", "Jane"], True),
        ("Bob", "u-123", ["Jane", "Bob"], False),
        ("Bob", "u-123", [], True),
        ("Bob", "bobby", ["", "Bob"], False),
        ("张伟", "u-9", ["王芳", "张伟"], False),
        ("王芳", "u-9", ["王芳", "张伟"], True),
        ("Bob", None, ["", "Bob"], False),
    ],
)
def test_a_named_message_is_the_users_or_another_participants(
    speaker: str, user: str | None, speakers: list[str], own: bool
) -> None:
    """R50: what somebody else says is not pinned on the user."""
    assert is_users(speaker, user, speakers) is own
