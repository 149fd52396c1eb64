"""Sockets and HTTP: one thread a connection, one request a connection."""

from __future__ import annotations

import json
import select
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from langgraph_memory.testing.openai_server.completions import chat, chat_events
from langgraph_memory.testing.openai_server.embeddings import embeddings
from langgraph_memory.testing.openai_server.problems import HttpError, require
from langgraph_memory.testing.openai_server.responses import response, response_events
from langgraph_memory.testing.openai_server.script import Fault
from langgraph_memory.testing.openai_server.turn import CREATED, Event, Json, RecordedRequest, Turn

if TYPE_CHECKING:
    from langgraph_memory.testing.openai_server.server import OpenAIServer

_SECRET_HEADERS = {"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"}
_CLOSE_WAIT_SECONDS = 2.0
_LOOK_SECONDS = 0.02  # how often a silent server looks whether its client is still there


class Listener(ThreadingHTTPServer):
    """Accepts connections on loopback and closes them all when it stops."""

    daemon_threads = True  # a script's function that hangs must not hang the interpreter
    request_queue_size = 128

    def __init__(self, port: int, hub: OpenAIServer) -> None:
        self.hub = hub
        self._live: set[Any] = set()
        self._changed = threading.Condition()
        super().__init__(("127.0.0.1", port), Handler)
        self._thread = threading.Thread(
            target=self.serve_forever, args=(0.02,), name="openai-server", daemon=True
        )

    def start(self) -> None:
        """Begin to accept."""
        self._thread.start()

    def stop(self) -> None:
        """Accept no more, and break the connections there are."""
        self.shutdown()
        self.server_close()
        self._thread.join()
        with self._changed:
            for connection in self._live:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._live, _CLOSE_WAIT_SECONDS)

    def server_bind(self) -> None:
        """Bind, without HTTPServer's look-up of a name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own."""
        with self._changed:
            self._live.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection that was served."""
        super().shutdown_request(request)
        with self._changed:
            self._live.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong; a client that went away is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Serves one request as the script says."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each event of a stream may wait for an acknowledgement
    timeout = 30  # a client that connects and says nothing
    server: Listener

    def do_POST(self) -> None:
        """Serve whatever method: the route decides."""
        self.close_connection = True
        try:
            self._answer()
        except OSError:  # the client went away, or the server is closing
            self.server.hub.record_abandoned()

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST  # noqa: N815 (names http.server looks up)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (as inherited)
        """Say nothing: ``requests`` holds it all."""

    def _answer(self) -> None:
        try:
            self._route(self._read())
        except HttpError as error:
            self._send(error.body, status=error.status, headers=error.headers)

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
        self.server.hub.record(RecordedRequest(self.command, self._path, headers, kept))
        if body is not None and kept is None:
            raise HttpError(400, "The body is not a JSON object.")
        return kept or {}

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _route(self, request: Json) -> None:
        hub = self.server.hub
        match self.command, self._path:
            case "POST", "/v1/chat/completions":
                self._speak(request, "messages", chat, chat_events, b"data: [DONE]\n\n")
            case "POST", "/v1/responses":
                self._speak(request, "input", response, response_events, b"")
            case "POST", "/v1/embeddings":
                self._send(embeddings(request, request.get("model") or hub.model, hub.dims))
            case "GET", "/v1/models":
                model = {"id": hub.model, "object": "model", "created": CREATED}
                self._send({"object": "list", "data": [{**model, "owned_by": "script"}]})
            case _:
                raise HttpError(404, f"Unknown request URL: {self.command} {self._path}.")

    def _speak(
        self,
        request: Json,
        required: str,
        whole: Callable[[Turn], Json],
        events: Callable[[Turn], Iterator[Event]],
        ending: bytes,
    ) -> None:
        require(request, required)
        fault, turn = self.server.hub.next_turn(request)
        self._wait(fault.delay)
        if fault.status is not None:
            raise HttpError(
                fault.status, fault.message, code=fault.code, retry_after=fault.retry_after
            )
        if request.get("stream"):
            self._stream(events(turn), ending, fault, length=turn.counts[1])
        else:
            self._send(whole(turn), malformed=fault.malformed, cut=fault.cut_after is not None)

    def _wait(self, seconds: float) -> None:
        """Be silent. Raises ``ConnectionError`` where the client hangs up meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.server.hub.wait(min(left, _LOOK_SECONDS))
            heard, _, _ = select.select([self.connection], [], [], 0)
            if heard and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError("the client hung up")

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

    def _stream(self, events: Iterator[Event], ending: bytes, fault: Fault, *, length: int) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        if fault.malformed:
            self._chunk(b'data: {"id": "\n\n')
        spoken = 0
        for event in events:
            if _reached(fault.cut_after, spoken, length):
                return  # without the last chunk: the client sees a broken connection
            if _reached(fault.stop_after, spoken, length):
                break
            self._wait(fault.pace * event.tokens)
            self._chunk(event.encode())
            spoken += event.tokens
        self._chunk(b"" if fault.stop_after is not None else ending)
        self._chunk(b"", last=True)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, data: bytes, *, last: bool = False) -> None:
        if data or last:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


def _reached(bound: int | None, spoken: int, length: int) -> bool:
    return bound is not None and spoken >= min(bound, length)
