"""Threads on LangGraph's development server: going back, copying, overlapping, cron, deletion.

What a thread's runs did to its state can be taken back; what they did to memory stays, and so
does the transcript: a rolled back run was still heard.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from typing import Any

import pytest
from dev_server import (
    AGENT,
    BACKGROUND,
    DevServer,
    Place,
    answer,
    background_runs,
    blocking_calls,
    message,
    running,
    until,
)
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

from langgraph_memory.testing import Fault, OpenAIServer

JANE = {"tenant": "acme", "user": "jane.doe@example.com"}
MODEL = {**JANE, "model": "openai:scripted"}
THINKING_SECONDS = 2.0


def _reply(request: dict[str, Any]) -> Any:
    """Think for a while where the latest message asks for it."""
    return Fault(
        delay=THINKING_SECONDS if "slowly" in str(request["input"][-1]) else 0.0, answer="Well."
    )


@pytest.fixture(scope="module")
def models() -> Iterator[OpenAIServer]:
    """The server of a model that may take its time."""
    with OpenAIServer(_reply) as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, models: OpenAIServer) -> Iterator[DevServer]:
    """A development server that offers the model."""
    place = Place.made(
        tmp_path_factory.mktemp("threads"), CRON_SCHEDULER_SLEEP_TIME="1",
        MEMORY_MODELS="openai:scripted", OPENAI_BASE_URL=models.base_url,
    )  # fmt: skip
    with running(place) as started:
        yield started
    assert blocking_calls(place) == []


@pytest.fixture
async def client(server: DevServer) -> AsyncIterator[LangGraphClient]:
    """A client of the server."""
    async with server.client() as opened:
        yield opened


async def _thread(client: LangGraphClient, *texts: str) -> str:
    """Return a thread in which these messages were sent."""
    thread_id = str((await client.threads.create())["thread_id"])
    for text in texts:
        await client.runs.wait(thread_id, AGENT, input=message(text), context=JANE)
    return thread_id


def _said(values: Any) -> list[str]:
    """Return what the user said, in order."""
    return [each["content"] for each in values["messages"] if each["type"] == "human"]


async def _state(client: LangGraphClient, thread_id: str) -> Any:
    return (await client.threads.get_state(thread_id))["values"]


def _rows(server: DevServer, file: str, table: str, thread_id: str) -> int:
    with closing(sqlite3.connect(server.place.home / file)) as raw:
        found = raw.execute(f"SELECT count(*) FROM {table} WHERE thread_id = ?", (thread_id,))
        return int(found.fetchone()[0])


# --- Time travel ----------------------------------------------------------------------------


async def test_a_thread_goes_on_from_an_earlier_turn(client: LangGraphClient) -> None:
    thread_id = await _thread(client, "Remember that my cat is called Momo", "Hello")
    history = await client.threads.get_history(thread_id, limit=50)
    [earlier] = [each for each in history[1:] if not each["next"]]
    await client.runs.wait(
        thread_id, AGENT, input=message("What is my cat called?"), context=JANE,
        checkpoint_id=earlier["checkpoint"]["checkpoint_id"],
    )  # fmt: skip
    values = await _state(client, thread_id)
    assert _said(values) == ["Remember that my cat is called Momo", "What is my cat called?"]
    assert "Momo" in answer(values)


async def test_a_turn_that_is_run_again_is_one_turn(
    client: LangGraphClient, server: DevServer
) -> None:
    """R6: from the checkpoint before its first step."""
    thread_id = await _thread(client, "Remember that my dog is called Rex")
    before = _rows(server, "memory.sqlite", "events", thread_id)
    history = await client.threads.get_history(thread_id, limit=50)
    [begun] = [each for each in history if each["next"] == ["capture"]]
    again: Any = await client.runs.wait(
        thread_id, AGENT, context=JANE, checkpoint_id=begun["checkpoint"]["checkpoint_id"]
    )
    assert again["run_state"]["actions"][0]["action"] == "remember"
    assert _rows(server, "memory.sqlite", "events", thread_id) == before == 2


async def test_a_state_that_was_edited_is_what_the_next_run_sees(client: LangGraphClient) -> None:
    thread_id = await _thread(client, "Remember that my bird is called Kiki")
    await client.threads.update_state(
        thread_id, message("What is my bird called?"), as_node="__start__"
    )
    out = await client.runs.wait(thread_id, AGENT, context=JANE)
    assert "Kiki" in answer(out)


async def test_a_copied_thread_goes_its_own_way(client: LangGraphClient) -> None:
    thread_id = await _thread(client, "Remember that my horse is called Ada")
    copy: Any = client.threads.copy  # the client says that nothing comes back
    copied = str((await copy(thread_id))["thread_id"])
    same = await _state(client, copied) == await _state(client, thread_id)
    await client.runs.wait(copied, AGENT, input=message("And my horse?"), context=JANE)
    assert same
    assert _said(await _state(client, copied))[1:] == ["And my horse?"]
    assert _said(await _state(client, thread_id)) == ["Remember that my horse is called Ada"]


# --- Runs that overlap --------------------------------------------------------------------


async def _overlap(
    client: LangGraphClient, models: OpenAIServer, strategy: Any
) -> tuple[str, str, Any]:
    """Send a second message while the model thinks about the first; return all runs' statuses."""
    thread_id, first = await _thread(client), f"Think slowly, {strategy}"
    run = await client.runs.create(thread_id, AGENT, input=message(first), context=MODEL)
    await until(lambda: asyncio.to_thread(_heard, models, first))
    try:
        last = await client.runs.create(
            thread_id, AGENT, input=message("Now"), context=MODEL, multitask_strategy=strategy
        )
    except ConflictError:
        last = run
    await client.runs.join(thread_id, last["run_id"])
    runs = {each["run_id"]: each["status"] for each in await client.runs.list(thread_id)}
    return thread_id, run["run_id"], runs


