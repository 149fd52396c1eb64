"""Talk with the ready graph in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from langgraph_memory import Home, ScopedMemory


@dataclass
class Talk:
    """One thread of one user, with whoever answers."""

    home: Home
    me: ScopedMemory
    model: Any = None
    thread: str = "t"

    def __post_init__(self) -> None:
        self.agent = self.home.agent(self.model)

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread}}

    def send(self, text: str, **context: Any) -> Any:
        """Send a message and return what the run put out."""
        return self.agent.invoke(
            {"messages": [("user", text)]}, self.config, context=self.context(**context)
        )

    def say(self, text: str, **context: Any) -> str:
        """Send a message and return the answer's text."""
        return answer_of(self.send(text, **context))

    def decide(self, decision: Any, **context: Any) -> Any:
        """Resume an interrupted run."""
        return self.agent.invoke(
            Command(resume=decision), self.config, context=self.context(**context)
        )

    def context(self, **more: Any) -> dict[str, Any]:
        return {**self.me.context(), **more}

    @property
    def state(self) -> dict[str, Any]:
        return dict(self.agent.get_state(self.config).values)


def answer_of(out: Any) -> str:
    return str(out["messages"][-1].text)


def proposed(out: Any) -> dict[str, Any]:
    """Return the change that an interrupted run proposes."""
    [asked] = out["__interrupt__"]
    return dict(asked.value["proposed"])


def calling(name: str, **arguments: str) -> AIMessage:
    """Return what a model says that asks for a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{name}"}])
