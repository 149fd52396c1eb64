"""A graph of one node that asks a model, and somebody who listens to it speak."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import START, MessagesState, StateGraph

from langgraph_memory.models.langchain import LangChainChat, chat_model
from langgraph_memory.ports import ChatMessage, ChatModel, Reply, Request
from langgraph_memory.testing import Fault, OpenAIServer
from langgraph_memory.testing.openai_server import Answer, Answers

QUESTION = (ChatMessage("system", "Be brief."), ChatMessage("user", "When?"))
ASK = Request(QUESTION, answer_id="answer-1")
SENTENCE = "The launch is on Monday."
APIS = ["responses", "completions"]


@contextmanager
def served(answers: Answers, api: str, **options: Any) -> Iterator[tuple[LangChainChat, Any]]:
    """A model behind a server that knows the API, or only chat completions."""
    with OpenAIServer(answers) as server:
        chat = chat_model("m", base_url=server.base_url, **{"retries": 0, **options})
        if api == "completions":
            chat._model = chat._fallback  # as after the first answer of such a server
        yield chat, server


def without_responses(answer: Answer) -> Answers:
    """A server that has no Responses API, and one answer to the rest."""
    return lambda request: answer if "messages" in request else Fault(status=404)


class Listener:
    """Asks in one of four ways, and keeps what it heard meanwhile.

    Args:
        chat: Who is asked.
        streamed: Whether somebody listens to the pieces.
        asynchronous: Which of the two doors is used.
    """

    def __init__(self, chat: ChatModel, *, streamed: bool, asynchronous: bool = False) -> None:
        self.chat = chat
        self.streamed = streamed
        self.asynchronous = asynchronous
        self.heard: list[AnyMessage] = []

    @property
    def pieces(self) -> list[str]:
        """The texts of the pieces that said something."""
        return [each.text for each in self.heard if each.text]

    def ask(self, request: Request = ASK) -> Reply:
        """Ask. Raises what the model raises."""
        if self.asynchronous:
            return asyncio.run(self.aask(request))
        replies: list[Reply] = []
        graph = _graph(self.chat, request, replies)
        if self.streamed:
            stream = graph.stream({"messages": "When?"}, stream_mode="messages")
            self.heard.extend(message for message, _ in stream)
        else:
            graph.invoke({"messages": "When?"})
        return replies[0]

    async def aask(self, request: Request = ASK) -> Reply:
        """Ask, by the asynchronous door."""
        replies: list[Reply] = []
        graph = _graph(self.chat, request, replies)
        if self.streamed:
            async for message, _ in graph.astream({"messages": "When?"}, stream_mode="messages"):
                self.heard.append(message)
        else:
            await graph.ainvoke({"messages": "When?"})
        return replies[0]


def _graph(chat: ChatModel, request: Request, replies: list[Reply]) -> Any:
    def kept(reply: Reply) -> dict[str, Any]:
        replies.append(reply)
        return {"messages": [AIMessage(reply.text, id=request.answer_id or None)]}

    def speak(_: MessagesState) -> dict[str, Any]:
        return kept(chat.answer(request))

    async def aspeak(_: MessagesState) -> dict[str, Any]:
        return kept(await chat.aanswer(request))

    graph = StateGraph(MessagesState)
    graph.add_node("speak", RunnableLambda(speak, afunc=aspeak))
    graph.add_edge(START, "speak")
    return graph.compile()
