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
from langgraph_memory.operations.transcript import Said
from langgraph_memory.policy.orders.commands import Order
from langgraph_memory.policy.orders.matching import names
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.updates.contradiction import Conflict, Told, outdated_by
from langgraph_memory.policy.updates.update import Known
from langgraph_memory.ports import ChatMessage, Request

ANSWER = "answer-"
MOST_NAMES = 5
"""Names that one run gives out: for an order to memory, three drafts, and the answer."""

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
    closed = here.memory.closed(here.thread_id, said.notes)
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
        noted=tuple(each for each in said.notes if each not in {part.text for part in closed}),
        closed=tuple(closed),
        discreet=said.discreet,
        outdated=tuple(dict.fromkeys(each.label for each in found)),
        tools=() if (state.get("captured") or {}).get("understood") else TOOLS,
        answer_id=answer,
    )
    passed = since.against([each for each in evidence if each.outdated_by and each.label in newer])
    return FirstRequest(request, assembled, told, found, since, passed)


def second_request(
    request: Request, draft: str, unsupported: Sequence[str], stale: Sequence[str] = (),
    deeds: Sequence[str] = (),
) -> Request:  # fmt: skip
    """Return the request after a draft with something wrong about it, as ``Judged`` lists it."""
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
    if deeds:
        told.append(
            f"Your draft claims a change of memory, and there was none:\n{_listed(deeds)}\nWrite "
            "the answer again without the claim. If the user wants it changed, ask them to say so "
            "in one plain sentence."
        )
    told.append("Do not mention the draft.")
    asked = ChatMessage("user", "\n".join(told))
    messages = (*request.messages, ChatMessage("assistant", draft), asked)
    return replace(request, messages=messages, tools=())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn's answer goes, and the names of what is heard on the way to it.

    Whoever listens hears each draft under a name of its own. The answer has the name of the draft
    that it is, word for word, or one that nobody heard anything under.

    Attributes:
        first: The first of its names.
        heard: How many were taken earlier in the turn.
        given: The name and the words of what was answered there before, and still stands.
    """

    first: str
    heard: int = 0
    given: tuple[str, str] | None = None

    def draft(self, number: int) -> str:
        """Return the name of a draft of this run, counted from 1."""
        return _numbered(self.first, self.heard + number)

    def answer(self, text: str, drafts: Sequence[str]) -> str:
        """Return the name of the answer, for the message and for its event."""
        same = [number for number, draft in enumerate(drafts, 1) if draft.strip() == text]
        return self.draft(same[-1] if same else len(drafts) + 1)


def place_of_answer(state: PrivateState, here: Access) -> Place:
    """Return where the answer goes: a retry answers in the same place.

    An answer that was written down by a run that then fell is given again. One that memory has
    changed since, or that the conversation has gone past, stays what it was; there is another.
    """
    asked = state.get("captured", {}).get("message_id") or latest_question(state).id
    first, heard = f"{ANSWER}{asked}", _calls_so_far(state, here)
    found = _said(here, first, heard)
    if found is None:
        return Place(first, heard)
    name, said = found
    known = [datetime.fromisoformat(each["recorded_at"]) for each in state.get("evidence", [])]
    if said.latest and all(each <= said.at for each in known):
        return Place(first, heard, (name, said.content))
    number = 2
    while _said(here, f"{first}~{number}", heard) is not None:
        number += 1
    return Place(f"{first}~{number}", heard)


def _calls_so_far(state: PrivateState, here: Access) -> int:
    """Return how often a model was asked in this turn, by this run and by those that failed."""
    captured = state.get("captured", {})
    events = (*captured.get("follows", ()), captured.get("event_id", ""))
    failed = [failure for each in events for failure in here.memory.failures(each)]
    told = (state.get("usage") or {}, *(each.get("spent", {}) for each in failed))
    return sum(each.get("calls", 0) for each in told)


def _said(here: Access, first: str, heard: int) -> tuple[str, Said] | None:
    """Return what was said under one of an answer's names, and which."""
    names = (_numbered(first, number) for number in range(1, heard + MOST_NAMES + 1))
    found = ((each, here.memory.said(here.thread_id, each)) for each in names)
    return next(((name, said) for name, said in found if said is not None), None)


def _numbered(first: str, number: int) -> str:
    return first if number == 1 else f"{first}.{number}"


def grounds(request: Request) -> list[str]:
    """Return what the user said in the conversation and still stands, the latest last.

    A model's own words are no ground for what it says next. What was asked of memory is in
    memory, where it may have changed since; what the user contradicted later is no more so, and
    what they asked to forget later is not to be told.
    """
    *conversation, _, question = request.messages[1:]
    standing = [question.content]
    later = [Told(question.content)]
    gone: list[str] = []
    for message in reversed(conversation):
        said = message.content
        if message.role != "user":
            continue
        if (reading := read(said)).orders:
            said = reading.rest
            gone += [each.argument for each in reading.orders if each.order is Order.FORGET]
        if not said or any(each and names(each, said) for each in gone):
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
