"""Shared scopes: who reads, who states, who decides; at every way in (R40, R41, R53, R54)."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import (
    AccessDeniedError,
    InvalidInputError,
    InvalidScopeError,
    NotFoundError,
    OwnClaimError,
    UnreviewedError,
)
from langgraph_memory.operations.access import acting
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.operations.recall import Recall
from langgraph_memory.policy.access import MAY
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.testing import HashingEmbedder

PRICE = "The merger price is 9 billion"
QUESTION = "What is the merger price?"

DEEDS: dict[str, tuple[str, Callable[[ScopedMemory, str], Any]]] = {
    "remember": ("write", lambda us, _: us.remember("Refunds take a week")),
    "correct": ("write", lambda us, ref: us.correct(ref, "The limit is 200 dollars")),
    "recall": ("read", lambda us, _: us.recall("What is the limit?")),
    "seek": ("read", lambda us, _: us.seek("What is the limit?")),
    "unread": ("read", lambda us, _: us.unread()),
    "with_passing": ("read", lambda us, _: us.with_passing(Recall("What is the limit?"), [])),
    "skim": ("read", lambda us, _: us.skim("What is the limit?")),
    "cite": ("read", lambda us, ref: us.cite([ref])),
    "contradicted": ("read", lambda us, _: us.contradicted(Told("The limit is 7"), [])),
    "inspect": ("read", lambda us, ref: us.inspect(ref)),
    "explain": ("read", lambda us, ref: us.explain(ref)),
    "contents": ("read", lambda us, _: us.contents()),
    "confirm": ("review", lambda us, ref: us.confirm(ref, by="billing")),
    "invalidate": ("review", lambda us, ref: us.invalidate(ref)),
    "restore": ("review", lambda us, ref: us.restore(ref, 1)),
    "approve": ("review", lambda us, _: us.approve("waiting")),
    "reject": ("review", lambda us, _: us.reject("waiting")),
    "forget": ("forget", lambda us, ref: us.forget(ref)),
    "grant": ("administer", lambda us, _: us.grant("new", "reader")),
    "revoke": ("administer", lambda us, _: us.revoke("new")),
    "losses": ("administer", lambda us, _: us.losses()),
    "roles": ("administer", lambda us, _: us.roles()),
}
ALONE: dict[str, Callable[[ScopedMemory], Any]] = {
    "capture": lambda us: us.capture([Utterance("t", "m", "user", "hello")]),
    "claim": lambda us: us.claim("t"),
    "transcript": lambda us: us.transcript("t"),
    "import": lambda us: us.import_conversation("talk", []),
    "purge": lambda us: us.purge(),
}


def kept(home: Home, project: str | None) -> str:
    """Keep a fact and a proposal in a shared scope; return the fact's id."""
    ours = home.memory.scope(tenant="acme", project=project)
    ours.remember("The limit is 50 dollars", key="limit")
    done = ours.remember("The limit is 100 dollars", key="limit")
    page = Source(SourceKind.WEB, "https://example.org")
    ours.remember("The colour is blue", key="waiting")
    ours.remember("The colour is red", key="waiting", source=page)
    return done.id


@pytest.mark.parametrize("project", [None, "merger"])
@pytest.mark.parametrize("role", [None, *Role])
def test_each_deed_asks_for_its_permission_first(
    home: Home, role: Role | None, project: str | None
) -> None:
    """R53: every method of what is shared, for every role."""
    reference = kept(home, project)
    if role is not None:
        home.memory.grant("acme", "jane", role, project=project, by="ops")
    us = home.memory.scope(tenant="acme", user="jane").shared(project)
    allowed = MAY[role] if role else ({"read"} if project is None else set())
    place = "the organization 'acme'" if project is None else "the project 'merger' of 'acme'"
    before = home.memory.scope(tenant="acme", project=project).contents()
    for permission, act in DEEDS.values():
        if permission in allowed:
            continue
        with pytest.raises(AccessDeniedError) as caught:
            act(us, reference)
        assert (caught.value.user, caught.value.permission) == ("jane", permission)
        assert f"'jane' may not {permission} in {place}: that needs the role" in str(caught.value)
        assert "or owner. Ask an owner or an admin" in str(caught.value)
    assert home.memory.scope(tenant="acme", project=project).contents().records == before.records
    for permission, act in DEEDS.values():
        if permission in allowed:
            act(us, kept(home, project))


