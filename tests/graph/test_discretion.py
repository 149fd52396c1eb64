"""What somebody lets slip reaches no file, by whichever word of a turn it comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from talking import Talk

from langgraph_memory import Home, Settings, open_memory
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.scripted import ScriptedChatModel

PASSWORD = "Tr0ub4dor9"


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    with open_memory(tmp_path / "home", settings=settings, embedder=HashingEmbedder(64)) as opened:
        yield opened


def written(home: Home) -> bytes:
    """Return every byte of the home's files."""
    folder = home.store._parts.path
    return b"".join(each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())


def test_why_a_change_was_rejected_is_written_without_a_credential(home: Home) -> None:
    talk = Talk(home, home.memory.scope(tenant="a", user="u"))
    talk.send("Remember that the launch is on Friday", approval="on")
    said = talk.decide({"decision": "reject", "why": f"the password is {PASSWORD}"}, approval="on")
    assert PASSWORD not in str(said)
    assert PASSWORD.encode() not in written(home)


def test_a_model_that_repeats_a_password_is_not_written_down(home: Home) -> None:
    model = ScriptedChatModel([f"How about {PASSWORD}, or {PASSWORD}?"] * 2)
    talk = Talk(home, home.memory.scope(tenant="a", user="u"), model)
    answer = talk.say(f"my password is {PASSWORD}")
    assert answer == "How about [redacted: password], or [redacted: password]?"
    assert PASSWORD.encode() not in written(home)


@pytest.mark.parametrize(
    "held",
    [{"password": [PASSWORD]}, {"password": {"value": PASSWORD}}, {("key", f"pwd={PASSWORD}"): 1},
     {"args": {"credentials": ["bob", f"{PASSWORD}x"]}}],
    ids=str,
)  # fmt: skip
def test_a_credential_in_a_container_does_not_reach_a_checkpoint(home: Home, held: Any) -> None:
    saver = home.checkpointer
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    saver.put(config, {**empty_checkpoint(), "channel_values": {"held": held}}, {}, {})
    assert PASSWORD.encode() not in written(home)


def test_a_credential_as_a_name_in_metadata_does_not_reach_a_checkpoint(home: Home) -> None:
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    metadata: Any = {key: 1, "source": "input"}
    home.checkpointer.put(config, empty_checkpoint(), metadata, {})
    assert key.encode() not in written(home)
