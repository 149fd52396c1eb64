"""How a way of working comes to hold: proposed, tested, approved; and the only way it does.

==============  ==========================================================================
stage           what it takes
==============  ==========================================================================
proposed        a named person, system or program of ours says it; it waits (a pending version)
tested          results of held-out tasks are stored for exactly these words
active          a named reviewer who is not the proposer approved it, with results that pass
approved        the same, and it is to hold from a later day
past            it was active, and another took its place, or it was revoked
set aside       it was rejected, or passed over when another was approved
==============  ==========================================================================

Every version that any path is about to write goes through :func:`check_change`. Taking away is
always safe: what invalidates or deletes passes. A proposal passes, since it does not hold. Anything
else takes force only by a decision of somebody named: an approval, a rejection, which says again
what was in force, or the way back to words that were approved before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from langgraph_memory.domain.json import same
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.domain.scope import Kind, Scope, locate
from langgraph_memory.domain.trial import Trial, digest
from langgraph_memory.errors import InvalidInputError, UnreviewedError, Way

EVERY_TASK = 1.0
"""The share of the tasks that must have passed, unless a reviewer says another."""

THE_WAY = Way(
    "Propose it by procedures.propose(name, text, by=...), with a person's name, test it by "
    "procedures.test, and let somebody else approve it.",
    "Propose it by langgraph-memory procedures propose, with --by, test it from Python, and let "
    "somebody else approve it.",
)


class Stage(StrEnum):
    """How far a version of a procedure has come."""

    PROPOSED = "proposed"
    TESTED = "tested"
    ACTIVE = "active"
    APPROVED = "approved"
    PAST = "past"
    SET_ASIDE = "set aside"


def stage(record: Record, version: Version, results: Sequence[Trial], current: Version | None
          ) -> Stage:  # fmt: skip
    """Return how far a version has come; ``current`` is the one in force, if any."""
    if current is not None and version.number == current.number:
        return Stage.ACTIVE
    if version.status is Status.ACTIVE:
        return Stage.APPROVED
    if version.status is not Status.PENDING:
        return Stage.PAST
    if version not in record.waiting:
        return Stage.SET_ASIDE
    return Stage.TESTED if of_words(results, digest(version.value)) else Stage.PROPOSED


def is_procedure(namespace: Namespace) -> bool:
    """Tell whether ways of working are kept there."""
    place = locate(namespace)
    return place is not None and place[1] is Kind.PROCEDURAL


def check_proposer(papers: Provenance, kind: Kind, name: str, scope: Scope) -> None:
    """Refuse a way of working that nobody named proposes: nobody could tell who may review it.

    Where no user speaks, the organization's own name stands for whoever it was.

    Raises:
        UnreviewedError: Its source has no name, or only that.
    """
    if kind is not Kind.PROCEDURAL:
        return
    proposer = plain_name(papers.source.name)
    someone = scope.user or scope.acting
    if not proposer or (not someone and proposer == plain_name(scope.tenant)):
        raise UnreviewedError(name, "nobody is named who proposes other words", way=THE_WAY)


def check_change(
    before: Record | None, head: Version, *, name: str, by: str = "",
    results: Sequence[Trial] = (), bar: float = EVERY_TASK,
) -> None:  # fmt: skip
    """Refuse a version of a procedure that would take force without a review.

    Args:
        before: The record as it stands; None where the version begins it.
        head: The version that is to be written; its papers say who proposed and who approved it.
        name: The procedure's name, for the error.
        by: Who decides; empty where nobody does.
        results: The stored trials of the record.
        bar: The share of the tasks that must have passed.

    Raises:
        UnreviewedError: The rule that it breaks, and the way.
    """
    if head.status is Status.PENDING or head.refutes:
        return
    if not plain_name(by):
        raise UnreviewedError(
            name, "nobody who is named decides that", way=Way(
                f"{THE_WAY.call} To go back to what was approved before, use "
                "procedures.rollback(name, version, by=...).",
                f"{THE_WAY.command} To go back to what was approved before, use "
                "langgraph-memory procedures rollback.",
            ),
        )  # fmt: skip
    if before is not None and _holds_already(before, head):
        return
    last = before.settled if before is not None else None
    # What was taken back, as unsafe perhaps, its proposer alone does not bring back.
    reviewer = by if last is not None and last.refutes else head.provenance.approved_by
    why = may_approve(
        head.provenance.source.name, reviewer, results,
        words=digest(head.value), bar=bar,
    )  # fmt: skip
    if why:
        raise UnreviewedError(name, why)


def may_approve(
    proposer: str, reviewer: str, results: Sequence[Trial], *, words: str,
    bar: float = EVERY_TASK,
) -> str:  # fmt: skip
    """Return why somebody may not approve a proposal, and what to do; empty if they may.

    Of each task the last result counts, so that no failure is left behind by testing less.

    Args:
        proposer: Who proposed it.
        reviewer: Who is to approve it; names are compared without regard to case and spacing.
        results: Trials of the procedure, of any of its versions, oldest first.
        words: The digest of what is proposed.
        bar: The share of the tasks that must have passed, above 0 and up to 1.

    Raises:
        InvalidInputError: There is no such share.
    """
    check_bar(bar)
    if not plain_name(reviewer):
        return "no reviewer is named: give the name of the one who decides"
    if not plain_name(proposer):
        return "nobody is named who proposed it: propose it anew, with a name"
    if plain_name(proposer) == plain_name(reviewer):
        return f"{reviewer.strip()!r} proposed it: let somebody else review it"
    if not results:
        return "there are no results: test it on held-out tasks first"
    last = of_words(results, words)
    if not last:
        return "the results are those of other words: test this version"
    failed = [each.task for each in last if not each.passed]
    if len(last) - len(failed) < bar * len(last):
        named = ", ".join(repr(each) for each in failed[:5])
        return f"{len(failed)} of {len(last)} tasks failed ({named}): propose better words"
    return ""


def check_bar(bar: object) -> None:
    """Refuse what is no share of the tasks. Raises ``InvalidInputError``."""
    if not isinstance(bar, int | float) or bar is True or not 0 < bar <= 1:
        raise InvalidInputError(f"bar is {bar!r}; give a share above 0 and up to 1.")


def of_words(results: Sequence[Trial], words: str) -> list[Trial]:
    """Return the last result of each task for these words, in the order of the tasks."""
    return list({each.task: each for each in results if each.words == words}.values())


def tally(results: Sequence[Trial]) -> str:
    """Return in words how many tasks passed."""
    return f"{sum(each.passed for each in results)} of {len(results)} tasks passed"


def plain_name(name: str) -> str:
    """Return a name as it is compared: in one spelling, without marks that nobody sees."""
    seen = "".join(each for each in unicodedata.normalize("NFKC", name) if not _unseen(each))
    return " ".join(seen.casefold().split())


def _unseen(character: str) -> bool:
    return unicodedata.category(character) == "Cf"


def _holds_already(before: Record, head: Version) -> bool:
    """Tell whether a version says again what is in force, with the same papers but the reason."""
    settled = before.settled
    return (
        settled is not None
        and not settled.refutes
        and same(settled.value, head.value)
        and settled.valid == head.valid
        and settled.provenance.source == head.provenance.source
        and settled.provenance.approved_by == head.provenance.approved_by
    )
