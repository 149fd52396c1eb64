"""A chat model that says what a test wrote down, and remembers what it was asked.

It is a real LangChain chat model: it streams, runs on an event loop, takes tools and
schemas, calls callbacks. Only the words come from a script. Whatever it was sent is copied
when it arrives, so that a test sees the request as it was and not as it became.

A token, here and in the server of this folder, is a word with the space behind it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda, RunnableMap, RunnablePassthrough
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, Field, PrivateAttr, ValidationError

_TOKEN = re.compile(r"\s*\S+\s*|\s+")

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

Reply = str | AIMessage | Exception
"""What a script may hold: a text, a whole message (tool calls, usage), or an error to raise."""


class ScriptExhaustedError(AssertionError):
    """More was asked than the script answers: a failed expectation of the test.

    Attributes:
        answers: How many answers the script had.
    """

    def __init__(self, answers: int) -> None:
        super().__init__(
            f"The script held {answers} answers and all are used up. Add the answer that is "
            "missing, or give a function that answers every request."
        )
        self.answers = answers

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.answers,)


class Script(Generic[Asked, Answered]):
    """Answers in the order written, or a function of the request. Safe in threads.

    Args:
        source: The answers, first one first; or a function that makes each.
    """

    def __init__(self, source: Sequence[Answered] | Callable[[Asked], Answered]) -> None:
        if isinstance(source, str):
            raise TypeError("A script is a list of answers; put the text in a list.")
        self._function = source if callable(source) else None
        self._answers = () if callable(source) else tuple(source)
        self._next = 0
        self._lock = Lock()

    def answer(self, asked: Asked) -> Answered:
        """Return the next answer.

        Raises:
            ScriptExhaustedError: Every answer was given.
        """
        if self._function is not None:
            return self._function(asked)
        with self._lock:
            if self._next == len(self._answers):
                raise ScriptExhaustedError(len(self._answers))
            self._next += 1
            return self._answers[self._next - 1]

    @property
    def remaining(self) -> int | None:
        """How many answers are left; None for a function, which never runs out."""
        return None if self._function is not None else len(self._answers) - self._next


def tokens(text: str) -> list[str]:
    """Return the pieces a text is streamed in; joined they are the text again."""
    return _TOKEN.findall(text)


class ScriptedChatModel(BaseChatModel):
    """A LangChain chat model that answers from a script.

    Args:
        replies: The replies in order, or a function from the messages to a reply.
        model_name: What it calls itself.

    Attributes:
        requests: The messages of every request, copied on arrival.
        options: What was bound or passed for each request (``tools``, ``tool_choice``,
            ``response_format``, ``stop``), in step with ``requests``.

    Example:
        >>> model = ScriptedChatModel(["Monday."])
        >>> model.invoke("When is the launch?").text
        'Monday.'
        >>> model.requests[0][0].text
        'When is the launch?'
    """

    model_name: str = "scripted"
    requests: list[list[BaseMessage]] = Field(default_factory=list, exclude=True, repr=False)
    options: list[dict[str, Any]] = Field(default_factory=list, exclude=True, repr=False)
    _script: Script[list[BaseMessage], Reply] = PrivateAttr()
    _recording: Any = PrivateAttr(default_factory=Lock)

    def __init__(
        self, replies: Sequence[Reply] | Callable[[list[BaseMessage]], Reply], **fields: Any
    ) -> None:
        super().__init__(**fields)
        self._script = Script(replies)

    @property
    def remaining(self) -> int | None:
        """How many replies are left; None for a function."""
        return self._script.remaining

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Offer tools with every request; they stand in ``options`` in OpenAI's form."""
        offered = [convert_to_openai_tool(each) for each in tools]
        choice = {} if tool_choice is None else {"tool_choice": tool_choice}
        return self.bind(tools=offered, **choice, **kwargs)

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, Any]:
        """Read replies as ``schema``: the text as JSON, or the arguments of the first tool call.

        Args:
            schema: A pydantic model, or a dictionary or TypedDict whose values come back
                unchecked.
            include_raw: Return ``raw``, ``parsed`` and ``parsing_error`` and never raise.
            kwargs: Bound to each request, so that they stand in ``options``.
        """
        model = self.bind(response_format=schema, **kwargs)
        parse = RunnableLambda(lambda message: _structured(message, schema))
        if not include_raw:
            return model | parse
        parsed = RunnablePassthrough.assign(
            parsed=RunnableLambda(lambda kept: _structured(kept["raw"], schema)),
            parsing_error=lambda _: None,
        )
        failed = RunnablePassthrough.assign(parsed=lambda _: None)
        return RunnableMap(raw=model) | parsed.with_fallbacks(
            [failed], exception_key="parsing_error"
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(
            generations=[ChatGeneration(message=self._answer(messages, stop, kwargs))]
        )

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # Off the loop: a script's function may wait, as a model across a network does.
        return await asyncio.to_thread(self._generate, messages, stop, **kwargs)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._answer(messages, stop, kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        answer = await asyncio.to_thread(self._answer, messages, stop, kwargs)
        for chunk in _chunks(answer):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _answer(
        self, messages: list[BaseMessage], stop: list[str] | None, options: dict[str, Any]
    ) -> AIMessage:
        self._record(messages, options if stop is None else {**options, "stop": stop})
        reply = self._script.answer(_copies(messages))
        if isinstance(reply, Exception):
            raise reply
        message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy(deep=True)
        message.response_metadata.setdefault("model_name", self.model_name)
        if message.usage_metadata is None:
            message.usage_metadata = _usage(messages, message)
        return message

    def _record(self, messages: list[BaseMessage], options: dict[str, Any]) -> None:
        with self._recording:  # two lists that must stay in step
            self.requests.append(_copies(messages))
            self.options.append(dict(options))


def _copies(messages: list[BaseMessage]) -> list[BaseMessage]:
    return [each.model_copy(deep=True) for each in messages]


def _usage(messages: list[BaseMessage], reply: AIMessage) -> UsageMetadata:
    sent = sum(len(tokens(each.text)) for each in messages)
    calls = sum(len(tokens(json.dumps(each["args"]))) for each in reply.tool_calls)
    spoken = len(tokens(reply.text)) + calls
    return UsageMetadata(input_tokens=sent, output_tokens=spoken, total_tokens=sent + spoken)


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Yield a message token by token; what comes once (tool calls, usage) rides on the last."""
    whole: list[Any] = [message.content] if isinstance(message.content, list) else []
    for piece in whole or tokens(message.text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece, id=message.id))
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content="",
            id=message.id,
            additional_kwargs=message.additional_kwargs,
            response_metadata=message.response_metadata,
            usage_metadata=message.usage_metadata,
            tool_call_chunks=[
                tool_call_chunk(
                    name=each["name"], args=json.dumps(each["args"]), id=each["id"], index=index
                )
                for index, each in enumerate(message.tool_calls)
            ],
            chunk_position="last",
        )
    )


def _structured(message: AIMessage, schema: dict[str, Any] | type) -> Any:
    try:
        value = message.tool_calls[0]["args"] if message.tool_calls else json.loads(message.text)
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            return schema.model_validate(value)
    except (ValueError, ValidationError) as exc:
        raise OutputParserException(
            f"The scripted reply does not fit the schema: {exc}", llm_output=message.text
        ) from exc
    return value
