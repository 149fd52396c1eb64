"""When an item was first created, and when it was last written."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.harness import StoreHarness

NS = ("docs",)
A_MOMENT = 0.01


class TimestampContract(StoreHarness):
    """``Item.created_at`` and ``Item.updated_at``."""

    def test_timestamps_are_aware_and_utc(self, door: Door) -> None:
        """B38. A naive time is read as local time by whoever gets it."""
        door.put(NS, "k", {"n": 1})
        for item in (door.get(NS, "k"), *door.search(NS)):
            assert item is not None
            assert item.created_at.utcoffset() == timedelta(0)
            assert item.updated_at.utcoffset() == timedelta(0)

    def test_timestamps_are_about_now(self, door: Door) -> None:
        door.put(NS, "k", {"n": 1})
        item = door.get(NS, "k")
        assert item is not None
        stamp = item.updated_at
        aware = stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)
        assert abs(datetime.now(UTC) - aware) < timedelta(minutes=10)
        assert item.created_at <= item.updated_at

    def test_an_update_keeps_created_at_and_moves_updated_at(self, door: Door) -> None:
        """B26. Documented: "when the item was first created", "last update"."""
        door.put(NS, "k", {"n": 1})
        first = door.get(NS, "k")
        time.sleep(A_MOMENT)
        door.put(NS, "k", {"n": 2})
        second = door.get(NS, "k")
        assert first is not None
        assert second is not None
        assert second.created_at == first.created_at
        assert second.updated_at > first.updated_at

    def test_timestamps_are_finer_than_a_second(self, door: Door) -> None:
        """B26."""
        for key in "abc":
            door.put(NS, key, {"n": 1})
            time.sleep(A_MOMENT)
        stamps = {item.updated_at for item in door.search(NS)}
        assert len(stamps) == 3
        assert any(stamp.microsecond for stamp in stamps)

    def test_writes_never_run_backwards(self, door: Door) -> None:
        """B26."""
        stamps = []
        for n in range(20):
            door.put(NS, "k", {"n": n})
            item = door.get(NS, "k")
            assert item is not None
            stamps.append(item.updated_at)
        assert stamps == sorted(stamps)

    def test_reading_leaves_the_timestamps(self, door: Door) -> None:
        door.put(NS, "k", {"n": 1})
        first = door.get(NS, "k")
        time.sleep(A_MOMENT)
        door.search(NS)
        assert door.get(NS, "k") == first
