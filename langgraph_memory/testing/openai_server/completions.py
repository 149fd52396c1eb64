"""The wire of chat completions: an answer as one JSON object, or as chunks."""

from __future__ import annotations

from collections.abc import Iterator

from langgraph_memory.testing.openai_server.turn import CREATED, Event, Json, Turn
from langgraph_memory.testing.scripted import tokens

# Servers that lose a model after the answer has begun say so in place of a reason to stop.
_FINISH = {"length": "length", "content_filter": "content_filter", "failed": "error"}


def chat(turn: Turn) -> Json:
    """Return the whole answer."""
    calls = [
        {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": call.json}}
        for call_id, call in turn.calls
    ]
    message: Json = {
        "role": "assistant",
        "content": None if calls or turn.refusal else turn.text,
        "refusal": turn.refusal or None,
    }
    if calls:
        message["tool_calls"] = calls
    usual = "tool_calls" if calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": _FINISH.get(turn.end, usual)}
    sent, spoken = turn.counts
    return {
        "id": turn.new_id("chatcmpl"),
        "object": "chat.completion",
        "created": CREATED,
        "model": turn.model,
        "choices": [{**choice, "logprobs": None}],
        "usage": {
            "prompt_tokens": sent, "completion_tokens": spoken, "total_tokens": sent + spoken,
        },
    }  # fmt: skip


def chat_events(turn: Turn) -> Iterator[Event]:
    """Yield the answer in chunks, a token each."""
    whole = chat(turn)
    head = {**whole, "object": "chat.completion.chunk", "usage": None}

    def chunk(delta: Json, *, finish: str | None = None, tokens: int = 0) -> Event:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return Event({**head, "choices": [choice]}, tokens=tokens)

    yield chunk({"role": "assistant", "content": ""})
    for key, text in (("content", turn.text), ("refusal", turn.refusal)):
        for token in tokens(text):
            yield chunk({key: token}, tokens=1)
    for index, (call_id, call) in enumerate(turn.calls):
        start = {"id": call_id, "type": "function", "function": {"name": call.name}}
        yield chunk({"tool_calls": [{"index": index, **start}]})
        for token in tokens(call.json):
            piece = {"index": index, "function": {"arguments": token}}
            yield chunk({"tool_calls": [piece]}, tokens=1)
    yield chunk({}, finish=whole["choices"][0]["finish_reason"])
    if (turn.request.get("stream_options") or {}).get("include_usage"):
        yield Event({**head, "choices": [], "usage": whole["usage"]})