@pytest.mark.parametrize("deed", ALONE)
def test_what_is_one_owners_alone_is_not_done_in_a_shared_scope(home: Home, deed: str) -> None:
    """R61: not even by an owner of it: a purge of the organization is the program's."""
    home.memory.grant("acme", "jane", "owner", by="ops")
    us = home.memory.scope(tenant="acme", user="jane").shared()
    us.remember("Refunds take a week")
    with pytest.raises(InvalidScopeError, match="acts in a shared scope"):
        ALONE[deed](us)
    assert us.contents().total == 1


def test_no_method_is_forgotten_here() -> None:
    """A new way into memory must say what it needs."""
    public = {name for name in dir(ScopedMemory) if not name.startswith("_")}
    of_nobody = {
        "bound", "context", "shared", "authorize", "why", "validate", "has_vectors", "vectors",
        "procedures", "answering",
    }  # fmt: skip
    threads = {
        "propose", "obey", "decline", "ask_back", "is_meant", "where_said", "failed", "failures",
            "prune", "is_own",
        "is_unclaimed", "check_event", "check_thread", "queued", "said", "import_conversation",
        "closed",
    }  # fmt: skip
    assert public - of_nobody - threads - {*DEEDS} - {*ALONE} == set()


# --- Reading ------------------------------------------------------------------------------------


def test_naming_a_project_lets_nobody_read_what_the_organization_keeps_in_it(home: Home) -> None:
    """R40, R41: it enters no candidate set, no count, no verdict, no citation, no list."""
    told = home.memory.scope(tenant="acme", project="merger").remember(PRICE, key="price")
    jane = home.memory.scope(tenant="acme", user="jane", project="merger")
    for question in (QUESTION, "price", PRICE):
        assert jane.seek(question).candidates == ()
        found = jane.recall(question)
        assert (found.evidence, found.rejected, found.stored) == ((), (), 0)
        assert jane.skim(question) == []
    assert jane.cite([told.id]) == []
    home.memory.grant("acme", "jane", "reader", project="merger", by="ops")
    assert [hit.content for hit in jane.recall(QUESTION).evidence] == [PRICE]
    assert jane.skim(QUESTION)
    assert jane.recall(QUESTION).stored == 1
    assert [each.content for each in jane.cite([told.id])] == [PRICE]


@pytest.mark.parametrize("index", ["exact", "chroma"])
@pytest.mark.parametrize("warm", [False, True])
def test_a_closed_project_changes_nothing_of_what_is_read(
    tmp_path: Path, index: Any, warm: bool
) -> None:
    """R40, R41: neither by its words nor by its numbers, nor by crowding out what may be read."""
    seen = []
    for secrets in (0, 80):
        settings = Settings.model_construct(index=index)
        path = tmp_path / f"{secrets}"
        with open_memory(path, settings=settings, embedder=HashingEmbedder()) as home:
            ours = home.memory.scope(tenant="acme")
            ours.remember("The launch party of all departments is on Monday", key="launch_date")
            ours.remember("The boat leaves at noon")
            merger = home.memory.scope(tenant="acme", project="merger")
            for number in range(secrets):
                merger.remember(f"Launch party boat {number}")
            jane = home.memory.scope(tenant="acme", user="jane", project="merger")
            question = "When is the launch party of the boat?"
            if warm:
                for _ in range(2):
                    jane.seek(question)
            found = jane.seek(question)
            seen.append([(each.semantic, each.lexical, each.matched) for each in found.candidates])
            assert found.stored == 2
    assert len(seen[0]) == 2
    assert seen[0] == seen[1]


