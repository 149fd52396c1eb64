"""Run state: exact, bounded, and never changed in place."""

from __future__ import annotations

import copy

from langgraph_memory.domain import run_state
from langgraph_memory.domain.run_state import MOST_KEPT, Action, Approval, Failure


def action(number: int, effect: str = "begin") -> Action:
    return {
        "id": f"e{number}/0", "action": "remember", "effect": effect,
        "record_ids": [f"r{number}"], "at": "2026-05-01T00:00:00+00:00",
    }  # fmt: skip


def test_the_same_action_again_is_the_same_one() -> None:
    state = run_state.acted(run_state.acted(run_state.begun(None), action(1)), action(1, "hold"))
    assert state["actions"] == [action(1, "hold")]


def test_the_latest_actions_are_kept() -> None:
    state = run_state.begun(None)
    for number in range(MOST_KEPT + 10):
        state = run_state.acted(state, action(number))
    assert len(state["actions"]) == MOST_KEPT
    assert state["actions"][-1]["record_ids"] == [f"r{MOST_KEPT + 9}"]


def test_what_waits_is_gone_once_it_is_decided_or_another_turn_begins() -> None:
    change: Approval = {"id": "e1/0", "order": "remember", "content": "x", "at": "now"}
    waits = run_state.waiting(run_state.begun(None), [change])
    assert (waits["status"], waits["pending_approvals"]) == ("waiting for approval", [change])
    assert run_state.waiting(run_state.begun(None), [])["status"] == "working"
    for after in (run_state.decided(waits), run_state.begun(waits)):
        assert (after["status"], after["pending_approvals"]) == ("working", [])


def test_failures_are_told_once_and_tokens_add_up() -> None:
    failure: Failure = {"event_id": "e1", "step": "respond", "error": "no route", "at": "now"}
    state = run_state.begun(None)
    for _ in range(2):
        state = run_state.charged(state, input_tokens=10, output_tokens=2)
        state = run_state.finished(run_state.answered(state, [failure]))
    assert state["errors"] == [failure]
    assert state["budgets"] == {"turns": 2, "input_tokens": 20, "output_tokens": 4}
    assert state["status"] == "done"


def test_no_function_changes_what_it_was_given() -> None:
    state = run_state.acted(run_state.begun(None), action(1))
    before = copy.deepcopy(state)
    run_state.acted(state, action(2))
    run_state.waiting(state, [{"id": "x"}])
    run_state.charged(state, input_tokens=1, output_tokens=1)
    run_state.finished(run_state.answered(state, []))
    assert state == before
