"""Whatever a provider does wrong is one of our errors, says what to do, and is no answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from listening import APIS, ASK, SENTENCE, Listener, served, without_responses

from langgraph_memory.errors import (
    ModelError,
    ModelRefusedError,
    ModelSetupError,
    ModelUnavailableError,
)
from langgraph_memory.models.langchain import chat_model
from langgraph_memory.models.problems import check_ending, translated
from langgraph_memory.testing import Fault, OpenAIServer, Refusal


@contextmanager
def page(body: str, kind: str) -> Iterator[str]:
    """A web server that answers everything with one page."""

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


UNAVAILABLE, REFUSED, SETUP = ModelUnavailableError, ModelRefusedError, ModelSetupError

FAULTS: dict[str, tuple[Any, type[ModelError], str]] = {
    "rate limit": (Fault(status=429), UNAVAILABLE, "too many requests"),
    "patience": (Fault(status=429, retry_after=90), UNAVAILABLE, "asks to wait 90 s"),
    "no credit": (Fault(status=429, code="insufficient_quota"), SETUP, "no credit left"),
    "server error": (Fault(status=500), UNAVAILABLE, "the server failed (500)"),
    "overloaded": (Fault(status=503, retry_after=7), UNAVAILABLE, "asks to wait 7 s"),
    "wrong key": (Fault(status=401), SETUP, "refused the key"),
    "forbidden": (Fault(status=403), SETUP, "may not use"),
    "unknown model": (
        Fault(status=404, code="model_not_found", message="No model m."), SETUP, "knows no model",
    ),
    "unknown model, unnamed": (
        Fault(status=404, message='model "m" not found, try pulling it first'), SETUP,
        "knows no model",
    ),
    "bad request": (Fault(status=400, message="Bad\nlines."), REFUSED, "(400: Bad lines)"),
    "too long": (
        Fault(status=400, code="context_length_exceeded"), REFUSED, "smaller budget_tokens",
    ),
    "too long, unnamed": (
        Fault(status=400, message="exceeds the available context size"), REFUSED, "budget_tokens",
    ),
    "filtered request": (Fault(status=400, code="content_filter"), REFUSED, "content filter"),
    "filtered answer": (Fault(end="content_filter"), REFUSED, "content filter"),
    "filtered half": (Fault(end="content_filter", answer="The"), REFUSED, "content filter"),
    "too long an answer": (Fault(end="length", answer=SENTENCE), REFUSED, "cut off"),
    "all spent on thought": (Fault(end="length"), REFUSED, "cut off"),
    "model lost": (Fault(end="failed"), UNAVAILABLE, "run the turn again"),
    "model lost in mid-answer": (Fault(end="failed", answer="The"), UNAVAILABLE, "run the turn"),
    "refusal": (Refusal("I will not."), REFUSED, "rephrase"),
    "empty": ("", REFUSED, "empty answer"),
    "blank": (" \n", REFUSED, "empty answer"),
    "cut connection": (Fault(cut_after=2, answer=SENTENCE), UNAVAILABLE, "broke off"),
    "cut before a word": (Fault(cut_after=0, answer=SENTENCE), UNAVAILABLE, "broke off"),
    "no JSON": (Fault(malformed=True, answer=SENTENCE), UNAVAILABLE, "no answer"),
}  # fmt: skip
ADVICE = {UNAVAILABLE: "run the turn again", REFUSED: "rephrase it", SETUP: "Check MEMORY_MODEL"}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_an_error_of_ours_that_says_what_to_do(
    fault: str, api: str, streamed: bool
) -> None:
    """B17: an outage is an outage, not an answer; by either API, whole or in pieces."""
    answer, error, says = FAULTS[fault]
    with served([answer] * 2, api) as (chat, server):
        listener = Listener(chat, streamed=streamed)
        with pytest.raises(error) as caught:
            listener.ask()
    assert type(caught.value) is error
    assert says in str(caught.value)
    assert ADVICE[error] in str(caught.value)
    assert str(caught.value).startswith("OpenAI model m at http://127.0.0.1:")
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", APIS)
def test_a_stream_that_ends_in_good_order_but_too_early_is_no_answer(api: str) -> None:
    """A proxy that lost the model may close a stream as if all had been said."""
    with served([Fault(stop_after=2, answer=SENTENCE)], api) as (chat, _):
        listener = Listener(chat, streamed=True)
        with pytest.raises(ModelUnavailableError, match="broke off before its end"):
            listener.ask()
    assert listener.pieces == ["The ", "launch "]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("api", APIS)
def test_a_server_that_is_silent_too_long_is_given_up(
    api: str, streamed: bool, asynchronous: bool
) -> None:
    with served([Fault(delay=60)], api, timeout_seconds=0.2) as (chat, server):
        started = time.monotonic()
        with pytest.raises(ModelUnavailableError, match="no answer within the time-out"):
            Listener(chat, streamed=streamed, asynchronous=asynchronous).ask()
        assert time.monotonic() - started < 10
        assert server.wait_until_abandoned()


@pytest.mark.parametrize("api", APIS)
def test_a_stream_that_falls_silent_is_given_up(api: str) -> None:
    with served([Fault(pace=60, answer=SENTENCE)], api, timeout_seconds=0.2) as (chat, server):
        with pytest.raises(ModelUnavailableError, match="time-out"):
            Listener(chat, streamed=True).ask()
        assert server.wait_until_abandoned()


@pytest.mark.parametrize("api", APIS)
def test_a_slow_stream_that_goes_on_is_listened_to(api: str) -> None:
    """The time-out is for silence: five pieces take longer than it, together."""
    with served([Fault(pace=0.15, answer=SENTENCE)], api, timeout_seconds=0.5) as (chat, _):
        started = time.monotonic()
        assert Listener(chat, streamed=True).ask().text == SENTENCE
        assert time.monotonic() - started > 0.5


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("body", "kind"),
    [("<html>Welcome</html>", "text/html"), ("", "text/html"), ("[]", "application/json"),
     ('{"ok": true}', "application/json"), ('{"choices": []}', "application/json"),
     ('{"choices": [{"message": null}]}', "application/json")],
)  # fmt: skip
def test_what_is_no_chat_api_is_told_by_what_to_check(
    body: str, kind: str, api: str, streamed: bool
) -> None:
    """A page with status 200 comes from another address than was meant."""
    with page(body, kind) as address:
        chat = chat_model("m", base_url=address, retries=0)
        if api == "completions":
            chat._model = chat._fallback
        with pytest.raises(ModelUnavailableError, match=r"was not understood.*OPENAI_BASE_URL"):
            Listener(chat, streamed=streamed).ask()


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_a_provider_that_says_why_it_failed_is_quoted(streamed: bool) -> None:
    """A failure with status 200 is the provider's, and the base URL is right."""
    lost = Fault(end="failed", answer="The")
    with served([lost], "responses") as (chat, _), pytest.raises(ModelUnavailableError) as caught:
        Listener(chat, streamed=streamed).ask()
    told = ["could not answer: The model was lost (server_error)"]
    if streamed:  # older releases of langchain-openai keep the reason of a stream to themselves
        told.append("the answer broke off before its end")
    assert any(each in str(caught.value) for each in told)
    assert "base URL" not in str(caught.value)


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (ValueError({"message": "Overloaded.", "code": 529}), "could not answer: Overloaded (529)"),
        (ValueError({"message": "Busy"}), "could not answer: Busy."),
        (ValueError("rate_limit_exceeded: Wait\na bit."), "Wait a bit (rate_limit_exceeded)"),
        (ValueError("code=None message='It\\'s gone'"), "could not answer: It"),
        (ValueError("No generations found in stream."), "was not understood"),
        (ValueError({"ok": True}), "was not understood"),
        (ValueError(), "was not understood"),
        (TypeError("null value for choices"), "was not understood"),
    ],
)
def test_only_a_providers_own_words_are_quoted(raised: Exception, says: str) -> None:
    assert says in str(translated("m", raised))


