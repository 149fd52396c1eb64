"""Errors in OpenAI's shape."""

from __future__ import annotations

from typing import Any

from langgraph_memory.testing.openai_server.turn import Json

_INVALID: tuple[str, str | None] = ("invalid_request_error", None)
_ERRORS: dict[int, tuple[str, str | None]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "unknown_url"),
    429: ("requests", "rate_limit_exceeded"),
}


class HttpError(Exception):
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


def require(request: Json, name: str) -> Any:
    """Return a part that a request must have. Raises ``HttpError`` 400."""
    if name not in request:
        raise HttpError(400, f"Missing required parameter: '{name}'.")
    return request[name]
