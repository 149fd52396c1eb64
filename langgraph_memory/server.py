"""What ``langgraph.json`` names: store and checkpointer of ``MEMORY_HOME``, and who may do what.

Name the first two with dots: ``langgraph_memory.server.store``,
``langgraph_memory.server.checkpointer``. The server enters each once per event loop and leaves
it when it stops; all of them share one set of engines.

The server's own routes know nothing of our scopes: whoever may call them reads every namespace
of the store and every thread. :func:`protect` keeps each signed-in user to their own. A handler
changes the request in place or returns a filter on metadata, as LangGraph has it; it never
takes an identity from the request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import TTLConfig
from langgraph_sdk import Auth

from langgraph_memory.domain.namespace import starts_with
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import IdentityConflictError, InvalidScopeError, ThreadOwnershipError
from langgraph_memory.home import Home, open_memory
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.nodes.access import identify
from langgraph_memory.nodes.context import MemoryContext
from langgraph_memory.storage.checkpoints.saver import CheckpointSaver
from langgraph_memory.wiring import Settings

_homes: list[Home | MemoryStore] = []
"""What the server has open; the engines behind all of them are the same."""

_SERVER_USER = "langgraph_auth_user"
_CREATED_BY = "created_by"
"""Under it, the server marks the assistants that it made of the graphs itself."""


@asynccontextmanager
async def store() -> AsyncIterator[MemoryStore]:
    """Open the store of ``MEMORY_HOME``, with ``MEMORY_TTL_MINUTES`` as its default lifetime.

    The server says ``ttl=None`` where a client said nothing, and starts no sweeper for a
    store it does not know: the default is applied here, and expired items are swept here.
    """
    opened = await asyncio.to_thread(_open_store)
    async with _kept(opened):
        yield opened


@asynccontextmanager
async def checkpointer() -> AsyncIterator[CheckpointSaver]:
    """Open the checkpointer of ``MEMORY_HOME``."""
    opened = await asyncio.to_thread(open_memory)
    async with _kept(opened):
        yield opened.checkpointer


def _open_store() -> MemoryStore:
    settings = Settings.load()
    ttl = TTLConfig(default_ttl=settings.ttl_minutes) if settings.ttl_minutes else None
    opened = MemoryStore.from_path(settings.home, settings=settings, ttl=ttl, none_is_default=True)
    opened.start_ttl_sweeper()
    return opened


@asynccontextmanager
async def _kept(opened: Home | MemoryStore) -> AsyncIterator[None]:
    """Close what was opened when the server stops: then all is in the files, none in their logs."""
    _homes.append(opened)
    try:
        yield
    finally:
        _homes.remove(opened)
        await asyncio.to_thread(opened.close)


# --- Who may do what ------------------------------------------------------------------------


def protect(auth: Auth) -> None:
    """Keep every signed-in user to their own store items, threads, runs, crons and assistants.

    What no handler here knows is refused. A handler of yours for one action, such as
    ``@auth.on.threads.delete``, goes before these: it alone decides then.

    Example:
        >>> from langgraph_sdk import Auth
        >>> auth = Auth()
        >>> protect(auth)
        >>> @auth.authenticate
        ... async def who(authorization: str | None) -> dict[str, str]:
        ...     return {"identity": "jane.doe@example.com", "tenant": "acme"}  # from your tokens
    """
    auth.on.store(own_namespaces)
    auth.on.threads(own_threads)
    auth.on.crons(own_crons)
    auth.on.assistants(own_assistants)
    auth.on(_nothing_else)


async def own_namespaces(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Confine a store route to what the signed-in user owns in the memory namespaces.

    An empty prefix becomes the user's own root. Suffix, depth and filter only narrow it.

    Raises:
        Auth.exceptions.HTTPException: 403 for a namespace outside the root, 422 where an item
            is named without one.
    """
    scope = _scope(ctx)
    root = scope.root
    asked = tuple(value.get("namespace") or ())
    if not asked and ctx.action not in ("search", "list_namespaces"):
        raise _refused(f"Name the item's namespace, inside {list(root)}.", status=422)
    if asked and not starts_with(asked, root):
        _note_denied(scope)
        raise _refused(
            f"The namespace {list(asked)} is not yours: yours begin with {list(root)}. Leave the "
            "prefix out of a search to have all of them."
        )
    value["namespace"] = asked or root


