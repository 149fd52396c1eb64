"""Any LangChain chat model behind the ChatModel port; OpenAI and compatible servers first.

OpenAI is spoken to through the Responses API with ``store=False``: the provider keeps no
copy of a conversation for later. A server that does not know that API is spoken to by chat
completions. Provider errors are translated here, once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import SecretStr

from langgraph_memory.errors import (
    ModelError,
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)
from langgraph_memory.ports import ChatMessage, Reply, Request

TIMEOUT_SECONDS = 60.0
RETRIES = 2
_OPENAI = "openai:"


def chat_model(
    name: str, *, api_key: str | None = None, base_url: str | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS, retries: int = RETRIES,
) -> LangChainChat:  # fmt: skip
    """Return an OpenAI model, or one of a server that speaks its protocol.

    Args:
        name: The model's name, with or without ``openai:`` before it.
        api_key: The key; may be left out for a server of one's own.
        base_url: The server's address; OpenAI's if omitted.
        timeout_seconds: How long one request may take.
        retries: How often a failed request is sent again.

    Raises:
        ModelSetupError: There is neither a key nor an address.
    """
    bare = name.removeprefix(_OPENAI)
    if not api_key and not base_url:
        raise ModelSetupError(name, "there is no API key")
    options: dict[str, Any] = {
        "model": bare,
        "api_key": SecretStr(api_key or "none"),
        "base_url": base_url,
        "timeout": timeout_seconds,
        "max_retries": retries,
        # A connection kept for later belongs to an event loop that may be gone by then.
        "default_headers": {"Connection": "close"},
    }
    spoken = f"OpenAI model {bare}" + (f" at {base_url}" if base_url else "")
    return LangChainChat(_openai(options, responses=True), name=spoken, fallback=lambda: _openai(
        options, responses=False
    ))  # fmt: skip


def _openai(options: dict[str, Any], *, responses: bool) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(**options, use_responses_api=responses, store=False, stream_usage=True)


class LangChainChat:
    """``ports.ChatModel`` over a LangChain chat model."""

    def __init__(
        self, model: BaseChatModel, *, name: str = "",
        fallback: Callable[[], BaseChatModel] | None = None,
    ) -> None:  # fmt: skip
        self._model = model
        self._fallback = fallback
        self._name = name or str(getattr(model, "model_name", "") or type(model).__name__)

    @property
    def name(self) -> str:
        """Return which model is at work."""
        return self._name

    def answer(self, request: Request) -> Reply:
        """Answer. Raises as the port says."""
        started = time.perf_counter()
        try:
            message = self._model.invoke(_messages(request))
        except Exception as exc:
            if self._falls_back(exc):
                return self.answer(request)
            raise self._translated(exc) from exc
        return self._reply(message, started)

    async def aanswer(self, request: Request) -> Reply:
        """Answer without blocking the event loop. Raises as the port says."""
        started = time.perf_counter()
        try:
            message = await self._model.ainvoke(_messages(request))
        except asyncio.CancelledError:
            raise
        except Exception as exc:
            if self._falls_back(exc):
                return await self.aanswer(request)
            raise self._translated(exc) from exc
        return self._reply(message, started)

    def _falls_back(self, exc: Exception) -> bool:
        """Switch to chat completions, once, for a server that does not know the Responses API."""
        if self._fallback is None or getattr(exc, "status_code", None) not in (404, 405, 501):
            return False
        self._model, self._fallback = self._fallback(), None
        return True

    def _reply(self, message: AIMessage, started: float) -> Reply:
        refusal = message.additional_kwargs.get("refusal") or _refusal(message)
        if refusal:
            raise ModelRefusedError(self.name, f"the model refused: {refusal}")
        text = message.text.strip()
        if not text:
            raise ModelRefusedError(self.name, "the model gave an empty answer")
        usage: dict[str, Any] = dict(message.usage_metadata or {})
        return Reply(
            text,
            model=self.name,
            input_tokens=usage.get("input_tokens"),
            output_tokens=usage.get("output_tokens"),
            milliseconds=1000 * (time.perf_counter() - started),
        )

    def _translated(self, exc: Exception) -> ModelError:
        """Return our error for one of a provider's, told apart without importing providers."""
        if isinstance(exc, ModelError):
            return exc
        status = getattr(exc, "status_code", None)
        kind = type(exc).__name__
        if isinstance(exc, ValueError) and status is None:
            return ModelUnavailableError(self.name, f"the server's answer was no answer ({kind})")
        if status in (401, 403, 404) or kind == "OpenAIError":
            return ModelSetupError(self.name, f"the server refused the request ({kind})")
        if status == 400:
            return ModelRefusedError(self.name, f"the server did not accept the request ({exc})")
        return ModelUnavailableError(self.name, f"no answer ({kind})")


def _messages(request: Request) -> list[BaseMessage]:
    return [_message(each) for each in request.messages]


def _message(message: ChatMessage) -> BaseMessage:
    match message.role:
        case "system":
            return SystemMessage(message.content)
        case "assistant":
            return AIMessage(message.content)
        case _:
            return HumanMessage(message.content)


def _refusal(message: AIMessage) -> str:
    content = message.content if isinstance(message.content, list) else []
    parts = (each.get("refusal") for each in content if isinstance(each, dict))
    return next((str(part) for part in parts if part), "")
