"""No credential is kept: not in words, and not in what words are found by.

Words lose it (``text.secrets``). A name or an id cannot: another one would then be found under
it, or the same one no more. What is to be kept under such a name is refused.
"""

from __future__ import annotations

from dataclasses import fields

from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import RefusedError
from langgraph_memory.text.secrets import find

NO_CREDENTIALS = "no credentials"
"""The rule by which it is refused."""


def check_named(what: str, name: str) -> str:
    """Return a name or an id that holds no credential.

    Args:
        what: What it is the name of, with its article: "the key".
        name: The name.

    Raises:
        RefusedError: It holds one.
    """
    if found := find(name):
        raise RefusedError(
            NO_CREDENTIALS, f"{what} holds what looks like a credential ({found[0].kind})"
        )
    return name


def check_scope(scope: Scope) -> Scope:
    """Return a scope none of whose ids holds a credential. Raises as :func:`check_named`."""
    for field in fields(scope):
        if name := getattr(scope, field.name):
            check_named(f"the id of the {field.name}", name)
    return scope
