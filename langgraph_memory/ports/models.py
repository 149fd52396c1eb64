"""Models: embedder, token counter, chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from langgraph_memory.ports.basics import Vectors


class Embedder(Protocol):
    """Turns text into vectors. Deterministic for a text, whatever its batch mates."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; vectors are comparable only within one id."""

    @property
    def dims(self) -> int:
        """Length of a vector."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), dims)`` unit rows. Any text is accepted, the empty one too.

        Raises:
            EmbeddingError: The model could not be run; nothing is half done.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(dims,)`` unit vector."""

    def reads(self, text: str) -> bool:
        """Tell whether the model knows the script of a text.

        All texts in a script that it does not know lie close together, whatever they say: a
        question in one is answered by words alone.
        """


class TokenCounter(Protocol):
    """Counts what a model will count; may overcount, must not undercount by over 5 %."""

    def __call__(self, text: str) -> int:
        """Return the number of tokens of ``text``."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request: who speaks, and what."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    id: str = ""


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
    """

    label: str
    record_id: str
    content: str
    source: str
    said_at: datetime
    history: tuple[tuple[str, datetime], ...] = ()
    score: float = 0.0
    scope: str = "personal"


@dataclass(frozen=True, slots=True)
class Request:
    """Everything one answer may rest on.

    Attributes:
        messages: What a model is shown, in order, the latest user message last.
        evidence: What validation let through, best first; empty means abstain.
        missing: What memory was asked and does not hold, in plain words.
    """

    messages: tuple[ChatMessage, ...]
    evidence: tuple[Citation, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Attributes:
        text: What to say.
        cited: Labels of the evidence it uses.
        model: Which model spoke.
        input_tokens, output_tokens: As the provider counted; None where it does not.
        milliseconds: How long it took.
    """

    text: str
    cited: tuple[str, ...] = ()
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    milliseconds: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)


class ChatModel(Protocol):
    """Answers from the evidence, or says that there is none."""

    @property
    def name(self) -> str:
        """Which model is at work, in words a user understands."""

    def answer(self, request: Request) -> Reply:
        """Answer.

        Raises:
            ModelUnavailableError, ModelRefusedError, ModelSetupError: As their names say.
        """

    async def aanswer(self, request: Request) -> Reply:
        """Answer without blocking the event loop. Raises as ``answer``."""
