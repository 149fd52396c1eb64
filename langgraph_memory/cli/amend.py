"""correct, confirm, invalidate, restore, approve, reject, explain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from langgraph_memory.cli import views
from langgraph_memory.cli.owned import owned
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.explaining import Explanation
from langgraph_memory.operations.statements import Remembered

Reference = Annotated[str, typer.Argument(help="An id, a key or quoted words.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the new version.")]
Reviewer = Annotated[str, typer.Option("--by", help="Who decides.")]
Reviewed = Annotated[
    int | None, typer.Option("--version", help="What was looked at; else whatever waits now.")
]


def _as(what: str) -> Callable[[Amended], str]:
    """Return what tells a change under a heading."""
    return lambda done: (
        f"{what}: “{views.short(done.content)}” ({done.id}, version {done.version})."
    )


@owned(views.corrected)
def correct(
    me: ScopedMemory,
    reference: Reference,
    text: Annotated[str, typer.Argument(help="What is right.")],
    reason: Reason = "",
) -> Remembered:
    """Let a memory say something else under its own name; what it said is history.

    Example: langgraph-memory correct launch_date "The launch is on Tuesday"
    """
    return me.correct(reference, text, reason=reason)


@owned(_as("Confirmed"))
def confirm(
    me: ScopedMemory,
    reference: Reference,
    by: Annotated[
        str, typer.Option(help="A system of record; its own user if left out.", show_default=False)
    ] = "",
    reason: Reason = "",
) -> Amended:
    """Note who vouches for a memory: what a system of record does, no conversation replaces.

    Example: langgraph-memory confirm refund_limit --by billing
    """
    return me.confirm(reference, by=by or None, reason=reason)


@owned(_as("Marked as false or revoked"))
def invalidate(me: ScopedMemory, reference: Reference, reason: Reason = "") -> Amended:
    """Mark a memory as false or revoked: it is not recalled, and stays in history.

    Example: langgraph-memory invalidate api_key --reason "it was rotated"
    """
    return me.invalidate(reference, reason=reason)


@owned(_as("Restored"))
def restore(
    me: ScopedMemory,
    reference: Reference,
    version: Annotated[int | None, typer.Option(help="Which; the one before if left out.")] = None,
    reason: Reason = "",
) -> Amended:
    """Let a memory say again what it said before, or undo its last change.

    Example: langgraph-memory restore launch_date --version 1
    """
    return me.restore(reference, version, reason=reason)


@owned(_as("Approved"))
def approve(
    me: ScopedMemory,
    reference: Reference,
    by: Reviewer,
    version: Reviewed = None,
    reason: Reason = "",
) -> Amended:
    """Let the newest statement count that waits for review (see inspect --pending).

    Example: langgraph-memory approve refund_limit --by Ann --version 2
    """
    return me.approve(reference, by=by, version=version, reason=reason)


@owned(lambda done: f"Rejected ({done.id}, version {done.version}, {done.status.value}).")
def reject(
    me: ScopedMemory,
    reference: Reference,
    by: Reviewer,
    version: Reviewed = None,
    reason: Reason = "",
) -> Amended:
    """Set aside all that waits for review, or one version; what it stood beside counts on.

    Example: langgraph-memory reject refund_limit --by Ann
    """
    return me.reject(reference, by=by, version=version, reason=reason)


@owned(lambda told: told.text, data=lambda told: told.data)
def explain(me: ScopedMemory, reference: Reference) -> Explanation:
    """Say where a memory came from, when it was updated, whether it holds, what it said before.

    Example: langgraph-memory explain launch_date
    """
    return me.explain(reference)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (correct, confirm, invalidate, restore, approve, reject, explain):
        app.command()(command)
