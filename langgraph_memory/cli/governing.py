"""access grant, access revoke, access roles; stats."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from langgraph_memory.cli.common import (
    DEFAULT_TENANT,
    Exit,
    HomeOption,
    JsonOption,
    TenantOption,
    opened,
    say,
    show_json,
)
from langgraph_memory.domain.counts import Count
from langgraph_memory.domain.roles import Grant, Loss, Role
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.wiring import Settings

User = Annotated[str, typer.Argument(help="Who.")]
ProjectOption = Annotated[
    str | None, typer.Option("--project", help="A project; the organization outside of any if not.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    access = typer.Typer(help="Who may do what in what is shared.", no_args_is_help=True)
    for command in (grant, revoke, roles):
        access.command()(command)
    app.add_typer(access, name="access")
    app.command()(stats)


def grant(
    user: User,
    role: Annotated[Role, typer.Argument(help="What they are to be there.")],
    by: Annotated[str, typer.Option("--by", help="Who grants it.")],
    project: ProjectOption = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a user a role in the organization, or in one project of it.

    Example: langgraph-memory access grant jane@example.com member --by Ann
    """
    with opened(home) as open_home:
        given = open_home.memory.grant(_tenant(tenant), user, role, project=project, by=by)
    show_json(given) if as_json else say(f"{_told(given)}.")


def revoke(
    user: User,
    by: Annotated[str, typer.Option("--by", help="Who takes it away.")],
    project: ProjectOption = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a user's role away; exit code 1 if they had none.

    Example: langgraph-memory access revoke jane@example.com --by Ann
    """
    with opened(home, must_exist=True) as open_home:
        had = open_home.memory.revoke(_tenant(tenant), user, project=project, by=by)
    if as_json:
        show_json({"user": user, "role": had})
    else:
        say(f"{user} was {had}, and is no more." if had else f"{user} had no role there.")
    if had is None:
        raise typer.Exit(Exit.NOTHING_FOUND)


def roles(
    revoked: Annotated[
        bool, typer.Option("--revoked", help="Whose was taken away, and by whom.")
    ] = False,
    project: ProjectOption = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who was given a role in the organization, or in one project of it.

    Example: langgraph-memory access roles --project merger
    """
    with opened(home, must_exist=True) as open_home:
        memory, place = open_home.memory, (_tenant(tenant), project)
        lost, given = (memory.losses(*place), []) if revoked else ([], memory.roles(*place))
    if as_json:
        show_json(lost or given)
    else:
        nobody = "Nobody lost a role there." if revoked else "Nobody was given a role there."
        say("\n".join([*map(_lost, lost), *map(_told, given)]) or nobody)


def stats(
    since: Annotated[str | None, typer.Option(help="From this day on, 2026-05-01, UTC.")] = None,
    home: HomeOption = None,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Of one tenant only.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how often something was refused, redacted, quarantined, held or denied, by day.

    Example: langgraph-memory stats --since 2026-05-01
    """
    with opened(home, must_exist=True) as open_home:
        found = open_home.memory.counts(tenant=tenant, since=_day(since))
    if as_json:
        show_json([_plain(each) for each in found])
    else:
        say("\n".join(map(_line, found)) or "Nothing was refused or noticed.")


def _plain(count: Count) -> dict[str, object]:
    return {
        "day": count.day.isoformat(), "tenant": count.tenant, "user": count.user,
        "what": count.what.value, "times": count.times,
    }  # fmt: skip


def _line(count: Count) -> str:
    who = f"{count.tenant}/{count.user or 'the program'}" if count.tenant else "nobody named"
    return f"{count.day.isoformat()}  {count.times:>6}  {count.what.value:<17}  {who}"


def _told(given: Grant) -> str:
    return f"{given.user} is {given.role.value} in {_place(given)}, granted{_deed(given)}"


def _lost(lost: Loss) -> str:
    return f"{lost.user} was {lost.role.value} in {_place(lost)}, taken away{_deed(lost)}"


def _place(made: Grant | Loss) -> str:
    return f"project {made.project} of {made.tenant}" if made.project else made.tenant


def _deed(made: Grant | Loss) -> str:
    by = f" by {made.by}" if made.by else ""
    return f"{by} on {made.at:%Y-%m-%d}"


def _tenant(given: str | None) -> str:
    chosen = given if given is not None else Settings.load().tenant
    return DEFAULT_TENANT if chosen is None else chosen


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(f"--since {text!r} is no day. Write 2026-05-01.") from None