# --- Trying again -------------------------------------------------------------------------


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "fault", [Fault(status=429, retry_after=0), Fault(status=500), Fault(status=503)], ids=repr
)
def test_a_passing_fault_is_tried_again_as_often_as_was_said(api: str, fault: Fault) -> None:
    with served([fault, fault, SENTENCE], api, retries=2) as (chat, server):
        assert chat.answer(ASK).text == SENTENCE
        assert len(server.requests) == 3
    with served([fault] * 9, api, retries=1) as (chat, server):
        with pytest.raises(ModelUnavailableError):
            chat.answer(ASK)
        assert len(server.requests) == 2


@pytest.mark.parametrize("api", APIS)
def test_a_time_out_is_tried_again(api: str) -> None:
    script = [Fault(delay=60), SENTENCE]
    with served(script, api, retries=1, timeout_seconds=0.3) as (chat, server):
        assert chat.answer(ASK).text == SENTENCE
        assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_trying_again_cannot_mend_is_asked_once(status: int) -> None:
    with served([Fault(status=status, message="the model")] * 9, "responses", retries=5) as (
        chat, server,
    ):  # fmt: skip
        with pytest.raises(ModelError):
            chat.answer(ASK)
        assert len(server.requests) == 1


def test_a_rate_limit_is_waited_out_as_the_server_says() -> None:
    script = [Fault(status=429, retry_after=0.7), SENTENCE]
    with served(script, "responses", retries=1) as (chat, _):
        started = time.monotonic()
        assert chat.answer(ASK).text == SENTENCE
        assert time.monotonic() - started >= 0.7


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with OpenAIServer([SENTENCE]) as server:
        gone = server.base_url
    with pytest.raises(ModelUnavailableError, match=r"no connection.*run the turn again"):
        chat_model("m", base_url=gone, retries=0, timeout_seconds=2).answer(ASK)


