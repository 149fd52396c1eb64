"""What a user said in passing counts in their next recall, before it is a memory."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from langgraph_memory import Home, ScopedMemory, open_memory
from langgraph_memory.domain.passing import SaidIn
from langgraph_memory.domain.provenance import Source, SourceKind
from langgraph_memory.operations.capture import Utterance
from langgraph_memory.operations.passing import MOST_EVENTS
from langgraph_memory.operations.worker import Worker

FRIDAY, MONDAY = "The launch is on Friday", "The launch moved to Monday."
WHEN = "When is the launch?"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Background work waits until the test does it."""
    monkeypatch.setattr(Worker, "start", lambda self: None)


def say(
    me: ScopedMemory, *texts: str, thread: str = "t", speaker: str = "", review: bool = False
) -> list[str]:
    """Say something in a conversation, and return the ids of the events."""
    start = len(me.transcript(thread))
    said = [
        Utterance(thread, f"m{start + n}", "user", text, speaker) for n, text in enumerate(texts)
    ]
    return [each.event.id for each in me.capture(said, consolidate=True, review=review)]


def passing(me: ScopedMemory, question: str = WHEN) -> list[str]:
    return [each.content for each in me.recall(question).passing]


def holds(me: ScopedMemory, question: str = WHEN) -> list[str]:
    """Return what is evidence and not out of date."""
    found = me.recall(question)
    outdated = {each for said in found.passing for each in said.replaces}
    current = [hit.content for hit in found.evidence if hit.record.id not in outdated]
    return [*(each.content for each in found.passing), *current]


@pytest.mark.parametrize(
    ("known", "said", "question"),
    [
        (FRIDAY, MONDAY, WHEN),
        ("Lina owns deployment", "Bob owns deployment now.", "Who owns deployment?"),
        ("I live in Lisbon", "I moved to Porto.", "Where do I live?"),
        ("The budget is $500", "Actually the budget is $700.", "What is the budget?"),
        ("发布日期是星期五", "发布日期现在是星期一", "发布日期是什么时候?"),
    ],
)
def test_what_was_said_since_puts_a_memory_out_of_date_at_once(
    home: Home, me: ScopedMemory, known: str, said: str, question: str
) -> None:
    """R39: before the background work as after it; and then it is told once."""
    kept = me.remember(known)
    [event] = say(me, said)
    [found] = me.recall(question).passing
    assert (found.content, found.place) == (said, SaidIn(event, 0))
    assert found.replaces == (kept.id,)
    home.memory.work_off()
    after = me.recall(question)
    assert after.passing == ()
    assert [hit.content for hit in after.evidence] == [said]


def test_what_was_said_answers_where_memory_has_nothing(home: Home, me: ScopedMemory) -> None:
    say(me, "I live in Oslo.")
    found = me.recall("Where do I live?")
    assert [each.content for each in found.passing] == ["I live in Oslo."]
    assert found.abstained is None
    assert passing(me, "What is my blood type?") == []
    assert passing(me, "") == []


def test_the_latest_of_what_was_said_counts(me: ScopedMemory) -> None:
    """In whichever conversations it was said."""
    me.remember(FRIDAY)
    say(me, MONDAY, thread="a")
    say(me, "The launch moved to Tuesday.", thread="b")
    assert holds(me) == ["The launch moved to Tuesday."]


def test_what_was_taken_back_does_not_count(me: ScopedMemory) -> None:
    me.remember(FRIDAY)
    say(me, MONDAY, "Sorry, the launch is on Friday, not Monday.")
    assert MONDAY not in holds(me)
    me.remember("My manager is Anna")
    say(me, "My manager is Tom.", "My manager is Anna.")
    assert holds(me, "Who is my manager?") == ["My manager is Anna"]


def test_a_memory_that_was_made_since_stands_against_it(me: ScopedMemory) -> None:
    """R13: recency is of the saying."""
    say(me, "I live in Berlin.")
    me.remember("I live in Hamburg")
    assert holds(me, "Where do I live?") == ["I live in Hamburg"]


def test_what_was_forgotten_since_is_not_known_from_the_conversation(
    home: Home, me: ScopedMemory
) -> None:
    """R63."""
    known = me.remember(MONDAY)
    say(me, MONDAY)
    me.forget(known.id)
    assert holds(me) == []
    home.memory.work_off()
    assert holds(me) == []


@pytest.mark.parametrize(
    "said",
    [
        ["The launch moved to Monday, but please don't save that."],
        [MONDAY, "Please don't save that."],
        ["Is it true that the launch moved to Monday?"],
        ["Translate this: The launch moved to Monday."],
    ],
)
def test_what_is_not_going_to_be_kept_does_not_count(
    home: Home, me: ScopedMemory, said: list[str]
) -> None:
    """R64."""
    me.remember(FRIDAY)
    say(me, *said)
    assert holds(me) == [FRIDAY]
    home.memory.work_off()
    assert holds(me) == [FRIDAY]


def test_what_is_only_imagined_answers_nothing(me: ScopedMemory) -> None:
    me.remember(FRIDAY)
    say(me, "Imagine the launch moved to Monday.")
    assert holds(me) == [FRIDAY]


