"""LangGraph's development server with our graphs, store and checkpointer: store routes and runs.

One server serves all tests here; each takes threads and namespaces of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from dev_server import AGENT, BACKGROUND, DevServer, Place, answer, blocking_calls, message, running
from langgraph_sdk.client import LangGraphClient

from langgraph_memory.testing import OpenAIServer

JANE = {"tenant": "acme", "user": "jane.doe@example.com"}
SPOKEN = ["The ", "launch ", "is ", "on ", "Monday ", "[m1]."]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    """A server that offers a model besides the offline responder."""
    with OpenAIServer(lambda request: "".join(SPOKEN)) as models:
        place = Place.made(
            tmp_path_factory.mktemp("dev"), MEMORY_TTL_MINUTES="600",
            MEMORY_MODELS="openai:scripted", OPENAI_BASE_URL=models.base_url,
        )  # fmt: skip
        with running(place) as started:
            yield started


async def _say(client: LangGraphClient, text: str, **context: Any) -> Any:
    thread = await client.threads.create()
    context = {**JANE, **context}
    return await client.runs.wait(thread["thread_id"], AGENT, input=message(text), context=context)


# --- Start --------------------------------------------------------------------------------


def test_it_starts_offline_within_ten_seconds(server: DevServer) -> None:
    """R72; a busy machine is given twice the time."""
    print(f"started in {server.started_in:.1f} s")
    assert server.started_in < 20


async def test_it_opens_both_graphs(server: DevServer) -> None:
    async with server.client() as client:
        found = await client.assistants.search()
    assert {each["graph_id"] for each in found} == {AGENT, BACKGROUND}


# --- Store routes -------------------------------------------------------------------------


async def test_the_store_routes_reach_our_store(server: DevServer) -> None:
    """R72: put, get, search, list, delete."""
    place = ("plain", "trips")
    async with server.client() as client:
        await client.store.put_item(place, "rome", {"text": "A week of pasta", "year": 2024})
        await client.store.put_item(place, "oslo", {"text": "Northern lights", "year": 2025})
        item = await client.store.get_item(place, "rome")
        by_query = await client.store.search_items(("plain",), query="pasta", limit=1)
        by_filter = await client.store.search_items(("plain",), filter={"year": {"$gte": 2025}})
        listed = await client.store.list_namespaces(prefix=["plain"], suffix=["trips"])
        await client.store.delete_item(place, "rome")
        left = await client.store.search_items(place)
    assert item["value"] == {"text": "A week of pasta", "year": 2024}
    assert [each["key"] for each in by_query["items"]] == ["rome"]
    assert [each["key"] for each in by_filter["items"]] == ["oslo"]
    assert listed["namespaces"] == [list(place)]
    assert [each["key"] for each in left["items"]] == ["oslo"]


async def test_the_default_lifetime_holds_over_http_where_a_client_says_none(
    server: DevServer,
) -> None:
    """R23: the server sends None for what was not said."""
    async with server.client() as client:
        await client.store.put_item(("lasting", "x"), "default", {"text": "not said"})
        await client.store.put_item(("lasting", "x"), "own", {"text": "said"}, ttl=5)
    with closing(sqlite3.connect(server.place.home / "memory.sqlite")) as raw:
        rows = raw.execute("SELECT key, ttl_minutes FROM records WHERE path = 'lasting.x.'")
        minutes = dict(rows.fetchall())
    assert (minutes["default"], minutes["own"]) == (600, 5)


# --- Runs ---------------------------------------------------------------------------------


async def test_a_run_writes_a_memory_that_only_its_user_recalls_elsewhere(
    server: DevServer,
) -> None:
    """R72."""
    async with server.client() as client:
        told = await _say(client, "Remember that Lina owns deployment")
        question = "Who owns deployment?"
        mine, others = await asyncio.gather(
            _say(client, question), _say(client, question, user="jane_doe@example.com")
        )
    assert "I will remember" in answer(told)
    assert "“Lina owns deployment”" in answer(mine)
    assert answer(others).startswith("I don't know.")


async def test_a_run_streams_values_updates_and_the_words_of_the_model(server: DevServer) -> None:
    """R73: each mode in its own shape, all in one run."""
    async with server.client() as client:
        thread = await client.threads.create()
        await client.runs.wait(
            thread["thread_id"], AGENT, input=message("Remember that the launch is on Monday"),
            context=JANE,
        )  # fmt: skip
        parts = [
            (part.event, part.data)
            async for part in client.runs.stream(
                thread["thread_id"], AGENT, input=message("When is the launch?"),
                context={**JANE, "model": "openai:scripted"},
                stream_mode=["values", "updates", "messages-tuple"],
            )
        ]  # fmt: skip
    steps = [name for event, data in parts if event == "updates" for name in data]
    words = [data[0]["content"] for event, data in parts if event == "messages"]
    last = [data for event, data in parts if event == "values"][-1]
    assert steps == ["capture", "retrieve", "validate", "respond", "consolidate"]
    assert [_text(each) for each in words if _text(each)][: len(SPOKEN)] == SPOKEN
    assert _text(last["messages"][-1]["content"]) == "".join(SPOKEN)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


async def test_state_shows_the_story_of_a_turn_and_no_recalled_text(server: DevServer) -> None:
    """R72: captured, candidates, verdicts, evidence, usage."""
    async with server.client() as client:
        thread = await client.threads.create()
        for text in ("Remember that Tom tests the ovens", "Who tests the ovens?"):
            await client.runs.wait(thread["thread_id"], AGENT, input=message(text), context=JANE)
        state = await client.threads.get_state(thread["thread_id"])
    values: Any = state["values"]
    assert {"captured", "candidates", "verdicts", "evidence", "usage"} <= values.keys()
    assert values["evidence"][0]["label"] == "m1"
    assert "recalled" not in values


async def test_a_setting_out_of_bounds_is_refused_in_words(server: DevServer) -> None:
    async with server.client() as client:
        with pytest.raises(
            Exception, match="top_k is wrong: 21 is given, and possible is .* up to 20"
        ):
            await _say(client, "Hello", top_k=21)


async def test_a_run_that_names_nobody_says_what_to_set(server: DevServer) -> None:
    """R53."""
    async with server.client() as client:
        with pytest.raises(Exception, match="MEMORY_TENANT and MEMORY_USER"):
            await client.runs.wait(None, AGENT, input=message("Hello"))


# --- Interrupts ---------------------------------------------------------------------------


DECISIONS: list[tuple[dict[str, str], list[str]]] = [
    ({"decision": "approve"}, ["Ana leads the trial"]),
    ({"decision": "edit", "content": "Ana led the trial"}, ["Ana led the trial"]),
    ({"decision": "reject"}, []),
]


async def test_a_change_waits_for_a_decision(server: DevServer) -> None:
    """R3: shown with the interrupt, not in memory before, as decided after."""
    async with server.client() as client:
        await asyncio.gather(*(_decide(client, *each) for each in DECISIONS))


async def _decide(client: LangGraphClient, decision: dict[str, str], kept: list[str]) -> None:
    me = {"tenant": "acme", "user": decision["decision"], "approval": "on"}
    root = ("memory", "t=acme", f"u={decision['decision']}")
    thread_id = (await client.threads.create())["thread_id"]
    asked: Any = await client.runs.wait(
        thread_id, AGENT, input=message("Remember that Ana leads the trial"), context=me
    )
    waiting = (await client.threads.get(thread_id))["status"]
    before = await client.store.search_items(root)
    await client.runs.wait(thread_id, AGENT, command={"resume": decision}, context=me)
    after = await client.store.search_items(root)
    done = (await client.threads.get(thread_id))["status"]
    [interrupt] = asked["__interrupt__"]
    assert interrupt["value"]["proposed"]["content"] == "Ana leads the trial"
    assert (waiting, done) == ("interrupted", "idle")
    assert before["items"] == []
    assert [each["value"]["content"] for each in after["items"]] == kept


# --- Last, over all of the above ------------------------------------------------------------


def test_nothing_blocked_the_event_loop(server: DevServer) -> None:
    """B83: the server, started without ``--allow-blocking``, reports blocking calls as errors."""
    assert blocking_calls(server.place) == []
