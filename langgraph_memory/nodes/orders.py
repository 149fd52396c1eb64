"""What the agent says after it did what was asked of memory itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langgraph_memory.domain.record import Status, Version
from langgraph_memory.errors import NotFoundError
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.policy.orders.commands import Order

Told = dict[str, Any]


def is_order(captured: Told) -> bool:
    """Tell whether the turn's own message is orders to memory, and asks nothing else."""
    own = any(each["event_id"] == captured["event_id"] for each in captured.get("orders", ()))
    return own and not captured.get("rest")


def answer_orders(captured: Told, memory: ScopedMemory) -> str:
    """Return the answer to the orders carried out, in their order; empty where there are none."""
    return "\n".join(_answer(each, memory) for each in captured.get("orders", ()))


def _answer(order: Told, memory: ScopedMemory) -> str:
    effect = order.get("effect")
    if effect == "refused":
        kept = Order(order["order"]) in (Order.REMEMBER, Order.CORRECT)
        return f"I did not {'keep' if kept else 'do'} that. {order['why']}"
    if effect == "rejected":
        why = f" ({order['why']})" if order.get("why") else ""
        if order.get("decided_before"):
            return f"Nothing was changed: this was decided before, and not approved{why}."
        return f"Nothing was changed: the change was not approved{why}."
    if effect == "changed":
        found = _lines(order, memory)
        now = f" It says now:\n{found}" if found else ""
        return f"Nothing was done: that memory has changed since this was proposed. Ask anew.{now}"
    if "elsewhere" in order:
        place = f"project {order['elsewhere']}" if order["elsewhere"] else "no project"
        return f"Done where it was asked, in {place}."
    answer = _ANSWERS[Order(order["order"])](order, memory)
    return f"This was decided before. {answer}" if order.get("decided_before") else answer


def _remembered(order: Told, memory: ScopedMemory) -> str:
    if order["effect"] == "unclear":
        return "Nothing was kept: that may be several orders. Give each of them in its own message."
    versions = _versions(order["record_id"], memory)
    number = order.get("version", versions[-1].number if versions else 0)
    said = next((each for each in versions if each.number == number), None)
    if said is None:
        return "That was forgotten since."
    if said.status is Status.PENDING:
        stands = _quote(order["record_id"], memory)
        return f"I noted it for review. What is verified stands: {stands}"
    quoted = f"“{_content(said)}”"
    if order["effect"] == "strengthen":
        return f"I know that already: {quoted}"
    answer, before = f"I will remember: {quoted}", _before(said, versions)
    if order["effect"] != "supersede" or before in ("", _content(said)):
        return answer
    begins = said.valid.start
    if begins is not None and begins > said.recorded_at:
        return f"{answer} Until {begins:%Y-%m-%d} this holds: “{before}”"
    return f"{answer} It takes the place of: “{before}”"


def _corrected(order: Told, memory: ScopedMemory) -> str:
    if order["effect"] == "unsure":
        found = _lines(order, memory)
        known = f" What you may mean:\n{found}" if found else ""
        how = "say “correct”, its id, “:” and what is right."
        doubt = "I am not sure that I am to correct something, so nothing is changed."
        return f"{doubt} To do it, {how}{known}"
    if order["effect"] == "unclear":
        known = f" Memory says:\n{found}" if (found := _lines(order, memory)) else ""
        how = "Tell me what is right, in one whole sentence and nothing else."
        return f"Nothing was changed. {how}{known}"
    if order["effect"] == "ambiguous":
        found = _lines(order, memory)
        how = "Say “correct”, the id of one, “:” and what is right:"
        return f"That may mean several memories. {how}\n{found}"
    if order["effect"] == "supersede" and "corrected" in order:
        return f"Corrected. From now on: {_quote(order['record_id'], memory)}"
    answer = _remembered(order, memory)
    return answer if "corrected" in order else f"I found nothing to correct. {answer}"


def _forgotten(order: Told, memory: ScopedMemory) -> str:
    if order["effect"] == "deleted":
        return "Forgotten. I will not recall it any more."
    found = _lines(order, memory)
    if order["effect"] == "unsure":
        known = f" What you may mean:\n{found}" if found else ""
        return f"I am not sure that I am to forget something. Say “forget” and its id.{known}"
    if order["effect"] == "everything":
        return (
            "I do not delete everything on one sentence. Forget memories one by one, or let the "
            "operator remove all of yours: langgraph-memory purge."
        )
    if order["effect"] == "partial":
        how = "To delete all of it, say “forget” and its id; to change a part, correct it:"
        return f"That memory says more than this. {how}\n{found}"
    if order["effect"] == "ambiguous":
        return f"That fits several memories. Say “forget” and the id of one:\n{found}"
    if found:
        return f"No memory says exactly that. Did you mean one of these? Give its id:\n{found}"
    return "No memory says that, so there is nothing to forget."


def _stopped(order: Told, memory: ScopedMemory) -> str:
    answer = "I will keep nothing more of that, unless you ask me to remember it."
    if found := _lines(order, memory):
        answer += f" This I know already; say “forget” and its id to delete it:\n{found}"
    return answer


def _skipped(order: Told, memory: ScopedMemory) -> str:
    answer = (
        "I keep nothing of this message. To close a subject from now on, say “stop remembering "
        "anything about” and its name."
    )
    if found := _lines(order, memory):
        answer += f" This I know already; say “forget” and its id to delete it:\n{found}"
    return answer


def _resumed(order: Told, memory: ScopedMemory) -> str:
    if not order["total"]:
        return "Nothing kept me from remembering."
    return "I will remember again what you tell me."


def _listed(order: Told, memory: ScopedMemory) -> str:
    ids = order.get("record_ids", ())
    if not ids:
        return "Nothing is stored about you."
    lines = "\n".join(f"- {_quote(each, memory)} ({each})" for each in ids)
    more = order["total"] - len(ids)
    return f"This is what I know:\n{lines}" + (f"\n… and {more} more." if more > 0 else "")


_ANSWERS: dict[Order, Callable[[Told, ScopedMemory], str]] = {
    Order.REMEMBER: _remembered,
    Order.CORRECT: _corrected,
    Order.FORGET: _forgotten,
    Order.STOP: _stopped,
    Order.SKIP: _skipped,
    Order.RESUME: _resumed,
    Order.LIST: _listed,
}


def _lines(order: Told, memory: ScopedMemory) -> str:
    return "\n".join(f"- {each}: {_quote(each, memory)}" for each in order.get("record_ids", ()))


def _versions(record_id: str, memory: ScopedMemory) -> Sequence[Version]:
    """Return what was said under a memory's name since it was last forgotten."""
    try:
        versions = memory.inspect(record_id).record.versions
    except NotFoundError:
        return ()
    gone = [each.number for each in versions if each.status is Status.DELETED]
    return [each for each in versions if not gone or each.number > gone[-1]]


def _before(said: Version, versions: Sequence[Version]) -> str:
    """Return what counted before a statement was made; empty where nothing did."""
    earlier = [each for each in versions if each.number < said.number]
    counted = [each for each in earlier if each.status is not Status.PENDING]
    refuted = not counted or counted[-1].refutes
    return "" if refuted else _content(counted[-1])


def _content(version: Version) -> str:
    return str((version.value or {}).get("content", ""))


def _quote(record_id: str, memory: ScopedMemory) -> str:
    """Return what a record states now, read anew."""
    found = memory.cite([record_id])
    return f"“{found[0].content}”" if found else "(does not hold any more)"
