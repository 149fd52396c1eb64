"""chat: talk to the ready agent, one-shot or interactively; an interrupted turn comes first."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from langgraph_memory.cli.common import (
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

    A message whose turn failed or was killed is answered by sending it again.

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
            err.print("/sources shows sources, /quit ends.", markup=False)
            _converse(talk)


def _once(talk: Talk, message: str, *, as_json: bool) -> None:
    if not _finished(talk, message, silent=as_json):
        answer = talk.say(message)
        if not as_json:
            say(answer)
    if as_json:
        show_json(talk.data())


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
        err.print(f"The turn “{question}” stays unanswered. {error.message}", markup=False)
        return False
    if finished is None:
        return False
    same = finished.question == message
    if not same:
        err.print(f"Finished the turn that was interrupted: “{finished.question}”", markup=False)
    if not silent:
        say(finished.answer)
    return same


def _converse(talk: Talk) -> None:
    with talk.turn():
        _finished(talk, "")
    while (line := _line()) is not None and line.strip() not in _QUIT:
        if line.strip() == "/sources":
            say(talk.sources())
        elif line.strip():
            _answer(talk, line.rstrip("\n"))


def _answer(talk: Talk, line: str) -> None:
    """Answer one line; a model that fails ends the turn, not the conversation."""
    try:
        with talk.turn():
            if not _finished(talk, line):
                say(talk.say(line))
    except ModelError as error:
        err.print(error.message, style="red", markup=False)


def _line() -> str | None:
    if sys.stdin.isatty():
        sys.stdout.write("> ")
        sys.stdout.flush()
    return sys.stdin.readline() or None
