"""What a model is asked: the request of a turn, and the second one after a draft that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple, cast

from langchain_core.messages import BaseMessage, ToolMessage

from langgraph_memory.context.prompt import Assembled, assemble
from langgraph_memory.domain.passing import SaidIn
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.models.counting import count_tokens
from langgraph_memory.nodes.access import Access, latest_question, question_of, text_of
from langgraph_memory.nodes.saying import saying
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.nodes.tools import TOOLS
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.updates.contradiction import Conflict, Told, outdated_by
from langgraph_memory.policy.updates.update import Known
from langgraph_memory.ports import ChatMessage, Request

ANSWER = "answer-"
MOST_COMPARED = 10
"""Later messages that an earlier one is held against."""


class FirstRequest(NamedTuple):
    """The request of a turn.

    Attributes:
        request: What the model is asked.
        assembled: What went into it.
        told: What the user's latest words state.
        conflicts: Where they say another thing than the evidence.
        since: What the user said in passing before, as far as it is evidence.
        passed: Where that says another thing than a record.
    """

    request: Request
    assembled: Assembled
    told: Told
    conflicts: tuple[Conflict, ...]
    since: Told
    passed: tuple[Conflict, ...]


def first_request(state: PrivateState, here: Access, answer: str) -> FirstRequest:
    """Return the request of a turn.

    Args:
        state: The turn so far.
        here: Whose.
        answer: The id of the message that answers.
    """
    question = latest_question(state)
    chosen = {each["label"]: each for each in state.get("evidence", [])}
    cited = [
        replace(each, score=chosen[each.label]["score"])
        for each in here.memory.cite([_reference(each) for each in chosen.values()])
    ]
    newer = {label: each["outdated_by"] for label, each in chosen.items() if "outdated_by" in each}
    evidence = outdated_by(cited, newer)
    since = Told("\n".join(each.content for each in evidence if each.event_id))
    missing = (state.get("abstained") or {}).get("message", "")
    settings = here.settings
    said = saying(state)
    told = said.told()
    found = told.against(evidence)
    *older, latest = (chat_message(each) for each in _up_to(state, question))
    asked = question_of(state)
    assembled = assemble(
        [*older, replace(latest, content=asked)][-settings.tail :],
        evidence,
        missing,
        budget_tokens=settings.budget_tokens,
        count=count_tokens,
        instructions=here.context.instructions,
        conflicts=[each.label for each in found],
    )
    if 2 * assembled.tokens["system"] > settings.budget_tokens:
        raise InvalidInputError(
            f"The instructions take {assembled.tokens['system']:,} tokens, more than half of the "
            f"run's budget_tokens ({settings.budget_tokens:,}). Shorten them, or raise the budget."
        )
    request = Request(
        assembled.messages,
        evidence,
        missing,
        told=tuple(said.states[each] for each in state.get("answering", ())),
        noted=said.notes,
        discreet=said.discreet,
        outdated=tuple(dict.fromkeys(each.label for each in found)),
        tools=() if (state.get("captured") or {}).get("understood") else TOOLS,
        answer_id=answer,
    )
    passed = since.against([each for each in evidence if each.outdated_by and each.label in newer])
    return FirstRequest(request, assembled, told, found, since, passed)


def second_request(
    request: Request, draft: str, unsupported: Sequence[str], stale: Sequence[str] = ()
) -> Request:
    """Return the request after a draft that says what nothing supports, or what is outdated."""
    told = []
    if unsupported:
        told.append(
            "Your draft says this about the past, and neither a remembered record nor this "
            f"conversation says so:\n{_listed(unsupported)}\nWrite the answer again without it. "
            "Say what you do not know."
        )
    if stale:
        told.append(
            "Your draft says this, and the user's latest message, or what they said since, says "
            f"otherwise:\n{_listed(stale)}\nWrite the answer again: go by the latest message, then "
            "by what was said last, and say what memory has instead."
        )
    told.append("Do not mention the draft.")
    asked = ChatMessage("user", "\n".join(told))
    messages = (*request.messages, ChatMessage("assistant", draft), asked)
    # What was streamed of the draft is a message of its own, that no state will ever hold.
    second = f"{request.answer_id}.2"
    return replace(request, messages=messages, tools=(), answer_id=second)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn's answer goes.

    Attributes:
        id: Of the message, and of its event.
        given: What was answered there before, and still stands.
    """

    id: str
    given: str | None = None


def place_of_answer(state: PrivateState, here: Access) -> Place:
    """Return where the answer goes: a retry answers in the same place.

    An answer that was written down by a run that then fell is given again. One that memory has
    changed since, or that the conversation has gone past, stays what it was; there is another.
    """
    asked = state.get("captured", {}).get("message_id") or latest_question(state).id
    first = f"{ANSWER}{asked}"
    said = here.memory.said(here.thread_id, first)
    if said is None:
        return Place(first)
    known = [datetime.fromisoformat(each["recorded_at"]) for each in state.get("evidence", [])]
    if said.latest and all(each <= said.at for each in known):
        return Place(first, said.content)
    number = 2
    while here.memory.said(here.thread_id, f"{first}~{number}") is not None:
        number += 1
    return Place(f"{first}~{number}")


def grounds(request: Request) -> list[str]:
    """Return what the user said in the conversation and still stands, the latest last.

    A model's own words are no ground for what it says next. What was asked of memory is in
    memory, where it may have changed since; and what the user contradicted later is no more so.
    """
    *conversation, _, question = request.messages[1:]
    standing = [question.content]
    later = [Told(question.content)]
    for message in reversed(conversation):
        said = message.content
        if message.role != "user":
            continue
        if (reading := read(said)).orders:
            said = reading.rest
        if not said:
            continue
        known = Known(said)
        if not any(each.contradicts(known) for each in later):
            standing.append(said)
            if len(later) < MOST_COMPARED:
                later.append(Told(said))
    return standing[::-1]


def _reference(evidence: dict[str, Any]) -> str | SaidIn:
    """Return what a piece of evidence in the state is read again by."""
    if event_id := evidence.get("event_id"):
        return SaidIn(event_id, evidence["statement"])
    return str(evidence["id"])


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {each}" for each in texts)


def report_of(assembled: Assembled) -> dict[str, Any]:
    """Return what went into a request, as state shows it."""
    total = sum(assembled.tokens.values())
    return {
        "tokens": {**assembled.tokens, "total": total},
        "budget_tokens": assembled.budget_tokens,
        "messages": {
            "shown": assembled.older - assembled.left_out + 1,
            "left_out": assembled.left_out,
        },
        "question_cut": assembled.cut,
    }


def chat_message(message: BaseMessage) -> ChatMessage:
    """Return a message of the conversation as a model is shown it."""
    roles = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
    role = cast(Literal["system", "user", "assistant", "tool"], roles.get(message.type, "user"))
    text = text_of(message)
    if isinstance(message, ToolMessage):
        text = f"[result of a tool]\n{text}"
    return ChatMessage(role, text, str(message.id or ""))


def _up_to(state: PrivateState, question: BaseMessage) -> Sequence[BaseMessage]:
    """Return the conversation with the latest user message last; a resumed turn has no more."""
    messages = list(state.get("messages") or [])
    return messages[: [each.id for each in messages].index(question.id) + 1]
