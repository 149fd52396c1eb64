"""Signed-in users on LangGraph's development server, kept apart by ``protect``.

A token names its user in the open; the runs of ``unguarded`` users pass our handler by, so
that what the graph itself refuses is seen.
"""

from __future__ import annotations

import asyncio
import sqlite3
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

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
from langgraph_sdk.errors import AuthenticationError, NotFoundError, PermissionDeniedError

from langgraph_memory import open_memory

AUTH = """
from urllib.parse import unquote

from langgraph_sdk import Auth

from langgraph_memory.server import own_threads, protect

auth = Auth()
protect(auth)


@auth.authenticate
async def who(authorization: str | None) -> dict:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme != "Bearer":
        raise Auth.exceptions.HTTPException(status_code=401, detail="Sign in first.")
    user, tenant, *permissions = unquote(token).split("|")
    return {"identity": user, "permissions": permissions} | ({"tenant": tenant} if tenant else {})


@auth.on.threads.create_run
async def runs(ctx, value):
    return None if "unguarded" in ctx.permissions else await own_threads(ctx, value)
"""
JANE, TOM, LI = "jane.doe@example.com|acme", "tom|acme", "李雷|acme"
JANES_ROOT = ("memory", "t=acme", "u=jane%2Edoe@example%2Ecom")
TOMS_ROOT = ("memory", "t=acme", "u=tom")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    """A server where one has to sign in."""
    place = Place.made(tmp_path_factory.mktemp("auth"), auth=AUTH, CRON_SCHEDULER_SLEEP_TIME="1")
    with running(place) as started:
        yield started
    assert blocking_calls(place) == []


@pytest.fixture
async def jane(server: DevServer) -> AsyncIterator[LangGraphClient]:
    """Signed in with an e-mail address."""
    async with server.client(quote(JANE)) as client:
        yield client


@pytest.fixture
async def tom(server: DevServer) -> AsyncIterator[LangGraphClient]:
    """Signed in, of the same tenant."""
    async with server.client(quote(TOM)) as client:
        yield client


async def _say(client: LangGraphClient, text: str, thread_id: str | None = None) -> str:
    thread_id = thread_id or str((await client.threads.create())["thread_id"])
    return answer(await client.runs.wait(thread_id, AGENT, input=message(text)))


def _bound(server: DevServer, thread_id: str) -> int:
    """Count what the memory knows of a thread: its owner, and what was said in it."""
    with closing(sqlite3.connect(server.place.home / "memory.sqlite")) as raw:
        counted = [
            raw.execute(f"SELECT count(*) FROM {table} WHERE thread_id = ?", (thread_id,))
            for table in ("threads", "events", "jobs")
        ]
        return sum(int(each.fetchone()[0]) for each in counted)


# --- Who is asking --------------------------------------------------------------------------


async def test_nobody_comes_in_without_signing_in(server: DevServer) -> None:
    async with server.client() as stranger:
        with pytest.raises(AuthenticationError, match="Sign in first"):
            await stranger.assistants.search()


async def test_any_user_id_has_a_memory_of_its_own(server: DevServer) -> None:
    """R41: an e-mail address, another script, the same name in another tenant."""
    users = {JANE: "Momo", LI: "Kiki", "李雷|globex": "Ada"}

    async def talk(user: str, cat: str) -> str:
        async with server.client(quote(user)) as client:
            await _say(client, f"Remember that my cat is called {cat}")
            return await _say(client, "What is my cat called?")

    told = await asyncio.gather(*(talk(*each) for each in users.items()))
    assert [cat in said for cat, said in zip(users.values(), told, strict=True)] == [True] * 3


@pytest.mark.parametrize(
    "claim",
    [
        {"context": {"user": "jane.doe@example.com"}},
        {"context": {"tenant": "globex"}},
        {"config": {"configurable": {"user": "jane.doe@example.com"}}},
        {"config": {"configurable": {"tenant": "globex"}}},
    ],
    ids=lambda claim: str(claim),
)
async def test_a_run_that_speaks_for_somebody_else_is_refused(
    server: DevServer, tom: LangGraphClient, claim: Any
) -> None:
    """R53: before it exists; nothing is written, no thread is bound."""
    thread_id = str((await tom.threads.create())["thread_id"])
    with pytest.raises(PermissionDeniedError, match="You are signed in as 'tom'"):
        await tom.runs.create(thread_id, AGENT, input=message("Who am I?"), **claim)
    assert await tom.runs.list(thread_id) == []
    assert _bound(server, thread_id) == 0


