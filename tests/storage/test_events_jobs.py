"""The transcript and the queue of background work."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from database_cases import NOW, DatabaseContract, Make, OnSqlite, seconds

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.scope import Scope
from langgraph_memory.ports import Database, Job

JANE = Scope("acme", "jane.doe@example.com")
OTHERS = (
    Scope("acme", "jane_doe@example.com"), Scope("acme", "JANE.DOE@EXAMPLE.COM"), Scope("acme"),
    Scope("acme-corp", JANE.user), Scope("Acme", JANE.user), Scope("acme", "%"),
)  # fmt: skip


def said(number: int, *, thread: str = "t", scope: Scope = JANE) -> Event:
    return Event(
        f"{thread}-e{number}", thread, f"m{number}", scope, "user", "Jane", f"said {number}",
        seconds(number),
    )  # fmt: skip


def add(database: Database, *events: Event) -> list[bool]:
    with database.write() as tx:
        return [tx.events.add(event) for event in events]


def bind(database: Database, thread: str = "t", owner: Scope = JANE) -> None:
    with database.write() as tx:
        tx.events.bind(thread, owner, now=NOW)


def fresh(database: Database, thread: str = "t", limit: int = 100) -> list[str]:
    with database.read() as tx:
        return [event.id for event in tx.events.fresh(thread, limit=limit)]


class EventsContract(DatabaseContract):
    """``ports.Events``."""

    def test_every_field_comes_back_equal(self, database: Database) -> None:
        scope = Scope("acme", "j.d", "pro/ject", "agent 7", "s\u0301")
        far = datetime.max.replace(tzinfo=UTC)
        event = Event("e", "t\u2028", "m🙂", scope, "tool", "", "line\nline\0\u200d", far)
        plain = Event("f", "", "", Scope("acme"), "user", "J", "", far.replace(year=1))
        add(database, event, plain)
        with database.read() as tx:
            assert tx.events.at("t\u2028", "m🙂") == event
            assert tx.events.get(["f", "e"]) == [plain, event]

    def test_the_same_address_twice_is_one_event(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        assert add(one, said(1)) == [True]
        again = replace(said(1), id="another id", content="something else")
        assert add(two, again, again) == [False, False]
        with one.read() as tx:
            assert tx.events.at("t", "m1") == said(1)
            assert tx.events.count(JANE) == 1
        assert add(two, said(1, thread="u")) == [True], "another thread is another address"

    def test_what_a_speaker_said_before_is_found_past_others(self, database: Database) -> None:
        ann, bob = (
            [replace(said(at), speaker=name) for at in ats]
            for name, ats in (("Ann", (0, 2)), ("Bob", (1, 3)))
        )
        add(database, ann[0], bob[0], replace(said(7), role="assistant"), ann[1], bob[1])
        with database.read() as tx:
            assert tx.events.before(ann[1]) == ann[0]
            assert tx.events.before(bob[1]) == bob[0]
            assert tx.events.before(ann[0]) is None
            assert tx.events.before(said(9)) is None, "an event that is not there"

    def test_events_are_read_in_the_order_asked_unknown_ones_left_out(
        self, database: Database
    ) -> None:
        add(database, *map(said, range(5)))
        with database.read() as tx:
            got = tx.events.get(["t-e3", "nobody", "t-e1", "t-e3"])
            assert [event.id for event in got] == ["t-e3", "t-e1", "t-e3"]
            assert tx.events.get([]) == []

    def test_more_events_than_a_statement_takes_are_read(self, database: Database) -> None:
        add(database, said(1))
        with database.read() as tx:
            got = tx.events.get([f"nobody{n}" for n in range(40_000)] + ["t-e1"])
        assert got == [said(1)]

    def test_a_thread_is_read_in_the_order_of_capture_whatever_the_clocks_say(
        self, database: Database
    ) -> None:
        add(database, said(3), said(1), said(9, thread="u"), said(2))
        with database.read() as tx:
            events = tx.events
            assert [each.message_id for each in events.thread("t")] == ["m3", "m1", "m2"]
            assert [each.message_id for each in events.thread("t", after=1)] == ["m1", "m2"]
            assert [each.message_id for each in events.thread("t", after=1, limit=1)] == ["m1"]
            assert events.thread("t", after=3) == []
            assert events.thread("nobody") == []

    def test_consolidation_reads_each_event_once_oldest_first(self, database: Database) -> None:
        bind(database)
        bind(database, "u")
        add(database, said(1), said(1, thread="u"), said(2), said(3))
        assert fresh(database) == ["t-e1", "t-e2", "t-e3"]
        assert fresh(database, limit=2) == ["t-e1", "t-e2"]
        with database.write() as tx:
            tx.events.consolidated(said(2))
        assert fresh(database) == ["t-e3"]
        assert fresh(database, "u") == ["u-e1"]
        add(database, said(0))
        assert fresh(database) == ["t-e3", "t-e0"], "captured later, said earlier"

    def test_what_waits_of_all_threads_of_an_owner_is_read_in_order(
        self, database: Database
    ) -> None:
        for thread in ("t", "u", "idle"):
            bind(database, thread)
        bind(database, "other", OTHERS[0])
        add(
            database, said(1), said(2, thread="u"), said(3, thread="idle"),
            said(4, thread="other", scope=OTHERS[0]), replace(said(5), role="assistant"), said(6),
        )  # fmt: skip
        with database.write() as tx:
            for key, scope, thread in (("a", JANE, "t"), ("b", JANE, "t"), ("c", JANE, "u"),
                                       ("d", OTHERS[0], "other")):  # fmt: skip
                tx.jobs.submit(Job(key, "consolidate", scope, thread), due=NOW)
        with database.read() as tx:
            assert [each.id for each in tx.events.unread(JANE, limit=9)] == ["t-e1", "u-e2", "t-e6"]
            assert [each.id for each in tx.events.unread(JANE, limit=2)] == ["u-e2", "t-e6"]
            assert [tx.events.unread(each, limit=9) for each in OTHERS[1:]] == [[]] * 5
        with database.write() as tx:
            tx.events.consolidated(said(1))
        with database.read() as tx:
            assert [each.id for each in tx.events.unread(JANE, limit=9)] == ["u-e2", "t-e6"]

    def test_what_was_read_stays_read(self, database: Database) -> None:
        bind(database)
        add(database, said(1), said(2))
        with database.write() as tx:
            tx.events.consolidated(said(2))
            tx.events.consolidated(said(1))
        assert fresh(database) == []

    def test_noting_an_event_that_was_erased_meanwhile_changes_nothing(
        self, database: Database
    ) -> None:
        bind(database)
        add(database, said(1))
        with database.write() as tx:
            tx.events.erase(JANE)
        bind(database)
        add(database, said(2))
        with database.write() as tx:
            tx.events.consolidated(said(1))
        assert fresh(database) == ["t-e2"]

    def test_a_thread_belongs_to_the_identity_that_opened_it(self, database: Database) -> None:
        with database.read() as tx:
            assert tx.events.owner("t") is None
        bind(database, "t", JANE)
        bind(database, "o", Scope("acme"))
        with database.read() as tx:
            assert tx.events.owner("t") == JANE
            assert tx.events.owner("o") == Scope("acme")
            assert tx.events.owner("T") is None

    def test_threads_are_listed_oldest_first_for_their_owner_alone(
        self, database: Database
    ) -> None:
        with database.write() as tx:
            tx.events.bind("later", JANE, now=seconds(9))
            tx.events.bind("earlier", JANE, now=seconds(1))
            for number, other in enumerate(OTHERS):
                tx.events.bind(f"other{number}", other, now=NOW)
        with database.read() as tx:
            assert tx.events.threads(JANE) == ["earlier", "later"]
            for number, other in enumerate(OTHERS):
                assert tx.events.threads(other) == [f"other{number}"]
            assert tx.events.threads(Scope("nobody")) == []

    def test_erasing_takes_all_of_an_owner_and_nothing_of_anyone_else(
        self, database: Database
    ) -> None:
        """Whatever circle an event was captured in, it is its owner's."""
        bind(database, "t")
        add(database, said(1), said(2, scope=replace(JANE, project="p", session="s")))
        with database.write() as tx:
            tx.jobs.submit(Job("j", "consolidate", replace(JANE, project="p"), "t"), due=NOW)
            for number, other in enumerate(OTHERS):
                name = f"other{number}"
                tx.events.bind(name, other, now=NOW)
                tx.events.add(said(1, thread=name, scope=other))
                tx.jobs.submit(Job(name, "consolidate", other, name), due=NOW)
        with database.write() as tx:
            assert tx.events.erase(JANE) == {"events": 2, "jobs": 1, "threads": 1}
            assert tx.events.erase(JANE) == {"events": 0, "jobs": 0, "threads": 0}
        with database.read() as tx:
            assert tx.events.count(JANE) == 0
            assert tx.events.at("t", "m1") is None
            assert tx.events.owner("t") is None
            assert tx.jobs.waiting(JANE) == []
            assert [tx.events.count(other) for other in OTHERS] == [1] * len(OTHERS)
            assert len(tx.jobs.waiting()) == len(OTHERS)


