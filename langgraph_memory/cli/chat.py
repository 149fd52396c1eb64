"""chat: talk to the ready agent, one-shot or interactively; an interrupted turn comes first."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer

from langgraph_memory.cli.common import (
    Exit,
    HomeOption,
    JsonOption,
    TenantOption,
    UserOption,
    err,
    opened,
    say,
    scoped,
    show_json,
)
from langgraph_memory.cli.talk import Talk, default_thread
from langgraph_memory.errors import ModelError
from langgraph_memory.wiring import Settings, choose_model

_QUIT = frozenset({"/quit", "/exit", "/q"})


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(chat)


def chat(
    message: Annotated[
        str | None, typer.Argument(help="One message; without it, a conversation.")
    ] = None,
    thread: Annotated[
        str | None, typer.Option(help="The conversation's name.", show_default="one per user")
    ] = None,
    home: HomeOption = None,
    tenant: TenantOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Talk to an agent that answers from memory or says that it does not know.

    A message whose turn failed or was killed is answered by sending it again. Without a
    message, lines are read from standard input; --json then prints one document a line.

    Example: langgraph-memory chat "When is the launch?"
    """
    model = choose_model(Settings.load())
    with opened(home) as open_home:
        memory = scoped(open_home, tenant, user)
        talk = Talk(open_home, memory, thread or default_thread(memory), model=model)
        err.print(f"Answering: {model.name}.", markup=False)
        if message is not None:
            with talk.turn():
                _once(talk, message, as_json=as_json)
        else:
            if sys.stdin.isatty():
                err.print("/sources shows sources, /quit ends.", markup=False)
            if not _converse(talk, as_json=as_json) and not sys.stdin.isatty():
                raise typer.Exit(Exit.MODEL)


def _once(talk: Talk, message: str, *, as_json: bool) -> None:
    with _waiting():
        same = _finished(talk, message, silent=as_json)
        answer = None if same else talk.say(message)
    if as_json:
        show_json(talk.data())
    elif answer is not None:
        _show(talk, answer)


def _show(talk: Talk, answer: str) -> None:
    say(answer)
    if talk.unsupported:
        err.print("Memory held no evidence for this; the model spoke for itself.", markup=False)


def _waiting() -> AbstractContextManager[object]:
    """Show on a terminal that something is going on."""
    return err.status("thinking") if err.is_terminal else nullcontext()


def _finished(talk: Talk, message: str, *, silent: bool = False) -> bool:
    """Finish an interrupted turn first; tell whether it was this very message's.

    One that a model still does not answer is left behind, unless it is this message's: then
    the error is the answer.
    """
    question = talk.unanswered()
    if question is None:
        return False
    try:
        finished = talk.resume()
    except ModelError as error:
        if question == message:
            raise
        err.print(f"The turn “{question}” stays unanswered. {error.commanded}", markup=False)
        return False
    if finished is None:
        return False
    same = finished.question == message
    if not same:
        err.print(f"Finished the turn that was interrupted: “{finished.question}”", markup=False)
    if not silent:
        say(finished.answer)
    return same


def _converse(talk: Talk, *, as_json: bool) -> bool:
    """Answer line after line; tell whether every one got its answer."""
    well = True
    with talk.turn():
        _finished(talk, "", silent=as_json)
    while (line := _line()) is not None and line.strip() not in _QUIT:
        if line.strip() == "/sources":
            say(talk.sources())
        elif line.strip():
            well = _answer(talk, line.rstrip("\n"), as_json=as_json) and well
    return well


def _answer(talk: Talk, line: str, *, as_json: bool) -> bool:
    """Answer one line; a model that fails ends the turn, not the conversation."""
    try:
        with talk.turn(), _waiting():
            same = talk.unanswered() == line and _finished(talk, line, silent=as_json)
            answer = None if same else talk.say(line)
    except ModelError as error:
        err.print(error.commanded, style="red", markup=False)
        return False
    if as_json:
        show_json(talk.data(), compact=True)
    elif answer is not None:
        _show(talk, answer)
    return True


def _line() -> str | None:
    if sys.stdin.isatty():
        sys.stdout.write("> ")
        sys.stdout.flush()
    return sys.stdin.readline() or None
