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

from __future__ import annotations

import argparse
import base64
import copy
import json
import signal
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.scripted import Script, ScriptExhaustedError, tokens

Json = dict[str, Any]

_CREATED = 1_750_000_000  # a date in every object, the same each time
_SECRET_HEADERS = {"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"}
_CLOSE_WAIT_SECONDS = 2.0


# --- What a script may hold -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model asks for a tool. ``arguments`` may be a text, to send broken JSON."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)

    @property
    def json(self) -> str:
        """The arguments as the wire carries them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model declines, in OpenAI's refusal field."""

    refusal: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Something goes wrong, or merely takes its time.

    Attributes:
        status: Answer with this HTTP status and an error body instead of ``answer``.
        message: The text of that error.
        retry_after: The ``Retry-After`` header, seconds, fractions allowed.
        delay: Seconds of silence before the first byte.
        cut_after: Break the connection after so many tokens of a stream; without
            streaming, in the middle of the body.
        malformed: Send a body, or a stream's first event, that is not JSON.
        answer: What is said when ``status`` is not set.
    """

    status: int | None = None
    message: str = "The scripted fault."
    retry_after: float | None = None
    delay: float = 0.0
    cut_after: int | None = None
    malformed: bool = False
    answer: str | ToolCall | Refusal | Sequence[ToolCall] = ""


Answer = str | ToolCall | Refusal | Sequence[ToolCall] | Fault
Answers = Sequence[Answer] | Callable[[Json], Answer]


def read_answers(path: Path) -> list[Answer]:
    """Read a script from a JSON file (the form is in the module's docstring).

    Raises:
        InvalidSettingError: The file is missing or holds something else.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise TypeError("the file is not a list")
        return [_entry(each) for each in entries]
    except (OSError, ValueError, TypeError, KeyError) as exc:
        raise InvalidSettingError(
            "--answers", f"names {path}, which holds no script: {exc}. Give a JSON list of answers."
        ) from exc


def _entry(entry: Any) -> Answer:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict) or not entry:
        raise TypeError(f"{json.dumps(entry)} is not an answer")
    if "name" in entry:
        return ToolCall(**entry)
    if "refusal" in entry:
        return Refusal(**entry)
    if "calls" in entry:
        return [ToolCall(**each) for each in entry["calls"]]
    if "answer" in entry:
        entry = {**entry, "answer": _entry(entry["answer"])}
    return Fault(**entry)


# --- The wire: from an answer to JSON and to events ---------------------------------------


@dataclass(frozen=True, slots=True)
class _Event:
    """One server-sent event; ``tokens`` counts those of the answer that it carries."""

    data: Json
    name: str = ""
    tokens: int = 0

    def encode(self) -> bytes:
        head = f"event: {self.name}\n" if self.name else ""
        return f"{head}data: {json.dumps(self.data)}\n\n".encode()


@dataclass(frozen=True, slots=True)
class _Turn:
    """A request for an answer, with what both routes need to word it."""

    request: Json
    model: str
    new_id: Callable[[str], str]
    text: str = ""
    refusal: str = ""
    calls: tuple[tuple[str, ToolCall], ...] = ()  # call id, call

    @property
    def counts(self) -> tuple[int, int]:
        """Tokens of the request and of the answer."""
        asked = self.request.get("messages", self.request.get("input", ""))
        spoken = [self.text, self.refusal, *(call.json for _, call in self.calls)]
        return _count(asked), sum(len(tokens(each)) for each in spoken)


def _count(asked: Any) -> int:
    """Return the tokens of every ``content``, ``text`` and ``output`` in a request."""
    match asked:
        case str():
            return len(tokens(asked))
        case [*entries]:
            return sum(_count(each) for each in entries)
        case {**entry}:
            return sum(_count(entry.get(each, "")) for each in ("content", "text", "output"))
    return 0


def _chat(turn: _Turn) -> Json:
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
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    sent, spoken = turn.counts
    return {
        "id": turn.new_id("chatcmpl"),
        "object": "chat.completion",
        "created": _CREATED,
        "model": turn.model,
        "choices": [{**choice, "logprobs": None}],
        "usage": {
            "prompt_tokens": sent, "completion_tokens": spoken, "total_tokens": sent + spoken,
        },
    }  # fmt: skip


def _chat_events(turn: _Turn) -> Iterator[_Event]:
    whole = _chat(turn)
    head = {**whole, "object": "chat.completion.chunk", "usage": None}

    def chunk(delta: Json, *, finish: str | None = None, tokens: int = 0) -> _Event:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _Event({**head, "choices": [choice]}, tokens=tokens)

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
        yield _Event({**head, "choices": [], "usage": whole["usage"]})


