"""Lifetimes: when an item expires, what renews it, and what a sweep removes.

Expiry is observed after a sweep, so that stores that show expired items until then pass as
well. Times are fractions of ``StoreHarness.lifetime``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from langgraph.store.base import PutOp, TTLConfig

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.embedding import text_index
from langgraph_memory.testing.store_contract.harness import OpenDoor, StoreHarness

NS = ("docs",)
OpenTtl = Callable[..., Door]


class TtlHarness(StoreHarness):
    """What the tests of lifetimes share."""

    @pytest.fixture
    def open_ttl(self, open_door: OpenDoor) -> OpenTtl:
        """Open a store with a TTL configuration; skip if it knows no lifetimes."""

        def open_it(*, fields: tuple[str, ...] = (), **ttl: Any) -> Door:
            config = cast("TTLConfig", ttl)
            door = open_door(ttl=config, index=text_index(*fields) if fields else None)
            if not door.store.supports_ttl:
                pytest.skip("store.supports_ttl is False")
            return door

        return open_it

    @property
    def minutes(self) -> float:
        """One lifetime, in the unit that stores take."""
        return self.lifetime / 60

    def wait(self, lifetimes: float) -> None:
        """Let a part of a lifetime pass."""
        self.let_time_pass(self.lifetime * lifetimes)

    def sweep(self, door: Door) -> int:
        """Remove what has expired, where the store does so on demand."""
        return int(door.call("sweep_ttl")) if door.has("sweep_ttl") else 0

    def alive(self, door: Door) -> set[str]:
        """Return the keys that are still there, without renewing them."""
        self.sweep(door)
        return set(door.keys(NS, limit=100, refresh_ttl=False))


class ExpiryContract(TtlHarness):
    """An item is there for its lifetime, and then it is not."""

    def test_a_store_without_lifetimes_refuses_one(self, door: Door) -> None:
        """Documented at ``supports_ttl``: better an error than an item that never expires."""
        if door.store.supports_ttl:
            pytest.skip("store.supports_ttl is True")
        with pytest.raises(NotImplementedError):
            door.put(NS, "k", {"n": 1}, ttl=1)
        door.put(NS, "k", {"n": 1}, ttl=None)
        assert door.value(NS, "k") == {"n": 1}

    def test_an_item_lives_for_its_lifetime_and_no_longer(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        door.put(NS, "mortal", {"n": 1}, ttl=self.minutes)
        door.put(NS, "permanent", {"n": 2})
        self.wait(0.5)
        assert self.alive(door) == {"mortal", "permanent"}
        self.wait(1)
        assert self.alive(door) == {"permanent"}
        assert door.get(NS, "mortal") is None

    def test_a_sweep_says_how_many_items_it_removed(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        if not door.has("sweep_ttl"):
            pytest.skip("the store has no sweep_ttl()")
        for key in "abc":
            door.put(NS, key, {"n": 1}, ttl=self.minutes)
        door.put(NS, "permanent", {"n": 2})
        self.wait(2)
        assert [self.sweep(door), self.sweep(door)] == [3, 0]

    def test_an_expired_namespace_is_not_listed_after_a_sweep(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        door.put(("short",), "k", {"n": 1}, ttl=self.minutes)
        door.put(("long",), "k", {"n": 1})
        self.wait(2)
        self.sweep(door)
        assert door.list_namespaces() == [("long",)]

    def test_a_vector_goes_with_its_item(self, open_ttl: OpenTtl) -> None:
        """B48."""
        door = open_ttl(fields=("text",))
        door.put(NS, "short", {"text": "apple pie recipe"}, ttl=self.minutes)
        door.put(NS, "long", {"text": "apple tree"})
        self.wait(2)
        self.sweep(door)
        assert door.keys(NS, query="apple pie recipe", limit=1) == ["long"]

    def test_each_item_of_a_batch_has_its_own_lifetime(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        short, long = PutOp(NS, "short", {}), PutOp(NS, "long", {})
        door.batch(
            [
                short._replace(ttl=self.minutes),
                long._replace(ttl=self.minutes * 10),
                PutOp(NS, "permanent", {}),
            ]
        )
        self.wait(2)
        assert self.alive(door) == {"long", "permanent"}

    def test_the_default_lifetime_holds_where_none_is_given(self, open_ttl: OpenTtl) -> None:
        door = open_ttl(default_ttl=self.minutes)
        door.put(NS, "default", {"n": 1})
        door.put(NS, "longer", {"n": 1}, ttl=self.minutes * 10)
        door.put(NS, "permanent", {"n": 1}, ttl=None)
        self.wait(2)
        assert self.alive(door) == {"longer", "permanent"}

    def test_a_deleted_item_does_not_expire_twice(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        door.put(NS, "k", {"n": 1}, ttl=self.minutes)
        door.delete(NS, "k")
        door.put(NS, "k", {"n": 2})
        self.wait(2)
        assert self.alive(door) == {"k"}

    def test_a_lifetime_outlives_the_store_object(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        if not self.persistent:
            pytest.skip("persistent is False")
        door.put(NS, "mortal", {"n": 1}, ttl=self.minutes)
        door.put(NS, "permanent", {"n": 1})
        door.reopen()
        self.wait(2)
        assert self.alive(door) == {"permanent"}


class OmitExpiredContract(TtlHarness):
    """``omit_expired``: expired means gone, whether or not a sweep has come by (B48)."""

    @pytest.fixture
    def expired(self, open_ttl: OpenTtl) -> Door:
        """Return a store with one item that has expired and one that has not."""
        door = open_ttl(omit_expired=True)
        door.put(NS, "short", {"n": 1}, ttl=self.minutes)
        door.put(("long",), "k", {"n": 1}, ttl=self.minutes * 10)
        self.wait(2)
        return door

    def test_get_omits_what_has_expired(self, expired: Door) -> None:
        assert expired.get(NS, "short") is None
        assert expired.value(("long",), "k") == {"n": 1}

    def test_search_omits_what_has_expired(self, expired: Door) -> None:
        assert expired.keys(()) == ["k"]
        assert expired.keys(NS, filter={"n": 1}) == []

    def test_listing_omits_what_has_expired(self, expired: Door) -> None:
        assert expired.list_namespaces() == [("long",)]
        assert expired.list_namespaces(max_depth=1) == [("long",)]

    def test_a_question_omits_what_has_expired(self, open_ttl: OpenTtl) -> None:
        door = open_ttl(omit_expired=True, fields=("text",))
        door.put(NS, "short", {"text": "apple pie recipe"}, ttl=self.minutes)
        door.put(NS, "long", {"text": "apple tree"})
        self.wait(2)
        assert door.keys(NS, query="apple pie recipe", limit=1) == ["long"]

    def test_a_read_does_not_revive_what_has_expired(self, expired: Door) -> None:
        expired.get(NS, "short", refresh_ttl=True)
        expired.search(NS, refresh_ttl=True)
        assert self.alive(expired) == set()

    def test_an_expired_key_can_be_put_again(self, expired: Door) -> None:
        expired.put(NS, "short", {"n": 2})
        assert self.alive(expired) == {"short"}
        assert expired.value(NS, "short") == {"n": 2}


class SweeperContract(TtlHarness):
    """The background sweeper, in stores that have one."""

    @pytest.fixture
    def sweeping(self, open_ttl: OpenTtl) -> Iterator[Door]:
        """Return a store with a sweeper; it is stopped in the end."""
        door = open_ttl(sweep_interval_minutes=1)
        if not door.has("start_ttl_sweeper"):
            pytest.skip("the store has no start_ttl_sweeper()")
        yield door
        door.call("stop_ttl_sweeper", timeout=5)

    def test_a_sweeper_can_be_started_twice_and_stopped_twice(self, sweeping: Door) -> None:
        sweeping.call("start_ttl_sweeper")
        sweeping.call("start_ttl_sweeper")
        assert sweeping.call("stop_ttl_sweeper", timeout=5) is True
        assert sweeping.call("stop_ttl_sweeper", timeout=5) is True

    def test_a_sweeper_can_be_started_again_after_a_stop(self, sweeping: Door) -> None:
        sweeping.call("start_ttl_sweeper")
        assert sweeping.call("stop_ttl_sweeper", timeout=5) is True
        sweeping.call("start_ttl_sweeper")
        sweeping.put(NS, "k", {"n": 1})
        assert sweeping.value(NS, "k") == {"n": 1}
        assert sweeping.call("stop_ttl_sweeper", timeout=5) is True
