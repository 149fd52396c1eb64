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

from langgraph_memory.context.prompt import Assembled, cited_in
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
from langgraph_memory.nodes.checking import corrected, judged, naming, story_of, withholding
from langgraph_memory.nodes.orders import answer_orders, is_order
from langgraph_memory.nodes.spending import (
    NOTHING,
    Spent,
    charged,
    of_failure,
    of_failures,
    of_replies,
    used,
)
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.nodes.tools import commands
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.policy.orders.commands import Command
from langgraph_memory.policy.updates.contradiction import Conflict
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
        step, spent = _advance(turn), NOTHING
        while isinstance(step, Request):
            try:
                reply = self._model(here).answer(step)
            except ModelError as exc:
                _note(state, here, exc, spent)
                raise
            spent = spent.plus(of_replies([reply]))
            step = _advance(turn, reply)
        return step

    async def arespond(self, state: PrivateState, config: RunnableConfig) -> PrivateState:
        """Answer without holding the event loop while the model thinks."""
        here = access(config)
        turn = answering(state, here)
        step, spent = await asyncio.to_thread(_advance, turn), NOTHING
        while isinstance(step, Request):
            try:
                model = await asyncio.to_thread(self._model, here)
                reply = await model.aanswer(step)
            except ModelError as exc:
                await asyncio.to_thread(_note, state, here, exc, spent)
                raise
            spent = spent.plus(of_replies([reply]))
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
    asked = first_request(state, here, place.draft(1))
    request, found = asked.request, asked.conflicts
    if place.given is not None:
        given = Reply(place.given[1], model="given before")
        return _answered(state, here, place, request, given)
    replies = [(yield request)]
    if request.tools and (called := commands(replies[0].tool_calls)):
        return _understood(state, called, asked.assembled, replies[0])
    if not replies[0].text.strip():  # it called for nothing that there is, and said nothing
        replies.append((yield replace(request, tools=(), answer_id=place.draft(2))))
    first = last = judged(replies[-1], asked, here)
    if not first.passed:
        second = second_request(
            request, replies[-1].text, first.unsupported, first.stale, first.deeds
        )
        replies.append((yield replace(second, answer_id=place.draft(len(replies) + 1))))
        last = judged(replies[-1], asked, here)
        last = last if last.reply.text.strip() else first  # it said nothing: it stays as it was
    final = corrected(last, request)
    withheld = state.get("abstained") or withholding(final.text, last)
    done = answer_orders(state.get("captured", {}), here.memory)
    named = naming(final.text, found, request.evidence)
    final = replace(final, text=f"{done}\n\n{named}" if done else named)
    story = story_of(first, last)
    return {
        **_answered(state, here, place, request, final, replies, check=story),
        "abstained": withheld,
        "context_report": report_of(asked.assembled),
        "conflicts": _conflicts(found, request.evidence),
    }


def _understood(
    state: PrivateState, asked: list[Command], assembled: Assembled, reply: Reply
) -> PrivateState:
    """Return the turn with what the model understood to be asked of memory, and its cost."""
    spent = of_replies([reply])
    return {
        "asked": _asked(state, asked),
        "usage": used(state, spent, {"understood_by": reply.model}, shown=True),
        "context_report": report_of(assembled),
        "run_state": charged(state, spent),
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
    """Return the records that the user's words contradict, each once.

    Where those are no words of the latest message, ``said_in`` is the event they stand in.
    """
    labels = {each.label for each in found}
    said_in = {each.label: each.event_id for each in evidence if each.event_id}
    return [
        {"label": each.label, "id": each.record_id}
        if each.label in labels
        else {"label": each.label, "id": each.record_id, "said_in": said_in[each.outdated_by]}
        for each in evidence
        if each.label in labels or each.outdated_by in said_in
    ]


def _advance(turn: Turn, reply: Reply | None = None) -> Request | PrivateState:
    """Return the next request, or what the turn came to."""
    try:
        return next(turn) if reply is None else turn.send(reply)
    except StopIteration as done:
        result: PrivateState = done.value
        return result


def _note(state: PrivateState, here: Access, exc: ModelError, spent: Spent) -> None:
    event_id = state.get("captured", {}).get("event_id", "")
    error, cost = f"{type(exc).__name__}: {exc.message}", spent.plus(of_failure(exc))
    here.memory.failed(event_id, step=STEP, error=error, spent=cost.told())


def _answered(
    state: PrivateState, here: Access, place: Place, request: Request, reply: Reply,
    drafts: Sequence[Reply] = (), **further: Any,
) -> PrivateState:  # fmt: skip
    """Write the answer down, and return the turn with it."""
    captured = state.get("captured", {})
    reply = replace(reply, text=_discreet(reply.text, text_of(latest_question(state))))
    cited = cited_in(reply.text, request.evidence)
    name = place.answer(reply.text, [each.text for each in drafts])
    name = place.given[0] if place.given else name
    here.memory.capture([Utterance(here.thread_id, name, "assistant", reply.text)])
    events = (*captured.get("follows", ()), captured.get("event_id", ""))
    known = (state.get("run_state") or run_state.begun(None))["errors"]
    failures = [
        cast(run_state.Failure, failure)
        for each in events
        for failure in here.memory.failures(each)
        if failure not in known
    ]
    more = of_replies(drafts).plus(of_failures(failures))
    sources = [_source(each) for each in request.evidence if each.label in cited]
    told = {"model": reply.model or "unknown", **further}
    answer = AIMessage(reply.text, id=name, additional_kwargs={"citations": sources})
    return {
        "messages": [answer],
        "usage": used(state, more, told, shown=more.calls > 0),
        "run_state": run_state.answered(charged(state, more), failures),
    }


def _source(citation: Citation) -> dict[str, Any]:
    found = {
        "label": citation.label,
        "id": citation.record_id,
        "source": citation.source,
        "said_at": citation.said_at.isoformat(),
        "scope": citation.scope,
    }
    return {**found, "event_id": citation.event_id} if citation.event_id else found