async def test_the_graph_itself_refuses_what_no_handler_did(
    server: DevServer, jane: LangGraphClient
) -> None:
    """R46, R53: somebody else's name, and somebody else's thread."""
    janes = str((await jane.threads.create())["thread_id"])
    await _say(jane, "Hello", janes)
    before = _bound(server, janes)
    async with server.client(quote("eve|acme|unguarded")) as eve:
        mine = str((await eve.threads.create())["thread_id"])
        with pytest.raises(Exception, match=r"claimed as 'eve' and as 'jane\.doe@example\.com'"):
            await eve.runs.wait(
                mine, AGENT, input=message("Who am I?"), context={"user": "jane.doe@example.com"}
            )
        run = await eve.runs.create(janes, AGENT, input=message("Who am I?"))
    await jane.runs.join(janes, run["run_id"])
    assert (await jane.runs.get(janes, run["run_id"]))["status"] == "error"
    assert f"Thread '{janes}' was opened by another identity" in server.place.log.read_text()
    assert _bound(server, mine) == 0
    assert _bound(server, janes) == before


async def test_a_user_without_a_tenant_is_told_what_is_missing(server: DevServer) -> None:
    async with server.client(quote("solo|")) as solo:
        with pytest.raises(PermissionDeniedError, match="set MEMORY_TENANT"):
            await solo.threads.create()


# --- The store routes -----------------------------------------------------------------------


async def test_an_empty_prefix_means_all_of_mine(
    jane: LangGraphClient, tom: LangGraphClient
) -> None:
    for client, root in ((jane, JANES_ROOT), (tom, TOMS_ROOT)):
        await client.store.put_item((*root, "semantic"), "tea", {"content": "I drink tea"})
    for client, root in ((jane, JANES_ROOT), (tom, TOMS_ROOT)):
        found = await client.store.search_items([], limit=100)
        listed = await client.store.list_namespaces(suffix=["semantic"])
        assert {tuple(each["namespace"][:3]) for each in found["items"]} == {root}
        assert listed["namespaces"] == [[*root, "semantic"]]
        assert (await client.store.get_item((*root, "semantic"), "tea"))["value"]


Route = Callable[[LangGraphClient, Any], Awaitable[Any]]
ROUTES: dict[str, Route] = {
    "put": lambda client, place: client.store.put_item(place, "k", {"content": "I was here"}),
    "get": lambda client, place: client.store.get_item(place, "k"),
    "delete": lambda client, place: client.store.delete_item(place, "k"),
    "search": lambda client, place: client.store.search_items(place),
    "list": lambda client, place: client.store.list_namespaces(prefix=list(place)),
}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
async def test_somebody_elses_namespace_is_refused(
    jane: LangGraphClient, tom: LangGraphClient, route: Route
) -> None:
    """R41: also what lies above one's own, and what lies outside of all memory."""
    for place in ((*JANES_ROOT, "semantic"), ("memory", "t=acme", "org", "semantic"),
                  ("memory", "t=acme"), ("memory", "t=acme", "*"), ("plain",)):  # fmt: skip
        with pytest.raises(PermissionDeniedError, match="is not yours"):
            await route(tom, place)
    assert await jane.store.get_item((*JANES_ROOT, "semantic"), "k") is None


# --- Threads, crons, assistants ---------------------------------------------------------------


async def test_somebody_elses_thread_is_refused_on_every_route(
    server: DevServer, jane: LangGraphClient, tom: LangGraphClient
) -> None:
    """R46."""
    thread_id = str((await jane.threads.create())["thread_id"])
    await _say(jane, "Remember that my cat is called Momo", thread_id)
    before = _bound(server, thread_id)
    tries: list[Awaitable[Any]] = [
        tom.threads.get(thread_id),
        tom.threads.get_state(thread_id),
        tom.threads.get_history(thread_id),
        tom.threads.update_state(thread_id, message("Hello"), as_node="__start__"),
        tom.threads.update(thread_id, metadata={"owner": "tom"}),
        tom.threads.copy(thread_id),
        tom.threads.delete(thread_id),
        tom.threads.create(thread_id=thread_id, if_exists="do_nothing"),
        tom.runs.list(thread_id),
        tom.runs.create(thread_id, AGENT, input=message("Hello")),
        tom.runs.create(thread_id, AGENT, input=message("Hello"), if_not_exists="create"),
    ]
    refused = await asyncio.gather(*tries, return_exceptions=True)
    assert {type(each) for each in refused} <= {PermissionDeniedError, NotFoundError}
    assert thread_id not in {each["thread_id"] for each in await tom.threads.search(limit=100)}
    assert _bound(server, thread_id) == before
    assert "Momo" in answer((await jane.threads.get_state(thread_id))["values"])


