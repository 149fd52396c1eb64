"""Models: token counter, chat model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol


class TokenCounter(Protocol):
    """Counts what a model will count; may overcount, must not undercount by over 5 %."""

    def __call__(self, text: str) -> int:
        """Return the number of tokens of ``text``."""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something a model may ask for instead of answering.

    Attributes:
        name: What it is called by: letters, digits, ``_`` and ``-``.
        description: When to use it, told to the model.
        arguments: A JSON schema of an object.
    """

    name: str
    description: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model asks for a tool. Its arguments are what a model wrote: check them.

    Attributes:
        name: One of the tools that were offered, if the model keeps to them.
        arguments: Valid JSON, not yet held against the tool's schema.
        id: What the message with the tool's result refers to.
    """

    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request: who speaks, and what.

    Attributes:
        role: Who speaks. A tool's result without ``answers`` is shown in the user's role.
        content: What was said; may be empty where there are tool calls.
        id: The message's name in the conversation.
        tool_calls: What the assistant asked for in it.
        answers: The id of the tool call that a tool's message is the result of.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    id: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence, as a responder sees it.

    Attributes:
        label: The short name the answer cites it by, such as ``m1``.
        record_id: The record it quotes.
        content: The quoted text.
        source: Who said it, readable.
        said_at: When it was recorded or said, UTC.
        history: Earlier statements it replaced, newest first: text and when they ended.
        score: How well it fits, in [0, 1].
        scope: Whose knowledge it is: ``personal``, ``project`` or ``organization``.
        outdated_by: The label of later evidence that says otherwise; empty if there is none.
        event_id: The event in which it was said in passing, where no record has it yet: then
            ``record_id`` is empty.
    """

    label: str
    record_id: str
    content: str
    source: str
    said_at: datetime
    history: tuple[tuple[str, datetime], ...] = ()
    score: float = 0.0
    scope: str = "personal"
    outdated_by: str = ""
    event_id: str = ""


class Closed(NamedTuple):
    """What the user just said of what they closed to memory.

    Attributes:
        text: What they said.
        rule: The rule that they gave, in words.
    """

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one answer may rest on.

    Attributes:
        messages: What a model is shown, in order, the latest user message last.
        evidence: What validation let through, best first; empty means abstain.
        missing: What memory was asked and does not hold, in plain words.
        told: What the user just said that answers what they ask.
        noted: What the user just said where they ask nothing.
        closed: What they said so, and a rule of theirs keeps out of memory.
        discreet: Whether the user asks that nothing of the latest message is kept.
        outdated: Labels of the evidence that the user's latest words contradict.
        tools: What the model may ask for; offered to models that know tools.
        schema: A JSON schema of an object: the answer is to be such an object, as
            ``Reply.data``. No tools are offered then.
        answer_id: The name of the message that the answer becomes. What is streamed while
            the model speaks carries it, so that a listener sees one message.
        aside: Whether this is no answer to the user, but work: nothing of it is streamed.
    """

    messages: tuple[ChatMessage, ...]
    evidence: tuple[Citation, ...] = ()
    missing: str = ""
    told: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    closed: tuple[Closed, ...] = ()
    discreet: bool = False
    outdated: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None
    answer_id: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, or what a model needs to give one.

    Attributes:
        text: What to say; may be empty where there are tool calls.
        cited: Labels of the evidence it uses.
        model: Which model spoke.
        input_tokens, output_tokens: As the provider counted; None where it does not.
        milliseconds: How long it took.
        tool_calls: What the model asks for first, in its order.
        data: The object that ``Request.schema`` asked for. It is JSON; that it fits the
            schema is for the caller to check.
    """

    text: str
    cited: tuple[str, ...] = ()
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    milliseconds: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)
    tool_calls: tuple[ToolCall, ...] = ()
    data: Mapping[str, Any] | None = None


class ChatModel(Protocol):
    """Answers from the evidence, or says that there is none.

    What it returns is a whole answer: one that was cut off, filtered, refused or empty is an
    error, never a ``Reply``.
    """

    @property
    def name(self) -> str:
        """Which model is at work, in words a user understands."""

    def answer(self, request: Request) -> Reply:
        """Answer.

        Raises:
            ModelUnavailableError: No answer, or none that was asked for; the same request
                may succeed later.
            ModelRefusedError: The model will not answer this request.
            ModelSetupError: The model cannot be reached as it is set up.
        """

    async def aanswer(self, request: Request) -> Reply:
        """Answer without blocking the event loop; a cancelled call ends the request.

        Raises as ``answer``.
        """
