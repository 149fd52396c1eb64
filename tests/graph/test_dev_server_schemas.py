"""What Studio reads of our graphs: schemas and drawings, as the development server gives them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from dev_server import AGENT, BACKGROUND, DevServer, Place, running
from langgraph_sdk.client import LangGraphClient

ENUMS = {
    "preset": {
        "short conversations", "support assistant", "personal assistant", "research agent",
        "coding agent", "enterprise workflow",
    },
    "approval": {"as the preset has it", "on", "off"},
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    """A server that is only looked at."""
    with running(Place.made(tmp_path_factory.mktemp("schemas"))) as started:
        yield started


@pytest.fixture(scope="module")
def seen(server: DevServer) -> dict[str, dict[str, Any]]:
    """Schemas, drawing and subgraphs of each graph."""
    return asyncio.run(_look(server))


async def _look(server: DevServer) -> dict[str, dict[str, Any]]:
    async with server.client() as client:
        return {name: await _look_at(client, name) for name in (AGENT, BACKGROUND)}


async def _look_at(client: LangGraphClient, graph_id: str) -> dict[str, Any]:
    [assistant] = await client.assistants.search(graph_id=graph_id)
    found = assistant["assistant_id"]
    return {
        **await client.assistants.get_schemas(found),
        "graph": await client.assistants.get_graph(found),
        "subgraphs": await client.assistants.get_subgraphs(found),
    }


@pytest.fixture
def fields(seen: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The fields of the context that Studio lets a user edit."""
    found: dict[str, Any] = seen[AGENT]["context_schema"]["properties"]
    return found


def test_every_field_of_the_context_says_what_it_is_for(fields: dict[str, Any]) -> None:
    """R72."""
    wanted = {"tenant", "user", "preset", "top_k", "model", "approval", "budget_tokens"}
    assert wanted <= set(fields)
    assert [name for name, field in fields.items() if not field.get("description")] == []


def test_choices_are_lists_and_numbers_have_bounds(
    seen: dict[str, dict[str, Any]], fields: dict[str, Any]
) -> None:
    definitions = seen[AGENT]["context_schema"]["$defs"]
    for name, choices in ENUMS.items():
        referred = fields[name]["$ref"].rpartition("/")[2]
        assert set(definitions[referred]["enum"]) == choices
    for name, bounds in (("top_k", (0, 20)), ("budget_tokens", (0, 1_000_000))):
        assert (fields[name]["minimum"], fields[name]["maximum"]) == bounds


def test_the_prompt_is_edited_at_its_node(fields: dict[str, Any]) -> None:
    assert fields["instructions"]["langgraph_type"] == "prompt"
    assert fields["instructions"]["langgraph_nodes"] == ["respond"]
    assert fields["top_k"]["langgraph_nodes"] == ["retrieve", "validate"]


def test_nobody_can_ask_for_a_role(seen: dict[str, dict[str, Any]]) -> None:
    """R53: neither by the context nor by the state. (A message's role is its speaker.)"""
    for graph in seen.values():
        for name in ("context_schema", "config_schema", "state_schema"):
            assert "role" not in graph[name]["properties"]
        assert '"permissions"' not in json.dumps(graph["context_schema"])


def test_a_caller_sends_a_message_and_gets_the_answer_with_its_grounds(
    seen: dict[str, dict[str, Any]],
) -> None:
    """What one step leaves for another is in neither."""
    given, got = seen[AGENT]["input_schema"], seen[AGENT]["output_schema"]
    assert set(given["properties"]) == {"messages"}
    assert {"messages", "evidence", "abstained", "run_state", "usage"} <= set(got["properties"])
    assert not {"asked", "recalled"} & set(got["properties"])


def test_the_state_shows_every_part_of_the_story(seen: dict[str, dict[str, Any]]) -> None:
    state = set(seen[AGENT]["state_schema"]["properties"])
    assert {"captured", "candidates", "verdicts", "evidence", "conflicts", "abstained", "run_state",
            "context_report", "consolidation", "usage"} <= state  # fmt: skip


def test_the_agent_is_drawn_with_its_turnings(seen: dict[str, dict[str, Any]]) -> None:
    drawn = seen[AGENT]["graph"]
    assert {"capture", "approve", "retrieve", "validate", "respond", "consolidate"} <= _nodes(drawn)
    assert _turnings(drawn) == {
        ("capture", "approve"),
        ("capture", "retrieve"),
        ("respond", "capture"),
        ("respond", "consolidate"),
    }
    assert seen[AGENT]["subgraphs"] == {}


def test_the_background_graph_is_drawn_with_its_loop(seen: dict[str, dict[str, Any]]) -> None:
    drawn = seen[BACKGROUND]["graph"]
    assert {"find", "consolidate"} <= _nodes(drawn)
    assert ("consolidate", "consolidate") in _turnings(drawn)
    assert set(seen[BACKGROUND]["input_schema"]["properties"]) == {"limit"}
    assert set(seen[BACKGROUND]["output_schema"]["properties"]) == {"done", "left"}


def _nodes(drawn: Any) -> set[str]:
    return {str(node["id"]) for node in drawn["nodes"]}


def _turnings(drawn: Any) -> set[tuple[str, str]]:
    return {(edge["source"], edge["target"]) for edge in drawn["edges"] if edge.get("conditional")}
