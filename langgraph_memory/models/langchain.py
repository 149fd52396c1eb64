"""Any LangChain chat model behind the ChatModel port; OpenAI and compatible servers first.

OpenAI is spoken to through the Responses API with ``store=False``: the provider keeps no
copy of a conversation for later. A server that does not know that API is spoken to by chat
completions; so is one that knows it but gives no JSON where a schema asks for it, as small
servers do. Provider errors become ours here, once (``models.problems``).

A node never asks for a stream: where somebody listens to the run, LangChain makes ``invoke``
stream and tells the listeners each piece. So an answer is always judged whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler, BaseCallbackManager
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, LLMResult
from langchain_core.runnables import Runnable, RunnableBinding, RunnableConfig
from langchain_core.runnables.config import ensure_config
from pydantic import SecretStr

from langgraph_memory.errors import (
    ModelError,
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)
from langgraph_memory.models.problems import check_ending, json_object, not_understood, translated
from langgraph_memory.ports import ChatMessage, Reply, Request, Tool, ToolCall

TIMEOUT_SECONDS = 60.0
RETRIES = 2
_OPENAI = "openai:"
_UNHEARD = "nostream"
"""LangGraph leaves the pieces of a model call with this tag out of its streams."""


def chat_model(
    name: str, *, api_key: str | None = None, base_url: str | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS, retries: int = RETRIES,
) -> LangChainChat:  # fmt: skip
    """Return an OpenAI model, or one of a server that speaks its protocol.

    Args:
        name: The model's name, with or without ``openai:`` before it.
        api_key: The key; may be left out for a server of one's own.
        base_url: The server's address; OpenAI's if omitted.
        timeout_seconds: How long the server may be silent: before an answer, or between two
            pieces of one that is streamed.
        retries: How often a request is sent again when there was no connection, no answer
            in time, or an answer of 408, 409, 429 or 5xx. A ``Retry-After`` of up to a
            minute is kept.

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
    """``ports.ChatModel`` over a LangChain chat model.

    Args:
        model: The model.
        name: What it is called; its own name if omitted.
        fallback: Makes the model to use where the server does not know the first one's API,
            or not all of it.
    """

    def __init__(
        self, model: BaseChatModel, *, name: str = "",
        fallback: Callable[[], BaseChatModel] | None = None,
    ) -> None:  # fmt: skip
        self._first = self._model = model
        self._make_fallback = fallback
        self._name = name or str(getattr(model, "model_name", "") or type(model).__name__)

    @property
    def name(self) -> str:
        """Return which model is at work."""
        return self._name

    def answer(self, request: Request) -> Reply:
        """Answer. Raises as the port says; the error knows what was spent on it."""
        spent = _Meter()
        while True:
            model = self._model
            try:
                asked, offer = _asked(model, request)
                said = asked.invoke(_messages(request), _config(request), **offer)
                return self._reply(request, said, spent)
            except Exception as exc:
                if not self._falls_back(model, exc):
                    raise self._failure(exc, spent) from exc

    async def aanswer(self, request: Request) -> Reply:
        """Answer without blocking the event loop. Raises as :meth:`answer`."""
        spent = _Meter()
        while True:
            model = self._model
            try:
                asked, offer = _asked(model, request)
                said = await asked.ainvoke(_messages(request), _config(request), **offer)
                return self._reply(request, said, spent)
            except Exception as exc:
                if not self._falls_back(model, exc):
                    raise self._failure(exc, spent) from exc

    def _failure(self, exc: Exception, spent: _Meter) -> ModelError:
        error = translated(self.name, exc)
        error.facts["spent"] = spent.read()
        return error

    def _falls_back(self, model: BaseChatModel, exc: Exception) -> bool:
        """Choose another API for a server that does not know this one, or not all of it."""
        if self._make_fallback is None or not not_understood(exc):
            return False
        if model is self._first:
            self._model = self._fallback
            return True
        self._model = self._first  # neither is understood: it was not for the API
        return False

    @cached_property
    def _fallback(self) -> BaseChatModel:
        assert self._make_fallback is not None
        return self._make_fallback()

    def _reply(self, request: Request, said: Any, spent: _Meter) -> Reply:
        """Return a whole answer. Raises for one that is none; both have cost the same."""
        message: AIMessage = said["raw"] if isinstance(said, dict) else said
        spent.count(message)
        self._check(message)
        text = message.text.strip()
        calls = tuple(_call(each) for each in message.tool_calls)
        if not text and not calls:
            raise ModelRefusedError(self.name, "the model gave an empty answer")
        data = None
        if request.schema is not None:
            # A model may put the object into a call of a tool that LangChain made of the schema.
            data = calls[0].arguments if calls else json_object(text)
            calls = ()
        return Reply(text, model=self.name, tool_calls=calls, data=data, **spent.read())

    def _check(self, message: AIMessage) -> None:
        """Raise for a refusal, an answer without its end, and broken tool calls."""
        if refusal := message.additional_kwargs.get("refusal") or _refusal(message):
            raise ModelRefusedError(self.name, f"the model refused: {refusal}")
        check_ending(self.name, message.response_metadata)
        if message.invalid_tool_calls:
            problem = "the model asked for a tool with arguments that are no JSON"
            raise ModelUnavailableError(self.name, problem)


