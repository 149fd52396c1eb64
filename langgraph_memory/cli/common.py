"""What all commands share: options, the open home, printing, exit codes."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from langgraph_memory.errors import (
    AccessDeniedError,
    ConflictError,
    HomeNotFoundError,
    InvalidInputError,
    MemoryLayerError,
    ModelError,
    NotFoundError,
    RefusedError,
    StorageError,
)
from langgraph_memory.home import Home, open_memory
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.text.complaints import complaint
from langgraph_memory.wiring import Settings, has_home

DEFAULT_TENANT = "local"
DEFAULT_USER = "me"


class PlainGroup(TyperGroup):
    """Commands whose options are complained about in our words."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command; what pydantic says of a value is said in plain words."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as wrong:
            if isinstance(wrong.__cause__, ValidationError):
                wrong.message = f"{complaint(wrong.__cause__).problem}."
            raise


class Exit(IntEnum):
    """What a command's exit code means."""

    DONE = 0
    NOTHING_FOUND = 1
    WRONG_CALL = 2
    STORAGE = 3
    MODEL = 4
    CONFLICT = 5
    INTERRUPTED = 130


def _folder(text: str) -> Path:
    """Return a folder that was named: an empty text, as of an unset variable, is not this one."""
    if not text.strip():
        raise typer.BadParameter("it is empty. Name a folder, or leave it out.")
    return Path(text)


HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home", parser=_folder, metavar="PATH", help="The memory home's folder.",
        show_default="MEMORY_HOME or ./memory",
    ),
]  # fmt: skip
TenantOption = Annotated[
    str | None,
    typer.Option("--tenant", help="Whose company.", show_default="MEMORY_TENANT or local"),
]
UserOption = Annotated[
    str | None, typer.Option("--user", help="Whose memory.", show_default="MEMORY_USER or me")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

out = Console(highlight=False, emoji=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


@contextmanager
def opened(home: Path | None, *, must_exist: bool = False) -> Iterator[Home]:
    """Open the home for one command.

    Args:
        home: Its folder; from the settings if None.
        must_exist: Refuse to make one: reading where nothing was written is a slip.

    Raises:
        HomeNotFoundError: There is none, and ``must_exist``.
    """
    settings = Settings.load()
    path = home or settings.home
    if must_exist and not has_home(path):
        raise HomeNotFoundError(path)
    with open_memory(path, settings=settings) as opened_home:
        yield opened_home


def scoped(home: Home, tenant: str | None, user: str | None) -> ScopedMemory:
    """Return the memory of the options' owner, of the settings', or of the only local user."""
    settings = Settings.load()
    return home.memory.scope(
        tenant=_first(tenant, settings.tenant, DEFAULT_TENANT),
        user=_first(user, settings.user, DEFAULT_USER),
    )


def show_json(value: Any, *, compact: bool = False) -> None:
    """Print one JSON document on standard output, on one line if ``compact``."""
    indent = None if compact else 2
    sys.stdout.write(json.dumps(plain(value), ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()


def plain(value: Any) -> Any:
    """Return dataclasses, enums, instants and tuples as JSON types."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def say(text: str, *, style: str | None = None) -> None:
    """Print text as it is: nothing in it is markup."""
    out.print(text, style=style, markup=False)


@contextmanager
def progress(label: str) -> Iterator[Any]:
    """Yield a callback ``(done, total)`` that draws a bar on standard error of a terminal."""
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def exit_code(error: MemoryLayerError) -> Exit:
    """Return the exit code of an error."""
    match error:
        case NotFoundError():
            return Exit.NOTHING_FOUND
        case InvalidInputError():
            return Exit.WRONG_CALL
        case StorageError():
            return Exit.STORAGE
        case ModelError():
            return Exit.MODEL
        case ConflictError() | RefusedError() | AccessDeniedError():
            return Exit.CONFLICT
        case _:
            return Exit.STORAGE


def _first(*choices: str | None) -> str:
    """Return the first that was given; an empty text was given, and is refused later."""
    return next(choice for choice in choices if choice is not None)