class TestSqliteEvents(OnSqlite, EventsContract):
    """SQLite keeps the contract."""


# --- Jobs -------------------------------------------------------------------------------


def work(key: str = "j", *, scope: Scope = JANE) -> Job:
    return Job(key, "consolidate", scope, "t")


def submit(database: Database, job: Job, *, due: float = 0) -> None:
    with database.write() as tx:
        tx.jobs.submit(job, due=seconds(due))


def lease(database: Database, *, at: float = 0, early: bool = False) -> Job | None:
    """Take a job for ten seconds."""
    with database.write() as tx:
        return tx.jobs.lease(now=seconds(at), seconds=10, early=early)


def taken(database: Database, *, at: float = 0) -> Job:
    job = lease(database, at=at)
    assert job is not None
    return job


def finish(database: Database, job: Job) -> None:
    with database.write() as tx:
        tx.jobs.finish(job)


def fail(database: Database, job: Job, error: str = "no", *, retry: float | None = None) -> None:
    with database.write() as tx:
        tx.jobs.fail(job, error, retry=None if retry is None else seconds(retry))


def waiting(database: Database, owner: Scope | None = None) -> list[Job]:
    with database.read() as tx:
        return tx.jobs.waiting(owner)


class JobsContract(DatabaseContract):
    """``ports.Jobs``."""

    def test_every_field_comes_back_equal(self, database: Database) -> None:
        job = Job("k\n", "kind", Scope("acme", None, "p", "a", "s"), "t🙂")
        submit(database, job)
        assert waiting(database) == [job]
        assert taken(database) == job

    def test_one_job_is_held_by_one_worker(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        submit(one, work())
        assert taken(one).key == "j"
        assert lease(two) is None
        assert lease(one, at=9.999) is None

    def test_a_lease_that_ran_out_is_given_to_the_next(self, make_database: Make) -> None:
        one, two = make_database("memory"), make_database("memory")
        submit(one, work())
        assert taken(one).attempts == 0
        assert taken(two, at=10).attempts == 1
        assert lease(one, at=19) is None

    def test_the_longest_due_job_is_taken_first_and_none_before_it_is_due(
        self, database: Database
    ) -> None:
        for key, due in (("c", 3), ("a", 5), ("b", 3), ("later", 60)):
            submit(database, work(key), due=due)
        assert lease(database, at=2.999) is None
        assert [taken(database, at=30).key for _ in range(3)] == ["b", "c", "a"]
        assert lease(database, at=30) is None

    def test_waiting_jobs_are_listed_oldest_due_first_for_one_owner_or_all(
        self, database: Database
    ) -> None:
        submit(database, work("mine"), due=5)
        for number, other in enumerate(OTHERS):
            submit(database, work(f"other{number}", scope=other), due=number)
        listed = [job.key for job in waiting(database)]
        assert listed == ["other0", "other1", "other2", "other3", "other4", "mine", "other5"]
        assert [job.key for job in waiting(database, JANE)] == ["mine"]
        assert [job.key for job in waiting(database, OTHERS[2])] == ["other2"]

    def test_submitting_again_moves_the_waiting_job(self, database: Database) -> None:
        submit(database, work(), due=0)
        submit(database, work(), due=20)
        assert len(waiting(database)) == 1
        assert lease(database, at=19) is None
        assert taken(database, at=20).key == "j"

    def test_a_job_that_is_moved_again_and_again_is_due_at_its_latest(
        self, database: Database
    ) -> None:
        def moved(at: float) -> None:
            with database.write() as tx:
                tx.jobs.submit(work(), due=seconds(at + 2), latest=seconds(at + 10))

        for at in (0, 1.5, 3, 4.5, 6, 7.5, 9):
            moved(at)
        assert lease(database, at=9.9) is None
        held = taken(database, at=10)
        moved(11)
        moved(12)
        finish(database, held)
        assert lease(database, at=13) is None, "what came while it was held waits anew"
        fail(database, taken(database, at=14), retry=60)
        moved(70)
        assert lease(database, at=71) is None, "and so does what comes after a failure"
        assert taken(database, at=72).attempts == 1

    def test_a_finished_job_is_gone(self, database: Database) -> None:
        submit(database, work())
        finish(database, taken(database))
        assert waiting(database) == []
        assert lease(database, at=100) is None

    def test_work_submitted_while_it_is_done_is_done_again(self, database: Database) -> None:
        submit(database, work())
        held = taken(database)
        submit(database, work(), due=3)
        assert lease(database, at=5) is None, "still held"
        finish(database, held)
        assert lease(database, at=2) is None
        again = taken(database, at=3)
        assert (again.attempts, again.error) == (0, "")
        finish(database, again)
        assert waiting(database) == []

    def test_a_failed_job_comes_back_with_its_error_when_told(self, database: Database) -> None:
        submit(database, work())
        fail(database, taken(database), "the model is away", retry=30)
        assert lease(database, at=29) is None
        again = taken(database, at=30)
        assert (again.attempts, again.error) == (1, "the model is away")

    def test_a_dead_job_stays_listed_and_is_never_taken(self, database: Database) -> None:
        submit(database, work())
        fail(database, taken(database), "hopeless")
        assert lease(database, at=10**6) is None
        assert lease(database, at=10**6, early=True) is None
        assert [(job.key, job.attempts, job.error) for job in waiting(database)] == [
            ("j", 1, "hopeless")
        ]

    def test_a_dead_job_that_is_submitted_again_is_tried_anew(self, database: Database) -> None:
        submit(database, work())
        for at in (0, 100):
            fail(database, taken(database, at=at), retry=100)
        fail(database, taken(database, at=200))
        submit(database, work(), due=300)
        assert taken(database, at=300).attempts == 0

    @pytest.mark.parametrize("retry", [None, 30])
    def test_work_submitted_while_it_failed_is_not_lost(
        self, database: Database, retry: float | None
    ) -> None:
        submit(database, work())
        held = taken(database)
        submit(database, work(), due=5)
        fail(database, held, "no", retry=retry)
        due = retry or 5
        assert lease(database, at=due - 1) is None
        finish(database, taken(database, at=due))
        assert waiting(database) == []

    def test_a_late_worker_cannot_finish_what_another_holds(self, database: Database) -> None:
        submit(database, work())
        late = taken(database)
        holder = taken(database, at=10)
        submit(database, work(), due=12)
        finish(database, late)
        assert lease(database, at=15) is None, "still held"
        finish(database, holder)
        assert taken(database, at=15).key == "j"

    def test_a_late_worker_cannot_give_back_what_another_holds(self, database: Database) -> None:
        submit(database, work())
        late = taken(database)
        taken(database, at=10)
        fail(database, late, "late", retry=11)
        assert lease(database, at=15) is None, "still held"
        assert waiting(database)[0].error == ""

    def test_a_late_worker_may_finish_what_nobody_took(self, database: Database) -> None:
        submit(database, work())
        late = taken(database)
        finish(database, late)
        assert waiting(database) == []

    def test_early_takes_what_was_never_tried_and_only_that(self, database: Database) -> None:
        submit(database, work("failed"), due=0)
        fail(database, taken(database), retry=50)
        submit(database, work("new"), due=60)
        early = lease(database, at=1, early=True)
        assert early is not None
        assert early.key == "new"
        assert lease(database, at=1, early=True) is None

    def test_a_job_of_an_erased_owner_cannot_be_finished_back_to_life(
        self, database: Database
    ) -> None:
        submit(database, work())
        held = taken(database)
        with database.write() as tx:
            tx.events.erase(JANE)
        fail(database, held, "late", retry=1)
        finish(database, held)
        assert waiting(database) == []


class TestSqliteJobs(OnSqlite, JobsContract):
    """SQLite keeps the contract."""
