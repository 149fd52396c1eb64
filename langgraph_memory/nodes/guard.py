"""A guard before a sensitive tool: who may have it done is asked of roles, never of the model.

The guard stands in the tool. Each call is checked anew, right before the tool would do its work,
whatever led to it: a recalled text, a page, a model that is sure. Who is asking comes from the run,
as in every node; the tool's arguments, the messages and the metadata are not looked at for it.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langchain_core.tools import tool as as_tool
from langchain_core.tools.base import ArgsSchema
from langgraph.runtime import Runtime, get_runtime
from pydantic import PrivateAttr

from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import AccessDeniedError, InvalidInputError, InvalidScopeError
from langgraph_memory.memory import Memory
from langgraph_memory.memory.naming import as_verification
from langgraph_memory.nodes.access import identified, memory_of
from langgraph_memory.nodes.context import identity_in
from langgraph_memory.policy.access import as_permission, as_role

Evidence = str | Callable[[Mapping[str, Any]], Sequence[str]]
"""An argument of the tool that names memories by id, or a function from its arguments to ids."""


def guarded(
    tool: BaseTool | Callable[..., Any], *, permission: Permission | str | None = None,
    roles: Sequence[Role | str] = (), project: str | None = None,
    evidence: Evidence | None = None, verified: Verification | str = Verification.UNVERIFIED,
    memory: Memory | None = None,
) -> BaseTool:  # fmt: skip
    """Return a tool that does its work only for whoever may have it done.

    To anybody else the model is told, as the tool's answer with the status ``error``, what is
    missing; the tool itself is not run. The name, description and arguments stay.

    Args:
        tool: A LangChain tool, or a function that could be one.
        permission: What who asks must be allowed to do in the shared scope.
        roles: One of these is needed there.
        project: Which; the organization outside of projects, if omitted.
        evidence: The memories that the action is based on, at least one. Each must hold, and be
            readable to who asks. An argument may hold one id or a list of them.
        verified: Who at least must vouch for each.
        memory: Where the graph runs without one of our stores.

    Raises:
        InvalidInputError: Nothing is needed, or there is no such role, permission,
            verification or argument. From a call: the graph runs without one of our stores.

    Example:
        >>> def refund(order: str, limit_id: str) -> str:
        ...     "Pay an order back."
        ...     return f"refunded {order}"
        >>> safe = guarded(refund, roles=["owner", "admin"], evidence="limit_id",
        ...                verified="verified")
        >>> safe.name
        'refund'
    """
    needs = _Needs(
        None if permission is None else as_permission(permission),
        tuple(as_role(each) for each in roles), project, evidence, as_verification(verified),
        memory,
    )  # fmt: skip
    if needs.permission is None and not needs.roles:
        raise InvalidInputError("The guard asks nothing. Give a permission, or roles.")
    inner = tool if isinstance(tool, BaseTool) else as_tool(tool)
    if isinstance(evidence, str):
        _check_argument(inner, evidence)
    return _GuardedTool.around(inner, needs)


def _check_argument(tool: BaseTool, name: str) -> None:
    """Refuse an argument that the tool does not have: no call could ever name its memories."""
    schema = tool.get_input_schema()
    injected = getattr(schema, "model_fields", {})  # filled in by LangGraph, unseen by a model
    if name not in tool.args and name not in injected:
        known = ", ".join(tool.args) or "none"
        raise InvalidInputError(
            f"The tool {tool.name!r} has no argument {name!r} that could name memories; it has "
            f"{known}. Give evidence= one of its own, or a function from its arguments to ids."
        )


class _RefusedCallError(ToolException):
    """A call that the guard did not let through."""


class _Needs:
    """What a guard asks."""

    def __init__(
        self, permission: Permission | None, roles: tuple[Role, ...], project: str | None,
        evidence: Evidence | None, verified: Verification, memory: Memory | None,
    ) -> None:  # fmt: skip
        self.permission = permission
        self.roles = roles
        self._project = project
        self._evidence = evidence
        self._verified = verified
        self._memory = memory

    def who(self, config: RunnableConfig) -> tuple[Memory, Scope]:
        """Return whose memory is asked, and who asks.

        Raises:
            _RefusedCallError: Nobody, or two, are named.
            InvalidInputError: There is no memory of ours.
        """
        runtime = cast("Runtime[Any] | None", get_runtime())  # none outside of a graph
        memory = self._memory or memory_of(runtime.store if runtime else None)
        try:
            context = identity_in(runtime.context if runtime else None)
            return memory, identified(memory, context, config.get("configurable") or {})
        except InvalidScopeError as exc:
            raise _RefusedCallError(f"Refused, nothing was done: {exc}") from exc

    def check(self, memory: Memory, scope: Scope, arguments: Mapping[str, Any]) -> None:
        """Ask now. Raises ``_RefusedCallError``."""
        try:
            memory.bound_to(scope).authorize(
                self.permission, project=self._project, roles=self.roles,
                evidence=self._ids(arguments), verified=self._verified,
            )  # fmt: skip
        except AccessDeniedError as exc:
            raise _RefusedCallError(f"Refused, nothing was done: {exc}") from exc

    def _ids(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        if self._evidence is None:
            return ()
        named = self._evidence
        found = named(arguments) if callable(named) else arguments.get(named)
        ids = (found,) if isinstance(found, str) else tuple(found or ())
        if not ids or not all(isinstance(each, str) and each for each in ids):
            raise _RefusedCallError(
                "Refused, nothing was done: the action is based on no memory. Give the ids of the "
                "memories it is based on."
            )
        return ids


class _GuardedTool(BaseTool):
    """A tool with a guard before it; in all else the tool."""

    _inner: BaseTool = PrivateAttr()
    _needs: _Needs = PrivateAttr()

    @classmethod
    def around(cls, inner: BaseTool, needs: _Needs) -> _GuardedTool:
        """Return the tool with the guard before it."""
        made = cls(
            name=inner.name,
            description=inner.description,
            args_schema=inner.args_schema,
            return_direct=inner.return_direct,
            response_format=inner.response_format,
            handle_tool_error=_telling(inner.handle_tool_error),
            handle_validation_error=inner.handle_validation_error,
            callbacks=inner.callbacks,
            tags=inner.tags,
            metadata=inner.metadata,
            extras=inner.extras,
        )
        made._inner, made._needs = inner, needs
        return made

    def get_input_schema(self, config: RunnableConfig | None = None) -> Any:
        """Return the tool's."""
        return self._inner.get_input_schema(config)

    @property
    def args(self) -> dict[str, Any]:
        """The tool's arguments."""
        return self._inner.args

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """What a model is told of the tool's arguments."""
        return self._inner.tool_call_schema

    # LangGraph looks at these for arguments that it fills in itself.

    @property
    def func(self) -> Any:
        """The tool's function, where it is made of one."""
        return getattr(self._inner, "func", None)

    @property
    def coroutine(self) -> Any:
        """The tool's coroutine, where it is made of one."""
        return getattr(self._inner, "coroutine", None)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return self._inner._to_args_and_kwargs(tool_input, tool_call_id)

    def _run(
        self, *args: Any, run_config: RunnableConfig, run_manager: Any = None, **kwargs: Any
    ) -> Any:
        self._needs.check(*self._needs.who(run_config), self._named(args, kwargs))
        further = _taken_by(self._inner._run, run_config, run_manager)
        return self._inner._run(*args, **{**kwargs, **further})

    async def _arun(
        self, *args: Any, run_config: RunnableConfig, run_manager: Any = None, **kwargs: Any
    ) -> Any:
        memory, scope = self._needs.who(run_config)
        await asyncio.to_thread(self._needs.check, memory, scope, self._named(args, kwargs))
        lacks = type(self._inner)._arun is BaseTool._arun  # then LangChain runs _run in a thread
        run = self._inner._run if lacks else self._inner._arun
        further = _taken_by(run, run_config, run_manager)
        return await self._inner._arun(*args, **{**kwargs, **further})

    def _named(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        return {**dict(zip(self._inner.args, args, strict=False)), **kwargs}


def _taken_by(run: Callable[..., Any], config: RunnableConfig, manager: Any) -> dict[str, Any]:
    """Return what LangChain gives a tool beside its arguments, as far as the tool takes it."""
    found = {}
    for name, each in inspect.signature(run).parameters.items():
        if name == "run_manager":
            found[name] = manager
        elif "RunnableConfig" in str(each.annotation):
            found[name] = config
    return found


def _telling(handle: Any) -> Callable[[ToolException], str]:
    """Return what the model is told of a refusal; of all else, what the tool's own way tells."""

    def told(exc: ToolException) -> str:
        if isinstance(exc, _RefusedCallError):
            return str(exc)
        if not handle:
            raise exc
        if handle is True:
            return str(exc.args[0]) if exc.args else "Tool execution error"
        return handle if isinstance(handle, str) else str(handle(exc))

    return told
