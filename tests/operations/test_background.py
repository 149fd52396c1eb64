"""Capture, the durable queue, and what background work keeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.errors import InvalidValueError, ThreadOwnershipError
from langgraph_memory.operations.capture import Utterance, capture
from langgraph_memory.operations.consolidate import Consolidated, consolidate


def _say(me: ScopedMemory, *texts: str, role: str = "user") -> None:
    start = len(me.transcript("t"))
    me.capture(
        [Utterance("t", f"m{start + n}", role, text) for n, text in enumerate(texts)],
        consolidate=True,
    )


def test_the_same_message_is_one_event(me: ScopedMemory) -> None:
    """R6, B31: capturing an address twice is capturing it once."""
    [first] = me.capture([Utterance("t", "m1", "user", "hello there")])
    [again] = me.capture([Utterance("t", "m1", "user", "hello there")])
    assert (first.new, again.new) == (True, False)
    assert first.event.id == again.event.id
    assert len(me.transcript("t")) == 1


def test_a_thread_belongs_to_who_opened_it(me: ScopedMemory, stranger: ScopedMemory) -> None:
    """R46: another identity is refused, and nothing of its call is written."""
    _say(me, "hello there")
    with pytest.raises(ThreadOwnershipError):
        stranger.capture([Utterance("free", "1", "user", "x"), Utterance("t", "2", "user", "x")])
    with pytest.raises(ThreadOwnershipError):
        stranger.transcript("t")
    assert stranger.contents().events == 0


def test_statements_are_kept_in_the_background_with_their_event(
    home: Home, me: ScopedMemory
) -> None:
    """R3, R5: word for word, dated, with provenance, and recallable."""
    _say(me, "The launch moved to Monday. When is lunch?")
    home.memory.work_off()
    [hit] = me.recall("When is the launch?").evidence
    assert hit.content == "The launch moved to Monday."
    [event] = me.inspect(hit.record.id).events
    assert event.content == "The launch moved to Monday. When is lunch?"
    assert home.memory.jobs() == []


def test_messages_that_follow_put_off_the_keeping_for_so_long(home: Home, me: ScopedMemory) -> None:
    """R3: whoever writes every second is not forgotten until they stop."""
    engine = me._engine
    began = engine.clock()
    for second in range(0, 15, 1):
        now = replace(engine, clock=lambda second=second: began + timedelta(seconds=second))
        capture(now, me.bound, [Utterance("t", str(second), "user", "ok")], consolidate=True)
        with engine.database.write() as tx:
            due = tx.jobs.lease(now=now.clock(), seconds=1)
        assert (due is not None) == (second == 10)


def test_small_talk_system_text_and_answers_are_kept_as_nothing(
    home: Home, me: ScopedMemory
) -> None:
    """B12: junk makes no memories."""
    _say(me, "ok thanks", "hello there my friend", "what is the time now?", "Please list my tasks")
    _say(me, "You are Zed, an agent with many tools at hand", role="system")
    _say(me, "The launch is on Sunday for all I know", role="assistant")
    home.memory.work_off()
    assert me.contents().total == 0


def test_saying_the_same_thing_twenty_times_makes_one_record(home: Home, me: ScopedMemory) -> None:
    """B13, B22: the count does not grow; the evidence does."""
    _say(me, *["The team prefers short reports"] * 20)
    home.memory.work_off()
    page = me.contents()
    assert page.total == 1
    assert len(page.records[0].record.head.provenance.event_ids) == 20
    home.memory.work_off()
    assert me.contents().total == 1


def test_background_work_never_revives_what_was_forgotten(home: Home, me: ScopedMemory) -> None:
    """R63, B29: a late job meets the tombstone."""
    _say(me, "Lina owns the deployment process")
    home.memory.work_off()
    me.forget("Lina owns the deployment process")
    _say(me, "Lina owns the deployment process")
    home.memory.work_off()
    assert me.contents().total == 0


def test_a_review_on_one_thread_is_none_on_another(home: Home, me: ScopedMemory) -> None:
    """R3: who wanted one gets one, in that conversation; else what is said counts at once."""
    for thread, review, text in (
        ("a", True, "The team prefers short reports"), ("b", False, "The cat sleeps in a basket"),
    ):  # fmt: skip
        me.capture([Utterance(thread, "1", "user", text)], consolidate=True, review=review)
    with me._engine.database.read() as tx:
        jobs = {job.thread_id: job for job in tx.jobs.waiting(me.bound)}
    done = {thread: consolidate(me._engine, jobs[thread]) for thread in "ba"}
    assert (done["b"].kept, done["b"].held) == (1, 0)
    assert (done["a"].kept, done["a"].held) == (0, 1)


def test_what_a_pass_did_is_counted_once(home: Home, me: ScopedMemory) -> None:
    """R5: each statement is new, known or held."""
    me.remember("The team prefers short reports")
    texts = ("The team prefers short reports", "The cat sleeps in a basket", "Thanks")
    said = [Utterance("t", str(at), "user", text) for at, text in enumerate(texts)]
    me.capture(said, consolidate=True, review=True)
    with me._engine.database.read() as tx:
        [job] = tx.jobs.waiting(me.bound)
    assert consolidate(me._engine, job) == Consolidated(read=3, kept=0, known=1, held=1)
    me.capture([Utterance("u", "1", "user", "Lina owns the deployment process"), *(
        replace(each, thread_id="u", message_id=f"u{each.message_id}") for each in said[:1]
    )], consolidate=True)  # fmt: skip
    with me._engine.database.read() as tx:
        [job] = [each for each in tx.jobs.waiting(me.bound) if each.thread_id == "u"]
    assert consolidate(me._engine, job) == Consolidated(read=2, kept=1, known=1, held=0)


def test_text_that_is_no_text_is_refused_before_anything_is_written(me: ScopedMemory) -> None:
    with pytest.raises(InvalidValueError, match="surrogate"):
        me.capture([Utterance("t", "1", "user", "fine"), Utterance("t", "2", "user", "\ud800")])
    assert me.contents().events == 0


def test_closing_a_home_finishes_what_is_queued(home: Home, me: ScopedMemory) -> None:
    """A one-shot command's statement is there in the next one."""
    from langgraph_memory import open_memory

    _say(me, "The cat sleeps in the blue basket")
    path = home.path
    home.close()
    with open_memory(path) as again:
        mine = again.memory.scope(tenant="acme", user="jane.doe@example.com")
        assert mine.recall("Where does the cat sleep?").evidence
