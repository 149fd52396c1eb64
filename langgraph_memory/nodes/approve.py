"""Wait for somebody's decision on each change that a message asks of memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import interrupt

from langgraph_memory.domain import run_state
from langgraph_memory.errors import NotFoundError
from langgraph_memory.nodes.access import Access, access, whole_memory
from langgraph_memory.nodes.capture import action_of, order_id
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.text.secrets import redact

DECISION = "__memory_decision"
"""Where the config of a run holds the decision that was brought to an earlier checkpoint."""

CHOICES = ("approve", "edit", "reject")
_HOW = (
    'Resume with {"decision": "approve"}, {"decision": "edit", "content": "..."} or '
    '{"decision": "reject", "why": "..."}.'
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reviewer decided; ``content`` replaces the proposed words, ``why`` may be empty."""

    choice: str
    content: str = ""
    why: str = ""


def approve(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Interrupt with each proposed change, and do what is decided.

    The step runs again from its start after each decision; what was done is done once.
    """
    here = access(config)
    run, captured = state["run_state"], dict(state["captured"])
    orders = [dict(each) for each in captured["orders"]]
    places = {order_id(each["event_id"], each["number"]): at for at, each in enumerate(orders)}
    brought = read_decision((config.get("configurable") or {}).get(DECISION))
    for change in run["pending_approvals"]:
        event_id, _, number = change["id"].rpartition("/")
        decision = _decision(change)
        there = _where_asked(here, event_id)
        outcome = _settled(there, change, decision, event_id, int(number))
        if there is not here:
            outcome = {**outcome, "elsewhere": there.memory.where_said(event_id).project or ""}
        if brought is not None and change is run["pending_approvals"][-1] and brought != decision:
            outcome = {**outcome, "decided_before": True}
        decided = orders[places[change["id"]]] | outcome
        orders[places[change["id"]]] = decided
        run = run_state.acted(run, action_of(event_id, int(number), decided, change["at"]))
    captured["orders"] = orders
    return {"captured": captured, "run_state": run_state.decided(run)}


async def aapprove(state: PrivateState, config: RunnableConfig) -> PrivateState:
    """Do the same without holding the event loop."""
    return await asyncio.to_thread(approve, state, config)


def _where_asked(here: Access, event_id: str) -> Access:
    """Return the way to memory in the scope in which a change was asked for."""
    asked_in = here.memory.where_said(event_id)
    if (asked_in.project, asked_in.agent) == (here.memory.bound.project, here.memory.bound.agent):
        return here
    memory = whole_memory().bound_to(asked_in, here.context.timezone)
    return replace(here, memory=memory)


def _decision(change: run_state.Approval) -> Decision:
    """Interrupt until there is a decision that can be read."""
    asked: dict[str, Any] = {"proposed": dict(change), "decisions": list(CHOICES), "how": _HOW}
    while True:
        answer = interrupt(asked)
        decision = read_decision(answer)
        if decision is not None:
            return decision
        asked = {**asked, "problem": f"This is no decision: {str(answer)[:200]!r}. {_HOW}"}


def read_decision(answer: Any) -> Decision | None:
    """Return a decision in any of the forms it is given in; None for anything else."""
    if isinstance(answer, bool):
        return Decision("approve" if answer else "reject")
    if isinstance(answer, str):
        word = answer.strip().casefold()
        return Decision(word) if word in ("approve", "reject") else None
    if isinstance(answer, list) and len(answer) == 1:
        return read_decision(answer[0])
    if not isinstance(answer, Mapping):
        return None
    if "decisions" in answer:  # as LangChain's review of tool calls has it
        return read_decision(answer["decisions"])
    choice = str(answer.get("decision") or answer.get("type") or "").strip().casefold()
    content, why = (str(answer.get(each) or "").strip() for each in ("content", "why"))
    content = content or _edited(answer.get("edited_action"))
    if choice not in CHOICES or (choice == "edit" and not content):
        return None
    return Decision(choice, content, why or str(answer.get("message") or ""))


def _edited(action: Any) -> str:
    """Return the words in LangChain's form of an edit; empty where they are not one text."""
    arguments = action.get("args") if isinstance(action, Mapping) else None
    texts = [each for each in (arguments or {}).values() if isinstance(each, str) and each.strip()]
    return texts[0].strip() if len(texts) == 1 else ""


def _settled(
    here: Access, change: run_state.Approval, decision: Decision, event_id: str, number: int
) -> dict[str, Any]:
    """Do what is decided. What was decided before, and otherwise, stays so, and is told."""
    if decision.choice == "reject":
        outcome = here.memory.decline(event_id, number=number, why=decision.why)
        before = outcome.get("effect") != "rejected" or outcome["why"] != redact(decision.why)
        return {**outcome, "decided_before": True} if before else outcome
    command = _command(change, decision.content if decision.choice == "edit" else "")
    outcome = here.memory.obey(command, event_id, number=number)
    if outcome.get("effect") == "rejected" or _said_otherwise(here, outcome, decision):
        return {**outcome, "decided_before": True}
    return outcome


def _said_otherwise(here: Access, outcome: dict[str, Any], decision: Decision) -> bool:
    """Tell whether an edit comes too late: something else was kept before."""
    if decision.choice != "edit" or "version" not in outcome:
        return False
    try:
        versions = here.memory.inspect(outcome["record_id"]).record.versions
    except NotFoundError:
        return False
    kept = [each.value or {} for each in versions if each.number == outcome["version"]]
    return bool(kept) and redact(decision.content) not in str(kept[0].get("content", ""))


def _command(change: run_state.Approval, edited: str) -> Command:
    """Return what was approved: exactly what was shown, or what the reviewer wrote instead."""
    order = Order(change["order"])
    if order is Order.FORGET:
        version = 0 if edited else change.get("version", 0)
        return Command(order, edited or change["record_id"], version=version)
    if order is Order.RESUME:
        return Command(order)
    record_id, version = change.get("record_id", ""), change.get("version", 0)
    return Command(order, edited or change["content"], record_id, version=version)
