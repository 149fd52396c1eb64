"""procedures: propose, list, results, approve, reject, diff, rollback."""

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
from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.trial import Trial
from langgraph_memory.memory.procedures import Procedures
from langgraph_memory.operations.amending import Amended
from langgraph_memory.operations.procedures import Procedure
from langgraph_memory.policy.procedures import EVERY_TASK

Name = Annotated[str, typer.Argument(help="The procedure.")]
Person = Annotated[str, typer.Option("--by", help="Who decides.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the new version.")]
Bar = Annotated[float, typer.Option(help="The share of the tasks that must have passed.")]
Seen = Annotated[int | None, typer.Option("--version", help="What was looked at.")]

app = typer.Typer(
    help="Ways of working: proposed, tested from Python, approved by somebody else.",
    no_args_is_help=True, rich_markup_mode=None,
)  # fmt: skip


def register(parent: typer.Typer) -> None:
    """Add the commands."""
    parent.add_typer(app, name="procedures")


@app.command()
def propose(
    name: Name,
    text: Annotated[str, typer.Argument(help="The way of working.")],
    by: Annotated[str | None, typer.Option("--by", help="Who proposes; else the user.")] = None,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Propose a procedure, or other words for one; what is in force stays so.

    Example: langgraph-memory procedures propose deploy "By blue and green" --by Lina
    """
    with opened(home) as open_home:
        ways = scoped(open_home, tenant, user).procedures
        done = ways.propose(name, text, by=by, reason=reason)
    _tell(done, as_json, views.remembered)


@app.command("list")
def listed(
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is in force, and what waits for a review.

    Example: langgraph-memory procedures list
    """
    _tell(_done(home, tenant, user, Procedures.list), as_json, _all)


@app.command()
def results(
    name: Name,
    version: Seen = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a version came to on held-out tasks; by default the newest that waits.

    Example: langgraph-memory procedures results deploy
    """
    done = _done(home, tenant, user, lambda ways: ways.results(name, version))
    _tell(done, as_json, _results)


@app.command()
def approve(
    name: Name,
    by: Person,
    version: Seen = None,
    bar: Bar = EVERY_TASK,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the newest proposal in force.

    Example: langgraph-memory procedures approve deploy --by Ann --version 3
    """

    def act(ways: Procedures) -> Amended:
        return ways.approve(name, by=by, version=version, reason=reason, bar=bar)

    _tell(_done(home, tenant, user, act), as_json, _in_force)


@app.command()
def reject(
    name: Name,
    by: Person,
    version: Seen = None,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set aside all that waits, or one version.

    Example: langgraph-memory procedures reject deploy --by Ann --reason "too slow"
    """

    def act(ways: Procedures) -> Amended:
        return ways.reject(name, by=by, version=version, reason=reason)

    _tell(_done(home, tenant, user, act), as_json, lambda done: f"Rejected ({done.id}).")


@app.command()
def diff(
    name: Name,
    older: Annotated[int, typer.Argument(help="A version.")],
    newer: Annotated[int | None, typer.Argument(help="Another; the last if left out.")] = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what changed from one version to another.

    Example: langgraph-memory procedures diff deploy 2 4
    """
    done = _done(home, tenant, user, lambda ways: ways.diff(name, older, newer))
    _tell(done, as_json, _changes)


@app.command()
def rollback(
    name: Name,
    to: Annotated[int, typer.Argument(help="A version that was approved.")],
    by: Person,
    bar: Bar = EVERY_TASK,
    reason: Reason = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put an earlier version in force again.

    Example: langgraph-memory procedures rollback deploy 2 --by Ann
    """

    def act(ways: Procedures) -> Amended:
        return ways.rollback(name, to, by=by, reason=reason, bar=bar)

    _tell(_done(home, tenant, user, act), as_json, _in_force)


def _done(
    home: Path | None, tenant: str | None, user: str | None, act: Callable[[Procedures], Any]
) -> Any:
    with opened(home, must_exist=True) as open_home:
        return act(scoped(open_home, tenant, user).procedures)


def _tell(done: Any, as_json: bool, told: Callable[[Any], str]) -> None:
    show_json(done) if as_json else say(told(done))


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


def _changes(found: list[Difference]) -> str:
    lines = [f"{each.path}: {each.before!r} → {each.after!r}" for each in found]
    return "\n".join(lines) or "Nothing changed."
