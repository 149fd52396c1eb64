"""The wire of the Responses API: an answer as one JSON object, or as numbered events."""

from __future__ import annotations

from collections.abc import Iterator

from langgraph_memory.testing.openai_server.turn import CREATED, Event, Json, Turn
from langgraph_memory.testing.scripted import tokens

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


def response(turn: Turn) -> Json:
    """Return the whole answer."""
    sent, spoken = turn.counts
    return {
        "id": turn.new_id("resp"),
        "object": "response",
        "created_at": CREATED,
        **_ending(turn),
        "instructions": turn.request.get("instructions"),
        "metadata": turn.request.get("metadata") or {},
        "model": turn.model,
        "output": _items(turn),
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "temperature": turn.request.get("temperature", 1.0),
        "text": turn.request.get("text") or {"format": {"type": "text"}},
        "tool_choice": turn.request.get("tool_choice", "auto"),
        "tools": turn.request.get("tools", []),
        "top_p": turn.request.get("top_p", 1.0),
        "usage": {
            "input_tokens": sent,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": spoken,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sent + spoken,
        },
    }


def response_events(turn: Turn) -> Iterator[Event]:
    """Yield the events in the order and with the numbering that OpenAI documents."""
    for number, (name, data, count) in enumerate(_unnumbered(response(turn))):
        yield Event({"type": name, "sequence_number": number, **data}, name=name, tokens=count)


def _ending(turn: Turn) -> Json:
    if turn.end == "failed":
        error = {"code": "server_error", "message": "The model was lost."}
        return {"status": "failed", "error": error, "incomplete_details": None}
    if turn.end == "stop":
        return {"status": "completed", "error": None, "incomplete_details": None}
    details = {"reason": _INCOMPLETE[turn.end]}
    return {"status": "incomplete", "error": None, "incomplete_details": details}


def _items(turn: Turn) -> list[Json]:
    part: Json = {"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}
    if turn.refusal:
        part = {"type": "refusal", "refusal": turn.refusal}
    said: Json = {"type": "message", "role": "assistant", "content": [part]}
    calls: list[Json] = [
        {"type": "function_call", "call_id": call_id, "name": call.name, "arguments": call.json}
        for call_id, call in turn.calls
    ]
    return [
        {"id": turn.new_id("msg" if item is said else "fc"), "status": "completed", **item}
        for item in (calls or [said])
    ]


def _unnumbered(whole: Json) -> Iterator[tuple[str, Json, int]]:
    unsaid = {"status": "in_progress", "error": None, "incomplete_details": None}
    begun = {**whole, **unsaid, "output": [], "usage": None}
    yield "response.created", {"response": begun}, 0
    yield "response.in_progress", {"response": begun}, 0
    for index, item in enumerate(whole["output"]):
        at = {"output_index": index}
        empty: Json = {"content": []} if item["type"] == "message" else {"arguments": ""}
        started = {**item, "status": "in_progress", **empty}
        yield "response.output_item.added", {**at, "item": started}, 0
        yield from _spoken(item, {**at, "item_id": item["id"]})
        yield "response.output_item.done", {**at, "item": item}, 0
    yield f"response.{whole['status']}", {"response": whole}, 0


def _spoken(item: Json, at: Json) -> Iterator[tuple[str, Json, int]]:
    if item["type"] == "function_call":
        name, key, holder = "response.function_call_arguments", "arguments", item
    else:
        (holder,) = item["content"]
        key = "text" if holder["type"] == "output_text" else "refusal"
        name = f"response.{holder['type']}"
        at = {**at, "content_index": 0}
        yield "response.content_part.added", {**at, "part": {**holder, key: ""}}, 0
    extra: Json = {"logprobs": []} if key == "text" else {}
    for token in tokens(holder[key]):
        yield f"{name}.delta", {**at, **extra, "delta": token}, 1
    yield f"{name}.done", {**at, **extra, key: holder[key]}, 0
    if holder is not item:
        yield "response.content_part.done", {**at, "part": holder}, 0
