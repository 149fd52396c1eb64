"""Who is asking, where it is kept, and who may see it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from langgraph.store.base import PutOp, validate_op_namespace

from langgraph_memory.domain.namespace import Namespace, starts_with
from langgraph_memory.domain.scope import (
    MAX_ID_LENGTH,
    Kind,
    Scope,
    circle_of,
    in_memory_root,
    locate,
)
from langgraph_memory.errors import InvalidScopeError

SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
IDS = st.text(st.sampled_from("ab.=%@ U1") | SIGNS, min_size=1, max_size=8).filter(
    lambda text: bool(text.strip())
)
MAYBE = st.none() | IDS
SCOPES = st.builds(Scope, IDS, MAYBE, MAYBE, MAYBE, MAYBE)
KINDS = st.sampled_from(Kind)
FIELDS = ("tenant", "user", "project", "agent", "session")
CIRCLES = list(product((None, "x", "y"), repeat=3))
EVERY_SCOPE = [Scope("a", user, *circles) for user in (None, "a") for circles in CIRCLES] + [
    Scope(tenant, user, *circles)
    for tenant, user in (("a", "b"), ("b", None), ("b", "a"), ("b", "b"))
    for circles in ((None, None, None), ("x", "x", "x"))
]
EVERY_PLACE = [each.namespace(Kind.SEMANTIC) for each in EVERY_SCOPE]

# --- Identities -------------------------------------------------------------------------------


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ("", "is empty"),
        (" ", "is empty"),
        (" \t\n\u3000", "is empty"),
        (7, "is 7, not text"),
        (b"a", "is b'a', not text"),
        (True, "is True, not text"),
        ("x" * (MAX_ID_LENGTH + 1), "is longer than 256 characters"),
        ("a\x00b", "holds a NUL character"),
        ("a\ud800", "holds a lone surrogate, which is not text"),
    ],
    ids=["empty", "space", "white", "int", "bytes", "bool", "long", "nul", "surrogate"],
)
def test_a_malformed_part_is_refused_by_name(field: str, part: Any, problem: str) -> None:
    """B3."""
    with pytest.raises(InvalidScopeError) as caught:
        Scope(**{"tenant": "a", field: part})
    assert (caught.value.field, caught.value.problem) == (field, problem)
    str(caught.value).encode()


def test_a_tenant_is_required() -> None:
    with pytest.raises(InvalidScopeError, match="tenant is None, not text"):
        Scope(None)  # type: ignore[arg-type]


def test_the_longest_id_is_kept_whole() -> None:
    for longest in ("x" * MAX_ID_LENGTH, "寿" * MAX_ID_LENGTH, "." * MAX_ID_LENGTH):
        assert locate(Scope("a", longest).namespace(Kind.SEMANTIC)) == (
            Scope("a", longest),
            Kind.SEMANTIC,
        )


def test_a_scope_cannot_be_changed() -> None:
    scope = Scope("a", "b")
    with pytest.raises(FrozenInstanceError):
        scope.user = "victim"  # type: ignore[misc]
    assert not hasattr(scope, "__dict__")


def test_the_owner_is_the_identity_without_its_circles() -> None:
    assert Scope("t", "u", "p", "a", "s").owner == Scope("t", "u")
    assert Scope("t", None, "p").owner == Scope("t")


# --- Addresses --------------------------------------------------------------------------------


def test_the_namespace_is_written_as_documented() -> None:
    assert Scope("acme", "jane.doe@x.com", "p", "g", "s").namespace(Kind.EPISODIC) == (
        "memory", "t=acme", "u=jane%2Edoe@x%2Ecom", "episodic", "p=p", "a=g", "s=s",
    )  # fmt: skip
    assert Scope("acme").namespace(Kind.SEMANTIC) == ("memory", "t=acme", "org", "semantic")


@given(SCOPES, KINDS)
@example(Scope("a", "org"), Kind.SEMANTIC)
@example(Scope("a", "u=org", "p=x", "s=", "a="), Kind.SEMANTIC)
@example(Scope("memory", "semantic"), Kind.PROCEDURAL)
def test_a_namespace_leads_back_to_its_scope_and_kind(scope: Scope, kind: Kind) -> None:
    """B3."""
    namespace = scope.namespace(kind)
    assert locate(namespace) == (scope, kind)
    assert in_memory_root(namespace)
    assert starts_with(namespace, scope.root)
    validate_op_namespace(PutOp(namespace, "k", {}))


@given(SCOPES, SCOPES, KINDS, KINDS)
def test_two_scopes_never_share_a_namespace(
    one: Scope, other: Scope, kind: Kind, other_kind: Kind
) -> None:
    """B3."""
    same = (one, kind) == (other, other_kind)
    assert (one.namespace(kind) == other.namespace(other_kind)) == same


def test_users_who_differ_in_one_sign_are_different_users() -> None:
    """B3: no case folding, no trimming, no separator that joins."""
    users = ["a.b", "a_b", "a%2Eb", "a%252Eb", " u1 ", "u1", "U1", "org", "u=u1", "é", "e\u0301"]
    places = {Scope("t", user).namespace(Kind.SEMANTIC) for user in users}
    assert len(places) == len(users)
    assert Scope("t").namespace(Kind.SEMANTIC) not in places


PIECES = st.sampled_from(
    [
        "memory",
        "t=a",
        "u=b",
        "org",
        "semantic",
        "episodic",
        "p=x",
        "a=y",
        "s=z",
        "p=",
        "t=",
        "u=",
        "t=%41",
        "u=a%2eb",
    ]
)


@given(st.lists(IDS | PIECES, max_size=7).map(tuple))
def test_whatever_is_located_is_spelled_as_its_scope_spells_it(namespace: Namespace) -> None:
    place = locate(namespace)
    if place is not None:
        scope, kind = place
        assert scope.namespace(kind) == namespace


@pytest.mark.parametrize(
    "namespace",
    [
        (),
        ("memory",),
        ("memory", "t=a"),
        ("memory", "t=a", "u=b"),
        ("Memory", "t=a", "u=b", "semantic"),
        ("other", "t=a", "u=b", "semantic"),
        ("memory", "a", "u=b", "semantic"),
        ("memory", "T=a", "u=b", "semantic"),
        ("memory", "t=", "u=b", "semantic"),
        ("memory", "t=%20", "u=b", "semantic"),
        ("memory", "t=a", "b", "semantic"),
        ("memory", "t=a", "u=", "semantic"),
        ("memory", "t=a", "Org", "semantic"),
        ("memory", "t=a", "org ", "semantic"),
        ("memory", "t=a", "u=b", "facts"),
        ("memory", "t=a", "u=b", "Semantic"),
        ("memory", "t=a", "u=b", "semantic", "x"),
        ("memory", "t=a", "u=b", "semantic", "p="),
        ("memory", "t=a", "u=b", "semantic", "p=x", "p=y"),
        ("memory", "t=a", "u=b", "semantic", "p=x", "p=x"),
        ("memory", "t=a", "u=b", "semantic", "a=x", "p=y"),
        ("memory", "t=a", "u=b", "semantic", "s=x", "a=y"),
        ("memory", "t=a", "u=b", "semantic", "p=x", "extra"),
        ("memory", "t=a", "u=b", "p=x", "semantic"),
        ("memory", "t=a", "u=a/b", "semantic"),
        ("memory", "t=a", "u=a%2eb", "semantic"),
        ("memory", "t=a", "u=a%62", "semantic"),
        ("memory", "t=a", "u=a%20b", "semantic"),
        ("memory", "t=a", "u=寿司", "semantic"),
        ("memory", "t=a", "u=%FF", "semantic"),
        ("memory", "t=a", "u=%ED%A0%80", "semantic"),
        ("memory", "t=a", "u=a%00", "semantic"),
        ("memory", "t=a", "u=" + "x" * 257, "semantic"),
    ],
    ids="/".join,
)
def test_any_other_spelling_is_no_address(namespace: Namespace) -> None:
    """B3: a second spelling of an owner would be a second, unguarded place."""
    assert locate(namespace) is None
    assert circle_of(namespace) == "plain"
    assert not any(each.owns(namespace) or each.reads(namespace) for each in EVERY_SCOPE)


# --- Access -----------------------------------------------------------------------------------


def _may_own(scope: Scope, place: Scope) -> bool:
    """Rewrite the promise: the same owner, and no circle of somebody else's."""
    if (scope.tenant, scope.user) != (place.tenant, place.user):
        return False
    for field in ("project", "agent", "session"):
        mine, theirs = getattr(scope, field), getattr(place, field)
        if mine is not None and theirs is not None and mine != theirs:
            return False
    return True