async def test_a_second_message_is_refused_waits_stops_the_first_or_undoes_it(
    client: LangGraphClient, models: OpenAIServer, server: DevServer
) -> None:
    """All four strategies of LangGraph's server; B84 for the rollback."""
    rejected, queued, stopped, undone = await asyncio.gather(
        *(_overlap(client, models, each) for each in ("reject", "enqueue", "interrupt", "rollback"))
    )
    assert list(rejected[2].values()) == ["success"]
    assert _said(await _state(client, rejected[0])) == ["Think slowly, reject"]
    assert list(queued[2].values()) == ["success", "success"]
    assert _said(await _state(client, queued[0])) == ["Think slowly, enqueue", "Now"]
    assert stopped[2][stopped[1]] == "interrupted"
    assert _said(await _state(client, stopped[0])) == ["Think slowly, interrupt", "Now"]
    assert undone[1] not in undone[2]
    assert _said(await _state(client, undone[0])) == ["Now"]
    history = await client.threads.get_history(undone[0], limit=50)
    assert undone[1] not in {(each["metadata"] or {}).get("run_id") for each in history}
    # It was heard all the same: two messages of the user's, one answer.
    assert _rows(server, "memory.sqlite", "events", undone[0]) == 3


def _heard(models: OpenAIServer, text: str) -> bool:
    return any(text in json.dumps(each.body) for each in models.requests)


# --- Cron ------------------------------------------------------------------------------------


async def test_a_cron_does_the_background_work(client: LangGraphClient) -> None:
    """On a server where nobody signs in, it is everybody's."""
    cron: Any = await client.crons.create(
        BACKGROUND, schedule="* * * * * *", input={}, on_run_completed="keep"
    )
    try:
        done = await until(lambda: background_runs(client))
    finally:
        await client.crons.delete(cron["cron_id"])
    assert done[0]["status"] == "idle"
    assert done[0]["values"]["left"] == 0
    assert await client.crons.search() == []


# --- Deletion -------------------------------------------------------------------------------


async def test_a_deleted_thread_has_no_checkpoint_left_and_is_still_in_the_transcript(
    client: LangGraphClient, server: DevServer
) -> None:
    thread_id = await _thread(client, "Hello")
    before = _rows(server, "checkpoints.sqlite", "checkpoints", thread_id)
    await client.threads.delete(thread_id)
    with pytest.raises(NotFoundError):
        await client.threads.get_state(thread_id)
    assert before > 0
    assert _rows(server, "checkpoints.sqlite", "checkpoints", thread_id) == 0
    assert _rows(server, "memory.sqlite", "events", thread_id) == 2


async def test_a_deleted_run_takes_its_checkpoints_along(client: LangGraphClient) -> None:
    thread_id = await _thread(client, "Hello", "Good evening")
    [latest, _] = await client.runs.list(thread_id)
    await client.runs.delete(thread_id, latest["run_id"])
    assert _said(await _state(client, thread_id)) == ["Hello"]
