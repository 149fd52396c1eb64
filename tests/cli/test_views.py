"""How results look to a person: every line, and what is left out of it where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.cli import views
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.operations.inspect import Inspected
from langgraph_memory.operations.purge import Receipt
from langgraph_memory.operations.statements import Remembered
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.ports import Lifetime
from langgraph_memory.retrieval.fusion import Candidate

OLD, NEW = "The launch is on Friday", "The launch moved to Monday"
PAGE = Source(SourceKind.WEB, "http://example.org")


def remembered(effect: Effect, replaced: str | None = None) -> list[str]:
    done = Remembered("id-1", "k", ("memory",), 3, effect, replaced)
    return views.remembered(done).splitlines()


def test_what_became_of_a_statement_is_one_line_and_what_it_replaced_another() -> None:
    assert remembered(Effect.BEGIN) == ["Remembered (id-1, version 3)."]
    assert remembered(Effect.SUPERSEDE, OLD) == [
        "Remembered; the earlier statement is superseded (id-1, version 3).",
        f"  before: “{OLD}”",
    ]
    assert remembered(Effect.SUPERSEDE) == ["Remembered (id-1, version 3)."]  # said anew
    assert remembered(Effect.HOLD) == [
        "Held for review; nothing else was changed (id-1, version 3)."
    ]
    assert remembered(Effect.STRENGTHEN, OLD) == ["Known already (id-1, version 3)."]
    assert remembered(Effect.NOTHING) == ["Not kept: it was forgotten before (id-1, version 3)."]


def test_a_correction_is_called_one() -> None:
    done = Remembered("id-1", "k", ("memory",), 2, Effect.SUPERSEDE, OLD)
    assert views.corrected(done).splitlines()[0] == "Corrected (id-1, version 2)."
    held = Remembered("id-1", "k", ("memory",), 2, Effect.HOLD)
    assert views.corrected(held) == views.remembered(held)


def test_a_long_text_is_cut_and_put_on_one_line() -> None:
    assert views.short("a\n  b") == "a b"
    assert views.short("x" * 300) == "x" * 300
    assert views.short("x" * 301) == "x" * 299 + "…"


def test_a_day_may_be_unknown() -> None:
    assert views.day(datetime(2026, 5, 1, tzinfo=UTC)) == "2026-05-01"
    assert views.day(None) == "unknown"


# --- A recall ---------------------------------------------------------------------------------


def test_evidence_has_source_date_reason_and_what_it_replaced(me: ScopedMemory) -> None:
    """R16."""
    for number in range(4):
        me.remember(f"{OLD} at {number}", key="launch")
    me.remember(NEW, key="launch")
    found = me.recall("When is the launch?")
    [hit] = found.evidence
    lines = views.recall(found, rejected=False).splitlines()
    said, closed = views.day(hit.version.recorded_at), views.day(hit.replaced[0].superseded_at)
    assert lines == [
        f"[m1] “{NEW}”",
        f"     you · {said} · the latest of 5 statements · score {hit.score:.2f}",
        f"     because it {hit.candidate.reason}",
        *(f"     before that, superseded on {closed}: “{OLD} at {at}”" for at in (3, 2, 1)),
    ]


@pytest.mark.parametrize(
    ("candidate", "because"),
    [
        (Candidate(1, 0.9, 0.5, matched=("launch",)),
         "because it shares 'launch' and is similar in meaning (0.90)"),
        (Candidate(1, 0.2, 0.5, matched=("launch",)), "because it shares 'launch'"),
        (Candidate(1, 0.9), "because it is similar in meaning (0.90)"),
        (Candidate(1, 0.1), "because it is the nearest of what is stored"),
        (Candidate(1, 0.9, 0.5, 1.0, ("launch",)), "because it is named by its key"),
        (Candidate(1, 0.9, structured=1.0), "because it is named by its key"),
    ],
)  # fmt: skip
def test_the_reason_is_a_sentence(me: ScopedMemory, candidate: Candidate, because: str) -> None:
    me.remember(OLD, key="launch")
    [hit] = me.recall("When is the launch?").evidence
    shown = views.hit(replace(hit, candidate=candidate), "m1").splitlines()
    assert shown[2].strip() == because


def test_an_abstention_says_why_and_what_is_missing(me: ScopedMemory) -> None:
    """R44."""
    assert views.recall(me.recall("When is lunch?"), rejected=False).splitlines() == [
        "No evidence: nothing is stored here yet.", "  nothing answers: lunch",
    ]  # fmt: skip
    assert views.recall(me.recall(" "), rejected=False) == "No evidence: no question was asked."


def test_what_was_left_out_is_listed_where_it_is_asked_for(me: ScopedMemory) -> None:
    me.remember(OLD, key="launch")
    me.invalidate("launch")
    found = me.recall("When is the launch?")
    [hit] = found.rejected
    assert "left out" not in views.recall(found, rejected=False)
    assert views.recall(found, rejected=True).splitlines()[-2:] == [
        "left out:",
        f"  invalidated: “{OLD}” ({hit.judgement.reason}; score {hit.score:.2f})",
    ]
    told = views.recall_data(found, rejected=True)
    assert [each["verdict"] for each in told["rejected"]] == ["invalidated"]
    assert told["evidence"] == []
    assert views.recall_data(found, rejected=False)["rejected"] == []
    assert told["abstained"] == "what is stored about this no longer holds"


def test_evidence_as_data_has_its_history(me: ScopedMemory) -> None:
    me.remember(OLD, key="launch")
    me.remember(NEW, key="launch")
    [told] = views.recall_data(me.recall("When is the launch?"), rejected=False)["evidence"]
    assert (told["key"], told["content"], told["version"]) == ("launch", NEW, 2)
    assert [each["content"] for each in told["history"]] == [OLD]
    assert told["history"][0]["superseded_at"] == told["recorded_at"] == told["said_at"]


# --- What is kept -----------------------------------------------------------------------------


def test_a_page_says_which_part_of_all_it_is(me: ScopedMemory) -> None:
    me.capture([Utterance("t", "1", "user", "hello")])
    nothing = "Nothing is kept here (1 events in the transcript)."
    assert views.contents(me.contents(), offset=0) == nothing
    assert views.contents(me.contents(), offset=0, pending=True) == "Nothing waits for review."
    for number in range(3):
        me.remember(f"Room {number} is painted blue")
    page = views.contents(me.contents(limit=2, offset=1), offset=1).splitlines()
    assert len(page) == 3
    assert (
        views.contents(me.contents(limit=2, offset=1), offset=1, pending=True).splitlines() == page
    )
    assert page[-1] == "2 to 3 of 3 memories, 1 events in the transcript."
    past = views.contents(me.contents(offset=3), offset=3)
    assert past == "none of 3 memories, 1 events in the transcript."


def test_a_line_says_what_counts_and_in_what_state_it_is(me: ScopedMemory) -> None:
    """R42: not what waits beside it."""
    me.remember(OLD, key="launch")
    [one] = me.contents().records
    line = f"{one.record.id}  {views.day(one.record.created_at)}  “{OLD}”"
    assert views.contents(me.contents(), offset=0).splitlines()[0] == line
    me.remember(NEW, key="launch", source=PAGE)
    waiting = views.contents(me.contents(), offset=0).splitlines()[0]
    assert waiting.endswith(f"“{OLD}”  (pending review)")
    me.invalidate("launch")
    assert views.contents(me.contents(), offset=0).splitlines()[0].endswith("  (invalidated)")


@pytest.mark.parametrize(
    ("dates", "shown"),
    [
        ({"valid_from": datetime(2020, 1, 2, tzinfo=UTC)}, " · holds 2020-01-02 to …"),
        ({"valid_until": datetime(2999, 1, 2, tzinfo=UTC)}, " · holds … to 2999-01-02"),
        (
            {
                "valid_from": datetime(2020, 1, 2, tzinfo=UTC),
                "valid_until": datetime(2999, 1, 2, tzinfo=UTC),
            },
            " · holds 2020-01-02 to 2999-01-02",
        ),
        ({}, ""),
    ],
)
def test_one_memory_is_shown_with_its_chain_latest_first(
    me: ScopedMemory, dates: dict[str, Any], shown: str
) -> None:
    [said] = me.capture([Utterance("t", "1", "user", OLD)])
    me.remember(OLD, key="launch", events=[said.event.id], **dates)
    me.confirm("launch", by="calendar")
    one = me.inspect("launch")
    now, policy = views.day(one.record.created_at), one.record.head.provenance.policy
    place = "/".join(one.record.namespace)
    assert views.inspected(one).splitlines() == [
        f"{one.record.id}  {place}  key launch", "kept permanently",
        f"  v2 active: “{OLD}”", f"     you · recorded {now}{shown}",
        f"     verified · policy {policy}", "     confirmed by system calendar",
        f"  v1 superseded: “{OLD}”", f"     you · recorded {now}{shown}",
        f"     user-stated · policy {policy}",
        f"  said in: {now} “{OLD}”",
    ]  # fmt: skip


def test_what_is_kept_for_a_while_says_until_when(me: ScopedMemory) -> None:
    me.remember(OLD, key="launch", ttl_minutes=60)
    one = me.inspect("launch")
    assert (
        views.inspected(one).splitlines()[1] == f"kept until {views.day(one.lifetime.expires_at)}"
    )


def test_what_no_policy_let_in_says_none(home: Home) -> None:
    """A plain item has no owner's words."""
    home.store.put(("notes",), "n", {"content": "x"})
    with home.store.memory._engine.database.read() as tx:
        [row] = tx.records.rows(("notes",), limit=1)
        record = tx.records.load_row(row)
    assert record is not None
    assert views.source(record.head, record) == str(record.head.provenance.source)
    assert views.quoted(record) == "“x”"
    assert "policy none" in views.inspected(Inspected(record, Lifetime(), standing=("active",)))


def test_a_receipt_names_what_is_left_and_what_is_out_of_reach() -> None:
    """R61."""
    owner, at = Scope("acme", "jane"), datetime(2026, 5, 1, tzinfo=UTC)
    clean = Receipt(owner, at, {"records": 2, "events": 0}, {"records": 0}, ("backups", "logs"))
    assert views.receipt(clean).splitlines() == [
        "Purged user 'jane' of tenant 'acme': 2 records, 0 events.",
        "Looked again: nothing left.",
        "Not reached from here: backups; logs.",
    ]
    left = Receipt(owner, at, {"records": 2}, {"records": 0, "jobs": 1}, ("backups",))
    assert views.receipt(left).splitlines()[1] == "Looked again: 1 jobs."
