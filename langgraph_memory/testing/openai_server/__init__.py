"""A small OpenAI-compatible HTTP server on loopback, with scripted answers and faults.

It speaks chat completions, responses, embeddings and models, whole and streamed, over a
real socket, so that a client's own parsing, retries and time-outs are what is tested. It
keeps no conversations: every request stands for itself. Embeddings are those of
``HashingEmbedder``; answers to both chat routes come from one script, in order of arrival.

Every connection serves one request and is closed, and streams are chunked: a break in the
middle is seen by the client as a break, not as the end.

From a shell, ``python -m langgraph_memory.testing.openai_server --answers FILE`` prints its
base URL and serves until terminated. FILE is a JSON list; each entry is a text, or an object
``{"name", "arguments"}`` (tool call), ``{"refusal"}``, ``{"calls": [tool calls]}``, or the
attributes of a ``Fault``.
"""

from langgraph_memory.testing.openai_server.script import (
    Answer,
    Answers,
    Fault,
    Refusal,
    ToolCall,
    read_answers,
)
from langgraph_memory.testing.openai_server.server import OpenAIServer
from langgraph_memory.testing.openai_server.turn import RecordedRequest

__all__ = [
    "Answer",
    "Answers",
    "Fault",
    "OpenAIServer",
    "RecordedRequest",
    "Refusal",
    "ToolCall",
    "read_answers",
]
