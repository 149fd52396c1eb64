"""One thread of conversation with the agent, one turn at a time, whoever else has it open."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from langgraph_memory.cli.common import err
from langgraph_memory.home import Home
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.models.offline import NAME
from langgraph_memory.ports import ChatModel

PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Finished:
    """A turn that had been interrupted: what was asked, and the answer it has now."""

    question: str
    answer: str


class Talk:
    """The agent, bound to one owner's thread.

    Raises:
        ThreadOwnershipError: The thread is somebody else's.
    """

    def __init__(
        self, home: Home, memory: ScopedMemory, thread_id: str, *, model: ChatModel | None = None
    ) -> None:
        memory.claim(thread_id)
        self._agent: CompiledStateGraph[Any, Any, Any, Any] = home.agent(model)
        self._context = memory.context()
        self._config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        name = hashlib.blake2b(thread_id.encode(), digest_size=8).hexdigest()
        self._lock = FileLock(str(home.path / f"chat-{name}.lock"))
        self.last: dict[str, Any] = {}

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the thread for one turn: a turn under way elsewhere is waited for, not resumed."""
        try:
            self._lock.acquire(timeout=PATIENCE_SECONDS)
        except Timeout:
            err.print("Waiting for a turn of this conversation that is under way.", markup=False)
            self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()

    def unanswered(self) -> str | None:
        """Return the question of a turn that was interrupted, None if there is none."""
        state = self._agent.get_state(self._config)
        if not state.next:
            return None
        asked = [each for each in state.values.get("messages", []) if each.type == "human"]
        return str(asked[-1].text) if asked else ""

    def resume(self) -> Finished | None:
        """Finish a turn that was interrupted; None if there is none. Raises ``ModelError``."""
        question = self.unanswered()
        if question is None:
            return None
        self.last = self._agent.invoke(None, self._config, context=self._context)
        return Finished(question, self._answer())

    def say(self, text: str) -> str:
        """Send a message and return the answer. Raises ``ModelError``."""
        message = {"messages": [HumanMessage(text)]}
        self.last = self._agent.invoke(message, self._config, context=self._context)
        return self._answer()

    @property
    def unsupported(self) -> bool:
        """Tell whether a model answered though memory held no evidence."""
        model = str(self.last.get("usage", {}).get("model", ""))
        return self.last.get("abstained") is not None and model != NAME

    def data(self) -> dict[str, Any]:
        """Return the last turn for programs."""
        answer = self.last["messages"][-1]
        return {
            "answer": self._answer(),
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

    def _answer(self) -> str:
        return str(self.last["messages"][-1].text)


def default_thread(memory: ScopedMemory) -> str:
    """Return the thread of one user's command-line conversation."""
    return "/".join(("cli", *memory.bound.root[1:]))
