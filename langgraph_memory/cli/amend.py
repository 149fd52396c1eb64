"""correct, confirm, invalidate, restore, approve, reject, explain."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from langgraph_memory.cli import views
from langgraph_memory.cli.common import (
    HomeOption,
    JsonOption,
    TenantOption,
    UserOption,
    opened,
    say,
    scoped,
    show_json,
)
from langgraph_memory.memory import ScopedMemory

Reference = Annotated[str, typer.Argument(help="An id, a key or quoted words.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the new version.")]
Reviewer = Annotated[str, typer.Option("--by", help="Who decides.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (correct, confirm, invalidate, restore, approve, reject, explain):
        app.command()(command)


def correct(
    reference: Reference,
    text: Annotated[str, typer.Argument(help="What is right.")],
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a memory say something else under its own name; what it said is history.

    Example: langgraph-memory correct launch_date "The launch is on Tuesday"
    """
    done = _done(home, tenant, user, lambda me: me.correct(reference, text, reason=reason))
    show_json(done) if as_json else say(views.corrected(done))


def confirm(
    reference: Reference,
    by: Annotated[
        str, typer.Option(help="A system of record; its own user if left out.", show_default=False)
    ] = "",
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Note who vouches for a memory: what a system of record does, no conversation replaces.

    Example: langgraph-memory confirm refund_limit --by billing
    """
    done = _done(home, tenant, user, lambda me: me.confirm(reference, by=by or None, reason=reason))
    _tell("Confirmed", done, as_json)


def invalidate(
    reference: Reference,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Mark a memory as false or revoked: it is not recalled, and stays in history.

    Example: langgraph-memory invalidate api_key --reason "it was rotated"
    """
    done = _done(home, tenant, user, lambda me: me.invalidate(reference, reason=reason))
    _tell("Marked as false or revoked", done, as_json)


def restore(
    reference: Reference,
    version: Annotated[int | None, typer.Option(help="Which; the one before if left out.")] = None,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a memory say again what it said before, or undo its last change.

    Example: langgraph-memory restore launch_date --version 1
    """
    done = _done(home, tenant, user, lambda me: me.restore(reference, version, reason=reason))
    _tell("Restored", done, as_json)


def approve(
    reference: Reference,
    by: Reviewer,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a statement count that waits for review (see inspect --pending).

    Example: langgraph-memory approve refund_limit --by Ann
    """
    done = _done(home, tenant, user, lambda me: me.approve(reference, by=by, reason=reason))
    _tell("Approved", done, as_json)


def reject(
    reference: Reference,
    by: Reviewer,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set a statement aside that waits for review; what it stood beside counts on.

    Example: langgraph-memory reject refund_limit --by Ann
    """
    done = _done(home, tenant, user, lambda me: me.reject(reference, by=by, reason=reason))
    if as_json:
        show_json(done)
    else:
        say(f"Rejected ({done.id}, version {done.version}, {done.status.value}).")


def explain(
    reference: Reference,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say where a memory came from, when it was updated, whether it holds, what it said before.

    Example: langgraph-memory explain launch_date
    """
    told = _done(home, tenant, user, lambda me: me.explain(reference))
    show_json(told.data) if as_json else say(told.text)


def _done(
    home: Path | None, tenant: str | None, user: str | None, act: Callable[[ScopedMemory], Any]
) -> Any:
    with opened(home, must_exist=True) as open_home:
        return act(scoped(open_home, tenant, user))


def _tell(what: str, done: Any, as_json: bool) -> None:
    if as_json:
        show_json(done)
    else:
        say(f"{what}: “{views.short(done.content)}” ({done.id}, version {done.version}).")
