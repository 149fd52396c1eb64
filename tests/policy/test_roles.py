"""The table of roles, against one that was written down by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.policy import access
from langgraph_memory.policy.access import Reach, Standing, as_permission, as_role, permitted

EXPECTED = {
    "owner": {"read", "write", "review", "forget", "administer"},
    "admin": {"read", "write", "review", "forget", "administer"},
    "member": {"read", "write"},
    "reviewer": {"read", "review"},
    "reader": {"read"},
}
GIVES = {
    "owner": {"owner", "admin", "member", "reviewer", "reader"},
    "admin": {"member", "reviewer", "reader"},
}
ROLES = st.none() | st.sampled_from(Role)
PLACES = st.sampled_from([None, "merger", "canteen"])


def roles_by_hand(
    granted: dict[str | None, Role], project: str | None, *, closed: bool
) -> set[str]:
    """Who is what, as the page for users has it."""
    ours = granted.get(None)
    if project is None:
        if ours is not None:
            return {ours.value}
        return set() if closed else {"reader"}
    found = {granted[project].value} if project in granted else set()
    return found | ({ours.value} if ours in (Role.OWNER, Role.ADMIN) else set())


@given(st.dictionaries(PLACES, st.sampled_from(Role)), PLACES, st.sampled_from(Permission),
       st.booleans())  # fmt: skip
def test_a_role_allows_what_the_table_says_and_no_more(
    granted: dict[str | None, Role], project: str | None, permission: Permission, closed: bool
) -> None:
    """R53."""
    standing = Standing(granted, closed=closed)
    ours = roles_by_hand(granted, project, closed=closed)
    assert standing.permits(permission, project) == any(
        permission.value in EXPECTED[role] for role in ours
    )
    for role in Role:
        assert standing.may_give(role, project) == any(
            role.value in GIVES.get(each, ()) for each in ours
        )


@given(st.dictionaries(PLACES, st.sampled_from(Role)), st.sampled_from(Permission))
def test_a_personal_scope_is_its_users_alone_whatever_roles_there_are(
    granted: dict[str | None, Role], permission: Permission
) -> None:
    """R53, R54: an owner of the organization is nobody in a user's own memory."""
    standing, hers = Standing(granted), Scope("acme", "jane", project="merger")
    assert permitted(Scope("acme", "jane"), standing, permission, hers)
    for asker in (
        Scope("acme", "ann"), Scope("acme", acting="jane"), Scope("acme"), Scope("acme2", "jane"),
    ):  # fmt: skip
        assert not permitted(asker, standing, permission, hers)


@given(st.dictionaries(PLACES, st.sampled_from(Role)), st.sampled_from(Permission), PLACES)
def test_a_role_ends_at_the_tenant(
    granted: dict[str | None, Role], permission: Permission, project: str | None
) -> None:
    """R41: also in one whose name looks alike."""
    for tenant in ("acme-corp", "Acme", "acme ", "acme%2E"):
        place = Scope(tenant, project=project)
        assert not permitted(Scope("acme", "jane"), Standing(granted), permission, place)
        assert not permitted(Scope("acme", acting="jane"), Standing(granted), permission, place)
        assert not permitted(Scope("acme"), Standing(granted), permission, place)


@given(st.dictionaries(PLACES, st.sampled_from(Role)), PLACES, PLACES)
def test_nothing_is_within_reach_that_no_role_lets_be_read(
    granted: dict[str | None, Role], named: str | None, kept: str | None
) -> None:
    """R40: to be in a project by name is needed, and is not enough."""
    standing = Standing(granted)
    place = Scope("acme", project=kept).namespace(Kind.SEMANTIC)
    asked = Reach(Scope("acme", "jane", project=named), standing)
    allowed = "read" in {each for role in roles_by_hand(granted, kept, closed=False)
                         for each in EXPECTED[role]}  # fmt: skip
    assert asked.reads(place) == (allowed and kept in (None, named))
    shared = Reach(Scope("acme", project=named, acting="jane"), standing)
    assert shared.reads(place) == (allowed and kept == named)


def test_the_pages_show_the_table() -> None:
    """The module's and docs/access.md say what the table does."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "access.md").read_text("utf-8")
    assert access.__doc__ is not None
    for role, allowed in EXPECTED.items():
        cells = ["yes" if each.value in allowed else "" for each in Permission]
        line = next(each for each in access.__doc__.splitlines() if each.startswith(role))
        places = (10, 16, 23, 31, 39)
        assert [line[start : start + 3].strip() for start in places] == cells, role
        shown = next(each for each in page.splitlines() if each.startswith(f"| {role} |"))
        assert [each.strip() for each in shown.split("|")[2:7]] == cells, role


def test_roles_and_permissions_are_called_by_name() -> None:
    assert [as_role(each.value) for each in Role] == list(Role)
    assert [as_permission(each.value) for each in Permission] == list(Permission)
    with pytest.raises(InvalidInputError, match="no role 'boss'. Use one of: owner"):
        as_role("boss")
    with pytest.raises(InvalidInputError, match="no permission 'fly'. Use one of: read"):
        as_permission("fly")


@pytest.mark.parametrize(("kind", "vouched"), list(product(SourceKind, Verification)))
def test_who_states_in_a_shared_scope_speaks_as_themselves_and_vouches_for_nothing(
    kind: SourceKind, vouched: Verification
) -> None:
    for name in ("jane", "ann"):
        bad = vouched is Verification.VERIFIED or (kind is SourceKind.USER and name != "jane")
        if bad:
            with pytest.raises(InvalidInputError):
                access.check_stating("jane", Source(kind, name), vouched)
        else:
            access.check_stating("jane", Source(kind, name), vouched)
