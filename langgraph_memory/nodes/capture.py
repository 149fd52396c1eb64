"""Write the user's message down, then do what it asks of memory itself."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import Any, cast

from langchain_core.messages import HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.domain import run_state
from langgraph_memory.nodes.access import Access, access, latest_question, text_of, unanswered
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.operations.capture import Captured, Utterance
from langgraph_memory.policy.commands import Command, Order, parse
from langgraph_memory.policy.consent import asked_for
from langgraph_memory.text.secrets import redact

_NOT_SAID = "That is not what your message says."
_ANOTHER = "another message came before a decision"


def capture(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Capture the latest user message as an event, once, and carry out the orders in it.

    An order that waits for a review is only proposed here. Messages before it that nobody
    answered are captured and obeyed first, as if each had come alone.
    """
    here = access(config)
    message, repeated = taken_up(state)
    earlier = [each for said in unanswered(state, message) for each in _obeyed(state, here, said)]
    captured = _captured(here, str(message.id), text_of(message))
    asked, told = _asked(state, message), parse(captured.event.content)
    heard = [text_of(each) for each in unanswered(state, message)]
    commands = [told] if told and not asked else asked
    return {
        **_carried_out(state, here, captured, commands, earlier, heard if asked else None),
        "messages": repeated,
        "candidates": [],
        "verdicts": [],
        "evidence": [],
        "conflicts": [],
        "abstained": None,
        "recalled": [],
        "asked": {},
    }


def _captured(here: Access, message_id: str, text: str) -> Captured:
    """Write the message down, once. Other words under its id are another message: an edited one."""
    at, review = Utterance(here.thread_id, message_id, "user", text), here.settings.approval
    [captured] = here.memory.capture([at], consolidate=True, review=review)
    if captured.new or captured.event.content == redact(text):
        return captured
    digest = hashlib.blake2b(redact(text).encode("utf-8", "replace"), digest_size=6).hexdigest()
    edited = replace(at, message_id=f"{message_id}~{digest}")
    [captured] = here.memory.capture([edited], consolidate=True, review=review)
    return captured


def taken_up(state: PrivateState) -> tuple[HumanMessage, list[Any]]:
    """Return the message of this turn, and what leaves the conversation as a repetition.

    LangGraph gives a message that comes without an id a new one each time. The same words right
    after a message that was never answered, or after several, are those, sent again.
    """
    message = latest_question(state)
    said = [*unanswered(state, message), message]
    for count in range(len(said) // 2, 0, -1):
        again, before = said[-count:], said[-2 * count : -count]
        if [each.content for each in again] == [each.content for each in before]:
            return before[-1], [RemoveMessage(str(each.id)) for each in again]
    return message, []


def _obeyed(state: PrivateState, here: Access, message: HumanMessage) -> list[dict[str, Any]]:
    """Capture an earlier message of this turn; return what came of an order in it."""
    event = _captured(here, str(message.id), text_of(message)).event
    command = parse(event.content)
    before = state.get("run_state")
    waited = before["pending_approvals"] if before else ()
    if command is None or any(each["id"] == order_id(event.id, 0) for each in waited):
        return []  # what waited for a decision is settled where the turn begins
    told = {"order": command.order.value, "number": 0, "event_id": event.id}
    if here.settings.approval and command.order.changes:
        return [{**told, **here.memory.decline(event.id, number=0, why=_ANOTHER)}]
    return [{**told, **here.memory.obey(command, event.id, number=0)}]


async def acapture(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(capture, state, config)


def order_id(event_id: str, number: int) -> str:
    """Return the identity of an order: its message's event, and which of its orders it is."""
    return f"{event_id}/{number}"


def _carried_out(
    state: PrivateState, here: Access, captured: Captured, commands: list[Command],
    earlier: list[dict[str, Any]], heard: list[str] | None,
) -> PrivateState:  # fmt: skip
    """Carry out orders; of a model's (``heard`` is what else it read) those that were asked for."""
    event, at = captured.event, captured.event.at.isoformat()
    run = _begun(state, here, event.id)
    for order in earlier:
        if order["order"] != Order.LIST:
            run = run_state.acted(run, action_of(order["event_id"], 0, order, at))
    orders: list[dict[str, Any]] = []
    waiting: list[run_state.Approval] = []
    for number, command in enumerate(commands):
        told = {"order": command.order.value, "number": number}
        if heard is not None and not any(
            asked_for(command, each) for each in (event.content, *heard)
        ):
            no = here.memory.decline(event.id, number=number, effect="refused", why=_NOT_SAID)
            orders.append({**told, **no})
            continue
        if change := _proposed(here, command, event.id, number):
            orders.append({**told, "effect": "waiting"})
            proposal = {**change, "id": order_id(event.id, number), "at": at}
            waiting.append(cast(run_state.Approval, proposal))
            continue
        orders.append({**told, **here.memory.obey(command, event.id, number=number)})
        if command.order is not Order.LIST:
            run = run_state.acted(run, action_of(event.id, number, orders[-1], at))
    story: dict[str, Any] = {
        "event_id": event.id, "message_id": event.message_id, "new": captured.new, "at": at,
    }  # fmt: skip
    if orders:
        story["orders"] = orders
    if earlier:
        story["earlier"] = earlier
    return {"captured": story, "run_state": run_state.waiting(run, waiting)}


def action_of(event_id: str, number: int, order: dict[str, Any], at: str) -> run_state.Action:
    """Return an order that was carried out as an action of the run."""
    ids = order.get("record_ids") or ([order["record_id"]] if "record_id" in order else [])
    return {
        "id": order_id(event_id, number),
        "action": order["order"],
        "effect": order["effect"],
        "record_ids": ids,
        "at": at,
    }


def _proposed(here: Access, command: Command, event_id: str, number: int) -> dict[str, Any] | None:
    """Return what is to be reviewed first; None where nothing is."""
    if not here.settings.approval or not command.order.changes:
        return None
    return here.memory.propose(command, event_id, number=number)


def _asked(state: PrivateState, message: HumanMessage) -> list[Command]:
    """Return what the model understood to be asked in this very message."""
    asked = state.get("asked") or {}
    if asked.get("message_id") != message.id:
        return []
    return [
        Command(Order(each["order"]), each["argument"], each["about"]) for each in asked["orders"]
    ]


def _begun(state: PrivateState, here: Access, event_id: str) -> run_state.RunState:
    """Begin the turn; what an earlier message asked and nobody decided is settled: rejected."""
    run = run_state.begun(state.get("run_state"))
    before = state.get("run_state")
    for change in before["pending_approvals"] if before else ():
        asked_in, _, number = change["id"].rpartition("/")
        if asked_in != event_id:
            outcome = here.memory.decline(asked_in, number=int(number), why=_ANOTHER)
            told = {**outcome, "order": change["order"]}
            run = run_state.acted(run, action_of(asked_in, int(number), told, change["at"]))
    return run