def test_who_owns_what_in_every_small_world() -> None:
    """B5, R41, R54, R92: all pairs of owners and circles."""
    for scope in EVERY_SCOPE:
        owned = [scope.owns(namespace) for namespace in EVERY_PLACE]
        assert owned == [_may_own(scope, place) for place in EVERY_SCOPE], scope


def test_a_scope_reads_its_own_and_its_organizations() -> None:
    """R54."""
    for scope in EVERY_SCOPE:
        reads = [scope.reads(namespace) for namespace in EVERY_PLACE]
        assert reads == [
            _may_own(scope, place) or _of_the_organization(scope, place) for place in EVERY_SCOPE
        ], scope


def _of_the_organization(scope: Scope, place: Scope) -> bool:
    """Only what stands outside circles, or in a circle that the asker is in."""
    if place.tenant != scope.tenant or place.user is not None:
        return False
    return (
        place.project in (None, scope.project)
        and place.agent in (None, scope.agent)
        and place.session in (None, scope.session)
    )


@given(SCOPES, SCOPES, KINDS)
@example(Scope("a", "b"), Scope("a", "B"), Kind.SEMANTIC)
@example(Scope("a", "b"), Scope("a", "b "), Kind.SEMANTIC)
@example(Scope("a", "a.b"), Scope("a", "a%2Eb"), Kind.SEMANTIC)
@example(Scope("a", "org"), Scope("a"), Kind.SEMANTIC)
def test_nobody_reads_another_identity(one: Scope, other: Scope, kind: Kind) -> None:
    """B5, R41."""
    assume(one.owner != other.owner)
    assert not one.owns(other.namespace(kind))
    assert one.reads(other.namespace(kind)) == _of_the_organization(one, other)