async def test_a_thread_that_only_the_memory_knows_still_has_its_owner(
    server: DevServer, jane: LangGraphClient, tom: LangGraphClient
) -> None:
    """R46: after the server has lost its list."""
    thread_id = str(uuid.uuid4())
    with open_memory(server.place.home) as home:
        home.memory.scope(tenant="acme", user="jane.doe@example.com").claim(thread_id)
    with pytest.raises(PermissionDeniedError, match="opened by another identity"):
        await tom.threads.create(thread_id=thread_id, graph_id=AGENT)
    with pytest.raises(PermissionDeniedError, match="opened by another identity"):
        await tom.runs.create(thread_id, AGENT, input=message("Hi"), if_not_exists="create")
    assert await jane.threads.create(thread_id=thread_id, graph_id=AGENT)


async def test_whose_a_thread_is_cannot_be_written(tom: LangGraphClient) -> None:
    """Neither by who makes it nor by who has it."""
    forged = {"owner": "jane.doe@example.com", "tenant": "globex"}
    made = await tom.threads.create(metadata={**forged, "topic": "tea"})
    changed = await tom.threads.update(made["thread_id"], metadata=forged)
    for each in (made, changed):
        assert each["metadata"] == {"owner": "tom", "tenant": "acme", "topic": "tea"}


async def test_background_work_is_done_for_who_asks_alone(
    server: DevServer, jane: LangGraphClient
) -> None:
    """The worker may have been quicker: then nothing is left to be done."""
    async with server.client(quote("ann|acme")) as ann:
        mine, theirs = [str((await each.threads.create())["thread_id"]) for each in (ann, jane)]
        await asyncio.gather(_say(ann, "Hello", mine), _say(jane, "Hello", theirs))
        out: Any = await ann.runs.wait(None, BACKGROUND, input={})
        with pytest.raises(PermissionDeniedError):
            await ann.runs.create(None, BACKGROUND, input={}, context={"user": "tom"})
    assert {each["thread_id"] for each in out["done"]} <= {mine}
    assert out["left"] == 0


async def test_a_cron_runs_as_who_made_it_tenant_and_all(
    jane: LangGraphClient, tom: LangGraphClient
) -> None:
    cron: Any = await jane.crons.create(
        BACKGROUND, schedule="* * * * * *", input={}, on_run_completed="keep"
    )
    assert await tom.crons.search() == []
    with pytest.raises(NotFoundError):
        await tom.crons.update(cron["cron_id"], enabled=False)
    with pytest.raises(PermissionDeniedError, match="speaks for somebody else"):
        await tom.crons.create(
            BACKGROUND, schedule="* * * * * *", input={}, context={"user": "jane.doe@example.com"}
        )
    done = await until(lambda: background_runs(jane))
    await jane.crons.delete(cron["cron_id"])
    assert done[0]["status"] == "idle"
    assert done[0]["metadata"]["owner"] == "jane.doe@example.com"


async def test_assistants_of_the_graphs_are_for_all_others_for_who_made_them(
    jane: LangGraphClient, tom: LangGraphClient
) -> None:
    made = await jane.assistants.create(
        AGENT, context={"top_k": 3}, metadata={"created_by": "system"}
    )
    seen = await tom.assistants.search()
    assert {each["graph_id"] for each in seen} == {AGENT, BACKGROUND}
    assert made["assistant_id"] not in {each["assistant_id"] for each in seen}
    for found in (made["assistant_id"], seen[0]["assistant_id"]):
        with pytest.raises(NotFoundError):
            await tom.assistants.update(found, context={"instructions": "Tell everything."})
    with pytest.raises(PermissionDeniedError, match="speaks for somebody else"):
        await tom.assistants.create(AGENT, context={"user": "jane.doe@example.com"})
