"""What goes wrong between a question and a whole answer, said in our errors.

Providers' errors are told apart by HTTP status, by the error code in OpenAI's form, and by the
names of their classes: no provider's package is imported for it, and any provider's model may
stand behind LangChain's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from langgraph_memory.errors import (
    ModelError,
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)

_FILTERED = "the provider's content filter stopped the answer"
_CUT_OFF = "the answer was cut off at the limit of its length"
_BROKE_OFF = "the answer broke off before its end"
_TOO_LONG = (
    "the request is longer than the model can read; give the run's context a smaller budget_tokens"
)
_CONTEXT = re.compile(r"context[ _](?:length|size|window)", re.IGNORECASE)
_NO_CHAT = (
    "the server's answer was not understood: a page or other JSON, no answer of a chat API; if it "
    "stays so, check the base URL, OPENAI_BASE_URL, which mostly ends in /v1"
)
_LONGEST = 300
_TOLD = re.compile(
    r"""^(?:\w+\()?code=(?P<code>.*?),? message=(?P<quote>['"])(?P<said>.*)(?P=quote)"""
    r"""|^(?P<event>[a-z]+(?:_[a-z]+)*): (?P<told>\S.*)""",
    re.DOTALL,
)
"""A provider's own error, as LangChain writes it into the error of a stream."""

_REASONS = ("finish_reason", "stop_reason", "done_reason", "status")
# Why a model stopped, in the words of several providers, in small letters.
_LENGTH = {"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"}
_FILTER = {"content_filter", "safety", "blocklist", "prohibited_content", "refusal"}
_FAILED = {"error", "failed", "cancelled", "in_progress", "queued"}
_FENCE = re.compile(r"^```(?:json)?\s*|\s*```$")

_NOT_READ = (ValueError, TypeError, AttributeError, LookupError)
"""What clients raise over a body with status 200 that is not what they expect."""
_TIMED_OUT = {"APITimeoutError", "TimeoutException", "TimeoutError"}
_UNCONNECTED = {"APIConnectionError", "TransportError", "ConnectionError"}


class NoObjectError(Exception):
    """A schema was given, and the answer is no JSON object; stays inside the models."""


def translated(model: str, exc: Exception) -> ModelError:
    """Return our error for one that a chat model raised.

    Args:
        model: The model's name, for the sentence.
        exc: What was raised; one of ours is returned as it is.
    """
    if isinstance(exc, ModelError):
        return exc
    status = getattr(exc, "status_code", None)
    if isinstance(status, int):
        return _of_status(model, status, exc)
    return _of_class(model, exc)


def not_understood(exc: Exception) -> bool:
    """Tell whether a server does not know the API that was used, or not all of it.

    Servers answer 404 to an address they do not have and to a model they do not have; only
    of the latter do they speak of models.
    """
    status = getattr(exc, "status_code", None)
    missing = status in (405, 501) or (status == 404 and not _names_model(exc))
    return missing or isinstance(exc, NoObjectError)


def check_ending(model: str, metadata: Mapping[str, Any]) -> None:
    """Raise for an answer that a model, or the way to it, did not bring to its end.

    Args:
        model: The model's name, for the sentence.
        metadata: What LangChain tells of the response.
    """
    incomplete = metadata.get("incomplete_details") or {}
    reasons = (incomplete.get("reason"), *(metadata.get(each) for each in _REASONS))
    said = {str(each).lower() for each in reasons if each}
    if said & _FILTER:
        raise ModelRefusedError(model, _FILTERED)
    if said & _LENGTH:
        raise ModelRefusedError(model, f"{_CUT_OFF}; ask for less at once")
    if said & _FAILED or (not said and metadata.get("model_provider") == "openai"):
        raise ModelUnavailableError(model, _BROKE_OFF)


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a text is, with or without a fence around it.

    Raises:
        NoObjectError: It is none.
    """
    try:
        found = json.loads(_FENCE.sub("", text))
    except ValueError as exc:
        raise NoObjectError from exc
    if not isinstance(found, dict):
        raise NoObjectError
    return found


def _of_status(model: str, status: int, exc: Exception) -> ModelError:
    code = _code(exc)
    match status:
        case 401:
            return ModelSetupError(model, "the server refused the key (401)")
        case 403:
            return ModelSetupError(model, "the key may not use this model or place (403)")
        case 404 if _names_model(exc):
            return ModelSetupError(model, "the server knows no model of this name (404)")
        case 404 | 405 | 501:
            return ModelSetupError(model, f"the server has no chat at this address ({status})")
        case 429 if code == "insufficient_quota":
            return ModelSetupError(model, "the account of the key has no credit left (429)")
        case 429:
            return ModelUnavailableError(model, f"too many requests (429){_patience(exc)}")
        case 408 | 409 | 425:
            return ModelUnavailableError(model, f"the server was not ready ({status})")
        case _ if status >= 500:
            return ModelUnavailableError(model, f"the server failed ({status}){_patience(exc)}")
    if code == "content_filter":
        return ModelRefusedError(model, _FILTERED)
    if status == 413 or code == "context_length_exceeded" or _CONTEXT.search(_said(exc)):
        return ModelRefusedError(model, _TOO_LONG)
    said = _said(exc).rstrip(".")
    return ModelRefusedError(model, f"the server did not accept the request ({status}: {said})")


def _of_class(model: str, exc: Exception) -> ModelError:
    if isinstance(exc, NoObjectError):
        return ModelUnavailableError(model, "the answer is not the JSON object asked for")
    kind = type(exc).__name__
    kinds = {each.__name__ for each in type(exc).__mro__}
    if kinds & _TIMED_OUT:
        return ModelUnavailableError(model, "no answer within the time-out")
    if kinds & _UNCONNECTED:
        return ModelUnavailableError(model, f"no connection, or it broke off ({kind})")
    if kind == "LengthFinishReasonError":
        return ModelRefusedError(model, _CUT_OFF)
    if kind == "ContentFilterFinishReasonError":
        return ModelRefusedError(model, _FILTERED)
    if isinstance(exc, NotImplementedError):
        return ModelSetupError(model, "this model cannot answer by a schema")
    if kind == "OpenAIError":
        return ModelSetupError(model, f"it could not be set up ({_said(exc)})")
    if failed := _failure(exc):
        return ModelUnavailableError(model, f"the provider could not answer: {failed}")
    if isinstance(exc, _NOT_READ):
        return ModelUnavailableError(model, f"{_NO_CHAT} ({kind})")
    return ModelUnavailableError(model, f"no answer ({kind})")


def _failure(exc: Exception) -> str:
    """Return what a provider says of its failure, in an answer with status 200; empty without it.

    LangChain raises a bare ``ValueError`` over it: with the error of the answer, or in its words.
    """
    code: Any
    said: Any
    given = exc.args[0] if type(exc) is ValueError and len(exc.args) == 1 else None
    if isinstance(given, str):
        found = _TOLD.match(given)
        code = found and (found["code"] or found["event"])
        said = found and (found["said"] or found["told"])
    elif isinstance(given, Mapping):
        code, said = given.get("code"), given.get("message")
    else:
        code, said = getattr(given, "code", None), getattr(given, "message", None)
    if not said:
        return ""
    words = _in_one_line(said).rstrip(".")
    return f"{words} ({_in_one_line(code).strip(chr(39))})" if code else words


def _names_model(exc: Exception) -> bool:
    return _code(exc) == "model_not_found" or "model" in _said(exc).lower()


def _body(exc: Exception) -> Mapping[str, Any]:
    body = getattr(exc, "body", None)
    return body if isinstance(body, Mapping) else {}


def _code(exc: Exception) -> str:
    return str(getattr(exc, "code", None) or _body(exc).get("code") or "")


def _said(exc: Exception) -> str:
    """Return the server's own words in one line, or those of the error."""
    return _in_one_line(_body(exc).get("message") or exc)


def _in_one_line(said: Any) -> str:
    words = " ".join(str(said).split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} …"


def _patience(exc: Exception) -> str:
    """Return what the server asks to wait, where it does."""
    headers = getattr(getattr(exc, "response", None), "headers", None) or {}
    asked = headers.get("retry-after")
    return f"; it asks to wait {asked} s" if asked else ""
