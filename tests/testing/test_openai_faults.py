"""The loopback server fails on demand, and notices who hangs up."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import openai
import pytest
from openai_clients import SENTENCE, both_routes, chat, client, joined, port_of

from langgraph_memory.testing.openai_server import (
    Answers,
    Fault,
    OpenAIServer,
)


@both_routes
def test_a_rate_limit_is_waited_out_as_the_header_says(responses: bool) -> None:
    script: Answers = [Fault(status=429, retry_after=0.7), SENTENCE]
    started = time.monotonic()
    with OpenAIServer(script) as server, chat(server, responses, max_retries=2) as model:
        assert model.invoke("When?").text == SENTENCE

    assert len(server.requests) == 2
    assert time.monotonic() - started >= 0.7  # without the header the first wait is at most 0.5 s


@both_routes
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_a_status_becomes_the_clients_own_error(
    responses: bool, status: int, error: type[openai.APIStatusError]
) -> None:
    fault = Fault(status=status, message="as scripted")
    with OpenAIServer([fault, fault]) as server, chat(server, responses) as model:
        with pytest.raises(error, match="as scripted"):
            model.invoke("When?")
        with pytest.raises(error, match="as scripted"):
            list(model.stream("When?"))


@both_routes
def test_a_wrong_key_is_not_tried_again(responses: bool) -> None:
    with (
        OpenAIServer([Fault(status=401)]) as server,
        chat(server, responses, max_retries=3) as m,
        pytest.raises(openai.AuthenticationError) as caught,
    ):
        m.invoke("When?")

    assert caught.value.code == "invalid_api_key"
    assert len(server.requests) == 1


@both_routes
def test_a_slow_answer_times_out_and_holds_nothing_up(responses: bool) -> None:
    script: Answers = [Fault(delay=60, answer=SENTENCE)] * 2
    with OpenAIServer(script) as server, chat(server, responses, timeout=0.2) as model:
        with pytest.raises(openai.APITimeoutError):
            model.invoke("When?")
        with pytest.raises(openai.APITimeoutError):
            list(model.stream("When?"))

    patience = time.monotonic() + 10
    while _handlers() and time.monotonic() < patience:
        time.sleep(0.01)
    assert _handlers() == []


def _handlers() -> list[str]:
    names = [each.name for each in threading.enumerate()]
    return [each for each in names if "process_request" in each]


@both_routes
def test_a_short_delay_only_delays(responses: bool) -> None:
    script: Answers = [Fault(delay=0.1, answer=SENTENCE)]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        started = time.monotonic()
        assert model.invoke("When?").text == SENTENCE

    assert time.monotonic() - started >= 0.1


@both_routes
@pytest.mark.parametrize("cut_after", [0, 2, 5, 99])
def test_a_stream_breaks_after_the_words_asked_for(responses: bool, cut_after: int) -> None:
    heard: list[str] = []
    script: Answers = [Fault(cut_after=cut_after, answer=SENTENCE)]
    with (
        OpenAIServer(script) as server,
        chat(server, responses) as model,
        pytest.raises(Exception, match=r"(?i)connection|incomplete"),
    ):
        heard.extend(each.text for each in model.stream("When?") if each.text)

    assert len(heard) == min(cut_after, 5)


def test_a_whole_answer_breaks_in_the_middle() -> None:
    with OpenAIServer([Fault(cut_after=1, answer=SENTENCE)]) as server:
        connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=10)
        connection.request("POST", "/v1/responses", '{"input": "When?"}')
        with pytest.raises(http.client.IncompleteRead):
            connection.getresponse().read()
        connection.close()


@both_routes
def test_an_answer_that_is_not_json_is_an_error(responses: bool) -> None:
    script: Answers = [Fault(malformed=True, answer=SENTENCE)] * 2
    with OpenAIServer(script) as server, chat(server, responses) as model:
        with pytest.raises(json.JSONDecodeError):
            model.invoke("When?")
        with pytest.raises(json.JSONDecodeError):
            list(model.stream("When?"))


@both_routes
def test_a_script_that_ran_out_says_so_and_is_not_tried_again(responses: bool) -> None:
    with (
        OpenAIServer([]) as server,
        chat(server, responses, max_retries=3) as model,
        pytest.raises(openai.BadRequestError, match="all are used up") as caught,
    ):
        model.invoke("When?")

    assert caught.value.code == "script_exhausted"
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", [None, 42, [], ["text"]], ids=repr)
def test_a_function_that_fails_or_returns_nonsense_says_so(wrong: Any) -> None:
    with (
        OpenAIServer(lambda _: wrong) as server,
        client(server, max_retries=3) as sdk,
        pytest.raises(openai.BadRequestError, match="not an answer"),
    ):
        sdk.responses.create(model="m", input="When?")

    assert len(server.requests) == 1


@both_routes
def test_a_stream_may_take_its_time_over_each_word(responses: bool) -> None:
    script: Answers = [Fault(pace=0.1, answer=SENTENCE)]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        times = [time.monotonic() for each in model.stream("When?") if each.text]

    assert times[-1] - times[0] >= 0.35


@both_routes
def test_a_stream_may_end_in_good_order_before_the_answer_does(responses: bool) -> None:
    script: Answers = [Fault(stop_after=2, answer=SENTENCE)]
    with OpenAIServer(script) as server, chat(server, responses) as model:
        whole = joined(list(model.stream("When?")))

    assert whole.text == "The launch "
    assert not {"status", "finish_reason"} & whole.response_metadata.keys()


@pytest.mark.parametrize(
    ("end", "finish", "reason"),
    [
        ("length", "length", "max_output_tokens"),
        ("content_filter", "content_filter", "content_filter"),
    ],
)
def test_an_unfinished_answer_says_why_in_each_routes_words(
    end: Any, finish: str, reason: str
) -> None:
    script: Answers = [Fault(end=end, answer="The launch")] * 4
    with OpenAIServer(script) as server:
        for streamed in (False, True):
            with chat(server, False) as model:
                said = _said(model, streamed)
            assert said.response_metadata["finish_reason"] == finish
            with chat(server, True) as model:
                said = _said(model, streamed)
            assert said.response_metadata["status"] == "incomplete"
            assert said.response_metadata["incomplete_details"] == {"reason": reason}


def _said(model: Any, streamed: bool) -> Any:
    return joined(list(model.stream("When?"))) if streamed else model.invoke("When?")


def test_an_answer_that_failed_is_an_error_of_the_server() -> None:
    script: Answers = [Fault(end="failed")] * 3
    with OpenAIServer(script) as server, client(server) as sdk:
        whole = sdk.responses.create(model="m", input="When?")
        *_, last = sdk.responses.create(model="m", input="When?", stream=True)
        with chat(server, False) as model:
            assert model.invoke("When?").response_metadata["finish_reason"] == "error"

    assert whole.error is not None
    assert (whole.status, whole.error.code) == ("failed", "server_error")
    assert last.type == "response.failed"


def test_an_error_may_have_a_code_of_its_own() -> None:
    fault = Fault(status=404, code="model_not_found")
    with (
        OpenAIServer([fault]) as server,
        client(server) as sdk,
        pytest.raises(openai.NotFoundError) as caught,
    ):
        sdk.responses.create(model="m", input="When?")

    assert caught.value.code == "model_not_found"


@both_routes
def test_a_client_that_hangs_up_is_noticed(responses: bool) -> None:
    script: Answers = [Fault(delay=60), Fault(pace=60, answer=SENTENCE), SENTENCE]
    with OpenAIServer(script) as server, chat(server, responses, timeout=0.2) as model:
        for hung_up in (1, 2):
            # In the middle of a stream, early clients raise what the transport raises.
            with pytest.raises((openai.APITimeoutError, httpx.TimeoutException)):
                list(model.stream("When?"))
            assert server.wait_until_abandoned(hung_up)
        assert model.invoke("When?").text == SENTENCE
        assert server.wait_for_requests(3)
        assert not server.wait_until_abandoned(3, timeout_seconds=0.1)
        assert server.abandoned == 2


def test_a_server_that_closes_was_not_abandoned() -> None:
    server = OpenAIServer([Fault(delay=60)])
    with server, ThreadPoolExecutor(1) as pool, client(server) as sdk:
        asked = pool.submit(sdk.responses.create, model="m", input="When?")
        assert server.wait_for_requests()
        server.close()
        assert isinstance(asked.exception(30), openai.APIConnectionError)
    assert server.abandoned == 0
