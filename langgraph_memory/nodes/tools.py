"""The orders to memory, as tools that a model may ask for.

A model only says what it understood; memory does it, under the rules of an order that was
typed, and only if the user's own message asks for it (``policy.orders.consent``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph_memory.policy.orders.commands import Command, Order, stopping
from langgraph_memory.ports import Tool, ToolCall

MOST = 20
"""Orders taken from one message."""


def _tool(name: str, description: str, **arguments: str) -> Tool:
    properties = {each: {"type": "string", "description": text} for each, text in arguments.items()}
    schema = {
        "type": "object", "properties": properties, "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip
    return Tool(name, description, schema)


TOOLS = (
    _tool(
        "remember",
        "Call this when the user asks you to remember, note or keep something. Never for what "
        "they merely mention.",
        statement="What to keep, in the user's own words, as a sentence that stands by itself.",
    ),
    _tool(
        "correct_memory",
        "Call this when the user says that something remembered is wrong and what is right.",
        subject="Which memory is wrong, in the user's words, such as: the launch date.",
        statement="What is right, in the user's own words.",
    ),
    _tool(
        "forget",
        "Call this when the user asks you to forget or delete something remembered.",
        memory="What to forget: its words, its name, or its id, as the user gave it.",
    ),
    _tool(
        "stop_remembering",
        "Call this when the user asks you not to keep something from now on, or not at all.",
        subject="The subject, as the user calls it, such as: my health. Never the statement that "
        "is not to be kept. Empty for the whole conversation.",
    ),
    _tool("remember_again", "Call this when the user allows you to remember again."),
    _tool("list_memories", "Call this when the user asks what you know or remember about them."),
)


def commands(calls: Sequence[ToolCall]) -> list[Command]:
    """Return the orders of a model's tool calls; a call that says nothing is left out."""
    found = (_command(each.name, each.arguments) for each in calls)
    return list(dict.fromkeys(each for each in found if each is not None))[:MOST]


def _command(name: str, arguments: Any) -> Command | None:
    def of(field: str) -> str:
        given = arguments.get(field)
        return given.strip() if isinstance(given, str) else ""

    match name:
        case "remember":
            return Command(Order.REMEMBER, of("statement")) if of("statement") else None
        case "correct_memory":
            corrected = Command(Order.CORRECT, of("statement"), of("subject"))
            return corrected if of("statement") else None
        case "forget":
            return Command(Order.FORGET, of("memory")) if of("memory") else None
        case "stop_remembering":
            return stopping(of("subject"))
        case "remember_again":
            return Command(Order.RESUME)
        case "list_memories":
            return Command(Order.LIST)
    return None
