"""What everything bound to one owner stands on: who asks, and what they may do."""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.domain.roles import Permission
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import InvalidInputError, InvalidScopeError
from langgraph_memory.operations import access
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.zones import zone_named
from langgraph_memory.text.secrets import redact

_NOT_SHARED = "acts in a shared scope, and conversations, orders and a purge are of one owner alone"


class Bound:
    """An owner, and the engine as far as they may use it."""

    def __init__(self, engine: Engine, scope: Scope, timezone: str | None = None) -> None:
        self._engine = replace(engine, zone=zone_named(timezone)) if timezone else engine
        self._scope = scope
        self._timezone = timezone

    def _may(self, permission: Permission) -> Engine:
        """Return the engine for a deed; in a shared scope, once it is known to be allowed.

        Raises:
            AccessDeniedError: It is not.
        """
        return access.acting(self._engine, self._scope, permission)

    @property
    def _own(self) -> Engine:
        """The engine for what a user, or the program, does with what is theirs alone.

        Raises:
            InvalidScopeError: This is a shared scope.
        """
        if self._scope.acting is not None:
            raise InvalidScopeError("user", _NOT_SHARED)
        return self._engine

    def _decides(self, named: str | None) -> str:
        acting = self._scope.acting
        if acting is not None and named not in (None, acting):
            raise InvalidInputError(f"by is {named!r}, and here {acting!r} decides. Leave by out.")
        return acting or redact(named or "")

    @property
    def bound(self) -> Scope:
        """Return who is asking."""
        return self._scope

    def context(self) -> dict[str, str]:
        """Return the scope as the ready graph's runtime context."""
        fields = ("tenant", "user", "project", "agent")
        named = {name: part for name in fields if (part := getattr(self._scope, name))}
        return {**named, "timezone": self._timezone} if self._timezone else named
