"""What the product is tested with, shipped for whoever builds on it.

The store contract, a scripted chat model, a hashing embedder, and an OpenAI-compatible
server on loopback. Names are loaded when they are asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Fault": "openai_server",
    "HashingEmbedder": "hashing",
    "MemoryStoreContract": "store_contract",
    "OpenAIServer": "openai_server",
    "RecordedRequest": "openai_server",
    "Refusal": "openai_server",
    "ScriptExhaustedError": "scripted",
    "ScriptedChatModel": "scripted",
    "StoreContract": "store_contract",
    "ToolCall": "openai_server",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