# --- Which API a server knows -------------------------------------------------------------


def test_a_model_the_server_does_not_know_is_not_taken_for_a_missing_api() -> None:
    """A 404 for the model must not send every later request to chat completions."""
    unknown = Fault(status=404, code="model_not_found", message="The model `m` does not exist")
    with served([unknown, SENTENCE], "responses") as (chat, server):
        with pytest.raises(ModelSetupError, match="knows no model of this name"):
            chat.answer(ASK)
        assert chat.answer(ASK).text == SENTENCE
    assert {each.path for each in server.requests} == {"/v1/responses"}


def test_a_model_unknown_to_a_server_without_the_responses_api_is_named() -> None:
    missing = Fault(status=404, message="model 'm' not found")
    with OpenAIServer(without_responses(missing)) as server:
        chat = chat_model("m", base_url=server.base_url, retries=0)
        with pytest.raises(ModelSetupError, match="knows no model of this name"):
            chat.answer(ASK)


def test_a_wrong_address_is_said_and_forgotten_once_it_is_right() -> None:
    script: list[Any] = [Fault(status=404), Fault(status=404), SENTENCE]
    with served(script, "responses") as (chat, server):
        with pytest.raises(ModelSetupError, match=r"no chat at this address.*OPENAI_BASE_URL"):
            chat.answer(ASK)
        assert chat.answer(ASK).text == SENTENCE
    paths = [each.path.removeprefix("/v1/") for each in server.requests]
    assert paths == ["responses", "chat/completions", "responses"]


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_server_without_the_responses_api_is_asked_twice_once(
    status: int, asynchronous: bool
) -> None:
    """R73: any OpenAI-compatible server, by whatever status it says that it knows no more."""

    def answer(request: dict[str, Any]) -> Any:
        return SENTENCE if "messages" in request else Fault(status=status)

    with OpenAIServer(answer) as server:
        chat = chat_model("m", base_url=server.base_url, retries=0)
        for _ in range(2):
            assert Listener(chat, streamed=True, asynchronous=asynchronous).ask().text == SENTENCE
    paths = [each.path.removeprefix("/v1/") for each in server.requests]
    assert paths == ["responses", "chat/completions", "chat/completions"]


# --- Other providers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"stop_reason": "end_turn"}, None),
        ({"finish_reason": "STOP"}, None),
        ({"model_name": "scripted"}, None),
        ({"stop_reason": "max_tokens"}, ModelRefusedError),
        ({"finish_reason": "MAX_TOKENS"}, ModelRefusedError),
        ({"finish_reason": "SAFETY"}, ModelRefusedError),
        ({"done_reason": "length"}, ModelRefusedError),
        ({"finish_reason": "error"}, ModelUnavailableError),
    ],
)
def test_other_providers_reasons_to_stop_are_understood(
    metadata: dict[str, Any], error: type[ModelError] | None
) -> None:
    if error is None:
        check_ending("m", metadata)
        return
    with pytest.raises(error):
        check_ending("m", metadata)


def test_an_error_nobody_knows_is_an_outage_and_one_of_ours_stays_itself() -> None:
    assert isinstance(translated("m", KeyError("x")), ModelUnavailableError)
    ours = ModelRefusedError("m", "no")
    assert translated("m", ours) is ours


def test_a_long_complaint_of_a_server_is_told_in_part() -> None:
    with served([Fault(status=400, message="long " * 1000)], "responses") as (chat, _):
        with pytest.raises(ModelRefusedError) as caught:
            chat.answer(ASK)
        assert len(str(caught.value)) < 600
