"""How a node reaches the memory, and whose memory it is.

Identity comes from the caller's authenticated context: the server's user first, else the
runtime context, else ``configurable``, else the operator's settings. Two that disagree are
refused. Nothing in a message, and no model, can name the identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import get_runtime

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import IdentityConflictError, InvalidInputError, InvalidScopeError
from langgraph_memory.memory import Memory, ScopedMemory
from langgraph_memory.nodes.context import MemoryContext
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.policy.presets import Preset
from langgraph_memory.wiring import Settings

_SERVER_USER = "langgraph_auth_user"


@dataclass(frozen=True, slots=True)
class Access:
    """One turn's way to memory.

    Attributes:
        memory: Bound to who is asking.
        thread_id: The thread; one of its own where the run has none.
        context: The caller's settings for this run.
    """

    memory: ScopedMemory
    thread_id: str
    context: MemoryContext

    @property
    def settings(self) -> Preset:
        """What the run goes by, its preset's figures filled in."""
        return self.context.settled


def access(config: RunnableConfig) -> Access:
    """Return the memory bound to the caller.

    Raises:
        InvalidInputError: The graph was compiled without one of our stores.
        InvalidScopeError: Nobody said who is asking, or two said different things.
    """
    memory, context = whole_memory(), run_context()
    configurable = config.get("configurable") or {}
    scope = identified(memory, context, configurable)
    alone = "/".join(("no-thread", *scope.owner.root[1:]))
    thread_id = str(configurable.get("thread_id") or configurable.get("run_id") or alone)
    return Access(memory.bound_to(scope, context.timezone), thread_id, context)


def whole_memory() -> Memory:
    """Return the memory of the store that the graph runs with.

    Raises:
        InvalidInputError: It is none of our stores.
    """
    return memory_of(get_runtime(MemoryContext).store)


def memory_of(store: Any) -> Memory:
    """Return the memory of a store. Raises as :func:`whole_memory`."""
    memory = getattr(store, "memory", None)
    if not isinstance(memory, Memory):
        raise InvalidInputError(
            "This graph needs our store: compile it with store=MemoryStore.from_path(...), "
            "take home.agent(), or name langgraph_memory.server.store in langgraph.json."
        )
    return memory


def run_context() -> MemoryContext:
    """Return the run's context. The bare library leaves it out where none is given."""
    given: MemoryContext | None = get_runtime(MemoryContext).context
    return MemoryContext() if given is None else given


def identify(context: MemoryContext, configurable: dict[str, Any]) -> Scope:
    """Return who is asking. Raises ``InvalidScopeError``."""
    signed_in = _server_user(configurable) is not None
    user = _agreed("user", _signed_in(configurable), context.user, configurable.get("user"))
    # A signed-in user belongs to the tenant the server says; a request can only agree.
    granted = (_tenant_of(configurable) or Settings.load().tenant) if signed_in else None
    claims = (context.tenant, configurable.get("tenant"))
    tenant = _agreed("tenant", granted, *claims) if granted or not signed_in else None
    if not signed_in:
        tenant = tenant or Settings.load().tenant
        user = user or Settings.load().user
    if tenant is None:
        raise InvalidScopeError("tenant", f"is missing. {_SIGN_IN}" if signed_in else _HOW)
    if user is None:
        raise InvalidScopeError("user", _HOW)
    return Scope(
        tenant,
        user,
        project=_agreed("project", context.project, configurable.get("project")),
        agent=_agreed("agent", context.agent, configurable.get("agent")),
    )


def identified(memory: Memory, context: MemoryContext, configurable: dict[str, Any]) -> Scope:
    """Return who is asking; a claim to be two is counted. Raises as :func:`identify`."""
    try:
        return identify(context, configurable)
    except IdentityConflictError:
        memory.note_denied()
        raise


def anybody(context: MemoryContext, configurable: dict[str, Any]) -> bool:
    """Tell whether a run names nobody, and nobody is signed in: it is the operator's own."""
    claims = (context.tenant, context.user, configurable.get("tenant"), configurable.get("user"))
    return _server_user(configurable) is None and not any(claims)


def latest_question(state: PrivateState) -> HumanMessage:
    """Return the user's latest message.

    Raises:
        InvalidInputError: The run was started without one.
    """
    for message in reversed(state.get("messages") or []):
        if isinstance(message, HumanMessage):
            return message
    raise InvalidInputError('Send a user message: {"messages": [("user", "...")]}.')


def question_of(state: PrivateState) -> str:
    """Return what of the latest message is to be answered: what it asks beside its orders."""
    rest = (state.get("captured") or {}).get("rest")
    return str(rest or text_of(latest_question(state)))


def unanswered(state: PrivateState, message: HumanMessage) -> list[HumanMessage]:
    """Return the user's messages before ``message`` that nobody has answered yet, in order."""
    found: list[HumanMessage] = []
    for each in state.get("messages") or []:
        if each.id == message.id:
            break
        if isinstance(each, HumanMessage):
            found.append(each)
        elif isinstance(each, AIMessage):
            found.clear()
    return found


def text_of(message: BaseMessage) -> str:
    """Return the text of a message, whatever parts it is made of."""
    return str(message.text)


_SIGN_IN = (
    'Let the authenticate handler return it with the user, {"identity": ..., "tenant": ...}, or '
    "set MEMORY_TENANT"
)
_HOW = (
    "is missing from the run: invoke(..., context=memory.context()), or set "
    'context={"tenant": ..., "user": ...} in Studio, or MEMORY_TENANT and MEMORY_USER'
)


def _server_user(configurable: dict[str, Any]) -> Any:
    """Return the signed-in user; to the server, nobody is a user whose identity is empty.

    Raises:
        InvalidScopeError: Nobody, but of a tenant: an authenticate handler that forgot the name.
    """
    user = configurable.get(_SERVER_USER)
    if user is None:
        return None
    identity, tenant = (_of(user, each) for each in ("identity", "tenant"))
    if not identity and tenant:
        raise InvalidScopeError("user", "is signed in without an identity. " + _SIGN_IN)
    return user if identity else None


def _of(user: Any, field: str) -> Any:
    return user.get(field) if isinstance(user, dict) else getattr(user, field, None)


def _signed_in(configurable: dict[str, Any]) -> str | None:
    user = _server_user(configurable)
    if user is None:
        return None
    return str(_of(user, "identity"))


def _tenant_of(configurable: dict[str, Any]) -> str | None:
    user = _server_user(configurable)
    if user is None:
        return None
    found = _of(user, "tenant")
    return None if found is None else str(found)


def _agreed(field: str, *claims: str | None) -> str | None:
    """Return what the claims say, first to last; two that differ are refused."""
    made = [str(claim) for claim in claims if claim]
    if len(set(made)) > 1:
        raise IdentityConflictError(field, made[0], made[1])
    return made[0] if made else None
