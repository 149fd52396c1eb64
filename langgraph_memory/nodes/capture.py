"""Write the user's message down, then do what it asks of memory itself."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import Any, NamedTuple, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.domain import run_state
from langgraph_memory.domain.events import Event
from langgraph_memory.nodes.access import (
    Access,
    access,
    text_of,
    unanswered,
)
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.nodes.taking_up import costs_so_far, goes_on, taken_up
from langgraph_memory.operations.capture import Captured, Utterance
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.consent import Consent, consent, left_to_ask, narrowed
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.text.secrets import redact

_NOT_SURE = (
    "I am not sure that your message asks for it. Please say it once more, in one plain sentence."
)
_NOT_YOURS = "Only your own messages change what is remembered of you."
_ANOTHER = "another message came before a decision"


class _Read(NamedTuple):
    """A message as rules read it.

    Attributes:
        orders: In their order, each with its number.
        rest: What it asks beside them.
        further: The first number that is free for what a model understands.
    """

    orders: tuple[tuple[int, Command], ...] = ()
    rest: str = ""
    further: int = 0


def capture(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Capture what the user said as events, once, and carry out the orders in it.

    That is the latest message, and before it those that nobody answered. An order that waits for
    a review is only proposed here.
    """
    here = access(config)
    message, repeated = taken_up(state)
    messages = [*unanswered(state, message), message]
    said = [_captured(here, str(each.id), text_of(each), each.name or "") for each in messages]
    done = _carried_out(state, here, said, _asked(state, message))
    told = zip(messages, said, strict=True)
    if others := [str(each.id) for each, at in told if not here.memory.is_own(at.event)]:
        done["captured"]["others"] = others
    return {
        **done,
        **costs_so_far(state, said[-1].event.id),
        "messages": repeated,
        "candidates": [],
        "beside": [],
        "unread": [],
        "answering": [],
        "verdicts": [],
        "evidence": [],
        "conflicts": [],
        "abstained": None,
        "recalled": [],
        "asked": {},
    }


def _captured(here: Access, message_id: str, text: str, speaker: str) -> Captured:
    """Write the message down, once. Other words under its id are another message: an edited one."""
    at = Utterance(here.thread_id, message_id, "user", text, speaker)
    review = here.settings.approval
    [captured] = here.memory.capture([at], consolidate=True, review=review)
    if captured.new or captured.event.content == redact(text):
        return captured
    digest = hashlib.blake2b(redact(text).encode("utf-8", "replace"), digest_size=6).hexdigest()
    edited = replace(at, message_id=f"{message_id}~{digest}")
    [captured] = here.memory.capture([edited], consolidate=True, review=review)
    return captured


