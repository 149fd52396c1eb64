"""What renews a lifetime: every put, and the reads that may."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import GetOp

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.ttl import NS, OpenTtl, TtlHarness


class RenewalContract(TtlHarness):
    """B49. "The expiration timer refreshes on both read operations and write operations"."""

    def test_a_put_starts_the_lifetime_anew(self, open_ttl: OpenTtl) -> None:
        door = open_ttl()
        door.put(NS, "k", {"n": 1}, ttl=self.minutes)
        self.wait(0.6)
        door.put(NS, "k", {"n": 2}, ttl=self.minutes)
        self.wait(0.6)
        assert self.alive(door) == {"k"}

    def test_a_put_with_none_makes_an_item_permanent(self, open_ttl: OpenTtl) -> None:
        """Documented: "None means no expiration"."""
        door = open_ttl(default_ttl=self.minutes)
        door.put(NS, "k", {"n": 1}, ttl=self.minutes)
        door.put(NS, "k", {"n": 2}, ttl=None)
        self.wait(2)
        assert self.alive(door) == {"k"}

    @pytest.mark.parametrize("read", ["get", "search"])
    def test_a_read_renews_unless_told_otherwise(self, open_ttl: OpenTtl, read: str) -> None:
        """Documented: ``refresh_on_read`` "defaults to True if not configured"."""
        door = open_ttl(default_ttl=self.minutes)
        assert self._read_midway(door, read) == {"k"}

    @pytest.mark.parametrize("read", ["get", "search"])
    def test_a_read_renews_where_the_store_is_told_so(self, open_ttl: OpenTtl, read: str) -> None:
        door = open_ttl(refresh_on_read=True)
        assert self._read_midway(door, read) == {"k"}

    @pytest.mark.parametrize("read", ["get", "search"])
    def test_a_read_does_not_renew_when_it_says_so(self, open_ttl: OpenTtl, read: str) -> None:
        door = open_ttl(refresh_on_read=True)
        assert self._read_midway(door, read, refresh_ttl=False) == set()

    @pytest.mark.parametrize("read", ["get", "search"])
    def test_no_read_renews_where_the_store_is_told_so(self, open_ttl: OpenTtl, read: str) -> None:
        door = open_ttl(refresh_on_read=False)
        assert self._read_midway(door, read) == set()

    @pytest.mark.parametrize("read", ["get", "search"])
    def test_a_single_read_may_renew_against_the_default(
        self, open_ttl: OpenTtl, read: str
    ) -> None:
        """Documented: "can be overridden per-operation by explicitly setting ``refresh_ttl``"."""
        door = open_ttl(refresh_on_read=False)
        assert self._read_midway(door, read, refresh_ttl=True) == {"k"}

    def test_a_search_renews_only_what_it_returns(self, open_ttl: OpenTtl) -> None:
        """Documented: "whenever the item is included in the operation"."""
        door = open_ttl(refresh_on_read=True)
        for key in "ab":
            door.put(NS, key, {"is": key}, ttl=self.minutes)
        self.wait(0.6)
        assert door.keys(NS, filter={"is": "a"}) == ["a"]
        self.wait(0.6)
        assert self.alive(door) == {"a"}

    def test_each_read_of_a_batch_decides_for_itself(self, open_ttl: OpenTtl) -> None:
        door = open_ttl(refresh_on_read=True)
        for key in "ab":
            door.put(NS, key, {}, ttl=self.minutes)
        self.wait(0.6)
        door.batch([GetOp(NS, "a", refresh_ttl=True), GetOp(NS, "b", refresh_ttl=False)])
        self.wait(0.6)
        assert self.alive(door) == {"a"}

    def test_a_read_renews_for_the_lifetime_the_item_was_given(self, open_ttl: OpenTtl) -> None:
        door = open_ttl(refresh_on_read=True, default_ttl=self.minutes * 100)
        assert self._read_midway(door, "get") == {"k"}
        self.wait(1)
        assert self.alive(door) == set()

    def _read_midway(self, door: Door, read: str, **options: Any) -> set[str]:
        """Return what is alive 1.2 lifetimes after a put and 0.6 after a read."""
        door.put(NS, "k", {"n": 1}, ttl=self.minutes)
        self.wait(0.6)
        if read == "get":
            assert door.get(NS, "k", **options) is not None
        else:
            assert door.keys(NS, **options) == ["k"]
        self.wait(0.6)
        return self.alive(door)