async def own_threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """Confine threads and their runs to who made them.

    A thread that the memory knows as somebody else's stays theirs, whatever the server's own
    list says: the development server may lose its list, the folder ``.langgraph_api``, while
    the state of the thread is still in the home.

    Raises:
        Auth.exceptions.HTTPException: 403 for a thread of somebody else, and for a run that
            names another user or tenant.
    """
    scope = _scope(ctx)
    for thread_id in _thread_ids(value):
        await asyncio.to_thread(_check_thread, scope, thread_id)
    if ctx.action == "create_run":
        _check_claims(ctx, value.get("kwargs"))
    return _marked(ctx, value, scope)


async def own_crons(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """Confine crons to who made them; their runs are that user's, tenant included.

    Raises:
        Auth.exceptions.HTTPException: 403 for a cron that names another user or tenant.
    """
    scope = _scope(ctx)
    payload = value.get("payload")
    if isinstance(payload, dict):
        _check_claims(ctx, payload)
        _sign(payload, scope, always=ctx.action == "create")
    return _marked(ctx, value, scope)


async def own_assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, Any]:
    """Confine assistants to who made them; those of the graphs themselves are there for all.

    Raises:
        Auth.exceptions.HTTPException: 403 for an assistant that names another user or tenant.
    """
    scope = _scope(ctx)
    _check_claims(ctx, value)
    mine = _marked(ctx, value, scope)
    if ctx.action in ("read", "search"):
        return {"$or": [mine, {_CREATED_BY: "system"}]}
    return mine


async def _nothing_else(ctx: Auth.types.AuthContext, value: Any) -> bool:
    return False


def _scope(ctx: Auth.types.AuthContext, **claims: str) -> Scope:
    """Return whose request it is; what the request itself claims can only agree."""
    who = str(ctx.user.identity or "").strip()
    if not who:
        raise _refused("Nobody is signed in: the authenticate handler gave no identity.")
    try:
        return identify(MemoryContext(), {**claims, _SERVER_USER: ctx.user}).owner
    except InvalidScopeError as exc:
        if isinstance(exc, IdentityConflictError):
            _note_denied(None)
        if claims:
            raise _refused(
                f"You are signed in as {who!r}, and the request speaks for somebody else: its "
                f"{exc.field} {exc.problem}. Leave user and tenant out of it."
            ) from exc
        raise _refused(
            f"No memory for {who!r}: the {exc.field} is missing. Let the authenticate handler "
            'return it with the user, {"identity": ..., "tenant": ...}, or set MEMORY_TENANT.'
        ) from exc


def _check_claims(ctx: Auth.types.AuthContext, run: Any) -> None:
    """Refuse a run, or what runs are made of, that names somebody else."""
    config = _mapping(_mapping(run).get("config"))
    for place in (_mapping(run).get("context"), config.get("configurable")):
        named = {each: _mapping(place).get(each) for each in ("tenant", "user")}
        if claims := {each: name for each, name in named.items() if isinstance(name, str) and name}:
            _scope(ctx, **claims)


def _thread_ids(value: Mapping[str, Any]) -> list[str]:
    named = [value.get("thread_id"), *(value.get("thread_ids") or ())]
    return [str(each) for each in named if each is not None]


def _note_denied(scope: Scope | None) -> None:
    if _homes:
        _homes[0].memory.note_denied(scope)


def _check_thread(scope: Scope, thread_id: str) -> None:
    if not _homes:
        return  # the store is of somebody else's making: the server's own list decides
    try:
        _homes[0].memory.bound_to(scope).check_thread(thread_id)
    except ThreadOwnershipError as exc:
        raise _refused(exc.message) from exc


def _marked(ctx: Auth.types.AuthContext, value: dict[str, Any], scope: Scope) -> dict[str, str]:
    """Return whose things are meant, and mark as theirs what is written."""
    mine = {"owner": str(scope.user), "tenant": scope.tenant}
    metadata = value.get("metadata")
    if ctx.action in ("create", "create_run", "update") and isinstance(metadata, dict):
        metadata.update(mine)
        if metadata.get(_CREATED_BY) == "system":
            del metadata[_CREATED_BY]
    return mine


def _sign(payload: dict[str, Any], scope: Scope, *, always: bool) -> None:
    """Leave the user's tenant with a cron: the server by itself keeps the name alone."""
    if not always and "config" not in payload:
        return
    config = payload["config"] = payload.get("config") or {}
    configurable = config["configurable"] = config.get("configurable") or {}
    configurable[_SERVER_USER] = {"identity": scope.user, "tenant": scope.tenant}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _refused(detail: str, *, status: int = 403) -> Exception:
    return Auth.exceptions.HTTPException(status_code=status, detail=detail)
