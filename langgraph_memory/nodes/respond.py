"""Answer from the evidence, or abstain; then write the answer down."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.context.prompt import PLACEMENT, PROMPT, assemble, cited_in, without_invented
from langgraph_memory.models.counting import count_tokens
from langgraph_memory.nodes.access import Access, access, latest_question, text_of
from langgraph_memory.nodes.orders import answer_order
from langgraph_memory.nodes.state import State
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.ports import ChatMessage, ChatModel, Citation, Reply, Request

TAIL = 40
"""Messages of the conversation that are looked at, the latest ones."""


@dataclass(frozen=True, slots=True)
class Responder:
    """The respond node and its twin, with the model they share."""

    model: ChatModel

    def respond(self, state: State, config: RunnableConfig) -> State:
        """Answer, blocking."""
        here = access(config)
        request = _request(state, here)
        reply = _by_rule(state, here) or self.model.answer(request)
        return _answered(state, here, request, reply)

    async def arespond(self, state: State, config: RunnableConfig) -> State:
        """Answer without holding the event loop while the model thinks."""
        here = access(config)
        request = await asyncio.to_thread(_request, state, here)
        reply = await asyncio.to_thread(_by_rule, state, here)
        reply = reply or await self.model.aanswer(request)
        return await asyncio.to_thread(_answered, state, here, request, reply)


def _request(state: State, here: Access) -> Request:
    chosen = {each["label"]: each for each in state.get("evidence", [])}
    evidence = tuple(
        replace(each, score=chosen[each.label]["score"])
        for each in here.memory.cite([each["id"] for each in chosen.values()])
    )
    missing = (state.get("abstained") or {}).get("message", "")
    tail = [_chat_message(each) for each in _up_to_question(state)][-TAIL:]
    messages = assemble(
        tail, evidence, missing, budget_tokens=here.context.window_tokens, count=count_tokens
    )
    return Request(messages, evidence, missing)


def _by_rule(state: State, here: Access) -> Reply | None:
    """Return the answer to an order, which needs no model; None for anything else."""
    captured = state.get("captured", {})
    if "order" not in captured:
        return None
    return Reply(answer_order(captured, here.memory), model="rule")


def _answered(state: State, here: Access, request: Request, reply: Reply) -> State:
    question = latest_question(state)
    message_id = f"answer-{question.id}"
    cited = reply.cited or cited_in(reply.text, request.evidence)
    text = reply.text if reply.cited else without_invented(reply.text, request.evidence)
    here.memory.capture([Utterance(here.thread_id, message_id, "assistant", text)])
    sources = [_source(each) for each in request.evidence if each.label in cited]
    answer = AIMessage(text, id=message_id, additional_kwargs={"citations": sources})
    usage = {
        **(state.get("usage") or {}),
        "model": reply.model or "unknown",
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "model_milliseconds": round(reply.milliseconds, 3),
        "placement": PLACEMENT,
        "prompt": PROMPT,
    }
    return {"messages": [answer], "usage": usage}


def _source(citation: Citation) -> dict[str, Any]:
    return {
        "label": citation.label,
        "id": citation.record_id,
        "source": citation.source,
        "said_at": citation.said_at.isoformat(),
        "scope": citation.scope,
    }


def _up_to_question(state: State) -> Sequence[BaseMessage]:
    """Return the conversation with the latest user message last; a resumed turn has no more."""
    messages = list(state.get("messages") or [])
    question = latest_question(state)
    return messages[: messages.index(question) + 1]


def _chat_message(message: BaseMessage) -> ChatMessage:
    roles = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
    role = cast(Literal["system", "user", "assistant", "tool"], roles.get(message.type, "user"))
    text = text_of(message)
    if isinstance(message, ToolMessage):
        text = f"[result of a tool]\n{text}"
    return ChatMessage(role, text, str(message.id or ""))