def test_an_admin_of_the_organization_is_one_in_its_projects_and_a_member_is_not(
    home: Home,
) -> None:
    kept(home, "merger")
    for user, role in (("ann", "admin"), ("bob", "member")):
        home.memory.grant("acme", user, role, by="ops")
    ann, bob = (home.memory.scope(tenant="acme", user=user) for user in ("ann", "bob"))
    assert ann.shared("merger").contents().total == 2
    with pytest.raises(AccessDeniedError):
        bob.shared("merger").contents()


def test_the_operator_may_close_the_organization(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """R53: then only whoever was granted a role reads it; the program itself still does."""
    monkeypatch.setenv("MEMORY_ORGANIZATION", "closed")
    with open_memory(tmp_path / "home", settings=Settings.load()) as home:
        home.memory.scope(tenant="acme").remember("Deployments are frozen in December")
        jane = home.memory.scope(tenant="acme", user="jane")
        assert jane.recall("When are deployments frozen?").stored == 0
        with pytest.raises(AccessDeniedError):
            jane.shared().recall("When are deployments frozen?")
        home.memory.grant("acme", "jane", "reader", by="ops")
        assert jane.recall("When are deployments frozen?").evidence
        assert home.memory.scope(tenant="acme").contents().total == 1


def test_what_is_shared_is_that_place_alone(home: Home) -> None:
    """R54: the organization without its projects, a project without the organization."""
    home.memory.grant("acme", "jane", "owner", by="ops")
    jane = home.memory.scope(tenant="acme", user="jane", project="merger")
    jane.shared().remember("Deployments are frozen in December", key="freeze")
    jane.shared("merger").remember(PRICE, key="price")
    jane.remember("I like tea", key="drink")
    for project, key in ((None, "freeze"), ("merger", "price")):
        us = jane.shared(project)
        assert [each.record.key for each in us.contents().records] == [key]
        assert us.recall("What is known about the merger price or a deployment freeze?").stored == 1
        for other in {"freeze", "price", "drink"} - {key}:
            with pytest.raises(NotFoundError):
                us.inspect(other)


def test_a_look_alike_tenant_gives_nothing(home: Home) -> None:
    """R41: an owner of one tenant is nobody in another whose name looks alike."""
    home.memory.scope(tenant="acme").remember("Deployments are frozen in December")
    for tenant in ("acme-corp", "ACME", "acme.", "acme%2E", "t=acme"):
        home.memory.grant(tenant, "jane", "owner", by="ops")
        jane = home.memory.scope(tenant=tenant, user="jane")
        assert jane.shared().contents().total == 0
        assert home.memory.roles("acme") == []


# --- Stating and deciding -----------------------------------------------------------------------


def test_an_answer_says_who_stated_it(home: Home) -> None:
    """R54: the acting user is the source, for others by name, for themselves "you"."""
    home.memory.grant("acme", "jane", "member", by="ops")
    jane, bob = (home.memory.scope(tenant="acme", user=user) for user in ("jane", "bob"))
    told = jane.shared().remember("The launch moved to Monday", key="launch_date")
    [hit] = bob.recall("When is the launch?").evidence
    [cited] = bob.cite([told.id])
    assert (cited.source, cited.scope) == ("jane", "organization")
    assert jane.cite([told.id])[0].source == "you"
    assert "Said by jane" in bob.why(hit).text
    assert hit.version.provenance.source == Source(SourceKind.USER, "jane")
    assert hit.version.provenance.author == "jane"
    assert home.memory.verify().whole


@pytest.mark.parametrize("deed", ["approve", "confirm", "restore"])
@pytest.mark.parametrize("role", ["admin", "owner"])
def test_nobody_decides_about_what_they_stated_themselves(home: Home, role: str, deed: str) -> None:
    """R53: whatever their role, and whatever source they named."""
    for user in ("jane", "bob"):
        home.memory.grant("acme", user, role, by="ops")
    jane, bob = (home.memory.scope(tenant="acme", user=user).shared() for user in ("jane", "bob"))
    if deed == "approve":
        jane.remember("The limit is 50 dollars", key="limit")
        page = Source(SourceKind.DOCUMENT, "terms.pdf")
        assert jane.remember("The limit is 90", key="limit", source=page).effect is Effect.HOLD
    else:
        jane.remember("The limit is 90", key="limit")
    act: Callable[[ScopedMemory], Any] = {
        "approve": lambda us: us.approve("limit"),
        "confirm": lambda us: us.confirm("limit", by="billing"),
        "restore": lambda us: us.restore("limit", 1),
    }[deed]
    if deed == "restore":
        bob.remember("The limit is 70", key="limit")
    with pytest.raises(OwnClaimError, match="'jane' stated 'limit'.*Ask another reviewer"):
        act(jane)
    act(bob)
    head = bob.inspect("limit").record.head
    assert "bob" in head.provenance.reason
    assert head.value == {"content": "The limit is 90"}


def test_the_programs_own_handle_lets_no_proposer_approve_by_name(home: Home) -> None:
    home.memory.grant("acme", "jane", "member", by="ops")
    page = Source(SourceKind.DOCUMENT, "terms.pdf")
    us = home.memory.scope(tenant="acme", user="jane").shared()
    us.remember("Refunds take a week", key="refunds")
    us.remember("Refunds take a year", key="refunds", source=page)
    ours = home.memory.scope(tenant="acme")
    with pytest.raises(OwnClaimError):
        ours.approve("refunds", by=" jane ")
    assert ours.approve("refunds", by="Ann").status is Status.ACTIVE


def test_a_way_of_working_that_is_stated_for_all_waits_for_a_review(home: Home) -> None:
    """R52: an owner's, too."""
    home.memory.grant("acme", "jane", "owner", by="ops")
    home.memory.grant("acme", "bob", "reviewer", by="ops")
    jane, bob = (home.memory.scope(tenant="acme", user=user).shared() for user in ("jane", "bob"))
    told = jane.remember("Always deploy on Mondays", kind="procedural", key="deploy")
    assert told.effect is Effect.HOLD
    with pytest.raises(UnreviewedError, match="no results"):
        bob.approve("deploy")
    task = ("on a Tuesday", "Tuesday", lambda answer: answer == "wait")
    jane.procedures.test("deploy", [task], lambda text, day: "wait")
    with pytest.raises(OwnClaimError):
        jane.approve("deploy")
    assert bob.approve("deploy").status is Status.ACTIVE
    assert bob.inspect("deploy").record.head.provenance.approved_by == "bob"


def test_a_reviewer_is_who_acts_and_no_name_that_is_given(home: Home) -> None:
    kept(home, None)
    home.memory.grant("acme", "bob", "reviewer", by="ops")
    bob = home.memory.scope(tenant="acme", user="bob").shared()
    for decide in (bob.approve, bob.reject):
        with pytest.raises(InvalidInputError, match="here 'bob' decides"):
            decide("waiting", by="ann")
    bob.reject("waiting", by="bob")


def test_a_statement_speaks_for_nobody_else_and_vouches_for_nothing(home: Home) -> None:
    home.memory.grant("acme", "jane", "owner", by="ops")
    us = home.memory.scope(tenant="acme", user="jane").shared()
    with pytest.raises(InvalidInputError, match="'jane' speaks, not 'bob'"):
        us.remember("The limit is 90", source=Source(SourceKind.USER, "bob"))
    with pytest.raises(InvalidInputError, match="nobody vouches"):
        us.remember("The limit is 90", verification=Verification.VERIFIED)
    assert us.contents().total == 0


# --- Roles --------------------------------------------------------------------------------------


def test_roles_are_granted_replaced_listed_and_taken_away(home: Home) -> None:
    memory = home.memory
    first = memory.grant("acme", "jane", "reader", by="ops")
    again = memory.grant("acme", "jane", "member", by=" ops ")
    other = memory.grant("acme", "jane", "owner", project="merger", by="ops")
    assert memory.roles("acme") == [again]
    assert memory.roles("acme", "merger") == [other]
    assert (again.by, again.role) == ("ops", Role.MEMBER)
    assert again.at >= first.at
    assert memory.revoke("acme", "jane", by="ops") is Role.MEMBER
    assert memory.revoke("acme", "jane", by="ops") is None
    assert memory.roles("acme") == []
    assert memory.roles("acme", "merger") == [other]


@pytest.mark.parametrize("permission", ["read", "write"])
def test_each_transaction_asks_anew_whether_the_role_is_still_there(
    home: Home, permission: str
) -> None:
    """R53: what was allowed when a call began is refused in its next transaction, read or write."""
    home.memory.grant("acme", "jane", "member", project="merger", by="ops")
    place = Scope("acme", project="merger", acting="jane")
    database = acting(home.memory._engine, place, Permission(permission)).database
    with database.read() as tx:
        assert tx.records.live(place.root, now=datetime.now(UTC)) == []
    with database.write():
        pass
    home.memory.revoke("acme", "jane", project="merger", by="ops")
    for door in (database.read, database.write):
        with pytest.raises(AccessDeniedError, match="'jane' may not"), door():
            pytest.fail("the door is open")


def test_who_took_a_role_away_is_kept_until_it_is_given_again_or_purged(home: Home) -> None:
    """R53, R57: taking is a deed like giving."""
    memory = home.memory
    for user, role in (("jane", "member"), ("bob", "reader"), ("ann", "admin")):
        memory.grant("acme", user, role, by="ops")
    memory.revoke("acme", "jane", by=" olga ")
    memory.scope(tenant="acme", user="ann").shared().revoke("bob")
    told = memory.losses("acme")
    assert [(each.user, each.role, each.by) for each in told] == [
        ("bob", Role.READER, "ann"), ("jane", Role.MEMBER, "olga"),
    ]  # fmt: skip
    assert memory.scope(tenant="acme", user="ann").shared().losses() == told
    assert memory.losses("acme", "merger") == memory.losses("other") == []
    assert [each.user for each in memory.roles("acme")] == ["ann"]
    assert memory.verify().whole
    with pytest.raises(AccessDeniedError):
        memory.scope(tenant="acme", user="jane").shared().remember("x y")
    with pytest.raises(AccessDeniedError):
        memory.scope(tenant="acme", user="jane").shared().losses()
    with pytest.raises(InvalidInputError, match="gives or takes"):
        memory.revoke("acme", "ann", by=" ")
    memory.grant("acme", "jane", "reader", by="ops")
    assert [each.user for each in memory.losses("acme")] == ["bob"]
    memory.scope(tenant="acme", user="ann").purge()
    assert [(each.user, each.by) for each in memory.losses("acme")] == [("bob", "")]
    assert memory.scope(tenant="acme", user="bob").purge().removed["grants"] == 1
    assert memory.losses("acme") == []


def test_a_grant_that_cannot_be_is_refused_by_name(home: Home) -> None:
    grant = home.memory.grant
    with pytest.raises(InvalidInputError, match="no role 'boss'"):
        grant("acme", "jane", "boss", by="ops")
    with pytest.raises(InvalidInputError, match="Nobody is named who gives"):
        grant("acme", "jane", "owner", by=" ")
    with pytest.raises(InvalidScopeError, match="user is empty"):
        grant("acme", "", "owner", by="ops")
    with pytest.raises(InvalidInputError, match="lone surrogate"):
        grant("acme", "jane", "owner", by="\ud800")
    with pytest.raises(InvalidScopeError, match="lone surrogate"):
        home.memory.revoke("acme", "\ud800", by="ops")
    with pytest.raises(InvalidScopeError, match="project is empty"):
        grant("acme", "jane", "owner", project="", by="ops")
    assert home.memory.roles("acme") == []


def test_an_admin_makes_no_owner_and_takes_none_away(home: Home) -> None:
    """R53: nobody escalates by what they may give."""
    for user, role in (("ann", "admin"), ("olga", "owner"), ("bob", "member")):
        home.memory.grant("acme", user, role, by="ops")
    ann, olga = (home.memory.scope(tenant="acme", user=user).shared() for user in ("ann", "olga"))
    for user, role in (("ann", "owner"), ("bob", "owner"), ("bob", "admin"), ("olga", "reader")):
        with pytest.raises(AccessDeniedError, match="give or take the role (owner|admin)"):
            ann.grant(user, role)
    with pytest.raises(AccessDeniedError):
        ann.revoke("olga")
    assert ann.grant("bob", "reviewer").by == "ann"
    assert olga.grant("bob", "owner").by == "olga"
    assert {each.user: each.role for each in olga.roles()} == {
        "ann": Role.ADMIN, "bob": Role.OWNER, "olga": Role.OWNER,
    }  # fmt: skip


def test_roles_are_of_shared_scopes_and_shared_scopes_are_entered_by_somebody(home: Home) -> None:
    me = home.memory.scope(tenant="acme", user="jane")
    for call in (me.roles, lambda: me.grant("bob", "owner"), lambda: me.revoke("bob")):
        with pytest.raises(InvalidScopeError, match="roles are in shared"):
            call()
    with pytest.raises(InvalidScopeError, match="somebody has to act"):
        home.memory.scope(tenant="acme").shared()
    with pytest.raises(InvalidScopeError, match="user's own memory"):
        Scope("acme", "jane", acting="jane")


def test_a_statement_grants_nothing_whatever_it_says(home: Home) -> None:
    """R53, R57: not by its words, its metadata, its key or its source."""
    us = home.memory.scope(tenant="acme")
    us.remember(
        "jane is the owner of acme", key="role", metadata={"role": "owner", "grant": "jane"}
    )
    us.remember("role: owner", key="jane", verification="verified",
                source=Source(SourceKind.SYSTEM, "directory"))  # fmt: skip
    jane = home.memory.scope(tenant="acme", user="jane")
    jane.remember("I am an admin", metadata={"role": "admin", "permissions": ["write"]})
    with pytest.raises(AccessDeniedError):
        jane.shared().remember("The limit is 900 dollars")
    with pytest.raises(AccessDeniedError):
        jane.authorize("write")


OTHER = """
import sys
from langgraph_memory import open_memory
from langgraph_memory.testing import HashingEmbedder
with open_memory(sys.argv[1], embedder=HashingEmbedder()) as home:
    for act in sys.argv[2].split():
        getattr(home.memory, act)("acme", "jane", **({"role": "reader"} if act == "grant" else {}),
                                  project="merger", by="ops")
"""


def test_what_another_process_takes_away_is_gone_at_the_next_call(tmp_path: Path) -> None:
    """R53: in what is held in memory, too."""
    path = tmp_path / "home"

    def elsewhere(act: str) -> None:
        subprocess.run([sys.executable, "-c", OTHER, str(path), act], check=True)

    with open_memory(path, embedder=HashingEmbedder()) as home:
        home.memory.scope(tenant="acme", project="merger").remember(PRICE)
        jane = home.memory.scope(tenant="acme", user="jane", project="merger")
        us = jane.shared("merger")
        for _ in range(2):
            elsewhere("grant")
            for _ in range(3):
                assert [hit.content for hit in jane.recall(QUESTION).evidence] == [PRICE]
            sought = jane.seek(QUESTION)
            ours = us.seek(QUESTION)
            assert us.contents().total == 1
            elsewhere("revoke")
            assert jane.recall(QUESTION).stored == 0
            late = jane.validate(sought)
            assert (late.evidence, late.rejected) == ((), ())
            with pytest.raises(AccessDeniedError):
                us.contents()
            with pytest.raises(AccessDeniedError):
                us.validate(ours)


def test_a_role_that_is_taken_away_in_the_middle_of_a_write_stops_it(home: Home) -> None:
    """R53: it is asked again in the transaction that writes."""
    home.memory.grant("acme", "jane", "member", by="ops")
    us = home.memory.scope(tenant="acme", user="jane").shared()

    class Leaving(dict[str, Any]):
        """Metadata that is read after the first look at the role."""

        def items(self) -> Any:
            home.memory.revoke("acme", "jane", by="ops")
            return super().items()

    with pytest.raises(AccessDeniedError):
        us.remember("The limit is 900 dollars", metadata=Leaving(tier="gold"))
    assert home.memory.scope(tenant="acme").contents().total == 0


def test_a_purge_takes_the_roles_and_the_name(home: Home) -> None:
    """R61: of a user, their roles and their name on those of others; of a tenant, all."""
    memory = home.memory
    memory.grant("acme", "jane", "owner", by="ops")
    memory.grant("acme", "jane", "owner", project="merger", by="ops")
    memory.scope(tenant="acme", user="jane").shared().grant("bob", "member")
    memory.grant("acme-corp", "jane", "owner", by="ops")
    receipt = memory.scope(tenant="acme", user="jane").purge()
    assert (receipt.removed["grants"], receipt.remaining["grants"]) == (2, 0)
    assert [(each.user, each.by) for each in memory.roles("acme")] == [("bob", "")]
    memory.grant("acme", "ann", "member", project="merger", by="ops")
    assert memory.scope(tenant="acme").purge().removed["grants"] == 2
    assert memory.roles("acme") == memory.roles("acme", "merger") == []
    assert [each.user for each in memory.roles("acme-corp")] == ["jane"]


def test_a_role_that_cannot_be_read_is_none_and_is_told(home: Home) -> None:
    """A damaged grant opens nothing."""
    home.memory.grant("acme", "jane", "owner", by="ops")
    with closing(sqlite3.connect(home.path / "memory.sqlite")) as sql, sql:
        sql.execute("UPDATE grants SET role = 'emperor'")
    assert home.memory.roles("acme") == []
    with pytest.raises(AccessDeniedError):
        home.memory.scope(tenant="acme", user="jane").authorize("write")
    told = [each for each in home.memory.verify().checks if each.name == "grants"]
    assert [fault.problem for fault in told[0].faults] == ["its role cannot be read"]


# --- Once more before an action -----------------------------------------------------------------


def test_authorize_tells_who_may_act_and_on_what(home: Home) -> None:
    home.memory.grant("acme", "jane", "member", by="ops")
    jane = home.memory.scope(tenant="acme", user="jane")
    told = jane.shared().remember("The limit is 90", key="limit")
    done = jane.authorize("write", roles=["member", "owner"], evidence=[told.id],
                          verified="user-stated")  # fmt: skip
    assert (done.tenant, done.user, done.project) == ("acme", "jane", None)
    assert (done.roles, done.evidence) == ((Role.MEMBER,), {told.id: "The limit is 90"})
    assert jane.shared().authorize("write").user == "jane"
    with pytest.raises(AccessDeniedError, match="needs the role admin or owner"):
        jane.authorize(roles=["admin", "owner"])
    with pytest.raises(AccessDeniedError):
        jane.authorize("write", project="merger")
    with pytest.raises(InvalidInputError, match="Nothing is asked"):
        jane.authorize()
    with pytest.raises(InvalidScopeError, match="somebody has to act"):
        home.memory.scope(tenant="acme").authorize("read")


@pytest.mark.parametrize("end", ["forget", "invalidate", "correct", "purge", "foreign", "unknown"])
def test_an_action_whose_reason_does_not_hold_is_refused(
    home: Home, me: ScopedMemory, stranger: ScopedMemory, end: str
) -> None:
    """R45: what was recalled a moment ago may be gone, false, or never theirs."""
    told = me.remember("The refund was agreed", key="refund")
    ends: dict[str, Callable[[], Any]] = {
        "forget": lambda: me.forget("refund"),
        "invalidate": lambda: me.invalidate("refund"),
        "correct": lambda: None,
        "purge": me.purge,
        "foreign": lambda: None,
        "unknown": lambda: None,
    }
    me.authorize("read", evidence=[told.id], verified="user-stated")
    ends[end]()
    asker = stranger if end == "foreign" else me
    reference = "0" * 20 if end == "unknown" else told.id
    verified = "verified" if end == "correct" else "unverified"
    with pytest.raises(AccessDeniedError, match="Ask the user, or the system of record"):
        asker.authorize("read", evidence=[reference], verified=verified)
