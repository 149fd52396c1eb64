"""Conversations from files: every turn an event and an episode, once."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.domain.events import Turn
from langgraph_memory.text.conversations import parse


def _turns(*texts: str) -> list[Turn]:
    at = datetime(2025, 3, 1, tzinfo=UTC)
    return [Turn("s1", str(n), "user", "Mara", text, at) for n, text in enumerate(texts)]


def test_turns_become_dated_episodes_with_speaker_and_event(me: ScopedMemory) -> None:
    """R2, R8, R16."""
    me.import_conversation("talk", _turns("The new oven arrives on Tuesday", ""))
    [hit] = me.recall("When does the oven arrive?").evidence
    assert hit.version.valid.start == datetime(2025, 3, 1, tzinfo=UTC)
    assert hit.version.value is not None
    assert hit.version.value["speaker"] == "Mara"
    [event] = me.inspect(hit.record.id).events
    assert event.content == "The new oven arrives on Tuesday"


def test_a_second_import_changes_nothing(me: ScopedMemory) -> None:
    """B31: idempotent by address."""
    turns = _turns("The new oven arrives on Tuesday", "Good", "We sold forty loaves")
    first = me.import_conversation("talk", turns)
    again = me.import_conversation("talk", turns)
    assert (first.new, again.new) == (3, 0)
    assert me.contents().total == 3
    assert me.contents().events == 3


def test_two_users_import_the_same_file(me: ScopedMemory, stranger: ScopedMemory) -> None:
    turns = _turns("The new oven arrives on Tuesday")
    assert me.import_conversation("talk", turns).new == 1
    assert stranger.import_conversation("talk", turns).new == 1
    me.purge()
    assert stranger.recall("When does the oven arrive?").evidence


def test_progress_is_reported_to_the_end(me: ScopedMemory) -> None:
    seen: list[tuple[int, int]] = []
    me.import_conversation("talk", _turns(*(f"fact number {n}" for n in range(120))),
                           progress=lambda done, total: seen.append((done, total)))  # fmt: skip
    assert seen == [(50, 120), (100, 120), (120, 120)]


def test_evidence_of_a_real_conversation_is_found(home: Home, bench: Path) -> None:
    """R22: on one LoCoMo conversation, two thirds of the evidence turns are in the first ten."""
    folder = bench / "locomo"
    text = (folder / "conversations.jsonl").read_text(encoding="utf-8")
    first = json.loads(text.partition("\n")[0])["conversation_id"]
    name, turns = parse(text, where="locomo", conversation=first)
    me = home.memory.scope(tenant="bench", user=first)
    me.import_conversation(name, turns)
    questions = [
        json.loads(line)
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    fractions = []
    for question in questions:
        gold = set(question["evidence_turn_ids"])
        if question["conversation_id"] != first or question["abstention"] or not gold:
            continue
        sought = me.seek(question["question"], limit=10).candidates[:10]
        with home._parts.database.read() as tx:
            heads = tx.records.heads([each.row for each in sought])
        found = {(each.head.value or {}).get("turn") for each in heads}
        fractions.append(len(gold & found) / len(gold))
    assert len(fractions) > 100
    assert sum(fractions) / len(fractions) > 0.66


def test_addresses_of_odd_names_do_not_run_into_each_other(me: ScopedMemory) -> None:
    """B2, B31: neither slashes nor long names make two turns one."""
    odd = [("1/2", "3"), ("1", "2/3"), ("x" * 600, "1"), ("x" * 601, "1"), ("x" * 600, "2")]
    turns = [
        Turn(session, turn, "user", "Mara", f"This is statement number {n}", None)
        for n, (session, turn) in enumerate(odd)
    ]
    assert me.import_conversation("a/b", turns).new == 5
    assert me.import_conversation("a", [Turn("b", "1/2", "user", "M", "Another", None)]).new == 1
    assert me.contents().total == 6
    assert me.contents().events == 6


def test_a_second_import_does_not_revive_what_was_forgotten(me: ScopedMemory) -> None:
    """R63, B97."""
    turns = _turns("My locker code is 4711", "We sold forty loaves")
    me.import_conversation("talk", turns)
    me.forget("My locker code is 4711")
    assert me.import_conversation("talk", turns).new == 0
    assert me.contents().total == 1


def test_the_messages_of_a_request_are_read_as_they_are() -> None:
    text = json.dumps({"messages": [{"role": "user", "content": "hello there"}]})
    name, [turn] = parse(text, where="x.json")
    assert (name, turn.text, turn.role) == ("x.json", "hello there", "user")
