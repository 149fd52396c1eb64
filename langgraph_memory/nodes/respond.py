"""Answer from the evidence, or abstain; then write the answer down.

One turn is a conversation with a model of at most two requests. It is written once, as a
generator that yields requests and is sent replies; the two nodes only differ in how they wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.context.prompt import PLACEMENT, PROMPT, cited_in
from langgraph_memory.domain import run_state
from langgraph_memory.errors import ModelError
from langgraph_memory.models.choosing import Models
from langgraph_memory.nodes.access import Access, access, latest_question, text_of
from langgraph_memory.nodes.asking import (
    Place,
    first_request,
    place_of_answer,
    report_of,
    second_request,
)
from langgraph_memory.nodes.checking import CLAIMS, corrected, judged, naming, story_of
from langgraph_memory.nodes.orders import answer_orders, is_order
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.nodes.tools import commands
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.commands import Command
from langgraph_memory.policy.contradiction import Conflict
from langgraph_memory.ports import ChatModel, Citation, Reply, Request
from langgraph_memory.text.secrets import find

STEP = "respond"

Turn = Generator[Request, Reply, PrivateState]


@dataclass(frozen=True, slots=True)
class Responder:
    """The respond node and its twin, with the models they choose from."""

    models: Models

    def respond(self, state: PrivateState, config: RunnableConfig) -> PrivateState:
        """Answer, blocking."""
        here = access(config)
        turn = answering(state, here)
        step = _advance(turn)
        while isinstance(step, Request):
            try:
                reply = self._model(here).answer(step)
            except ModelError as exc:
                _note(state, here, exc)
                raise
            step = _advance(turn, reply)
        return step

    async def arespond(self, state: PrivateState, config: RunnableConfig) -> PrivateState:
        """Answer without holding the event loop while the model thinks."""
        here = access(config)
        turn = answering(state, here)
        step = await asyncio.to_thread(_advance, turn)
        while isinstance(step, Request):
            try:
                model = await asyncio.to_thread(self._model, here)
                reply = await model.aanswer(step)
            except ModelError as exc:
                await asyncio.to_thread(_note, state, here, exc)
                raise
            step = await asyncio.to_thread(_advance, turn, reply)
        return step

    def _model(self, here: Access) -> ChatModel:
        return self.models.named(here.context.model)


def answering(state: PrivateState, here: Access) -> Turn:
    """Yield what a model is to be asked, and return what the turn comes to."""
    place = place_of_answer(state, here)
    if is_order(state.get("captured", {})):
        text = answer_orders(state["captured"], here.memory)
        return _answered(state, here, place, Request(()), Reply(text, model="rule"))
    asked = first_request(state, here, place.id)
    request, found = asked.request, asked.conflicts
    if place.given is not None:
        return _answered(state, here, place, request, Reply(place.given, model="given before"))
    replies = [(yield request)]
    if request.tools and (called := commands(replies[0].tool_calls)):
        return {"asked": _asked(state, called)}
    if not replies[0].text.strip():  # it called for nothing that there is, and said nothing
        replies.append((yield replace(request, tools=())))
    first = last = judged(replies[-1], asked, here)
    if not first.passed:
        second = second_request(request, replies[-1].text, first.unsupported, first.stale)
        replies.append((yield second))
        last = judged(replies[-1], asked, here)
        last = last if last.reply.text.strip() else first  # it said nothing: it stays as it was
        place = replace(place, id=second.answer_id)
    final = corrected(last, request)
    done = answer_orders(state.get("captured", {}), here.memory)
    named = naming(final.text, found, request.evidence)
    final = replace(final, text=f"{done}\n\n{named}" if done else named)
    story = story_of(first, last)
    return {
        **_answered(state, here, place, request, _summed(final, replies), check=story),
        "context_report": report_of(asked.assembled),
        "conflicts": _conflicts(found, request.evidence),
    }


def _asked(state: PrivateState, asked: list[Command]) -> dict[str, Any]:
    """Return what the model understood; a credential that it repeats out of context goes, too."""
    question = latest_question(state)
    said = text_of(question)
    orders = [
        {
            "order": each.order.value,
            "argument": _discreet(each.argument, said),
            "about": _discreet(each.about, said),
        }
        for each in asked
    ]
    return {"message_id": question.id, "orders": orders}


def _discreet(text: str, said: str) -> str:
    """Return a model's words without the credentials of the message they answer."""
    for secret in find(said):
        text = text.replace(said[secret.start : secret.end], f"[redacted: {secret.kind}]")
    return text


def _conflicts(found: Sequence[Conflict], evidence: Sequence[Citation]) -> list[dict[str, Any]]:
    """Return the records that the user's words contradict, each once."""
    labels = {each.label for each in found}
    return [
        {"label": each.label, "id": each.record_id} for each in evidence if each.label in labels
    ]


def _advance(turn: Turn, reply: Reply | None = None) -> Request | PrivateState:
    """Return the next request, or what the turn came to."""
    try:
        return next(turn) if reply is None else turn.send(reply)
    except StopIteration as done:
        result: PrivateState = done.value
        return result


def _note(state: PrivateState, here: Access, exc: ModelError) -> None:
    event_id = state.get("captured", {}).get("event_id", "")
    here.memory.failed(event_id, step=STEP, error=f"{type(exc).__name__}: {exc.message}")


def _summed(final: Reply, replies: list[Reply]) -> Reply:
    """Return the final reply with what all of them cost."""
    read = [each.input_tokens for each in replies if each.input_tokens is not None]
    wrote = [each.output_tokens for each in replies if each.output_tokens is not None]
    return replace(
        final,
        input_tokens=sum(read) if read else None,
        output_tokens=sum(wrote) if wrote else None,
        milliseconds=sum(each.milliseconds for each in replies),
    )


def _answered(
    state: PrivateState, here: Access, place: Place, request: Request, reply: Reply, **further: Any
) -> PrivateState:
    captured = state.get("captured", {})
    reply = replace(reply, text=_discreet(reply.text, text_of(latest_question(state))))
    cited = cited_in(reply.text, request.evidence)
    here.memory.capture([Utterance(here.thread_id, place.id, "assistant", reply.text)])
    events = (*captured.get("follows", ()), captured.get("event_id", ""))
    failures = [failure for each in events for failure in here.memory.failures(each)]
    sources = [_source(each) for each in request.evidence if each.label in cited]
    usage = {
        **(state.get("usage") or {}),
        "model": reply.model or "unknown",
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "model_milliseconds": round(reply.milliseconds, 3),
        **further,
    }
    known = {"placement": PLACEMENT, "prompt": PROMPT, "claims": CLAIMS}
    usage["versions"] = {**usage.get("versions", {}), **known}
    answer = AIMessage(reply.text, id=place.id, additional_kwargs={"citations": sources})
    return {
        "messages": [answer],
        "usage": usage,
        "run_state": run_state.answered(
            state.get("run_state") or run_state.begun(None),
            [cast(run_state.Failure, each) for each in failures],
            input_tokens=reply.input_tokens or 0,
            output_tokens=reply.output_tokens or 0,
        ),
    }


def _source(citation: Citation) -> dict[str, Any]:
    return {
        "label": citation.label,
        "id": citation.record_id,
        "source": citation.source,
        "said_at": citation.said_at.isoformat(),
        "scope": citation.scope,
    }
