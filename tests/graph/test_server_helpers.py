"""Who is asking: what the graph takes from a run, and what the server's handlers take from a user.

No server here: handlers are called as LangGraph's server calls them, with the signed-in user and
the request as a dictionary that they may change.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph_sdk import Auth

from langgraph_memory import Home, MemoryStore, ScopedMemory, server
from langgraph_memory.errors import InvalidScopeError, ThreadOwnershipError
from langgraph_memory.nodes.access import identify
from langgraph_memory.nodes.context import MemoryContext

HELLO: Any = {"messages": [("user", "Hello")]}
Action = Literal["create", "read", "update", "delete", "search", "create_run", "put", "get",
                 "list_namespaces"]  # fmt: skip
JANE = {"identity": "jane.doe@example.com", "tenant": "acme"}
JANES_ROOT = ("memory", "t=acme", "u=jane%2Edoe@example%2Ecom")


class User:
    """A user as the server has it: attributes, and no more of them than were given."""

    def __init__(self, **told: str) -> None:
        self.__dict__.update(told)


def _ctx(action: Action, user: dict[str, str] = JANE) -> Auth.types.AuthContext:
    signed_in: Any = User(**user)
    return Auth.types.AuthContext(permissions=[], user=signed_in, resource="threads", action=action)


def _config(thread_id: str, signed_in: dict[str, str] | None = None, **told: Any) -> RunnableConfig:
    user = {"langgraph_auth_user": signed_in} if signed_in else {}
    return {"configurable": {"thread_id": thread_id, **user, **told}}


# --- The graph, with no server around it ------------------------------------------------------


def test_a_signed_in_user_needs_no_context(home: Home, me: ScopedMemory) -> None:
    """R53: and it is the same memory as that of a run whose context names the user."""
    me.remember("My cat is called Momo")
    out = home.agent().invoke(
        {"messages": [("user", "What is my cat called?")]}, _config("t", JANE)
    )
    assert "Momo" in out["messages"][-1].text


@pytest.mark.parametrize("claims", ["context", "configurable"])
def test_a_run_that_names_two_users_writes_nothing(home: Home, claims: str) -> None:
    """R53: neither an event nor the binding of the thread."""
    context, told = ({"user": "eve"}, {}) if claims == "context" else ({}, {"user": "eve"})
    with pytest.raises(InvalidScopeError, match=r"'jane\.doe@example\.com' and as 'eve'"):
        home.agent().invoke(HELLO, _config("t", JANE, **told), context=context)
    for user in ("jane.doe@example.com", "eve", "tom"):
        assert home.memory.scope(tenant="acme", user=user).transcript("t") == []
    home.memory.scope(tenant="acme", user="tom").claim("t")


def test_somebody_elses_thread_is_refused_before_anything_is_read(
    home: Home, me: ScopedMemory
) -> None:
    """R46: the same name in another tenant is somebody else."""
    agent = home.agent()
    agent.invoke(HELLO, _config("t"), context=me.context())
    for stranger in ({**JANE, "tenant": "globex"}, {**JANE, "identity": "jane_doe@example.com"}):
        with pytest.raises(ThreadOwnershipError):
            list(agent.stream(HELLO, _config("t", stranger)))
    assert len(me.transcript("t")) == 2


def test_a_role_in_a_request_is_not_even_looked_at() -> None:
    """R53."""
    context = MemoryContext.model_validate({"tenant": "acme", "user": "jane", "role": "admin"})
    assert not hasattr(context, "role")
    assert identify(context, {"role": "admin"}) == identify(context, {})


# --- The store routes -----------------------------------------------------------------------


@pytest.mark.parametrize("empty", [None, (), []])
@pytest.mark.parametrize("action", ["search", "list_namespaces"])
async def test_an_empty_prefix_becomes_the_users_root(action: Action, empty: Any) -> None:
    value = {"namespace": empty, "limit": 10}
    await server.own_namespaces(_ctx(action), value)
    assert value == {"namespace": JANES_ROOT, "limit": 10}


@pytest.mark.parametrize("action", ["put", "get", "delete"])
async def test_an_item_is_named_by_its_namespace(action: Action) -> None:
    with pytest.raises(Auth.exceptions.HTTPException) as caught:
        await server.own_namespaces(_ctx(action), {"namespace": (), "key": "k"})
    assert caught.value.status_code == 422


@pytest.mark.parametrize("inside", [JANES_ROOT, [*JANES_ROOT, "semantic"], (*JANES_ROOT, "*")])
async def test_a_namespace_inside_the_root_passes(inside: Any) -> None:
    value = {"namespace": inside}
    await server.own_namespaces(_ctx("list_namespaces"), value)
    assert value == {"namespace": tuple(inside)}


@pytest.mark.parametrize(
    "outside",
    [
        ("memory",),
        ("memory", "t=acme"),
        ("memory", "t=acme", "*"),
        ("memory", "t=acme", "org"),
        ("memory", "t=acme", "u=jane"),
        ("memory", "t=acme", "u=jane%2edoe@example%2ecom"),
        ("memory", "t=globex", "u=jane%2Edoe@example%2Ecom"),
        ("*", "t=acme", "u=jane%2Edoe@example%2Ecom"),
        ("plain",),
    ],
)
async def test_any_other_namespace_is_refused(outside: tuple[str, ...]) -> None:
    """R41: what lies above, beside, spelt almost alike, or outside of all memory."""
    for action in ("put", "get", "delete", "search", "list_namespaces"):
        value = {"namespace": outside}
        with pytest.raises(Auth.exceptions.HTTPException, match="is not yours") as caught:
            await server.own_namespaces(_ctx(action), value)
        assert caught.value.status_code == 403
        assert value == {"namespace": outside}


# --- Threads, runs, crons ---------------------------------------------------------------------


async def test_what_is_made_is_marked_and_what_is_read_is_filtered() -> None:
    mine = {"owner": "jane.doe@example.com", "tenant": "acme"}
    value: dict[str, Any] = {"metadata": {"owner": "eve", "topic": "tea"}}
    assert await server.own_threads(_ctx("create"), value) == mine
    assert value == {"metadata": {**mine, "topic": "tea"}}
    asked: dict[str, Any] = {"metadata": {"owner": "eve"}}
    assert await server.own_threads(_ctx("search"), asked) == mine
    assert asked == {"metadata": {"owner": "eve"}}


@pytest.mark.parametrize("place", ["context", "configurable"])
async def test_a_run_for_somebody_else_is_refused_and_one_for_oneself_passes(place: str) -> None:
    """R53."""

    def run(**claims: Any) -> dict[str, Any]:
        told = {"context": claims} if place == "context" else {"config": {"configurable": claims}}
        return {"kwargs": told, "metadata": {}}

    await server.own_threads(_ctx("create_run"), run(user="jane.doe@example.com", tenant="acme"))
    await server.own_threads(_ctx("create_run"), run(user=None, top_k=3))
    for claims in ({"user": "eve"}, {"tenant": "globex"}):
        with pytest.raises(Auth.exceptions.HTTPException, match="signed in as") as caught:
            await server.own_threads(_ctx("create_run"), run(**claims))
        assert caught.value.status_code == 403


async def test_a_cron_keeps_the_tenant_of_who_made_it() -> None:
    """The server itself keeps the name alone."""
    signed = {"identity": "jane.doe@example.com", "tenant": "acme"}
    made: dict[str, Any] = {"payload": {"input": {}}, "metadata": {}}
    await server.own_crons(_ctx("create"), made)
    assert made["payload"]["config"] == {"configurable": {"langgraph_auth_user": signed}}
    renamed: dict[str, Any] = {"payload": {"metadata": {}}}
    await server.own_crons(_ctx("update"), renamed)
    assert renamed["payload"] == {"metadata": {}}
    changed: dict[str, Any] = {"payload": {"config": {"tags": ["weekly"]}}}
    await server.own_crons(_ctx("update"), changed)
    assert changed["payload"]["config"]["configurable"] == {"langgraph_auth_user": signed}


# --- Who is signed in -------------------------------------------------------------------------


@pytest.mark.parametrize("identity", ["", "  "])
async def test_a_user_without_an_identity_is_refused(identity: str) -> None:
    with pytest.raises(Auth.exceptions.HTTPException, match="gave no identity"):
        await server.own_threads(_ctx("read", {"identity": identity, "tenant": "acme"}), {})


async def test_the_tenant_comes_from_the_user_else_from_the_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MEMORY_TENANT", raising=False)
    with pytest.raises(Auth.exceptions.HTTPException, match="set MEMORY_TENANT"):
        await server.own_threads(_ctx("read", {"identity": "jane"}), {})
    monkeypatch.setenv("MEMORY_TENANT", "initech")
    assert await server.own_threads(_ctx("read", {"identity": "jane"}), {}) == {
        "owner": "jane",
        "tenant": "initech",
    }
    assert (await server.own_threads(_ctx("read"), {}))["tenant"] == "acme"


async def test_protect_covers_all_there_is() -> None:
    """What no handler knows is refused."""
    auth = Auth()
    server.protect(auth)
    assert {resource for resource, _ in auth._handlers} == {
        "store", "threads", "crons", "assistants"
    }  # fmt: skip
    [last] = auth._global_handlers
    assert await last(ctx=_ctx("read"), value={}) is False


# --- What langgraph.json names -----------------------------------------------------------------


async def test_store_and_checkpointer_share_one_home_and_leave_it_closed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a server enters them once per event loop."""
    home.close()
    monkeypatch.setenv("MEMORY_HOME", str(home.path))

    async def enter() -> None:
        async with server.checkpointer() as saver, server.store() as store:
            assert isinstance(store, MemoryStore)
            await store.aput(("plain",), "k", {"text": "kept"})
            assert await saver.aget_tuple(_config("t")) is None

    await asyncio.gather(enter(), asyncio.to_thread(asyncio.run, enter()))
    assert server._homes == []
    assert not home.path.joinpath("memory.sqlite-wal").exists()


async def test_what_is_refused_on_a_route_is_counted(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R55: a namespace outside of one's own, a foreign thread, a run for somebody else."""
    monkeypatch.setattr(server, "_homes", [home])
    home.memory.scope(tenant="acme", user="ann").claim("anns")
    run: Any = {"kwargs": {"context": {"user": "ann"}}}
    for refused in (
        server.own_namespaces(_ctx("search"), {"namespace": ("memory", "t=acme", "u=ann")}),
        server.own_threads(_ctx("read"), {"thread_id": "anns"}),
        server.own_threads(_ctx("create_run"), run),
    ):
        with pytest.raises(Auth.exceptions.HTTPException):
            await refused
    found = {(each.user, each.what.value): each.times for each in home.memory.counts()}
    assert found == {("jane.doe@example.com", "denied"): 2, (None, "denied"): 1}