def _response(turn: _Turn) -> Json:
    sent, spoken = turn.counts
    return {
        "id": turn.new_id("resp"),
        "object": "response",
        "created_at": _CREATED,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
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


def _items(turn: _Turn) -> list[Json]:
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


def _response_events(turn: _Turn) -> Iterator[_Event]:
    """Yield the events in the order and with the numbering that OpenAI documents."""
    for number, (name, data, count) in enumerate(_unnumbered(_response(turn))):
        yield _Event({"type": name, "sequence_number": number, **data}, name=name, tokens=count)


def _unnumbered(whole: Json) -> Iterator[tuple[str, Json, int]]:
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": begun}, 0
    yield "response.in_progress", {"response": begun}, 0
    for index, item in enumerate(whole["output"]):
        at = {"output_index": index}
        empty: Json = {"content": []} if item["type"] == "message" else {"arguments": ""}
        started = {**item, "status": "in_progress", **empty}
        yield "response.output_item.added", {**at, "item": started}, 0
        yield from _spoken(item, {**at, "item_id": item["id"]})
        yield "response.output_item.done", {**at, "item": item}, 0
    yield "response.completed", {"response": whole}, 0


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


def _embeddings(request: Json, model: str, dims: int) -> Json:
    texts = _require(request, "input")
    texts = [texts] if isinstance(texts, str) else texts
    if not all(isinstance(each, str) for each in texts):
        raise _HttpError(400, "Send text, not token ids (check_embedding_ctx_length=False).")
    rows = HashingEmbedder(request.get("dimensions") or dims).embed_documents(texts)
    packed = request.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode()
            if packed
            else row.tolist(),
        }
        for index, row in enumerate(rows)
    ]
    count = sum(len(tokens(each)) for each in texts)
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "model": model, "data": data, "usage": usage}


# --- The server ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """What a client sent.

    Attributes:
        method, path: As in the request line, without the query.
        headers: Names in small letters; credentials read ``***``.
        body: The JSON object; None if there was none.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json | None


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
        self._lock = threading.Lock()
        self._requests: list[RecordedRequest] = []
        self._closing = threading.Event()
        self._listener: _Listener | None = None

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
            self._listener = _Listener(self._port, self)
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
        with self._lock:
            return list(self._requests)

    @property
    def remaining(self) -> int | None:
        """How many answers are left; None for a function."""
        return self._script.remaining

    def _record(self, request: RecordedRequest) -> None:
        with self._lock:
            self._requests.append(request)

    def _next(self, request: Json) -> tuple[Fault, _Turn]:
        """Return how to answer (a plain answer is a fault that does nothing), and with what."""
        try:
            answer = self._script.answer(copy.deepcopy(request))
            fault = answer if isinstance(answer, Fault) else Fault(answer=answer)
            return fault, self._turn(request, fault.answer)
        except Exception as exc:  # 400: a client must not retry what a test got wrong
            spent = isinstance(exc, ScriptExhaustedError)
            code = "script_exhausted" if spent else "script_failed"
            raise _HttpError(400, str(exc) if spent else repr(exc), code=code) from exc

    def _turn(self, request: Json, answer: str | ToolCall | Refusal | Sequence[ToolCall]) -> _Turn:
        def new_id(kind: str) -> str:
            return f"{kind}_{self._new_id()}"

        blank = _Turn(request, request.get("model") or self.model, new_id)
        match answer:
            case str():
                return replace(blank, text=answer)
            case Refusal():
                return replace(blank, refusal=answer.refusal)
            case ToolCall():
                return replace(blank, calls=((new_id("call"), answer),))
            case [*calls] if calls and all(isinstance(each, ToolCall) for each in calls):
                return replace(blank, calls=tuple((new_id("call"), each) for each in calls))
        raise TypeError(f"{answer!r} is not an answer")

    def _wait(self, seconds: float) -> None:
        if self._closing.wait(seconds):
            raise ConnectionAbortedError("the server is closing")


class _Listener(ThreadingHTTPServer):
    daemon_threads = True  # a script's function that hangs must not hang the interpreter
    request_queue_size = 128

    def __init__(self, port: int, hub: OpenAIServer) -> None:
        self.hub = hub
        self._live: set[Any] = set()
        self._changed = threading.Condition()
        super().__init__(("127.0.0.1", port), _Handler)
        self._thread = threading.Thread(
            target=self.serve_forever, args=(0.02,), name="openai-server", daemon=True
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()
        with self._changed:
            for connection in self._live:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._live, _CLOSE_WAIT_SECONDS)

    def server_bind(self) -> None:
        # Not HTTPServer's own: that asks the resolver for a name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changed:
            self._live.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._changed:
            self._live.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that went away is no error
            super().handle_error(request, client_address)


