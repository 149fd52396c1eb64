"""Commands that are one call of an owner's memory: which home, whose, and how it is told."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from typing import Any

from langgraph_memory.cli.common import (
    HomeOption,
    JsonOption,
    TenantOption,
    UserOption,
    opened,
    say,
    scoped,
    show_json,
)

Command = Callable[..., None]


def owned(
    told: Callable[[Any], str], *, data: Callable[[Any], Any] = lambda done: done,
    must_exist: bool = True,
) -> Callable[[Callable[..., Any]], Command]:  # fmt: skip
    """Make a command of a function from an owner's memory, its first argument, and options.

    The command has the function's other arguments and its help, and the options that say which
    home, whose memory, and whether JSON is wanted.

    Args:
        told: Puts what the function returns in words.
        data: Returns what of it is printed as JSON; all of it if omitted.
        must_exist: Refuse to make a home where there is none.
    """

    def made(act: Callable[..., Any]) -> Command:
        signature = inspect.signature(act, eval_str=True)
        asked = [*signature.parameters.values()][1:] + _OWNER

        def command(
            *, home: Path | None, tenant: str | None, user: str | None, as_json: bool, **given: Any
        ) -> None:
            with opened(home, must_exist=must_exist) as open_home:
                done = act(scoped(open_home, tenant, user), **given)
            show_json(data(done)) if as_json else say(told(done))

        command.__name__, command.__doc__ = act.__name__, act.__doc__
        command.__annotations__ = {each.name: each.annotation for each in asked}
        command.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=asked, return_annotation=None
        )
        return command

    return made


def _option(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)


_OWNER = [
    _option("home", HomeOption, None), _option("tenant", TenantOption, None),
    _option("user", UserOption, None), _option("as_json", JsonOption, False),
]  # fmt: skip
"""The options of every such command, last in its help."""
