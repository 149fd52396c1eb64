"""policy: what may be written, by whom, for how long, as it counts in a home."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from langgraph_memory.cli.common import HomeOption, JsonOption, out, show_json
from langgraph_memory.storage.policy_file import shipped_text
from langgraph_memory.wiring import Settings, write_policy


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("policy")(show)


def show(
    shipped: Annotated[
        bool, typer.Option("--shipped", help="The file that is shipped, with its comments.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the write policy that counts; a home's policy.toml needs only what differs.

    Example: langgraph-memory policy --home memory
    """
    if shipped and not as_json:
        out.file.write(shipped_text())
        return
    settings = Settings.load()
    policy = write_policy(Settings() if shipped else settings, home or settings.home)
    tables = policy.model_dump(mode="json")
    if as_json:
        show_json(tables)
    else:
        out.file.write("\n".join(_toml(tables)) + "\n")


def _toml(tables: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield the lines of a TOML document of texts, numbers, lists of texts and tables."""
    inner = {name: each for name, each in tables.items() if isinstance(each, Mapping)}
    plain = {name: each for name, each in tables.items() if name not in inner and each is not None}
    if path and plain:
        yield f"\n[{path}]"
    for name, value in plain.items():
        yield f"{name} = {json.dumps(value, ensure_ascii=False)}"
    for name, each in inner.items():
        yield from _toml(each, f"{path}.{name}" if path else name)
