"""Let statements in: examined, given a wording, embedded. No transaction yet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.scope import Kind, circle_of
from langgraph_memory.errors import RefusedError
from langgraph_memory.operations.embedding import Wording
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note, noticing
from langgraph_memory.operations.statements import Admitted, Prepared, Statement
from langgraph_memory.policy.admission import admit, check_key
from langgraph_memory.policy.credentials import NO_CREDENTIALS, check_named, check_scope
from langgraph_memory.policy.governing import check_eligible, govern, says_little
from langgraph_memory.policy.keys import content_key, episode_key, spoken_key
from langgraph_memory.policy.procedures import check_proposer
from langgraph_memory.policy.quarantine import suspicion
from langgraph_memory.policy.rulebook import WritePolicy
from langgraph_memory.policy.trust import check_kind
from langgraph_memory.policy.updates.update import asked_by
from langgraph_memory.ports import IndexEntry
from langgraph_memory.text.secrets import find, redact, redact_fields
from langgraph_memory.text.sentences import sentences

NAMED = 40
"""Characters of a statement without a name that stand for it in an error."""

_REDACTED = re.compile(r"\[redacted: ([^\]]+)\]")
QUARANTINED = "quarantined"
"""How the reason of a statement begins that was set aside."""

_WORDS = re.compile(r"[A-Za-z]{2,}(?:[ _-][A-Za-z]{2,}){0,5}")
"""A key that is a name in words, such as ``launch_date``, is embedded with the statement."""


def prepare(engine: Engine, statements: Sequence[Statement]) -> list[Prepared]:
    """Decide what can be decided before the transaction; embedding is slow.

    Raises:
        InvalidInputError: The write policy cannot take a statement as it is.
        RefusedError: It holds a credential, or what the policy does not keep.
    """
    within = [let_in(engine, each) for each in statements]
    return embedded(within, engine.entries([each.wording for each in within]))


def let_in(engine: Engine, said: Statement) -> Admitted:
    """Let a statement in, and count what is refused, redacted or quarantined. Raises as above."""
    with noticing(engine, said.scope):
        done = admitted(engine.policy, said)
    statement = done.statement
    if (statement.content, statement.metadata) != (said.content, said.metadata):
        note(engine, What.REDACTED, said.scope)
    if statement.provenance.reason.startswith(QUARANTINED):
        note(engine, What.QUARANTINED, said.scope)
    return done


def embedded(within: Sequence[Admitted], entries: Sequence[IndexEntry]) -> list[Prepared]:
    """Return statements with what search is told of them."""
    return [
        Prepared(each.statement, each.namespace, each.key, each.admission, each.wording, entry)
        for each, entry in zip(within, entries, strict=True)
    ]


def admitted(policy: WritePolicy, said: Statement) -> Admitted:
    """Let a statement in. Raises as :func:`prepare`."""
    statement = examined(policy, said)
    admission = admit(
        policy,
        statement.content,
        statement.kind,
        circle=circle_of(statement.scope.namespace(statement.kind)),
        metadata=statement.metadata,
        ttl_minutes=statement.ttl_minutes,
        purpose=statement.provenance.purpose,
    )
    content = admission.value["content"]
    key = key_of(statement, content) if statement.key is None else check_key(statement.key)
    name = spoken_key(key)
    asked = asked_by(content) if statement.kind is Kind.SEMANTIC else ""
    named = ": ".join(filter(None, (name, asked, content)))
    label = f"{name}: " if _WORDS.fullmatch(statement.key or "") else ""
    label = label or (f"{asked}: " if asked else "")
    told = statement.embed or f"{label}{content}"
    wording = Wording((told, *sentences(told)), statement.words or named, late=True)
    if statement.hidden:
        wording = Wording()
    return Admitted(statement, statement.scope.namespace(statement.kind), key, admission, wording)


def key_of(statement: Statement, content: str) -> str:
    """Return the key of a statement without a name, from its words; an episode's holds its day."""
    if statement.kind is Kind.EPISODIC:
        return episode_key(content, statement.valid, statement.metadata or {})
    return content_key(content)


def examined(policy: WritePolicy, said: Statement) -> Statement:
    """Return a statement as trust and the policy let it in. Raises as :func:`prepare`."""
    statement = _governed(policy, _trusted(_plain(_without_credentials(said))))
    if not said.explicit and says_little(str(statement.content)):
        raise RefusedError("nothing without a content", "all that was said is what is not kept")
    return statement


def _trusted(statement: Statement) -> Statement:
    """Put a statement under quarantine that comes from outside and reads like an order.

    Raises:
        RefusedError: It is a way of working from outside, or one that nobody named proposes.
    """
    papers = statement.provenance
    check_kind(papers, statement.kind)
    name = statement.key or str(statement.content)[:NAMED]
    check_proposer(papers, statement.kind, name, statement.scope)
    said = f"{statement.content}\n{_beside(statement)}\n{papers.source.name}"
    why = suspicion(said, papers)
    return _held(statement, f"{QUARANTINED}: {why}") if why else statement


def _governed(policy: WritePolicy, statement: Statement) -> Statement:
    """Return a statement without what the policy takes out of it, held where it holds it.

    Raises:
        RefusedError: It is not to be kept.
    """
    papers, said = statement.provenance, str(statement.content)
    circle = circle_of(statement.scope.namespace(statement.kind))
    check_eligible(policy, papers, statement.kind, circle)
    done = govern(policy, said, papers, beside=_beside(statement), explicit=statement.explicit)
    if done.content != said:
        statement = replace(statement, content=done.content, embed=None, words=None)
    if done.purpose and not papers.purpose:
        statement = replace(statement, provenance=replace(papers, purpose=done.purpose))
    return _held(statement, f"for review: {done.why}") if done.why else statement


def _held(statement: Statement, why: str) -> Statement:
    """Let a statement wait for a review; the first reason to do so stands."""
    if statement.review and statement.provenance.reason.startswith(QUARANTINED):
        return statement
    papers = replace(statement.provenance, reason=why)
    return replace(statement, provenance=papers, review=True)


def _beside(statement: Statement) -> str:
    """Return what is kept beside the words: the name and the metadata."""
    fields = json.dumps(statement.metadata or {}, ensure_ascii=False, default=str)
    return f"{statement.key or ''}\n{fields}"


def _plain(statement: Statement) -> Statement:
    """Return a statement with no credential beside its words.

    Raises:
        RefusedError: A name or an id holds one.
    """
    check_scope(statement.scope)
    if statement.key is not None:
        check_named("the key", str(statement.key))
    papers, fields = statement.provenance, statement.metadata
    for event_id in papers.event_ids:
        check_named("the id of the event", str(event_id))
    source = replace(papers.source, name=redact(papers.source.name))
    return replace(
        statement,
        provenance=replace(papers, source=source, purpose=redact(papers.purpose)),
        metadata=redact_fields(fields) if isinstance(fields, Mapping) else fields,
        embed=statement.embed and redact(statement.embed),
        words=statement.words and redact(statement.words),
    )


def _without_credentials(statement: Statement) -> Statement:
    """Refuse a statement with a credential in it; one that nobody made on purpose loses it.

    Raises:
        RefusedError: It was made on purpose.
    """
    said = str(statement.content)  # admission refuses what is no text
    kinds = [each.kind for each in find(said)] or _REDACTED.findall(said)
    if not kinds:
        return statement
    if statement.explicit:
        raise RefusedError(NO_CREDENTIALS, f"it holds what looks like a credential ({kinds[0]})")
    return replace(statement, content=redact(said))
