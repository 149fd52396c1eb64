"""What the agent says after it did what was asked of memory itself."""

from __future__ import annotations

from typing import Any

from langgraph_memory.memory import ScopedMemory
from langgraph_memory.policy.commands import Order


def answer_order(captured: dict[str, Any], memory: ScopedMemory) -> str:
    """Return the answer to a carried-out order, quoting records as they are now."""
    match Order(captured["order"]):
        case Order.REMEMBER:
            return _remembered(captured, memory)
        case Order.FORGET:
            return _forgotten(captured, memory)
        case Order.LIST:
            return _listed(captured, memory)


def _remembered(captured: dict[str, Any], memory: ScopedMemory) -> str:
    if captured["effect"] == "refused":
        return f"I did not keep that. {captured['why']}"
    quoted = _quote(captured["record_id"], memory)
    match captured["effect"]:
        case "strengthen":
            return f"I know that already: {quoted}"
        case "hold":
            return f"I noted it for review. What is verified stands: {quoted}"
        case _:
            return f"I will remember: {quoted}"


def _forgotten(captured: dict[str, Any], memory: ScopedMemory) -> str:
    if captured["effect"] == "deleted":
        return "Forgotten. I will not recall it any more."
    found = "\n".join(
        f"- {each}: {_quote(each, memory)}" for each in captured.get("record_ids", ())
    )
    if captured["effect"] == "ambiguous":
        return f"That fits several memories. Say “forget” and the id of one:\n{found}"
    if found:
        return f"No memory says exactly that. Did you mean one of these? Give its id:\n{found}"
    return "No memory says that, so there is nothing to forget."


def _listed(captured: dict[str, Any], memory: ScopedMemory) -> str:
    ids = captured.get("record_ids", ())
    if not ids:
        return "Nothing is stored about you."
    lines = "\n".join(f"- {_quote(each, memory)} ({each})" for each in ids)
    more = captured["total"] - len(ids)
    return f"This is what I know:\n{lines}" + (f"\n… and {more} more." if more > 0 else "")


def _quote(record_id: str, memory: ScopedMemory) -> str:
    """Return what a record states now, read anew."""
    found = memory.cite([record_id])
    return f"“{found[0].content}”" if found else "(does not hold any more)"
