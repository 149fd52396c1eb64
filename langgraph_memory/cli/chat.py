"""chat: talk to the ready agent, one-shot or interactively; an unfinished turn is resumed."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

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
from langgraph_memory.errors import ModelError
from langgraph_memory.memory import ScopedMemory
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

    Example: langgraph-memory chat "When is the launch?"
    """
    model = choose_model(Settings.load())
    with opened(home) as open_home:
        memory = scoped(open_home, tenant, user)
        talk = Talk(open_home.agent(model), memory, thread or default_thread(memory))
        _resume(talk)
        if message is not None:
            _once(talk, message, as_json=as_json)
        else:
            err.print(f"Answering: {model.name}. /sources shows sources, /quit ends.", markup=False)
            _converse(talk)


class Talk:
    """One thread of conversation with the agent."""

    def __init__(
        self, agent: CompiledStateGraph[Any, Any, Any, Any], memory: ScopedMemory, thread_id: str
    ) -> None:
        self._agent = agent
        self._context = memory.context()
        self._config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        self.last: dict[str, Any] = {}

    def resume(self) -> bool:
        """Finish a turn that was interrupted; tell whether there was one."""
        if not self._agent.get_state(self._config).next:
            return False
        self.last = self._agent.invoke(None, self._config, context=self._context)
        return True

    def say(self, text: str) -> str:
        """Send a message and return the answer."""
        self.last = self._agent.invoke(
            {"messages": [HumanMessage(text)]}, self._config, context=self._context
        )
        return str(self.last["messages"][-1].text)

    def data(self) -> dict[str, Any]:
        """Return the last turn for programs."""
        answer = self.last["messages"][-1]
        return {
            "answer": str(answer.text),
            "citations": answer.additional_kwargs.get("citations", []),
            "evidence": self.last.get("evidence", []),
            "abstained": self.last.get("abstained"),
            "usage": self.last.get("usage", {}),
        }

    def sources(self) -> str:
        """Return where the last answer came from."""
        evidence = self.last.get("evidence") or []
        if not evidence:
            return "The last answer used no memory."
        return "\n".join(
            f"[{each['label']}] {each['id']} v{each['version']} · score {each['score']:.2f} · "
            f"{each['reason']} · {each['validity']}"
            for each in evidence
        )


def default_thread(memory: ScopedMemory) -> str:
    """Return the thread of one user's command-line conversation."""
    owner = memory.bound
    return "/".join(("cli", *owner.root[1:]))


def _resume(talk: Talk) -> None:
    """Finish an interrupted turn; one that a model will not answer is left behind."""
    try:
        if talk.resume():
            err.print("Finished the turn that was interrupted.", markup=False)
    except ModelError as error:
        err.print(f"The interrupted turn stays unanswered. {error.message}", markup=False)


def _once(talk: Talk, message: str, *, as_json: bool) -> None:
    answer = talk.say(message)
    show_json(talk.data()) if as_json else say(answer)


def _converse(talk: Talk) -> None:
    while True:
        line = _line()
        if line is None or line.strip() in _QUIT:
            return
        if line.strip() == "/sources":
            say(talk.sources())
        elif line.strip():
            _answer(talk, line)


def _answer(talk: Talk, line: str) -> None:
    """Answer one line; a model that fails ends the turn, not the conversation."""
    try:
        say(talk.say(line))
    except ModelError as error:
        err.print(error.message, style="red", markup=False)


def _line() -> str | None:
    if sys.stdin.isatty():
        sys.stdout.write("> ")
        sys.stdout.flush()
    return sys.stdin.readline() or None
