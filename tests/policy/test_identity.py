"""A thread belongs to the identity that opened it."""

from __future__ import annotations

import pytest

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import ThreadOwnershipError
from langgraph_memory.policy.identity import check_thread

ANA = Scope("acme", "ana")


def test_a_free_thread_is_to_be_bound() -> None:
    assert check_thread("launch", None, ANA) is True


@pytest.mark.parametrize("asker", [ANA, Scope("acme", "ana", project="p", session="launch")])
def test_the_owner_may_go_on_in_any_of_their_circles(asker: Scope) -> None:
    assert check_thread("launch", ANA, asker) is False


@pytest.mark.parametrize(
    "asker",
    [
        Scope("acme", "bob"),
        Scope("acme"),
        Scope("acme2", "ana"),
        Scope("acme", "ANA"),
        Scope("acme", " ana"),
    ],
)
def test_nobody_else_gets_in_not_even_under_the_same_name_elsewhere(asker: Scope) -> None:
    """R46, R92."""
    with pytest.raises(
        ThreadOwnershipError, match="'launch' was opened by another identity"
    ) as caught:
        check_thread("launch", ANA, asker)
    assert "ana" not in str(caught.value)
    assert caught.value.thread_id == "launch"
