"""Versions of items: history, compare-and-set, and reads at another moment (R12, R25)."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.base import GetOp, PutOp

from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidInputError, NotFoundError, VersionConflictError
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.testing.store_contract.door import Door

PLACE = ("users", "jane")
DAY = timedelta(days=1)
MAY = datetime(2026, 5, 1, tzinfo=UTC)


def ask(ours: Door, method: str, *args: Any, **options: Any) -> Any:
    """Call a method of ours through the door."""
    return ours._call(method, *args, **options)


def now() -> datetime:
    """Return an instant between the write before and the write after."""
    time.sleep(0.002)
    instant = datetime.now(UTC)
    time.sleep(0.002)
    return instant


def put_twice(ours: Door) -> datetime:
    """Say Friday, then Monday; return an instant between."""
    ours.put(PLACE, "launch", {"text": "Friday", "by": "Lina"})
    between = now()
    ours.put(PLACE, "launch", {"text": "Monday", "room": 5})
    return between


class TestHistory:
    def test_every_write_is_a_version(self, ours: Door) -> None:
        """R12."""
        put_twice(ours)
        first, second = ask(ours, "history", PLACE, "launch")
        assert (first.number, first.value) == (1, {"text": "Friday", "by": "Lina"})
        assert (second.number, second.value) == (2, {"text": "Monday", "room": 5})
        assert first.superseded_at == second.recorded_at
        assert (first.status, second.status) == (Status.SUPERSEDED, Status.ACTIVE)
        item = ours.get(PLACE, "launch")
        assert item is not None
        assert item.version == 2  # type: ignore[attr-defined]
        [found] = ours.search(PLACE)
        assert found.version == 2  # type: ignore[attr-defined]

    def test_what_was_never_written_has_none(self, ours: Door) -> None:
        assert ask(ours, "history", PLACE, "nothing") == []
        assert ask(ours, "get_version", PLACE, "nothing", 1) is None

    def test_one_version_by_its_number(self, ours: Door) -> None:
        put_twice(ours)
        assert ask(ours, "get_version", PLACE, "launch", 1).value["text"] == "Friday"
        assert ask(ours, "get_version", PLACE, "launch", 3) is None

    def test_a_deletion_is_a_tombstone_and_a_later_put_goes_on(self, ours: Door) -> None:
        put_twice(ours)
        ours.delete(PLACE, "launch")
        assert ours.get(PLACE, "launch") is None
        assert ours.search(PLACE) == []
        ours.put(PLACE, "launch", {"text": "never"})
        versions = ask(ours, "history", PLACE, "launch")
        assert [each.number for each in versions] == [1, 2, 3, 4]
        assert (versions[2].status, versions[2].value) == (Status.DELETED, None)
        item = ours.get(PLACE, "launch")
        assert item is not None
        assert item.created_at == item.updated_at == versions[3].recorded_at

    def test_what_has_expired_has_no_history(self, ours: Door) -> None:
        """B51."""
        ours.put(PLACE, "launch", {"text": "Friday"}, ttl=0.0005)
        time.sleep(0.05)
        assert ask(ours, "history", PLACE, "launch") == []

    @pytest.mark.opened_with(keep_versions=3)
    def test_only_so_many_versions_are_kept(self, ours: Door) -> None:
        """R24: what an agent writes every turn does not grow for ever."""
        for number in range(1, 8):
            ours.put(PLACE, "state", {"n": number})
        created = ours.get(PLACE, "state").created_at  # type: ignore[union-attr]
        versions = ask(ours, "history", PLACE, "state")
        assert [each.value for each in versions] == [{"n": 5}, {"n": 6}, {"n": 7}]
        assert [each.number for each in versions] == [5, 6, 7]
        assert created < versions[0].recorded_at
        ours.put(PLACE, "state", {"n": 8})
        assert ours.get(PLACE, "state").created_at == created  # type: ignore[union-attr]

    @pytest.mark.opened_with(keep_versions=0)
    def test_zero_keeps_all_versions(self, ours: Door) -> None:
        for number in range(1, 8):
            ours.put(PLACE, "state", {"n": number})
        assert len(ask(ours, "history", PLACE, "state")) == 7


class TestDiffAndRestore:
    def test_what_changed_field_by_field(self, ours: Door) -> None:
        """R12."""
        put_twice(ours)
        found = ask(ours, "diff", PLACE, "launch", 1)
        assert [(each.path, each.kind, each.before, each.after) for each in found] == [
            ("$.text", "changed", "Friday", "Monday"),
            ("$.by", "removed", "Lina", None),
            ("$.room", "added", None, 5),
        ]
        assert ask(ours, "diff", PLACE, "launch", 2, 2) == []

    def test_a_version_that_is_not_there_cannot_be_compared(self, ours: Door) -> None:
        put_twice(ours)
        with pytest.raises(NotFoundError, match="launch v7"):
            ask(ours, "diff", PLACE, "launch", 7)

    def test_restoring_says_the_old_value_again(self, ours: Door) -> None:
        """R12."""
        put_twice(ours)
        ask(ours, "restore", PLACE, "launch", 1)
        assert ours.value(PLACE, "launch") == {"text": "Friday", "by": "Lina"}
        assert [each.number for each in ask(ours, "history", PLACE, "launch")] == [1, 2, 3]
        assert ours.keys(PLACE, query="Friday Lina") == ["launch"]

    def test_restoring_brings_a_deleted_item_back(self, ours: Door) -> None:
        put_twice(ours)
        ours.delete(PLACE, "launch")
        ask(ours, "restore", PLACE, "launch", 2)
        assert ours.value(PLACE, "launch") == {"text": "Monday", "room": 5}

    @pytest.mark.parametrize("version", [3, 4, 0])
    def test_a_tombstone_or_an_unknown_version_cannot_be_restored(
        self, ours: Door, version: int
    ) -> None:
        put_twice(ours)
        ours.delete(PLACE, "launch")
        with pytest.raises(NotFoundError):
            ask(ours, "restore", PLACE, "launch", version)
        assert ours.get(PLACE, "launch") is None


class TestCompareAndSet:
    def test_a_write_on_the_version_that_was_read_goes_through(self, ours: Door) -> None:
        """R25."""
        ours.put(PLACE, "plan", {"n": 1}, expected_version=0)
        ours.put(PLACE, "plan", {"n": 2}, expected_version=1)
        assert ours.value(PLACE, "plan") == {"n": 2}

    @pytest.mark.parametrize("expected", [0, 1, 3])
    def test_a_write_on_another_version_changes_nothing(self, ours: Door, expected: int) -> None:
        """R25, R93."""
        ours.put(PLACE, "plan", {"n": 1})
        ours.put(PLACE, "plan", {"n": 2})
        with pytest.raises(VersionConflictError, match=f"version 2, not {expected}"):
            ours.put(PLACE, "plan", {"n": 3}, expected_version=expected)
        assert ours.value(PLACE, "plan") == {"n": 2}

    def test_what_is_deleted_or_expired_counts_as_not_there(self, ours: Door) -> None:
        ours.put(PLACE, "plan", {"n": 1})
        ours.delete(PLACE, "plan")
        with pytest.raises(VersionConflictError):
            ours.put(PLACE, "plan", {"n": 2}, expected_version=2)
        ours.put(PLACE, "plan", {"n": 2}, expected_version=0, ttl=0.0005)
        time.sleep(0.05)
        ours.put(PLACE, "plan", {"n": 3}, expected_version=0)
        assert ours.value(PLACE, "plan") == {"n": 3}

    def test_a_deletion_may_expect_a_version(self, ours: Door) -> None:
        put_twice(ours)
        with pytest.raises(VersionConflictError):
            ask(ours, "delete", PLACE, "launch", expected_version=1)
        ask(ours, "delete", PLACE, "launch", expected_version=2)
        assert ours.get(PLACE, "launch") is None

    def test_a_conflict_in_a_batch_undoes_the_whole_batch(self, ours: Door) -> None:
        ours.put(PLACE, "plan", {"n": 1})
        stale = VersionedPut.of(PutOp(PLACE, "plan", {"n": 2}), expected_version=7)
        with pytest.raises(VersionConflictError):
            ours.batch([PutOp(PLACE, "other", {"n": 1}), stale, GetOp(PLACE, "plan")])
        assert ours.get(PLACE, "other") is None

    @pytest.mark.parametrize("expected", [-1, 1.0, True, "1"])
    def test_an_impossible_version_is_refused(self, ours: Door, expected: Any) -> None:
        with pytest.raises(InvalidInputError, match="expected_version"):
            ours.put(PLACE, "plan", {"n": 1}, expected_version=expected)

    def test_it_works_inside_the_memory_root(self, ours: Door) -> None:
        memory = ("memory", "t=acme", "u=jane", "semantic")
        ours.put(memory, "plan", {"content": "ship on Friday"}, expected_version=0)
        with pytest.raises(VersionConflictError):
            ours.put(memory, "plan", {"content": "ship on Monday"}, expected_version=0)
        ours.put(memory, "plan", {"content": "ship on Monday"}, expected_version=1)
        assert len(ask(ours, "history", memory, "plan")) == 2


class TestAsOf:
    def test_what_was_believed_then(self, ours: Door) -> None:
        """R12."""
        before = now()
        between = put_twice(ours)
        assert ours.get(PLACE, "launch", as_of=before) is None
        then = ours.get(PLACE, "launch", as_of=between)
        assert then is not None
        assert then.value == {"text": "Friday", "by": "Lina"}
        assert then.version == 1  # type: ignore[attr-defined]
        assert then.updated_at == then.created_at
        assert ours.get(PLACE, "launch", as_of=now()) == ours.get(PLACE, "launch")

    def test_a_deletion_is_learned_when_it_happens(self, ours: Door) -> None:
        put_twice(ours)
        before = now()
        ours.delete(PLACE, "launch")
        assert ours.get(PLACE, "launch", as_of=now()) is None
        then = ours.get(PLACE, "launch", as_of=before)
        assert then is not None
        assert then.value["text"] == "Monday"

    def test_a_search_finds_what_was_believed_then(self, ours: Door) -> None:
        between = put_twice(ours)
        ours.put(PLACE, "budget", {"text": "150 dollars"})
        assert ours.keys(PLACE, as_of=between) == ["launch"]
        assert ours.keys(PLACE, as_of=between, filter={"by": "Lina"}) == ["launch"]
        assert ours.keys(PLACE, as_of=between, filter={"text": "Monday"}) == []
        assert ours.keys(("users",), as_of=between, limit=0) == []
        [hit] = ours.search(PLACE, as_of=between, query="is it Friday?")
        assert hit.value["text"] == "Friday"
        assert hit.score is not None
        assert hit.score > 0.3

    def test_a_search_of_the_past_ranks_and_pages(self, ours: Door) -> None:
        for each in ("red apple", "green apple", "blue whale"):
            ours.put(PLACE, each, {"text": each})
        then = now()
        for each in ("red apple", "green apple", "blue whale"):
            ours.put(PLACE, each, {"text": "nothing"})
        found = ours.keys(PLACE, as_of=then, query="green apple")
        assert found[:2] == ["green apple", "red apple"]
        pages = [
            ours.keys(PLACE, as_of=then, query="green apple", limit=1, offset=n) for n in (0, 1, 2)
        ]
        assert [key for page in pages for key in page] == found

    def test_what_has_expired_is_gone_for_every_moment(self, ours: Door) -> None:
        """B51."""
        ours.put(PLACE, "launch", {"text": "Friday"}, ttl=0.0005)
        then = now()
        time.sleep(0.05)
        assert ours.get(PLACE, "launch", as_of=then) is None
        assert ours.search(PLACE, as_of=then) == []

    def test_an_instant_needs_a_time_zone(self, ours: Door) -> None:
        """B38."""
        for name in ("as_of", "valid_at"):
            with pytest.raises(InvalidInputError, match="no time zone"):
                ours.get(PLACE, "launch", **{name: datetime(2026, 5, 1)})
            with pytest.raises(InvalidInputError, match="no time zone"):
                ours.search(PLACE, **{name: datetime(2026, 5, 1)})


class TestValidAt:
    def test_what_held_then(self, ours: Door) -> None:
        """R12, R14."""
        ours.put(PLACE, "role", {"is": "intern"}, valid_from=MAY, valid_until=MAY + 10 * DAY)
        ours.put(PLACE, "role", {"is": "engineer"}, valid_from=MAY + 10 * DAY)
        assert ours.get(PLACE, "role", valid_at=MAY - DAY) is None
        assert ours.get(PLACE, "role", valid_at=MAY).value == {"is": "intern"}  # type: ignore[union-attr]
        assert ours.get(PLACE, "role", valid_at=MAY + 10 * DAY).value == {"is": "engineer"}  # type: ignore[union-attr]
        assert ours.keys(PLACE, valid_at=MAY, filter={"is": "intern"}) == ["role"]
        assert ours.keys(PLACE, valid_at=MAY - DAY) == []

    def test_what_starts_later_leaves_the_present_in_place(self, ours: Door) -> None:
        """R14."""
        soon = datetime.now(UTC) + DAY
        ours.put(PLACE, "plan", {"is": "basic"})
        ours.put(PLACE, "plan", {"is": "pro"}, valid_from=soon)
        assert ours.value(PLACE, "plan") == {"is": "basic"}
        assert ours.get(PLACE, "plan", valid_at=soon).value == {"is": "pro"}  # type: ignore[union-attr]
        assert [each.value for each in ours.search(PLACE)] == [{"is": "basic"}]
        assert ours.keys(PLACE, filter={"is": "basic"}) == ["plan"]
        assert ours.keys(PLACE, filter={"is": "pro"}) == []

    def test_what_has_ended_is_not_current(self, ours: Door) -> None:
        """R14, R42."""
        ours.put(PLACE, "role", {"is": "intern"}, valid_until=datetime.now(UTC) - DAY)
        assert ours.get(PLACE, "role") is None
        assert ours.search(PLACE) == []
        assert ours.search(PLACE, query="intern") == []
        assert ours.get(PLACE, "role", valid_at=MAY) is not None

    def test_both_clocks_at_once(self, ours: Door) -> None:
        """R12: what we believed then about another day."""
        ours.put(PLACE, "price", {"n": 10}, valid_from=MAY)
        before = now()
        ours.put(PLACE, "price", {"n": 12}, valid_from=MAY)
        assert ours.get(PLACE, "price", valid_at=MAY + DAY).value == {"n": 12}  # type: ignore[union-attr]
        old = ours.get(PLACE, "price", valid_at=MAY + DAY, as_of=before)
        assert old is not None
        assert old.value == {"n": 10}

    def test_an_end_before_its_start_is_refused(self, ours: Door) -> None:
        with pytest.raises(InvalidInputError, match="lies before"):
            ours.put(PLACE, "k", {"n": 1}, valid_from=MAY, valid_until=MAY - DAY)
        assert ours.get(PLACE, "k") is None


class TestPromisesThatAreEasyToBreak:
    def test_a_write_goes_through_beside_an_announced_value(self, ours: Door) -> None:
        """R25: the version to expect is the record's, not the statement's that is shown."""
        ours.put(PLACE, "plan", {"is": "basic"})
        ours.put(PLACE, "plan", {"is": "pro"}, valid_from=datetime.now(UTC) + DAY)
        item = ours.get(PLACE, "plan")
        assert item is not None
        assert (item.value, item.version) == ({"is": "basic"}, 2)  # type: ignore[attr-defined]
        ours.put(PLACE, "plan", {"is": "free"}, expected_version=2)

    def test_what_has_ended_may_be_written_as_new(self, ours: Door) -> None:
        ours.put(PLACE, "role", {"is": "intern"}, valid_until=datetime.now(UTC) - DAY)
        ours.put(PLACE, "role", {"is": "engineer"}, expected_version=0)
        assert ours.value(PLACE, "role") == {"is": "engineer"}

    @pytest.mark.parametrize("after", ["delete", "put", "nothing"])
    def test_what_has_expired_never_comes_back(self, ours: Door, after: str) -> None:
        """B51, R23."""
        ours.put(PLACE, "k", {"text": "secret"}, ttl=0.0005)
        then = now()
        time.sleep(0.05)
        if after == "delete":
            ours.delete(PLACE, "k")
        if after == "put":
            ours.put(PLACE, "k", {"text": "new"})
        kept = ask(ours, "history", PLACE, "k")
        assert [each.value for each in kept] == ([{"text": "new"}] if after == "put" else [])
        assert ours.get(PLACE, "k", as_of=then) is None

    def test_what_is_kept_out_of_search_is_kept_out_of_the_past_too(self, ours: Door) -> None:
        ours.put(PLACE, "h", {"text": "secret banana"}, index=False)
        ours.put(PLACE, "h", {"text": "secret apple"}, index=False)
        ours.put(PLACE, "i", {"text": "pear", "other": "plum"}, index=["other"])
        moment = now()
        scores = {
            item.key: item.score
            for query in ("secret apple", "secret banana", "pear")
            for item in ours.search(PLACE, query=query, as_of=moment)
            if item.key == "h"
        }
        assert scores == {"h": None}
        by_past = {each.key: each.score for each in ours.search(PLACE, query="pear", as_of=moment)}
        present = {each.key: each.score for each in ours.search(PLACE, query="pear")}
        assert by_past["i"] == pytest.approx(present["i"], abs=1e-4)

    def test_restoring_keeps_an_item_out_of_search_and_protected(self, ours: Door) -> None:
        ours.put(PLACE, "k", {"text": "secret"}, index=False, protected=True)
        ours.put(PLACE, "k", {"text": "other"}, index=False, protected=True)
        ask(ours, "restore", PLACE, "k", 1)
        assert ours.search(PLACE, query="secret")[0].score is None
        with ours.through("sync").store.memory._engine.database.read() as tx:  # type: ignore[attr-defined]
            stored = tx.records.head(PLACE, "k")
        assert stored.lifetime.protected

    @pytest.mark.opened_with(keep_versions=1)
    def test_what_was_pruned_is_not_replaced_by_what_followed(self, ours: Door) -> None:
        ours.put(PLACE, "k", {"n": 1})
        middle = now()
        ours.put(PLACE, "k", {"n": 2})
        assert ours.get(PLACE, "k", valid_at=middle) is None

    def test_a_text_is_no_namespace_in_any_method(self, ours: Door) -> None:
        ours.put(("a", "b"), "k", {"n": 1})
        ours.put(("a", "b"), "k", {"n": 2})
        for method, more in (("history", ()), ("get_version", (1,)), ("diff", (1,)),
                             ("restore", (1,)), ("get", ())):  # fmt: skip
            with pytest.raises(ValueError, match="tuple of labels"):
                ask(ours, method, "ab", "k", *more)
        with pytest.raises(ValueError, match="tuple of labels"):
            ours.get("ab", "k", as_of=now())  # type: ignore[arg-type]
        assert ours.value(("a", "b"), "k") == {"n": 2}

    def test_version_zero_cannot_be_compared(self, ours: Door) -> None:
        put_twice(ours)
        with pytest.raises(NotFoundError):
            ask(ours, "diff", PLACE, "launch", 1, 0)

    @pytest.mark.parametrize("name", ["as_of", "valid_at"])
    def test_an_instant_is_a_datetime(self, ours: Door, name: str) -> None:
        with pytest.raises(InvalidInputError, match="aware datetime"):
            ours.get(PLACE, "k", **{name: "2026-05-01"})

    @pytest.mark.opened_with(ttl={"default_ttl": 60.0}, none_is_default=True)
    def test_conditions_hold_where_none_is_the_default(self, ours: Door) -> None:
        ours.put(PLACE, "k", {"n": 1})
        ours.put(PLACE, "k", {"n": 2})
        with pytest.raises(VersionConflictError):
            ours.put(PLACE, "k", {"n": 3}, ttl=None, expected_version=1)
        ours.put(PLACE, "z", {"n": 1}, ttl=None, valid_until=MAY)
        assert ours.get(PLACE, "z") is None
