"""The server as a test holds it: a script, a base URL, and what clients did."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self
from uuid import uuid4

from langgraph_memory.testing.openai_server.listener import Listener
from langgraph_memory.testing.openai_server.problems import HttpError
from langgraph_memory.testing.openai_server.script import Answer, Answers, Fault, Refusal, ToolCall
from langgraph_memory.testing.openai_server.turn import Json, RecordedRequest, Turn
from langgraph_memory.testing.scripted import Script, ScriptExhaustedError


class OpenAIServer:
    """Serves a script of answers on 127.0.0.1 while the ``with`` block lasts.

    Args:
        answers: The answers in order, or a function from the request's JSON to an answer.
        port: 0 takes a free one.
        model: Listed by ``/v1/models``; answers repeat the model that was asked for.
        dims: Length of embeddings that do not ask for ``dimensions``.
        new_id: Makes the unique part of ids. Message ids become ids in a conversation, so
            they must differ between servers, too.

    Example:
        >>> with OpenAIServer(["Monday."]) as server:
        ...     server.base_url.startswith("http://127.0.0.1:")
        True
    """

    def __init__(
        self,
        answers: Answers,
        *,
        port: int = 0,
        model: str = "scripted",
        dims: int = 256,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self.model = model
        self.dims = dims
        self._script: Script[Json, Answer] = Script(answers)
        self._port = port
        self._new_id = new_id
        self._changed = threading.Condition()
        self._requests: list[RecordedRequest] = []
        self._abandoned = 0
        self._closing = threading.Event()
        self._listener: Listener | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Listen; answers come from threads. A second call does nothing.

        Raises:
            OSError: The port is taken.
        """
        if self._listener is None:
            self._closing.clear()
            self._listener = Listener(self._port, self)
            self._listener.start()

    def close(self) -> None:
        """Stop listening and break connections that still wait; a second call does nothing."""
        if self._listener is not None:
            self._closing.set()
            self._listener.stop()
            self._listener = None

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL, while the server runs."""
        if self._listener is None:
            raise RuntimeError("The server is not running. Use it in a with block.")
        return f"http://127.0.0.1:{self._listener.server_port}/v1"

    @property
    def requests(self) -> list[RecordedRequest]:
        """Every request so far, in order of arrival; a copy."""
        with self._changed:
            return list(self._requests)

    @property
    def remaining(self) -> int | None:
        """How many answers are left; None for a function."""
        return self._script.remaining

    @property
    def abandoned(self) -> int:
        """How many clients hung up before their answer was complete, as far as is known."""
        with self._changed:
            return self._abandoned

    def wait_for_requests(self, count: int = 1, *, timeout_seconds: float = 10.0) -> bool:
        """Wait until so many requests have come; tell whether they did."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._requests) >= count, timeout_seconds)

    def wait_until_abandoned(self, count: int = 1, *, timeout_seconds: float = 10.0) -> bool:
        """Wait until so many clients hung up; tell whether they did."""
        with self._changed:
            return self._changed.wait_for(lambda: self._abandoned >= count, timeout_seconds)

    # --- For the listener -----------------------------------------------------------------

    def record(self, request: RecordedRequest) -> None:
        """Keep a request for the test to see."""
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()

    def record_abandoned(self) -> None:
        """Count a client that went away, unless it is the server that does."""
        with self._changed:
            self._abandoned += not self._closing.is_set()
            self._changed.notify_all()

    def next_turn(self, request: Json) -> tuple[Fault, Turn]:
        """Return how to answer (a plain answer is a fault that does nothing), and with what."""
        try:
            answer = self._script.answer(copy.deepcopy(request))
            fault = answer if isinstance(answer, Fault) else Fault(answer=answer)
            return fault, self._turn(request, fault)
        except Exception as exc:  # 400: a client must not retry what a test got wrong
            spent = isinstance(exc, ScriptExhaustedError)
            code = "script_exhausted" if spent else "script_failed"
            raise HttpError(400, str(exc) if spent else repr(exc), code=code) from exc

    def wait(self, seconds: float) -> None:
        """Wait. Raises ``ConnectionAbortedError`` where the server is closed meanwhile."""
        if self._closing.wait(seconds):
            raise ConnectionAbortedError("the server is closing")

    def _turn(self, request: Json, fault: Fault) -> Turn:
        def new_id(kind: str) -> str:
            return f"{kind}_{self._new_id()}"

        blank = Turn(request, request.get("model") or self.model, new_id, end=fault.end)
        match fault.answer:
            case str():
                return replace(blank, text=fault.answer)
            case Refusal():
                return replace(blank, refusal=fault.answer.refusal)
            case ToolCall():
                return replace(blank, calls=((new_id("call"), fault.answer),))
            case [*calls] if calls and all(isinstance(each, ToolCall) for each in calls):
                return replace(blank, calls=tuple((new_id("call"), each) for each in calls))
        raise TypeError(f"{fault.answer!r} is not an answer")