@given(SCOPES, SCOPES, KINDS)
def test_what_a_scope_reads_lies_under_its_circles_and_only_there(
    one: Scope, other: Scope, kind: Kind
) -> None:
    """R41: the prefixes searched are the owners read; the narrower circles are checked after."""
    namespace = other.namespace(kind)
    covered = any(starts_with(namespace, circle) for circle in one.circles)
    assert covered == (other.tenant == one.tenant and other.user in (None, one.user))
    assert covered or not one.reads(namespace)


def test_the_organization_reads_no_users_memory() -> None:
    organization = Scope("a")
    assert organization.circles == (("memory", "t=a", "org"),)
    assert not organization.reads(Scope("a", "b").namespace(Kind.SEMANTIC))


@given(SCOPES, KINDS)
def test_a_scope_always_owns_what_it_writes(scope: Scope, kind: Kind) -> None:
    assert scope.owns(scope.namespace(kind))
    assert scope.owner.owns(scope.namespace(kind))


@pytest.mark.parametrize(
    ("scope", "circle"),
    [
        (Scope("a", "b"), "personal"),
        (Scope("a", "b", agent="g"), "personal"),
        (Scope("a", "b", project="p"), "project"),
        (Scope("a", "b", project="p", session="s"), "session"),
        (Scope("a", "b", session="s"), "session"),
        (Scope("a"), "organization"),
        (Scope("a", project="p", session="s"), "organization"),
    ],
)
def test_an_answer_can_say_whose_knowledge_it_used(scope: Scope, circle: str) -> None:
    """R54."""
    assert circle_of(scope.namespace(Kind.SEMANTIC)) == circle


def test_only_the_first_label_decides_where_the_write_policy_applies() -> None:
    assert in_memory_root(("memory",))
    assert in_memory_root(("memory", "anything", "at all"))
    assert not in_memory_root(())
    assert not in_memory_root(("Memory", "t=a"))
    assert not in_memory_root(("docs", "memory"))