class _HttpError(Exception):
    """An answer in OpenAI's error shape."""

    def __init__(
        self, status: int, message: str, *, code: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        kind, usual = _ERRORS.get(status, ("server_error", None) if status >= 500 else _INVALID)
        self.body = {
            "error": {"message": message, "type": kind, "param": None, "code": code or usual}
        }
        self.headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}


_INVALID: tuple[str, str | None] = ("invalid_request_error", None)
_ERRORS: dict[int, tuple[str, str | None]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "unknown_url"),
    429: ("requests", "rate_limit_exceeded"),
}


def _require(request: Json, name: str) -> Any:
    if name not in request:
        raise _HttpError(400, f"Missing required parameter: '{name}'.")
    return request[name]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each event of a stream may wait for an acknowledgement
    timeout = 30  # a client that connects and says nothing
    server: _Listener

    def do_POST(self) -> None:
        self.close_connection = True
        with suppress(OSError):  # the client went away, or the server is closing
            try:
                self._route(self._read())
            except _HttpError as error:
                self._send(error.body, status=error.status, headers=error.headers)

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST  # noqa: N815 (names http.server looks up)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (as inherited)
        """Say nothing: ``requests`` holds it all."""

    def _read(self) -> Json:
        try:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(raw) if raw else None
        except ValueError:
            body = False
        headers = {name.lower(): value for name, value in self.headers.items()}
        for name in _SECRET_HEADERS & headers.keys():
            headers[name] = "***"
        kept = body if isinstance(body, dict) else None
        self.server.hub._record(RecordedRequest(self.command, self._path, headers, kept))
        if body is not None and kept is None:
            raise _HttpError(400, "The body is not a JSON object.")
        return kept or {}

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _route(self, request: Json) -> None:
        hub = self.server.hub
        match self.command, self._path:
            case "POST", "/v1/chat/completions":
                self._speak(request, "messages", _chat, _chat_events, b"data: [DONE]\n\n")
            case "POST", "/v1/responses":
                self._speak(request, "input", _response, _response_events, b"")
            case "POST", "/v1/embeddings":
                self._send(_embeddings(request, request.get("model") or hub.model, hub.dims))
            case "GET", "/v1/models":
                model = {"id": hub.model, "object": "model", "created": _CREATED}
                self._send({"object": "list", "data": [{**model, "owned_by": "script"}]})
            case _:
                raise _HttpError(404, f"Unknown request URL: {self.command} {self._path}.")

    def _speak(
        self,
        request: Json,
        required: str,
        whole: Callable[[_Turn], Json],
        events: Callable[[_Turn], Iterator[_Event]],
        ending: bytes,
    ) -> None:
        _require(request, required)
        fault, turn = self.server.hub._next(request)
        self.server.hub._wait(fault.delay)
        if fault.status is not None:
            raise _HttpError(fault.status, fault.message, retry_after=fault.retry_after)
        if request.get("stream"):
            self._stream(events(turn), ending, fault, length=turn.counts[1])
        else:
            self._send(whole(turn), malformed=fault.malformed, cut=fault.cut_after is not None)

    def _send(
        self,
        body: Json,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        malformed: bool = False,
        cut: bool = False,
    ) -> None:
        raw = json.dumps(body).encode()
        raw = raw[: len(raw) // 2] if malformed else raw
        length = {"Content-Type": "application/json", "Content-Length": str(len(raw))}
        self._head(status, {**length, **(headers or {})})
        self.wfile.write(raw[: len(raw) // 2] if cut else raw)

    def _stream(
        self, events: Iterator[_Event], ending: bytes, fault: Fault, *, length: int
    ) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        if fault.malformed:
            self._chunk(b'data: {"id": "\n\n')
        spoken = 0
        for event in events:
            if fault.cut_after is not None and spoken >= min(fault.cut_after, length):
                return  # without the last chunk: the client sees a broken connection
            self._chunk(event.encode())
            spoken += event.tokens
        self._chunk(ending)
        self._chunk(b"", last=True)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, data: bytes, *, last: bool = False) -> None:
        if data or last:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


# --- From a shell -------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a script from a file until SIGTERM or Ctrl-C; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m langgraph_memory.testing.openai_server",
        description="Serve scripted answers over OpenAI's HTTP API on 127.0.0.1.",
    )
    parser.add_argument("--answers", type=Path, required=True, help="a JSON list of answers")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--model", default="scripted", help="the name that /v1/models lists")
    given = parser.parse_args(arguments)
    stopped = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    try:
        answers = read_answers(given.answers)
        with OpenAIServer(answers, port=given.port, model=given.model) as server:
            print(server.base_url, flush=True)
            stopped.wait()
    except (InvalidSettingError, OSError) as exc:
        parser.error(str(exc))
    return 0


if __name__ == "__main__":
    sys.exit(main())
