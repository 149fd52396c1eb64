"""import: bring a conversation file into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from langgraph_memory.cli.common import (
    HomeOption,
    JsonOption,
    TenantOption,
    UserOption,
    opened,
    progress,
    say,
    scoped,
    show_json,
)
from langgraph_memory.errors import ConversationFormatError
from langgraph_memory.text.conversations import parse


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="import")(import_file)


def import_file(
    file: Annotated[Path, typer.Argument(help="JSON or JSON Lines.")],
    conversation: Annotated[
        str | None, typer.Option(help="Which conversation, where the file holds several.")
    ] = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring a conversation into memory, turn by turn; a second time changes nothing.

    Example: langgraph-memory import chat.json
    """
    name, turns = parse(read(file), where=file.name, conversation=conversation)
    with opened(home) as open_home, progress(f"Importing {name}") as report:
        memory = scoped(open_home, tenant, user)
        done = memory.import_conversation(name, turns, progress=report)
    if as_json:
        show_json({"conversation": name, "turns": done.turns, "new": done.new, "empty": done.empty})
    else:
        say(f"{name}: {done.turns} turns read, {done.new} new, {done.empty} without text.")


def read(file: Path) -> str:
    """Return a file's text.

    Raises:
        ConversationFormatError: It cannot be read, or is no UTF-8 text.
    """
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as exc:
        raise ConversationFormatError(str(file), "not UTF-8 text") from exc
    except OSError as exc:
        raise ConversationFormatError(str(file), exc.strerror or "cannot be read") from exc
