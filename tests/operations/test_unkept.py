"""R64: what is said on condition that it is not kept is not kept, by real background work."""

from __future__ import annotations

import json
from pathlib import Path

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.operations.capture import Utterance

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "policy" / "discretion_cases.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def _say(me: ScopedMemory, thread: str, *texts: str, role: str = "user") -> None:
    start = len(me.transcript(thread))
    me.capture(
        [Utterance(thread, f"m{start + n}", role, text) for n, text in enumerate(texts)],
        consolidate=True,
    )


def _work(home: Home) -> None:
    """Do what is queued; jobs in another's hands are waited for."""
    while home.memory.jobs():
        home.memory.work_off()


def _kept_from(me: ScopedMemory) -> set[str]:
    """Return the threads of which something was kept."""
    return {
        event.thread_id
        for each in me.contents(limit=1_000).records
        for event in me.inspect(each.record.id).events
    }


def test_nothing_is_kept_of_what_is_told_in_discretion(home: Home, me: ScopedMemory) -> None:
    for number, case in enumerate(CASES):
        _say(me, f"t{number}", case["text"])
    _work(home)
    threads = _kept_from(me)
    kept = [case["text"] for number, case in enumerate(CASES) if f"t{number}" in threads]
    assert [each["text"] for each in CASES if not each["kept"] and each["text"] in kept] == []
    assert [each["text"] for each in CASES if each["kept"] and each["text"] not in kept] == []


def test_what_was_said_just_before_is_not_kept_either(home: Home, me: ScopedMemory) -> None:
    """Its own thread's answer between them does not matter; what came earlier stays."""
    _say(me, "t", "The launch moved to Monday.", "My salary is 90k.")
    _say(me, "t", "I see.", role="assistant")
    _say(me, "t", "Please don't save that.")
    _work(home)
    [kept] = me.recall("What do you know?").evidence or me.contents().records
    assert me.contents().total == 1
    assert me.inspect(kept.record.id).events[0].content == "The launch moved to Monday."


def test_what_was_kept_a_moment_ago_is_withdrawn(home: Home, me: ScopedMemory) -> None:
    _say(me, "t", "The launch moved to Monday.", "My salary is 90k.")
    _work(home)
    assert me.contents().total == 2
    _say(me, "t", "Bitte merk dir das nicht.")
    _work(home)
    assert me.contents().total == 1
    assert not any("salary" in each.content for each in me.recall("my salary").evidence)


def test_what_was_asked_to_be_kept_is_not_withdrawn(home: Home, me: ScopedMemory) -> None:
    me.remember("My salary is 90k.")
    _say(me, "t", "My salary is 90k.", "Please don't save that.")
    _work(home)
    assert me.contents().total == 1


def test_another_thread_is_left_alone(home: Home, me: ScopedMemory) -> None:
    _say(me, "a", "My salary is 90k.")
    _say(me, "b", "Please don't save that.")
    _work(home)
    assert me.contents().total == 1