async def acapture(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(capture, state, config)


def order_id(event_id: str, number: int) -> str:
    """Return the identity of an order: its message's event, and which of its orders it is."""
    return f"{event_id}/{number}"


def _carried_out(
    state: PrivateState, here: Access, said: list[Captured], asked: list[Command]
) -> PrivateState:
    """Carry out the orders in what was said; ``asked`` are those a model read in the latest."""
    latest = said[-1]
    # A new message lets what waited drop; the same ones, sent again, go on with it.
    ours = {latest.event.id} if latest.new else {each.event.id for each in said}
    run, dropped = _begun(state, here, ours)
    own = {
        each.event.id: _read(here, each.event) for each in said if here.memory.is_own(each.event)
    }
    orders: list[dict[str, Any]] = []
    waiting: list[run_state.Approval] = []
    understood: list[Command] = []
    for each in said:
        event, at = each.event, each.event.at.isoformat()
        reading = own.get(event.id, _Read())
        by_model = enumerate(asked if each is latest else [], start=reading.further)
        for number, command in (*reading.orders, *by_model):
            identity = order_id(event.id, number)
            told = {"order": command.order.value, "number": number, "event_id": event.id}
            if number >= reading.further:
                if _is_done(command, own):
                    continue
                command = narrowed(command, event.content)
                told["order"] = command.order.value
                found = _consent(command, own)
                if found is Consent.NONE and len(own) == len(said):
                    continue
                if found is not Consent.GIVEN:
                    no = _not_done(here, command, found, event.id, number, event.id in own)
                    orders.append({**told, **no})
                    continue
                understood.append(command)
            if identity in dropped:
                continue
            if change := _proposed(here, command, event.id, number):
                orders.append({**told, "effect": "waiting"})
                waiting.append(cast(run_state.Approval, {**change, "id": identity, "at": at}))
                continue
            orders.append({**told, **here.memory.obey(command, event.id, number=number)})
            if command.order is not Order.LIST:
                run = run_state.acted(run, action_of(event.id, number, orders[-1], at))
    story: dict[str, Any] = {
        "event_id": latest.event.id, "message_id": latest.event.message_id, "new": latest.new,
        "at": latest.event.at.isoformat(),
    }  # fmt: skip
    if orders:
        story["orders"] = orders
    reading = own.get(latest.event.id, _Read())
    if rest := left_to_ask(understood, reading.rest) if asked else reading.orders and reading.rest:
        story["rest"] = rest
    if asked:
        story["understood"] = True
    if len(said) > 1:
        story["follows"] = [each.event.id for each in said[:-1]]
    return {"captured": story, "run_state": run_state.waiting(run, waiting)}


def _read(here: Access, event: Event) -> _Read:
    """Return a message of the user's own as rules read it, and memory understands it.

    The numbers are those of all orders that it may give, so that they stay what they are while
    memory changes.
    """
    every = read(event.content, lambda _: True).orders
    meant = [
        (number, each)
        for number, each in enumerate(every)
        if here.memory.is_meant(each, event.id, number=number)
    ]
    told = [each for _, each in meant]
    return _Read(tuple(meant), read(event.content, told.__contains__).rest, len(every))


def _is_done(command: Command, own: dict[str, _Read]) -> bool:
    """Tell whether a model calls for what the rules found in the same messages already."""
    return any(
        each.order is command.order
        and _plain(command.argument)
        in (_plain(each.argument), _plain(f"{each.about} {each.argument}"))
        for reading in own.values()
        for _, each in reading.orders
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().rstrip(".!。").split())


def _consent(command: Command, own: dict[str, _Read]) -> Consent:
    """Return the most that the user's own messages give to what a model understood in them."""
    found = {consent(command, reading.rest) for reading in own.values()}
    return next((each for each in Consent if each in found), Consent.NONE)


def _not_done(
    here: Access, command: Command, found: Consent, event_id: str, number: int, own: bool
) -> dict[str, Any]:
    """Settle what a model understood and the user's own words do not surely ask for."""
    if found is Consent.UNSURE:
        return here.memory.ask_back(command, event_id, number=number)
    why = _NOT_SURE if own else _NOT_YOURS
    return here.memory.decline(event_id, number=number, effect="refused", why=why)


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


def _begun(
    state: PrivateState, here: Access, ours: set[str]
) -> tuple[run_state.RunState, set[str]]:
    """Begin the turn; what other messages asked and nobody decided is settled: rejected.

    Returns:
        The run, and the ids of the orders that were dropped so.
    """
    before = state.get("run_state")
    if before and before["status"] == "answered" and not goes_on(state, ours):
        before = run_state.finished(before)
    run = run_state.begun(before)
    dropped = set()
    for change in before["pending_approvals"] if before else ():
        asked_in, _, number = change["id"].rpartition("/")
        if asked_in not in ours:
            outcome = here.memory.decline(asked_in, number=int(number), why=_ANOTHER)
            told = {**outcome, "order": change["order"]}
            run = run_state.acted(run, action_of(asked_in, int(number), told, change["at"]))
            dropped.add(change["id"])
    return run, dropped
