"""procedures: propose, list, results, approve, reject, diff, rollback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from langgraph_memory.cli import views
from langgraph_memory.cli.owned import owned
from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.trial import Trial
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.procedures import Procedure
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.policy.procedures import EVERY_TASK

Name = Annotated[str, typer.Argument(help="The procedure.")]
Person = Annotated[str, typer.Option("--by", help="Who decides.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the new version.")]
Bar = Annotated[float, typer.Option(help="The share of the tasks that must have passed.")]
Seen = Annotated[int | None, typer.Option("--version", help="What was looked at.")]


def _in_force(done: Amended) -> str:
    return f"In force: “{views.short(done.content)}” ({done.id}, version {done.version})."


def _all(found: list[Procedure]) -> str:
    lines = []
    for each in found:
        lines.append(each.name)
        for one in (*filter(None, [each.active]), *each.waiting):
            approved = f", approved by {one.approved_by}" if one.approved_by else ""
            lines.append(
                f"  {one.stage.value}, version {one.version}: “{views.short(one.text)}” "
                f"(proposed by {one.proposed_by}{approved})"
            )
    return "\n".join(lines) or "There are no procedures here."


def _results(found: list[Trial]) -> str:
    lines = []
    for each in found:
        said = each.checked
        score = "" if said.score is None else f", {said.score:g} by {said.rule}"
        detail = f": {views.short(said.detail)}" if said.detail else ""
        passed = "passed" if each.passed else "failed"
        lines.append(f"{passed}  {each.task} (version {each.version}, by {each.by}{score}){detail}")
    return "\n".join(lines) or "These words were not tested: procedures.test() does, from Python."


def _changes(found: Sequence[Difference]) -> str:
    lines = [f"{each.path}: {each.before!r} → {each.after!r}" for each in found]
    return "\n".join(lines) or "Nothing changed."


@owned(views.remembered, must_exist=False)
def propose(
    me: ScopedMemory,
    name: Name,
    text: Annotated[str, typer.Argument(help="The way of working.")],
    by: Annotated[str | None, typer.Option("--by", help="Who proposes; else the user.")] = None,
    reason: Reason = "",
) -> Remembered:
    """Propose a procedure, or other words for one; what is in force stays so.

    Example: langgraph-memory procedures propose deploy "By blue and green" --by Lina
    """
    return me.procedures.propose(name, text, by=by, reason=reason)


@owned(_all)
def listed(me: ScopedMemory) -> list[Procedure]:
    """Show what is in force, and what waits for a review.

    Example: langgraph-memory procedures list
    """
    return me.procedures.list()


@owned(_results)
def results(me: ScopedMemory, name: Name, version: Seen = None) -> list[Trial]:
    """Show what a version came to on held-out tasks; by default the newest that waits.

    Example: langgraph-memory procedures results deploy
    """
    return me.procedures.results(name, version)


@owned(_in_force)
def approve(
    me: ScopedMemory,
    name: Name,
    by: Person,
    version: Seen = None,
    bar: Bar = EVERY_TASK,
    reason: Reason = "",
) -> Amended:
    """Put the newest proposal in force.

    Example: langgraph-memory procedures approve deploy --by Ann --version 3
    """
    return me.procedures.approve(name, by=by, version=version, reason=reason, bar=bar)


@owned(lambda done: f"Rejected ({done.id}).")
def reject(
    me: ScopedMemory, name: Name, by: Person, version: Seen = None, reason: Reason = ""
) -> Amended:
    """Set aside all that waits, or one version.

    Example: langgraph-memory procedures reject deploy --by Ann --reason "too slow"
    """
    return me.procedures.reject(name, by=by, version=version, reason=reason)


@owned(_changes)
def diff(
    me: ScopedMemory,
    name: Name,
    older: Annotated[int, typer.Argument(help="A version.")],
    newer: Annotated[int | None, typer.Argument(help="Another; the last if left out.")] = None,
) -> Sequence[Difference]:
    """Show what changed from one version to another.

    Example: langgraph-memory procedures diff deploy 2 4
    """
    return me.procedures.diff(name, older, newer)


@owned(_in_force)
def rollback(
    me: ScopedMemory,
    name: Name,
    to: Annotated[int, typer.Argument(help="A version that was approved.")],
    by: Person,
    bar: Bar = EVERY_TASK,
    reason: Reason = "",
) -> Amended:
    """Put an earlier version in force again.

    Example: langgraph-memory procedures rollback deploy 2 --by Ann
    """
    return me.procedures.rollback(name, to, by=by, reason=reason, bar=bar)


def register(parent: typer.Typer) -> None:
    """Add the commands."""
    app = typer.Typer(
        help="Ways of working: proposed, tested from Python, approved by somebody else.",
        no_args_is_help=True, rich_markup_mode=None,
    )  # fmt: skip
    app.command()(propose)
    app.command("list")(listed)
    for command in (results, approve, reject, diff, rollback):
        app.command()(command)
    parent.add_typer(app, name="procedures")
