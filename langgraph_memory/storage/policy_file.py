"""The write policy's files: the shipped one, and what a home or an operator lays over it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from langgraph_memory.errors import InvalidPolicyError

POLICY = "policy.toml"


def shipped_text() -> str:
    """Return the shipped policy as its file says it, with every rule there is."""
    found = resources.files("langgraph_memory.policy") / "write_policy.toml"
    return found.read_text(encoding="utf-8")


@cache
def shipped_policy() -> dict[str, Any]:
    """Return the tables of the shipped policy; not to be changed."""
    return tomllib.loads(shipped_text())


def policy_of_home(home: Path) -> Path | None:
    """Return the file of a home that changes the policy, if it has one.

    Raises:
        InvalidPolicyError: It cannot be told: a rule that is not seen must not be left out.
    """
    path = home / POLICY
    try:
        return path if path.is_file() else None
    except OSError as exc:
        raise InvalidPolicyError(
            "", f"it cannot be looked at: {exc.strerror}", file=str(path)
        ) from exc


def tables_of(path: Path) -> dict[str, Any]:
    """Return what a file lays over the shipped policy.

    Raises:
        InvalidPolicyError: It cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as exc:
        raise InvalidPolicyError("", f"it cannot be read: {exc.strerror}", file=str(path)) from exc
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise InvalidPolicyError("", f"it is no TOML: {exc}", file=str(path)) from exc
