"""remember, search, inspect, forget, purge."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from langgraph_memory.cli import views
from langgraph_memory.cli.common import (
    Exit,
    HomeOption,
    JsonOption,
    TenantOption,
    UserOption,
    YesOption,
    opened,
    plain,
    say,
    scoped,
    show_json,
)
from langgraph_memory.domain.record import Status
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (remember, search, inspect, forget, purge):
        app.command()(command)


def remember(
    text: Annotated[str, typer.Argument(help="What to remember; - reads standard input.")],
    key: Annotated[str | None, typer.Option(help="Its name: saying it again supersedes.")] = None,
    kind: Annotated[Kind, typer.Option(help="What sort of memory.")] = Kind.SEMANTIC,
    valid_from: Annotated[str | None, typer.Option(help="Holds from, ISO 8601.")] = None,
    valid_until: Annotated[str | None, typer.Option(help="Holds until, ISO 8601.")] = None,
    ttl_minutes: Annotated[float | None, typer.Option(help="Keep it so long.")] = None,
    metadata: Annotated[str | None, typer.Option(help="Further fields, a JSON object.")] = None,
    purpose: Annotated[
        str, typer.Option(help="What it is kept for.", show_default="the write policy's")
    ] = "",
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep a statement.

    Example: langgraph-memory remember "The launch moved to Monday" --key launch_date
    """
    with opened(home) as open_home:
        done = scoped(open_home, tenant, user).remember(
            sys.stdin.read() if text == "-" else text,
            key=key,
            kind=kind,
            valid_from=_instant("--valid-from", valid_from),
            valid_until=_instant("--valid-until", valid_until),
            ttl_minutes=ttl_minutes,
            metadata=_object(metadata),
            purpose=purpose,
        )
    if as_json:
        show_json(done)
    else:
        say(views.remembered(done))


def search(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="At most so many.")] = 5,
    rejected: Annotated[bool, typer.Option(help="Show what was left out, and why.")] = False,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find evidence, with reasons; exit code 1 if there is none.

    Example: langgraph-memory search "When is the launch?"
    """
    with opened(home, must_exist=True) as open_home:
        found = scoped(open_home, tenant, user).recall(question, limit=limit)
    if as_json:
        show_json(views.recall_data(found, rejected=rejected))
    else:
        say(views.recall(found, rejected=rejected))
    if not found.evidence:
        raise typer.Exit(Exit.NOTHING_FOUND)


def inspect(
    reference: Annotated[
        str | None, typer.Argument(help="An id, a key or quoted words; all if left out.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Pass over so many.")] = 0,
    pending: Annotated[bool, typer.Option(help="Only what waits for review.")] = False,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is kept, or one memory with its history and sources.

    Example: langgraph-memory inspect launch_date
    """
    if pending and reference is not None:
        raise InvalidInputError("--pending lists what waits; give it without a reference.")
    with opened(home, must_exist=True) as open_home:
        memory = scoped(open_home, tenant, user)
        if reference is None:
            status = Status.PENDING if pending else None
            page = memory.contents(limit=limit, offset=offset, status=status)
            told = views.contents(page, offset=offset, pending=pending)
            show_json(page) if as_json else say(told)
        else:
            one = memory.inspect(reference)
            show_json(one) if as_json else say(views.inspected(one))


def forget(
    reference: Annotated[str, typer.Argument(help="An id, a key or quoted words.")],
    yes: YesOption = False,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete one memory: nobody recalls it any more; its history stays for an administrator.

    Example: langgraph-memory forget launch_date
    """
    with opened(home, must_exist=True) as open_home:
        memory = scoped(open_home, tenant, user)
        _confirm(f"Forget {views.quoted(memory.inspect(reference).record)}?", yes or as_json)
        gone = memory.forget(reference, reason="asked on the command line")
    if as_json:
        show_json(gone)
    else:
        say(f"Forgotten: “{gone.content}” ({gone.id}).")


def purge(
    yes: YesOption = False,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove everything an owner has: memories, events, jobs, threads. Prints a receipt.

    Example: langgraph-memory purge --user jane@example.com --yes
    """
    with opened(home, must_exist=True) as open_home:
        memory = scoped(open_home, tenant, user)
        owner = memory.bound
        _confirm(f"Remove everything of user {owner.user!r} of tenant {owner.tenant!r}?", yes)
        receipt = memory.purge()
    if as_json:
        show_json(receipt)
    else:
        say(views.receipt(receipt))
    if any(receipt.remaining.values()):
        raise typer.Exit(Exit.STORAGE)


def _confirm(question: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInputError(f"{question} Nobody is there to answer; add --yes.")
    typer.confirm(question, abort=True)


def _instant(option: str, text: str | None) -> datetime | None:
    """Return an ISO 8601 instant; one without an offset is taken in this machine's time zone."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInputError(
            f"{option} {text!r} is no ISO 8601 time. Write 2026-05-01 or 2026-05-01T09:00+02:00."
        ) from None


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise InvalidInputError(f"--metadata is not JSON: {exc}.") from None
    if not isinstance(value, dict):
        raise InvalidInputError("--metadata is not a JSON object, for example '{\"a\": 1}'.")
    fields: dict[str, Any] = plain(value)
    return fields
