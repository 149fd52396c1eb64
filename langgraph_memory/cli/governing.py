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
from langgraph_memory.domain.roles import Grant, Role
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
    project: ProjectOption = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a user's role away; exit code 1 if they had none.

    Example: langgraph-memory access revoke jane@example.com
    """
    with opened(home, must_exist=True) as open_home:
        had = open_home.memory.revoke(_tenant(tenant), user, project=project)
    if as_json:
        show_json({"user": user, "role": had})
    else:
        say(f"{user} was {had}, and is no more." if had else f"{user} had no role there.")
    if had is None:
        raise typer.Exit(Exit.NOTHING_FOUND)


def roles(
    project: ProjectOption = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who was given a role in the organization, or in one project of it.

    Example: langgraph-memory access roles --project merger
    """
    with opened(home, must_exist=True) as open_home:
        found = open_home.memory.roles(_tenant(tenant), project)
    if as_json:
        show_json(found)
    else:
        say("\n".join(map(_told, found)) or "Nobody was given a role there.")


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
    place = f"project {given.project} of {given.tenant}" if given.project else given.tenant
    by = f" by {given.by}" if given.by else ""
    return f"{given.user} is {given.role.value} in {place}, granted{by} on {given.at:%Y-%m-%d}"


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