def test_a_closed_subject_does_not_count(home: Home, me: ScopedMemory) -> None:
    """R64: a rule that holds for the keeping holds before it."""
    from langgraph_memory.policy.orders.commands import Command, Order

    [event] = say(me, "ok", thread="rules")
    assert me.obey(Command(Order.STOP, "my health"), event)
    say(me, "I have diabetes since last year.", "I live in Oslo.")
    assert passing(me, "Do I have diabetes?") == []
    assert passing(me, "Where do I live?") == ["I live in Oslo."]


def test_nobody_elses_words_count(me: ScopedMemory, stranger: ScopedMemory) -> None:
    """R46, R14: not another user's, and not those of who takes part in the conversation."""
    me.remember(FRIDAY)
    say(stranger, MONDAY, thread="theirs")
    say(me, "Hello.", speaker="jane.doe")
    say(me, MONDAY, speaker="Bob")
    assert holds(me) == [FRIDAY]


def test_a_projects_words_count_in_the_project(home: Home, me: ScopedMemory) -> None:
    """R44: as its memories do."""
    apollo = home.memory.scope(tenant="acme", user="jane.doe@example.com", project="apollo")
    zeus = home.memory.scope(tenant="acme", user="jane.doe@example.com", project="zeus")
    known = apollo.remember(FRIDAY)
    say(apollo, MONDAY)
    assert [each.replaces for each in apollo.recall(WHEN).passing] == [(known.id,)]
    assert passing(zeus) == []
    assert passing(me) == [MONDAY], "outside of projects, all of one's own is read"
    home.memory.work_off()
    assert holds(apollo) == holds(me) == [MONDAY]
    assert holds(zeus) == []


def test_an_organizations_memory_is_put_out_of_date_by_nobody_in_passing(
    home: Home, me: ScopedMemory
) -> None:
    home.memory.scope(tenant="acme").remember(FRIDAY)
    say(me, MONDAY)
    assert sorted(holds(me)) == [FRIDAY, MONDAY]


def test_what_waits_for_a_review_does_not_count(home: Home, me: ScopedMemory) -> None:
    """R28: what a run with approval on says waits, and so does what a verified memory denies."""
    me.remember(FRIDAY)
    say(me, MONDAY, review=True)
    assert holds(me) == [FRIDAY]
    crm = Source(SourceKind.SYSTEM, "crm")
    me.remember("The budget is $500", source=crm, verification="verified")
    say(me, "The budget is $700.", thread="u")
    assert holds(me, "What is the budget?") == ["The budget is $500"]
    home.memory.work_off()
    assert holds(me, "What is the budget?") == ["The budget is $500"]


def test_what_begins_later_does_not_count_yet(me: ScopedMemory) -> None:
    me.remember("I live in Lisbon")
    say(me, "From next month on I live in Porto.")
    assert holds(me, "Where do I live?") == ["I live in Lisbon"]


def test_credentials_are_not_told(me: ScopedMemory) -> None:
    say(me, "The password of the server Atlas is hunter2secret!")
    assert not any("hunter2" in each for each in passing(me, "What is the password of Atlas?"))


def test_of_many_messages_the_latest_are_looked_at(me: ScopedMemory) -> None:
    me.remember(FRIDAY)
    say(me, MONDAY, *["When is lunch?"] * (MOST_EVENTS - 1))
    assert holds(me) == [MONDAY]
    say(me, "When is lunch?")
    assert holds(me) == [FRIDAY]


def test_what_is_kept_between_the_question_and_the_search_is_told_once(
    home: Home, me: ScopedMemory
) -> None:
    """Whichever came first: it is never lost, and never told twice."""
    me.remember(FRIDAY)
    [event] = say(me, MONDAY)
    waiting = me.unread()
    assert waiting == (event,)
    home.memory.work_off()
    found = me.with_passing(me.recall(WHEN), waiting)
    assert (found.passing, [hit.content for hit in found.evidence]) == ((), [MONDAY])


def test_words_are_cited_from_their_event_then_from_their_record(
    home: Home, me: ScopedMemory
) -> None:
    """R12: what was proposed is read anew when it is quoted."""
    [event] = say(me, "I live in Oslo.")
    place = SaidIn(event, 0)
    [waits] = me.cite([place])
    assert (waits.label, waits.record_id, waits.event_id) == ("m1", "", event)
    assert (waits.content, waits.source, waits.scope) == ("I live in Oslo.", "you", "personal")
    assert abs((waits.said_at - datetime.now(UTC)).total_seconds()) < 60
    home.memory.work_off()
    [kept] = me.cite([place])
    [hit] = me.recall("Where do I live?").evidence
    assert kept == replace(waits, record_id=hit.record.id, event_id="", said_at=kept.said_at)
    assert [each.label for each in me.cite([hit.record.id, place])] == ["m1"]
    me.forget(hit.record.id)
    assert me.cite([place]) == me.cite([SaidIn("nobody's", 0)]) == []


def test_another_process_that_was_killed_has_told_it(tmp_path: Path) -> None:
    """R52: what counts stands in the event, from the instant the message is written down."""
    program = f"""
import os
from langgraph_memory import open_memory
from langgraph_memory.operations.capture import Utterance
home = open_memory({str(tmp_path / "home")!r})
me = home.memory.scope(tenant="acme", user="jane")
me.remember({FRIDAY!r})
me.capture([Utterance("t", "1", "user", {MONDAY!r})], consolidate=True)
os._exit(9)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=120)
    assert done.returncode == 9
    with open_memory(tmp_path / "home") as home:
        me = home.memory.scope(tenant="acme", user="jane")
        assert holds(me) == [MONDAY]