class _Meter:
    """Tokens and time of one answer: of every try, and whatever comes of it."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._tokens: dict[str, int | None] = {"input_tokens": None, "output_tokens": None}

    def count(self, message: AIMessage) -> None:
        for name, number in (message.usage_metadata or {}).items():
            if name in self._tokens and isinstance(number, int):
                self._tokens[name] = (self._tokens[name] or 0) + number

    def read(self) -> dict[str, Any]:
        spent = 1000 * (time.perf_counter() - self._started)
        return {**self._tokens, "milliseconds": spent}


# --- From a request to LangChain ----------------------------------------------------------


def _asked(model: BaseChatModel, request: Request) -> tuple[Runnable[Any, Any], dict[str, Any]]:
    """Return whom to ask, and with which further arguments."""
    if request.schema is not None:
        schema = {"title": "answer", **request.schema}
        return model.with_structured_output(schema, include_raw=True), {}
    if not request.tools:
        return model, {}
    try:
        bound = model.bind_tools([_tool(each) for each in request.tools])
    except NotImplementedError:  # a model that knows no tools is offered none
        return model, {}
    if isinstance(bound, RunnableBinding) and bound.bound is model:
        # A binding puts the listeners into any order; the one that names must stay the first.
        return model, dict(bound.kwargs)
    return bound, {}


def _tool(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name, "description": tool.description, "parameters": dict(tool.arguments),
    }  # fmt: skip
    return {"type": "function", "function": function}


def _messages(request: Request) -> list[BaseMessage]:
    return [_message(each) for each in request.messages]


def _message(message: ChatMessage) -> BaseMessage:
    match message.role:
        case "system":
            return SystemMessage(message.content)
        case "assistant":
            calls = [
                {"name": each.name, "args": dict(each.arguments), "id": each.id}
                for each in message.tool_calls
            ]
            return AIMessage(message.content, tool_calls=calls)
        case "tool" if message.answers:
            return ToolMessage(message.content, tool_call_id=message.answers)
        case _:
            return HumanMessage(message.content)


def _config(request: Request) -> RunnableConfig:
    """Return who hears the pieces: nobody, or the run's listeners under the answer's name."""
    if request.aside or request.schema is not None:
        return {"tags": [_UNHEARD]}
    listeners = ensure_config().get("callbacks")
    if not request.answer_id or listeners is None:
        return {}
    naming = _Naming(request.answer_id)
    if not isinstance(listeners, BaseCallbackManager):
        return {"callbacks": [naming, *listeners]}
    listeners = listeners.copy()
    listeners.handlers.insert(0, naming)
    listeners.inheritable_handlers.insert(0, naming)
    return {"callbacks": listeners}


class _Naming(BaseCallbackHandler):
    """Gives the pieces of an answer its id, before any other listener sees them.

    A provider's pieces carry ids of its own, and the message made of them another one: a
    listener would show the answer twice.
    """

    run_inline = True

    def __init__(self, message_id: str) -> None:
        self._id = message_id

    def on_llm_new_token(self, token: Any, *, chunk: Any = None, **_: Any) -> None:
        if isinstance(chunk, ChatGenerationChunk):
            chunk.message.id = self._id

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        for each in response.generations:
            for generation in each:
                if isinstance(generation, ChatGeneration):
                    generation.message.id = self._id


# --- From LangChain to a reply ------------------------------------------------------------


def _call(call: Any) -> ToolCall:
    return ToolCall(call["name"], call["args"], call["id"] or "")


def _refusal(message: AIMessage) -> str:
    content = message.content if isinstance(message.content, list) else []
    parts = (each.get("refusal") for each in content if isinstance(each, dict))
    return next((str(part) for part in parts if part), "")
