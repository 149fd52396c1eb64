"""Ask once more right before an action: the roles of who acts, and what the action is based on."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.domain.json import as_text
from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import (
    AccessDeniedError,
    InvalidInputError,
    UnsupportedActionError,
)
from langgraph_memory.operations.access import check, place_of, reach, standing
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.policy.validity import Asker, Verdict, judge
from langgraph_memory.ports import Transaction

_VOUCHED = {Verification.UNVERIFIED: 0, Verification.USER_STATED: 1, Verification.VERIFIED: 2}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an action needs.

    Attributes:
        permission: What who acts must be allowed to do; None asks for none.
        roles: One of them is needed; none of them asks for none.
        evidence: Ids of the memories it is based on.
        verified: Who at least must vouch for each.
    """

    permission: Permission | None = None
    roles: tuple[Role, ...] = ()
    evidence: tuple[str, ...] = ()
    verified: Verification = Verification.UNVERIFIED


@dataclass(frozen=True, slots=True)
class Authorized:
    """Who may act, as it was at the moment of asking.

    Attributes:
        tenant, user: Who.
        project: Where; None is the organization outside of its projects.
        roles: What they are there.
        evidence: What the memories that the action is based on say, by id.
    """

    tenant: str
    user: str
    project: str | None
    roles: tuple[Role, ...]
    evidence: dict[str, str]


def authorize(engine: Engine, asker: Scope, place: Scope, wanted: Wanted) -> Authorized:
    """Return that who acts in a place may do what is wanted.

    Args:
        engine: The ports.
        asker: Who reads the evidence.
        place: The shared scope, with who acts in it.
        wanted: What is needed.

    Raises:
        AccessDeniedError, UnsupportedActionError: They may not.
        InvalidInputError: Nothing is wanted.
    """
    if wanted.permission is None and not wanted.roles:
        raise InvalidInputError("Nothing is asked. Give a permission, or the roles of which one.")
    assert place.acting is not None
    with engine.database.read() as tx:
        if wanted.permission is not None:
            check(engine, tx, place, wanted.permission)
        ours = standing(engine, tx, place).roles(place.project)
        within = reach(engine, tx, asker)
        with noticing(engine, place):
            if wanted.roles and not ours & set(wanted.roles):
                raise AccessDeniedError(place.acting, "do this", place_of(place), wanted.roles)
            evidence = {
                each: _said(engine, tx, within, each, wanted.verified) for each in wanted.evidence
            }
    known = tuple(role for role in Role if role in ours)
    return Authorized(place.tenant, place.acting, place.project, known, evidence)


def _said(
    engine: Engine, tx: Transaction, within: Asker, record_id: str, least: Verification
) -> str:
    """Return what a memory says that holds now and is vouched for. Raises as above."""
    stored = tx.records.find(as_text(record_id))  # a model may name anything
    record = tx.records.load_row(stored.row) if stored else None
    if stored is None or record is None or not within.reads(record.namespace):
        raise UnsupportedActionError(record_id, "is not there")
    ends = stored.lifetime.expires_at
    judgement = judge(record, asker=within, now=engine.clock(), expires_at=ends)
    version = judgement.version
    if judgement.verdict is not Verdict.VALID or version is None:
        raise UnsupportedActionError(record_id, f"does not hold: {judgement.reason}")
    vouched = version.provenance.verification
    if _VOUCHED[vouched] < _VOUCHED[least]:
        raise UnsupportedActionError(record_id, f"is {vouched}, and {least} is needed")
    return str((version.value or {}).get("content", ""))
